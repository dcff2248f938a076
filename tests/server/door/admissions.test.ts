/** The door on the server with tickets that were sold: pairing, what a phone downloads, scans as facts, the desk, revocation. */
import { createHash } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import {
  admitTicket,
  listRecentAdmissions,
  readAdmission,
  sendAdmissions,
} from '#server/contract/door/admissions.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import {
  heartbeat,
  listPhones,
  makePhone,
  pairPhone,
  revokePhone,
} from '#server/contract/door/phones.ts';
import { hashInput } from '#server/domain/door/ticket-code.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { phoneOf, pullDoor, resultsOf, statusOf } from '#tests/support/door/door-phone.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  makePairedPhone,
  payOrder,
} from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

async function soldTickets(server: TestServer, nth = 0) {
  const order = await makeOrder(server, { nth });
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  return (await callOk(server, getOrder, { params: { orderId: order.order_id } })).tickets;
}

const hashOf = (salt: string, code: string) =>
  createHash('sha256').update(hashInput(salt, code)).digest().subarray(0, 12).toString('base64url');

it('a phone downloads every place, sold or not, and recognises a sold code by its hash alone', async (server) => {
  const [ticket] = await soldTickets(server);
  const { headers } = await makePairedPhone(server, await makeAdmin(server));
  const page = await pullDoor(server, demoEvent, headers);
  expect(page.places.length).toBeGreaterThan(450);
  const hash = hashOf(page.event.salt, ticket!.code);
  const place = page.places.find(({ hashes }) => hashes.includes(hash))!;
  expect([place.hashes.indexOf(hash), place.hashes.length, place.issued]).toEqual([0, 3, 1]);
  expect([place.ticket?.state, place.seat]).toEqual(['valid', ticket!.seat]);
  const unsold = page.places.filter(({ ticket: sold }) => sold === null);
  expect(unsold.every(({ hashes }) => hashes.length === 2)).toBe(true);
  expect(JSON.stringify(page)).not.toContain(ticket!.code);
  expect(page.other_events.map(({ title }) => title)).toEqual(['Concerto di Natale']);
  await soldTickets(server, 1);
  const { places } = await pullDoor(server, demoEvent, headers, page.cursor);
  expect(places.map(({ issued, ticket: sold }) => [issued, sold?.state])).toEqual([
    [1, 'valid'],
    [1, 'valid'],
  ]);
});

it('the same scan from ten requests at once is one admission', async (server) => {
  const hall = await fillHall(server.house.ctx.db, { places: 2, phones: 1 });
  const phone = phoneOf(server, hall);
  const scan = phone.scan(hall.labels[0]!);
  const answers = await Promise.all(Array.from({ length: 10 }, () => phone.send(scan)));
  expect(answers.flatMap(resultsOf)).toEqual(Array(10).fill('stored'));
  expect(await server.house.ctx.db('admissions').pluck('id')).toEqual([scan.admission_id]);
  expect(server.logged).toEqual([]);
});

it('the desk admits by id or by code, once, even from two desks at once', async (server) => {
  const [ticket, other] = await soldTickets(server);
  const admin = await makeAdmin(server);
  const admit = (text: string, body = {}) =>
    callOk(server, admitTicket, { params: { ticketId: text }, body }, admin);
  const read = (text: string) =>
    callOk(server, readAdmission, { params: { ticketId: text } }, admin);
  const both = await Promise.all([admit(ticket!.ticket_id), admit(ticket!.code)]);
  expect(both.map(({ verdict }) => verdict).toSorted()).toEqual(['admit', 'already_in']);
  const { ticket_id, seat } = ticket!;
  const known = { ticket_id, seat, verdict: 'already_in' };
  expect(await read(ticket!.code_for_people)).toMatchObject(known);
  expect((await admit(ticket!.code, { direction: 'out' })).verdict).toBe('out');
  expect((await admit(ticket!.code)).verdict).toBe('admit');
  const overruled = await admit(ticket!.code, { override: 'bambino rientrato' });
  expect(overruled).toMatchObject({ verdict: 'admit', counts: true });
  expect((await read(other!.ticket_id)).history).toEqual([]);
  for (const text of ['nessuno', '0'.repeat(31), 'AAAA'])
    expect(await statusOf(server, ['GET', `/api/admin/admissions/${text}`], admin)).toBe(404);
});

