/** A buyer changes the date on the order page: dearer, cheaper, cancelled, and what stops it. */
import { expect as see } from 'playwright/test';
import { expect } from 'vitest';
import { makeDates } from '#server/contract/shows.ts';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import { comeBack, makePaidOrder, payAs } from '#tests/support/buyer.ts';
import { testVisit as it, type ServedVisit } from '#tests/support/browsers/start-visit.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { callOk, demoEvent, makeAdmin, type Booked } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { screens, within } from '#tests/support/visit.ts';
import { chooseSeats, chooseTwoSeats } from '#tests/support/visitor.ts';

const terms = { exchange: 1, exchange_until_hours: 24, exchange_fee_cents: 200 };
const day = 86_400_000;

interface Begun {
  old: Booked;
  /** The other date of the show. */
  other: string;
}

/** Two paid tickets, and another date of their show the day after. */
async function begin({ server }: ServedVisit, changes: Partial<typeof terms> = {}): Promise<Begun> {
  const { db } = server.house.ctx;
  const { starts_at } = await db('events').where({ id: demoEvent }).first();
  const starts = [new Date(starts_at + day).toISOString()];
  const about = { params: { showId: demoEvent }, body: { like: demoEvent, starts } };
  const { made } = await callOk(server, makeDates, about, await makeAdmin(server));
  await db('events').where({ show_id: demoEvent }).update({ status: 'published' });
  const old = await makePaidOrder(server);
  await setPolicy(server, { ...terms, ...changes }, demoEvent);
  await db('events')
    .where({ id: made[0] })
    .update({ ...terms, ...changes });
  server.clock.advance(10_000);
  return { old, other: made[0]! };
}

function sectionOf({ page }: ServedVisit) {
  return page.getByRole('region', { name: 'Cambio di data' });
}

async function look({ page }: ServedVisit, what: string): Promise<void> {
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await expectNoFaults(page, what);
  }
}

/** From the order page to the event page of the other date. */
async function toOtherDate(at: ServedVisit, { old, other }: Begun): Promise<void> {
  await at.page.goto(`/orders/${old.link_key}`);
  await sectionOf(at).getByRole('button', { name: 'Cambia data' }).click();
  await sectionOf(at)
    .getByRole('link', { name: /da 12,00/ })
    .click();
  await at.page.waitForURL(`**/event/${other}`, within);
}

function statesOf({ server }: ServedVisit, { old }: Begun): Promise<string[]> {
  return server.house.ctx.db('tickets').where({ order_id: old.order_id }).pluck('state');
}

it('the order page says until when and for how much; the new seats cost the fee and the difference; cancelled at Stripe nothing has changed; the old tickets end when it is paid', async (at) => {
  const { page, server } = at;
  const { db } = server.house.ctx;
  const begun = await begin(at);
  const { old, other } = begun;
  const section = sectionOf(at);
  await page.goto(`/orders/${old.link_key}`);
  await see(section).toContainText(
    /Puoi cambiare data fino al .* costa 2,00\s€ a biglietto/,
    within,
  );
  await section.getByRole('button', { name: 'Cambia data' }).click();
  await see(section).toContainText(/Valgono 64,00\s€, il cambio costa 4,00\s€/, within);
  await look(at, 'the choice of another date');
  await section.getByRole('link', { name: /da 12,00/ }).click();
  await page.waitForURL(`**/event/${other}`, within);
  await see(section).toContainText(/I 2 biglietti del .* valgono 64,00\s€/, within);
  await chooseTwoSeats(page);
  const account = page.getByRole('region', { name: 'Conto del cambio' });
  await see(account).toContainText(/Costo del cambio4,00\s€.*Da pagare4,00\s€/, within);
  await look(at, 'the new seats of a change of date');
  await page.getByRole('button', { name: /^Cambia e paga 4,00\s€/ }).click();
  await page.waitForURL('**/standins/stripe/**', within);
  expect(await db('exchanges').first('state', 'credit_cents', 'fee_cents')).toEqual({
    state: 'open',
    credit_cents: 6_400,
    fee_cents: 400,
  });
  expect(await statesOf(at, begun)).toEqual(['valid', 'valid']);

  const first = await db('orders').where({ event_id: other }).first();
  await page.goto(`/orders/${first.link_key}`);
  await see(page.getByText(/2 posti · 4,00\s€/)).toBeVisible(within);
  await see(section).toContainText(/Finché non paghi, i biglietti del .* valgono/, within);
  await callOk(server, cancelCheckout, { params: { orderId: first.link_key } });
  await page.reload();
  await see(section).toContainText(/Il cambio non è avvenuto: i biglietti del .* valgono/, within);
  await look(at, 'a change of date that was cancelled');

  // The tab still knows the change, so a second try sells no seats at their full price.
  await page.goto(`/event/${other}`);
  await page.getByRole('button', { name: 'Riprova' }).click();
  await chooseSeats(page, { row: 'D', seats: ['1', '2'] });
  await page.getByRole('button', { name: /^Cambia e paga 4,00\s€/ }).click();
  await page.waitForURL('**/standins/stripe/**', within);
  const next = await db('orders').where({ event_id: other, state: 'awaiting_payment' }).first();
  await payAs(server, next);
  await comeBack(server, { order_id: next.id });
  expect(await statesOf(at, begun)).toEqual(['refunded', 'refunded']);
  await page.goto(`/orders/${next.link_key}`);
  await see(section).toContainText('Al posto dei biglietti del', within);
  const { number } = await db('orders').where({ id: old.order_id }).first();
  await section.getByRole('link', { name: `Ordine n. ${number}` }).click();
  await see(page.getByRole('heading', { name: 'Biglietti cambiati' })).toBeVisible(within);
  await see(section.getByRole('link', { name: `Ordine n. ${next.number}` })).toBeVisible(within);
  await look(at, 'the order whose tickets were changed');
  expect(at.troubles).toEqual([]);
}, 300_000);

