/**
 * The report on money: payments by method and their cost, refunds, tills, gifts, reservations,
 * and what Stripe still has to pay out.
 */
import { reportEvents } from '#db/report/events.ts';
import { giftsByReason, newestShifts, openReservations } from '#db/report/money.ts';
import { wayName } from '#server/domain/order/order-words.ts';
import { blocksRefunds, isDisputeClosed } from '#server/domain/payment/refund.ts';
import type { Cell, Column, Figure } from '#server/domain/report/figure.ts';
import { unknownDay } from '#server/domain/report/money-count.ts';
import { sumMoney, type MoneySums } from '#server/domain/report/money-sums.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Counts } from './counts.ts';
import { nameOf, type Scope } from './scope.ts';

/** The most shifts on a printed sheet. */
const mostShifts = 200;

export async function moneyFigures(ctx: Ctx, scope: Scope, counts: Counts): Promise<Figure[]> {
  const { days } = scope;
  // A report on a period has all money that moved in it, for any event.
  const events = days === null ? scope.events : await reportEvents(ctx.db, {});
  const counted = await (days === null ? counts.of('money', events) : counts.onDays('money', days));
  const sums = sumMoney(
    counted.map(({ count }) => count),
    days,
  );
  const ways = byWay(sums);
  const ids = events.map(({ id }) => id);
  return [
    sumsFigure(sums, ways),
    waysFigure(ways),
    onTheWayFigure(sums, romeDay(ctx.now())),
    await shiftsFigure(ctx, sums),
    await giftsFigure(ctx, ids, days),
    await reservationsFigure(ctx, ids, new Map(events.map((event) => [event.id, nameOf(event)]))),
  ];
}

interface Way {
  name: string;
  payments: number;
  cents: number;
  stripe_fee_cents: number;
  refunded_cents: number;
  refunded_fee_cents: number;
}

/** Adds up payment methods with the same name. */
function byWay({ payments, refunds }: MoneySums): Way[] {
  const words = new Set([...payments.keys(), ...refunds.keys()]);
  const ways = [...Map.groupBy(words, wayName)].map(([name, own]) => {
    const sum = (of: Map<string, number[]>, nth: number) =>
      addUp(own, (word) => of.get(word)?.[nth] ?? 0);
    return {
      name,
      payments: sum(payments, 0),
      cents: sum(payments, 1),
      stripe_fee_cents: sum(payments, 2),
      refunded_cents: sum(refunds, 1),
      refunded_fee_cents: sum(refunds, 2),
    };
  });
  return ways.toSorted((one, other) => one.name.localeCompare(other.name, 'it'));
}

function addUp<T>(rows: readonly T[], valueOf: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + valueOf(row), 0);
}

function sumsFigure(sums: MoneySums, ways: readonly Way[]): Figure {
  const gross = addUp(ways, ({ cents }) => cents);
  const refunded = addUp(ways, (way) => way.refunded_cents);
  const stripeFees = addUp(ways, (way) => way.stripe_fee_cents);
  const fees = sums.presale_cents - addUp(ways, (way) => way.refunded_fee_cents);
  const service = sums.service_cents === null ? [] : [sums.service_cents];
  const left = sums.left_cents === null ? [] : [sums.left_cents];
  const presale = fees - (sums.service_cents ?? 0);
  const disputes = [...sums.disputes].map(([status, [, cents = 0, cost = 0]]) => ({
    isTaken: blocksRefunds(status),
    isOpen: !isDisputeClosed(status),
    cents,
    cost,
  }));
  const taken = disputes.filter(({ isTaken }) => isTaken);
  const disputed = addUp(taken, (row) => row.cents);
  const disputeFees = addUp(disputes, ({ cost }) => cost);
  return {
    id: 'sums',
    title: 'In breve',
    note: 'Il netto è l’incassato senza rimborsi, contestazioni e commissioni di Stripe; prevendita e commissione di servizio sono comprese nell’incassato.',
    shape: 'numbers',
    columns: [
      cents('gross', 'Incassato'),
      cents('presale', 'Di cui prevendita'),
      ...service.map(() => cents('service', 'Di cui commissione di servizio')),
      ...left.map(() => cents('left', 'Di cui lasciato o trattenuto, senza IVA')),
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
        ...service,
        ...left,
        stripeFees,
        refunded,
        disputed,
        addUp(
          taken.filter(({ isOpen }) => isOpen),
          (row) => row.cents,
        ),
        disputeFees,
        gross - refunded - disputed - stripeFees - disputeFees,
      ],
    ],
    total: null,
  };
}

function waysFigure(ways: readonly Way[]): Figure {
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
    rows: ways.map((row) => [
      row.name,
      row.payments,
      row.cents,
      row.refunded_cents,
      row.stripe_fee_cents,
      row.cents - row.refunded_cents - row.stripe_fee_cents,
    ]),
  });
}

function onTheWayFigure({ waiting }: MoneySums, today: number): Figure {
  // Money that is available already counts as paid out today.
  const dayOf = (day: number) => (day === unknownDay ? null : dayText(Math.max(day, today)));
  const days = Map.groupBy(
    [...waiting].toSorted(([one], [other]) => one - other),
    ([day]) => dayOf(day),
  );
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
    rows: [...days].map(([day, rows]) => {
      const [payments, gross, fees] = [0, 1, 2].map((nth) =>
        addUp(rows, ([, values]) => values[nth] ?? 0),
      ) as [number, number, number];
      return [day, payments, gross, fees, gross - fees];
    }),
  });
}

async function shiftsFigure(ctx: Ctx, { shift_ids }: MoneySums): Promise<Figure> {
  const shifts = await newestShifts(ctx.db, [...shift_ids], mostShifts);
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

async function giftsFigure(
  ctx: Ctx,
  event_ids: readonly string[],
  days: Scope['days'],
): Promise<Figure> {
  const gifts = await giftsByReason(ctx.db, event_ids, days);
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
  event_ids: readonly string[],
  names: ReadonlyMap<string, string>,
): Promise<Figure> {
  const reservations = await openReservations(ctx.db, event_ids);
  const byEvent = Map.groupBy(reservations, ({ event_id }) => event_id);
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
    rows: [...byEvent].map(([id, rows]) => [
      names.get(id)!,
      rows.length,
      addUp(rows, ({ places }) => places),
      addUp(rows, ({ total_cents, paid_cents }) => total_cents - paid_cents),
    ]),
  });
}

/** Adds a line with totals at the end, unless there is only one row. */
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
