/**
 * The checks of exchanges for another date: which tickets are good, and where the money is. They
 * reckon from payments and refunds alone, and from what people at the till were told.
 */
import { moneyRows } from '#db/report/money.ts';
import type {
  ExchangeRow,
  ExchangeTicketRow,
  OrderLineRow,
  OrderRow,
  PaymentRow,
  RefundRow,
  TicketRow,
} from '#db/rows.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import { countedAtStripe } from './stripe-double.ts';
import { eveningsOf, type World } from './world.ts';

interface Books {
  exchanges: ExchangeRow[];
  given: ExchangeTicketRow[];
  orders: Map<string, OrderRow>;
  tickets: TicketRow[];
  payments: PaymentRow[];
  /** Those that count: under way or arrived. */
  refunds: RefundRow[];
}

async function readBooks({ store: { db } }: World): Promise<Books> {
  const orders: OrderRow[] = await db<OrderRow>('orders');
  return {
    exchanges: await db<ExchangeRow>('exchanges'),
    given: await db<ExchangeTicketRow>('exchange_tickets'),
    orders: new Map(orders.map((order) => [order.id, order])),
    tickets: await db<TicketRow>('tickets'),
    payments: await db<PaymentRow>('payments'),
    refunds: await db<RefundRow>('refunds').whereIn(
      'state',
      countedRefunds as RefundRow['state'][],
    ),
  };
}

function sum(rows: readonly { amount_cents: number }[]): number {
  return rows.reduce((all, { amount_cents }) => all + amount_cents, 0);
}

/** Runs after every step. */
export async function checkExchanges(world: World): Promise<void> {
  const books = await readBooks(world);
  for (const exchange of books.exchanges) await checkTickets(world, books, exchange);
  checkSums(world, books);
  checkDrawn(world, books);
}

/** The old tickets are good until the new ones are, and never with them. */
async function checkTickets(
  { store: { db }, wrong }: World,
  { given, tickets, orders }: Books,
  { id, state, from_order_id, to_order_id }: ExchangeRow,
): Promise<void> {
  const own = given.filter(({ exchange_id }) => exchange_id === id);
  const old = tickets.filter((ticket) => own.some(({ ticket_id }) => ticket_id === ticket.id));
  const got = tickets.filter(({ order_id }) => order_id === to_order_id);
  const good = (all: readonly TicketRow[]) => all.filter((ticket) => ticket.state === 'valid');
  if (good(old).length > 0 && good(got).length > 0)
    wrong(`the tickets of ${from_order_id} and of ${to_order_id} are good at the same time`);
  if (state === 'done') {
    if (good(old).length > 0) wrong(`${from_order_id} was exchanged, and its tickets are good`);
    if (got.length === 0) wrong(`${to_order_id} has no tickets for those of ${from_order_id}`);
    for (const { ticket_id, place, revision } of own) {
      const now = old.find((ticket) => ticket.id === ticket_id);
      if (now?.place !== place || now.revision !== revision)
        wrong(`${ticket_id} had changed when it was exchanged`);
    }
    return;
  }
  if (got.length > 0) wrong(`${to_order_id} has tickets, and its exchange is ${state}`);
  if (state === 'ended') return;
  // Another act may have ended it, which then gives its line back.
  const ended = old.filter((ticket) => ticket.state !== 'valid');
  for (const { place } of ended) {
    const refunded = await db('refund_lines')
      .join('order_lines', 'order_lines.id', 'refund_lines.line_id')
      .where({ 'refund_lines.order_id': from_order_id, place, live: 1 });
    if (refunded.length === 0)
      wrong(
        `${place} of ${from_order_id} is dead, and ${to_order_id} is ${orders.get(to_order_id)!.state}`,
      );
  }
}

/** A credit is no money: what all orders hold is what came from people less what went to them. */
function checkSums({ wrong }: World, { orders, payments, refunds }: Books): void {
  const all = [...orders.values()];
  const held = all.reduce((cents, order) => cents + order.paid_cents - order.refunded_cents, 0);
  const isMoney = ({ kind }: { kind: string }) => kind !== 'exchange';
  const moved = sum(payments.filter(isMoney)) - sum(refunds.filter(isMoney));
  if (held !== moved)
    wrong(`all orders hold ${held}, and ${moved} of money came and did not go back`);
  for (const { id, paid_cents, refunded_cents } of all) {
    const own = <T extends { order_id: string }>(rows: T[]) =>
      rows.filter(({ order_id }) => order_id === id);
    const paid = sum(own(payments));
    const back = sum(own(refunds));
    if (paid_cents !== paid || refunded_cents !== back)
      wrong(`${id} has ${paid_cents} - ${refunded_cents}, its rows say ${paid} - ${back}`);
  }
}

/** Later orders take no more out of a payment than its tickets have given them. */
function checkDrawn({ wrong }: World, { payments, refunds, exchanges }: Books): void {
  for (const { payment_intent, order_id } of payments) {
    if (payment_intent === null) continue;
    const drawn = sum(
      refunds.filter(
        (refund) =>
          refund.payment_intent === payment_intent &&
          refund.order_id !== order_id &&
          // What the dashboard gives back stands with one order.
          refund.origin !== 'stripe',
      ),
    );
    const given = exchanges
      .filter(({ from_order_id, state }) => from_order_id === order_id && state === 'done')
      .reduce((cents, { credit_cents }) => cents + credit_cents, 0);
    if (drawn > given)
      wrong(`${drawn} of ${payment_intent} went back for others, which ${order_id} gave ${given}`);
  }
}

