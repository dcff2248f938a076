/** What a steward's phone says counts when it proves it (RULES A9, A12), and all that a phone read is taken back at once (A13). */
import { expect } from 'vitest';
import { insertMany } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import {
  importAdmissions,
  listRecentAdmissions,
  readAdmission,
  type ScanSent,
} from '#server/contract/door/admissions.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import { countPhoneScans, undoPhoneScans } from '#server/contract/door/phone-scans.ts';
import { revokePhone } from '#server/contract/door/phones.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import {
  beginSecretChange,
  endSecretChange,
  reissueEarlier,
} from '#server/services/event/secrets.ts';
import { inventScans, lies } from '#tests/attack/invented-scans.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { fillHall, type HallSize } from '#tests/support/door/door-hall.ts';
import { admissionsIn, phoneOf, statusOf, undoOf } from '#tests/support/door/door-phone.ts';
import { proofOf } from '#tests/support/door/proof.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

async function stage(server: TestServer, size: Partial<HallSize> = {}) {
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 12, phones: 2, ...size });
  const params = { eventId: hall.event_id };
  return {
    admin,
    db,
    hall,
    one: phoneOf(server, hall),
    two: phoneOf(server, hall, 1),
    inside: async () => (await callOk(server, readPresence, { params }, admin)).inside,
    doubts: async () =>
      Object.fromEntries(
        (await callOk(server, listDoubts, { query: {} }, admin)).items.map(({ place, doubt }) => [
          place,
          doubt,
        ]),
      ),
    rowOf: ({ admission_id }: ScanSent) => db('admissions').where({ id: admission_id }).first(),
  };
}

for (const [name, lie] of Object.entries(lies))
  it(`480 invented scans with a steward’s token let nobody in, and turn nobody away: ${name}`, async (server) => {
    const { ms: _, ...harm } = await inventScans(server, lie);
    expect(harm).toEqual({ inside: 0, sold: 8, doubts: 480, turnedAway: 0 });
    expect(server.logged).toEqual([]);
  });

it('a proof fits one scan, one event, one direction and one ticket, and a group’s the tickets of one order', async (server) => {
  const { hall, one, doubts, inside, rowOf } = await stage(server);
  // Orders of the hall: the first place alone, then two, then four.
  const [lone, left, right, ...four] = hall.labels as [string, string, string, ...string[]];
  const good = one.scan(lone);
  const other = one.scan(left);
  // A thief has a ticket of their own, and says that another one was read.
  const stolen = one.scan(four[0]!);
  stolen.code_read = proofOf(hall.codes, stolen, { place: lone, revision: 1 });
  const bad = [
    stolen,
    one.scan(four[1]!, { code_read: proofOf(hall.codes, good) }),
    one.scan(four[2]!, { code_read: null }),
  ];
  const turned = one.scan(right, { direction: 'out', verdict: 'out' });
  turned.code_read = proofOf(hall.codes, { ...turned, direction: 'in' });
  const elsewhere = one.scan(hall.labels[9]!);
  elsewhere.code_read = proofOf(hall.codes, { ...elsewhere, event_id: 'altra' });
  await one.send(good, other, ...bad, turned, elsewhere);
  expect(await doubts()).toEqual(
    Object.fromEntries([...bad, turned, elsewhere].map(({ place }) => [place, 'no_proof'])),
  );
  expect(await inside()).toBe(2);
  expect(await rowOf(good)).toMatchObject({
    code_check: 'proved',
    code_place: lone,
    code_revision: 1,
    from_file: 0,
  });

  const group = (place: string, leader: string) => {
    const scan = one.scan(place, { means: 'group' });
    return { ...scan, code_read: proofOf(hall.codes, scan, { place: leader, revision: 1 }) };
  };
  const [friend, stranger] = [group(right, left), group(hall.labels[10]!, left)];
  await one.send(friend, stranger);
  expect([(await rowOf(friend)).doubt, (await rowOf(stranger)).doubt]).toEqual([null, 'no_proof']);
  expect((await rowOf(friend)).code_place).toBe(left);
  // What a phone takes back needs no code.
  await one.send(undoOf(one, good));
  expect(await inside()).toBe(2);
});

