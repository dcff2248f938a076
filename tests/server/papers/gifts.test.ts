/** The meter of gifts counts what was paid, by the sectors of the event or of its show. */
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { readGifts } from '#server/contract/gifts.ts';
import { changeShow, readShow } from '#server/contract/shows.ts';
import { readEvening } from '#server/contract/summaries.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer, sellAtCounter, type Seller } from '#tests/support/counter.ts';
import { trySave } from '#tests/support/event-desk.ts';
import { aRefusal, callOk, demoEvent, findSeats, makeAdmin } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };

/** Gifts and what is allowed, by sector. */
async function metersOf(server: TestServer, admin: Seller) {
  const { sectors } = await callOk(server, readGifts, { params }, admin);
  return Object.fromEntries(sectors.map(({ name, given, allowed }) => [name, [given, allowed]]));
}

test('a gift of the till counts and is an omaggio on paper; a paid and a voided ticket do not', async (server) => {
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const { Platea: before } = await metersOf(server, admin);
  await makePaidOrder(server, { email: 'eva@example.it' }, { count: 1 });
  const seats = await findSeats(server, { count: 2 });
  await sellAtCounter(server, admin, { seats, gift: { reason: 'Rassegna stampa' } });
  expect((await metersOf(server, admin))['Platea']).toEqual([2, before![1]]);
  const { categories } = await callOk(server, readEvening, { params }, admin);
  const kinds = categories.flatMap(({ lines }) =>
    lines.map(({ kind, tickets }) => [kind, tickets]),
  );
  expect(kinds).toEqual([
    ['full', 1],
    ['free', 2],
  ]);
  await server.house.ctx.db('tickets').where({ price_cents: 0 }).update({ state: 'void' });
  expect((await metersOf(server, admin))['Platea']).toEqual([0, before![1]]);
});

test('a show joins sectors for its dates and leaves types out; a category stands in one of them', async (server) => {
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const seats = await findSeats(server, { count: 1 });
  await sellAtCounter(server, admin, {
    seats,
    expected_cents: 3_200,
    gift: { reason: 'Compagnia' },
  });
  const alone = await metersOf(server, admin);
  const event = await callOk(server, readEvent, { params }, admin);
  expect(event.form.gift_terms).toBeNull();
  const sectors = [{ name: 'Sala', categories: ['Platea', 'Palchi'] }];
  const show = { showId: event.show_id! };
  const { version, form, dates } = await callOk(server, readShow, { params: show }, admin);
  const gift_terms = { sectors, not_counted: ['omaggio'] };
  const body = { version, dates, form: { ...form, gift_terms } };
  await callOk(server, changeShow, { params: show, body }, admin);
  const joined = await metersOf(server, admin);
  expect(joined['Sala']![0]).toBe(1);
  expect(joined['Sala']![1]).toBeGreaterThanOrEqual(alone['Platea']![1]! + alone['Palchi']![1]!);
  expect(joined).not.toHaveProperty('Platea');
  await setPolicy(
    server,
    { gift_terms: JSON.stringify({ sectors, not_counted: ['intero'] }) },
    demoEvent,
  );
  expect((await metersOf(server, admin))['Sala']![0]).toBe(0);
  const saved = await callOk(server, readEvent, { params }, admin);
  const twice = {
    sectors: [...sectors, { name: 'Altro', categories: ['Platea'] }],
    not_counted: [],
  };
  expect(await trySave(server, admin, saved, { gift_terms: twice })).toMatchObject(
    aRefusal(400, 'bad_request'),
  );
});
