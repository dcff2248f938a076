/** What the designer makes stands where it was asked for, and the chart server takes it. */
import { expect, test } from 'vitest';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { listObjects } from '#server/standins/seatsio/plan/plan.ts';
import { makeArea, makeEllipse } from '#server/drawing/edit/areas.ts';
import { makeText } from '#server/drawing/edit/decor.ts';
import { makeRow, makeRowBlock, makeSegmentedRow } from '#server/drawing/edit/rows/make.ts';
import { resizeRow, seatsFor } from '#server/drawing/edit/rows/resize.ts';
import { makeSection } from '#server/drawing/edit/sections.ts';
import { makeBooth, makeRoundTable } from '#server/drawing/edit/tables/make.ts';
import { palchiAlong } from '#server/drawing/edit/tables/palchi.ts';
import { madeBy } from '#server/drawing/edit/targets.ts';
import { moveSelection, rotateSelection } from '#server/drawing/edit/transform.ts';
import { removeSelection } from '#server/drawing/edit/remove.ts';
import { absoluteSeats } from '#server/drawing/geometry/absolute.ts';
import { selectItems } from '#server/drawing/model/selection.ts';
import { saveDrawing } from '#server/drawing/model/open.ts';
import type { Doc, Point } from '#server/drawing/model/data.ts';
import { Drawn } from './drawn.ts';

const FLOOR = { floor: 'floor-0', section: null };
const INHERIT = { mode: 'INHERIT' } as const;

function steps(seats: readonly Point[]): number[] {
  return seats.slice(1).map(({ x, y }, at) => Math.hypot(x - seats[at]!.x, y - seats[at]!.y));
}

/** A tier of boxes along a drawn line. */
function makeTier(
  drawn: Drawn,
  points: readonly Point[],
  options: { boxes: number; chairs: number; tier?: string },
): string[] {
  const line = { at: FLOOR, points, categoryKey: 1 };
  const [row] = drawn.make(makeSegmentedRow(drawn.doc, line, drawn.newId));
  return drawn.make(palchiAlong(drawn.doc, row!, options, drawn.newId));
}

function seatsOfMade(doc: Doc, id: string): Point[] {
  return absoluteSeats(doc, doc.items.get(id)!);
}

test('the seats of a new row are as far apart as was asked, however it is bent', () => {
  for (const curve of [0, 12, -30, 120])
    for (const spacing of [18, 24.5]) {
      const drawn = new Drawn();
      const line = { from: { x: 100, y: 100 }, to: { x: 500, y: 180 } };
      const [id] = drawn.make(
        makeRow(drawn.doc, { at: FLOOR, ...line, spacing, curve }, drawn.newId),
      );
      const seats = seatsOfMade(drawn.doc, id!);
      expect(seats.length).toBeGreaterThan(10);
      for (const step of steps(seats)) expect(Math.abs(step - spacing)).toBeLessThan(0.03);
      // The next one would not fit any more.
      if (curve === 0)
        expect(Math.hypot(400, 80) - (seats.length - 1) * spacing).toBeLessThan(spacing);
    }
});

test('with a number of seats, the first and the last stand on the ends', () => {
  for (const curve of [0, 40, -90]) {
    const drawn = new Drawn();
    const [from, to] = [
      { x: 100, y: 100 },
      { x: 500, y: 100 },
    ];
    const made = makeRow(drawn.doc, { at: FLOOR, from, to, seats: 21, curve }, drawn.newId);
    const [id] = drawn.make(made);
    const seats = seatsOfMade(drawn.doc, id!);
    expect(seats).toHaveLength(21);
    expect(seats[0]).toMatchObject(from);
    expect(seats.at(-1)!.x).toBeCloseTo(500, 1);
    expect(seats[10]!.y).toBeCloseTo(100 + curve, 1);
    const [first, ...rest] = steps(seats);
    for (const step of rest) expect(Math.abs(step - first!)).toBeLessThan(0.03);
  }
});

test('a row goes round its bends without coming too close', () => {
  const drawn = new Drawn();
  const points = [
    { x: 0, y: 0 },
    { x: 200, y: 0 },
    { x: 200, y: 200 },
  ];
  for (const smooth of [false, true]) {
    const made = makeSegmentedRow(drawn.doc, { at: FLOOR, points, smooth }, drawn.newId);
    const [id] = drawn.make(made);
    const seats = seatsOfMade(drawn.doc, id!);
    for (const step of steps(seats)) expect(Math.abs(step - 24)).toBeLessThan(0.03);
  }
});

