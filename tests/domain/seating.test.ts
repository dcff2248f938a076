/** The seat rules against the documented pictures, and against an oracle that tries every placement. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  areConsecutive,
  checkSelection,
  findOrphans,
  indexRows,
  type RuleRow,
  type RuleSeat,
  type SeatRule,
} from '#server/domain/seat/seating.ts';

const states = { '.': 'free', x: 'mine', '#': 'other' } as const;

/** `xx.|..#/...`: rows divided by `/`, an aisle by `|`; seats are numbered through the whole chart. */
function draw(picture: string, category = 'P'): RuleRow[] {
  let number = 0;
  return picture.split('/').map((row) => {
    const seats: RuleSeat[] = [];
    for (const char of row) {
      if (char === '|') seats.at(-1)!.gapAfter = true;
      else
        seats.push({ label: `s${++number}`, state: states[char as keyof typeof states], category });
    }
    return { seats };
  });
}

test.each([
  ['..xx.xx..', 'strict', ['s5']],
  ['xx.########/...########', 'strict', []],
  ['xx.###......', 'lenient', []],
  ['xx.###......', 'strict', ['s3']],
  ['.xx.....', 'strict', ['s1']],
  ['.xx.....', 'lenient', ['s1']],
  ['xxx', 'strict', []],
  ['x.', 'strict', []],
  ['x./...', 'strict', ['s2']],
  ['x./...', 'lenient', []],
  ['xx./......', 'strict', ['s3']],
  ['........', 'strict', []],
  ['.#xx#...', 'strict', []],
  ['..xx.|....', undefined, ['s5']],
  ['..xx|.....', undefined, []],
  ['xx.###......', undefined, ['s3']],
] as const)('in %s the %s rule finds the orphans %j', (picture, mode, expected) => {
  expect(findOrphans(draw(picture), { mode })).toEqual(expected);
});

test('a table leaves nobody alone and counts as together', () => {
  const rows: RuleRow[] = [{ table: true, seats: draw('x.x..')[0]!.seats }];
  expect(findOrphans(rows)).toEqual([]);
  expect(areConsecutive(rows)).toBe(true);
});

test.each([
  ['..xx../......', true],
  ['.x.x..', false],
  ['.x..../.x....', false],
  ['.x#x..', false],
  ['..x|x..', false],
  ['......', true],
  ['.x....', true],
])('the selection in %s being consecutive is %s', (picture, expected) => {
  expect(areConsecutive(draw(picture))).toBe(expected);
});

test('two neighbours of different categories are not consecutive', () => {
  expect(areConsecutive([{ seats: [...draw('x')[0]!.seats, ...draw('x', 'G')[0]!.seats] }])).toBe(
    false,
  );
});

test('only the rules that are asked for are reported, in their order, with the orphans', () => {
  const rows = draw('x.x...');
  expect(checkSelection(rows, [], 2)).toEqual({ broken: [], orphans: [] });
  expect(
    checkSelection(
      rows,
      [
        { type: 'consecutiveSeats' },
        { type: 'noOrphanSeats' },
        { type: 'minimumSelectedPlaces', minimum: 3 },
      ],
      2,
    ),
  ).toEqual({
    broken: ['consecutiveSeats', 'noOrphanSeats', 'minimumSelectedPlaces'],
    orphans: ['s2'],
  });
  expect(checkSelection(draw('....'), [{ type: 'minimumSelectedPlaces' }], 0).broken).toEqual([
    'minimumSelectedPlaces',
  ]);
  expect(checkSelection(draw('....'), [{ type: 'minimumSelectedPlaces' }], 1).broken).toEqual([]);
});

test('a companion seat needs a wheelchair space beside it in the selection', () => {
  const rows = draw('xx..');
  rows[0]!.seats[0]!.companion = true;
  expect(checkSelection(rows, [{ type: 'companionSeats' }], 2).broken).toEqual(['companionSeats']);
  expect(checkSelection(rows, [{ type: 'companionSeats', enabled: false }], 2).broken).toEqual([]);
  rows[0]!.seats[1]!.accessible = true;
  expect(checkSelection(rows, [{ type: 'companionSeats' }], 2).broken).toEqual([]);
});

