/**
 * Figures as files: one figure as CSV, or one or all of a report as a workbook with real numbers
 * and dates, one sheet per figure.
 */
import type { SheetData } from 'write-excel-file/node';
import type { FileAnswer } from '#server/contract/endpoint.ts';
import { formatListDate, isoOf } from '#server/domain/time/dates.ts';
import type { Cell, Column, Figure, Unit } from '#server/domain/report/figure.ts';
import { offsetAt } from '#server/domain/time/rome-clock.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { csvFile, dayOfFile, type CsvFormat } from '#server/services/kit/csv-file.ts';
import { readReportOf } from './report.ts';
import { refuseField, type ScopeAsk } from './scope.ts';

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface FileAsk extends ScopeAsk {
  /** The figure; if left out, all of them. */
  figure?: string;
  format?: CsvFormat | 'xlsx';
}

/**
 * @throws Refusal not_found if there is no such report or figure, bad_request for several tables
 * in one CSV
 */
export async function reportFile(
  ctx: Ctx,
  name: string,
  { figure: id, format = 'xlsx', ...ask }: FileAsk,
): Promise<FileAnswer> {
  if (format !== 'xlsx' && id === undefined)
    refuseField('figure', 'Un CSV contiene una tabella sola: scegli quale.');
  const { report, figures } = await readReportOf(ctx, name, ask);
  const wanted = figures.filter((figure) => id === undefined || figure.id === id);
  const [first] = wanted;
  if (first === undefined) throw new Refusal('not_found');
  const base = `${fileNames[report]}${id === undefined ? '' : `-${slugOf(first.title)}`}`;
  if (format !== 'xlsx') return csvOf(ctx, { name: base, figure: first, format });
  return {
    name: `${base}-${dayOfFile(ctx)}.xlsx`,
    type: xlsxType,
    content: await workbookOf(wanted),
  };
}

const fileNames = { sales: 'vendite', hall: 'sala', door: 'porta', money: 'soldi' } as const;

function slugOf(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function linesOf({ rows, total }: Figure): Cell[][] {
  return total === null ? rows : [...rows, total];
}

function csvOf(
  ctx: Ctx,
  { name, figure, format }: { name: string; figure: Figure; format: CsvFormat },
) {
  const lines = linesOf(figure).map((row) =>
    row.map((cell, nth) => csvCell(cell, figure.columns[nth]!.unit, format === 'excel')),
  );
  return csvFile(ctx, { name, headings: figure.columns.map(({ label }) => label), lines, format });
}

function csvCell(cell: Cell, unit: Unit, excel: boolean): string | number {
  if (cell === null) return '';
  const decimal = (text: string) => (excel ? text.replace('.', ',') : text);
  if (unit === 'day' && isDay(cell)) return excel ? cell.split('-').toReversed().join('/') : cell;
  if (typeof cell === 'string') return cell;
  if (unit === 'cents') return decimal((cell / 100).toFixed(2));
  if (unit === 'time') return excel ? formatListDate(cell) : isoOf(cell);
  return decimal(String(cell));
}

/** True for a day; the column of days may also contain "Totale". */
function isDay(cell: Cell): cell is string {
  return typeof cell === 'string' && /^\d{4}-\d\d-\d\d$/.test(cell);
}

async function workbookOf(figures: readonly Figure[]): Promise<Uint8Array> {
  const names = sheetNames(figures.map(({ title }) => title));
  const sheets = figures.map((figure, nth) => ({
    data: sheetOf(figure),
    sheet: names[nth]!,
    columns: figure.columns.map(({ label, unit }, at) => ({
      width: widthOf(figure, { label, unit, at }),
    })),
    stickyRowsCount: 1,
  }));
  const { default: writeWorkbook } = await import('write-excel-file/node');
  return writeWorkbook(sheets).toBuffer();
}

function sheetOf(figure: Figure): SheetData {
  const { columns, rows, total } = figure;
  const head = columns.map(({ label }) => ({
    value: label,
    type: String,
    fontWeight: 'bold' as const,
  }));
  const body = rows.map((row) => row.map((cell, nth) => xlsxCell(cell, columns[nth]!.unit)));
  const last = total?.map((cell, nth) => {
    const shown = xlsxCell(cell, columns[nth]!.unit);
    return shown === null ? null : { ...shown, fontWeight: 'bold' as const };
  });
  return [head, ...body, ...(last ? [last] : [])];
}

/** If a cell has a longer text, Excel says that the workbook is damaged. */
const mostCharacters = 32_767;

/**
 * Cuts a text that is too long for Excel, and escapes texts that Excel would read as a character
 * code, such as "_x0041_".
 */
function xlsxText(text: string): string {
  const spelled = text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
  if (spelled.length <= mostCharacters) return spelled;
  return `${spelled.slice(0, mostCharacters - 1).replace(/\p{Surrogate}$/u, '')}…`;
}

/** A cell of the workbook; times are in Rome, because a workbook has no time zone. */
function xlsxCell(cell: Cell, unit: Unit) {
  if (cell === null) return null;
  if (unit === 'day' && isDay(cell))
    return { value: new Date(`${cell}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' };
  if (typeof cell === 'string') return { value: xlsxText(cell), type: String };
  switch (unit) {
    case 'cents':
      return { value: cell / 100, type: Number, format: '#,##0.00\\ "€"' };
    case 'percent':
      return { value: cell / 100, type: Number, format: '0.0%' };
    case 'time':
      return { value: new Date(cell + offsetAt(cell)), type: Date, format: 'dd/mm/yyyy hh:mm' };
    default:
      return { value: cell, type: Number, format: '#,##0' };
  }
}

/** The names of the sheets: unique, at most 31 characters, none that Excel forbids. */
function sheetNames(titles: readonly string[]): string[] {
  const taken = new Set<string>();
  return titles.map((title) => {
    const name = title.replace(/[\\/?*[\]:]/g, ' ');
    let unique = name.slice(0, 31).trim();
    for (let nth = 2; taken.has(unique.toLowerCase()); nth += 1)
      unique = `${name.slice(0, 27).trim()} ${nth}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

function widthOf(
  { rows }: Figure,
  { label, unit, at }: Pick<Column, 'label' | 'unit'> & { at: number },
): number {
  const longest =
    unit === 'text' ? Math.max(0, ...rows.map((row) => String(row[at] ?? '').length)) : 12;
  return Math.min(60, Math.max(label.length, longest) + 2);
}
