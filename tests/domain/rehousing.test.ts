/** The proposal of who sits where in another hall: rules held, close to the optimum, quick. */
import { describe, expect, test } from 'vitest';
import type { Group, HallPlace } from '#server/domain/seat/rehousing.ts';
import { costOf } from '#server/domain/seat/rehousing-cost.ts';
import { solveSeating } from '#server/domain/seat/rehousing-solver.ts';
import { faultsOf, guestOf, ownHalls, randomOf, sellHouse } from '#tests/support/sold-houses.ts';
import { checkHouse } from './sold-house-check.ts';

const row = (
  name: string,
  count: number,
  { rank = 0, distance = 5, accessible = [] as number[], companion = [] as number[] } = {},
): HallPlace[] =>
  Array.from({ length: count }, (_, at) => ({
    label: `${name}-${at + 1}`,
    kind: 'seat' as const,
    rank,
    distance,
    angle: 0,
    x: at,
    y: distance,
    left: at === 0 ? null : `${name}-${at}`,
    right: at === count - 1 ? null : `${name}-${at + 2}`,
    accessible: accessible.includes(at + 1),
    companion: companion.includes(at + 1),
    at_table: false,
    places: 1,
    whole: 0,
    open: true,
  }));

function groupOf(id: string, places: readonly HallPlace[], fixed: string[] | null = null): Group {
  const guests = places.map((place, at) => guestOf(`${id}${at}`, place));
  return { id, guests, fixed, since: 0, banned: new Set() };
}

function labelsOf(group: Group, seats: ReadonlyMap<string, string>): (string | undefined)[] {
  return group.guests.map(({ id }) => seats.get(id));
}

