/** What a phone was not allowed to do is kept, counts nothing, and waits for the office (RULES A9). */
import { expect } from 'vitest';
import {
  admitTicket,
  listRecentAdmissions,
  type ScanSent,
} from '#server/contract/door/admissions.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import { revokePhone } from '#server/contract/door/phones.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { fillHall, type DoorHall, type HallSize } from '#tests/support/door/door-hall.ts';
import {
  admissionsIn,
  pairAnew,
  phoneOf,
  statusOf,
  undoOf,
} from '#tests/support/door/door-phone.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const hourMs = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

async function stage(server: TestServer, size: Partial<HallSize> = {}) {
  const admin = await makeAdmin(server);
  const hall = await fillHall(server.house.ctx.db, { places: 8, phones: 2, ...size });
  const params = { eventId: hall.event_id };
  return {
    admin,
    hall,
    phones: [phoneOf(server, hall), phoneOf(server, hall, 1)] as const,
    doubts: (query: { open?: '1' } = {}) => callOk(server, listDoubts, { query }, admin),
    inside: async () => (await callOk(server, readPresence, { params }, admin)).inside,
    say: (scan: ScanSent, as: 'counts' | 'counts_not') =>
      statusOf(server, ['POST', `/api/admin/doubts/${scan.admission_id}`], admin, {
        as,
        note: 'Ho chiesto',
      }),
  };
}

it('a steward’s phone does not take back another phone’s scan; a supervisor’s does, and so does the office’s word', async (server) => {
  const { hall, phones, doubts, inside, say } = await stage(server, {
    phones: 3,
    supervisors: 1,
  });
  const boss = phones[0];
  const [one, two] = [phones[1], phoneOf(server, hall, 2)];
  const [first, second] = [one.scan(hall.labels[0]!), one.scan(hall.labels[1]!)];
  const { cursor } = await one.pull();
  await one.send(first, second);
  const forged = undoOf(two, first);
  expect((await two.send(forged))[0]!.result).toBe('stored');
  expect(await inside()).toBe(2);
  expect(admissionsIn(await one.pull(cursor)).get(first.admission_id)!.undone).toBe(false);
  // The guest is still in: a copy of the ticket at the next gate is a second way in.
  const copy = two.scan(hall.labels[0]!);
  expect((await two.send(copy))[0]!.result).toBe('conflict');
  expect(await doubts({ open: '1' })).toMatchObject({
    open: 1,
    items: [
      {
        admission_id: forged.admission_id,
        doubt: 'not_its_scan',
        verdict: 'undone',
        by: 'Varco 3',
        annuls: { by: 'Varco 2' },
        settled: null,
      },
    ],
  });
  await boss.send(undoOf(boss, second));
  expect(await inside()).toBe(1);
  // The office believes the steward: now the first was taken back, and the copy is the way in.
  expect(await say(forged, 'counts')).toBe(200);
  const told = admissionsIn(await one.pull(cursor));
  expect([
    told.get(first.admission_id)!.undone,
    told.get(copy.admission_id)!.conflict_with,
  ]).toEqual([true, null]);
  expect(await inside()).toBe(1);
  expect(await doubts()).toEqual({ items: [], next_cursor: null, open: 0 });
  expect(await say(forged, 'counts')).toBe(409);
  expect(server.logged).toEqual([]);
});

test('a taking back that arrives before its scan is judged when the scan comes', async (server) => {
  const { hall, phones, doubts, inside } = await stage(server);
  const [one, two] = phones;
  const [own, others] = [one.scan(hall.labels[0]!), one.scan(hall.labels[1]!)];
  await one.send(undoOf(one, own));
  await two.send(undoOf(two, others));
  expect((await doubts()).items).toEqual([]);
  await one.send(own, others);
  expect((await doubts()).items).toMatchObject([{ doubt: 'not_its_scan', place: others.place }]);
  expect(await inside()).toBe(1);
});

it('its own scan a phone takes back for ten minutes', async (server) => {
  const { hall, phones, doubts, inside } = await stage(server);
  const [one] = phones;
  const now = Date.now();
  const scans = hall.labels.slice(0, 2).map((place) => one.scan(place, { corrected_at: at(now) }));
  await one.send(...scans);
  await one.send(
    undoOf(one, scans[0]!, { corrected_at: at(now + 600_000) }),
    undoOf(one, scans[1]!, { corrected_at: at(now + 600_001) }),
  );
  expect((await doubts()).items).toMatchObject([{ doubt: 'undone_late', place: hall.labels[1] }]);
  expect(await inside()).toBe(1);
});

