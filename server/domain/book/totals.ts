/** Every total of a book, added up from its rows alone. */
import type { BookRow, FactOf, MethodSum } from './rows.ts';

export interface BookTotals {
  orders: number;
  /** Valid and ended tickets, by place and type, at their last price. */
  tickets: TicketSum[];
  valid: number;
  valid_cents: number;
  valid_fee_cents: number;
  issued: number;
  revised: number;
  voided: number;
  refunded: number;
  paid_cents: number;
  paid: MethodSum[];
  stripe_fee_cents: number;
  /** Money that was refunded; `refunding_cents` is still on its way. */
  refunded_cents: number;
  refunded_fee_cents: number;
  refunding_cents: number;
  given_back: MethodSum[];
  disputed_cents: number;
  /** Sent to the bank, without Stripe's fees: income less refunds and disputes. */
  paid_out_cents: number;
  paid_out: PaidOut[];
  /** Income that is left after refunds. */
  kept_cents: number;
  entries: number;
  exits: number;
  /** Tickets that were let in at least once. */
  entered: number;
  shifts: number;
  shift_difference_cents: number;
}

interface PaidOut {
  payout: string;
  lines: number;
  net_cents: number;
}

interface TicketSum {
  category: string;
  type: string;
  price_cents: number;
  valid: number;
  ended: number;
  cents: number;
}

interface Ticket extends Omit<FactOf<'ticket'>, 'kind'> {
  state: string;
}
type Kept = Pick<FactOf<'refund'>, 'state' | 'cents' | 'fee_cents' | 'means' | 'method'>;
interface Passage {
  ticket: number | null;
  direction: string;
  counts: boolean;
}

interface Ledger {
  orders: number;
  revised: number;
  tickets: Map<number, Ticket>;
  paid: Map<string, number>;
  fees: Map<number, number>;
  refunds: Map<number, Kept>;
  disputes: Map<number, { cents: number; status: string }>;
  paidOut: Map<string, PaidOut>;
  passages: Map<number, Passage>;
  shifts: FactOf<'shift'>[];
}

const onTheWay = ['requested', 'pending', 'requires_action'];
/** States of disputes that the house won, or that were only an inquiry of the bank. */
const harmless = ['won', 'warning_closed', 'prevented'];

export function totalsOf(rows: readonly BookRow[]): BookTotals {
  const ledger: Ledger = {
    orders: 0,
    revised: 0,
    tickets: new Map(),
    paid: new Map(),
    fees: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    paidOut: new Map(),
    passages: new Map(),
    shifts: [],
  };
  for (const row of rows) enter(ledger, row);
  return { ...ticketTotals(ledger), ...moneyTotals(ledger), ...doorTotals(ledger) };
}

function enter(ledger: Ledger, row: BookRow): void {
  const { tickets, refunds, disputes, passages } = ledger;
  switch (row.kind) {
    case 'order':
      ledger.orders += 1;
      break;
    case 'ticket':
      tickets.set(row.n, { ...row, state: 'valid' });
      break;
    case 'ticket_revised': {
      const { category, price_cents, place, seat, revision } = row;
      change(tickets, row.ticket, { category, price_cents, place, seat, revision });
      ledger.revised += 1;
      break;
    }
    case 'ticket_ended':
      change(tickets, row.ticket, { state: row.as });
      break;
    case 'ticket_revived':
      change(tickets, row.ticket, { state: 'valid' });
      break;
    case 'payment':
      add(ledger.paid, row.method ?? row.means, row.cents);
      break;
    case 'fee':
      ledger.fees.set(row.payment, row.cents);
      break;
    case 'refund':
      refunds.set(row.n, row);
      break;
    case 'refund_became':
      change(refunds, row.refund, { state: row.state, cents: row.cents, fee_cents: row.fee_cents });
      break;
    case 'dispute':
      disputes.set(row.n, row);
      break;
    case 'dispute_became':
      change(disputes, row.dispute, { cents: row.cents, status: row.status });
      break;
    case 'payout_line':
      addLine(ledger.paidOut, row);
      break;
    case 'admission':
      passages.set(row.n, row);
      break;
    case 'admission_became':
      change(passages, row.admission, { counts: row.counts });
      break;
    case 'shift':
      ledger.shifts.push(row);
      break;
    default:
  }
}

