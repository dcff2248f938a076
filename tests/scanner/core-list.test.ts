/** The list in the phone's memory: what a page says is found again, whole or in pieces, by code, by hand and by number. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCode, placeOf, placeOfScan, rowOf, scansOfRow } from '#apps/scanner/list/image.ts';
import {
  addOwn,
  applyRows,
  codeIn,
  emptyOwn,
  openList,
  placeIn,
  rowsBehind,
  scansIn,
} from '#apps/scanner/list/list.ts';
import { partyOf } from '#apps/scanner/scan/companions.ts';
import { readChanges, readList } from '#apps/scanner/list/page.ts';
import { countPresence } from '#apps/scanner/scan/presence.ts';
import type { DoorChanges } from '#server/contract/door/door-list.ts';
import { listedStates } from '#server/domain/door/admission.ts';
import { openBlock, TornPage } from '#server/domain/door/door-block.ts';
import type { ListedPlace } from '#server/domain/door/door-list.ts';
import { hashesOfRow } from '#tests/support/door/door-phone.ts';
import {
  blockAnswerOf,
  doorPageOf,
  listedPlace,
  listedScan,
  pageTime,
} from '#tests/support/door/door-page.ts';
import { openPaired, scriptLine } from '#tests/support/scripted-line.ts';

/** As it comes from the server. */
function blockOf(answer: ArrayBuffer) {
  return openBlock(readList(answer).block);
}

const imageOf = (page: DoorChanges) => blockOf(blockAnswerOf(page));
const bytesOf = (hash: string) => new Uint8Array(Buffer.from(hash, 'base64url'));

/** As the image gives it back, to be compared with what went in. */
function readAll(image: ReturnType<typeof imageOf>): ListedPlace[] {
  return Array.from({ length: image.count }, (_, row) => ({
    ...placeOf(image, row),
    hashes: hashesOfRow(image, row),
  }));
}

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((value) => !value.includes('\n') && value.isWellFormed());
const hash = fc
  .uint8Array({ minLength: 12, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'));
/** What most places and tickets lack. */
const marked = fc.record(
  { marks: fc.array(text, { minLength: 1, maxLength: 2 }) },
  { requiredKeys: [] },
);
const noted = fc.record({ buyer: text, door_note: text }, { requiredKeys: [] });

const plainPlace: fc.Arbitrary<ListedPlace> = fc.record({
  place: text,
  seat: text,
  section: fc.option(text),
  category: text,
  entrance: fc.option(text),
  issued: fc.integer({ min: 0, max: 9 }),
  hashes: fc.array(hash, { maxLength: 4 }),
  lost: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 9 })), {
    maxLength: 2,
  }),
  ticket: fc.option(
    fc.record({
      revision: fc.integer({ min: 1, max: 9 }),
      state: fc.constantFrom(...listedStates),
      type_label: text,
      order_group: text,
      initials: fc.option(text),
      sealed_name: fc.option(text),
      gates: fc.array(text, { maxLength: 2 }),
      name: fc.option(text),
      order_number: fc.option(text),
      reentry: fc.option(fc.boolean()),
      note: fc.option(text),
      moved_from: fc.constant([]),
    }),
  ),
});

const place = fc.tuple(plainPlace, marked, noted).map(([one, marks, note]): ListedPlace => ({
  ...one,
  ...marks,
  ticket: one.ticket && { ...one.ticket, ...note },
}));

/** Of each third place a code has ended, and every other of them was the last of a ticket with more. */
function withEnded(places: readonly ListedPlace[]): ListedPlace[] {
  const code = { why: 'resold' as const, at: pageTime, note: null, order_number: null };
  const codesAt = (n: number) =>
    [n + 1, n + 2].map((at) => ({ place: places[at % places.length]!.place, revision: at }));
  return places.map((one, n) => {
    if (n % 3 !== 0) return one;
    return { ...one, ended: [{ ...code, revision: 1, ...(n % 2 === 0 && { was: codesAt(n) }) }] };
  });
}

