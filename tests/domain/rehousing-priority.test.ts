/** Who gets a place first where a new hall is too small, and whether the order among buyers is kept. */
import { describe, expect, test } from 'vitest';
import type { Group } from '#server/domain/seat/rehousing.ts';
import type { PlacedFirst } from '#server/domain/seat/rehousing-priority.ts';
import { solveSeating } from '#server/domain/seat/rehousing-solver.ts';
import { guestOf, randomOf, smallHall } from '#tests/support/sold-houses.ts';
import { checkCrowded, type Crowded } from './crowded-house-check.ts';

/** One row of so many seats, none kept back. */
const rowOf = (count: number) =>
  smallHall(randomOf(1), { rows: 1, width: 30 })
    .slice(0, count)
    .map((place, at) => ({
      ...place,
      rank: 0,
      open: true,
      right: at === count - 1 ? null : place.right,
    }));

function groupOf(id: string, ranks: readonly number[], since: number): Group {
  const [seat] = rowOf(1);
  const guests = ranks.map((rank, at) => ({ ...guestOf(`${id}${at}`, seat!), rank }));
  return { id, guests, fixed: null, since, banned: new Set() };
}

const placed = (many: number, groups: readonly Group[], first: PlacedFirst = 'dearer') => {
  const { unplaced } = solveSeating(rowOf(many), groups, { first });
  const out = new Set(unplaced.map(({ group_id }) => group_id));
  return groups.flatMap(({ id }) => (out.has(id) ? [] : [id]));
};

describe('where a hall is too small', () => {
  test('a dearer ticket sits before a cheaper one, whoever came first', () => {
    expect(placed(2, [groupOf('cheap', [2, 2], 1), groupOf('dear', [0, 0], 2)])).toEqual(['dear']);
  });

  test('of one price the earlier order sits, and the office may put time before price', () => {
    const late = groupOf('late', [0, 0], 2);
    const early = groupOf('early', [0, 0], 1);
    expect(placed(2, [late, early])).toEqual(['early']);
    const cheap = groupOf('cheap', [1, 1], 0);
    expect(placed(2, [late, cheap])).toEqual(['late']);
    expect(placed(2, [late, cheap], 'earlier')).toEqual(['cheap']);
  });

  test('an order of two prices counts as its dearest', () => {
    const mixed = groupOf('mixed', [2, 0], 3);
    expect(placed(2, [groupOf('middle', [1, 1], 1), mixed])).toEqual(['mixed']);
  });

  test('a group for which there is no room leaves the rest to smaller ones', () => {
    const three = groupOf('three', [0, 0, 0], 1);
    expect(placed(2, [three, groupOf('one', [1], 2), groupOf('two', [1], 3)])).toEqual([
      'one',
      'two',
    ]);
  });

  test('guests who stood sit where there is no room to stand', () => {
    const [area] = rowOf(1).map((place) => ({ ...place, kind: 'area' as const, label: 'Pista' }));
    const standing = (id: string, since: number): Group => ({
      ...groupOf(id, [0, 0], since),
      guests: [1, 2].map((nth) => guestOf(`${id}${nth}`, area!)),
    });
    const hall = [...rowOf(2), { ...area!, places: 2 }];
    const { seats } = solveSeating(hall, [standing('a', 1), standing('b', 2)]);
    expect([...seats.values()].toSorted()).toEqual(['0-0', '0-1', 'Pista', 'Pista']);
  });
});

test('random houses: nobody with less priority has the room of a group that is left out, and 95 % of pairs keep their order', () => {
  const sum: Crowded = { pairs: 0, kept: 0, crowded: 0 };
  for (let seed = 1; seed <= 60; seed += 1) checkCrowded(seed, sum);
  expect(sum.crowded).toBeGreaterThan(15);
  expect(sum.kept / sum.pairs).toBeGreaterThan(0.95);
});
