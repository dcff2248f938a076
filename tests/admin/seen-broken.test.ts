/**
 * What was once seen broken in the office and stays mended: tables on a tablet, titles longer than
 * a phone, a line that breaks, mail that went nowhere.
 */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { makeRehearsal } from '#server/contract/door/rehearsals.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { goTo, phone, see, testOffice as test } from './office.ts';

/**
 * Cells too narrow for their words, heads that run into the next one, and anything that has to be
 * pushed sideways.
 */
function crampedParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const told = (node: Element) => `${node.tagName} ${node.textContent?.trim().slice(0, 30)}`;
    const cells = [...document.querySelectorAll<HTMLElement>('main :is(td, th)')].filter(
      (cell) => cell.offsetHeight > 1 && (cell.textContent?.trim() ?? '').length > 6,
    );
    const heads = [...document.querySelectorAll<HTMLElement>('main thead th')];
    return [
      ...cells.filter((cell) => cell.offsetWidth > 1 && cell.offsetWidth < 56),
      ...heads.filter((head) => head.offsetHeight > 1 && head.scrollWidth > head.clientWidth + 1),
      ...[...document.querySelectorAll('html, main')].filter(
        (box) => box.scrollWidth > box.clientWidth,
      ),
    ].map(told);
  });
}

const tooWide = () =>
  [...document.querySelectorAll('html, main, .kit-page-panel_panel')]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.className || box.tagName);

test('each table has room for its words from a desk to a tablet, and on a phone a word longer than the screen is broken', async (office) => {
  const { server, admin } = office;
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  const { event_id } = await callOk(
    server,
    makeRehearsal,
    { body: { event_id: demoEvent } },
    admin,
  );
  await admit(one, tickets[0]!, { ago: 10 });
  await admit(two, tickets[0]!, { ago: 7 });
  await server.runDue();
  const { db } = server.house.ctx;
  const { id } = await db('orders').first('id');
  const page = await office.open('/account');
  for (const path of [
    '/events',
    '/orders',
    `/orders/${id}`,
    `/events/${demoEvent}/seats`,
    `/events/${demoEvent}/prices`,
    '/settings/mail',
    '/door/phones',
    '/door/scans',
    '/door/presence',
  ]) {
    await goTo(page, path);
    await see(page.locator('main :is(table, article)').first()).toBeVisible();
    for (const width of [1440, 1152, 1024, 768]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => crampedParts(page), { message: `${path} ${width}` }).toEqual([]);
    }
  }

  const word = 'Straordinariamenteprecipitevolissimevolmente';
  await db('events').update({ title: `La locandiera: ${word}` });
  await page.setViewportSize(phone);
  await page.reload();
  for (const path of [
    '/door/rehearsals',
    `/door/rehearsals/${event_id}`,
    '/door/conflicts',
    '/door/phones',
    `/door/scans?ticket=${tickets[0]!.ticket_id}`,
    '/door/presence',
  ]) {
    await goTo(page, path);
    await see(page.getByText(word).first()).toBeAttached();
    await expect.poll(() => page.evaluate(tooWide), { message: path }).toEqual([]);
  }
}, 120_000);

test('mail that left for nowhere is not called sent on any screen; without a line the office keeps what it has, says so, and comes back by itself', async (office) => {
  const { server } = office;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  const page = await office.open('/settings/health');
  await see(page.getByText('Non spedite: posta non configurata')).toBeVisible();
  await see(page.getByText('non è una biglietteria automatizzata')).toBeVisible();
  await see(page.getByText('SECRETS_KEY')).toBeHidden();
  await page.getByText('Dettagli tecnici').first().click();
  await see(page.getByText('SECRETS_KEY')).toBeVisible();
  await goTo(page, '/settings/mail');
  const row = page.getByRole('row').filter({ hasText: 'eva@example.it' });
  const word = 'Non spedito: posta non configurata';
  await see(row).toContainText(word);
  await goTo(page, `/orders/${order_id}`);
  await see(page.getByText(word)).toBeVisible();
  await see(page.getByText('E-mail non spedita, la posta non è configurata')).toBeVisible();
  await goTo(page, '/attention');
  await see(page.getByText('Manca il server di posta.')).toBeVisible();
  await see(page.getByText('SMTP_URL')).toBeHidden();
  await see(page.getByText('non è una biglietteria automatizzata')).toHaveCount(0);

  await goTo(page, '/orders');
  await see(row).toBeVisible();
  await page.getByRole('link', { name: 'Spettacoli' }).click();
  await see(page.getByRole('row').filter({ hasText: 'La locandiera' })).toBeVisible();
  await page.context().setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  await page.getByRole('link', { name: 'Ordini' }).first().click();
  const said = page.getByText('Senza linea dalle');
  await see(said).toBeVisible();
  await see(row).toBeVisible();
  await see(page.getByText('Aggiornamento non riuscito')).toHaveCount(0);
  // What was never seen says why it cannot come, instead of loading for ever.
  await page.getByRole('link', { name: 'Rapporti' }).click();
  await see(page.getByText('Il server non si raggiunge')).toBeVisible();
  await see(page.getByText(/Oops/)).toHaveCount(0);
  await page.context().setOffline(false);
  await see(page.getByText('Il server non si raggiunge')).toHaveCount(0);
  await see(said).toHaveCount(0);
}, 60_000);