function change<T>(all: Map<number, T>, n: number, changes: Partial<T>): void {
  const known = all.get(n);
  if (known !== undefined) all.set(n, { ...known, ...changes });
}

function addLine(sums: Map<string, PaidOut>, { payout, net_cents }: FactOf<'payout_line'>): void {
  const sum = sums.get(payout) ?? { payout, lines: 0, net_cents: 0 };
  sums.set(payout, { payout, lines: sum.lines + 1, net_cents: sum.net_cents + net_cents });
}

function add(sums: Map<string, number>, key: string, cents: number): void {
  sums.set(key, (sums.get(key) ?? 0) + cents);
}

function sortedSums(sums: ReadonlyMap<string, number>): MethodSum[] {
  return [...sums]
    .map(([method, cents]) => ({ method, cents }))
    .toSorted((one, other) => (one.method < other.method ? -1 : 1));
}

function ticketTotals({ orders, revised, tickets }: Ledger) {
  const sums = new Map<string, TicketSum>();
  const count = { valid: 0, valid_cents: 0, valid_fee_cents: 0, voided: 0, refunded: 0 };
  for (const { category, type, price_cents, fee_cents, state } of tickets.values()) {
    const key = JSON.stringify([category, type, price_cents]);
    const sum = sums.get(key) ?? { category, type, price_cents, valid: 0, ended: 0, cents: 0 };
    sums.set(key, sum);
    if (state === 'valid') {
      sum.valid += 1;
      sum.cents += price_cents;
      count.valid += 1;
      count.valid_cents += price_cents;
      count.valid_fee_cents += fee_cents;
    } else {
      sum.ended += 1;
      count[state === 'refunded' ? 'refunded' : 'voided'] += 1;
    }
  }
  const byKey = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { orders, revised, issued: tickets.size, ...count, tickets: byKey.map(([, sum]) => sum) };
}

function moneyTotals({ paid, fees, refunds, disputes, paidOut, shifts }: Ledger) {
  const given = new Map<string, number>();
  const sum = { refunded_cents: 0, refunded_fee_cents: 0, refunding_cents: 0 };
  for (const { state, cents, fee_cents, method, means } of refunds.values()) {
    if (onTheWay.includes(state)) sum.refunding_cents += cents;
    if (state !== 'succeeded') continue;
    sum.refunded_cents += cents;
    sum.refunded_fee_cents += fee_cents;
    add(given, method ?? means, cents);
  }
  const paid_cents = total(paid.values());
  const stripe_fee_cents = total(fees.values());
  const open = [...disputes.values()].filter(({ status }) => !harmless.includes(status));
  return {
    paid_cents,
    paid: sortedSums(paid),
    stripe_fee_cents,
    ...sum,
    given_back: sortedSums(given),
    disputed_cents: total(open.map(({ cents }) => cents)),
    paid_out_cents: total([...paidOut.values()].map(({ net_cents }) => net_cents)),
    paid_out: [...paidOut.values()],
    kept_cents: paid_cents - sum.refunded_cents - stripe_fee_cents,
    shifts: shifts.length,
    shift_difference_cents: total(
      shifts.map(({ counted_cents, expected_cents }) => counted_cents - expected_cents),
    ),
  };
}

function doorTotals({ passages }: Ledger) {
  const counted = [...passages.values()].filter(({ counts }) => counts);
  const inward = counted.filter(({ direction }) => direction === 'in');
  const tickets = new Set(inward.flatMap(({ ticket }) => ticket ?? []));
  return {
    entries: inward.length,
    exits: counted.length - inward.length,
    entered: tickets.size,
  };
}

function total(cents: Iterable<number>): number {
  let sum = 0;
  for (const one of cents) sum += one;
  return sum;
}
