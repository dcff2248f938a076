/** Prepares the data of a figure for drawing, with the position of each row. */
import type { Cell, Column, Figure, Shape, Unit } from '#server/domain/report/figure.ts';

export const dayMs = 86_400_000;

/** One line, or the bars of one colour. */
export interface Drawn {
  key: string;
  label: string;
  pale: boolean;
  isLine: boolean;
  values: (number | null)[];
}

export interface PlotData {
  title: string;
  /** The unit of all drawn values. */
  unit: Unit;
  /** The unit of the first column. */
  along: Unit;
  /** The place of each row on the axis, ascending; words are numbered. */
  positions: number[];
  /** The cells of the first column. */
  cells: Cell[];
  /** The smallest distance between two rows. */
  step: number;
  drawn: Drawn[];
  /** Bars are horizontal if their names are long. */
  lies: boolean;
}

const numeric: readonly Unit[] = ['cents', 'count', 'percent', 'minutes'];

/** The units to choose from, because a picture of two units would need two scales. */
export function unitsOf({ columns }: Figure): Unit[] {
  const units = columns.slice(1).map(({ unit }) => unit);
  return [...new Set(units)].filter(isNumeric);
}

function isNumeric(unit: Unit | undefined): boolean {
  return unit !== undefined && numeric.includes(unit);
}

export function plotDataOf({ title, shape, columns, rows }: Figure, shown: Unit): PlotData {
  const [along, ...others] = columns;
  const unit = along?.unit ?? 'text';
  const placed = rows
    .map((row, index) => ({ row, position: positionOf(row[0] ?? null, unit, index) }))
    .filter(({ position }) => Number.isFinite(position));
  if (unit !== 'text') placed.sort((one, other) => one.position - other.position);
  const positions = placed.map(({ position }) => position);
  const cells = placed.map(({ row }) => row[0] ?? null);
  const drawn = others.flatMap((column, at) =>
    column.unit === shown ? [drawnOf(column, placed, { at: at + 1, shape })] : [],
  );
  return {
    title,
    unit: shown,
    along: unit,
    positions,
    cells,
    step: stepOf(positions, unit),
    drawn: shape === 'stacked' ? partsOf(drawn, unit) : drawn,
    lies: shape !== 'lines' && unit === 'text' && !areShort(cells),
  };
}

/** Leaves out sums. A comparison becomes a line, or is left out if the axis has words. */
function partsOf(drawn: readonly Drawn[], along: Unit): Drawn[] {
  const own = drawn.filter(({ pale }) => !pale);
  const parts = own.filter((one) => !isSum(one, own));
  const lines = along === 'text' ? [] : drawn.filter(({ pale }) => pale);
  return [...parts, ...lines];
}

function isSum(one: Drawn, all: readonly Drawn[]): boolean {
  const others = all.filter((other) => other !== one);
  if (others.length < 2 || one.values.every((value) => (value ?? 0) === 0)) return false;
  return one.values.every((value, row) => {
    const sum = others.reduce((before, { values }) => before + (values[row] ?? 0), 0);
    return (value ?? 0) === sum;
  });
}

function drawnOf(
  { key, label, pale = false }: Column,
  rows: { row: Cell[] }[],
  { at, shape }: { at: number; shape: Shape },
): Drawn {
  const isLine = shape === 'lines' || (shape === 'stacked' && pale);
  const values = rows.map(({ row }) => {
    const cell = row[at];
    return typeof cell === 'number' ? cell : null;
  });
  return { key, label, pale, isLine, values };
}

/** A day is placed at midnight UTC, which is the same day in Rome. */
function positionOf(cell: Cell, unit: Unit, index: number): number {
  if (unit === 'text') return index;
  if (unit === 'day') return Date.parse(`${cell}T00:00:00Z`);
  return typeof cell === 'number' ? cell : NaN;
}

function stepOf(positions: readonly number[], unit: Unit): number {
  const distances = positions.slice(1).map((position, at) => position - (positions[at] ?? 0));
  const least = Math.min(...distances.filter((distance) => distance > 0));
  if (unit === 'day') return dayMs;
  return Number.isFinite(least) ? least : 1;
}

/** Whether these are many words, short enough to stand below a picture. */
function areShort(cells: readonly Cell[]): boolean {
  return cells.length > 6 && cells.every((cell) => String(cell ?? '').length <= 5);
}

/** Whether all numbers are zero; such a figure is not drawn. */
export function isNothing({ columns, rows }: Figure): boolean {
  return rows.every((row) =>
    row.every((cell, at) => at === 0 || !isNumeric(columns[at]?.unit) || (cell ?? 0) === 0),
  );
}