it('after a change of secret both kinds of code prove, and what cannot be checked any more counts and says so', async (server) => {
  const { hall, one, db, doubts, inside, rowOf } = await stage(server);
  const { ctx } = server.house;
  const before = one.scan(hall.labels[0]!);
  await beginSecretChange(ctx, hall.event_id, 'user:ada');
  const event = await db('events').where({ id: hall.event_id }).first();
  expect(event.earlier_secret).toBe(hall.codes.code_secret);
  // The next ticket of a place has the new secret's code, and the earlier one's proves nothing.
  await db('places').where({ place: hall.labels[1] }).update({ issued: 2 });
  const next = one.scan(hall.labels[1]!, { revision: 2, code_read: null });
  const forged = one.scan(hall.labels[1]!, { revision: 2 });
  await one.send(before, { ...next, code_read: proofOf(event, next) }, forged);
  expect(await inside()).toBe(2);
  expect(await doubts()).toEqual({ [hall.labels[1]!]: 'no_proof' });
  expect((await rowOf(forged)).doubt).toBe('no_proof');

  server.clock.advance(60 * 3_600_000);
  expect(await endSecretChange(ctx, hall.event_id, 'user:ada')).toBe(true);
  const late = one.scan(hall.labels[2]!);
  await one.send(late);
  expect(await rowOf(late)).toMatchObject({ doubt: null, counts: 1, code_check: 'unchecked' });
});

test('in doubt is what is older than its ticket, was sold after the phone was revoked, or was never sold', async (server) => {
  const { admin, hall, db, one, two, doubts, inside } = await stage(server, { unsoldEach: 6 });
  const { now } = server.house.ctx;
  const sold = now() + 10 * minute;
  await db('tickets').whereIn('place', hall.labels.slice(1, 4)).update({ issued_at: sold });
  const at = (ms: number, changes: Partial<ScanSent> = {}) => ({
    corrected_at: iso(ms),
    scanned_at: iso(ms),
    ...changes,
  });
  server.clock.advance(15 * minute);
  // A clock whose correction was off by five minutes when it read may be wrong by as much.
  await db('phones')
    .where({ id: hall.phone_ids[1] })
    .update({ clock_offset_ms: 5 * minute });
  await one.send(
    one.scan(hall.labels[1]!, at(sold - minute)),
    one.scan(hall.labels[2]!, at(sold - minute - 1)),
    one.scan(hall.labels[6]!, at(sold)),
    // Authentic, and let in by the event's policy although no sale was known.
    one.scan(hall.labels[0]!, at(sold, { verdict: 'verify' })),
  );
  await two.send(two.scan(hall.labels[3]!, at(sold - 4 * minute)));
  expect(await doubts()).toEqual({
    [hall.labels[2]!]: 'before_ticket',
    [hall.labels[6]!]: 'not_sold',
  });
  expect(await inside()).toBe(3);

  // The phone was stolen, and who has it bought a ticket afterwards: its code is real, its time is not.
  await callOk(server, revokePhone, { params: { phoneId: hall.phone_ids[0]! } }, admin);
  const revoked = now();
  const bought = hall.labels[4]!;
  await db('tickets')
    .where({ place: bought })
    .update({ issued_at: revoked + 1_000 });
  await one.send(
    one.scan(bought, at(revoked - 10_000)),
    one.scan(hall.labels[5]!, at(revoked - 10_000)),
  );
  expect((await doubts())[bought]).toBe('phone_ended');
  expect(await inside()).toBe(4);
  const { id: ticketId } = await db('tickets').where({ place: bought }).first();
  const { verdict } = await callOk(server, readAdmission, { params: { ticketId } }, admin);
  expect(verdict).toBe('admit');
});

