/** What buyers do under price rules, on a phone: a family's package, and one of three given back. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { shot } from '#tests/support/browsers/shots.ts';
import { fillCard, startVisit } from '#tests/support/browsers/start-visit.ts';
import { addressFor, demoEvent } from '#tests/support/make.ts';
import { makePaid, setPolicy } from '#tests/support/refunds.ts';
import { addRule, couple, threeForTwo } from '#tests/support/rules-in-force.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { openRow } from '#tests/support/visitor.ts';

const phone = { width: 390, height: 844 };
const family = {
  ...couple,
  name: 'Famiglia',
  parts: [
    { ticket_types: ['intero'], count: 2 },
    { ticket_types: ['ridotto'], count: 2 },
  ],
  price_cents: 8_000,
};

test('a family of four takes its package, hears of it before the fourth seat, and pays what is shown', async () => {
  await using at = await startVisit({ viewport: phone });
  const { page, server } = at;
  await addRule(server, family);
  await page.goto(eventPage);
  await openRow(page, 'C');
  const take = async (seat: number, type: RegExp) => {
    const button = page.getByRole('button', {
      name: new RegExp(`Fila C, posto ${seat},.*libero`),
    });
    await button.click(within);
    await page.getByRole('dialog').getByRole('button', { name: type }).click();
  };
  await take(1, /Intero/);
  await take(2, /Intero/);
  await take(3, /Ridotto/);
  await see(page.getByText(/^3 posti · /).first()).toBeVisible();
  await see(page.getByText(/^Con un biglietto in più paghi meno: /)).toBeVisible();
  await take(4, /Ridotto/);
  await see(page.getByText('4 posti · 80,00').first()).toBeVisible();
  await see(page.getByText(/Famiglia/).first()).toBeVisible();
  await page.locator('#selected-title').evaluate((title) => title.scrollIntoView());
  await shot(page, 'family');
  await page.locator('.event-seats-selection-summary_button').click();
  await page.waitForURL(/\/c\/pay\//, within);
  await fillCard(page);
  await page.getByRole('button', { name: /^Paga 80,00/ }).click();
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  expect(at.troubles).toEqual([]);
});

test('who gives back one of a 3x2 reads first that it gives nothing, and of two what the third leaves', async () => {
  await using at = await startVisit({ viewport: phone });
  const { page, server } = at;
  await addRule(server, threeForTwo);
  await setPolicy(server, { refund_request: 'automatic', refund_stop_days: 0 }, demoEvent);
  const places = ['Platea-B-1', 'Platea-B-2', 'Platea-B-3'];
  const order = await makePaid(server, {
    event: demoEvent,
    selected_objects: places.map((object_id) => ({ object_id, ticket_type: 'intero' })),
  });
  await page.goto(await addressFor(server, `/orders/${order.order_id}`));
  await page.getByRole('button', { name: 'Chiedi un rimborso' }).click(within);
  const tickets = page.getByRole('group', { name: 'Quali biglietti vuoi restituire?' });
  for (const box of await tickets.getByRole('checkbox').all()) await box.uncheck();
  const ask = page.getByRole('button', { name: /^Chiedi il rimborso/ });
  await tickets.getByRole('checkbox').nth(0).check();
  await see(page.getByText(/^Non viene restituito nulla\. Restano due biglietti: /)).toBeVisible();
  await see(ask).toBeDisabled();
  await shot(page, 'refund-one');
  await tickets.getByRole('checkbox').nth(1).check();
  await see(page.getByText(/^Resta un biglietto: senza 3x2 costa 32,00/)).toBeVisible();
  await ask.click();
  await page.getByRole('button', { name: 'Sì, chiedi 32,00' }).click();
  await see(page.getByText(/rimbors/i).first()).toBeVisible();
  await server.runDue();
  const { ctx } = server.house;
  expect(await ctx.db('orders').first('paid_cents', 'refunded_cents')).toEqual({
    paid_cents: 6_400,
    refunded_cents: 3_200,
  });
  expect(at.troubles).toEqual([]);
});
