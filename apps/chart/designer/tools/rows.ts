/** Tools for rows: a straight one, a curved one, one with bends, a block of them. */
import type { Doc, Point } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { makeRow, makeRowBlock, makeSegmentedRow } from '#server/drawing/edit/rows/make.ts';
import { blockFor } from '#server/drawing/edit/rows/seats.ts';
import { madeBy } from '#server/drawing/edit/targets.ts';
import { ROW_SPACING, SEAT_SPACING } from '#server/drawing/geometry/row-shape.ts';
import { directionOf, dot, minus, normalOf } from '#server/drawing/geometry/vector.ts';
import type { Desk, Hand, Spot } from '#apps/chart/designer/canvas/desk.ts';
import type { Blank } from '#apps/chart/designer/canvas/field.ts';
import { distance, lengthIn, placeOf } from './place.ts';
import { makePoints, oppositeOf, type Points, rectangle } from './points.ts';

/** The seat distance of the drawing's last row, as the default for the next. */
function spacingIn({ items }: Doc): number {
  let found = SEAT_SPACING;
  for (const item of items.values())
    if (item.kind === 'row' && item.data.chairSpacing) found = item.data.chairSpacing;
  return found;
}

function seatsMade(edit: Edit | null): number {
  let count = 0;
  for (const change of edit?.changes ?? [])
    if (change.at === 'item' && change.after && 'seats' in change.after.data)
      count += (change.after.data.seats as unknown[]).length;
  return count;
}

function seatWords(count: number): string {
  return count === 1 ? '1 posto' : `${count} posti`;
}

function noteOfRow(desk: Desk, points: readonly Point[], edit: Edit | null): string {
  const { doc } = desk.studio.state;
  const length = points.slice(1).reduce((sum, at, n) => sum + distance(points[n] ?? at, at), 0);
  return `${seatWords(seatsMade(edit))} · ${lengthIn(doc, length)}`;
}

export function rowHand(desk: Desk): Hand {
  return makePoints(desk, {
    least: 2,
    most: 2,
    make([from, to]) {
      const { doc } = desk.studio.state;
      const spacing = spacingIn(doc);
      return makeRow(doc, { ...placeOf(desk), from, to, spacing }, desk.newId);
    },
    note: (points, edit) => noteOfRow(desk, points, edit),
  });
}

/** The height of the arc through three points above the chord of the first two. */
function curveOf(from: Point, to: Point, at: Point | undefined): number {
  return at ? dot(minus(at, from), normalOf(directionOf(from, to))) : 0;
}

export function curvedRowHand(desk: Desk): Hand {
  return makePoints(desk, {
    least: 3,
    most: 3,
    make([from, to, at]) {
      const { doc } = desk.studio.state;
      const [spacing, curve] = [spacingIn(doc), curveOf(from, to, at)];
      const line = { from, to, curve, spacing };
      return makeRow(doc, { ...placeOf(desk), ...line }, desk.newId);
    },
    note: ([from, to, at], edit) =>
      at
        ? `${seatWords(seatsMade(edit))} · curva ${Math.round(curveOf(from, to, at))}`
        : noteOfRow(desk, [from, to], edit),
  });
}

export function segmentedRowHand(desk: Desk): Hand {
  return makePoints(desk, {
    least: 2,
    most: Infinity,
    make(points) {
      const { doc } = desk.studio.state;
      const line = { points, spacing: spacingIn(doc) };
      return makeSegmentedRow(doc, { ...placeOf(desk), ...line }, desk.newId);
    },
    note: (points, edit) => noteOfRow(desk, points, edit),
  });
}

export function rowBlockHand(desk: Desk): Hand {
  const spacings = () => ({
    seatSpacing: spacingIn(desk.studio.state.doc),
    rowSpacing: ROW_SPACING,
  });
  const make = (points: Points) => {
    const spacing = spacings();
    const block = blockFor(points[0], oppositeOf(points), spacing);
    const { doc } = desk.studio.state;
    return makeRowBlock(doc, { ...placeOf(desk), ...spacing, ...block }, desk.newId);
  };
  return makePoints(desk, {
    least: 2,
    most: 2,
    corners: rectangle,
    make,
    note(points) {
      const { rows, seats } = blockFor(points[0], oppositeOf(points), spacings());
      return `${rows} × ${seats} = ${seatWords(rows * seats)}`;
    },
    finish: (points, spot) => askBlock(desk, { points, spot, spacing: spacings() }),
  });
}

interface Spacing {
  seatSpacing: number;
  rowSpacing: number;
}
type Values = Record<string, string>;

function blanksOf({ rows, seats }: { rows: number; seats: number }, spacing: Spacing): Blank[] {
  const blank = (name: string, label: string, value: number, min?: number): Blank => ({
    name,
    label,
    value: String(value),
    type: 'number',
    min,
  });
  return [
    { ...blank('rows', 'File', rows, 1), step: 1 },
    { ...blank('seats', 'Posti nella prima fila', seats, 1), step: 1 },
    { ...blank('last', 'Posti nell’ultima fila', seats, 1), step: 1 },
    blank('seatSpacing', 'Distanza tra i posti', spacing.seatSpacing, 1),
    blank('rowSpacing', 'Distanza tra le file', spacing.rowSpacing, 1),
    blank('curve', 'Curva', 0),
    blank('stagger', 'Sfalsamento', 0),
    blank('skew', 'Inclinazione', 0),
    blank('rotation', 'Rotazione in gradi', 0),
  ];
}

function blockOf(desk: Desk, origin: Point, values: Values): Edit | null {
  const number = (name: string) => Number(values[name]);
  const [rows, first, last] = [number('rows'), number('seats'), number('last')];
  const grown = (row: number) => Math.round(first + ((last - first) * row) / (rows - 1));
  const isEven = first === last || !(rows > 1) || rows > 500;
  const block = {
    ...placeOf(desk),
    origin,
    rows,
    seats: isEven ? first : Array.from({ length: rows }, (_, row) => grown(row)),
    seatSpacing: number('seatSpacing'),
    rowSpacing: number('rowSpacing'),
    curve: number('curve'),
    stagger: number('stagger'),
    skew: number('skew'),
    rotation: number('rotation'),
  };
  return makeRowBlock(desk.studio.state.doc, block, desk.newId);
}

/** Asks how many rows, how far apart and how curved, with a preview. */
function askBlock(
  desk: Desk,
  { points, spot, spacing }: { points: Points; spot: Spot; spacing: Spacing },
): void {
  const { origin, ...size } = blockFor(points[0], oppositeOf(points), spacing);
  const make = (values: Values) => blockOf(desk, origin, values);
  desk.ask({
    x: spot.sx,
    y: spot.sy,
    title: 'Blocco di file',
    blanks: blanksOf(size, spacing),
    done: 'Crea',
    change(values) {
      const edit = make(values);
      desk.preview(edit, madeBy(edit));
    },
    answer(values) {
      const edit = make(values);
      desk.act(edit, madeBy(edit));
      desk.studio.say(`${values.rows} file, ${seatWords(seatsMade(edit))}`);
    },
    giveUp: () => desk.preview(null),
  });
}
