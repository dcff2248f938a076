/**
 * The report on sales: over time, by hour, by way of selling and paying, by ticket type, by time
 * before the event, and refunds.
 */
import { comparedFigure, type Keyed, type Measure } from '#server/domain/report/compared.ts';
import type { Figure } from '#server/domain/report/figure.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { ways, type Way } from '#server/domain/report/sales-count.ts';
import {
  leadBuckets,
  sumSales,
  totalOf,
  type SalesSums,
  type Sold,
} from '#server/domain/report/sales-sums.ts';
import { wayName } from '#server/domain/order/order-words.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Counted, Counts } from './counts.ts';
import { cumulativeOfDates, cumulativeOfDays, daysOf, ofEvent } from './over-time.ts';
import { nameOf, type Scope } from './scope.ts';

export async function salesFigures(ctx: Ctx, scope: Scope, counts: Counts): Promise<Figure[]> {
  // A report on a period has everything that was sold in it, for any event.
  const counted =
    scope.days === null
      ? await counts.of('sales', scope.events)
      : await counts.onDays('sales', scope.days);
  const own = sumSales(counted.map(ofEvent), scope.days);
  const other =
    scope.against === null
      ? null
      : {
          name: nameOf(scope.against),
          event: scope.against,
          sums: sumSales((await counts.of('sales', [scope.against])).map(ofEvent), null),
        };
  const compare = (head: Omit<Parameters<typeof comparedFigure>[0], never>, rowsOf: RowsOf) =>
    comparedFigure(head, rowsOf(own), other && { name: other.name, rows: rowsOf(other.sums) });
  return [
    sumsFigure(own, other),
    ...(scope.kind === 'event' || scope.kind === 'show'
      ? await cumulativeOfDates(ctx, scope, counts)
      : cumulativeOfDays(own, romeDay(ctx.now()))),
    daysOf(scope, own, other),
    compare(hours, ({ byHour }) => byHour.map((sold, hour) => [hourName(hour), measuresOf(sold)])),
    compare(channels, ({ byWay }) => ways.map((way) => [wayNames[way], measuresOf(byWay[way])])),
    compare(payments, ({ byPayment }) =>
      [...byPayment]
        .map(([word, { payments: n, cents }]): Keyed[number] => [wayName(word), [n, cents]])
        .toSorted(byName),
    ),
    compare(types, ({ byType }) => placesOf(byType)),
    compare(categories, ({ byCategory }) => placesOf(byCategory)),
    compare(leads, ({ byLead }) =>
      leadBuckets.map(({ name }, nth) => [name, measuresOf(byLead[nth]!)]),
    ),
    refundsFigure(own),
    ...(scope.kind === 'event' ? [] : [eventsFigure(counted, scope)]),
  ];
}

type RowsOf = (sums: SalesSums) => Keyed;

const orderMeasures: Measure[] = [
  { key: 'orders', label: 'Ordini', unit: 'count', add: true },
  { key: 'places', label: 'Biglietti', unit: 'count', add: true },
  { key: 'value', label: 'Valore', unit: 'cents', add: true },
];
const placeMeasures = orderMeasures.slice(1);

function measuresOf({ orders, places, cents }: Sold): number[] {
  return [orders, places, cents];
}

function placesOf(sold: Map<string, Sold>): Keyed {
  return [...sold]
    .map(([name, { places, cents }]): Keyed[number] => [name, [places, cents]])
    .toSorted(byName);
}

function byName([one]: Keyed[number], [other]: Keyed[number]): number {
  return String(one).localeCompare(String(other), 'it');
}