it('a pairing link works once and for ten minutes', async (server, admin) => {
  const make = async () => {
    const body = { name: 'Varco A', event_ids: [demoEvent] };
    const { pairing_url } = await callOk(server, makePhone, { body }, admin);
    return new URL(pairing_url).hash.replace('#pair=', '');
  };
  const pair = (token: string) => statusOf(server, ['POST', pairPhone.path], {}, { token });
  const token = await make();
  const statuses = await Promise.all([1, 2, 3].map(() => pair(token)));
  expect(statuses.toSorted()).toEqual([200, 410, 410]);
  const late = await make();
  server.clock.advance(10 * 60_000 + 1);
  expect(await pair(late)).toBe(410);
  expect(JSON.stringify(await server.house.ctx.db('phones'))).not.toContain(token);
});

it('a revoked phone gets nothing more, but may hand in its queue for a while', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 2, phones: 1 });
  const phone = phoneOf(server, hall);
  const { headers } = phone;
  const seen = async () => (await callOk(server, listPhones, {}, admin)).items[0];
  const told = { queue_length: 2, clock_offset_ms: -1500, battery: 0.5 };
  await callOk(server, heartbeat, { body: { ...told, app_version: 'x' } }, headers);
  expect(await seen()).toMatchObject({ state: 'paired', ...told, missing_scans: 0 });
  await callOk(server, revokePhone, { params: { phoneId: hall.phone_ids[0]! } }, admin);
  const list = await ask(server, 'GET', '/api/scanner/events/hall/list?wire=4', { headers });
  expect([list.status, list.body]).toMatchObject([401, { code: 'phone_revoked' }]);
  const [place] = hall.labels as [string];
  const out = phone.scan(place, { seq: 5, direction: 'out', verdict: 'out' });
  const handed = await phone.send(phone.scan(place, { seq: 0 }), out);
  expect(resultsOf(handed)).toEqual(['stored', 'stored']);
  expect(await seen()).toMatchObject({ state: 'revoked', missing_scans: 4 });
  server.clock.advance(11 * 60_000);
  const send = ['POST', sendAdmissions.path] as const;
  expect(await statusOf(server, send, headers, { items: [] })).toBe(401);
});

test('recent scans tell what was read; door staff see them, but not the order that would show all its codes', async () => {
  await using server = await startServer();
  const [ticket] = await soldTickets(server);
  const { ticket_id } = ticket!;
  const params = { ticketId: ticket_id };
  const admin = await makeAdmin(server);
  const recent = async () => (await callOk(server, listRecentAdmissions, {}, admin)).items[0]!;
  await callOk(server, admitTicket, { params, body: {} }, admin);
  const row = await recent();
  expect(row).toMatchObject({ ticket_id, seat: ticket!.seat, verdict: 'admit', by: 'Ada' });
  expect(row.order_id).toMatch(/^[\w-]{30}$/);
  await server.house.ctx.db('users').update({ role: 'door' });
  expect(await recent()).toEqual({ ...row, order_id: null });
  const { history } = await callOk(server, readAdmission, { params }, admin);
  expect(history[0]!.order_id).toBeNull();
});

test('a phone may tell its battery as finely as it likes', async () => {
  await using server = await startServer({
    database: 'postgres',
    postgresUrl: inject('postgresUrl'),
  });
  const phone = await makePairedPhone(server, await makeAdmin(server));
  for (const battery of [5e-324, 1e-50, 0.999999, 1, null])
    await callOk(server, heartbeat, { body: { queue_length: 0, battery } }, phone.headers);
  expect(server.logged).toEqual([]);
});
