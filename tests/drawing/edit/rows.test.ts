/** Rows are bent, parted, put together and keep the distances and names that they should. */
import { expect, test } from 'vitest';
import { makeRow, makeRowBlock, makeSegmentedRow } from '#server/drawing/edit/rows/make.ts';
import { joinRows, reverseRows, splitRow, swapLabels } from '#server/drawing/edit/rows/parts.ts';
import { setAisle } from '#server/drawing/edit/rows/aisle.ts';
import { insertSeat, stretchRow } from '#server/drawing/edit/rows/resize.ts';
import {
  curveFor,
  curveOf,
  curveRows,
  setRowPoints,
  setSpacing,
  smoothRows,
  straightenRows,
} from '#server/drawing/edit/rows/shape.ts';
import { removeSelection } from '#server/drawing/edit/remove.ts';
import { moveSelection } from '#server/drawing/edit/transform.ts';
import { absoluteSeats } from '#server/drawing/geometry/absolute.ts';
import { NOTHING_SELECTED } from '#server/drawing/model/selection.ts';
import type { Point, SeatData } from '#server/drawing/model/data.ts';
import { Drawn } from './drawn.ts';

const AT = { floor: 'floor-0', section: null };

class OneRow extends Drawn {
  readonly id: string;

  constructor(seats = 11, y = 100) {
    super();
    this.id = this.row(seats, 100, y);
  }

  row(seats: number, x: number, y: number): string {
    const [from, to] = [
      { x, y },
      { x: x + (seats - 1) * 20, y },
    ];
    const made = makeRow(
      this.doc,
      { at: AT, from, to, seats, spacing: 20, categoryKey: 1 },
      this.newId,
    );
    return this.make(made)[0]!;
  }

  seats(id = this.id): readonly SeatData[] {
    const row = this.doc.items.get(id)!;
    return row.kind === 'row' ? row.data.seats : [];
  }

  places(): Point[] {
    return absoluteSeats(this.doc, this.doc.items.get(this.id)!);
  }

  steps(): number[] {
    const places = this.places();
    return places.slice(1).map(({ x, y }, at) => Math.hypot(x - places[at]!.x, y - places[at]!.y));
  }

  labels(id = this.id): (string | undefined)[] {
    return this.seats(id).map(({ label }) => label);
  }
}

const all = (steps: number[], wanted: number) =>
  expect(steps.filter((step) => Math.abs(step - wanted) > 0.03)).toEqual([]);

test('a curve keeps the distances and the middle, and bends as far as asked', () => {
  for (const curve of [5, -5, 40, -60]) {
    const row = new OneRow();
    row.act(curveRows(row.doc, [row.id], curve));
    all(row.steps(), 20);
    const [first, middle, last] = [0, 5, 10].map((seat) => row.places()[seat]!);
    expect(middle!.x).toBeCloseTo(200, 1);
    expect(middle!.y - (first!.y + last!.y) / 2).toBeCloseTo(curve, 1);
    expect(curveOf(row.doc, row.id)).toBeCloseTo(curve, 0);
    expect(curveFor(row.doc, row.id, middle!)).toBeCloseTo(curve, 0);
    row.act(straightenRows(row.doc, [row.id]));
    all(row.steps(), 20);
    expect(new Set(row.places().map(({ y }) => Math.round(y)))).toEqual(new Set([100]));
  }
});

test('a curve that is more than half a circle stops there', () => {
  const row = new OneRow();
  row.act(curveRows(row.doc, [row.id], 10_000));
  all(row.steps(), 20);
  row.isGood();
});

test('seats that were moved by hand stand on one arc again', () => {
  const row = new OneRow();
  const seats = (position: number) => ({
    ...NOTHING_SELECTED,
    seats: new Map([[row.id, new Set([position])]]),
  });
  for (const [position, dy] of [
    [3, 6],
    [4, 9],
    [5, 10],
    [6, 8],
    [7, 7],
  ] as const)
    row.act(moveSelection(row.doc, seats(position), { dx: 3, dy }));
  row.act(smoothRows(row.doc, [row.id]));
  const steps = row.steps();
  all(steps, steps[0]!);
  expect(curveOf(row.doc, row.id)).toBeGreaterThan(6);
});

test('an aisle opens by its width, keeps it when the spacing changes, and closes again', () => {
  const row = new OneRow();
  row.act(setAisle(row.doc, [{ id: row.id, after: 4 }], 50));
  expect(row.steps()).toEqual([20, 20, 20, 20, 70, 20, 20, 20, 20, 20]);
  expect(row.seats()[4]!.x_gapAfter).toBe(true);
  row.act(setSpacing(row.doc, [row.id], 25));
  expect(row.steps()).toEqual([25, 25, 25, 25, 75, 25, 25, 25, 25, 25]);
  row.act(setAisle(row.doc, [{ id: row.id, after: 4 }], null));
  all(row.steps(), 25);
  expect(row.seats()[4]!.x_gapAfter).toBeUndefined();
});

