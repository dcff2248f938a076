/** Reads a file of seals: bytes to lines with named cells, whatever program wrote it. */
import { parse } from 'csv-parse/sync';
import {
  sealColumnOf,
  type SealCells,
  type SealColumn,
  type SealFileFault,
} from '#server/domain/papers/seal-file.ts';
import { Refusal } from '#server/domain/refusal.ts';

export interface SealLine {
  /** Of the file, counted from 1: the headings are line 1. */
  line: number;
  cells: SealCells;
}

interface SealFile {
  columns: { column: SealColumn; heading: string }[];
  /** Headings that we do not know. */
  ignored: string[];
  lines: SealLine[];
}

const mostLines = 50_000;

/** @throws Refusal seal_file_unreadable with the reason */
export function readSealFile(bytes: Uint8Array): SealFile {
  const [first, ...rest] = recordsOf(textOf(bytes));
  if (first === undefined) throw unreadable('empty');
  const headings = first.record.map((text) => text.trim());
  const columns = columnsOf(headings);
  if (!columns.has('seal'))
    throw unreadable(headings.length < 2 ? 'not_a_table' : 'no_seal_column');
  if (!['code', 'order', 'seat'].some((key) => columns.has(key as SealColumn)))
    throw unreadable('no_key_column');
  if (rest.length === 0) throw unreadable('empty');
  if (rest.length > mostLines) throw unreadable('too_many');
  const known = [...columns];
  return {
    columns: known.map(([column, at]) => ({ column, heading: headings[at]! })),
    ignored: headings.filter((text, at) => text !== '' && !known.some(([, used]) => used === at)),
    lines: rest.map(({ record, info }) => ({
      line: info.lines,
      cells: Object.fromEntries(known.map(([column, at]) => [column, record[at]?.trim() ?? ''])),
    })),
  };
}

function unreadable(reason: SealFileFault): Refusal {
  return new Refusal('seal_file_unreadable', { reason });
}

/** The first column of a name counts. */
function columnsOf(headings: readonly string[]): Map<SealColumn, number> {
  const columns = new Map<SealColumn, number>();
  headings.forEach((heading, at) => {
    const column = sealColumnOf(heading);
    if (column !== null && !columns.has(column)) columns.set(column, at);
  });
  return columns;
}

/** Old programs write as Windows did before UTF-8. */
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

function recordsOf(text: string): CsvRecord[] {
  if (text.includes('\0')) throw unreadable('not_a_table');
  const firstLine = /^[^\r\n]*/.exec(text)![0];
  const count = (sign: string) => firstLine.split(sign).length;
  const [delimiter] = [';', ',', '\t'].toSorted((one, other) => count(other) - count(one));
  try {
    return parse(text, {
      delimiter,
      bom: true,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: 10_000,
      // One line too many, beside the headings, is enough to refuse: a few MB of short lines are GB of records.
      to: mostLines + 2,
    }) as unknown as CsvRecord[];
  } catch {
    throw unreadable('not_a_table');
  }
}