/** Runs when everything is quiet. */
export async function checkExchangesAtEnd(world: World): Promise<void> {
  const books = await readBooks(world);
  await checkOldSeats(world, books);
  checkChains(world, books);
  checkTold(world, books);
  await checkEvenings(world, books);
}

/** The old seats are for sale again. */
async function checkOldSeats(
  { store: { db }, wrong }: World,
  { exchanges, orders }: Books,
): Promise<void> {
  for (const { refund_id, from_order_id, to_order_id, state } of exchanges) {
    const isOpen = state === 'open' && orders.get(to_order_id)!.needs_attention === null;
    if (isOpen) wrong(`the exchange of ${from_order_id} for ${to_order_id} is open`);
    if (state !== 'done') continue;
    const lines: OrderLineRow[] = await db<OrderLineRow>('order_lines').whereIn(
      'id',
      db('refund_lines').where({ refund_id }).select('line_id'),
    );
    for (const { place, released_at } of lines)
      if (released_at === null) wrong(`${place} of ${from_order_id} is free for no person`);
  }
}

/** The orders that are joined by exchanges, each with all others. */
function chainsOf({ exchanges, orders }: Books): string[][] {
  const chainOf = new Map([...orders.keys()].map((id) => [id, [id]]));
  for (const { from_order_id, to_order_id, state } of exchanges) {
    const [from, to] = [chainOf.get(from_order_id)!, chainOf.get(to_order_id)!];
    if (state !== 'done' || from === to) continue;
    from.push(...to);
    for (const id of to) chainOf.set(id, from);
  }
  return [...new Set(chainOf.values())];
}

/** Of each chain the vendor's books say what came and went, and the house gives back no more. */
function checkChains({ stripe, wrong }: World, books: Books): void {
  for (const chain of chainsOf(books)) {
    const own = <T extends { order_id: string; kind: string }>(rows: readonly T[]) =>
      rows.filter(({ order_id, kind }) => chain.includes(order_id) && kind === 'manual');
    const charged = stripe.payments.filter(
      ({ order_id, status }) => chain.includes(order_id) && status === 'succeeded',
    );
    if (charged.some(({ disputes }) => disputes.length > 0)) continue;
    const came = sum(own(books.payments)) + charged.reduce((all, { amount }) => all + amount, 0);
    const went =
      sum(own(books.refunds)) + charged.reduce((all, one) => all + countedAtStripe(one), 0);
    const known = chain.map((id) => books.orders.get(id)!);
    const held = known.reduce((all, order) => all + order.paid_cents - order.refunded_cents, 0);
    const isFor = `${came} came for ${chain.join(', ')} and ${went} went back`;
    if (went > came) wrong(isFor);
    else if (held !== came - went && known.every((order) => order.needs_attention === null))
      wrong(`${isFor}, and our books hold ${held}`);
  }
}

/** What a seller was told is what the drawers have. */
function checkTold({ toldSales, wrong }: World, { payments, refunds, exchanges }: Books): void {
  for (const { order_id, total_cents, exchange } of toldSales.values()) {
    if (!exchange) continue;
    const manual = payments.filter((row) => row.order_id === order_id && row.kind === 'manual');
    // A move to a dearer seat may have added to it.
    const took = sum(manual);
    if (took < exchange.due_cents || exchange.credit_cents + exchange.due_cents !== total_cents)
      wrong(`${order_id} took ${took}, and the seller was told ${exchange.due_cents}`);
    const row = exchanges.find(({ to_order_id }) => to_order_id === order_id);
    if (row?.state !== 'done') wrong(`the exchange for ${order_id} was told to be done`);
    if (exchange.back !== 'drawer') continue;
    const handed = refunds.find(({ id }) => id === row?.back_refund_id);
    if (handed?.state !== 'succeeded' || handed.amount_cents !== exchange.back_cents)
      wrong(`${exchange.back_cents} were handed back for ${order_id}, and no drawer says so`);
  }
}

/** The money of an evening is what its own orders took from people and gave to them. */
async function checkEvenings(world: World, { orders, payments, refunds }: Books): Promise<void> {
  for (const event_id of eveningsOf(world)) {
    const rows = await moneyRows(world.store.db, event_id);
    const own = <T extends { order_id: string; kind: string }>(all: readonly T[]) =>
      all.filter(
        ({ order_id, kind }) => orders.get(order_id)?.event_id === event_id && kind !== 'exchange',
      );
    const [paid, back] = [sum(own(payments)), sum(own(refunds))];
    if (sum(rows.payments) !== paid || sum(rows.refunds) !== back)
      world.wrong(
        `${event_id} took ${paid} and gave ${back}, and its report says ${sum(rows.payments)} and ${sum(rows.refunds)}`,
      );
  }
}