const picture = fc
  .array(fc.string({ unit: fc.constantFrom('.', '.', 'x', '#'), minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((rows) => rows.join('/'));

const cell = fc.record({
  state: fc.constantFrom('free', 'free', 'mine', 'other'),
  category: fc.constantFrom('P', 'P', 'G'),
  gapAfter: fc.boolean(),
  accessible: fc.boolean(),
  companion: fc.boolean(),
});
const anyRow = fc.record({
  table: fc.constantFrom(false, false, false, true),
  seats: fc.array(cell, { minLength: 1, maxLength: 9 }),
});

function labelled(row: { table: boolean; seats: Omit<RuleSeat, 'label'>[] }, at: number): RuleRow {
  return {
    table: row.table,
    seats: row.seats.map((seat, s) => ({ ...seat, label: `${at}-${s}` })),
  };
}

test('an index that is told which rows changed says what looking at everything says', () => {
  const rules: SeatRule[] = [
    { type: 'noOrphanSeats' },
    { type: 'consecutiveSeats' },
    { type: 'companionSeats' },
    { type: 'minimumSelectedPlaces', minimum: 2 },
  ];
  const variants: SeatRule[][] = [
    rules,
    [{ type: 'noOrphanSeats', mode: 'lenient' }],
    [{ type: 'noOrphanSeats', ignoreCategories: true }, { type: 'consecutiveSeats' }],
  ];
  const change = fc.record({ at: fc.nat(), row: anyRow, variant: fc.constantFrom(...variants) });
  fc.assert(
    fc.property(
      fc.array(anyRow, { minLength: 1, maxLength: 6 }),
      fc.array(change, { maxLength: 12 }),
      (start, changes) => {
        const rows = start.map(labelled);
        const index = indexRows(rows.length, (at) => rows[at]!);
        for (const variant of variants) index.check(variant, 1);
        for (const { at, row, variant } of changes) {
          const place = at % rows.length;
          rows[place] = labelled(row, place);
          index.markStale(place);
          expect(index.check(variant, 1)).toEqual(checkSelection(rows, variant, 1));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('after a change only that row and those with own seats are read', () => {
  const rows = draw(Array.from({ length: 400 }, () => '..........').join('/'));
  const read: number[] = [];
  const index = indexRows(rows.length, (at) => {
    read.push(at);
    return rows[at]!;
  });
  rows[7]!.seats[1]!.state = 'mine';
  const rules: SeatRule[] = [{ type: 'noOrphanSeats' }, { type: 'consecutiveSeats' }];
  expect(index.check(rules, 1).orphans).toEqual(['s71']);
  rows[200]!.seats[4]!.state = 'mine';
  index.markStale(200);
  read.length = 0;
  expect(index.check(rules, 2)).toEqual({
    broken: ['noOrphanSeats', 'consecutiveSeats'],
    orphans: ['s71'],
  });
  expect(read.sort((a, b) => a - b)).toEqual([7, 200, 200]);
});

/** True when `count` seats side by side fit somewhere into an empty run of `length` and neither remainder is one seat. */
function canPlace(length: number, count: number): boolean {
  for (let left = 0; left + count <= length; left++) {
    if (left !== 1 && length - count - left !== 1) return true;
  }
  return false;
}

/** The rule as a person would apply it with a finger on the plan: knows categories and aisles, and tries every seat of every block. */
function orphansByFinger(
  rows: RuleRow[],
  { mode, ignoreCategories }: { mode: 'strict' | 'lenient'; ignoreCategories: boolean },
): string[] {
  const blocks: RuleSeat[][] = [];
  for (const { seats, table } of rows) {
    if (table) continue;
    let rest = [...seats];
    while (rest.length > 0) {
      const [first, ...others] = rest;
      rest = others;
      if (first!.state === 'other') continue;
      const block = [first!];
      const goesOn = (seat: RuleSeat | undefined) =>
        seat &&
        seat.state !== 'other' &&
        !block.at(-1)!.gapAfter &&
        (ignoreCategories || seat.category === first!.category);
      while (goesOn(rest[0])) block.push(rest.shift()!);
      blocks.push(block);
    }
  }
  return blocks.flatMap((block) => {
    const chosen = block.filter(({ state }) => state === 'mine').length;
    if (chosen === 0) return [];
    const rivals =
      mode === 'lenient'
        ? [block]
        : blocks.filter((other) => ignoreCategories || other[0]!.category === block[0]!.category);
    if (!rivals.some((rival) => canPlace(rival.length, chosen))) return [];
    return block
      .filter(
        ({ state }, at) =>
          state === 'free' && block[at - 1]?.state !== 'free' && block[at + 1]?.state !== 'free',
      )
      .map(({ label }) => label);
  });
}

test('with categories, aisles and tables the rule agrees with the finger on the plan', () => {
  const options = fc.record({
    mode: fc.constantFrom('strict', 'lenient'),
    ignoreCategories: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 5 }), options, (drawn, option) => {
      const rows = drawn.map(labelled);
      expect(findOrphans(rows, option)).toEqual(orphansByFinger(rows, option));
    }),
    { numRuns: 1000 },
  );
});

test('nothing selected breaks nothing but a minimum', () => {
  fc.assert(
    fc.property(picture, (text) => {
      const rows = draw(text.replaceAll('x', '.'));
      const rules = [
        { type: 'noOrphanSeats' },
        { type: 'consecutiveSeats' },
        { type: 'companionSeats' },
      ] as const;
      expect(checkSelection(rows, [...rules], 0)).toEqual({ broken: [], orphans: [] });
    }),
  );
});
