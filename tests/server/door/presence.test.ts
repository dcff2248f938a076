/** Who is inside, for the office: counted from the scans, and how much of it is not known yet. */
import { expect } from 'vitest';
import { importAdmissions } from '#server/contract/door/admissions.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { heartbeat, listPhones, pairAgain, revokePhone } from '#server/contract/door/phones.ts';
import { testOnBoth as it, testOnSqlite, testOnce as test } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import {
  pairAnew,
  phoneOf,
  statusOf,
  undoOf,
  type DoorPhone,
} from '#tests/support/door/door-phone.ts';
import { proved } from '#tests/support/door/proof.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { type TestServer } from '#tests/support/server.ts';

const readOf = (server: TestServer, admin: { cookie: string }, eventId = 'hall') =>
  callOk(server, readPresence, { params: { eventId } }, admin);
const addressOf = (eventId: string) =>
  ['GET', readPresence.path.replace(':eventId', eventId)] as const;

/** As a refund or a new binding leaves it: the ticket of this place is void, and the phones hear of it. */
async function voidTicket({ house: { ctx } }: TestServer, place: string): Promise<void> {
  const hall = ctx.db('events').where({ id: 'hall' });
  await ctx.db('tickets').where({ event_id: 'hall', place }).update({ state: 'void' });
  const { feed_seq } = await hall.clone().first();
  await hall.update({ feed_seq: feed_seq + 1 });
  await ctx
    .db('places')
    .where({ event_id: 'hall', place })
    .update({ feed_seq: feed_seq + 1 });
}

it('inside is who came in and has not gone out, without doubles and what was taken back', async (server, admin) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 2_600, phones: 2, unsoldEach: 10 });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const read = () => readOf(server, admin);
  const sold = 2_600 - 260;
  expect(await read()).toMatchObject({
    inside: 0,
    entered: 0,
    sold,
    places: 2_600,
    by_gate: [],
    unsent: 0,
    missing_scans: 0,
  });
  const began = server.clock.now() - 10 * 60_000;
  const at = (minute: number) => {
    const time = new Date(began + minute * 60_000).toISOString();
    return { scanned_at: time, corrected_at: time };
  };
  const out = { direction: 'out' as const, verdict: 'out' as const };
  // Sold ones: the first of ten is not. The last hundred places are Galleria's.
  const [p1, p2, p3, p4, p5] = hall.labels.slice(1, 6) as [string, string, string, string, string];
  const g1 = hall.labels[2_551]!;
  const undone = a.scan(p4, at(1));
  await a.send(
    a.scan(p1, at(1)),
    a.scan(p2, at(1)),
    a.scan(p3, at(1)),
    undone,
    a.scan(p5, { ...at(1), gate: null }),
    a.scan(g1, at(1)),
  );
  await b.send(
    b.scan(p1, at(5)),
    b.scan(p2, { ...at(5), ...out }),
    b.scan(p3, { ...at(5), ...out }),
    b.scan(p3, at(6)),
    b.scan(hall.labels[0]!, { ...at(2), ...out }),
  );
  await a.send(undoOf(a, undone));
  const presence = await read();
  expect(presence).toMatchObject({
    inside: 4,
    entered: 5,
    sold,
    places: 2_600,
    by_gate: [
      { name: 'Varco 1', in: 4, out: 0 },
      { name: 'Varco 2', in: 1, out: 3 },
      { name: null, in: 1, out: 0 },
    ],
    by_section: [
      { name: 'Galleria', inside: 1, entered: 1, sold: 90, places: 100 },
      { name: 'Platea', inside: 3, entered: 4, sold: sold - 90, places: 2_500 },
    ],
  });
  expect(presence.by_category).toEqual(presence.by_section);
  // What comes later changes it, an exit that arrives late too, and a ticket that is void is not sold.
  await b.send(b.scan(p5, { ...at(9), ...out }), b.scan(p1, { ...at(3), ...out }));
  await voidTicket(server, hall.labels[9]!);
  expect(await read()).toMatchObject({
    inside: 3,
    entered: 5,
    sold: sold - 1,
    by_gate: [
      { name: 'Varco 1', in: 4, out: 0 },
      { name: 'Varco 2', in: 2, out: 5 },
      { name: null, in: 1, out: 0 },
    ],
  });
  await db('events').where({ id: 'hall' }).update({ feed_epoch: 'e2' });
  expect(await read()).toMatchObject({ inside: 3, entered: 5, sold: sold - 1, places: 2_600 });
  expect(await statusOf(server, addressOf('nothing'), admin)).toBe(404);
});