it('a clock that was set after the last heartbeat is told with the scans, and nonsense is not heard', async (server) => {
  const { hall, one, db, doubts, inside } = await stage(server);
  server.clock.advance(30 * minute);
  const now = server.house.ctx.now();
  await db('tickets').update({ issued_at: now });
  const wrong = iso(now - 20 * minute);
  const scans = hall.labels
    .slice(0, 3)
    .map((label) => one.scan(label, { corrected_at: wrong, scanned_at: wrong }));
  await one.sendAt(wrong, scans[0]);
  await one.sendAt('ieri', scans[1]);
  await one.send(scans[2]);
  expect(await inside()).toBe(1);
  expect(await doubts()).toEqual({
    [hall.labels[1]!]: 'before_ticket',
    [hall.labels[2]!]: 'before_ticket',
  });
});

test('no hands find more than thirty guests in ten seconds, in one request or in many; codes may come as fast as guests do', async (server) => {
  const { hall, one, two, inside, doubts } = await stage(server, { places: 120, supervisors: 1 });
  const began = Date.now();
  const found = hall.labels
    .slice(0, 34)
    .map((place, nth) =>
      one.scan(place, { means: 'search', corrected_at: iso(began + nth * 250) }),
    );
  await one.send(...found.slice(0, 20));
  for (const scan of found.slice(20)) await one.send(scan);
  expect(await doubts()).toEqual(
    Object.fromEntries(found.slice(30).map(({ place }) => [place, 'too_fast'])),
  );
  const slow = hall.labels
    .slice(40, 54)
    .map((place, nth) =>
      one.scan(place, { means: 'search', corrected_at: iso(began + 10_000 + nth * 340) }),
    );
  await one.send(...slow);
  await two.send(...hall.labels.slice(60, 110).map((place) => two.scan(place)));
  expect(await inside()).toBe(30 + 14 + 50);
});

test('everything of one phone is taken back at once: what was seen before, or nothing', async (server) => {
  const { admin, db, hall, one, two, inside } = await stage(server);
  const { now } = server.house.ctx;
  const began = now();
  const at = (nth: number) => ({ corrected_at: iso(began + nth * minute) });
  const scans = [0, 1, 2, 3].map((nth) => one.scan(hall.labels[nth]!, at(nth)));
  const invented = one.scan(hall.labels[4]!, { ...at(2), code_read: null });
  const { cursor } = await two.pull();
  await one.send(...scans, invented);
  await two.send(two.scan(hall.labels[5]!, at(2)), two.scan(hall.labels[1]!, at(3)));
  await one.send(undoOf(one, scans[2]!, at(2)));
  const phoneId = hall.phone_ids[0]!;
  const span = { from: iso(began + minute), until: iso(began + 4 * minute) };
  const ask = { params: { phoneId }, query: span };
  const seen = await callOk(server, countPhoneScans, ask, admin);
  // The second of four was taken back before, the first is out of the span.
  expect(seen).toEqual({ passages: 2, doubts: 1 });
  const address = ['POST', `/api/admin/phones/${phoneId}/scans/undo`] as const;
  const body = { ...span, ...seen, reason: 'Telefono rubato' };
  const say = (changes: object, who = admin) =>
    statusOf(server, address, who, { ...body, ...changes });
  expect(await say({ passages: 3 })).toBe(409);
  expect(await say({ until: span.from })).toBe(409);
  expect(await say({ reason: ' ' })).toBe(400);
  expect(await inside()).toBe(4);
  const elsewhere = ['POST', '/api/admin/phones/nobody/scans/undo'] as const;
  expect(await statusOf(server, elsewhere, admin, body)).toBe(404);

  const done = await callOk(server, undoPhoneScans, { params: { phoneId }, body }, admin);
  expect(done).toEqual(seen);
  // The second way in is the first one now.
  expect(await inside()).toBe(3);
  const told = admissionsIn(await two.pull(cursor));
  expect(scans.map(({ admission_id }) => told.get(admission_id)!.undone)).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(await callOk(server, countPhoneScans, ask, admin)).toEqual({ passages: 0, doubts: 0 });
  expect(await say({ passages: 0, doubts: 0 })).toBe(409);
  const rows = await db('audit').where({ action: 'phone_scans_undone' });
  expect(rows.map(({ detail }) => JSON.parse(detail) as object)).toEqual([
    { ...seen, ...span, reason: 'Telefono rubato' },
  ]);
  await db('users').update({ role: 'door' });
  expect(await say({})).toBe(403);
});

