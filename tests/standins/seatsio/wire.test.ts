/** A drawing's way to the browser: packed small, opened again where it was. */
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countSeats, eachSeat, labelAt, unpackCategories } from '#apps/chart/scene/unpack.ts';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { flattenDrawing } from '#server/standins/seatsio/plan/plan.ts';
import { wireChart } from '#server/standins/seatsio/plan/wire-chart.ts';
import type { WireChart, WireRow } from '#server/standins/seatsio/wire.ts';

function wireOf(drawing: object): WireChart {
  const read = readDrawing(drawing);
  const plan = flattenDrawing(read, { mode: 'INHERIT' });
  return wireChart(plan, {
    key: 'k',
    version: 1,
    categories: read.categories,
    categoryOf: (object) => object.categoryKey,
  });
}

/** A row with these seats in a drawing of its own. */
function wireRow(seats: object[]): WireRow {
  return wireOf({
    categories: {
      list: [
        { key: 1, label: 'Uno', color: '#111111' },
        { key: 2, label: 'Due', color: '#222222' },
      ],
    },
    subChart: { rows: [{ label: 'A', seats }] },
  }).rows[0]!;
}

function openRow(
  row: WireRow,
): { x: number; y: number; label: string; category: number; flags: number }[] {
  const seats: { x: number; y: number; label: string; category: number; flags: number }[] = [];
  const categories = new Int16Array(countSeats(row));
  unpackCategories(row.seats.categories, categories, { first: 0, count: categories.length });
  eachSeat(row.seats.runs, (at, x, y) =>
    seats.push({ x, y, label: labelAt(row.seats.labels, at), category: categories[at]!, flags: 0 }),
  );
  const { flags = [] } = row.seats;
  for (let n = 0; n < flags.length; n += 2) seats[flags[n]!]!.flags = flags[n + 1]!;
  return seats;
}

const place = fc.double({ min: 0, max: 20_000, noNaN: true });
const anywhere = fc.array(fc.record({ x: place, y: place }), { minLength: 1, maxLength: 12 });
const straight = fc
  .record({
    x: place,
    y: place,
    dx: fc.double({ min: -40, max: 40, noNaN: true }),
    dy: fc.double({ min: -40, max: 40, noNaN: true }),
    count: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ x, y, dx, dy, count }) =>
    Array.from({ length: count }, (_, n) => ({ x: x + n * dx, y: y + n * dy })),
  );
const curved = fc
  .record({
    x: place,
    y: place,
    radius: fc.double({ min: 20, max: 9000, noNaN: true }),
    from: fc.double({ min: -7, max: 7, noNaN: true }),
    span: fc.double({ min: -6, max: 6, noNaN: true }),
    count: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ x, y, radius, from, span, count }) =>
    Array.from({ length: count }, (_, n) => ({
      x: x + radius * Math.cos(from + (n * span) / count),
      y: y + radius * Math.sin(from + (n * span) / count),
    })),
  );
const kinds = fc.array(
  fc.record({
    categoryKey: fc.constantFrom(1, 2, null),
    accessible: fc.boolean(),
    plusSize: fc.boolean(),
    word: fc.oneof(fc.constant(''), fc.string({ minLength: 1 })),
  }),
  { minLength: 60, maxLength: 60 },
);

test('whatever a row looks like, every seat arrives within a tenth of a unit of its place, with its label, category and marks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(anywhere, straight, curved), { minLength: 1, maxLength: 3 }),
      kinds,
      (stretches, looks) => {
        // Two seats of one name are one object: the check of a drawing refuses them.
        const seats = stretches.flat().map((at, n) => ({
          ...at,
          ...looks[n % looks.length]!,
          label: `${looks[n % looks.length]!.word && `${looks[n % looks.length]!.word}~`}${n}`,
        }));
        const opened = openRow(wireRow(seats));
        expect(opened).toHaveLength(seats.length);
        opened.forEach((seat, n) => {
          const drawn = seats[n]!;
          expect(Math.hypot(seat.x / 10 - drawn.x, seat.y / 10 - drawn.y)).toBeLessThan(0.15);
          expect(seat).toMatchObject({
            label: drawn.label,
            category: drawn.categoryKey === null ? -1 : drawn.categoryKey - 1,
            flags: (drawn.accessible ? 1 : 0) + (drawn.plusSize ? 128 : 0),
          });
        });
      },
    ),
  );
});

