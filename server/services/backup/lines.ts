/**
 * Writes the rows of a table as lines of JSON, one row a line, and reads them back with the same
 * values.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Row, Table, TableSource } from '#db/engine/table-rows.ts';

export async function* linesOf(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row.map(spell))}\n`;
}

function spell(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') };
  // JSON would silently round such a number.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Error(`a number too large for a backup: ${value}`);
  return value;
}

function read(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Buffer.from((value as { bytes: string }).bytes, 'base64');
}

/** `pathOf`: the file with the lines of a table. */
export function lineSource(
  columns: Record<string, string[]>,
  pathOf: (table: string) => string,
): TableSource {
  return {
    tables: Object.entries(columns).map(([name, list]) => ({ name, columns: list })),
    async *rows({ name }: Table) {
      const lines = createInterface({ input: createReadStream(pathOf(name)), crlfDelay: Infinity });
      for await (const line of lines) yield (JSON.parse(line) as unknown[]).map(read);
    },
  };
}
