/** Where the money is: what came in and by which way, what it cost, what went back, tills, gifts, reservations, and what Stripe still owes. */
import { reportEvents } from '#db/reports/events.ts';
import {
  disputesByStatus,
  giftsByReason,
  openReservations,
  paidByMethod,
  paymentsOnTheWay,
  refundedByMethod,
  shiftsWith,
  sumDisputeFees,
  sumPresale,
  type MoneyScope,
} from '#db/reports/money.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { isDisputeClosed } from '#server/domain/order/refund.ts';
import type { Cell, Column, Figure } from '#server/domain/report/figure.ts';
import { dayText, romeDay } from '#server/domain/report/rome.ts';
import type { Ctx } from '#server/services/context.ts';
import { nameOf, type Scope } from './scope.ts';

/** That a sheet of paper takes. */
const mostShifts = 200;

export async function moneyFigures(ctx: Ctx, scope: Scope): Promise<Figure[]> {
  // Of some days all money counts that moved then, of whatever evening.
  const events = scope.days === null ? scope.events : await reportEvents(ctx.db, {});
  const { days } = scope;
  const span = days && { from: days.from, before: days.before };
  const asked: MoneyScope = { event_ids: events.map(({ id }) => id), span };
  const methods = await byMethod(ctx, asked);
  return [
    await sumsFigure(ctx, asked, methods),
    methodsFigure(methods),
    await onTheWayFigure(ctx, asked),
    await shiftsFigure(ctx, asked),
    await giftsFigure(ctx, asked),
    await reservationsFigure(ctx, asked, new Map(events.map((event) => [event.id, nameOf(event)]))),
  ];
}

interface Method {
  name: string;
  payments: number;
  cents: number;
  stripe_fee_cents: number;
  refunded_cents: number;
  refunded_fee_cents: number;
}

async function byMethod(ctx: Ctx, scope: MoneyScope): Promise<Method[]> {
  const found = new Map<string, Method>();
  const at = (kind: string, method: string | null) => {
    const name = method === null ? (kind === 'stripe' ? 'Online' : 'Altro') : methodName(method);
    const known = found.get(name) ?? {
      name,
      payments: 0,
      cents: 0,
      stripe_fee_cents: 0,
      refunded_cents: 0,
      refunded_fee_cents: 0,
    };
    found.set(name, known);
    return known;
  };
  for (const { kind, method, ...sum } of await paidByMethod(ctx.db, scope)) {
    const row = at(kind, method);
    row.payments += sum.payments;
    row.cents += sum.cents;
    row.stripe_fee_cents += sum.stripe_fee_cents;
  }
  for (const { kind, method, cents, fee_cents } of await refundedByMethod(ctx.db, scope)) {
    const row = at(kind, method);
    row.refunded_cents += cents;
    row.refunded_fee_cents += fee_cents;
  }
  return [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'it'));
}

function addUp<T>(rows: readonly T[], valueOf: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + valueOf(row), 0);
}

async function sumsFigure(
  ctx: Ctx,
  scope: MoneyScope,
  methods: readonly Method[],
): Promise<Figure> {
  const gross = addUp(methods, ({ cents }) => cents);
  const refunded = addUp(methods, (row) => row.refunded_cents);
  const stripeFees = addUp(methods, (row) => row.stripe_fee_cents);
  const presale =
    (await sumPresale(ctx.db, scope)) - addUp(methods, (row) => row.refunded_fee_cents);
  const disputes = await disputesByStatus(ctx.db, scope);
  const taken = disputes.filter(({ status }) => status !== 'won' && !status.startsWith('warning'));
  const open = taken.filter(({ status }) => !isDisputeClosed(status));
  const disputed = addUp(taken, ({ cents }) => cents);
  const disputeFees = await sumDisputeFees(ctx.db, scope);
  return {
    id: 'sums',
    title: 'In breve',
    note: 'Il netto è l’incassato senza rimborsi, contestazioni e commissioni di Stripe; la prevendita è compresa nell’incassato.',
    shape: 'numbers',
    columns: [
      cents('gross', 'Incassato'),
      cents('presale', 'Di cui prevendita'),
      cents('stripe_fees', 'Commissioni di Stripe'),
      cents('refunded', 'Rimborsato'),
      cents('disputed', 'Contestato'),
      cents('disputed_open', 'Di cui ancora aperto'),
      cents('dispute_fees', 'Costi delle contestazioni'),
      cents('net', 'Netto'),
    ],
    rows: [
      [
        gross,
        presale,
        stripeFees,
        refunded,
        disputed,
        addUp(open, (row) => row.cents),
        disputeFees,
        gross - refunded - disputed - stripeFees - disputeFees,
      ],
    ],
    total: null,
  };
}

