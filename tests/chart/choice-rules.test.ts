/** The rules of choosing that need no browser: seats side by side, the page's limits, and events that are sold together. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventGroup } from '#apps/chart/places/event-group.ts';
import { chooseBeside, type Neighbour } from '#apps/chart/choice/group-choice.ts';
import { leftFor } from '#apps/chart/choice/limits.ts';
import type { Limit } from '#apps/chart/config.ts';
import type { Scene } from '#apps/chart/scene/scene.ts';

/** `..#.|..`: `#` is taken, `|` an aisle, a capital letter another category. */
function seatsOf(picture: string): Neighbour[] {
  const seats: Neighbour[] = [];
  for (const char of picture) {
    if (char === '|') seats.at(-1)!.gapAfter = true;
    else seats.push({ open: char !== '#', category: char === 'G' ? 1 : 0, gapAfter: false });
  }
  return seats;
}

test.each([
  ['......', 2, 2, [2, 3]],
  ['......', 1, 2, [0, 1]],
  ['......', 0, 3, [0, 1, 2]],
  ['.....', 2, 3, [0, 1, 2]],
  ['....', 1, 3, [0, 1, 2]],
  ['..#...', 1, 2, [0, 1]],
  ['..#...', 1, 3, null],
  ['..|...', 1, 3, null],
  ['..GG..', 1, 3, null],
  ['..GG..', 2, 2, [2, 3]],
  ['#.....', 0, 2, null],
] as const)('in %s a click on seat %i for %i takes %j', (picture, at, count, expected) => {
  expect(chooseBeside(seatsOf(picture), at, { count })).toEqual(expected);
});

test('around a table the last seat is beside the first', () => {
  expect(chooseBeside(seatsOf('......'), 0, { count: 3, round: true })).toEqual([5, 0, 1]);
  expect(chooseBeside(seatsOf('......'), 2, { count: 6, round: true })!.toSorted()).toEqual([
    0, 1, 2, 3, 4, 5,
  ]);
  expect(chooseBeside(seatsOf('...#..'), 0, { count: 5, round: true })).toEqual([4, 5, 0, 1, 2]);
  expect(chooseBeside(seatsOf('......'), 0, { count: 7, round: true })).toBeNull();
});

const row = fc.array(
  fc.record({
    open: fc.boolean(),
    category: fc.constantFrom(0, 0, 0, 1),
    gapAfter: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 1, maxLength: 14 },
);

test('whatever the row, the seats are together with the one that was meant, and nobody is left alone if that can be helped', () => {
  fc.assert(
    fc.property(row, fc.nat(), fc.integer({ min: 1, max: 5 }), (seats, pick, count) => {
      const at = pick % seats.length;
      const isRun = (start: number, length: number) =>
        start >= 0 &&
        start + length <= seats.length &&
        Array.from({ length }, (_, s) => start + s).every(
          (s) =>
            seats[s]!.open &&
            seats[s]!.category === seats[at]!.category &&
            (s === start + length - 1 || !seats[s]!.gapAfter),
        );
      const isFree = (s: number, beside: number) => isRun(Math.min(s, beside), 2);
      const leavesAlone = (start: number) => {
        const [before, after] = [start - 1, start + count];
        return (
          (isFree(before, start) && !isFree(before - 1, before)) ||
          (isFree(after, after - 1) && !isFree(after, after + 1))
        );
      };
      const starts = seats
        .map((_, start) => start)
        .filter((start) => start <= at && at < start + count && isRun(start, count));
      const chosen = chooseBeside(seats, at, { count });
      expect(chosen === null).toBe(starts.length === 0);
      if (chosen === null) return;
      expect(starts).toContain(chosen[0]);
      expect(chosen).toEqual(Array.from({ length: count }, (_, s) => chosen[0]! + s));
      const clean = starts.filter((start) => !leavesAlone(start));
      if (clean.length > 0) expect(clean).toContain(chosen[0]);
    }),
    { numRuns: 1000 },
  );
});

const scene = {
  category: [0, 0, 0, 1, 1],
  chart: {
    categories: [
      { key: '1', label: 'Platea' },
      { key: '2', label: 'Palchi' },
    ],
  },
} as unknown as Scene;
const chosen = new Map([
  [0, new Map([['intero', 1]])],
  [1, new Map([['ridotto', 1]])],
  [3, new Map([['intero', 2]])],
]);

test.each<[Limit | null | undefined, number, string, number]>([
  [undefined, 2, 'intero', Infinity],
  [null, 2, 'intero', Infinity],
  [6, 2, 'intero', 2],
  [[{ total: 4 }], 2, 'intero', 0],
  [[{ ticketType: 'intero', quantity: 4 }], 2, 'intero', 1],
  [[{ ticketType: 'intero', quantity: 4 }], 2, 'ridotto', Infinity],
  [[{ category: 'Platea', quantity: 3 }], 2, 'intero', 1],
  [[{ category: 1, quantity: 3 }], 4, 'intero', Infinity],
  [
    [
      {
        category: 'Palchi',
        ticketTypes: [
          { ticketType: 'intero', quantity: 3 },
          { ticketType: 'ridotto', quantity: 1 },
        ],
      },
    ],
    4,
    'intero',
    1,
  ],
  [
    [{ category: 'Palchi', ticketTypes: [{ ticketType: 'ridotto', quantity: 1 }] }],
    2,
    'ridotto',
    Infinity,
  ],
  [
    [{ total: 10 }, { category: '1', quantity: 2 }, { ticketType: 'ridotto', quantity: 5 }],
    2,
    'ridotto',
    0,
  ],
])('a limit of %j leaves for place %i as %s: %d', (limit, place, type, expected) => {
  expect(
    leftFor(
      limit,
      { place, type },
      { scene, all: () => [...chosen.keys()], counts: (i) => chosen.get(i) ?? new Map(), total: 4 },
    ),
  ).toBe(expected);
});

test('of several events the worst state counts, and each keeps its own', () => {
  const group = new EventGroup(['first', 'second']);
  group.reset('first', [
    { status: 'booked', labels: ['A-1', 'A-2'] },
    { status: 'free', numBooked: 10, labels: ['Prato'] },
  ]);
  group.reset('second', [
    { status: 'reservedByToken', labels: ['A-1', 'A-3'] },
    { status: 'free', numBooked: 4, numHeld: 9, labels: ['Prato'] },
  ]);
  expect(
    group
      .all()
      .map(({ labels: [label], status, numBooked, numHeld }) => [
        label,
        status,
        numBooked,
        numHeld,
      ]),
  ).toEqual([
    ['A-1', 'booked', undefined, undefined],
    ['A-2', 'booked', undefined, undefined],
    ['Prato', 'free', 4, 9],
    ['A-3', 'reservedByToken', undefined, undefined],
  ]);
  expect(
    group.change('first', [
      { label: 'A-1', status: 'free' },
      { label: 'A-2', status: 'free' },
    ]),
  ).toEqual([
    {
      label: 'A-1',
      status: 'reservedByToken',
      perEvent: { first: 'free', second: 'reservedByToken' },
    },
    { label: 'A-2', status: 'free', perEvent: { first: 'free', second: 'free' } },
  ]);
  expect(group.change('second', [{ label: 'A-2', status: 'free', forSale: false }])).toMatchObject([
    { label: 'A-2', forSale: false },
  ]);
});