it('a file is judged like a queue, and says that it is one', async (server) => {
  const { admin, hall, one, inside } = await stage(server);
  const items = [one.scan(hall.labels[0]!), one.scan(hall.labels[1]!, { code_read: null })];
  const body = { phone_id: hall.phone_ids[0]!, wire: 4, items };
  expect(await callOk(server, importAdmissions, { body }, admin)).toMatchObject({ stored: 2 });
  await one.send(one.scan(hall.labels[3]!));
  expect(await inside()).toBe(2);
  const { items: rows } = await callOk(server, listRecentAdmissions, {}, admin);
  expect(
    rows
      .map(({ from_file, code_check, doubt }) => [from_file, code_check, doubt])
      .toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
  ).toEqual([
    [false, 'proved', null],
    [true, null, 'no_proof'],
    [true, 'proved', null],
  ]);
});

it('after an early end of a secret change the codes that are gone let nobody in', async (server) => {
  const { hall, one, inside, doubts } = await stage(server, { places: 6, unsoldEach: 3 });
  const { ctx } = server.house;
  await beginSecretChange(ctx, hall.event_id, 'cli');
  await reissueEarlier(ctx, hall.event_id, 'cli');
  expect(await endSecretChange(ctx, hall.event_id, 'cli')).toBe(true);
  await one.send(...hall.labels.map((place) => one.scan(place)));
  expect(await inside()).toBe(0);
  expect(await doubts()).toEqual(
    Object.fromEntries(hall.labels.map((place) => [place, 'no_proof'])),
  );
});

it('a revoked phone takes nothing back that the house had heard of, and no phone empties the hall', async (server) => {
  const { admin, hall, one, two, inside, doubts } = await stage(server, {
    places: 150,
    supervisors: 1,
  });
  const began = Date.now();
  const at = (nth: number) => ({ corrected_at: iso(began + nth) });
  const scans = hall.labels.slice(0, 120).map((place, nth) => two.scan(place, at(nth)));
  await two.send(...scans);
  const unsent = two.scan(hall.labels[140]!, at(1));
  server.clock.advance(minute);
  await callOk(server, revokePhone, { params: { phoneId: hall.phone_ids[1]! } }, admin);
  server.clock.advance(1);
  await two.send(undoOf(two, scans[0]!), unsent, undoOf(two, unsent));
  expect(await doubts()).toEqual({ [hall.labels[0]!]: 'phone_ended' });
  expect(await inside()).toBe(120);
  await one.send(...scans.slice(1, 110).map((scan) => undoOf(one, scan)));
  for (const scan of scans.slice(110)) await one.send(undoOf(one, scan));
  expect(await inside()).toBe(120 - 30);
});

it('by hand a file needs a consent, also in a supervisor’s name', async (server) => {
  const { admin, hall, one, inside, doubts } = await stage(server, { supervisors: 1 });
  const [sent, filed] = [0, 1].map((nth) => one.scan(hall.labels[nth]!, { means: 'search' }));
  await one.send(sent);
  const body = { phone_id: hall.phone_ids[0]!, wire: 4, items: [filed] };
  await callOk(server, importAdmissions, { body }, admin);
  expect(await inside()).toBe(1);
  expect(await doubts()).toEqual({ [hall.labels[1]!]: 'no_consent' });
});

