/** The chart that comes with the house: a theatre that can be sold, drawn without overlaps. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printDrawing } from '#server/standins/seatsio/draw/print.ts';
import { drawTeatroGoldoni } from '#server/standins/seatsio/draw/teatro-goldoni.ts';
import { readDrawing } from '#server/standins/seatsio/chart/drawing.ts';
import { flattenDrawing } from '#server/standins/seatsio/chart/plan.ts';

const file = readFileSync(
  new URL('../../../server/standins/seatsio/charts/teatro-goldoni.json', import.meta.url),
  'utf8',
);
const drawing = readDrawing(JSON.parse(file));
const { objects, byLabel } = flattenDrawing(drawing, { mode: 'INHERIT' });

test('the file is what the script draws', () => {
  expect(printDrawing(drawTeatroGoldoni())).toBe(file);
});

test('the theatre has its sections, categories and places', () => {
  const count = (section: string) => objects.filter((object) => object.section === section).length;
  expect(drawing.categories.map(({ key, label }) => `${key} ${label}`)).toEqual([
    '1 Platea',
    '2 Palchi',
    '3 Galleria',
  ]);
  expect({
    platea: count('Platea'),
    first: count('Palchi I ordine'),
    second: count('Palchi II ordine'),
    galleria: count('Galleria'),
  }).toEqual({ platea: 288, first: 68, second: 68, galleria: 155 });
  expect(byLabel.get('Loggione')).toMatchObject({
    objectType: 'generalAdmission',
    capacity: 60,
    categoryKey: '3',
    section: undefined,
  });
  expect(objects).toHaveLength(580);
  for (const [section, key] of [
    ['Platea', '1'],
    ['Palchi I ordine', '2'],
    ['Palchi II ordine', '2'],
    ['Galleria', '3'],
  ])
    expect(
      objects
        .filter((object) => object.section === section)
        .every(({ categoryKey }) => categoryKey === key),
    ).toBe(true);
});

test('labels are unique, and the central aisle parts neighbours', () => {
  const drawn = drawing.floors.flatMap(({ sections }) =>
    sections.flatMap(({ subChart }) => subChart.rows.flatMap(({ seats }) => seats)),
  );
  expect(drawn).toHaveLength(579);
  expect(byLabel.get('Platea-F-10')).toMatchObject({ left: 'Platea-F-9', right: undefined });
  expect(byLabel.get('Platea-F-11')).toMatchObject({ left: undefined, right: 'Platea-F-12' });
  expect(byLabel.get('Palchi I ordine-9-1')).toMatchObject({
    left: undefined,
    right: 'Palchi I ordine-9-2',
    parentDisplayedObjectType: 'Palco',
  });
});

test('each wheelchair place has a companion seat beside it', () => {
  const wheelchair = objects.filter(({ flags }) => (flags & 1) !== 0);
  expect(wheelchair.map(({ section }) => section)).toEqual([
    'Platea',
    'Platea',
    'Platea',
    'Platea',
  ]);
  for (const { left, right } of wheelchair)
    expect(
      [left, right].some((label) => label !== undefined && (byLabel.get(label)!.flags & 2) !== 0),
    ).toBe(true);
});

test('no seat lies on another, outside the chart, or outside its section', () => {
  const [floor] = drawing.floors;
  const seats = floor!.sections.flatMap((section) =>
    section.subChart.rows.flatMap((row) => row.seats.map((seat) => ({ ...seat, section }))),
  );
  const name = (seat: (typeof seats)[number]) =>
    `${seat.section.label} ${seat.label} at ${seat.x},${seat.y}`;
  const close = seats.flatMap((seat, index) =>
    seats
      .slice(index + 1)
      .filter((other) => Math.hypot(seat.x - other.x, seat.y - other.y) < 20)
      .map(() => name(seat)),
  );
  const outside = seats
    .filter(({ x, y }) => x < 10 || x > floor!.width - 10 || y < 10 || y > floor!.height - 10)
    .map(name);
  const astray = seats
    .filter((seat) =>
      floor!.sections.some(
        (section) => isInside(seat, section.points) !== (section === seat.section),
      ),
    )
    .map(name);
  expect({ close, outside, astray }).toEqual({ close: [], outside: [], astray: [] });
});

function isInside(at: { x: number; y: number }, points: { x: number; y: number }[]): boolean {
  return (
    points.filter((a, index) => {
      const b = points[(index + 1) % points.length]!;
      return a.y > at.y !== b.y > at.y && at.x < ((b.x - a.x) * (at.y - a.y)) / (b.y - a.y) + a.x;
    }).length %
      2 ===
    1
  );
}

test("distances are measured in 32-bit floats, as the vendor's are", () => {
  expect(byLabel.get('Platea-A-1')!.distance).toBe(228.11744850515052);
  expect(Math.hypot(305.9 - 480, 216.6 - 364)).not.toBe(228.11744850515052);
});