function methodsFigure(methods: readonly Method[]): Figure {
  return table({
    id: 'methods',
    title: 'Per modo di pagamento',
    note: 'Un rimborso sta nel modo in cui era stato pagato, o in quello in cui la cassa lo ha reso.',
    shape: 'bars',
    columns: [
      text('method', 'Modo'),
      count('payments', 'Incassi'),
      cents('gross', 'Incassato'),
      cents('refunded', 'Rimborsato'),
      cents('stripe_fees', 'Commissioni di Stripe'),
      cents('net', 'Netto'),
    ],
    rows: methods.map((row) => [
      row.name,
      row.payments,
      row.cents,
      row.refunded_cents,
      row.stripe_fee_cents,
      row.cents - row.refunded_cents - row.stripe_fee_cents,
    ]),
  });
}

async function onTheWayFigure(ctx: Ctx, scope: MoneyScope): Promise<Figure> {
  const waiting = await paymentsOnTheWay(ctx.db, scope);
  const dayOf = (at: number | null) =>
    at === null ? null : dayText(romeDay(Math.max(at, ctx.now())));
  const days = [...Map.groupBy(waiting, ({ available_at }) => dayOf(available_at))];
  return table({
    id: 'on_the_way',
    title: 'Ancora in viaggio',
    note: 'Incassi online che non sono in nessun accredito, per il giorno dal quale Stripe può accreditarli; senza giorno, non ancora tra i movimenti di Stripe. I rimborsi vengono tolti all’accredito.',
    shape: 'table',
    columns: [
      { key: 'day', label: 'Disponibile dal', unit: 'day' },
      count('payments', 'Incassi'),
      cents('gross', 'Incassato'),
      cents('stripe_fees', 'Commissioni di Stripe'),
      cents('net', 'In arrivo'),
    ],
    rows: days.map(([day, rows]) => {
      const gross = addUp(rows, (row) => row.cents);
      const fees = addUp(rows, (row) => row.fee_cents);
      return [day, addUp(rows, (row) => row.payments), gross, fees, gross - fees];
    }),
  });
}

async function shiftsFigure(ctx: Ctx, scope: MoneyScope): Promise<Figure> {
  const shifts = await shiftsWith(ctx.db, scope, mostShifts);
  return table({
    id: 'shifts',
    title: 'Turni di cassa',
    note: 'I contanti di tutto il turno, anche di altri eventi.',
    shape: 'table',
    columns: [
      text('till', 'Cassa'),
      time('opened', 'Aperto'),
      time('closed', 'Chiuso'),
      cents('float', 'Fondo'),
      cents('expected', 'Atteso'),
      cents('counted', 'Contato'),
      cents('difference', 'Differenza'),
    ],
    rows: shifts.map((shift) => [
      shift.till_name,
      shift.opened_at,
      shift.closed_at,
      shift.float_cents,
      shift.expected_cents,
      shift.counted_cents,
      shift.counted_cents === null || shift.expected_cents === null
        ? null
        : shift.counted_cents - shift.expected_cents,
    ]),
  });
}

async function giftsFigure(ctx: Ctx, scope: MoneyScope): Promise<Figure> {
  const gifts = await giftsByReason(ctx.db, scope);
  return table({
    id: 'gifts',
    title: 'Omaggi',
    note: null,
    shape: 'table',
    columns: [text('reason', 'Motivo'), count('orders', 'Ordini'), count('places', 'Biglietti')],
    rows: gifts.map(({ reason, orders, places }) => [reason, orders, places]),
  });
}

async function reservationsFigure(
  ctx: Ctx,
  scope: MoneyScope,
  names: ReadonlyMap<string, string>,
): Promise<Figure> {
  const reservations = await openReservations(ctx.db, scope);
  return table({
    id: 'reservations',
    title: 'Prenotazioni aperte',
    note: 'Della cassa, che aspettano il pagamento adesso.',
    shape: 'table',
    columns: [
      text('event', 'Evento'),
      count('orders', 'Prenotazioni'),
      count('places', 'Posti'),
      cents('due', 'Da incassare'),
    ],
    rows: reservations.map((row) => [
      names.get(row.event_id) ?? row.event_id,
      row.orders,
      row.places,
      row.cents,
    ]),
  });
}

/** With a last line that adds up what can be added; none under a single row. */
function table(figure: Omit<Figure, 'total'>): Figure {
  const { columns, rows } = figure;
  const total = columns.map(({ unit }, at): Cell => {
    if (at === 0 && unit === 'text') return 'Totale';
    return unit === 'cents' || unit === 'count' ? addUp(rows, (row) => Number(row[at] ?? 0)) : null;
  });
  return { ...figure, total: rows.length > 1 ? total : null };
}

function cents(key: string, label: string): Column {
  return { key, label, unit: 'cents' };
}
function count(key: string, label: string): Column {
  return { key, label, unit: 'count' };
}
function text(key: string, label: string): Column {
  return { key, label, unit: 'text' };
}
function time(key: string, label: string): Column {
  return { key, label, unit: 'time' };
}
