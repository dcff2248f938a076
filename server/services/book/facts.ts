/**
 * Finds what must still be written about some orders: the differences between their rows now and
 * the last rows of the book.
 */
import type { BookedOrders, BookedPayoutLine, BookedTicket } from '#db/book.ts';
import type {
  AdmissionRow,
  DisputeRow,
  EventRow,
  OrderRow,
  PaymentRow,
  RefundRow,
} from '#db/rows.ts';
import { personHash } from '#server/domain/book/chain.ts';
import type { Fact } from '#server/domain/book/rows.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import type { RefundState } from '#server/domain/payment/refund.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';

/** A row to write; `fact` is called when the rows that it refers to have their numbers. */
export interface News {
  subject: string;
  at: number;
  fact: (numberOf: (subject: string) => number) => Fact;
}

/**
 * What the book already says about a subject: the number of its first row, and all its rows
 * merged, with the last value of each field.
 */
export interface Known {
  n: number;
  last: Record<string, unknown>;
}

export interface Writing {
  now: number;
  /** The rows of the book, by subject. */
  known: ReadonlyMap<string, Known>;
  /** The key for the hashes that replace the names of an order's people. */
  keyOf: (order: string) => string;
}

/** The subjects for which a book may already have rows of these orders. */
export function subjectsOf({
  orders,
  tickets,
  payments,
  refunds,
  disputes,
  payoutLines,
}: BookedOrders): string[] {
  return [
    ...orders.map(({ id }) => `order ${id}`),
    ...tickets.map(({ id }) => `ticket ${id}`),
    ...payments.flatMap(({ id }) => [`payment ${id}`, `fee ${id}`]),
    ...refunds.map(({ id }) => `refund ${id}`),
    ...disputes.map(({ id }) => `dispute ${id}`),
    ...payoutLines.map(({ id }) => `line ${id}`),
  ];
}

export function newsOfOrders(booked: BookedOrders, writing: Writing): News[] {
  const numbers = new Map(booked.orders.map(({ id, number }) => [id, number]));
  const sold = new Map(booked.orders.map(({ id, confirmed_at }) => [id, confirmed_at ?? 0]));
  const revisions = new Map(booked.revisions.map(({ subject, at }) => [subject, at]));
  const paid = new Map(booked.payments.map(({ order_id, paid_at }) => [order_id, paid_at]));
  const refundedBy = new Map<string, string[]>();
  for (const { refund_id, ticket_id } of booked.refunded)
    refundedBy.set(refund_id, [...(refundedBy.get(refund_id) ?? []), ticket_id]);
  const numberOf = (order_id: string) => requireValue(numbers.get(order_id), 'number');
  return [
    ...booked.orders.flatMap((order) => newsOfOrder(order, paid.get(order.id), writing)),
    ...booked.tickets.flatMap((ticket) =>
      newsOfTicket(
        ticket,
        {
          order: numberOf(ticket.order_id),
          sold_at: sold.get(ticket.order_id) ?? 0,
          revised_at: revisions.get(ticket.order_id),
        },
        writing,
      ),
    ),
    ...booked.payments.flatMap((payment) =>
      newsOfPayment(payment, numberOf(payment.order_id), writing),
    ),
    ...booked.refunds.flatMap((refund) =>
      newsOfRefund(
        refund,
        { order: numberOf(refund.order_id), tickets: refundedBy.get(refund.id) ?? [] },
        writing,
      ),
    ),
    ...booked.disputes.flatMap((dispute) =>
      newsOfDispute(dispute, numberOf(requireValue(dispute.order_id, 'order')), writing),
    ),
    ...booked.payoutLines.flatMap((line) => newsOfPayoutLine(line, writing)),
  ];
}

/** The rows of an order; none if it was neither confirmed nor paid. */
function newsOfOrder(
  order: OrderRow,
  paid_at: number | undefined,
  { known, keyOf }: Writing,
): News[] {
  const subject = `order ${order.id}`;
  const at = order.confirmed_at ?? paid_at;
  if (at === undefined || known.has(subject)) return [];
  const key = keyOf(order.number);
  const { number, channel, total_cents, buyer_name, buyer_email } = order;
  const fact: Fact = {
    kind: 'order',
    order: number,
    channel,
    total_cents,
    gift: order.gift_reason !== null,
    buyer: buyer_name === null ? null : personHash(key, buyer_name),
    mail: buyer_email === null ? null : personHash(key, buyer_email),
  };
  return [{ subject, at, fact: () => fact }];
}

function newsOfTicket(
  ticket: BookedTicket,
  {
    order,
    sold_at,
    revised_at,
  }: { order: string; sold_at: number; revised_at: number | undefined },
  { now, known, keyOf }: Writing,
): News[] {
  const subject = `ticket ${ticket.id}`;
  const { place, category, price_cents, fee_cents, revision, state } = ticket;
  const was = known.get(subject)?.last;
  const here = { place, seat: seatName(ticket), category, price_cents };
  const news: News[] = [];
  const tell = (at: number, fact: News['fact']) =>
    news.push({ subject, at: Math.max(at, ticket.issued_at), fact });
  if (was === undefined) {
    const type = ticket.type_label;
    const test = ticket.test_money === 1;
    // A ticket that was lost in a restore is older than its order (RULES B3).
    tell(sold_at, () => ({
      kind: 'ticket',
      order,
      ...here,
      type,
      fee_cents,
      revision,
      test,
    }));
  } else if (
    was['revision'] !== revision ||
    was['place'] !== place ||
    was['price_cents'] !== price_cents
  ) {
    const holder = ticket.holder === null ? null : personHash(keyOf(order), ticket.holder);
    tell(revised_at ?? now, (numberOf) => ({
      kind: 'ticket_revised',
      ticket: numberOf(subject),
      ...here,
      revision,
      holder,
    }));
  }
  const stood = (was?.['as'] as string | undefined) ?? 'valid';
  if (state !== stood)
    tell(ticket.ended_at ?? now, (numberOf) =>
      state === 'valid'
        ? { kind: 'ticket_revived', ticket: numberOf(subject) }
        : { kind: 'ticket_ended', ticket: numberOf(subject), as: state },
    );
  return news;
}

