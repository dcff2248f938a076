/**
 * Reads a table that a spreadsheet or a ticketing system wrote, whatever its separator and its
 * line ends; titles may stand above the headings. A table that would be misread is refused.
 */
import { UnreadableTable } from './table-fault.ts';
import { lineEnd, pieceLength, rowsOf, type TableLayout, type TableRow } from './table-rows.ts';

interface TableLine<C extends string> {
  /** The row's number in a spreadsheet. */
  line: number;
  cells: Partial<Record<C, string>>;
}

/** Null: an unknown heading. */
type ColumnOf<C extends string> = (heading: string) => C | null;

interface Heads<C extends string> {
  headings: readonly string[];
  /** Where the columns that we know stand; if several mean the same, the first one. */
  columns: ReadonlyMap<C, number>;
}

export interface Table<C extends string> extends Heads<C> {
  /** The lines below the headings, some hundred at a time. */
  pieces: Iterable<TableLine<C>[]>;
}

const separators = [';', '\t', ',', '|'];
/** The headings are in one of the first rows. */
const firstRows = 20;

/**
 * The row with the most known headings is the row of headings.
 * @throws UnreadableTable here, or while the pieces are read
 */
export function openTable<C extends string>(text: string, columnOf: ColumnOf<C>): Table<C> {
  if (text.includes('\0')) throw new UnreadableTable('not_a_table');
  const pieces = rowsOf(layoutOf(text, columnOf));
  const first = pieces.next().value ?? [];
  const tries = first.slice(0, firstRows).map(({ cells }) => headsIn(cells, columnOf));
  const known = tries.map(({ columns }) => columns.size);
  const at = known.indexOf(Math.max(...known));
  const heads = tries[at];
  if (heads === undefined) throw new UnreadableTable('empty');
  return { ...heads, pieces: linesOf(heads, first.slice(at + 1), pieces) };
}

function* linesOf<C extends string>(
  heads: Heads<C>,
  first: TableRow[],
  pieces: Iterable<TableRow[]>,
): Generator<TableLine<C>[]> {
  yield first.map((row) => lineOf(row, heads));
  for (const rows of pieces) yield rows.map((row) => lineOf(row, heads));
}

function lineOf<C extends string>(
  { line, cells }: TableRow,
  { headings, columns }: Heads<C>,
): TableLine<C> {
  if (cells.slice(headings.length).some((cell) => cell.trim() !== ''))
    throw new UnreadableTable('more_cells', line);
  const named = [...columns].map(([column, at]) => [column, cellText(cells[at] ?? '')]);
  return { line, cells: Object.fromEntries(named) as TableLine<C>['cells'] };
}

function headsIn<C extends string>(cells: readonly string[], columnOf: ColumnOf<C>): Heads<C> {
  const headings = cells.map(cellText);
  const columns = new Map<C, number>();
  for (const [at, heading] of headings.entries()) {
    const column = columnOf(heading);
    if (column !== null && !columns.has(column)) columns.set(column, at);
  }
  return { headings, columns };
}

/**
 * Removes what programs add to stop a spreadsheet from changing a value: `="0001"`, and `'` before
 * a sign.
 */
function cellText(cell: string): string {
  const text = cell.trim();
  const literal = /^="(.*)"$/s.exec(text)?.[1]?.replaceAll('""', '"') ?? text;
  return literal.replace(/^'(?=[=+\-@'])/, '');
}

/** The separator that a first line `sep=;` names, else the one that shows most known headings. */
function layoutOf<C extends string>(text: string, columnOf: ColumnOf<C>): TableLayout {
  const said = /^"?sep=([;,|:\t])"?[;,|:\t]*(?:\r\n?|\n|$)/i.exec(text);
  const body = text.slice(said?.[0].length ?? 0);
  const lines = body.slice(0, pieceLength).split(lineEnd, firstRows);
  const [best] = (said?.[1] === undefined ? separators : [said[1]])
    .map((separator) => {
      const rows = lines.map((line) => line.replaceAll('"', '').split(separator));
      const known = Math.max(...rows.map((cells) => headsIn(cells, columnOf).columns.size));
      return { separator, known, width: Math.max(...rows.map(({ length }) => length)) };
    })
    .toSorted((one, other) => other.known - one.known || other.width - one.width);
  return { body, separator: best?.separator ?? ';', width: best?.width ?? 1 };
}