test('a block has its rows one behind the other, each seat at its distance', () => {
  for (const curve of [0, 30, -30]) {
    const drawn = new Drawn();
    const made = makeRowBlock(
      drawn.doc,
      {
        at: FLOOR,
        origin: { x: 400, y: 100 },
        rows: 12,
        seats: 20,
        curve,
        stagger: 12,
        categoryKey: 1,
      },
      drawn.newId,
    );
    expect(made!.detail).toBe(240);
    const ids = drawn.make(made);
    const labels = ids.map((id) => drawn.doc.items.get(id)!.data.label);
    expect(labels).toEqual([...'ABCDEFGHIJKL']);
    const rows = ids.map((id) => seatsOfMade(drawn.doc, id));
    for (const row of rows)
      for (const step of steps(row)) expect(Math.abs(step - 24)).toBeLessThan(0.03);
    const middles = [0, 2, 4].map((row) => (rows[row]![9]!.y + rows[row]![10]!.y) / 2);
    expect(middles[1]! - middles[0]!).toBeCloseTo(66, 0);
    expect(middles[2]! - middles[1]!).toBeCloseTo(66, 0);
    drawn.isGood();
  }
});

test('a row dragged longer goes on along its line with the next numbers, and back again', () => {
  const drawn = new Drawn();
  const line = { from: { x: 100, y: 100 }, to: { x: 400, y: 100 }, curve: 40, spacing: 24 };
  const [id] = drawn.make(makeRow(drawn.doc, { at: FLOOR, ...line, categoryKey: 1 }, drawn.newId));
  const before = seatsOfMade(drawn.doc, id!);
  drawn.make(resizeRow(drawn.doc, id!, 'end', before.length + 3, drawn.newId));
  drawn.make(resizeRow(drawn.doc, id!, 'start', before.length + 5, drawn.newId));
  const after = seatsOfMade(drawn.doc, id!);
  for (const step of steps(after)) expect(Math.abs(step - 24)).toBeLessThan(0.05);
  expect(after.slice(2, -3)).toMatchObject(before);
  const row = drawn.doc.items.get(id!)!;
  const labels = row.kind === 'row' ? row.data.seats.map(({ label }) => Number(label)) : [];
  expect(new Set(labels).size).toBe(before.length + 5);
  expect(labels.slice(-3)).toEqual([1, 2, 3].map((more) => before.length + more));
  drawn.isGood();
  expect(seatsFor(drawn.doc, id!, 'end', after.at(-3)!)).toBe(after.length - 2);
});

test('a bent row goes into the section that its seats are in, though its middle lies outside', () => {
  const drawn = new Drawn();
  const line = { from: { x: 200, y: 200 }, to: { x: 800, y: 200 }, curve: 250 };
  const [row] = drawn.make(makeRow(drawn.doc, { at: FLOOR, ...line, categoryKey: 1 }, drawn.newId));
  const seats = seatsOfMade(drawn.doc, row!);
  const around = (by: number) =>
    seats.map(({ x, y }) => ({ x: 500 + (x - 500) * by, y: 100 + (y - 100) * by }));
  const points = [...around(1.1), ...around(0.9).toReversed()];
  const made = makeSection(drawn.doc, { floor: FLOOR.floor, points, take: true }, drawn.newId);
  const [section] = drawn.make(made);
  expect(drawn.doc.items.get(row!)!.section).toBe(section);
});

test('a section takes what lies inside, and a turn of it turns everything by the same', () => {
  const drawn = new Drawn();
  const at = FLOOR;
  const rows = drawn.make(
    makeRowBlock(drawn.doc, { at, origin: { x: 300, y: 200 }, rows: 3, seats: 8 }, drawn.newId),
  );
  const points = [
    { x: 100, y: 100 },
    { x: 500, y: 100 },
    { x: 500, y: 400 },
    { x: 100, y: 400 },
  ];
  const before = seatsOfMade(drawn.doc, rows[1]!);
  const made = makeSection(
    drawn.doc,
    { floor: at.floor, points, take: true, categoryKey: 1 },
    drawn.newId,
  );
  const [section] = drawn.make(made);
  expect(drawn.doc.items.get(rows[1]!)!.section).toBe(section);
  expect(seatsOfMade(drawn.doc, rows[1]!)).toMatchObject(before);
  drawn.isGood();
  const turn = rotateSelection(drawn.doc, selectItems([section!, rows[0]!]), 90, { x: 0, y: 0 });
  drawn.make(turn);
  const after = seatsOfMade(drawn.doc, rows[1]!);
  for (const [index, { x, y }] of before.entries()) {
    expect(after[index]!.x).toBeCloseTo(-y, 1);
    expect(after[index]!.y).toBeCloseTo(x, 1);
  }
  drawn.make(moveSelection(drawn.doc, selectItems([section!]), { dx: 7, dy: -3 }));
  expect(seatsOfMade(drawn.doc, rows[1]!)[0]!.x).toBeCloseTo(after[0]!.x + 7, 1);
  drawn.isGood();
  drawn.make(removeSelection(drawn.doc, selectItems([section!])));
  expect(drawn.doc.items.size).toBe(0);
});