/** An evening that ended two days ago and an hour. */
const end = Date.now() - 49 * hourMs;
const doors = end - 3 * hourMs;
const day = { doors_at: doors, starts_at: doors + hourMs, ends_at: end };

it('a scan counts from three hours before the doors until 48 hours after the end, by corrected time', async (server) => {
  const { hall, phones, doubts, inside, say, admin } = await stage(server, { event: day });
  const [one] = phones;
  const times = [
    ['2001-01-01T00:00:00.000Z', 'before_doors'],
    [at(doors - 3 * hourMs - 1), 'before_doors'],
    [at(doors - 3 * hourMs), null],
    [at(end + 48 * hourMs), null],
    [at(end + 48 * hourMs + 1), 'after_end'],
  ] as const;
  const scans = times.map(([corrected_at], nth) =>
    one.scan(hall.labels[nth]!, { corrected_at, scanned_at: at(doors) }),
  );
  await one.send(...scans);
  const found = new Map((await doubts()).items.map(({ place, doubt }) => [place, doubt]));
  expect(scans.map(({ place }) => found.get(place!) ?? null)).toEqual(
    times.map(([, doubt]) => doubt),
  );
  expect(await inside()).toBe(2);
  // What phones hear of is what counts and has a number of the door.
  const { db } = server.house.ctx;
  const told = db('admissions').where({ counts: 1 }).whereNotNull('feed_seq');
  const counting = [scans[2]!.admission_id, scans[3]!.admission_id];
  expect((await told.pluck('id')).toSorted()).toEqual(counting.toSorted());
  const { items } = await callOk(server, listRecentAdmissions, { query: {} }, admin);
  expect(items.filter(({ doubt, counts }) => doubt !== null && counts)).toEqual([]);
  // One that is said to count does so from when it arrived.
  expect(await say(scans[0]!, 'counts')).toBe(200);
  expect(await inside()).toBe(3);
  const row = await db('admissions').where({ id: scans[0]!.admission_id }).first();
  expect([row.counts, row.doubt, row.corrected_at]).toEqual([1, null, row.received_at]);
  expect(row.feed_seq).not.toBeNull();
});

it('neither a time that has not come nor one that the phone’s registered clock denies counts; a rehearsal has no hours', async (server) => {
  const { hall, phones, doubts } = await stage(server);
  const { db } = server.house.ctx;
  const [one, two] = phones;
  const now = server.clock.now();
  await one.send(
    one.scan(hall.labels[0]!, { corrected_at: at(now + 12 * hourMs + 60_000) }),
    one.scan(hall.labels[1]!, { scanned_at: '2001-01-01T00:00:00.000Z' }),
    one.scan(hall.labels[2]!, { corrected_at: at(now + 11 * hourMs) }),
  );
  // This one has told that its clock stands in the year 2001.
  const offset = now - Date.parse('2001-01-01T00:00:00.000Z');
  await db('phones').where({ id: hall.phone_ids[1] }).update({ clock_offset_ms: offset });
  await two.send(two.scan(hall.labels[3]!, { scanned_at: '2001-01-01T00:00:00.000Z' }));
  expect((await doubts()).items.map(({ place, doubt }) => [place, doubt]).toSorted()).toEqual([
    [hall.labels[0], 'not_yet_past'],
    [hall.labels[1], 'before_doors'],
  ]);
  await db('events').where({ id: hall.event_id }).update({ rehearsal: 1 });
  const practice = two.scan(hall.labels[4]!, { corrected_at: at(now - 500 * hourMs) });
  await two.send(practice);
  expect(await db('admissions').where({ id: practice.admission_id }).first()).toMatchObject({
    doubt: null,
    counts: 1,
  });
});