it('a file in a supervisor’s name takes back no scan of another phone', async (server) => {
  const { admin, hall, one, two, inside } = await stage(server, { supervisors: 1 });
  const [known, later] = [two.scan(hall.labels[0]!), two.scan(hall.labels[1]!)];
  await two.send(known);
  const items = [undoOf(one, known), undoOf(one, later)];
  const body = { phone_id: hall.phone_ids[0]!, wire: 4, items };
  await callOk(server, importAdmissions, { body }, admin);
  await two.send(later);
  expect(await inside()).toBe(2);
});

it('a replaced code lets in its own place in no way, and its order as a group of an offline phone', async (server) => {
  const { db, hall, one, inside, rowOf } = await stage(server);
  const [left, right] = hall.labels.slice(1, 3) as [string, string];
  const isLeft = { event_id: hall.event_id, place: left };
  await db('tickets').where(isLeft).update({ revision: 2 });
  await db('places').where(isLeft).update({ issued: 2 });
  const group = (place: string, revision: number, read: number) => {
    const scan = one.scan(place, { means: 'group', revision });
    return { ...scan, code_read: proofOf(hall.codes, scan, { place: left, revision: read }) };
  };
  const dead = group(left, 2, 1);
  await one.send(dead, group(right, 1, 1));
  expect((await rowOf(dead)).doubt).toBe('no_proof');
  expect(await inside()).toBe(1);
});

it('a school that comes in by hand as one order is one deed', async (server) => {
  const { db, hall, one, inside } = await stage(server, { places: 180, supervisors: 1 });
  const school = hall.labels.slice(0, 40);
  const { order_id } = await db('tickets').where({ place: school[0] }).first();
  await db('tickets').whereIn('place', school).update({ order_id });
  const at = iso(Date.now());
  const byHand = (place: string) => one.scan(place, { means: 'search', corrected_at: at });
  await one.send(...school.slice(0, 35).map(byHand));
  await one.send(...school.slice(35).map(byHand));
  expect(await inside()).toBe(40);
  const orders = await db('tickets').whereNot({ order_id }).distinct().pluck('order_id');
  const firsts = orders.slice(0, 35).map(async (other: string) => {
    const { place } = await db('tickets').where({ order_id: other }).first();
    return byHand(place);
  });
  await one.send(...(await Promise.all(firsts)));
  expect(await inside()).toBe(40 + 29);
});

it('that nothing was read is said first, and the office’s word then counts from the arrival', async (server) => {
  const { admin, hall, one, doubts, rowOf } = await stage(server);
  const long = iso(Date.now() - 60 * 60 * minute);
  const scan = one.scan(hall.labels[0]!, { code_read: null, corrected_at: long });
  await one.send(scan);
  expect(await doubts()).toEqual({ [hall.labels[0]!]: 'no_proof' });
  const address = ['POST', `/api/admin/doubts/${scan.admission_id}`] as const;
  expect(await statusOf(server, address, admin, { as: 'counts', note: 'Visto' })).toBe(200);
  const row = await rowOf(scan);
  expect(row.corrected_at).toBe(row.received_at);
});

test('thousands of scans in doubt do not keep a phone’s passages from being taken back', async (server) => {
  const { admin, db, hall, one, inside, rowOf } = await stage(server);
  const invented = one.scan(hall.labels[1]!, { code_read: null });
  await one.send(one.scan(hall.labels[0]!), invented);
  const row = await rowOf(invented);
  const more = Array.from({ length: 2_000 }, (_, nth) => ({ ...row, id: `more${nth}`, seq: null }));
  for (let nth = 0; nth < more.length; nth += 500)
    await transact(db, (trx) => insertMany(trx, 'admissions', more.slice(nth, nth + 500)));
  const params = { phoneId: hall.phone_ids[0]! };
  const span = { from: iso(Date.now() - minute), until: iso(Date.now() + minute) };
  const body = { ...span, passages: 1, doubts: 2_001, reason: 'Telefono rubato' };
  expect(await callOk(server, undoPhoneScans, { params, body }, admin)).toEqual({
    passages: 1,
    doubts: 2_001,
  });
  expect(await inside()).toBe(0);
});
