/** A guest without paper and a guest about whom the office has written: what phones know of them, with a line and without. */
import { expect, onTestFinished } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import type { FoundPlace } from '#apps/scanner/list/search.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { changeBuyer } from '#server/contract/order/order-desk.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import type { PhoneRole } from '#server/domain/door/phone.ts';
import { changeTicket, pairingToken } from '#tests/shared/door-hall.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { testOnBoth as it, testOnSqlite as test } from '#tests/support/both.ts';
import { save } from '#tests/support/event-desk.ts';
import { aRefusal, ask, callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import { makeSold, soldOf, tryMove, type Office } from '#tests/support/move.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };

async function openPhone(server: TestServer, role: PhoneRole): Promise<Core> {
  const ask = { name: role, gate: null, event_ids: [demoEvent], role };
  const token = await pairingToken(server.house.ctx, ask);
  const phone = await openNodePhone(server, { now: server.clock.now }, token);
  onTestFinished(() => phone[Symbol.dispose]());
  return phone.core;
}

/** The phones ask whether something is new. */
async function catchUp(server: TestServer, phones: readonly Core[]): Promise<void> {
  server.clock.advance(61_000);
  for (const core of phones) await core.syncOnce();
}

function found(core: Core, text: string): FoundPlace[] {
  return core.search(demoEvent, text).flatMap((one) => ('seats' in one ? one.seats : [one]));
}

const buyersOf = (core: Core, text: string) => found(core, text).map(({ buyer }) => buyer);

async function allow(
  server: TestServer,
  office: Office,
  buyer_search: 'off' | 'supervisors' | 'everybody',
): Promise<void> {
  const event = await callOk(server, readEvent, { params }, office);
  await save(server, office, event, { buyer_search });
}

it('a guest is found by the buyer’s name on the phones that the office allows it, without a line too, and is forgotten when it no longer does', async (server, office) => {
  const pair = await makeSold(server, { count: 2 });
  const order = { orderId: pair.order_id };
  const rename = (name: string) =>
    callOk(server, changeBuyer, { params: order, body: { name } }, office);
  await rename('Nicolò D’Amico Иванов');
  const [steward, boss] = [
    await openPhone(server, 'steward'),
    await openPhone(server, 'supervisor'),
  ];
  const phones = [steward, boss];
  expect(phones.map((core) => buyersOf(core, 'amico'))).toEqual([[], []]);
  expect(phones.map((core) => core.searchedBy(demoEvent))).toEqual(['seats', 'orders']);

  await allow(server, office, 'supervisors');
  await catchUp(server, phones);
  const name = 'Nicolò D’Amico Иванов';
  expect(phones.map((core) => buyersOf(core, 'damico nic'))).toEqual([[], [name, name]]);
  expect(found(steward, 'platea').some(({ buyer }) => buyer !== null)).toBe(false);
  expect(phones.map((core) => core.searchedBy(demoEvent))).toEqual(['seats', 'names']);

  await allow(server, office, 'everybody');
  await catchUp(server, phones);
  for (const core of phones) core.setNoNetwork(true);
  expect(steward.searchedBy(demoEvent)).toBe('buyers');
  for (const text of ['nicolo', "d'amico", 'DAMICO NICOLÒ', 'иван', 'amico ива'])
    expect(buyersOf(steward, text), text).toEqual([name, name]);
  // Neither two letters nor the order's number find anybody on a steward's phone.
  const [{ order_number }] = found(boss, 'damico') as [FoundPlace];
  expect([buyersOf(steward, 'ni'), found(steward, order_number!)]).toEqual([[], []]);
  expect(found(steward, 'amico')[0]).toMatchObject({ name: null, order_number: null });

  // A ticket that has ended has no buyer at the door, and a corrected name is the only one.
  for (const core of phones) core.setNoNetwork(false);
  await changeTicket(server.house.ctx, demoEvent, { place: pair.seats[1]!, state: 'refunded' });
  await rename('Carla Neri');
  await catchUp(server, phones);
  expect(phones.map((core) => [buyersOf(core, 'amico'), buyersOf(core, 'neri')])).toEqual([
    [[], ['Carla Neri']],
    [[], ['Carla Neri']],
  ]);

  await allow(server, office, 'off');
  await catchUp(server, phones);
  expect(phones.map((core) => buyersOf(core, 'neri'))).toEqual([[], []]);
  expect(phones.map((core) => core.searchedBy(demoEvent))).toEqual(['seats', 'orders']);
  const rows: { detail: string }[] = await server.house.ctx
    .db('audit')
    .where({ subject: demoEvent, action: 'event_saved' });
  expect(rows.map(({ detail }) => JSON.parse(detail).changed.buyer_search)).toEqual(
    expect.arrayContaining([
      { from: 'off', to: 'supervisors' },
      { from: 'everybody', to: 'off' },
    ]),
  );
});

test('a short text of the office and the marks of the drawing are at the door, follow the ticket, and go', async (server, office) => {
  const pair = await makeSold(server, { count: 2 });
  const { db } = server.house.ctx;
  await db('places')
    .where({ event_id: demoEvent, place: pair.seats[1]! })
    .update({ accessible: 1 });
  const path = (ticket: string) => `/api/admin/orders/${pair.order_id}/tickets/${ticket}/door-note`;
  const write = (text: string, who: Office = office, ticket = pair.tickets[0]!) =>
    ask(server, 'PUT', path(ticket), { body: { text }, headers: who });
  expect((await write('  Entra dal lato,\n  posto pronto ')).status).toBe(204);
  const core = await openPhone(server, 'steward');
  const noted = async (code: string) =>
    (await core.lookUp(demoEvent, await core.recognise(demoEvent, code))).ticket?.door_note;
  core.setNoNetwork(true);
  expect(await noted(pair.codes[0]!)).toBe('Entra dal lato, posto pronto');
  const marked = await core.lookUp(demoEvent, await core.recognise(demoEvent, pair.codes[1]!));
  expect([marked.ticket?.door_note, marked.place?.marks]).toEqual([
    undefined,
    ['posto per carrozzina'],
  ]);
  core.setNoNetwork(false);

  const free = await findSeats(server, { nth: 6 });
  expect((await tryMove(server, office, pair, free)).status).toBe(200);
  await server.runDue();
  await catchUp(server, [core]);
  const moved = await soldOf(server, pair.order_id);
  expect(await noted(moved.codes[0]!)).toBe('Entra dal lato, posto pronto');
  const { lines, timeline } = await callOk(
    server,
    readOrder,
    { params: { orderId: pair.order_id } },
    office,
  );
  expect(lines.map(({ door_note }) => door_note)).toContain('Entra dal lato, posto pronto');
  const told = timeline.find(({ action }) => action === 'door_note_written');
  expect(JSON.stringify(told)).not.toContain('Entra');

  expect((await write('')).status).toBe(204);
  await catchUp(server, [core]);
  expect(await noted(moved.codes[0]!)).toBeUndefined();
  expect((await write('x'.repeat(81))).status).toBe(400);
  expect(await write('altro', office, 'no-such')).toMatchObject(aRefusal(404, 'ticket_not_found'));
  for (const role of ['cassa', 'viewer', 'door'] as const)
    expect((await write('altro', await asRole(server, role))).status, role).toBe(403);
  await db('orders')
    .where({ id: pair.order_id })
    .update({ buyer_forgotten_at: server.clock.now() });
  expect((await write('altro')).status).toBe(410);
});