/** The hour as a range, such as "09–10". */
function hourName(hour: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(hour)}–${two(hour + 1)}`;
}

const wayNames: Record<Way, string> = { web: 'Sito', counter: 'Cassa', free: 'Gratuiti' };

const asSold = 'Il valore è quello dei biglietti venduti, prevendita compresa, prima dei rimborsi.';
const text = (key: string, label: string) => ({ key, label, unit: 'text' }) as const;

const hours = {
  id: 'by_hour',
  title: 'Vendite per ora del giorno',
  note: null,
  shape: 'bars',
  along: text('hour', 'Ora'),
  measures: orderMeasures,
} as const;
const channels = {
  id: 'by_channel',
  title: 'Vendite per canale',
  note: asSold,
  shape: 'bars',
  along: text('channel', 'Canale'),
  measures: orderMeasures,
} as const;
const payments = {
  id: 'by_payment',
  title: 'Incasso per modo di pagamento',
  note: null,
  shape: 'bars',
  along: text('payment', 'Pagamento'),
  measures: [
    { key: 'payments', label: 'Pagamenti', unit: 'count', add: true },
    { key: 'paid', label: 'Incassato', unit: 'cents', add: true },
  ],
} as const;
const types = {
  id: 'by_type',
  title: 'Biglietti per tipo',
  note: asSold,
  shape: 'bars',
  along: text('type', 'Tipo'),
  measures: placeMeasures,
} as const;
const categories = {
  id: 'by_category',
  title: 'Biglietti per categoria',
  note: asSold,
  shape: 'bars',
  along: text('category', 'Categoria'),
  measures: placeMeasures,
} as const;
const leads = {
  id: 'lead_time',
  title: 'Quanto prima si compra',
  note: null,
  shape: 'bars',
  along: text('lead', 'Acquisto'),
  measures: orderMeasures,
} as const;

function sumsFigure(own: SalesSums, other: { name: string; sums: SalesSums } | null): Figure {
  const { columns, rows, ...figure } = comparedFigure(
    {
      id: 'sums',
      title: 'In breve',
      note: 'Rimborsi e prevendita sono contati a parte: l’incassato è quanto è entrato.',
      shape: 'numbers',
      along: text('of', 'Di che cosa'),
      measures: [
        { key: 'paid', label: 'Incassato', unit: 'cents' },
        { key: 'places', label: 'Biglietti', unit: 'count' },
        { key: 'orders', label: 'Ordini', unit: 'count' },
        { key: 'average', label: 'Ordine medio', unit: 'cents' },
        { key: 'fees', label: 'Di cui prevendita e commissioni', unit: 'cents' },
        { key: 'refunded', label: 'Rimborsato', unit: 'cents' },
        { key: 'refunded_fees', label: 'Prevendita e commissioni rimborsate', unit: 'cents' },
      ],
    },
    [['', sumsOf(own)]],
    other && { name: other.name, rows: [['', sumsOf(other.sums)]] },
  );
  return { ...figure, columns: columns.slice(1), rows: rows.map((row) => row.slice(1)) };
}

function sumsOf({ total, byWay }: SalesSums): (number | null)[] {
  const paying = total.orders - byWay.free.orders;
  return [
    total.paid_cents,
    total.places,
    total.orders,
    paying === 0 ? null : Math.round(total.cents / paying),
    total.fee_cents,
    total.refunded_cents,
    total.refunded_fee_cents,
  ];
}

function refundsFigure({ byDay }: SalesSums): Figure {
  const rows = [...byDay]
    .filter(([, { refunds }]) => refunds > 0)
    .toSorted(([one], [other]) => one - other)
    .map(([day, sum]): Keyed[number] => [
      dayText(day),
      [sum.refunds, sum.refunded_cents, sum.refunded_fee_cents],
    ]);
  return comparedFigure(
    {
      id: 'refunds',
      title: 'Rimborsi per giorno',
      note: 'Anche quelli che la banca non ha ancora accreditato.',
      shape: 'bars',
      along: { key: 'day', label: 'Giorno', unit: 'day' },
      measures: [
        { key: 'refunds', label: 'Rimborsi', unit: 'count', add: true },
        { key: 'refunded', label: 'Rimborsato', unit: 'cents', add: true },
        {
          key: 'refunded_fees',
          label: 'Di cui prevendita e commissioni',
          unit: 'cents',
          add: true,
        },
      ],
    },
    rows,
    null,
  );
}

/** One row for each event, if the report has several. */
function eventsFigure(counted: readonly Counted<'sales'>[], { days }: Scope): Figure {
  const rows = counted
    .map(({ event, count }) => ({ event, total: totalOf(count, days) }))
    .filter(({ total }) => days === null || total.orders + total.payments + total.refunds > 0)
    .map(({ event, total }): Keyed[number] => [
      nameOf(event),
      [total.orders, total.places, total.cents, total.paid_cents, total.refunded_cents],
    ]);
  return comparedFigure(
    {
      id: 'by_event',
      title: 'Vendite per data',
      shape: 'table',
      along: text('event', 'Evento'),
      measures: [
        ...orderMeasures,
        { key: 'paid', label: 'Incassato', unit: 'cents', add: true },
        { key: 'refunded', label: 'Rimborsato', unit: 'cents', add: true },
      ],
    },
    rows,
    null,
  );
}
