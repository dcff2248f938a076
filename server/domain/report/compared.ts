/**
 * Makes a figure that compares its measures, row by row, with those of another period or event.
 */
import type { Cell, Column, Figure } from './figure.ts';

/** `add`: the measure gets a total. */
export interface Measure {
  key: string;
  label: string;
  unit: Column['unit'];
  add?: boolean;
}

type Values = readonly (number | null)[];
export type Keyed = readonly [Cell, Values][];

interface Shown extends Pick<Figure, 'id' | 'title' | 'shape'> {
  note?: string | null;
  along: Column;
  measures: readonly Measure[];
}

/**
 * `other` null: there is nothing to compare with. Rows are in the order of `own`; keys that exist
 * only in `other` come last.
 */
export function comparedFigure(
  { along, measures, note = null, ...head }: Shown,
  own: Keyed,
  other: { name: string; rows: Keyed } | null,
): Figure {
  const columns: Column[] = [
    along,
    ...measures.map(({ key, label, unit }) => ({ key, label, unit })),
  ];
  if (other !== null)
    for (const { key, label, unit } of measures)
      columns.push({ key: `${key}_against`, label: `${label} (${other.name})`, unit, pale: true });
  const none = measures.map(({ add }) => (add ? 0 : null));
  const mine = new Map(own);
  const theirs = new Map(other?.rows);
  const keys = new Set([...mine.keys(), ...theirs.keys()]);
  const rows = [...keys].map((key) => [
    key,
    ...(mine.get(key) ?? none),
    ...(other === null ? [] : (theirs.get(key) ?? none)),
  ]);
  return { ...head, note, columns, rows, total: totalOf(rows, measures, other !== null) };
}

function totalOf(rows: Cell[][], measures: readonly Measure[], twice: boolean): Cell[] | null {
  if (rows.length < 2 || !measures.some(({ add }) => add)) return null;
  const added = twice ? [...measures, ...measures] : measures;
  return [
    'Totale',
    ...added.map(({ add }, nth) =>
      add ? rows.reduce((sum, row) => sum + Number(row[nth + 1] ?? 0), 0) : null,
    ),
  ];
}
