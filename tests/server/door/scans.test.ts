/** What phones hand in: whole batches, items that are nonsense, scans that take others back, files from the office; and who was first when two were. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import {
  importAdmissions,
  pullChanges,
  pullList,
  sendAdmissions,
  type ScanSent,
} from '#server/contract/door/admissions.ts';
import { revokePhone } from '#server/contract/door/phones.ts';
import { conflictsOf } from '#server/domain/door/admission.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import {
  admissionsIn,
  phoneOf,
  resultsOf,
  statusOf,
  undoOf,
} from '#tests/support/door/door-phone.ts';
import { ask, callOk } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const feedOf = async (server: TestServer) =>
  (await server.house.ctx.db('events').where({ id: 'hall' }).first('feed_seq')).feed_seq as number;

test('a batch is one step of the door’s sequence, and the same batch again is none', async (server) => {
  const hall = await fillHall(server.house.ctx.db, { places: 500, phones: 1 });
  const phone = phoneOf(server, hall);
  const items = hall.labels.map((place) => phone.scan(place));
  const before = await feedOf(server);
  expect(new Set(resultsOf(await phone.send(...items)))).toEqual(new Set(['stored']));
  expect(await feedOf(server)).toBe(before + 1);
  const rows = await server.house.ctx.db('admissions').orderBy('id');
  expect(rows).toHaveLength(500);
  expect(new Set(resultsOf(await phone.send(...items.toReversed())))).toEqual(new Set(['stored']));
  expect(await feedOf(server)).toBe(before + 1);
  expect(await server.house.ctx.db('admissions').orderBy('id')).toEqual(rows);
  expect(rows.every((row) => row.ticket_id !== null && row.means === 'code')).toBe(true);
});

it('a poison item is named, and its neighbours are stored, whatever it is called', async (server) => {
  const hall = await fillHall(server.house.ctx.db, { places: 10, phones: 1 });
  const phone = phoneOf(server, hall);
  const proto = (fields: string) => JSON.parse(`{${fields}}`) as unknown;
  const twin = phone.scan(hall.labels[3]!);
  const odd: Partial<ScanSent>[] = [
    { revision: null },
    { revision: 1.5 },
    { revision: 3_000_000_000 },
    { place: null },
    { place: null, revision: null },
    { seq: 1e300 },
    { seq: -1 },
    { scanned_at: '9999-12-31T23:59:59-12:00' },
    { corrected_at: '0000-01-01T00:00:00+12:00' },
    { corrected_at: 'ieri' },
    { gate: 'x'.repeat(101) },
    { read: 'a\u0000b' },
    { verdict: 'invalid' },
    { counts: false },
  ];
  const items: [item: unknown, result: string][] = [
    [phone.scan(hall.labels[0]!), 'stored'],
    [phone.scan('__proto__'), 'stored'],
    [phone.scan('constructor', { revision: 3 }), 'stored'],
    [proto('"__proto__":{"admission_id":"polluted-polluted"}'), 'unreadable'],
    [{ ...phone.scan(hall.labels[1]!), ...(proto('"__proto__":1') as object) }, 'stored'],
    [phone.scan(hall.labels[2]!, { admission_id: '__proto____proto__' }), 'stored'],
    [phone.scan(hall.labels[2]!, { admission_id: 'toString_toString' }), 'conflict'],
    [phone.scan(hall.labels[4]!, { admission_id: 'half\ud800-half-half-half' }), 'unreadable'],
    [phone.scan(hall.labels[4]!, { read: 'half \udc00' }), 'unreadable'],
    [phone.scan(hall.labels[4]!, { gate: 'Varco \u0000' }), 'unreadable'],
    [phone.scan(hall.labels[5]!, { revision: 4 }), 'unreadable'],
    [twin, 'stored'],
    [twin, 'stored'],
    [{ ...twin, direction: 'out', verdict: 'out' }, 'unreadable'],
    [
      phone.scan(null, {
        verdict: 'undone',
        counts: false,
        annuls: twin.admission_id,
        revision: null,
      }),
      'unreadable',
    ],
    [phone.scan(hall.labels[5]!, { annuls: twin.admission_id }), 'unreadable'],
    [phone.scan(hall.labels[5]!, { verdict: 'undone', counts: false }), 'unreadable'],
    ...odd.map((changes): [unknown, string] => [
      phone.scan(hall.labels[8]!, changes),
      'unreadable',
    ]),
    ...[[], null, 7].map((item): [unknown, string] => [item, 'unreadable']),
    ['', 'unreadable'],
    [phone.scan(hall.labels[6]!, { seq: twin.seq }), 'stored'],
    [phone.scan(hall.labels[7]!), 'stored'],
  ];
  const results = await phone.send(...items.map(([item]) => item));
  expect(results.map(({ result }, at) => [at, result])).toEqual(
    items.map(([, result], at) => [at, result]),
  );
  expect(resultsOf(await phone.send(...items.map(([item]) => item)))).toEqual(resultsOf(results));
  expect(
    await server.house.ctx
      .db('admissions')
      .whereIn('place', [hall.labels[7]!, hall.labels[6]!])
      .orderBy('place')
      .pluck('counts'),
  ).toEqual([1, 1]);
  const tooMany = { items: Array(501).fill(twin) };
  const send = ['POST', sendAdmissions.path] as const;
  expect(await statusOf(server, send, phone.headers, tooMany)).toBe(400);
  expect(server.logged).toEqual([]);
});

test('whatever a phone sends, every item has its answer and the next phone’s batch is stored', async (server) => {
  const hall = await fillHall(server.house.ctx.db, { places: 10, phones: 2 });
  const [phone, other] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const words = ['__proto__', 'constructor', 'undone', 'out', '-000001-01-01T00:00:00.000Z'];
  const odd = fc.record(
    Object.fromEntries(
      Object.entries(phone.scan(hall.labels[0]!)).map(([key, value]) => [
        key,
        fc.oneof(
          { weight: 5, arbitrary: fc.constant(value) },
          { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
          { weight: 1, arbitrary: fc.double() },
          { weight: 1, arbitrary: fc.constantFrom(...words, hall.labels[1]) },
        ),
      ]),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { maxLength: 6 }), async (items) => {
      const answer = await ask(server, 'POST', sendAdmissions.path, {
        raw: JSON.stringify({ items }),
        headers: { ...phone.headers, 'content-type': 'application/json' },
      });
      const { results } = answer.body as { results: unknown[] };
      expect([answer.status, results.length]).toEqual([200, items.length]);
    }),
    { seed: 525672283, numRuns: 40 },
  );
  const out = other.scan(hall.labels[9]!, { direction: 'out', verdict: 'out' });
  expect(resultsOf(await other.send(out))).toEqual(['stored']);
  expect((await other.pull()).places).toHaveLength(10);
  expect(server.logged).toEqual([]);
});

it('an id that names another scan does not swallow this one', async (server) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 2, phones: 2 });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const scan = a.scan(hall.labels[0]!);
  // The same one, by a phone that was paired as another meanwhile, is there already; it stays the first one's.
  for (const phone of [a, b]) expect(resultsOf(await phone.send(scan))).toEqual(['stored']);
  expect(await db('admissions').where({ id: scan.admission_id }).pluck('gate')).toEqual([
    'Varco 1',
  ]);
  const earlier = { ...scan, scanned_at: new Date(0).toISOString() };
  expect(resultsOf(await b.send(earlier))).toEqual(['unreadable']);
  const out = { ...scan, direction: 'out', verdict: 'out' };
  expect(resultsOf(await a.send(out, scan))).toEqual(['unreadable', 'stored']);
});

test('a scan is taken back by one that comes after it, with it or before it, and the next way in stands', async (server) => {
  const starts_at = server.clock.now();
  const hall = await fillHall(server.house.ctx.db, {
    places: 10,
    phones: 2,
    event: { starts_at },
  });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const { cursor } = await a.pull();
  const [after, along, ahead, kept] = hall.labels
    .slice(0, 4)
    .map((place) => a.scan(place, { corrected_at: new Date(starts_at).toISOString() })) as [
    ScanSent,
    ScanSent,
    ScanSent,
    ScanSent,
  ];
  const undoAhead = undoOf(a, ahead);
  await a.send(after, kept);
  await a.send(undoOf(a, after));
  await a.send(undoOf(a, along), along);
  await a.send(undoAhead);
  await a.send(ahead);
  const page = admissionsIn(await b.pull(cursor));
  expect([after, along, ahead, kept].map((scan) => page.get(scan.admission_id)!.undone)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(page.size).toBe(4);
  // Nobody came in by them: a later way in is no double; where nothing was taken back, it is.
  const later = [after, along, ahead, kept].map(({ place }) =>
    b.scan(place!, { corrected_at: new Date(starts_at + 10 * 60_000).toISOString() }),
  );
  expect(resultsOf(await b.send(...later))).toEqual(['stored', 'stored', 'stored', 'conflict']);
  // What made the second one a double is taken back now: the second is the admission.
  await a.send(undoOf(a, kept));
  expect((await b.send(later[3]!))[0]).toMatchObject({ result: 'stored', conflict_with: null });
  const rows = await server.house.ctx.db('admissions').where({ verdict: 'undone' });
  expect(rows).toHaveLength(4);
  expect(rows.map((row) => [row.counts, row.feed_seq, row.note])).toEqual(
    rows.map(() => [0, null, 'Letto per sbaglio']),
  );
  expect(
    (await server.house.ctx.db('admissions').where({ id: ahead.admission_id }).first()).annulled_by,
  ).toBe(undoAhead.admission_id);
});

it('a scan is taken back only at its own place and event, once, and only if it counted', async (server) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 10, phones: 1 });
  const second = await fillHall(db, {
    places: 10,
    phones: 1,
    event_id: 'second',
    event: { code_tag: 'TWO2' },
  });
  await db('phone_events').insert({ phone_id: hall.phone_ids[0], event_id: 'second' });
  const phone = phoneOf(server, hall);
  const scan = phone.scan(hall.labels[0]!);
  const refused = phone.scan(hall.labels[1]!, { verdict: 'cancelled', counts: false });
  await phone.send(scan, refused);
  const before = await feedOf(server);
  expect(
    resultsOf(
      await phone.send(
        undoOf(phone, scan, { event_id: second.event_id }),
        undoOf(phone, scan, { place: hall.labels[2]! }),
        undoOf(phone, scan, { revision: 2 }),
        undoOf(phone, refused),
        undoOf(phone, scan, { annuls: 'never-seen-before-1' }),
      ),
    ),
  ).toEqual(Array(5).fill('stored'));
  expect(await db('admissions').whereNotNull('annulled_by')).toEqual([]);
  const [first, again] = [undoOf(phone, scan), undoOf(phone, scan)];
  await phone.send(first);
  await phone.send(again);
  expect(await db('admissions').whereNotNull('annulled_by').select('id', 'annulled_by')).toEqual([
    { id: scan.admission_id, annulled_by: first.admission_id },
  ]);
  expect(await feedOf(server)).toBeGreaterThan(before);
});

test(
  'in whatever batches and order scans arrive, the same ones are doubles in the end',
  async (server) => {
    const { db } = server.house.ctx;
    const starts_at = server.clock.now();
    const hall = await fillHall(db, { places: 2, phones: 3, event: { starts_at } });
    const made = fc.record({
      phone: fc.nat(2),
      place: fc.nat(1),
      minute: fc.nat(30),
      out: fc.boolean(),
      undo: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat(4)),
        async (wishes, sizes) => {
          await db('admissions').delete();
          const phones = [0, 1, 2].map((nth) => phoneOf(server, hall, nth));
          const all = wishes.flatMap(({ phone, place, minute, out, undo }) => {
            const scan = phones[phone]!.scan(hall.labels[place]!, {
              corrected_at: new Date(starts_at + (minute - 30) * 60_000).toISOString(),
              ...(out ? { direction: 'out' as const, verdict: 'out' as const } : {}),
            });
            return [
              { phone, scan },
              ...(undo ? [{ phone, scan: undoOf(phones[phone]!, scan) }] : []),
            ];
          });
          const left = all.toSorted((x, y) => (x.scan.admission_id < y.scan.admission_id ? -1 : 1));
          while (left.length > 0) {
            const batch = left.splice(0, 1 + sizes.next().value);
            await Promise.all(
              [0, 1, 2].map((nth) =>
                phones[nth]!.send(
                  ...batch.filter(({ phone }) => phone === nth).map(({ scan }) => scan),
                ),
              ),
            );
          }
          const undone = new Set(all.flatMap(({ scan }) => scan.annuls ?? []));
          for (const place of hall.labels) {
            const scans = all
              .map(({ scan }) => scan)
              .filter((scan) => scan.place === place && scan.counts);
            const wanted = conflictsOf(
              scans.map((scan) => ({
                admission_id: scan.admission_id,
                direction: scan.direction,
                corrected_at: Date.parse(scan.corrected_at),
                undone: undone.has(scan.admission_id),
              })),
            );
            const rows = await db('admissions').where({ place, counts: 1 });
            expect(
              new Map(
                rows
                  .filter((row) => row.conflict_with !== null)
                  .map((row) => [row.id, row.conflict_with]),
              ),
            ).toEqual(wanted);
            expect(
              new Set(rows.filter((row) => row.annulled_by !== null).map((row) => row.id)),
            ).toEqual(
              new Set(scans.map((scan) => scan.admission_id).filter((id) => undone.has(id))),
            );
          }
        },
      ),
      { numRuns: 10 },
    );
    expect(server.logged).toEqual([]);
  },
  {},
);

test('the office hands in the file of a phone that nobody hears any more; twice is once', async (server, admin) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 700, phones: 2 });
  const phone = phoneOf(server, hall);
  const items = hall.labels.slice(0, 650).map((place) => phone.scan(place));
  await phone.send(items[0]);
  await callOk(server, revokePhone, { params: { phoneId: hall.phone_ids[0]! } }, admin);
  await db('phones').where({ id: hall.phone_ids[0] }).update({ token_hash: null });
  await db('phone_events').where({ phone_id: hall.phone_ids[0] }).delete();
  const body = {
    phone_id: hall.phone_ids[0]!,
    wire: 3,
    items: [...items, { broken: true }, phone.scan(hall.labels[0]!, { event_id: 'no-such-event' })],
  };
  const first = await callOk(server, importAdmissions, { body }, admin);
  expect(first).toMatchObject({ phone_name: 'Varco 1', stored: 649, known: 1, unreadable: 2 });
  expect(first.results.map(({ index }) => index)).toEqual(body.items.map((_, index) => index));
  expect(await callOk(server, importAdmissions, { body }, admin)).toMatchObject({
    stored: 0,
    known: 650,
    unreadable: 2,
  });
  expect(
    await db('admissions').where({ phone_id: hall.phone_ids[0] }).count({ n: '*' }).first(),
  ).toEqual({ n: 650 });
  expect((await db('audit').where({ action: 'scans_imported' })).length).toBe(2);
  // The file names another phone, which this one was until it was paired anew: it is the same scan. Another one under its id is not.
  const phone_id = hall.phone_ids[1]!;
  const otherwise = async (changes: object) => {
    const file = { ...body, phone_id, items: [{ ...items[5]!, ...changes }] };
    const { stored, known, unreadable } = await callOk(
      server,
      importAdmissions,
      { body: file },
      admin,
    );
    return [stored, known, unreadable];
  };
  expect(await otherwise({})).toEqual([0, 1, 0]);
  expect(await otherwise({ scanned_at: '2026-01-01T00:00:00.000Z' })).toEqual([0, 0, 1]);
  const hand = (sent: object) =>
    statusOf(server, ['POST', importAdmissions.path], admin, { ...body, ...sent });
  expect(await hand({ phone_id: 'nobody' })).toBe(404);
  await db('users').update({ role: 'door' });
  expect(await hand({})).toBe(403);
});

it('an app of whatever age hands in what it has', async (server) => {
  const hall = await fillHall(server.house.ctx.db, { places: 4, phones: 1 });
  const phone = phoneOf(server, hall);
  for (const { path } of [pullList, pullChanges])
    for (const wire of ['6', '3', '1', 'x', '']) {
      const address = `${path.replace(':eventId', hall.event_id)}?wire=${wire}`;
      const { status, body } = await ask(server, 'GET', address, { headers: phone.headers });
      const told =
        wire === '6' ? [409, { code: 'server_outdated' }] : [426, { code: 'update_required' }];
      expect([status, body]).toMatchObject(told);
    }
  // An app that makes no proofs: what it has read is kept until the office says that it counts.
  const address = `${pullList.path.replace(':eventId', hall.event_id)}?wire=4`;
  expect(await statusOf(server, ['GET', address], phone.headers)).toBe(200);
  const { code_read: _, ...old } = phone.scan(hall.labels[0]!);
  expect(Object.keys(old)).not.toContain('means');
  expect(resultsOf(await phone.send(old))).toEqual(['stored']);
  expect((await phone.pull()).admissions).toEqual([]);
  const row = await server.house.ctx.db('admissions').where({ id: old.admission_id }).first();
  expect([row.doubt, row.counts]).toEqual(['no_proof', 0]);
});
