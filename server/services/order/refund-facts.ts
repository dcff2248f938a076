/** Reads the facts for the refund rule in server/domain/payment/refund.ts. */
import { firstEntries } from '#db/door/admissions.ts';
import type { Db } from '#db/engine/dialect.ts';
import { disputesOf } from '#db/payment/payments.ts';
import {
  countedFees,
  refundableLines,
  sumCounted,
  type RefundableLine,
} from '#db/payment/refunds.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { cartTicket, pricedByOf, reasonsOf } from '#server/domain/order/priced-order.ts';
import { refundEventOf, underTerms } from '#server/domain/order/terms.ts';
import { noFees, type Fees } from '#server/domain/price/fees.ts';
import { refundQuote } from '#server/domain/payment/refund-quote.ts';
import {
  refundUntil,
  type RefundAsk,
  blocksRefunds,
  countedRefunds,
  type RefundFacts,
} from '#server/domain/payment/refund.ts';
import type { Ruled, RuledLine } from '#server/domain/payment/ruled-refund.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';

export interface OrderForRefund {
  order: OrderRow;
  facts: RefundFacts;
  lines: RefundableLine[];
}

interface EventOrder {
  event: EventRow;
  order: OrderRow;
  now: number;
}

/**
 * The facts, in the order of `orders`. A transaction that refunds must call it after it has
 * locked the orders.
 */
export async function factsOfOrders(
  db: Db,
  { event, orders, now }: { event: EventRow; orders: readonly OrderRow[]; now: number },
): Promise<OrderForRefund[]> {
  const ids = orders.map((order) => order.id);
  const lines = Map.groupBy(await refundableLines(db, ids), (line) => line.order_id);
  const used = await firstEntries(
    db,
    [...lines.values()].flat().flatMap((line) => line.ticket_id ?? []),
  );
  const disputed = new Set(
    (await disputesOf(db, ids))
      .filter((dispute) => blocksRefunds(dispute.status))
      .map((dispute) => dispute.order_id),
  );
  const fees = await countedFees(db, ids);
  return orders.map((order) => {
    const own = lines.get(order.id) ?? [];
    const known = {
      lines: own,
      used,
      disputed: disputed.has(order.id),
      counted: fees.get(order.id) ?? noFees,
    };
    return { order, lines: own, facts: factsOf({ event, order, now, ...known }) };
  });
}

interface Known extends EventOrder {
  lines: readonly RefundableLine[];
  used: ReadonlyMap<string, number>;
  disputed: boolean;
  counted: Fees;
}

function factsOf(known: Known): RefundFacts {
  const { order, now, lines, used, disputed, counted } = known;
  const ruled = ruledOf(order, lines);
  return {
    ...(ruled && { ruled }),
    now,
    confirmed: order.state === 'confirmed',
    paid_cents: order.paid_cents,
    counted_cents: order.refunded_cents,
    counted_fee_cents: counted.fee_cents,
    counted_service_cents: counted.service_cents,
    disputed: disputed && order.paid_by === 'stripe',
    event: refundEventOf(underTerms(known.event, order), order.confirmed_at ?? order.created_at),
    lines: lines.map((line) => ({
      line_id: line.id,
      price_cents: line.price_cents,
      fee_cents: line.fee_cents,
      service_cents: line.service_cents,
      ticket_live: line.ticket_state === 'valid',
      refund: line.refund_state,
      used: line.ticket_id !== null && used.has(line.ticket_id),
    })),
  };
}

/** Null: no rule made the order's prices. */
function ruledOf(order: OrderRow, lines: readonly RefundableLine[]): Ruled | null {
  const pricedBy = pricedByOf(order);
  if (pricedBy === null) return null;
  // Before 1.5.0 a ticket that was free bore the fee of the others as soon as it was not.
  const most = { fee_cents: Math.max(0, ...lines.map((line) => line.fee_cents)), service_cents: 0 };
  const bearsAt = (position: number): Fees => {
    const [fee_cents, service_cents] = pricedBy.bears?.[position] ?? [];
    if (fee_cents === undefined || service_cents === undefined) return most;
    return { fee_cents, service_cents };
  };
  return { ...pricedBy, lines: lines.map((line) => ruledLine(line, bearsAt(line.position))) };
}

function ruledLine(line: RefundableLine, bears: Fees): RuledLine {
  const list_cents = line.list_cents ?? line.price_cents;
  const fees = list_cents > 0 ? bears : noFees;
  return {
    line_id: line.id,
    ticket: cartTicket({ ...line, ...fees }, list_cents),
    names: reasonsOf(line).map(({ name }) => name),
    paid: { price_cents: line.price_cents, fee_cents: line.fee_cents },
    back: backOf(line),
  };
}

function backOf({ refund_state, ...line }: RefundableLine): RuledLine['back'] {
  const isAsked = refund_state === 'asked';
  if (refund_state === null || !(isAsked || countedRefunds.includes(refund_state))) return null;
  return {
    price_cents: line.refund_price_cents ?? 0,
    fee_cents: line.refund_fee_cents ?? 0,
    asked: isAsked,
  };
}

export async function factsOfOrder(db: Db, { order, ...about }: EventOrder) {
  const [found] = await factsOfOrders(db, { ...about, orders: [order] });
  return requireValue(found, 'order');
}

/** Like factsOfOrder(), for an order that is locked; its refunds are summed again. */
export async function lockedFacts(
  trx: Db,
  { event, order, now }: EventOrder,
): Promise<OrderForRefund> {
  const refunded_cents = await sumCounted(trx, order.id);
  return factsOfOrder(trx, { event, order: { ...order, refunded_cents }, now });
}

/** What the order page says about refunds: the terms, and the sum for all remaining tickets. */
export async function refundTermsOf(db: Db, { event, order, now }: EventOrder) {
  const found = await factsOfOrder(db, { event, order, now });
  const { amount_cents, obstacle } = refundQuote(found.facts, { by: 'buyer', line_ids: 'all' });
  const { refund_request, refund_days, refund_stop_days } = underTerms(event, order);
  return {
    request: refund_request,
    refund_days,
    refund_stop_days,
    keeps_fees: found.facts.event.keeps_fees,
    until: refundUntil(found.facts),
    amount_cents,
    obstacle,
  };
}

/**
 * The line ids of the named tickets. The id of another order's ticket stays in the list, and the
 * refund rule refuses it.
 */
export function lineIdsOf(
  lines: readonly RefundableLine[],
  ticket_ids: readonly string[] | undefined,
): readonly string[] | 'all' {
  if (ticket_ids === undefined) return 'all';
  return [...new Set(ticket_ids)].map(
    (ticket_id) => lines.find((line) => line.ticket_id === ticket_id)?.id ?? ticket_id,
  );
}

/** The quote with the seat's name for each line. */
export function quoteInWords({ facts, lines }: OrderForRefund, ask: RefundAsk) {
  const quote = refundQuote(facts, ask);
  return {
    ...quote,
    lines: quote.lines.map((quoted, index) => {
      const line = requireValue(lines[index], 'line');
      return {
        ...line,
        line_id: line.id,
        seat: seatName(line),
        refund_cents: quoted.price_cents,
        refund_fee_cents: quoted.fee_cents,
        chosen: quoted.chosen,
        obstacle: quoted.obstacle,
      };
    }),
  };
}
