/** A buyer changes the date on the order page: the difference is paid, both orders say it. */
import { expect as see } from 'playwright/test';
import { expect } from 'vitest';
import { makeDates } from '#server/contract/shows.ts';
import { comeBack, makePaidOrder, payAs } from '#tests/support/buyer.ts';
import { testVisit as it } from '#tests/support/browsers/start-visit.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { screens, within } from '#tests/support/visit.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const terms = { exchange: 1, exchange_until_hours: 24, exchange_fee_cents: 200 };

it('the order page says until when and for how much; the new seats cost the fee and the difference; the old tickets end when it is paid', async (at) => {
  const { page, server } = at;
  const { db } = server.house.ctx;
  const { starts_at } = await db('events').where({ id: demoEvent }).first();
  const starts = [new Date(starts_at + 86_400_000).toISOString()];
  const about = { params: { showId: demoEvent }, body: { like: demoEvent, starts } };
  const { made } = await callOk(server, makeDates, about, await makeAdmin(server));
  await db('events').where({ show_id: demoEvent }).update({ status: 'published' });
  const old = await makePaidOrder(server);
  await setPolicy(server, terms, demoEvent);
  await db('events').where({ id: made[0] }).update(terms);
  server.clock.advance(10_000);

  await page.goto(`/orders/${old.link_key}`);
  const section = page.getByRole('region', { name: 'Cambio di data' });
  await see(section).toContainText(
    /Puoi cambiare data fino al .* costa 2,00\s€ a biglietto/,
    within,
  );
  await section.getByRole('button', { name: 'Cambia data' }).click();
  await see(section).toContainText(/Valgono 64,00\s€, il cambio costa 4,00\s€/, within);
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await expectNoFaults(page, 'the choice of another date');
  }
  await section.getByRole('link').click();
  await page.waitForURL(`**/event/${made[0]}`, within);
  await see(section).toContainText(/I 2 biglietti del .* valgono 64,00\s€/, within);
  await chooseTwoSeats(page);
  await see(section).toContainText(/Costo del cambio/, within);
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await expectNoFaults(page, 'the new seats of a change of date');
  }
  await page.getByRole('button', { name: /^Cambia e paga 4,00\s€/ }).click();
  await page.waitForURL('**/standins/stripe/**', within);
  expect(await db('exchanges').first('state', 'credit_cents', 'fee_cents')).toEqual({
    state: 'open',
    credit_cents: 6_400,
    fee_cents: 400,
  });
  const states = () => db('tickets').where({ order_id: old.order_id }).pluck('state');
  expect(await states()).toEqual(['valid', 'valid']);

  const next = await db('orders').where({ event_id: made[0] }).first();
  await payAs(server, next);
  await comeBack(server, { order_id: next.id });
  expect(await states()).toEqual(['refunded', 'refunded']);
  await page.goto(`/orders/${next.link_key}`);
  await see(section).toContainText(`Presi in cambio di quelli`, within);
  await page.goto(`/orders/${old.link_key}`);
  await see(page.getByRole('heading', { name: 'Biglietti cambiati' })).toBeVisible(within);
  await see(section).toContainText(`ordine n. ${next.number}`, within);
  expect(at.troubles).toEqual([]);
});
