/** What was sold under agreements, for the invoice to a firm or a club (RULES L11). */
import {
  conventionReturns,
  conventionSales,
  type ConventionSales,
} from '#db/papers/convention-sales.ts';
import { compareNames } from '#server/domain/seat/seat-name.ts';
import { reasonsOf } from '#server/domain/order/priced-order.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { csvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';
import type { Ctx } from '#server/services/context.ts';
import { moneyWriter } from './invoice-file.ts';
import { timesOf, type SummaryAsk } from './summary.ts';

type Days = Pick<SummaryAsk, 'from' | 'to'>;

interface ConventionSums extends Pick<
  ConventionSales,
  'tickets' | 'list_cents' | 'paid_cents' | 'given_cents'
> {
  off_cents: number;
  /** What other rules, or a price by hand, took off. */
  other_off_cents: number;
}

interface ConventionRow extends ConventionSums {
  name: string;
  event_id: string;
  event_title: string;
  starts_at: number;
}

/** @throws Refusal summary_span */
export async function readConventions(ctx: Ctx, days: Days) {
  const span = timesOf(days);
  const sold = await conventionSales(ctx.db, span);
  const returned = await conventionReturns(ctx.db, span);
  const rows = [...sold, ...returned].flatMap(rowsOf);
  const names = [...new Set(rows.map(({ name }) => name))].toSorted(compareNames);
  return {
    conventions: names.map((name) => {
      const own = rows.filter((row) => row.name === name);
      return { name, events: byEvent(own), total: sumsOf(own) };
    }),
  };
}

/** One row for each agreement among the reasons. */
function rowsOf({ price_reasons, ...sales }: ConventionSales): ConventionRow[] {
  return reasonsOf({ price_reasons })
    .filter(({ kind }) => kind === 'convention')
    .map(({ name, off_cents: each }) => {
      const off_cents = each * sales.tickets;
      const other_off_cents = sales.list_cents - sales.paid_cents - off_cents;
      return { ...sales, name, off_cents, other_off_cents };
    });
}

function byEvent(rows: readonly ConventionRow[]) {
  const events = Map.groupBy(rows, ({ event_id }) => event_id);
  return [...events.values()]
    .flatMap(([first, ...others]) => (first ? { ...first, ...sumsOf([first, ...others]) } : []))
    .toSorted((one, other) => one.starts_at - other.starts_at);
}

function sumsOf(rows: readonly ConventionSums[]): ConventionSums {
  const sum = (name: keyof ConventionSums) => rows.reduce((total, row) => total + row[name], 0);
  return {
    tickets: sum('tickets'),
    list_cents: sum('list_cents'),
    off_cents: sum('off_cents'),
    other_off_cents: sum('other_off_cents'),
    paid_cents: sum('paid_cents'),
    given_cents: sum('given_cents'),
  };
}

/** @throws Refusal summary_span */
export async function conventionsCsv(
  ctx: Ctx,
  { format = 'excel', ...days }: Days & { format?: CsvFormat },
) {
  const { conventions } = await readConventions(ctx, days);
  const money = moneyWriter(format);
  return csvFile(ctx, {
    name: 'convenzioni',
    headings,
    lines: conventions.flatMap(({ name, events }) =>
      events.map((row) => [
        name,
        formatListDate(row.starts_at),
        row.event_title,
        row.tickets,
        money(row.list_cents),
        money(row.off_cents),
        money(row.other_off_cents),
        money(row.paid_cents),
        money(row.given_cents),
      ]),
    ),
    format,
  });
}

const headings = [
  'Convenzione',
  'Data evento',
  'Evento',
  'Biglietti',
  'Listino',
  'Sconto della convenzione',
  'Altri sconti',
  'Pagato',
  'Restituito',
];