test('one of each is listed by the chart server as what it is', () => {
  const drawn = new Drawn();
  const at = FLOOR;
  const center = { x: 300, y: 300 };
  const square = [
    { x: 0, y: 0 },
    { x: 90, y: 0 },
    { x: 90, y: 90 },
  ];
  const put = { at, categoryKey: 1 } as const;
  drawn.make(makeRoundTable(drawn.doc, { ...put, center, chairs: 8 }, drawn.newId));
  const whole = { ...put, center: { x: 500, y: 300 }, chairs: 6, whole: true };
  drawn.make(makeRoundTable(drawn.doc, whole, drawn.newId));
  drawn.make(makeBooth(drawn.doc, { ...put, center: { x: 700, y: 300 } }, drawn.newId));
  drawn.make(makeArea(drawn.doc, { ...put, points: square, capacity: 80 }, drawn.newId));
  const ellipse = { ...put, center: { x: 50, y: 500 }, radius1: 60, radius2: 30 };
  drawn.make(makeEllipse(drawn.doc, ellipse, drawn.newId));
  const path = [
    { x: 100, y: 700 },
    { x: 600, y: 700 },
  ];
  makeTier(drawn, path, { boxes: 5, chairs: 4, tier: 'I ordine' });
  drawn.make(makeText(drawn.doc, { at, center, text: 'Ingresso' }, drawn.newId));
  drawn.isGood();
  const saved = saveDrawing(drawn.doc);
  const objects = listObjects(readDrawing(saved), INHERIT);
  const count = (type: string) => objects.filter(({ objectType }) => objectType === type).length;
  expect(['seat', 'table', 'booth', 'generalAdmission'].map(count)).toEqual([28, 1, 1, 2]);
  expect(checkDrawing(saved).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('the parapets of a tier look at the hall, whichever way its line was drawn', () => {
  const path = [
    { x: 200, y: 100 },
    { x: 300, y: 400 },
    { x: 700, y: 400 },
    { x: 800, y: 100 },
  ];
  for (const line of [path, path.toReversed()]) {
    const drawn = new Drawn();
    const ids = makeTier(drawn, line, { boxes: 16, chairs: 4 });
    for (const id of ids) {
      const seats = seatsOfMade(drawn.doc, id);
      const [front, back] = [seats[0]!, seats.at(-1)!].map(({ x, y }) => Math.hypot(x - 500, y));
      expect(front).toBeLessThan(back!);
    }
    drawn.isGood();
  }
});

test('boxes along a row take its place on its line, and its category', () => {
  const drawn = new Drawn();
  const line = { from: { x: 200, y: 300 }, to: { x: 800, y: 300 }, curve: 200 };
  const row = drawn.make(makeRow(drawn.doc, { at: FLOOR, ...line, categoryKey: 1 }, drawn.newId));
  const options = { boxes: 9, chairs: 4, tier: 'I ordine', firstLabel: '5' };
  const boxes = drawn.make(palchiAlong(drawn.doc, row[0]!, options, drawn.newId));
  expect(drawn.doc.items.has(row[0]!)).toBe(false);
  const data = boxes.map((id) => drawn.doc.items.get(id)!.data);
  expect(data.map(({ label }) => label)).toEqual([...'56789', '10', '11', '12', '13']);
  const centre = (data[4] as { center: Point }).center;
  expect(centre.x).toBeCloseTo(500, 0);
  expect(centre.y).toBeCloseTo(500, 0);
  expect(drawn.errors()).toEqual([]);
});

test('nothing impossible is made', () => {
  const { doc, newId } = new Drawn();
  const center = { x: Number.NaN, y: 0 };
  expect(makeRow(doc, { at: FLOOR, from: center, to: center }, newId)).toBeNull();
  expect(makeArea(doc, { at: FLOOR, points: [] }, newId)).toBeNull();
  expect(
    makeBooth(doc, { at: { floor: 'none', section: null }, center: { x: 0, y: 0 } }, newId),
  ).toBeNull();
  expect(makeText(doc, { at: FLOOR, center: { x: 0, y: 0 }, text: ' ' }, newId)).toBeNull();
  expect(madeBy(null).items.size).toBe(0);
});