describe('where people sit in another hall', () => {
  test('four friends get four seats side by side although they once sat in a shorter row', () => {
    const old = row('A', 4);
    const hall = [...row('X', 3), ...row('Y', 6)];
    const group = groupOf('g', old);
    const seats = labelsOf(group, solveSeating(hall, [group]).seats);
    expect(new Set(seats.map((label) => label!.split('-')[0]))).toEqual(new Set(['Y']));
  });

  test('nobody gets a lower category while a seat of the same one is free', () => {
    const group = groupOf('g', row('A', 2, { rank: 1 }));
    const hall = [
      ...row('X', 4, { rank: 2, distance: 3 }),
      ...row('Y', 4, { rank: 1, distance: 9 }),
    ];
    const { seats } = solveSeating(hall, [group]);
    expect(labelsOf(group, seats).every((label) => label!.startsWith('Y'))).toBe(true);
  });

  test('a wheelchair keeps its place and its company beside it', () => {
    const old = row('A', 6, { accessible: [1], companion: [2] });
    const pair = groupOf('p', old.slice(0, 2));
    const hall = [...row('X', 8), ...row('Z', 5, { accessible: [5], companion: [4], distance: 8 })];
    expect(labelsOf(pair, solveSeating(hall, [pair]).seats)).toEqual(['Z-5', 'Z-4']);
  });

  test('who is not in a wheelchair never gets a wheelchair place, and is listed when nothing else is free', () => {
    const hall = row('X', 2, { accessible: [1, 2] });
    const group = groupOf('g', row('A', 1));
    const chair = groupOf('c', row('B', 3, { accessible: [1, 2, 3] }));
    const answer = solveSeating(hall, [group, chair]);
    expect(answer.unplaced).toEqual([
      { group_id: 'g', reason: 'hall_full' },
      { group_id: 'c', reason: 'no_wheelchair_place' },
    ]);
  });

  test('standing stays standing, and who finds no room to stand is seated', () => {
    const area = { ...row('Pista', 1)[0]!, kind: 'area' as const, places: 50 };
    const group = groupOf('g', [area, area, area]);
    expect(new Set(solveSeating([area, ...row('X', 9)], [group]).seats.values())).toEqual(
      new Set(['Pista-1']),
    );
    expect(labelsOf(group, solveSeating(row('X', 3), [group]).seats).toSorted()).toEqual([
      'X-1',
      'X-2',
      'X-3',
    ]);
  });

  test('a whole table goes to one with a place for each of its party, and a larger one is left for who needs it', () => {
    const tables = (name: string, sizes: readonly number[]): HallPlace[] =>
      row(name, sizes.length).map((place, at) => ({
        ...place,
        kind: 'table' as const,
        whole: sizes[at]!,
      }));
    const party = (id: string, many: number, banned: string[] = []): Group => ({
      id,
      guests: [{ ...guestOf(id, tables('Old', [10])[0]!), party: many }],
      fixed: null,
      since: 0,
      banned: new Set(banned),
    });
    const hall = tables('T', [10, 4, 6]);
    expect([...solveSeating(hall, [party('a', 4), party('b', 5), party('c', 10)]).seats]).toEqual([
      ['a', 'T-2'],
      ['b', 'T-3'],
      ['c', 'T-1'],
    ]);
    // A place on which the order has an ended ticket takes no other one of it.
    expect(solveSeating(tables('T', [6]), [party('a', 6, ['T-1#6'])]).unplaced).toHaveLength(1);
    expect(solveSeating(tables('T', [6]), [party('a', 5, ['T-1#6'])]).unplaced).toEqual([]);
    const single = groupOf('s', tables('Old', [0]));
    expect(solveSeating(hall, [single, party('d', 11)]).unplaced).toEqual([
      { group_id: 's', reason: 'kind_missing' },
      { group_id: 'd', reason: 'kind_missing' },
    ]);
    const lower = hall.map((place) => ({ ...place, rank: 1 }));
    const four = party('a', 4);
    expect(costOf(lower, [four], solveSeating(lower, [four])).lower).toBe(4);
  });

  test('no single seat is left alone where it can be helped', () => {
    const group = groupOf('g', row('A', 2));
    const hall = [...row('X', 3, { distance: 5 }), ...row('Y', 4, { distance: 6 })];
    expect(costOf(hall, [group], solveSeating(hall, [group])).alone).toBe(0);
  });

  test('what somebody has chosen by hand stays, and the others go round it', () => {
    const mine = groupOf('m', row('A', 2), ['X-2', 'X-3']);
    const others = groupOf('o', row('B', 3));
    const hall = row('X', 6);
    const { seats } = solveSeating(hall, [mine, others]);
    expect(labelsOf(mine, seats)).toEqual(['X-2', 'X-3']);
    expect(labelsOf(others, seats).toSorted()).toEqual(['X-4', 'X-5', 'X-6']);
  });

  test('in a hall that was only changed, whoever can stay stays', () => {
    const hall = ownHalls().get('teatro-goldoni')!;
    const groups = sellHouse(hall, { tickets: 300, random: randomOf(5) });
    const gone = groups[3]!.guests[0]!.from;
    const changed = hall.map((place) => ({ ...place, open: place.label !== gone }));
    const { seats } = solveSeating(changed, groups, { stay: true, looks: 300_000 });
    const moved = groups.filter(({ guests }) =>
      guests.some(({ id, from }) => seats.get(id) !== from),
    );
    expect(moved.map(({ id }) => id)).toEqual([groups[3]!.id]);
  });

  test('the same question has the same answer', () => {
    const halls = ownHalls();
    const groups = sellHouse(halls.get('sala-nera')!, { tickets: 60, random: randomOf(1) });
    const ask = () => [
      ...solveSeating(halls.get('teatro-goldoni')!, groups, { looks: 300_000 }).seats,
    ];
    expect(ask()).toEqual(ask());
  });
});

test('of the five halls each fits into the next: nobody is lost, no seat is given twice', () => {
  const halls = [...ownHalls()].filter(([key]) => key !== 'arena');
  for (const [at, [from, old]] of halls.entries()) {
    const [to, hall] = halls[(at + 1) % halls.length]!;
    const groups = sellHouse(old, { tickets: 15, random: randomOf(at + 1) });
    const seating = solveSeating(hall, groups, { looks: 300_000 });
    expect(faultsOf(hall, groups, seating), `${from} → ${to}`).toEqual([]);
  }
});

test('random sold houses keep every rule, and small ones cost at most 3 % more than the best seating', () => {
  for (let seed = 1; seed <= 15; seed += 1) checkHouse(seed);
});
