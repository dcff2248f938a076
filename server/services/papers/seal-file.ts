/** Reads a file of fiscal seals into lines with named cells, whatever program wrote it. */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import {
  sealColumnOf,
  type SealCells,
  type SealColumn,
  type SealFileFault,
} from '#server/domain/papers/seal-file.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { textOfFile } from '#server/domain/text/file-text.ts';
import { UnreadableTable } from '#server/domain/text/table-fault.ts';
import { openTable, type Table } from '#server/domain/text/table.ts';

export interface SealLine {
  /** The row's number in a spreadsheet. */
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

/**
 * Reads only the columns that we know; other requests run between two pieces of the file.
 * @throws Refusal seal_file_unreadable with the reason, and the line if one is meant
 */
export async function readSealFile(bytes: Uint8Array): Promise<SealFile> {
  try {
    return await readTable(openTable(textOfFile(bytes), sealColumnOf));
  } catch (error) {
    throw error instanceof UnreadableTable ? unreadable(error.fault, error.line) : error;
  }
}

async function readTable({ headings, columns, pieces }: Table<SealColumn>): Promise<SealFile> {
  if (!columns.has('seal'))
    throw unreadable(headings.length < 2 ? 'not_a_table' : 'no_seal_column');
  if (!(['code', 'order', 'seat'] as const).some((key) => columns.has(key)))
    throw unreadable('no_key_column');
  const lines: SealLine[] = [];
  for (const piece of pieces) {
    lines.push(...piece);
    if (lines.length > mostLines) throw unreadable('too_many');
    await yieldToLoop();
  }
  if (lines.length === 0) throw unreadable('empty');
  const used = new Set(columns.values());
  return {
    columns: [...columns].map(([column, at]) => ({ column, heading: headings[at] ?? '' })),
    ignored: headings.filter((text, at) => text !== '' && !used.has(at)),
    lines,
  };
}

function unreadable(reason: SealFileFault, line: number | null = null): Refusal {
  return new Refusal('seal_file_unreadable', { reason, line });
}
