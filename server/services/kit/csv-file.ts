/**
 * Turns a table into a CSV file, plain or for Italian Excel. A long file is written page by page
 * while its rows are read.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { formatListDate } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';

export type CsvFormat = 'excel' | 'plain';
type Line = readonly (string | number)[];

interface Head {
  /** The file's name without the day. */
  name: string;
  headings: readonly string[];
  format: CsvFormat;
}

export function csvFile(ctx: Ctx, { lines, ...head }: Head & { lines: readonly Line[] }) {
  return { ...headOf(ctx, head), content: csvText(head, lines, true) };
}

/** Keeps only one page in memory; the server answers other requests between two pages. */
export function longCsvFile(ctx: Ctx, { pages, ...head }: Head & { pages: AsyncIterable<Line[]> }) {
  return { ...headOf(ctx, head), content: csvPages(head, pages) };
}

async function* csvPages(head: Head, pages: AsyncIterable<Line[]>): AsyncGenerator<Uint8Array> {
  yield csvText(head, [], true);
  for await (const lines of pages) {
    if (lines.length > 0) yield csvText(head, lines, false);
    await yieldToLoop();
  }
}

function headOf(ctx: Ctx, { name }: Head) {
  return { name: `${name}-${dayOfFile(ctx)}.csv`, type: 'text/csv; charset=utf-8' };
}

/** Today as text, such as 2026-11-26. */
export function dayOfFile(ctx: Ctx): string {
  return formatListDate(ctx.now()).slice(0, 10).split('/').toReversed().join('-');
}

/**
 * Where a spreadsheet would see the start of a formula: at the start of a cell, and after a
 * character that may separate cells in another spreadsheet's settings.
 */
const formulaStart = /(^|[;,\t\r\n])(?=(?:"|[^\S\t\r\n])*[\0=+\-@＝＋－＠])|^(?=[\t\r])/g;
const plainNumber = /^-?\d+(?:[.,]\d+)?$/;

/** Puts an apostrophe before everything that could start a formula; a number does not change. */
function harmless(cell: string | number): string {
  const text = String(cell);
  return plainNumber.test(text) ? text : text.replace(formulaStart, "$1'");
}

function csvText({ headings, format }: Head, lines: readonly Line[], first: boolean): Buffer {
  const excel = format === 'excel';
  const text = stringify(
    lines.map((line) => line.map(harmless)),
    {
      header: first,
      columns: headings.map(harmless),
      delimiter: excel ? ';' : ',',
      record_delimiter: '\r\n',
      bom: excel && first,
      // Some readers end a line at a lone carriage return, so such a cell is quoted.
      quoted_match: /\r/,
    },
  );
  return Buffer.from(text);
}
