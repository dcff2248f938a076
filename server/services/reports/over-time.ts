/** Sales by calendar day, and by days before the event, to compare several dates of a show. */
import type { ReportEvent } from '#db/report/events.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { comparedFigure, type Keyed } from '#server/domain/report/compared.ts';
import type { Cell, Column, Figure } from '#server/domain/report/figure.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import {
  emptyDay,
  sumSales,
  type CountedSales,
  type SalesSums,
} from '#server/domain/report/sales-sums.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Counted, Counts } from './counts.ts';
import { mostEarlier, type Scope } from './scope.ts';

export function ofEvent({ event, count }: Counted<'sales'>): CountedSales {
  return { starts_at: event.starts_at, count };
}

/** Sales earlier than this many days before are part of the first step. */
const longest = 365;

const along: Column = { key: 'days', label: 'Giorni dall’inizio', unit: 'count' };

/** Tickets and their value for each date: the first line dark, the others pale. */
export async function cumulativeOfDates(ctx: Ctx, scope: Scope, counts: Counts): Promise<Figure[]> {
  const events = linesOf(scope);
  if (events.length === 0) return [];
  const today = romeDay(ctx.now());
  const lines = (await counts.of('sales', events)).map((counted) => ({
    event: counted.event,
    sums: sumSales([ofEvent(counted)], null),
    known: today - romeDay(counted.event.starts_at),
  }));
  const steps = lines.flatMap(({ sums }) => [...sums.byDistance.keys()]);
  const first = Math.max(-longest, Math.min(0, ...steps));
  const last = Math.max(0, ...steps);
  const figure = (
    head: Pick<Figure, 'id' | 'title'>,
    unit: Column['unit'],
    valueOf: (day: ReturnType<typeof emptyDay>) => number,
  ): Figure => {
    const columns = lines.map(({ event }, nth): Column => ({
      key: nth === 0 ? 'own' : `date_${nth}`,
      label: formatListDate(event.starts_at),
      unit,
      ...(nth === 0 ? {} : { pale: true }),
    }));
    const filled = lines.map(({ sums, known }) =>
      growing(sums, { first, last: Math.min(last, known) }, valueOf),
    );
    const rows = Array.from({ length: last - first + 1 }, (_, nth): Cell[] => [
      first + nth,
      ...filled.map((line) => line[nth] ?? null),
    ]);
    return { ...head, note, shape: 'lines', columns: [along, ...columns], rows, total: null };
  };
  return [
    figure({ id: 'cumulative', title: 'Biglietti venduti nel tempo' }, 'count', (d) => d.places),
    figure({ id: 'cumulative_value', title: 'Valore venduto nel tempo' }, 'cents', (d) => d.cents),
  ];
}

const note =
  'I giorni sono contati dalla data dello spettacolo: −7 è una settimana prima, 0 è il giorno stesso.';

/**
 * The lines of the figure. For an event: the event, the one to compare with, and earlier dates;
 * for a show: its last dates.
 */
function linesOf({ kind, events, against, earlier }: Scope): ReportEvent[] {
  const lines =
    kind === 'event'
      ? [...events, ...(against === null ? [] : [against]), ...earlier]
      : events.toReversed();
  return [...new Map(lines.map((event) => [event.id, event])).values()].slice(0, mostEarlier + 1);
}

function growing(
  { byDistance }: SalesSums,
  { first, last }: { first: number; last: number },
  valueOf: (day: ReturnType<typeof emptyDay>) => number,
): number[] {
  let sum = 0;
  for (const [distance, day] of byDistance) if (distance < first) sum += valueOf(day);
  const line: number[] = [];
  for (let at = first; at <= last; at += 1) {
    sum += valueOf(byDistance.get(at) ?? emptyDay());
    line.push(sum);
  }
  return line;
}

/** Several events together, by calendar day only. */
export function cumulativeOfDays(sums: SalesSums, today: number): Figure[] {
  const days = calendarOf(sums, today);
  let [places, cents] = [0, 0];
  const rows = days.map((day): Keyed[number] => {
    const sold = sums.byDay.get(day) ?? emptyDay();
    places += sold.places;
    cents += sold.cents;
    return [dayText(day), [places, cents]];
  });
  const day: Column = { key: 'day', label: 'Giorno', unit: 'day' };
  const one = (head: Pick<Figure, 'id' | 'title'>, unit: Column['unit'], nth: 0 | 1): Figure => ({
    ...head,
    note: null,
    shape: 'lines',
    columns: [day, { key: 'own', label: unit === 'cents' ? 'Valore' : 'Biglietti', unit }],
    rows: rows.map(([text, values]) => [text, values[nth]!]),
    total: null,
  });
  return [
    one({ id: 'cumulative', title: 'Biglietti venduti nel tempo' }, 'count', 0),
    one({ id: 'cumulative_value', title: 'Valore venduto nel tempo' }, 'cents', 1),
  ];
}

/** Sales day by day, next to the other event's at the same number of days before its start. */
export function daysOf(
  { events }: Scope,
  own: SalesSums,
  other: { name: string; event: ReportEvent; sums: SalesSums } | null,
): Figure {
  const rowsOf = ({ byDay }: SalesSums, shift: number): Keyed =>
    [...byDay]
      .filter(([, { orders, payments }]) => orders > 0 || payments > 0)
      .map(([day, sum]): [number, number[]] => [
        day + shift,
        [sum.paid_cents, sum.orders, sum.places],
      ])
      .toSorted(([one], [another]) => one - another)
      .map(([day, values]) => [dayText(day), values]);
  const shift = other === null ? 0 : romeDay(events[0]!.starts_at) - romeDay(other.event.starts_at);
  const figure = comparedFigure(
    {
      id: 'by_day',
      title: 'Incasso per giorno',
      note:
        other === null
          ? null
          : 'Il confronto è allineato sui giorni che mancano alla data, non sul calendario.',
      shape: 'bars',
      along: { key: 'day', label: 'Giorno', unit: 'day' },
      measures: [
        { key: 'paid', label: 'Incassato', unit: 'cents', add: true },
        { key: 'orders', label: 'Ordini', unit: 'count', add: true },
        { key: 'places', label: 'Biglietti', unit: 'count', add: true },
      ],
    },
    rowsOf(own, 0),
    other && { name: other.name, rows: rowsOf(other.sums, shift) },
  );
  return { ...figure, rows: figure.rows.toSorted(byFirst) };
}

function byFirst([one]: Cell[], [other]: Cell[]): number {
  return String(one) < String(other) ? -1 : 1;
}

/** All days from the first to the last with sales, so that days without sales are gaps. */
function calendarOf({ byDay }: SalesSums, today: number): number[] {
  if (byDay.size === 0) return [];
  const first = Math.min(...byDay.keys());
  const last = Math.min(Math.max(...byDay.keys()), Math.max(today, first));
  return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
}
