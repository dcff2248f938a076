/** The seat rules against the documented pictures, and against an oracle that tries every placement. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { areConsecutive, checkSelection, findOrphans, type RuleRow, type RuleSeat } from '#server/domain/seating.ts';

const states = { '.': 'free', 'x': 'mine', '#': 'other' } as const;

/** `xx.|..#/...`: rows divided by `/`, an aisle by `|`; seats are numbered through the whole chart. */
function draw(picture: string, category = 'P'): RuleRow[] {
  let number = 0;
  return picture.split('/').map((row) => {
    const seats: RuleSeat[] = [];
    for (const char of row) {
      if (char === '|') seats.at(-1)!.gapAfter = true;
      else seats.push({ label: `s${++number}`, state: states[char as keyof typeof states], category });
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
] as const)('in %s the %s rule finds the orphans %j', (picture, mode, expected) => {
  expect(findOrphans(draw(picture), { mode })).toEqual(expected);
});

test('without a mode the rule is strict', () => {
  expect(findOrphans(draw('xx.###......'))).toEqual(['s3']);
});

test('an aisle ends a block, so the last seat before it is left alone', () => {
  expect(findOrphans(draw('..xx.|....'))).toEqual(['s5']);
  expect(findOrphans(draw('..xx|.....'))).toEqual([]);
});

test('a change of category ends a block unless categories are ignored', () => {
  const rows: RuleRow[] = [{ seats: [...draw('..xx.')[0]!.seats, ...draw('....', 'G')[0]!.seats] }];
  expect(findOrphans(rows)).toEqual(['s5']);
  expect(findOrphans(rows, { ignoreCategories: true })).toEqual([]);
});

test('a better block in another category does not make an orphan unless categories are ignored', () => {
  const rows = [...draw('xx.'), ...draw('......', 'G')];
  expect(findOrphans(rows)).toEqual([]);
  expect(findOrphans(rows, { ignoreCategories: true })).toEqual(['s3']);
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
  expect(areConsecutive([{ seats: [...draw('x')[0]!.seats, ...draw('x', 'G')[0]!.seats] }])).toBe(false);
});

test('only the rules that are asked for are reported, in their order, with the orphans', () => {
  const rows = draw('x.x...');
  expect(checkSelection(rows, [], 2)).toEqual({ broken: [], orphans: [] });
  expect(checkSelection(rows, [{ type: 'consecutiveSeats' }, { type: 'noOrphanSeats' }, { type: 'minimumSelectedPlaces', minimum: 3 }], 2))
    .toEqual({ broken: ['consecutiveSeats', 'noOrphanSeats', 'minimumSelectedPlaces'], orphans: ['s2'] });
  expect(checkSelection(draw('....'), [{ type: 'minimumSelectedPlaces' }], 0).broken).toEqual(['minimumSelectedPlaces']);
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

const picture = fc.array(fc.string({ unit: fc.constantFrom('.', '.', 'x', '#'), minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 })
  .map((rows) => rows.join('/'));

/** True when `count` seats side by side fit somewhere into an empty run of `length` and neither remainder is one seat. */
function canPlace(length: number, count: number): boolean {
  for (let left = 0; left + count <= length; left++) {
    if (left !== 1 && length - count - left !== 1) return true;
  }
  return false;
}

/** The rule told again over the picture's text: blocks are what `#` and `/` leave. */
function orphansByTrying(text: string, mode: 'strict' | 'lenient'): string[] {
  const blocks = text.split(/[#/]/).filter(Boolean);
  const found: string[] = [];
  let number = 0;
  for (const part of text.split(/([#/])/)) {
    if (part === '#') number++;
    if (part === '#' || part === '/' || part === '') continue;
    const chosen = part.replaceAll('.', '').length;
    const avoidable = chosen > 0 && (mode === 'lenient' ? [part] : blocks).some((block) => canPlace(block.length, chosen));
    for (const run of part.matchAll(/\.+/g)) {
      if (avoidable && run[0].length === 1) found.push(`s${number + run.index + 1}`);
    }
    number += part.length;
  }
  return found;
}

test('the rule agrees with trying every placement, in both modes', () => {
  fc.assert(fc.property(picture, fc.constantFrom('strict', 'lenient'), (text, mode) => {
    expect(findOrphans(draw(text), { mode })).toEqual(orphansByTrying(text, mode));
  }), { numRuns: 500 });
});

test('whatever lenient refuses, strict refuses too', () => {
  fc.assert(fc.property(picture, (text) => {
    const strict = findOrphans(draw(text), { mode: 'strict' });
    expect(findOrphans(draw(text), { mode: 'lenient' }).every((label) => strict.includes(label))).toBe(true);
  }));
});

test('reading the rows from right to left changes no verdict', () => {
  fc.assert(fc.property(picture, (text) => {
    const rows = draw(text);
    const mirrored = rows.map((row) => ({ seats: [...row.seats].reverse() }));
    expect(findOrphans(mirrored).sort()).toEqual(findOrphans(rows).sort());
    expect(areConsecutive(mirrored)).toBe(areConsecutive(rows));
  }));
});

test('nothing selected breaks nothing but a minimum', () => {
  fc.assert(fc.property(picture, (text) => {
    const rows = draw(text.replaceAll('x', '.'));
    const rules = [{ type: 'noOrphanSeats' }, { type: 'consecutiveSeats' }, { type: 'companionSeats' }] as const;
    expect(checkSelection(rows, [...rules], 0)).toEqual({ broken: [], orphans: [] });
  }));
});