test('what a phone read before it was revoked or lost its event counts, what it writes afterwards does not', async (server) => {
  const { admin, hall, phones, doubts, inside } = await stage(server);
  const [one, two] = phones;
  const { db, now } = server.house.ctx;
  const scanNow = (phone: typeof one, place: number) =>
    phone.scan(hall.labels[place]!, { corrected_at: at(now()), scanned_at: at(now()) });
  const early = [scanNow(one, 0), scanNow(two, 1)];
  server.clock.advance(1_000);
  await callOk(server, revokePhone, { params: { phoneId: hall.phone_ids[0]! } }, admin);
  await db('phone_events')
    .where({ phone_id: hall.phone_ids[1], event_id: hall.event_id })
    .update({ ended_at: now() });
  server.clock.advance(1_000);
  await one.send(early[0], scanNow(one, 2), undoOf(one, early[0]!, { corrected_at: at(now()) }));
  await two.send(early[1], scanNow(two, 3));
  expect((await doubts()).items.map(({ place, doubt }) => [place, doubt]).toSorted()).toEqual([
    [hall.labels[0], 'phone_ended'],
    [hall.labels[2], 'phone_ended'],
    [hall.labels[3], 'event_ended'],
  ]);
  expect(await inside()).toBe(2);
});

it('a handset whose place another has taken hands in what it read, and writes nothing new that counts', async (server) => {
  const { admin, hall, phones, doubts } = await stage(server);
  const [one] = phones;
  const { ctx } = server.house;
  const early = one.scan(hall.labels[0]!, { corrected_at: at(ctx.now()) });
  server.clock.advance(1_000);
  await pairAnew(server, admin, hall.phone_ids[0]!);
  server.clock.advance(1_000);
  const late = one.scan(hall.labels[1]!, { corrected_at: at(ctx.now()) });
  await one.send(early, late);
  expect((await doubts()).items).toMatchObject([
    { admission_id: late.admission_id, doubt: 'phone_ended' },
  ]);
});

test('the office says what counts, and may think again while it does not; all of it is in the audit', async (server) => {
  const { admin, hall, phones, doubts, say } = await stage(server, { event: day });
  const { db } = server.house.ctx;
  const [one, two] = phones;
  const lateScans = lateOf(hall, one.scan);
  await one.send(...lateScans);
  const [scan] = lateScans;
  expect(await say(scan!, 'counts_not')).toBe(200);
  expect((await doubts({ open: '1' })).open).toBe(1);
  expect(
    (await doubts()).items.find(({ admission_id }) => admission_id === scan!.admission_id)!.settled,
  ).toMatchObject({ by: 'Ada', note: 'Ho chiesto' });
  // Two people answer at once: one of them has decided.
  const answers = await Promise.all([say(scan!, 'counts'), say(scan!, 'counts')]);
  expect(answers.toSorted()).toEqual([200, 409]);
  expect(await say(scan!, 'counts_not')).toBe(409);
  // From now on it is a scan like any other: a second way in with the ticket is a conflict.
  const again = two.scan(scan!.place, { corrected_at: at(end) });
  await two.send(again);
  const conflicts = await callOk(server, listConflicts, { query: {} }, admin);
  expect(conflicts.items).toHaveLength(1);
  const { id: ticketId } = await db('tickets').where({ place: scan!.place }).first();
  expect(
    (await callOk(server, admitTicket, { params: { ticketId }, body: {} }, admin)).verdict,
  ).toBe('already_in');
  expect(
    (await db('audit').where({ action: 'doubt_settled' })).map(({ detail }) => JSON.parse(detail)),
  ).toEqual([
    { as: 'counts_not', doubt: 'before_doors', note: 'Ho chiesto' },
    { as: 'counts', doubt: 'before_doors', note: 'Ho chiesto' },
  ]);
  const nobodys = ['POST', '/api/admin/doubts/nothing'] as const;
  expect(await statusOf(server, nobodys, admin, { as: 'counts' })).toBe(404);
  await db('users').update({ role: 'door' });
  expect(await say(lateScans[1]!, 'counts')).toBe(403);
  expect((await doubts()).open).toBe(1);
});

function lateOf(hall: DoorHall, scan: (place: string, changes: Partial<ScanSent>) => ScanSent) {
  const corrected_at = '2001-01-01T00:00:00.000Z';
  return hall.labels
    .slice(0, 2)
    .map((place) => scan(place, { corrected_at, scanned_at: at(doors) }));
}