test('whatever a page holds is read back as it was, place by place and hash by hash', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(place, { selector: (one) => one.place, maxLength: 30 }).map(withEnded),
      (places) => {
        const unique = new Set(places.flatMap(({ hashes }) => hashes));
        const page = doorPageOf({ places });
        const image = imageOf(page);
        const hasNames = places.some(({ ticket }) => ticket !== null && ticket.name !== null);
        const hasBuyers = places.some(({ ticket }) => ticket?.buyer !== undefined);
        expect([readAll(image), image.named, image.buyers]).toEqual([places, hasNames, hasBuyers]);
        const { cursor, event, other_events } = readChanges(page);
        expect(readList(blockAnswerOf(page)).head).toMatchObject({ cursor, event, other_events });
        for (const [row, one] of places.entries()) expect(rowOf(image, one.place)).toBe(row);
        expect(rowOf(image, 'no such place anywhere')).toBe(-1);
        if (unique.size === places.flatMap(({ hashes }) => hashes).length) {
          for (const [row, { hashes }] of places.entries())
            for (const [i, one] of hashes.entries())
              expect(findCode(image, bytesOf(one))).toEqual({ row, revision: i + 1 });
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a column that a reader does not know is left out, and one that an older server did not send is empty', () => {
  const places = withEnded(Array.from({ length: 4 }, (_, n) => listedPlace(n)));
  const bytes = new Uint8Array(blockAnswerOf(doorPageOf({ places })));
  const from = Buffer.from(bytes).indexOf('"ended_was_');
  expect(from).toBeGreaterThan(0);
  for (let at = from; at >= 0; at = Buffer.from(bytes).indexOf('"ended_was_', at))
    bytes.set(Buffer.from('"later_was_'), at);
  const known = places.map(({ ended, ...one }) => ({
    ...one,
    ...(ended && { ended: ended.map((code) => ({ ...code, was: undefined })) }),
  }));
  expect(readAll(blockOf(bytes.buffer))).toEqual(known);
});

test('a code is found by all twelve bytes of its hash', () => {
  const image = imageOf(
    doorPageOf({ places: Array.from({ length: 500 }, (_, n) => listedPlace(n)) }),
  );
  const known = bytesOf(listedPlace(321).hashes[2]!);
  expect(findCode(image, known)).toEqual({ row: 321, revision: 3 });
  for (let i = 0; i < known.length; i += 1)
    expect(findCode(image, known.with(i, known[i]! ^ 1))).toBeNull();
});

test('rows behind a list in whatever order are one list with it, a later one speaks last, and all of them together are the same', () => {
  const places = Array.from({ length: 60 }, (_, n) => listedPlace(n));
  const out = listedScan(3, { admission_id: 'scan-out-of-another-1', direction: 'out', at: 1 });
  const list = openList('serata', {
    generation: 1,
    own: emptyOwn(),
    image: imageOf(doorPageOf({ places: places.slice(0, 20), admissions: [listedScan(3)] })),
  });
  applyRows(list, { places: [], admissions: [listedScan(40), out] });
  applyRows(list, { places: places.slice(20), admissions: [] });
  const refunded = listedPlace(5, { ticket: { state: 'refunded' } });
  applyRows(list, { places: [listedPlace(7, { issued: 2 }), refunded], admissions: [out] });
  const tidied = openList('serata', { generation: 1, own: emptyOwn(), image: list.image });
  applyRows(tidied, rowsBehind(list));
  for (const one of [list, tidied]) {
    expect([
      placeIn(one, places[5]!.place)?.ticket?.state,
      placeIn(one, places[7]!.place)?.issued,
      placeIn(one, places[59]!.place)?.seat,
      scansIn(one, places[3]!.place).map(({ admission_id }) => admission_id),
      scansIn(one, places[40]!.place).length,
      codeIn(one, bytesOf(listedPlace(7, { issued: 2 }).hashes[3]!)),
    ]).toEqual([
      'refunded',
      2,
      places[59]!.seat,
      [listedScan(3).admission_id, out.admission_id],
      1,
      { place: places[7]!.place, revision: 4 },
    ]);
  }
});

test('scans come in a block as they were, however many there are of one place, and those of unknown places are left out', () => {
  const scan = fc.record({
    n: fc.nat(8),
    admission_id: fc.uuid(),
    revision: fc.integer({ min: 1, max: 1e6 }),
    direction: fc.constantFrom('in' as const, 'out' as const),
    at: fc.integer({ min: -1e6, max: 4e12 }),
    gate: fc.option(text),
    phone_id: fc.option(text),
    by: text,
    conflict_with: fc.option(fc.uuid()),
    undone: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(scan, { selector: ({ admission_id }) => admission_id, maxLength: 40 }),
      (scans) => {
        const admissions = scans.map(({ n, ...rest }) => listedScan(n, rest));
        const block = blockOf(
          blockAnswerOf(
            doorPageOf({ places: Array.from({ length: 7 }, (_, n) => listedPlace(n)), admissions }),
          ),
        );
        for (let n = 0; n < 7; n += 1)
          expect(scansOfRow(block, n)).toEqual(
            admissions.filter((one) => one.place === listedPlace(n).place),
          );
        for (const one of admissions)
          expect(placeOfScan(block, one.admission_id)).toBe(
            rowOf(block, one.place) < 0 ? null : one.place,
          );
        expect(placeOfScan(block, 'no such scan')).toBeNull();
      },
    ),
    { numRuns: 60 },
  );
});

test('a block that was cut or changed is torn, or is read without a fall', () => {
  const whole = new Uint8Array(
    blockAnswerOf(
      doorPageOf({
        places: withEnded(
          Array.from({ length: 12 }, (_, n) => listedPlace(n, n === 5 ? { ticket: null } : {})),
        ),
        admissions: [
          listedScan(2),
          listedScan(2, { admission_id: 'scan-of-another-out', direction: 'out' }),
          listedScan(9),
        ],
      }),
    ),
  );
  const ends = (bytes: Uint8Array) => new Uint32Array(bytes.slice(0, 16).buffer)[3]! + 16;
  const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) });
  // Beyond the head, where not every change is noticed by JSON.
  const deep = fc.record({
    at: fc.integer({ min: ends(whole), max: whole.length - 1 }),
    to: fc.nat(255),
  });
  const read = (bytes: ArrayBuffer) => {
    try {
      const block = blockOf(bytes);
      const list = openList('serata', { generation: 1, image: block, own: emptyOwn() });
      for (const { place: name, ticket } of readAll(block)) {
        rowOf(block, name);
        scansIn(list, name);
        partyOf(list, name, {
          order_group: ticket?.order_group ?? '',
          event: { reentry: true, starts_at: 0 },
          now: 0,
        });
      }
      for (let n = 0; n < 12; n += 1)
        for (const one of listedPlace(n).hashes) codeIn(list, bytesOf(one));
      placeOfScan(block, 'scan-of-another-out');
      countPresence(list);
      return 'read';
    } catch (error) {
      if (error instanceof TornPage) return 'torn';
      throw error;
    }
  };
  expect(read(whole.slice().buffer)).toBe('read');
  fc.assert(
    fc.property(fc.nat(whole.length - 1), (length) => {
      expect(read(whole.slice(0, length).buffer)).not.toBe('read');
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(change, deep, deep), { minLength: 1, maxLength: 6 }),
      (changes) => {
        const bytes = whole.slice();
        for (const { at, to } of changes) bytes[at] = to;
        expect(['read', 'torn']).toContain(read(bytes.buffer));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('what a captive portal, a cut line or another program answers comes nowhere near the list', () => {
  const page = doorPageOf({
    places: [listedPlace(0), listedPlace(1)],
    admissions: [listedScan(0)],
  });
  expect(readChanges(page).admissions).toEqual([listedScan(0)]);
  const [place] = page.places;
  const [scan] = page.admissions;
  const torn: unknown[] = [
    null,
    1,
    '<html></html>',
    {},
    { ...page, cursor: 7 },
    { ...page, from: undefined },
    { ...page, places: undefined },
    { ...page, event: { ...page.event, salt: undefined } },
    { ...page, event: { ...page.event, wipe_at: 'soon' } },
    { ...page, places: [null] },
    { ...page, places: [{ ...place, hashes: 'AAAA' }] },
    { ...page, places: [{ ...place, ticket: { ...place!.ticket, revision: 'first' } }] },
    { ...page, admissions: [{ ...scan, at: 'soon' }] },
    { ...page, admissions: [{ ...scan, direction: 'through' }] },
    { ...page, other_events: 'none' },
  ];
  for (const answer of torn)
    expect(() => readChanges(answer), JSON.stringify(answer)).toThrow(TornPage);
  for (const text of ['', 'BTG', 'BTG2', '<html></html>', JSON.stringify(page)])
    expect(() => readList(new TextEncoder().encode(text).buffer), text).toThrow(TornPage);
});

test('a ticket that has moved and was let in by both its codes is one guest, for whole lists and for what is heard later', () => {
  const places = [listedPlace(0), listedPlace(1), listedPlace(2)];
  const first = listedScan(0, { direction: 'in' });
  const against = (n: number) =>
    listedScan(n, { direction: 'in', conflict_with: first.admission_id });
  const list = openList('serata', {
    generation: 1,
    own: emptyOwn(),
    image: imageOf(doorPageOf({ places, admissions: [first, against(1)] })),
  });
  expect(countPresence(list)).toMatchObject({ inside: 1, entered: 1 });
  applyRows(list, { places: [], admissions: [against(2)] });
  expect(countPresence(list)).toMatchObject({ inside: 1, entered: 1 });
  // A person finds that the first was a mistake: then the second stands against nobody.
  applyRows(list, {
    places: [],
    admissions: [
      { ...first, undone: true },
      { ...against(1), conflict_with: null },
    ],
  });
  expect(countPresence(list)).toMatchObject({ inside: 1, entered: 1 });
});

test('presence that is counted on from scan to scan is what a count of everything gives', () => {
  const scanned = fc.record({
    n: fc.nat(19),
    id: fc.nat(30),
    direction: fc.constantFrom('in' as const, 'out' as const),
    at: fc.nat(1_000),
    undone: fc.boolean(),
    gate: fc.constantFrom('A', null),
    // Of another place: its ticket has moved.
    conflict_with: fc.constantFrom(null, null, 'scan-of-row-99-1'),
  });
  // A scan is heard again with another hour, but never of another code.
  const scan = scanned.map((one) => ({ ...one, revision: [1, 2, 7][one.id % 3]! }));
  const step = fc.oneof(
    fc.record({ kind: fc.constant('heard' as const), scan }),
    fc.record({ kind: fc.constant('own' as const), scan, annuls: fc.option(fc.nat(30)) }),
    fc.record({
      kind: fc.constant('place' as const),
      n: fc.nat(24),
      state: fc.constantFrom(...listedStates),
      issued: fc.constantFrom(1, 2),
      gates: fc.subarray(['A', 'B']),
      former: fc.boolean(),
    }),
  );
  // An earlier ticket of the place had the next place's seventh code.
  const formerOf = (n: number) => ({
    ended: [
      {
        revision: 1,
        why: 'resold' as const,
        at: pageTime,
        note: null,
        order_number: null,
        was: [{ place: listedPlace(n + 1).place, revision: 7 }],
      },
    ],
  });
  fc.assert(
    fc.property(
      fc.array(scan, { maxLength: 12 }),
      fc.array(step, { maxLength: 25 }),
      (before, steps) => {
        const listed = ({ n, id, ...rest }: (typeof before)[number]) =>
          listedScan(n, { ...rest, admission_id: `scan-of-row-${n}-${id}` });
        const own = emptyOwn();
        const list = openList('serata', {
          generation: 1,
          own,
          image: imageOf(
            doorPageOf({
              places: Array.from({ length: 20 }, (_, n) => ({
                ...listedPlace(n, {
                  issued: n % 5 === 0 ? 2 : 1,
                  ticket: { gates: n % 3 === 0 ? ['A'] : [] },
                }),
                ...(n % 5 === 0 && formerOf(n)),
              })),
              admissions: [
                ...new Map(before.map((one) => [`${one.n}-${one.id}`, listed(one)])).values(),
              ],
            }),
          ),
        });
        countPresence(list);
        for (const one of steps) {
          if (one.kind === 'heard') applyRows(list, { places: [], admissions: [listed(one.scan)] });
          else if (one.kind === 'place')
            applyRows(list, {
              places: [
                {
                  ...listedPlace(one.n, {
                    issued: one.issued,
                    ticket: { state: one.state, gates: one.gates },
                  }),
                  ...(one.issued === 2 && one.former && formerOf(one.n)),
                },
              ],
              admissions: [],
            });
          else {
            const { n, id, at, direction, gate, revision } = one.scan;
            addOwn(
              own,
              {
                admission_id: `scan-of-row-${n}-${id}`,
                phone_id: 'p1',
                seq: 0,
                event_id: 'serata',
                place: listedPlace(n).place,
                revision,
                read: null,
                direction,
                gate,
                verdict: one.annuls === null ? 'admit' : 'undone',
                counts: one.annuls === null,
                override: null,
                scanned_at: at,
                corrected_at: at,
                offline: true,
                means: 'code',
                note: null,
                annuls: one.annuls === null ? null : `scan-of-row-${n}-${one.annuls}`,
                fate: 'queued',
                answered_at: null,
                seat: null,
              },
              list,
            );
          }
          const sorted = (count: ReturnType<typeof countPresence>) => ({
            ...count,
            by_section: count.by_section.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
          });
          const { by_section, places } = countPresence(list);
          // An area without a section is counted, too.
          if (by_section.length > 0)
            expect(by_section.reduce((sum, part) => sum + part.places, 0)).toBe(places);
          expect(sorted(countPresence(list))).toEqual(
            sorted(countPresence({ ...list, dirty: new Set() })),
          );
        }
      },
    ),
    { numRuns: 80 },
  );
});

test('a gate is told with the tickets that name it, however a phone spells it; where none does, nothing is expected', () => {
  const places = Array.from({ length: 6 }, (_, n) =>
    listedPlace(n, {
      ticket:
        n === 5
          ? null
          : n === 4
            ? { state: 'void', gates: ['Varco A'] }
            : { gates: n === 3 ? [] : ['Varco A'] },
    }),
  );
  const admissions = [
    listedScan(0, { gate: 'VARCO  a' }),
    listedScan(1, { gate: 'Varco 1' }),
    listedScan(3, { gate: null }),
  ];
  const list = openList('serata', {
    generation: 1,
    own: emptyOwn(),
    image: imageOf(doorPageOf({ places, admissions })),
  });
  const others = [{ name: 'Varco 1', in: 1, out: 0, expected: null }];
  const last = [{ name: null, in: 1, out: 0, expected: null }];
  expect(countPresence(list).by_gate).toEqual([
    ...others,
    { name: 'Varco A', in: 1, out: 0, expected: 3 },
    ...last,
  ]);
  applyRows(list, { places: [listedPlace(2, { ticket: { gates: ['Varco B'] } })], admissions: [] });
  expect(countPresence(list).by_gate).toEqual([
    ...others,
    { name: 'Varco A', in: 1, out: 0, expected: 2 },
    { name: 'Varco B', in: 0, out: 0, expected: 1 },
    ...last,
  ]);
});

test('a place is found by the words of its seat in any order and number, by accents and apostrophes as anybody types them, exact words first', async () => {
  const line = scriptLine(
    doorPageOf({
      places: [
        ...Array.from({ length: 520 }, (_, n) =>
          listedPlace(n, {
            ticket:
              n === 40 ? { name: 'Ànna De Rosa', order_number: 'B2C3-9XYZ' } : n === 41 ? null : {},
          }),
        ),
        {
          ...listedPlace(9_000),
          place: 'Palco-7-1',
          seat: 'Palco 7, posto 1',
          section: null,
          category: 'Palchi',
        },
        {
          ...listedPlace(9_001),
          place: 'Parterre-1',
          seat: 'Parterre, posto unico',
          section: 'Parterre',
          category: 'In piedi',
        },
      ],
    }),
  );
  line.role = 'supervisor';
  const core = await openPaired(line);
  const seats = (text: string, limit?: number) =>
    core.search('serata', text, limit).map(({ seat }) => seat);
  expect(seats('pl a12')).toEqual(['Platea, fila A, posto 12']);
  expect(seats('platea a 12')[0]).toBe('Platea, fila A, posto 12');
  expect(seats('A 1')[0]).toBe('Platea, fila A, posto 1');
  expect(seats('12 a platea')[0]).toBe('Platea, fila A, posto 12');
  expect(seats('palco 7')).toEqual(['Palco 7, posto 1']);
  expect(seats('in piedi')).toEqual(['Parterre, posto unico']);
  expect(seats('platea', 7)).toHaveLength(7);
  expect(seats('x')).toEqual([]);
  expect(seats('zz')).toEqual([]);
  for (const text of [
    'anna rosa',
    'ÀNNA',
    'de rosa anna',
    'b2c3',
    'B2C3-9XYZ',
    'b2c39x',
    '9xyz anna',
  ])
    expect(seats(text), text).toEqual([listedPlace(40).seat]);
  for (const text of ["nicolo d'amico 77", 'nicolò damico 77', 'amico 77', 'D’AMICO 77'])
    expect(seats(text)[0], text).toBe(listedPlace(77).seat);
  // Nobody is seen before three characters are typed; of a seat that is found by fewer neither name nor order is told.
  expect([seats('an'), seats('9x'), seats('bru')]).toEqual([[], [], []]);
  expect(core.search('serata', 'pl', 1)).toMatchObject([{ name: null, order_number: null }]);
  expect([core.search('serata', 'pla', 1)[0], seats('ann'), seats('9xy')]).toEqual([
    expect.objectContaining({ name: 'Nicolò D’Amico 0' }),
    [listedPlace(40).seat],
    [listedPlace(40).seat],
  ]);
  // Changed since the list was made, and found in the same words.
  line.changes = ({ since }) =>
    doorPageOf({
      from: since!,
      cursor: 'epoch.2',
      places: [
        listedPlace(41, { ticket: { name: 'Bruno Verdi' } }),
        listedPlace(40, { ticket: { name: 'Carla Neri' } }),
      ],
    });
  await core.syncOnce();
  expect([
    seats('bruno'),
    seats('carla neri'),
    seats('anna'),
    seats('galleria p 2')[0],
    seats('br'),
    seats('bru'),
  ]).toEqual([
    [listedPlace(41).seat],
    [listedPlace(40).seat],
    [],
    listedPlace(41).seat,
    [],
    [listedPlace(41).seat],
  ]);
});
