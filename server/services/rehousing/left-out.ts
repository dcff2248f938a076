/**
 * The guests for whom a new hall has no place: the office marks their tickets, and the run refunds
 * them as a house at fault does (RULES H3).
 */
import { ticketsInExchange } from '#db/order/exchanges.ts';
import { lockOrder } from '#db/order/orders.ts';
import { fullOrders } from '#db/seat/left-out.ts';
import { ordersPaidByHand } from '#db/payment/payments.ts';
import { linesToRehouse, rehousedLines, type HousedLine } from '#db/seat/rehousings.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { EventRow, OrderRow, RehousedLineRow, RehousingRow } from '#db/rows.ts';
import { chosenLines, refundQuote, type Quote } from '#server/domain/payment/refund-quote.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { noPlaceWords } from '#server/domain/seat/move-words.ts';
import { noFees } from '#server/domain/price/fees.ts';
import type { Ctx } from '#server/services/context.ts';
import { dropWish } from '#server/services/payment/provider-record.ts';
import { cancelOrder } from '#server/services/payment/settle.ts';
import { handOf, requestAllWays, waysBack } from '#server/services/payment/way-back.ts';
import {
  factsOfOrders,
  lockedFacts,
  type OrderForRefund,
} from '#server/services/order/refund-facts.ts';

/** Those who move, and those who are refunded. */
export function splitLeftOut(
  all: readonly HousedLine[],
  rows: readonly RehousedLineRow[],
): { lines: HousedLine[]; left_out: HousedLine[] } {
  const marked = new Set(
    rows.flatMap(({ line_id, refund_marked }) => (refund_marked === 1 ? [line_id] : [])),
  );
  return {
    lines: all.filter(({ id }) => !marked.has(id)),
    left_out: all.filter(({ id }) => marked.has(id)),
  };
}

/** The house changes the hall, so everything goes back, fees too. */
function quoteOf({ facts }: OrderForRefund, line_ids: readonly string[]): Quote {
  return refundQuote(facts, { by: 'event_cancelled', line_ids, with_fees: true });
}

/** In cents. `by_hand`: what of it the office hands back itself. */
export interface LeftOutMoney {
  cents: number;
  by_hand_cents: number;
}

/** What the run would give back for these lines, by order; unpaid orders have nothing. */
export async function moneyOfLeftOut(
  ctx: Ctx,
  event: EventRow,
  lines: readonly Pick<HousedLine, 'id' | 'order_id' | 'ticket_id'>[],
): Promise<Map<string, LeftOutMoney>> {
  const paid = lines.filter(({ ticket_id }) => ticket_id !== null);
  const families = Map.groupBy(paid, ({ order_id }) => order_id);
  const orders = await fullOrders(ctx.db, [...families.keys()]);
  const mixed = await ordersPaidByHand(ctx.db, [...families.keys()]);
  const money = new Map<string, LeftOutMoney>();
  for (const found of await factsOfOrders(ctx.db, { event, orders, now: ctx.now() })) {
    const { id } = found.order;
    const own = (families.get(id) ?? []).map((line) => line.id);
    const { amount_cents, obstacle } = quoteOf(found, own);
    const cents = obstacle === null ? amount_cents : 0;
    const isPlain = found.order.exchange_credit_cents === null && !mixed.has(id);
    const ways = isPlain ? [] : await waysBack(ctx.db, found.order, cents);
    money.set(id, { cents, by_hand_cents: handOf(ways)?.amount_cents ?? 0 });
  }
  return money;
}

interface Counted {
  refunded: number;
  refunded_cents: number;
}

/** @throws Refusal rehousing_refunds if the person saw other refunds than there are. */
export function requireToldRefunds({ refunded, refunded_cents }: Counted, ask: Counted): void {
  if (refunded !== ask.refunded || refunded_cents !== ask.refunded_cents)
    throw new Refusal('rehousing_refunds', { tickets: refunded, cents: refunded_cents });
}

/** Tickets that their buyer is exchanging for another date are waited for. */
export async function isExchanging(db: Db, lines: readonly HousedLine[]): Promise<boolean> {
  for (const order_id of new Set(lines.map((line) => line.order_id)))
    if ((await ticketsInExchange(db, order_id)).size > 0) return true;
  return false;
}

/**
 * Ends the unpaid orders without a place. One that was paid in this moment is confirmed, and the
 * run refunds it with the others; money that comes later goes back (RULES O5).
 */
export async function endLeftOut(ctx: Ctx, row: RehousingRow): Promise<void> {
  const rows = await rehousedLines(ctx.db, row);
  const { left_out } = splitLeftOut(await linesToRehouse(ctx.db, row.event_id), rows);
  const unpaid = left_out.filter(({ ticket_id }) => ticket_id === null);
  for (const order_id of new Set(unpaid.map((line) => line.order_id)))
    await cancelOrder(ctx, order_id, { reason: 'no_place_in_hall', actor: 'system' }).catch(
      (error: unknown) =>
        ctx.log.warn({ err: error, order_id }, 'unpaid order without a place not ended yet'),
    );
}

interface Refunding {
  row: RehousingRow;
  event: EventRow;
  /** Locked. */ orders: readonly OrderRow[];
  /** The lines that are marked. */ lines: readonly HousedLine[];
}

/** Refunds the marked tickets in the run's transaction; the outbox moves the money. */
export async function refundLeftOut(
  ctx: Ctx,
  trx: Trx,
  { row, event, orders, lines }: Refunding,
): Promise<void> {
  const families = Map.groupBy(lines, ({ order_id }) => order_id);
  for (const { id } of orders) {
    const line_ids = (families.get(id) ?? []).map((line) => line.id);
    if (line_ids.length > 0) await refundOne(ctx, trx, { row, event, order_id: id, line_ids });
  }
}

interface One {
  row: RehousingRow;
  event: EventRow;
  order_id: string;
  line_ids: readonly string[];
}

async function refundOne(
  ctx: Ctx,
  trx: Trx,
  { row, event, order_id, line_ids }: One,
): Promise<void> {
  const order = await lockOrder(trx, order_id);
  const facts = { event, order, now: ctx.now() };
  // The full refund replaces what the buyer has asked for.
  for (const { id, refund_id, refund_state } of (await lockedFacts(trx, facts)).lines)
    if (refund_id !== null && refund_state === 'asked' && line_ids.includes(id))
      await dropWish(ctx, trx, refund_id, 'left_out');
  const quote = quoteOf(await lockedFacts(trx, facts), line_ids);
  const isPayable = quote.obstacle === null;
  const amount_cents = isPayable ? quote.amount_cents : 0;
  const nothing = line_ids.map((line_id) => ({ line_id, price_cents: 0, ...noFees }));
  const ways = await waysBack(trx, order, amount_cents);
  const draft = {
    order,
    origin: 'rehoused' as const,
    actor: row.actor,
    amount_cents,
    lines: isPayable ? chosenLines(quote) : nothing,
    voids_tickets: true,
    // The old hall is dropped with all its bookings.
    frees_seats: false,
    reason: noPlaceWords,
    idempotency_key: `rehousing:${row.id}:${order_id}`,
  };
  await requestAllWays(ctx, trx, draft, { ways });
}