it('each gate is told with the tickets that name it, and goes on with what is sold and bound anew', async (server, admin) => {
  const { db } = server.house.ctx;
  const pricing = (Platea: string) => ({
    seat_pricing: JSON.stringify([
      { category: 'Platea', ticketTypes: [], gate: Platea },
      { category: 'Galleria', ticketTypes: [], gate: 'Varco B' },
    ]),
  });
  const hall = await fillHall(db, {
    places: 2_600,
    phones: 2,
    unsoldEach: 10,
    event: pricing('Varco 1'),
  });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const gates = async () => (await readOf(server, admin)).by_gate;
  expect(await gates()).toEqual([
    { name: 'Varco 1', in: 0, out: 0, expected: 2_250 },
    { name: 'Varco B', in: 0, out: 0, expected: 90 },
  ]);
  await a.send(
    a.scan(hall.labels[1]!),
    a.scan(hall.labels[2_551]!, { gate: 'VARCO  b' }),
    a.scan(hall.labels[2]!, { gate: null }),
  );
  await b.send(b.scan(hall.labels[3]!));
  await voidTicket(server, hall.labels[9]!);
  const unbound = [{ name: 'Varco 2', in: 1, out: 0, expected: null }];
  const none = { name: null, in: 1, out: 0, expected: null };
  expect(await gates()).toEqual([
    { name: 'Varco 1', in: 1, out: 0, expected: 2_249 },
    ...unbound,
    { name: 'Varco B', in: 1, out: 0, expected: 90 },
    none,
  ]);
  await db('events')
    .where({ id: 'hall' })
    .update({ ...pricing('Varco B'), feed_epoch: 'e2' });
  expect(await gates()).toEqual([
    { name: 'Varco 1', in: 1, out: 0, expected: null },
    ...unbound,
    { name: 'Varco B', in: 1, out: 0, expected: 2_339 },
    none,
  ]);
});

test('it says which phones have not been heard, and how much more there may be', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 10, phones: 3 });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const read = () => readOf(server, admin);
  await callOk(server, heartbeat, { body: { queue_length: 18, app_version: '9.9' } }, a.headers);
  server.clock.advance(6 * 60_000);
  await b.pull();
  b.scan(hall.labels[0]!);
  await b.send(b.scan(hall.labels[1]!));
  expect(await read()).toMatchObject({
    unsent: 18,
    missing_scans: 1,
    inside: 1,
    phones: [
      { name: 'Varco 1', stale: true, queue_length: 18, app_version: '9.9' },
      { name: 'Varco 2', stale: false },
      { name: 'Varco 3', stale: true },
    ],
  });
  await callOk(server, heartbeat, { body: { queue_length: 0 } }, a.headers);
  const after = await read();
  expect([after.unsent, after.phones.map(({ stale }) => stale)]).toEqual([0, [false, false, true]]);
  expect(Date.parse(after.at) - Date.parse(after.phones[0]!.last_seen_at!)).toBeLessThan(30_000);
  await server.house.ctx.db('users').update({ role: 'door' });
  expect(await statusOf(server, addressOf('hall'), admin)).toBe(200);
  expect(await statusOf(server, addressOf('hall'))).toBe(401);
});

