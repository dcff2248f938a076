/**
 * RULES O10, the order overlay: its states sentence by sentence, with nothing for two accessibility
 * engines and the validator to find.
 */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { getOrder, orderStatus } from '#server/contract/order/orders.ts';
import { payAs } from '#tests/support/buyer.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { callOk, makeOrder, asVisitor } from '#tests/support/make.ts';
import { holdCalls, rememberOrders, startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, ordersOfTab, pauseClock, screens, within } from '#tests/support/visit.ts';

const cancelCall = '**/checkout_session';
const overlayOf = (page: Page) => page.getByRole('alertdialog');
/** The words of the control that has the focus, and its element. */
const focused = (page: Page) =>
  page.evaluate(() => [
    document.activeElement!.tagName,
    document.activeElement!.textContent!.trim(),
  ]);

/** How often the status was asked for after the last cancel request went out. */
function looksSinceCancel(calls: readonly string[]): number {
  return calls
    .slice(calls.findLastIndex((call) => call.startsWith('DELETE')))
    .filter((call) => /^GET \/api\/orders\/[\w-]+\/status$/.test(call)).length;
}

test('§4: an open session is told alike by overlay and order page, "Prosegui" stands before "Annulla" and is a link to checkout_url; §8: what "Annulla" throws is a modal "Errore: {message}" that can be closed', async () => {
  await using at = await startVisit();
  const { page, server } = at;
  const { link_key: order_id, checkout_url } = await makeOrder(server);
  const { lines } = await callOk(server, getOrder, { params: { orderId: order_id } });
  await rememberOrders(page, { id: order_id });
  await page.goto(eventPage);
  const overlay = overlayOf(page);
  await see(overlay).toContainText('Vuoi continuare con il pagamento o annullare l’ordine?');
  const sum = /2 posti · \d+,00\s€ · riservati fino alle \d\d:\d\d/;
  await see(overlay).toContainText(sum);
  const said = sum.exec((await overlay.textContent())!)![0];
  for (const { seat } of lines) await see(overlay).toContainText(seat);
  await see(overlay.locator('a, button')).toHaveText(['Prosegui', 'Annulla']);
  const onward = overlay.getByRole('link', { name: 'Prosegui' });
  await see(onward).toHaveAttribute('href', checkout_url);
  await expectNoFaults(page, 'an order that waits for its payment');
  // Both are within the screen, and large enough for a thumb.
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    for (const control of await overlay.locator('a, button').all()) {
      const box = (await control.boundingBox())!;
      expect([
        box.height >= 44,
        box.x >= 0,
        box.x + box.width <= viewport.width,
        box.y + box.height <= viewport.height,
      ]).toEqual([true, true, true, true]);
    }
  }

  const message = 'Il sistema è occupato. Riprova tra qualche secondo.';
  await page.route(
    cancelCall,
    (route) => route.fulfill({ status: 503, json: { status: 503, code: 'try_again', message } }),
    { times: 1 },
  );
  const cancel = page.getByRole('button', { name: 'Annulla' });
  await cancel.click();
  const modal = page.getByRole('alertdialog', { name: `Errore: ${message}` });
  await see(modal.getByRole('heading')).toBeInViewport();
  await modal.getByRole('button', { name: 'Chiudi', exact: true }).click();
  // The overlay stands as it was, the focus is back, and the next try begins.
  await see(modal).toHaveCount(0);
  await see(onward).toBeVisible();
  await see(cancel).toBeFocused();
  await page.route(cancelCall, () => {});
  await cancel.click();
  await see(page.getByText('Libero i tuoi posti…')).toBeVisible();
  await expectNoFaults(page, 'an order that is being cancelled');

  await page.goto(await asVisitor(server, `/orders/${order_id}`));
  const main = page.getByRole('main');
  await see(main).toContainText(said);
  for (const { seat } of lines) await see(main).toContainText(seat);
  await see(main.locator('section').first().locator('a, button')).toHaveText([
    'Prosegui',
    'Annulla l’ordine',
  ]);
  await main.getByRole('link', { name: 'Prosegui' }).click();
  await page.waitForURL(checkout_url, within);
  expect(at.troubles).toEqual([]);
});

