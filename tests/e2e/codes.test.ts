/** Codes and conventions on a phone: one box, chips, the total, and a code that is used up meanwhile. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { addEventRule } from '#server/contract/price-rules.ts';
import { shot } from '#tests/support/browsers/shots.ts';
import { fillCard, startVisit } from '#tests/support/browsers/start-visit.ts';
import { callOk, demoEvent, holdSeats, makeAdmin } from '#tests/support/make.ts';
import { bookedWith, countsOf, counts, makeCode } from '#tests/support/price-codes.ts';
import { typedCode, typedConvention } from '#tests/support/typed-rules.ts';
import { eventPage } from '#tests/support/visit.ts';
import { chooseSeats, pressPay } from '#tests/support/visitor.ts';

const phone = { width: 390, height: 844 };
const under26 = { spelling: 'UNDER26', rule: typedCode({ percent: 10 }) };
const chips = (page: Page) => page.getByRole('list', { name: 'I tuoi codici' });
const pay = (page: Page) => page.locator('.event-seats-selection-summary_button');
const seats = { row: 'C', seats: ['1', '2'] };

async function payAtStripe(page: Page, button: RegExp) {
  await fillCard(page);
  await page.getByRole('button', { name: button }).click();
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
}

test('a code from a link stands as a chip, lowers what is shown and paid, and a wrong one is said', async () => {
  await using at = await startVisit({ viewport: phone });
  const { page, server } = at;
  const { code_id } = await makeCode(server, await makeAdmin(server), under26);
  await page.goto(`${eventPage}?code=under-26`);
  const chip = chips(page).getByRole('listitem');
  await see(chip).toContainText('UNDER26 · 10 % in meno');
  await page.getByText('Hai un altro codice?').click();
  const field = page.getByLabel('Scrivi il codice');
  await field.fill('sbagliato');
  await field.press('Enter');
  await see(page.getByText('Questo codice qui non vale')).toBeVisible();
  await shot(page, 'code-box');
  await chooseSeats(page, seats);
  await see(page.getByText('2 posti · 57,60').first()).toBeVisible();
  await see(page.locator('s', { hasText: '32,00' })).toHaveCount(2);
  await see(page.getByText('Under 26: 10 % in meno')).toHaveCount(2);
  await chip.getByRole('button', { name: 'Togli il codice UNDER26' }).click();
  await see(page.getByText('2 posti · 64,00').first()).toBeVisible();
  await field.fill('Under 26');
  await see(async () => {
    await field.press('Enter', { timeout: 1_000 });
    await see(chip).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await page.reload();
  await see(chip).toHaveText(/UNDER26/);
  await see(page.getByText('2 posti · 57,60').first()).toBeVisible();
  await page.locator('#selected-title').evaluate((title) => title.scrollIntoView());
  await shot(page, 'code-cart');
  await pressPay(page);
  await payAtStripe(page, /^Paga 57,60/);
  await see(page.getByText('Intero, Under 26').first()).toBeVisible();
  await page.getByText('Intero, Under 26').first().scrollIntoViewIfNeeded();
  await shot(page, 'code-order');
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  expect(at.alerts).toEqual([]);
});

test('a code that is used up while seats are in the cart goes, with the new total, and the next press pays it', async () => {
  await using at = await startVisit({ viewport: phone });
  const { page, server } = at;
  const { code_id } = await makeCode(server, await makeAdmin(server), {
    ...under26,
    most_orders: 1,
  });
  await page.goto(`${eventPage}?code=UNDER26`);
  await chooseSeats(page, seats);
  await see(page.getByText('2 posti · 57,60').first()).toBeVisible();
  await bookedWith(server, await holdSeats(server), { codes: ['UNDER26'] });
  await pay(page).click();
  await see(
    page.getByText(/UNDER26: Questo codice è già stato usato .* Il totale ora è 64,00/),
  ).toBeVisible();
  await see(chips(page).getByRole('listitem')).toHaveCount(0);
  await shot(page, 'code-used-up');
  await see(pay(page)).toHaveText(/Paga 64,00/);
  await pressPay(page);
  await see(page.getByRole('button', { name: /^Paga 64,00/ })).toBeVisible();
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  expect(at.alerts).toEqual([]);
});

test('a convention is chosen by name, and its card stands on the page and on the order', async () => {
  await using at = await startVisit({ viewport: phone });
  const { page, server } = at;
  const admin = await makeAdmin(server);
  const params = { eventId: demoEvent };
  await callOk(server, addEventRule, { params, body: typedConvention() }, admin);
  await page.goto(eventPage);
  await chooseSeats(page, seats);
  await page
    .getByLabel('Hai una convenzione?')
    .selectOption({ label: 'Soci FAI · 3,00 € in meno' });
  await see(page.getByText('Alla porta mostra la tessera: Soci FAI.')).toBeVisible();
  await see(page.getByText('2 posti · 58,00').first()).toBeVisible();
  await see(page.getByText('Soci FAI: 3,00 € in meno, mostra la tessera')).toHaveCount(2);
  await shot(page, 'convention');
  await pressPay(page);
  await payAtStripe(page, /^Paga 58,00/);
  await see(page.getByText(/Intero, Soci FAI/).first()).toBeVisible();
  expect(at.alerts).toEqual([]);
});

test('a code that is counted by address asks for the mail beside it, before anything is booked', async () => {
  await using at = await startVisit({ viewport: phone });
  const { page, server } = at;
  const { code_id } = await makeCode(server, await makeAdmin(server), {
    ...under26,
    most_orders_an_address: 1,
  });
  await page.goto(`${eventPage}?code=UNDER26`);
  await chooseSeats(page, seats);
  await see(page.getByText('2 posti · 57,60').first()).toBeVisible();
  await pay(page).click();
  await see(page.getByText('Per il tuo codice serve la tua e-mail')).toBeVisible();
  await see(page.getByLabel('La tua e-mail')).toBeFocused();
  await page.getByLabel('La tua e-mail').fill('eva@example.it');
  await shot(page, 'code-address');
  await pressPay(page);
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  expect(at.alerts).toEqual([]);
});
