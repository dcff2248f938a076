/** Rows are found in the marks of a picture, straight, curved, turned and across aisles; a person mends them; then they are a drawing. */
import { expect, test } from 'vitest';
import { checkDrawing } from '#server/drawing/check/check.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { openDrawing } from '#server/drawing/model/open.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { findRows } from '#server/drawing/port/svg/find-rows.ts';
import { drawingOfFound } from '#server/drawing/port/svg/found-drawing.ts';
import {
  doublesIn,
  joinFound,
  keepFound,
  numberFound,
  renameFound,
  reverseFound,
  sectionFound,
  splitFound,
  type Found,
} from '#server/drawing/port/svg/found.ts';
import type { Marks, SeatMark } from '#server/drawing/port/svg/marks.ts';
import { shapeKinds, usualKinds } from '#server/drawing/port/svg/shape-kinds.ts';
import { svgOf } from '#server/drawing/port/svg/write.ts';
import { walkSeats } from '#server/drawing/port/walk.ts';
import { countingIds, readHalls } from './halls.ts';

function mark(x: number, y: number, more: Partial<SeatMark> = {}): SeatMark {
  return { x, y, width: 16, height: 16, color: '#3f8fc4', groups: [], name: '', ...more };
}

/** The seats of a hall as a stranger's picture would show them, shuffled. */
function picture(doc: Doc, { hasNumbers }: { hasNumbers: boolean }): Marks {
  const walked = walkSeats(doc, doc.floors[0]!.id).filter(({ holder }) => holder.kind === 'row');
  const shuffled = walked.toSorted((a, b) => ((a.at.x * 7919) % 97) - ((b.at.x * 7919) % 97));
  return {
    seats: shuffled.map(({ at }) => mark(at.x * 3, at.y * 3, { width: 50, height: 50 })),
    texts: hasNumbers
      ? shuffled.map(({ at, seat }) => ({
          x: at.x * 3 + 1,
          y: at.y * 3 - 1,
          text: seat.label!,
          size: 14,
          groups: [],
        }))
      : [],
    outlines: [],
  };
}

type Place = { x: number; y: number };
const nameOf = ({ x, y }: Place): string => `${Math.round(x)},${Math.round(y)}`;

/** Boxes are too small to be told apart by places alone: their chairs are looked at in a picture with groups. */
function longRowsOf(doc: Doc): Place[][] {
  const walked = walkSeats(doc, doc.floors[0]!.id).filter(({ holder }) => holder.kind === 'row');
  const rows = new Map<unknown, Place[]>();
  for (const { holder, at } of walked)
    rows.set(holder, [...(rows.get(holder) ?? []), { x: at.x * 3, y: at.y * 3 }]);
  return [...rows.values()].filter((row) => row.length > 5);
}

const withRows = readHalls().filter(([, raw]) => longRowsOf(openDrawing(raw)).length > 2);

test.each(withRows)('rows are found in the bare picture of a hall: %s', (_name, raw) => {
  const doc = openDrawing(raw);
  const wanted = longRowsOf(doc);
  const namesOf = (row: readonly Place[]) => row.map(nameOf).toSorted().join(' ');
  const found = findRows(picture(doc, { hasNumbers: true }));
  const right = new Set(found.rows.map(({ seats }) => namesOf(seats)));
  const whole = wanted.filter((row) => right.has(namesOf(row))).length / wanted.length;
  // Without numbers a row may go on across the next aisle, but it is not torn and not mixed with another.
  const bare = findRows(picture(doc, { hasNumbers: false }));
  const rowOf = new Map(
    bare.rows.flatMap(({ id, seats }) => seats.map((seat) => [nameOf(seat), id] as const)),
  );
  const untorn =
    wanted.filter((row) => new Set(row.map((seat) => rowOf.get(nameOf(seat)))).size === 1).length /
    wanted.length;
  expect(whole).toBeGreaterThan(0.9);
  expect(untorn).toBeGreaterThan(0.8);
});