it('cheaper seats are asked about once more, with how the rest comes back; without its late part the page sells nothing', async (at) => {
  const { page } = at;
  const begun = await begin(at, { exchange_fee_cents: 0 });
  const late = /\/assets\/deal-.*\.js$/;
  await page.route(late, (route) => route.abort());
  await toOtherDate(at, begun);
  await see(page.getByRole('alert')).toContainText('Il cambio di data non si è caricato', within);
  await see(page.getByRole('button', { name: /Procedi|Paga/ })).toHaveCount(0);
  await page.unroute(late);
  await page.getByRole('button', { name: 'Riprova' }).click();
  await see(sectionOf(at)).toContainText(/valgono 64,00\s€/, within);

  await chooseSeats(page, { row: 'C', seats: ['1'] });
  const account = page.getByRole('region', { name: 'Conto del cambio' });
  await see(account).toContainText(/Ti torna32,00\s€.*Torna sul metodo con cui hai pagato/, within);
  await page.getByRole('button', { name: 'Conferma il cambio' }).click();
  const question = page.getByRole('alertdialog', { name: 'Vuoi cambiare data?' });
  await see(question).toContainText(/smettono subito di valere.*Ti torna 32,00\s€/, within);
  await look(at, 'the last question of a change of date');
  await page.keyboard.press('Escape');
  expect(await statesOf(at, begun)).toEqual(['valid', 'valid']);
  await page.getByRole('button', { name: 'Conferma il cambio' }).click();
  await question.getByRole('button', { name: 'Sì, cambia data' }).click();
  await page.waitForURL('**/orders/**', within);
  await see(sectionOf(at)).toContainText('Al posto dei biglietti del', within);
  expect(await statesOf(at, begun)).toEqual(['refunded', 'refunded']);
  expect(at.troubles).toEqual([]);
}, 300_000);

it('what stops a change of date is said: nothing left on the only other date, and the time that is over', async (at) => {
  const { page, server } = at;
  const { db } = server.house.ctx;
  const { old, other } = await begin(at);
  await db('places').where({ event_id: other }).update({ in_hall: 0 });
  await page.goto(`/orders/${old.link_key}`);
  const section = sectionOf(at);
  await section.getByRole('button', { name: 'Cambia data' }).click();
  await see(section).toContainText(/L’altra data, .*, è esaurita: .* restano validi/, within);
  const { starts_at } = await db('events').where({ id: demoEvent }).first();
  server.clock.advance(starts_at - 3_600_000 - server.clock.now());
  await page.reload();
  await see(section).toContainText('Ora puoi chiedere alla biglietteria', within);
  await see(section.getByRole('button')).toHaveCount(0);
}, 180_000);
