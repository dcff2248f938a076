/**
 * A show with many dates: the date is chosen first, what was chosen goes along to another date,
 * a sold-out date invites to nothing, and an order of another evening can be put aside.
 */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { makeDates } from '#server/contract/shows.ts';
import {
  rememberOrders,
  startVisit,
  testVisit as it,
} from '#tests/support/browsers/start-visit.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { callOk, demoEvent, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { feeEvent } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';
import { chooseTwoSeats, openRow } from '#tests/support/visitor.ts';

const day = 86_400_000;

/** The ids of the new dates, one a day after the show's first. */
async function addDates(server: TestServer, count: number): Promise<string[]> {
  const { db } = server.house.ctx;
  const { starts_at } = await db('events').where({ id: demoEvent }).first();
  const starts = Array.from({ length: count }, (_, n) =>
    new Date(starts_at + (n + 1) * day).toISOString(),
  );
  const { made } = await callOk(
    server,
    makeDates,
    { params: { showId: demoEvent }, body: { like: demoEvent, starts } },
    await makeAdmin(server),
  );
  await db('events').where({ show_id: demoEvent }).update({ status: 'published' });
  return made;
}

test('the dates stand above the map, with what stands in the way of each; what was chosen is let go and offered again on the next date; past twelve there is a calendar; a sold-out date invites to nothing until a place is free', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  const { db } = server.house.ctx;
  const [full = '', moved = '', other = ''] = await addDates(server, 13);
  await db('places').where({ event_id: full }).update({ in_hall: 0 });
  await db('events').where({ id: moved }).update({ postponed_from: server.clock.now() });
  server.clock.advance(10_000);

  await page.goto('/');
  const card = page.getByRole('link').filter({ hasText: 'La locandiera' });
  await see(card).toContainText(/14 date dal.+ al/);
  await see(card).toContainText('1 data rinviata');
  await card.click();
  const strip = page.getByRole('navigation', { name: 'Scegli la data' });
  await see(strip.getByRole('link')).toHaveCount(12);
  await see(strip.locator('[aria-current=page]')).toHaveAttribute('href', eventPage);
  const dateOf = (id: string) => strip.locator(`a[href="/event/${id}"]`);
  await see(dateOf(full)).toContainText('Esaurito');
  await see(dateOf(full)).not.toContainText('€');
  await see(dateOf(moved)).toContainText(/da 12,00\s€.*Rinviato/);
  expect(await (await page.request.get(eventPage)).text()).toContain('aria-current="page"');

  await chooseTwoSeats(page);
  await dateOf(other).click();
  await page.waitForURL(`**/event/${other}`, within);
  const [left, right] = await strip
    .locator('[aria-current=page]')
    .evaluate((link) => [link.getBoundingClientRect().left, link.getBoundingClientRect().right]);
  expect([left! >= 0, right! <= screens[0].width]).toEqual([true, true]);
  await see(strip).toContainText('avevi scelto 2 posti in Platea');
  const chosen = page.getByRole('region', { name: 'I tuoi posti' }).getByRole('listitem');
  await see(async () => {
    await strip.getByRole('button', { name: 'Trova 2 posti in questa data' }).click();
    await see(chosen).toHaveCount(2, { timeout: 3_000 });
  }).toPass();
  await dateOf(demoEvent).click();
  await page.waitForURL(`**${eventPage}`, within);
  await openRow(page, 'C');
  await see(page.getByRole('button', { name: /Fila C, posto 1,.*libero/ })).toBeVisible();
  await see(chosen).toHaveCount(0);

  await strip.getByRole('button', { name: 'Tutte le 14 date' }).click();
  const calendar = page.getByRole('dialog', { name: 'Le date di La locandiera' });
  await see(calendar.getByRole('link')).toHaveCount(14);
  await expectNoFaults(page, 'the calendar of a show');
  await calendar.locator(`a[href="/event/${full}"]`).click();

  await page.waitForURL(`**/event/${full}`, within);
  await see(calendar).toHaveCount(0);
  await see(page.getByRole('heading', { name: 'Scegli un’altra data' })).toBeVisible();
  const map = page.getByRole('region', { name: 'Pianta dei posti' });
  await see(map).toHaveCount(0);
  await see(page.getByText(/Scegli i posti|Procedi al pagamento|Scegli per me/)).toHaveCount(0);
  await expectNoFaults(page, 'a date that is sold out');
  await db('places').where({ event_id: full }).update({ in_hall: 1 });
  server.clock.advance(10_000);
  await see(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await see(map).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(at.troubles).toEqual([]);
});

it('§4: an order of another evening names its date, and can be put aside on this page, where a bar leads back to it', async (at) => {
  const { page, server } = at;
  const { link_key, checkout_url } = await makeOrder(server);
  await rememberOrders(page, { id: link_key });
  await page.goto(`/event/${feeEvent}`);
  const overlay = page.getByRole('alertdialog');
  await see(overlay).toContainText(/La locandiera.+, ore 21:00/);
  await expectNoFaults(page, 'an open order of another evening');
  await overlay.getByRole('button', { name: 'Guarda prima questa pagina' }).click();
  await see(overlay).toHaveCount(0);
  const bar = page.getByRole('region', { name: 'Ordine in sospeso' });
  await see(bar).toContainText(/La locandiera, .+ · 21:00: 2 posti/);
  await see(bar.getByRole('link', { name: 'Prosegui' })).toHaveAttribute('href', checkout_url);
  await page.goto(eventPage);
  await see(overlay.locator('a, button')).toHaveText(['Prosegui', 'Annulla']);
  expect(at.troubles).toEqual([]);
});