/** Two rows of five with an aisle after the third seat, a name before each, a title above. */
function twoRows(): Found {
  const seats = [0, 1].flatMap((line) =>
    [0, 1, 2, 5, 6].map((place) =>
      mark(100 + place * 20, 100 + line * 30, { color: line === 0 ? '#aa0000' : '#00aa00' }),
    ),
  );
  const texts = ['M', 'N'].map((text, line) => ({
    text,
    x: 74,
    y: 100 + line * 30,
    size: 10,
    groups: [],
  }));
  const title = { text: 'Platea bassa', x: 150, y: 40, size: 30, groups: [] };
  const stage = mark(150, 10, { width: 200, height: 30 });
  return findRows({ seats: [...seats, stage], texts: [...texts, title], outlines: [] });
}

test('names beside rows, aisles, a stage and a title are told apart', () => {
  const found = twoRows();
  expect(
    found.rows.map(({ label, isNamed, seats, gaps }) => [
      label,
      isNamed,
      seats.map((seat) => seat.label).join(),
      [...gaps],
    ]),
  ).toEqual([
    ['M', true, '1,2,3,4,5', [2]],
    ['N', true, '1,2,3,4,5', [2]],
  ]);
  expect(found.texts.map(({ text }) => text)).toEqual(['Platea bassa']);
  expect(found.outlines).toHaveLength(1);
  expect(found.leftOut).toBe(1);
});

test('a plan of zones has no seats, until a person says that these shapes are the seats', () => {
  const zones = [0, 1, 2, 3].map((at) => mark(100 + at * 160, 100, { width: 150, height: 120 }));
  const stage = mark(340, 10, { width: 400, height: 40 });
  const marks: Marks = { seats: [...zones, stage], texts: [], outlines: [] };
  const found = findRows(marks);
  expect([found.rows.length, found.outlines.length]).toEqual([0, 5]);
  expect(usualKinds(marks.seats).size).toBe(0);
  const [commonest] = shapeKinds(marks.seats);
  expect(commonest).toMatchObject({ count: 4, width: 150, height: 120 });
  const said = findRows(marks, { kinds: new Set([commonest!.key]) });
  expect(said.rows.map(({ seats }) => seats.length)).toEqual([4]);
  expect(said.outlines).toHaveLength(1);

  // Chairs beside more numerous dots of a legend: the person's choice counts, not the number.
  const dots = Array.from({ length: 90 }, (_, at) => mark(at * 9, 600, { width: 4, height: 4 }));
  const chairs = Array.from({ length: 40 }, (_, at) =>
    mark(60 + (at % 10) * 24, 60 + Math.floor(at / 10) * 30),
  );
  const mixed: Marks = { seats: [...dots, ...chairs], texts: [], outlines: [] };
  const kind = shapeKinds(mixed.seats).find(({ width }) => width === 16)!;
  const chosen = findRows(mixed, { kinds: new Set([kind.key]) });
  expect(chosen.rows.map(({ seats }) => seats.length)).toEqual([10, 10, 10, 10]);
});