it('a phone that was revoked or got a new code counts as long as it holds scans that neither it nor the office has handed in, or some of its scans never came', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 10, phones: 4 });
  const [revoked, coded, holed] = [
    phoneOf(server, hall),
    phoneOf(server, hall, 1),
    phoneOf(server, hall, 2),
  ];
  const [revokedId, codedId, holedId, cleanId] = hall.phone_ids as [string, string, string, string];
  const read = () => readOf(server, admin);
  await callOk(server, heartbeat, { body: { queue_length: 2 } }, revoked.headers);
  await callOk(server, heartbeat, { body: { queue_length: 5 } }, coded.headers);
  holed.scan(hall.labels[0]!);
  await holed.send(holed.scan(hall.labels[1]!));
  for (const phoneId of [revokedId, holedId, cleanId])
    await callOk(server, revokePhone, { params: { phoneId } }, admin);
  await callOk(server, pairAgain, { params: { phoneId: codedId } }, admin);
  const before = await read();
  expect([
    before.unsent,
    before.missing_scans,
    before.phones.map(({ name, state }) => [name, state]),
  ]).toEqual([
    7,
    1,
    [
      ['Varco 1', 'revoked'],
      ['Varco 2', 'waiting'],
      ['Varco 3', 'revoked'],
    ],
  ]);
  // What it hands in at the end, or the office from its file, is no longer missing, and by then nobody needs to know it.
  await revoked.send(revoked.scan(hall.labels[2]!));
  const items = [revoked.scan(hall.labels[3]!)];
  const file = { phone_id: revokedId, wire: 4, items };
  await callOk(server, importAdmissions, { body: file }, admin);
  const { device_token } = await pairAnew(server, admin, codedId);
  const headers = { authorization: `Bearer ${device_token}` };
  await callOk(server, heartbeat, { body: { queue_length: 0 } }, headers);
  const after = await read();
  expect([after.unsent, after.phones.map(({ name, state }) => [name, state])]).toEqual([
    0,
    [
      ['Varco 2', 'paired'],
      ['Varco 3', 'revoked'],
    ],
  ]);
});

testOnSqlite(
  'a queue that was told before it was sent counts no more once it has arrived, however it comes, and never beyond the tickets',
  async (server, admin) => {
    const { db } = server.house.ctx;
    // Of ten places nine are sold.
    const hall = await fillHall(db, { places: 10, phones: 3, unsoldEach: 10 });
    const [a, b, c] = [0, 1, 2].map((nth) => phoneOf(server, hall, nth)) as [
      DoorPhone,
      DoorPhone,
      DoorPhone,
    ];
    const beat = (phone: DoorPhone, body: object) =>
      callOk(server, heartbeat, { body: { queue_length: 0, ...body } }, phone.headers);
    const figures = async () => {
      const { inside, unsent, missing_scans, most_people } = await readOf(server, admin);
      return [inside, unsent, missing_scans, most_people];
    };
    const sold = hall.labels.slice(1);
    // Six scans of an outage, two of them refused; the heartbeat is written before they arrive.
    const queued = [
      ...sold.slice(0, 4).map((place) => a.scan(place)),
      a.scan(sold[0]!, { verdict: 'already_in', counts: false }),
      a.scan(null),
    ];
    const told = { event_id: 'hall', unsent_entries: 4, heads_told: 0 };
    await beat(a, { queue_length: 6, next_seq: 6, events: [told] });
    expect(await figures()).toEqual([0, 4, 0, 4]);
    await a.send(...queued.slice(0, 3));
    expect(await figures()).toEqual([3, 3, 0, 6]);
    await a.send(...queued.slice(3));
    expect(await figures()).toEqual([4, 0, 0, 4]);
    const { items } = await callOk(server, listPhones, {}, admin);
    const ofA = items.find(({ id }) => id === hall.phone_ids[0]);
    expect(ofA).toMatchObject({ queue_length: 0, missing_scans: 0 });
    // No more guests than tickets, however many scans there are.
    await beat(b, { queue_length: 400, next_seq: 400 });
    expect(await figures()).toEqual([4, 400, 0, 9]);
    await beat(b, { queue_length: 0, next_seq: 2 });
    // Two were lost: they never arrive, and may have let two in.
    expect(await figures()).toEqual([4, 0, 2, 6]);
    // One lies on the phone because the server could not read it.
    await beat(b, { queue_length: 0, shelf_length: 1, next_seq: 2 });
    expect(await figures()).toEqual([4, 1, 1, 6]);
    // An app of before tells from its worker only how many wait.
    await c.send(c.scan(sold[7]!));
    // This one arrived while its heartbeat was on the way.
    await beat(c, { queue_length: 1, next_seq: 1 });
    expect(await figures()).toEqual([5, 1, 1, 7]);
    const late = [c.scan(sold[8]!), c.scan(null)];
    await beat(c, { queue_length: 2 });
    expect((await figures())[1]).toBe(3);
    const file = { phone_id: hall.phone_ids[2]!, wire: 5, items: late };
    await callOk(server, importAdmissions, { body: file }, admin);
    expect(await figures()).toEqual([6, 1, 1, 8]);
  },
);

