/** RULES O12 and O10: which order the overlay speaks of, and when it says nothing. */
import { expect as see } from 'playwright/test';
import { expect, test } from 'vitest';
import { makeOrder } from '#tests/support/make.ts';
import { rememberOrders, startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, ordersOfTab, within } from '#tests/support/visit.ts';

test('§3, §9: the last order is the most recent id of this tab that was not discarded; without one, or where its status does not load, nothing is shown', async () => {
  await using at = await startVisit();
  const { page, server } = at;
  const [first, second, third] = [
    await makeOrder(server),
    await makeOrder(server, { nth: 1 }),
    await makeOrder(server, { nth: 2 }),
  ];
  await rememberOrders(
    page,
    { id: first.link_key },
    { id: second.link_key },
    { id: third.link_key, discarded: true },
  );
  await page.goto(eventPage);
  const overlay = page.getByRole('alertdialog');
  const onward = overlay.getByRole('link', { name: 'Prosegui' });
  await see(onward).toHaveAttribute('href', second.checkout_url, within);
  expect(at.countCalls(new RegExp(third.link_key))).toBe(0);
  // The second one ends elsewhere: its session expires, the overlay learns it by itself.
  await page.route(`**/api/orders/${second.link_key}/status`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), checkout_session_status: 'expired', checkout_url: null },
    });
  });
  await overlay.getByRole('button', { name: 'Riprova' }).click(within);
  await see(onward).toHaveAttribute('href', first.checkout_url, within);
  expect(await ordersOfTab(page)).toEqual([
    { id: first.link_key },
    { id: second.link_key, discarded: true },
    { id: third.link_key, discarded: true },
  ]);

  // §4, §7: another tab knows nothing of them, and an order that was discarded is not asked
  // about.
  const other = await page.context().newPage();
  const asked: string[] = [];
  other.on('request', (request) => {
    if (request.url().endsWith('/status')) asked.push(request.url());
  });
  const list = other.getByRole('button', { name: /Scegli da un elenco/ });
  const remember = (orders: object[]) =>
    other.evaluate((known) => {
      sessionStorage['botteghino.orders.1'] = JSON.stringify(known);
    }, orders);
  await other.goto(eventPage);
  await see(list).toBeVisible(within);
  await remember([{ id: first.link_key, discarded: true }]);
  await other.reload();
  await see(list).toBeVisible(within);
  await see(other.getByRole('alertdialog')).toHaveCount(0);
  expect(asked).toEqual([]);
  await remember([{ id: 'un-ordine-che-non-esiste' }]);
  await other.reload();
  await expect.poll(() => asked.length, within).toBeGreaterThan(0);
  await list.click(within);
  await see(other.getByRole('alertdialog')).toHaveCount(0);
  expect(at.troubles).toEqual([]);
});
