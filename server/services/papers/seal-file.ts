/** Reads a file of fiscal seals into lines with named cells, whatever program wrote it. */
import { Readable } from 'node:stream';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { parse } from 'csv-parse';
import {
  sealColumnOf,
  type SealCells,
  type SealColumn,
  type SealFileFault,
} from '#server/domain/papers/seal-file.ts';
import { Refusal } from '#server/domain/refusal.ts';

export interface SealLine {
  /** The line's number in the file; the headings are line 1. */
  line: number;
  cells: SealCells;
}

interface SealFile {
  columns: { column: SealColumn; heading: string }[];
  /** The headings that we do not know. */
  ignored: string[];
  lines: SealLine[];
}

const mostLines = 50_000;
const longestRecord = 10_000;

/**
 * Reads only the columns that we know.
 * @throws Refusal seal_file_unreadable with the reason
 */
export async function readSealFile(bytes: Uint8Array): Promise<SealFile> {
  let headings: string[] | undefined;
  let known: [SealColumn, number][] = [];
  const lines: SealLine[] = [];
  for await (const { record, info } of recordsOf(textOf(bytes))) {
    if (headings === undefined) {
      headings = record.map((text) => text.trim());
      known = knownColumns(headings);
      continue;
    }
    if (lines.length === mostLines) throw unreadable('too_many');
    lines.push({
      line: info.lines,
      cells: Object.fromEntries(known.map(([column, at]) => [column, record[at]?.trim() ?? ''])),
    });
  }
  if (headings === undefined || lines.length === 0) throw unreadable('empty');
  return {
    columns: known.map(([column, at]) => ({ column, heading: headings[at] ?? '' })),
    ignored: headings.filter((text, at) => text !== '' && !known.some(([, used]) => used === at)),
    lines,
  };
}

function unreadable(reason: SealFileFault): Refusal {
  return new Refusal('seal_file_unreadable', { reason });
}

/** The columns that we know; if several mean the same, the first one. */
function knownColumns(headings: readonly string[]): [SealColumn, number][] {
  const columns = new Map<SealColumn, number>();
  headings.forEach((heading, at) => {
    const column = sealColumnOf(heading);
    if (column !== null && !columns.has(column)) columns.set(column, at);
  });
  if (!columns.has('seal'))
    throw unreadable(headings.length < 2 ? 'not_a_table' : 'no_seal_column');
  if (!['code', 'order', 'seat'].some((key) => columns.has(key as SealColumn)))
    throw unreadable('no_key_column');
  return [...columns];
}

/** The file as text; old programs write Windows-1252 instead of UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

async function* recordsOf(text: string): AsyncGenerator<CsvRecord> {
  if (text.includes('\0')) throw unreadable('not_a_table');
  const [firstLine = ''] = text.slice(0, longestRecord).split(/[\r\n]/, 1);
  const count = (sign: string) => firstLine.split(sign).length;
  const [delimiter] = [';', ',', '\t'].toSorted((one, other) => count(other) - count(one));
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: longestRecord,
  });
  Readable.from(slicesOf(Buffer.from(text))).pipe(parser);
  try {
    yield* parser as AsyncIterable<CsvRecord>;
  } catch {
    throw unreadable('not_a_table');
  }
}

const sliceBytes = 16_384;

/** Cuts the file into slices, between which other requests run: 8 MB are millions of cells. */
async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
    await yieldToLoop();
  }
}