testOnSqlite(
  'what waits on a phone for another event, or was lost there, does not count here',
  async (server, admin) => {
    const { db } = server.house.ctx;
    const hall = await fillHall(db, { places: 10, phones: 1 });
    const other = await fillHall(db, { places: 10, phones: 0, event_id: 'other' });
    await db('phone_events').insert({ phone_id: hall.phone_ids[0], event_id: 'other' });
    const phone = phoneOf(server, hall);
    const figures = async (eventId: string) => {
      const { unsent, missing_scans, missing_at_most } = await readOf(server, admin, eventId);
      return [unsent, missing_scans, missing_at_most];
    };
    const elsewhere = (place: string) =>
      proved(other.codes, phone.scan(place, { event_id: 'other' }));
    const scans = [phone.scan(hall.labels[0]!), elsewhere(other.labels[0]!)];
    // The third is lost between two of the other event.
    elsewhere(other.labels[1]!);
    scans.push(elsewhere(other.labels[2]!));
    await phone.send(...scans);
    const beat = async (unsent: [number, number], body: object) => {
      const events = ['hall', 'other'].map((event_id, nth) => ({
        event_id,
        unsent_entries: unsent[nth]!,
        heads_told: 0,
      }));
      await callOk(
        server,
        heartbeat,
        { body: { queue_length: 0, ...body, events } },
        phone.headers,
      );
    };
    await beat([0, 0], { next_seq: 4 });
    expect([await figures('hall'), await figures('other')]).toEqual([
      [0, 0, false],
      [0, 1, true],
    ]);
    await beat([0, 5], { queue_length: 6, next_seq: 10 });
    expect([await figures('hall'), await figures('other')]).toEqual([
      [0, 0, false],
      [5, 1, true],
    ]);
  },
);

it('what a phone had counted by hand and not sent waits once after it is paired as another one', async (server, admin) => {
  const { db } = server.house.ctx;
  const { tokens } = await fillHall(db, { places: 10, phones: 1 });
  const told = { event_id: 'hall', unsent_entries: 0, heads_told: 5 };
  const beat = (token: string) =>
    callOk(
      server,
      heartbeat,
      { body: { queue_length: 0, next_seq: 0, events: [told] } },
      { authorization: `Bearer ${token}` },
    );
  await beat(tokens[0]!);
  const again = { event_ids: ['hall'], previous_token: tokens[0]! };
  await beat((await pairAnew(server, admin, null, again)).device_token);
  expect(await readOf(server, admin)).toMatchObject({ most_people: 5, unsent_heads: 5 });
});

testOnSqlite('an area that has no section is counted under its category', async (server, admin) => {
  const { db } = server.house.ctx;
  const areas = await db('places').where({ event_id: demoEvent, kind: 'area' });
  expect(areas.length).toBeGreaterThan(0);
  await db('places').where({ event_id: demoEvent, kind: 'area' }).update({ section: null });
  const presence = await readOf(server, admin, demoEvent);
  expect(presence.by_section.reduce((sum, part) => sum + part.places, 0)).toBe(presence.places);
  expect(
    presence.by_section.find(({ name }) => name === areas[0].category)?.places,
  ).toBeGreaterThanOrEqual(areas.length);
});
