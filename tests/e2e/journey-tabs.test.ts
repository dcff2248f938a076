/** One visitor with two tabs of the same event: his own seats in both, and after a purchase in one the other tells the truth. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { eventPage } from '#tests/support/visit.ts';
import { chooseSeats, chooseTwoSeats, openRow, pressPay } from '#tests/support/visitor.ts';

const chosen = (page: Page) =>
  page.getByRole('region', { name: 'I tuoi posti' }).getByRole('listitem');
const seat = (page: Page, number: string, state: string) =>
  page.getByRole('button', { name: new RegExp(`Fila C, posto ${number},.*${state}`) });
const pay = (page: Page) => page.locator('.event-seats-selection-summary_button').click();

/** As "Duplica scheda" does: the new tab gets a copy of what the old one remembers. */
async function duplicate(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.evaluate(() => {
    window.open(location.href);
  });
  const copy = await opened;
  copy.on('dialog', (dialog) => {
    void dialog.accept();
  });
  await see(chosen(copy)).toHaveText([/posto 1/, /posto 2/]);
  return copy;
}

test('a second tab of one’s own is a visitor of its own, which buys other seats; a duplicated tab has the same seats: bought in one, they are gone from the other, which sends nothing', async (at) => {
  const { page } = at;
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  const copy = await duplicate(page);
  await see(chosen(page)).toHaveCount(2);
  await openRow(copy, 'C');
  await see(seat(copy, '1', 'scelto')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(eventPage);
  await chooseSeats(other, { row: 'C', seats: ['3', '4'] });
  await see(seat(other, '1', 'libero')).toHaveCount(0);
  await see(seat(page, '3', 'occupato')).toBeVisible();
  for (const tab of [page, copy, other]) await see(chosen(tab)).toHaveCount(2);

  await pressPay(page);
  await see(chosen(copy)).toHaveCount(0);
  await see(seat(copy, '1', 'occupato')).toBeVisible();
  await see(copy.getByText('Nessun posto scelto')).toBeVisible();
  await see(copy.getByRole('region', { name: 'I tuoi posti' })).toContainText(
    'I posti che avevi scelto sono stati appena prenotati: forse in un’altra scheda.',
  );
  const sent: string[] = [];
  copy.on('request', (request) => {
    if (request.url().endsWith('/book')) sent.push(request.url());
  });
  const said = copy.waitForEvent('dialog');
  await pay(copy);
  expect((await said).message()).toBe('Seleziona prima i posti...');
  expect(sent).toEqual([]);

  await see(other.getByRole('alertdialog')).toHaveCount(0);
  await see(chosen(other)).toHaveText([/posto 3/, /posto 4/]);
  await pressPay(other);
  const waiting = await at.server.house.ctx.db('orders').where({ state: 'awaiting_payment' });
  expect(waiting).toHaveLength(2);
});
