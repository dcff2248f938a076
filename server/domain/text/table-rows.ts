/** Cuts a table's text into rows of cells; a quote that would swallow rows names its own row. */
import { parse } from 'csv-parse/browser/esm/sync';
import { UnreadableTable, type TableFault } from './table-fault.ts';

export interface TableRow {
  /** The row's number in a spreadsheet. */
  line: number;
  cells: string[];
}

export interface TableLayout {
  body: string;
  separator: string;
  /** How many columns the widest of the first lines has. */
  width: number;
}

export const lineEnd = /\r\n?|\n/;
export const pieceLength = 16_384;
const pieceLines = 500;
const longestRow = 10_000;
/** The most rows of a table, empty ones included. */
const mostRows = 200_000;

/**
 * Some hundred rows at a time, so that a server yields between two pieces; empty rows are left
 * out.
 * @throws UnreadableTable open_quote, long_row or too_many, once the row is reached
 */
export function* rowsOf(layout: TableLayout): Generator<TableRow[], undefined> {
  const { body, separator } = layout;
  const read = (text: string) =>
    parse(text, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
    });
  let line = 1;
  for (let from = 0; from < body.length;) {
    if (line > mostRows) throw new UnreadableTable('too_many');
    const { end, wrong } = cutAfterRow(layout, from);
    const piece = body.slice(from, end);
    // The parser skips an unfinished row of blanks; a separator at its end makes the row count.
    if (wrong !== null) throw new UnreadableTable(wrong, line + read(piece + separator).length - 1);
    const rows = read(piece).map((cells) => ({ line: line++, cells }));
    yield rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    from = end;
  }
}

/**
 * Where a piece of whole rows ends, or the place of the fault `wrong` in it. A quote opens a cell
 * only at its start, after blanks; elsewhere it is a letter, as in 12".
 */
function cutAfterRow(
  { body, separator, width }: TableLayout,
  from: number,
): { end: number; wrong: TableFault | null } {
  const blanks = `(?:(?!\\${separator})[^\\S\\r\\n])*`;
  const opening = new RegExp(`(?:^|[\\${separator}\\r\\n])${blanks}"`);
  const ending = new RegExp(`^(?:(?!\\${separator})[ \\t]){0,99}(?:[\\${separator}\\r\\n]|$)`);
  const most = from + pieceLength + longestRow;
  let at = from;
  let end = endOfLines(body, from, pieceLines);
  for (;;) {
    const found = opening.exec(body.slice(at, Math.min(end, most)));
    if (found === null)
      return end > most
        ? { end: Math.max(at, from + pieceLength), wrong: 'long_row' }
        : { end, wrong: null };
    const quote = at + found.index + found[0].length - 1;
    const rest = body.slice(quote + 1, quote + longestRow);
    const close = closingQuote(rest);
    const inside = close === -1 ? rest : rest.slice(0, close);
    at = quote + inside.length + 2;
    // A quoted cell with line breaks and as many separators as a whole line has swallowed that
    // line.
    const hasSwallowed = lineEnd.test(inside) && inside.split(separator).length >= width;
    if (close === -1 && !hasSwallowed && at < body.length) return { end: quote, wrong: 'long_row' };
    if (close === -1 || hasSwallowed || !ending.test(body.slice(at)))
      return { end: quote, wrong: 'open_quote' };
    if (at > end) end = endOfLines(body, at, 1);
  }
}

/** The end of the last of `most` lines, or of the first line that fills a piece. */
function endOfLines(text: string, from: number, most: number): number {
  const ends = new RegExp(lineEnd, 'g');
  ends.lastIndex = from;
  for (let lines = 0; lines < most && ends.lastIndex < from + pieceLength; lines += 1)
    if (!ends.test(text)) return text.length;
  return ends.lastIndex;
}

/** The closing quote's place; -1: there is none. Two quotes in a row stand for one in the cell. */
function closingQuote(rest: string): number {
  let at = rest.indexOf('"');
  while (at !== -1 && rest[at + 1] === '"') at = rest.indexOf('"', at + 2);
  return at;
}
