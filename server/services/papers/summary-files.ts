/** The summary for the accountant and the summary of an event, as PDF and as CSV. */
import { makeTablesPdf } from '#server/adapters/table-sheet.ts';
import type { Rates } from '#server/domain/papers/summary.ts';
import { formatListDate, formatLongDate } from '#server/domain/time/dates.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { noFiscalValue } from '#server/domain/papers/summary.ts';
import { regimeNames } from '#server/domain/papers/regime.ts';
import { vatWords } from '#server/domain/papers/vat.ts';
import { fileName, type Document } from '#server/services/order/documents.ts';
import type { Ctx } from '#server/services/context.ts';
import { csvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { readEvening, type Evening } from './evening.ts';
import { eveningTables, hasService, lineCells } from './evening-tables.ts';
import { moneyWriter } from './invoice-file.ts';
import { readSummary, type SummaryAsk } from './summary.ts';
import {
  dayWords,
  spanWords,
  sumCells,
  columnsUsed,
  sumColumns,
  summaryTables,
} from './summary-tables.ts';

/** Sums without the euro sign, because their columns are narrow. */
const plainEuro = (cents: number) => formatEuro(cents).replace(/\s€$/, '');

async function frameOf(ctx: Ctx) {
  const { name: organiser } = await organiserOf(ctx);
  const now = ctx.now();
  return {
    organiser,
    created_at: now,
    mark: noFiscalValue,
    made: `Contato il ${formatListDate(now)}`,
  };
}

/** @throws Refusal, the same as readSummary() */
export async function summaryPdf(ctx: Ctx, ask: SummaryAsk): Promise<Document> {
  const summary = await readSummary(ctx, ask);
  const title = `Riepilogo per il commercialista, ${spanWords(summary)}`;
  const content = await makeTablesPdf({
    ...(await frameOf(ctx)),
    title,
    head: [
      'Importi in euro. Incassi e rimborsi nel giorno in cui il denaro è entrato o il rimborso è stato deciso.',
    ],
    tables: summaryTables(summary, plainEuro),
  });
  return { name: `${fileName(title)}.pdf`, type: 'application/pdf', content };
}

/**
 * A line for each day and event.
 * @throws Refusal, the same as readSummary()
 */
export async function summaryCsv(
  ctx: Ctx,
  { format = 'excel', ...ask }: SummaryAsk & { format?: CsvFormat },
) {
  const summary = await readSummary(ctx, ask);
  const used = columnsUsed(summary);
  const money = moneyWriter(format);
  return csvFile(ctx, {
    name: 'riepilogo',
    headings: [
      'Giorno',
      'Evento',
      'Data evento',
      ...sumColumns(used).map(({ name }) => name),
      'Aliquota biglietti',
      'Aliquota prevendita',
      ...(used.service ? ['Aliquota commissione'] : []),
      'Avvertenza',
    ],
    lines: summary.rows.map((row) => [
      format === 'excel' ? dayWords(row.day) : row.day,
      row.event.title,
      formatListDate(row.event.starts_at),
      ...sumCells(row, used, money),
      vatWords(row.event.vat_percent),
      vatWords(row.event.fee_vat_percent),
      ...(used.service ? [vatWords(row.event.service_vat_percent)] : []),
      noFiscalValue,
    ]),
    format,
  });
}

function headOf({ event, seals, categories, annulled }: Evening): string[] {
  const lines = [...categories.flatMap((category) => category.lines), ...annulled];
  const words = (rate: keyof Rates) =>
    [...new Set((lines.length > 0 ? lines : [event]).map((line) => vatWords(line[rate])))].join(
      ', ',
    );
  const service = hasService(lines)
    ? ` · IVA sulla commissione: ${words('service_vat_percent')}`
    : '';
  const vat = `IVA sui biglietti: ${words('vat_percent')} · IVA sulla prevendita: ${words('fee_vat_percent')}${service}`;
  const sealed =
    event.regime === 'external' ? ` · sigilli: ${seals.sealed} di ${seals.tickets}` : '';
  return [
    `${formatLongDate(event.starts_at)} · ${event.venue_title}`,
    `Certificazione degli incassi: ${regimeNames[event.regime].toLowerCase()}${sealed} · ${vat} · importi in euro`,
  ];
}

/** @throws Refusal event_not_found */
export async function eveningPdf(ctx: Ctx, event_id: string): Promise<Document> {
  const evening = await readEvening(ctx, event_id);
  const title = `Riepilogo della serata – ${evening.event.title}`;
  const content = await makeTablesPdf({
    ...(await frameOf(ctx)),
    title,
    head: headOf(evening),
    tables: eveningTables(evening, plainEuro),
  });
  return { name: `${fileName(title)}.pdf`, type: 'application/pdf', content };
}

/**
 * The tickets: valid ones first, then annulled ones.
 * @throws Refusal event_not_found
 */
export async function eveningCsv(
  ctx: Ctx,
  event_id: string,
  { format = 'excel' }: { format?: CsvFormat },
) {
  const { event, categories, annulled } = await readEvening(ctx, event_id);
  const money = moneyWriter(format);
  const placesOf = new Map(categories.map(({ category, places }) => [category, places]));
  const lines = [...categories.flatMap(({ lines: sold }) => sold), ...annulled];
  const service = hasService(lines);
  return csvFile(ctx, {
    name: 'serata',
    headings: eveningHeadings(service),
    lines: lines.map((line) => [
      formatListDate(event.starts_at),
      event.title,
      line.category,
      placesOf.get(line.category) ?? '',
      line.state === 'valid' ? 'Emesso' : 'Annullato',
      ...lineCells(line, { money, service }),
      vatWords(line.vat_percent),
      vatWords(line.fee_vat_percent),
      ...(service ? [vatWords(line.service_vat_percent)] : []),
      noFiscalValue,
    ]),
    format,
  });
}

const eveningHeadings = (service: boolean) => [
  'Data',
  'Evento',
  'Ordine di posti',
  'Posti',
  'Stato',
  'Titolo',
  'Tipo',
  'Prezzo',
  service ? 'Aggiunte' : 'Prevendita',
  'Numero',
  'Biglietti',
  'Biglietti imponibile',
  'Biglietti IVA',
  'Diritti',
  'Diritti imponibile',
  'Diritti IVA',
  ...(service ? ['Commissione', 'Commissione imponibile', 'Commissione IVA'] : []),
  'Aliquota biglietti',
  'Aliquota prevendita',
  ...(service ? ['Aliquota commissione'] : []),
  'Avvertenza',
];