function newsOfPayment(payment: PaymentRow, order: string, { now, known }: Writing): News[] {
  const subject = `payment ${payment.id}`;
  const { kind: means, method, amount_cents: cents, stripe_fee_cents, paid_at } = payment;
  const news: News[] = [];
  if (!known.has(subject))
    news.push({
      subject,
      at: paid_at,
      fact: () => ({ kind: 'payment', order, means, method, cents }),
    });
  const fee = `fee ${payment.id}`;
  if (stripe_fee_cents !== null && known.get(fee)?.last['cents'] !== stripe_fee_cents)
    news.push({
      subject: fee,
      at: known.has(subject) ? now : paid_at,
      fact: (numberOf) => ({ kind: 'fee', payment: numberOf(subject), cents: stripe_fee_cents }),
    });
  return news;
}

/** A refund in one of these states is only a request, so the book leaves it out. */
const wishes: readonly RefundState[] = ['asked', 'refused'];

function newsOfRefund(
  refund: RefundRow,
  { order, tickets }: { order: string; tickets: string[] },
  { now, known }: Writing,
): News[] {
  const subject = `refund ${refund.id}`;
  const { state, kind: means, method, amount_cents: cents, fee_cents, created_at } = refund;
  const was = known.get(subject)?.last;
  if (was === undefined) {
    if (wishes.includes(state)) return [];
    const fact = (numberOf: (subject: string) => number): Fact => ({
      kind: 'refund',
      order,
      means,
      method,
      state,
      cents,
      fee_cents,
      tickets: tickets.map((id) => numberOf(`ticket ${id}`)),
    });
    return [{ subject, at: refund.decided_at ?? created_at, fact }];
  }
  if (was['state'] === state && was['cents'] === cents && was['fee_cents'] === fee_cents) return [];
  const fact = (numberOf: (subject: string) => number): Fact => ({
    kind: 'refund_became',
    refund: numberOf(subject),
    state,
    cents,
    fee_cents,
  });
  return [{ subject, at: Math.max(refund.settled_at ?? now, created_at), fact }];
}

function newsOfDispute(dispute: DisputeRow, order: string, { known }: Writing): News[] {
  const subject = `dispute ${dispute.id}`;
  const { amount_cents: cents, status } = dispute;
  const was = known.get(subject)?.last;
  if (was === undefined)
    return [
      { subject, at: dispute.created_at, fact: () => ({ kind: 'dispute', order, cents, status }) },
    ];
  if (was['cents'] === cents && was['status'] === status) return [];
  return [
    {
      subject,
      at: dispute.updated_at,
      fact: (numberOf) => ({ kind: 'dispute_became', dispute: numberOf(subject), cents, status }),
    },
  ];
}

function newsOfPayoutLine(line: BookedPayoutLine, { known }: Writing): News[] {
  const subject = `line ${line.id}`;
  if (known.has(subject)) return [];
  const { payout_id: payout, gross_cents: cents, fee_cents, net_cents } = line;
  const fact = (numberOf: (subject: string) => number): Fact => ({
    kind: 'payout_line',
    of: numberOf(line.of),
    payout,
    cents,
    fee_cents,
    net_cents,
  });
  return [{ subject, at: line.at, fact }];
}

/** The rows of these scans; `writing` must contain the tickets. */
export function newsOfScans(scans: readonly AdmissionRow[], { now, known }: Writing): News[] {
  return scans.flatMap((scan): News[] => {
    const subject = `scan ${scan.id}`;
    const counts = scan.annulled_by === null;
    const second = scan.conflict_with !== null;
    const was = known.get(subject)?.last;
    if (was === undefined) {
      const ticket =
        scan.ticket_id === null ? null : (known.get(`ticket ${scan.ticket_id}`)?.n ?? null);
      const { direction, gate } = scan;
      const fact: Fact = {
        kind: 'admission',
        ticket,
        place: requireValue(scan.place, 'place'),
        revision: scan.revision ?? 0,
        direction,
        gate,
        by: scan.phone_id === null ? 'desk' : 'phone',
        offline: scan.offline === 1,
        override: scan.override !== null,
        counts,
        second,
      };
      return [{ subject, at: scan.corrected_at, fact: () => fact }];
    }
    if (was['counts'] === counts && was['second'] === second) return [];
    const fact = (numberOf: (subject: string) => number): Fact => ({
      kind: 'admission_became',
      admission: numberOf(subject),
      counts,
      second,
    });
    return [{ subject, at: now, fact }];
  });
}

export function newsOfEvent(event: EventRow, { now, known }: Writing): News[] {
  const was = known.get('event')?.last;
  const { title, venue_title: venue, status } = event;
  const starts_at = isoOf(event.starts_at);
  const is = { title, venue, starts_at, status };
  if (was !== undefined && Object.entries(is).every(([name, value]) => was[name] === value))
    return [];
  return [
    { subject: 'event', at: was === undefined ? 0 : now, fact: () => ({ kind: 'event', ...is }) },
  ];
}