test('§4: "Annulla" sends the cancel request once, waits at least 3 s and about 1 s more, both from a late answer on, then reloads the status; "Ordine annullato." has the focus, and "Riprova" discards the id', async () => {
  await using at = await startVisit({ clock: true });
  const { page, server, calls, countCalls } = at;
  const late = await makeOrder(server);
  const order = await makeOrder(server, { nth: 1 });
  await rememberOrders(page, { id: late.link_key }, { id: order.link_key });
  const overlay = overlayOf(page);
  const isDelete = (answer: { request: () => { method: () => string } }) =>
    answer.request().method() === 'DELETE';
  await page.goto(eventPage);
  await see(overlay.getByText('riservati fino alle')).toBeVisible();
  expect(await focused(page)).toEqual(['A', 'Prosegui']);
  await pauseClock(page);
  const gone = page.waitForResponse(isDelete);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(new URL((await gone).url()).pathname).toBe(
    `/api/orders/${order.link_key}/checkout_session`,
  );
  // Busy: it cannot be sent twice, and nobody is led to pay for what is being cancelled.
  await see(overlay.getByText('Libero i tuoi posti…')).toBeVisible();
  expect(await focused(page)).toEqual(['BUTTON', 'Annulla']);
  const cancel = overlay.getByRole('button', { name: 'Annulla' });
  await see(cancel).toHaveAttribute('aria-busy', 'true');
  await cancel.click({ force: true });
  await see(overlay.getByRole('link', { name: 'Prosegui' })).toHaveCount(0);
  await page.clock.runFor(3_900);
  expect([countCalls(/^DELETE/), looksSinceCancel(calls)]).toEqual([1, 0]);
  await page.clock.runFor(200);
  await expect.poll(() => looksSinceCancel(calls)).toBe(1);
  await page.clock.resume();
  await see(overlay.getByRole('heading')).toHaveText('Sessione di pagamento scaduta.');
  await expect.poll(() => focused(page)).toEqual(['P', 'Ordine annullato.']);
  await overlay.getByRole('button', { name: 'Riprova' }).click();

  // The order before is the last one now; its cancel request is answered after more than 3 s.
  await see(overlay.getByRole('link', { name: 'Prosegui' })).toHaveAttribute(
    'href',
    late.checkout_url,
  );
  const letGo = await holdCalls(page, cancelCall);
  await pauseClock(page);
  await cancel.click();
  await page.clock.runFor(20_000);
  expect(looksSinceCancel(calls)).toBe(0);
  const heard = page.waitForResponse(isDelete);
  letGo();
  await (await heard).finished();
  // The answer is known to the page only after a turn of its own.
  await see(async () => {
    await page.clock.runFor(1_000);
    expect(looksSinceCancel(calls)).toBe(1);
  }).toPass();
  await page.clock.resume();
  await overlay.getByRole('button', { name: 'Riprova' }).click(within);
  await see(overlay).toHaveCount(0);
  await expect.poll(async () => (await focused(page))[0]).toBe('MAIN');
  expect(await ordersOfTab(page)).toEqual([
    { id: late.link_key, discarded: true },
    { id: order.link_key, discarded: true },
  ]);
});

test('§4: the other states have their words and buttons; order_confirmed_at is looked at before the session; "Vedi biglietti" goes to /orders/{order_id}', async () => {
  await using at = await startVisit();
  const { page, server } = at;
  const order = await makeOrder(server);
  const { link_key: order_id } = order;
  // Moments that last no longer than a call: the rest of the answer is the server's own.
  const real = await callOk(server, orderStatus, { params: { orderId: order_id } });
  let said: object = {};
  await page.route(`**/api/orders/${order_id}/status`, (route) =>
    route.fulfill({ json: { ...real, ...said } }),
  );
  await rememberOrders(page, { id: order_id });
  await payAs(server, order);
  server.clock.advance(3_000);
  const now = new Date(server.clock.now()).toISOString();
  const over = { checkout_session_status: 'expired', checkout_url: null };
  const toTickets = ['Chiudi', 'Vedi biglietti'];
  const states: [status: object, title: string, text: number, buttons: string[]][] = [
    [over, 'Sessione di pagamento scaduta.', 0, ['Riprova']],
    [{ ...over, order_deleted_at: now }, 'Sessione di pagamento scaduta.', 1, ['Riprova']],
    [
      { checkout_session_status: 'complete', checkout_url: null },
      'Sessione di pagamento completata!',
      0,
      toTickets,
    ],
    [
      { checkout_session_status: 'open', order_confirmed_at: now },
      'Ordine confermato!',
      0,
      toTickets,
    ],
  ];
  const overlay = overlayOf(page);
  said = states[0]![0];
  await page.goto(eventPage);
  await see(overlay).toBeVisible();
  for (const [status, title, text, buttons] of states) {
    said = status;
    // It looks again when its window is looked at, unless it has just looked.
    await see(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await see(overlay.getByRole('heading')).toHaveText(title, { timeout: 1_000 });
      await see(overlay.getByText('Ordine annullato.')).toHaveCount(text, { timeout: 1_000 });
    }).toPass();
    await see(overlay.getByRole('button')).toHaveText(buttons);
    await expectNoFaults(page, JSON.stringify(status));
  }
  await overlay.getByRole('button', { name: 'Vedi biglietti' }).click();
  await page.waitForURL(`**/orders/${order_id}`);
  await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2);
  await page.goBack();
  await overlay.getByRole('button', { name: 'Chiudi' }).click(within);
  await see(overlay).toHaveCount(0);
  expect(await ordersOfTab(page)).toEqual([{ id: order_id, discarded: true }]);

  // §3, §9: a discarded order is not asked about, and one whose status does not load is not shown.
  const list = page.getByRole('button', { name: /Scegli da un elenco/ });
  const asked = at.countCalls(/\/status$/);
  await page.reload();
  await see(list).toBeVisible();
  expect(at.countCalls(/\/status$/)).toBe(asked);
  await page.evaluate(() => {
    sessionStorage['botteghino.orders.1'] = '[{"id":"un-ordine-che-non-esiste"}]';
  });
  await page.reload();
  await expect.poll(() => at.countCalls(/\/status$/), within).toBeGreaterThan(asked);
  await list.click(within);
  await see(overlay).toHaveCount(0);
  expect(at.troubles).toEqual([]);
});