test('seats at equal distances are one line or arc, an aisle begins another, numbers are a range', () => {
  const line = Array.from({ length: 9 }, (_, n) => ({
    label: String(17 - 2 * n),
    x: 10.04 * n + (n > 4 ? 30 : 0),
    y: 5,
    categoryKey: 1,
    x_gapAfter: n === 4,
  }));
  expect(wireRow(line).seats).toEqual({
    labels: { from: 17, step: -2 },
    categories: 0,
    gapsAfter: [4],
    runs: [
      { count: 5, line: [0, 50, 100.4, 0] },
      { count: 4, line: [802, 50, 100.4, 0] },
    ],
  });
  const arc = Array.from({ length: 12 }, (_, n) => ({
    label: `P${n}`,
    x: 500 + 400 * Math.cos(0.1 * n),
    y: 300 + 400 * Math.sin(0.1 * n),
    categoryKey: n < 5 ? 1 : 2,
  }));
  const { seats } = wireRow(arc);
  expect(seats).toMatchObject({ labels: arc.map(({ label }) => label), categories: [0, 5, 1, 7] });
  expect(seats.runs).toHaveLength(1);
  const [run] = seats.runs;
  if (!run || !('arc' in run)) throw new Error('no arc');
  [5000, 3000, 4000, 0, 0.1].forEach((value, at) => expect(run.arc[at]).toBeCloseTo(value, 0));
});

test('what stands in a section is on its floor, the rest names its own; a drawing of one floor names none', () => {
  const row = (label: string) => ({ label, seats: [{ label: '1', x: 5, y: 5 }] });
  const floor = (name: string, section: string) => ({
    floorName: name,
    floorDisplayName: `Piano ${name}`,
    rows: [row(`loose ${name}`)],
    shapes: [{ type: 'rectangle', center: { x: 1, y: 1 }, width: 2, height: 2 }],
    sections: [
      {
        label: section,
        points: [
          { x: 0, y: 0 },
          { x: 9, y: 0 },
          { x: 9, y: 9 },
        ],
        topLeft: { x: 0, y: 0 },
        subChart: { rows: [row('A')] },
      },
    ],
  });
  const chart = wireOf({ subChartFloors: [floor('terra', 'Platea'), floor('primo', 'Palchi')] });
  expect(chart.floors).toEqual([
    { name: 'terra', displayName: 'Piano terra' },
    { name: 'primo', displayName: 'Piano primo' },
  ]);
  expect(chart.sections.map(({ label, floor: at }) => [label, at])).toEqual([
    ['Platea', 0],
    ['Palchi', 1],
  ]);
  expect(chart.rows.map(({ label, section, floor: at }) => [label, section, at])).toEqual([
    ['loose terra', -1, 0],
    ['A', 0, undefined],
    ['loose primo', -1, 1],
    ['A', 1, undefined],
  ]);
  expect(chart.shapes.map(({ floor: at }) => at)).toEqual([0, 1]);
  const { floors, sections } = wireOf({
    subChart: { sections: [{ label: 'Platea', points: [] }] },
  });
  expect([floors, sections[0]!.floor]).toEqual([undefined, undefined]);
});

test('twenty thousand seats travel in less than 60 KB', () => {
  const text = JSON.stringify(wireOf(drawStadium({ seats: 20_000, sections: 40 })));
  expect(gzipSync(text).length).toBeLessThan(60 * 1024);
});

test('a rectangular table and the walls of a box come with their corners, a round table with none', () => {
  const at = { center: { x: 100, y: 50 }, seats: [{ x: 100, y: 20, label: '1' }] };
  const size = { type: 'rectangular', width: 40, height: 20 };
  const { rows } = wireOf({
    subChart: {
      tables: [
        { label: 'T1', type: 'round', radius: 30, ...at },
        { label: 'T2', ...size, rotationAngle: 90, ...at },
        { label: '7', ...size, x_kind: 'palco', radius: 0, ...at },
      ],
    },
  });
  expect(rows.map(({ radius, corners }) => [radius, corners?.length])).toEqual([
    [300, undefined],
    [100, 4],
    [0, 4],
  ]);
  expect(rows[1]!.corners![0]).toEqual({ x: 1100, y: 300 });
});