test('an aisle through a block leaves each row in its middle', () => {
  for (const curve of [0, 25]) {
    const drawn = new OneRow();
    const block = { at: AT, origin: { x: 400, y: 300 }, rows: 4, seats: [10, 12], curve };
    const ids = drawn.make(makeRowBlock(drawn.doc, block, drawn.newId));
    const places = ids.map((id, row) => ({ id, after: row === 0 ? 4 : 5 }));
    drawn.act(setAisle(drawn.doc, places, 30, 'middle'));
    for (const { id, after } of places) {
      const seats = drawn.seats(id);
      const [a, b] = [seats[after]!, seats[after + 1]!];
      expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeCloseTo(54, 1);
      expect((a.x + b.x) / 2).toBeCloseTo(400, 1);
      expect((seats[0]!.x + seats.at(-1)!.x) / 2).toBeCloseTo(400, 1);
    }
  }
});

test('a deleted seat parts its neighbours; a seat put between them has a number of its own', () => {
  const row = new OneRow();
  const seats = new Map([[row.id, new Set([3, 10])]]);
  row.act(removeSelection(row.doc, { items: new Set(), seats }));
  expect(row.labels()).toEqual(['1', '2', '3', '5', '6', '7', '8', '9', '10']);
  expect(row.seats()[2]!.x_gapAfter).toBe(true);
  expect(row.seats().at(-1)!.x_gapAfter).toBeUndefined();
  row.act(insertSeat(row.doc, row.id, 3, row.newId));
  expect(row.labels()[3]).toBe('11');
  expect(row.seats()[2]!.x_gapAfter).toBeUndefined();
  row.isGood();
});

test('the parts of a row keep its name, and put together again are what it was', () => {
  const row = new OneRow();
  const before = JSON.stringify(row.seats());
  row.act(splitRow(row.doc, row.id, 4, row.newId));
  const [, other] = [...row.doc.items.keys()];
  expect([row.labels().length, row.labels(other).length]).toEqual([5, 6]);
  expect(row.doc.items.get(other!)!.data.label).toBe('A');
  row.isGood();
  row.act(joinRows(row.doc, [row.id, other!]));
  expect(JSON.stringify(row.seats())).toBe(before);
});

test('rows are joined in the order in which they stand; double numbers give way', () => {
  const row = new OneRow(3);
  const other = row.row(3, 300, 100);
  row.act(reverseRows(row.doc, [other]));
  row.act(joinRows(row.doc, [row.id, other]));
  expect(row.labels()).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(row.places().map(({ x }) => x)).toEqual([100, 120, 140, 300, 320, 340]);
  expect(row.seats()[2]!.x_gapAfter).toBe(true);
});

test('a part of a row that is joined with another gets no number of its other part', () => {
  const row = new OneRow();
  const other = row.row(3, 100, 300);
  row.act(splitRow(row.doc, row.id, 4, row.newId));
  row.act(joinRows(row.doc, [row.id, other]));
  row.isGood();
});

test('a row turned round has its aisle where it was; numbers from the other side leave the seats alone', () => {
  const row = new OneRow();
  row.act(setAisle(row.doc, [{ id: row.id, after: 3 }], 40));
  const aisle = row.places().slice(3, 5);
  row.act(reverseRows(row.doc, [row.id]));
  const gap = row.seats().findIndex(({ x_gapAfter }) => x_gapAfter === true);
  expect([row.places()[gap + 1], row.places()[gap]]).toEqual(aisle);
  const places = row.places();
  row.act(swapLabels(row.doc, [row.id]));
  expect(row.labels()[0]).toBe('1');
  expect(row.places()).toEqual(places);
});

test('a row is stretched between its ends, and follows new bends', () => {
  const row = new OneRow();
  row.act(stretchRow(row.doc, row.id, { end: { x: 100, y: 400 } }));
  all(row.steps(), 30);
  expect(row.places()[5]).toEqual({ x: 100, y: 250 });
  const points = [
    { x: 0, y: 0 },
    { x: 150, y: 0 },
    { x: 150, y: 300 },
  ];
  row.act(setRowPoints(row.doc, row.id, points));
  all(row.steps(), 30);
  expect(row.places()[0]).toEqual({ x: 0, y: 0 });
  expect(row.places()[10]!.x).toBe(150);
});

test('a segmented row is rounded without its seats coming closer', () => {
  const row = new OneRow();
  const points = [
    { x: 0, y: 200 },
    { x: 200, y: 400 },
    { x: 400, y: 200 },
  ];
  const [id] = row.make(makeSegmentedRow(row.doc, { at: AT, points, spacing: 22 }, row.newId));
  const before = row.seats(id)[8]!.y;
  row.act(smoothRows(row.doc, [id!]));
  const seats = row.seats(id);
  for (const [at, seat] of seats.slice(1).entries())
    expect(Math.hypot(seat.x - seats[at]!.x, seat.y - seats[at]!.y)).toBeCloseTo(22, 1);
  expect(seats[8]!.y).not.toBe(before);
});
