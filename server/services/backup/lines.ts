/** Writes a table's rows as lines of JSON, one per row, and reads them back unchanged. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Row, Table, TableSource } from '#db/engine/table-rows.ts';

export async function* linesOf(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row.map(spell))}\n`;
}

function spell(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') };
  // JSON would round such a number without an error.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Error(`a number too large for a backup: ${value}`);
  return value;
}

function read(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Buffer.from((value as { bytes: string }).bytes, 'base64');
}

/** Reads the rows of tables from files of lines; `pathOf` names a table's file. */
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