test('what a person mends is what is made', () => {
  let found = twoRows();
  const [m, n] = found.rows.map(({ id }) => id) as [string, string];
  found = splitFound(found, m, 2);
  const right = found.rows[1]!.id;
  expect(found.rows.map(({ seats }) => seats.length)).toEqual([3, 2, 5]);
  expect(doublesIn(found).rows).toEqual(new Set([m, right]));
  found = renameFound(found, right, 'M dx');
  expect(doublesIn(found).rows.size).toBe(0);
  found = joinFound(found, m, right);
  expect(found.rows[0]).toMatchObject({ label: 'M', gaps: new Set([2]) });
  expect(found.rows[0]!.seats.map(({ x }) => x)).toEqual([100, 120, 140, 200, 220]);
  expect(doublesIn(numberFound(found, m, { first: 1, step: 0 })).seats).toEqual(new Set([m]));
  found = numberFound(found, m, { first: 10, step: 2 });
  found = reverseFound(found, m);
  expect(found.rows[0]!.seats.map(({ x, label }) => `${x}:${label}`)).toEqual([
    '220:10',
    '200:12',
    '140:14',
    '120:16',
    '100:18',
  ]);
  expect([...found.rows[0]!.gaps]).toEqual([1]);
  found = sectionFound(found, new Set([m]), 'Platea');
  found = keepFound(found, new Set([n]), false);
  const raw = drawingOfFound(found, {
    newId: countingIds(),
    categories: new Map([['#aa0000', 'Primi']]),
    hasTexts: true,
    hasOutlines: true,
  });
  const doc = openDrawing(raw);
  const seats = walkSeats(doc, 'floor-0');
  expect(seats.map(({ label, category }) => `${label} ${category?.label}`)).toEqual(
    [10, 12, 14, 16, 18].map((seat) => `Platea-M-${seat} Primi`),
  );
  expect(seats[1]!.seat.x_gapAfter).toBe(true);
  expect(seats[0]!.at.x - seats[1]!.at.x).toBeCloseTo(24, 1);
  expect(
    [...doc.items.values()].filter(({ kind }) => kind === 'text' || kind === 'shape'),
  ).toHaveLength(2);
  expect(checkDrawing(raw).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('ids that a drawer gave name rows and seats; ids that a program counted up do not', () => {
  const row = (label: string, y: number) =>
    [1, 2, 3].map((seat) => mark(100 - seat * 20, y, { name: `fila-${label}-posto-${seat}` }));
  const named = findRows({ seats: [...row('K', 0), ...row('J', 30)], texts: [], outlines: [] });
  expect(
    named.rows.map(({ label, seats }) => [
      label,
      seats.map((seat) => `${seat.label}@${seat.x}`).join(),
    ]),
  ).toEqual([
    ['K', '1@80,2@60,3@40'],
    ['J', '1@80,2@60,3@40'],
  ]);
  const inParts = ['1', '2'].flatMap((section, at) =>
    [1, 2].map((seat) => mark(seat * 20, at * 30, { name: `seat-${section}-A-${seat}` })),
  );
  const rows = findRows({ seats: inParts, texts: [], outlines: [] }).rows;
  expect(rows.map(({ section, label, seats }) => [section, label, seats.length])).toEqual([
    ['1', 'A', 2],
    ['2', 'A', 2],
  ]);
  const counted = Array.from({ length: 60 }, (_, index) =>
    mark((index % 10) * 20, Math.floor(index / 10) * 30, { name: `circle${4000 + index}` }),
  );
  const found = findRows({ seats: counted, texts: [], outlines: [] });
  expect(found.rows.map(({ label, isNamed, seats }) => [label, isNamed, seats[9]!.label])).toEqual(
    ['A', 'B', 'C', 'D', 'E', 'F'].map((label) => [label, false, '10']),
  );
});

test('two digits in one seat are one number, and digits drawn as outlines are no seats', () => {
  const seats = [1, 2, 3, 4, 5, 6].map((at) => mark(at * 20, 0));
  const digit = (text: string, x: number) => ({ text, x, y: 0, size: 8, groups: [] });
  const texts = seats.flatMap(({ x }, at) => [digit('1', x - 3), digit(String(at), x + 3)]);
  const numbers = (found: Found) => found.rows.map((row) => row.seats.map(({ label }) => label));
  expect(numbers(findRows({ seats, texts, outlines: [] }))).toEqual([
    ['10', '11', '12', '13', '14', '15'],
  ]);
  const drawn = seats.flatMap(({ x }, at) => [
    mark(x - 3, 0, { width: 3, height: 8 }),
    mark(x + 3, 0, { width: at === 0 ? 3 : 6, height: 8 }),
  ]);
  expect(numbers(findRows({ seats: [...seats, ...drawn], texts: [], outlines: [] }))).toEqual([
    ['1', '2', '3', '4', '5', '6'],
  ]);
});

test('rows that stand upright are found when a person says so; layers with names are sections', () => {
  const seats = Array.from({ length: 40 }, (_, index) =>
    mark((index % 8) * 20, Math.floor(index / 8) * 20, {
      groups: [index < 20 ? 'Platea' : 'Galleria'],
    }),
  );
  const across = findRows({ seats, texts: [], outlines: [] });
  expect(across.rows.map(({ seats: inside }) => inside.length)).toEqual([8, 8, 4, 4, 8, 8]);
  expect(new Set(across.rows.map(({ section }) => section))).toEqual(
    new Set(['Platea', 'Galleria']),
  );
  const plain = seats.map((seat) => ({ ...seat, groups: [] }));
  const upright = findRows({ seats: plain, texts: [], outlines: [] }, { direction: 'vertical' });
  expect(upright.rows.map(({ seats: inside }) => inside.length)).toEqual(
    Array.from({ length: 8 }, () => 5),
  );
});

test('nothing in a picture is nothing found, and four thousand marks are no long wait', () => {
  expect(findRows({ seats: [], texts: [], outlines: [] }).rows).toEqual([]);
  expect(findRows({ seats: [mark(1, 1)], texts: [], outlines: [] }).rows).toHaveLength(1);
  const pile = Array.from({ length: 1500 }, () => mark(5, 5));
  expect(findRows({ seats: pile, texts: [], outlines: [] }).rows).toHaveLength(1);
  const many = Array.from({ length: 4000 }, (_, index) =>
    mark((index % 200) * 20, Math.floor(index / 200) * 30),
  );
  const began = performance.now();
  expect(findRows({ seats: many, texts: [], outlines: [] }).rows).toHaveLength(20);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('a picture that goes out holds no more than it shows, whatever the names in it are', () => {
  for (const [, raw] of readHalls()) {
    const doc = openDrawing(raw);
    const seats = walkSeats(doc, doc.floors[0]!.id);
    const svg = svgOf(doc, doc.floors[0]!.id, {
      hasLabels: true,
      hasColors: true,
      title: 'Pianta',
    });
    expect(svg.match(/data-seat="/g)).toHaveLength(seats.length);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
  const bad = `"><script>alert(1)</script>\u0000&`;
  const doc = openDrawing({
    name: bad,
    categories: { list: [{ key: 1, label: bad, color: bad }] },
    subChart: {
      rows: [{ label: bad, seats: [{ label: bad, x: 1, y: 'x', categoryKey: 1 }] }],
      shapes: [{ type: 'rectangle', fillColor: bad, label: bad, width: 'a' }],
      texts: [{ text: bad, textColor: bad }],
    },
  });
  const svg = svgOf(doc, 'floor-0', { hasLabels: true, hasColors: true, title: bad });
  expect(svg).not.toContain('<script');
  expect(svg).not.toContain('\u0000');
  expect(seatsOf([...doc.items.values()][0])).toHaveLength(1);
});

test('tables are found where seats stand all around something larger; a desk among rows is none', () => {
  const around = (cx: number, cy: number, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const angle = (2 * Math.PI * at) / count;
      return mark(cx + 42 * Math.cos(angle), cy + 42 * Math.sin(angle));
    });
  const top = (x: number, y: number, width = 56, height = 56) =>
    mark(x, y, { width, height, color: '#ccbbaa' });
  const long = [-40, 0, 40].flatMap((dx) => [mark(500 + dx, 72), mark(500 + dx, 128)]);
  const rows = Array.from({ length: 6 }, (_, row) =>
    Array.from({ length: 14 }, (_seat, seat) => mark(60 + seat * 20, 400 + row * 24)),
  )
    .flat()
    .filter(({ x, y }) => !(x > 150 && x < 250 && y > 420 && y < 480));
  const found = findRows({
    seats: [
      ...around(100, 100, 8),
      top(100, 100),
      ...around(260, 100, 6),
      top(260, 100),
      ...long,
      top(500, 100, 130, 36),
      ...rows,
      top(200, 448, 76, 40),
    ],
    texts: [{ x: 100, y: 101, text: 'Nozze', size: 12, groups: [] }],
    outlines: [],
  });
  const tables = found.rows.filter(({ table }) => table);
  expect(tables.map(({ label, seats }) => [label, seats.length])).toEqual([
    ['Nozze', 8],
    ['T2', 6],
    ['T3', 6],
  ]);
  expect(found.rows.filter(({ table }) => !table).flatMap(({ seats }) => seats)).toHaveLength(
    rows.length,
  );
  expect(found.outlines).toHaveLength(1);
  const drawn = drawingOfFound(found, {
    newId: countingIds(),
    categories: new Map([['#3f8fc4', 'Sala']]),
    hasTexts: true,
    hasOutlines: true,
    scale: 1,
  });
  const { tables: made } = drawn['subChart'] as { tables: { type: string; width?: number }[] };
  expect(made.map(({ type, width }) => [type, width])).toEqual([
    ['round', undefined],
    ['round', undefined],
    ['rectangular', 130],
  ]);
  expect(checkDrawing(drawn).filter(({ severity }) => severity === 'error')).toEqual([]);
});
