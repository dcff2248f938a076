/** A table as a CSV file: in Italian Excel’s form, or plain. */
import { stringify } from 'csv-stringify/sync';
import { formatListDate } from '#server/domain/dates.ts';
import type { Ctx } from '#server/services/context.ts';

export type CsvFormat = 'excel' | 'plain';

interface Table {
  /** Of the file, before the day. */
  name: string;
  headings: readonly string[];
  lines: readonly (readonly (string | number)[])[];
  format: CsvFormat;
}

/** No cell is taken for a formula. */
export function csvFile(ctx: Ctx, { name, headings, lines, format }: Table) {
  const excel = format === 'excel';
  const content = stringify(
    lines.map((line) => [...line]),
    {
      header: true,
      columns: [...headings],
      delimiter: excel ? ';' : ',',
      record_delimiter: '\r\n',
      bom: excel,
      escape_formulas: true,
    },
  );
  const day = formatListDate(ctx.now()).slice(0, 10).split('/').toReversed().join('-');
  return {
    name: `${name}-${day}.csv`,
    type: 'text/csv; charset=utf-8',
    content: Buffer.from(content),
  };
}
