/**
 * A figure of a report: a table with typed columns, and how it is drawn. Screen, paper, CSV and
 * XLSX have the same rows.
 */

/** The reports that the office can open. */
export const reportNames = ['sales', 'hall', 'door', 'money'] as const;
export type ReportName = (typeof reportNames)[number];

/**
 * The meaning of a cell. `cents`: integer cents; `count`: an integer; `percent`: 0 to 100;
 * `minutes`: minutes, also below zero; `day`: a day in Rome, `2026-11-26`; `time`: milliseconds
 * in UTC; `text`: words.
 */
export const units = ['cents', 'count', 'percent', 'minutes', 'day', 'time', 'text'] as const;
export type Unit = (typeof units)[number];

/**
 * How a figure is drawn above its table. The first column is the axis, the others are its lines
 * or bars. `numbers`: a few large numbers in one row; `hall`: colours on the seat map, where the
 * first column is the seat's label; `table`: only the table.
 */
export const shapes = ['numbers', 'lines', 'bars', 'stacked', 'hall', 'table'] as const;
export type Shape = (typeof shapes)[number];

export interface Column {
  key: string;
  label: string;
  unit: Unit;
  /** A pale column, for comparison. */
  pale?: boolean;
}

export type Cell = string | number | null;

export interface Figure {
  id: string;
  title: string;
  /** A sentence that a reader must know; null: none. */
  note: string | null;
  shape: Shape;
  columns: Column[];
  /** Cells in the order of the columns; null: unknown or empty. */
  rows: Cell[][];
  /** The last line of the table; null: sums make no sense. */
  total: Cell[] | null;
}
