/** Tables as CSV files: in Italian Excel's form, or plain. */
import { stringify } from 'csv-stringify/sync';
import { formatListDate } from '#server/domain/dates.ts';
import type { Ctx } from '#server/services/context.ts';

interface CsvTable {
  /** The file is called by it and today's date. */
  name: string;
  headings: string[];
  rows: (string | number)[][];
  /** Semicolons and a mark of its coding, as Italian Excel opens it. */
  excel: boolean;
}

/** No cell can start a formula. */
export function csvFile(ctx: Ctx, { name, headings, rows, excel }: CsvTable) {
  const content = stringify(rows, {
    header: true,
    columns: headings,
    delimiter: excel ? ';' : ',',
    record_delimiter: '\r\n',
    bom: excel,
    escape_formulas: true,
  });
  const day = formatListDate(ctx.now()).slice(0, 10).split('/').toReversed().join('-');
  return {
    name: `${name}-${day}.csv`,
    type: 'text/csv; charset=utf-8',
    content: Buffer.from(content),
  };
}
