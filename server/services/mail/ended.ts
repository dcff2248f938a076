/** What a mail to a buyer says of tickets that ended, and of people without an address. */
import { endingMails, type EndingMail, type RefundForMail } from '#db/mail/mails.ts';
import { linesOf } from '#db/order/orders.ts';
import type { TicketWithPlace } from '#db/order/tickets.ts';
import { disputesOf } from '#db/payment/payments.ts';
import type { EventRow, MailRow, OrderRow } from '#db/rows.ts';
import { endingLetters, type OrderMailKind } from '#server/domain/mail/kinds.ts';
import type { MailFacts } from '#server/domain/mail/order-facts.ts';
import { isPersonName } from '#server/domain/order/holder.ts';
import { blocksRefunds, hasFailed } from '#server/domain/payment/refund.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import { isolate } from '#server/domain/text/direction.ts';
import type { Ctx } from '#server/services/context.ts';
import { refundKeyOf } from './mail-key.ts';

interface Ended {
  tickets: readonly TicketWithPlace[];
  facts: NonNullable<MailFacts['ended']>;
}

/**
 * The tickets that a refund ended, if the mail about the refund is to say so; null if they are
 * valid again, or if another mail has told the buyer since.
 */
export async function endedBy(
  ctx: Ctx,
  mail: MailRow,
  {
    order,
    refund,
    all,
  }: {
    order: OrderRow;
    refund: RefundForMail | null;
    all: readonly TicketWithPlace[];
  },
): Promise<Ended | null> {
  if (refund === null || refund.voids_tickets === 0) return null;
  if (endingLetters[refund.origin] !== 'tickets_ended') return null;
  const lines = (await linesOf(ctx.db, order.id)).filter(({ id }) => refund.line_ids.includes(id));
  const failed = hasFailed(refund.state);
  const others = (await endingMails(ctx.db, { order_id: order.id, refund_id: refund.id })).filter(
    (one) => tellsInstead(one, { mail, failed }),
  );
  const isAgain = mail.key !== refundKeyOf(mail);
  const tickets = all.filter((ticket) => {
    const line = lines.find(({ place }) => place === ticket.place);
    if (line === undefined || !isEndedFor(ticket, mail)) return false;
    const since = ticket.ended_at ?? 0;
    const isTold = others.some((one) => one.line_id === line.id && one.created_at >= since);
    return isAgain || !isTold;
  });
  if (tickets.length === 0) return null;
  const disputes = await disputesOf(ctx.db, [order.id]);
  return {
    tickets,
    facts: {
      origin: refund.origin,
      seats: tickets.map(seatName).toSorted(compareNames),
      value_cents: lines.reduce((sum, line) => sum + line.price_cents + line.fee_cents, 0),
      given_back_cents: order.refunded_cents,
      failed,
      disputed: disputes.some(({ status }) => blocksRefunds(status)),
    },
  };
}

/** False if the ticket is valid again, or ended anew after this mail and has another one. */
export function isEndedFor({ ended_at }: TicketWithPlace, { created_at }: MailRow): boolean {
  return ended_at !== null && ended_at <= created_at;
}

/**
 * Whether another mail says that the tickets ended. If a `tickets_ended` and a `refunded` both
 * wait, `tickets_ended` says it, because `refunded` may be dropped.
 */
function tellsInstead(one: EndingMail, { mail, failed }: { mail: MailRow; failed: boolean }) {
  const givesWay = mail.kind === 'refunded';
  const isEarlier =
    one.created_at < mail.created_at || (one.created_at === mail.created_at && one.id < mail.id);
  if (one.id === mail.id) return false;
  if (one.state === 'sent') return givesWay || isEarlier || (failed && one.kind === 'refunded');
  if (one.state !== 'waiting') return false;
  // If a failed refund was replaced by another one, the mail of the new refund says it.
  const stands = !hasFailed(one.refund_state);
  return one.kind === 'refunded' ? failed && stands : givesWay ? stands : isEarlier;
}

/** The tickets whose holders a mail concerns; `ended`: those of its refund. */
function concerned(
  kind: OrderMailKind,
  {
    event,
    all,
    ended,
  }: {
    event: EventRow;
    all: readonly TicketWithPlace[];
    ended: Ended | null;
  },
): readonly TicketWithPlace[] {
  if (kind === 'tickets_ended' || kind === 'refunded') return ended?.tickets ?? [];
  if (kind === 'event_changed' || kind === 'event_postponed')
    return all.filter(({ state }) => state === 'valid');
  return kind === 'event_cancelled' ? all.filter(heldWhenCancelled(event)) : [];
}

/** Whether a ticket had not ended before the event was cancelled. */
export function heldWhenCancelled({ cancelled_at }: EventRow) {
  return ({ ended_at }: TicketWithPlace) => ended_at === null || ended_at >= (cancelled_at ?? 0);
}

/** The people without an address, each with their seat; only the buyer can tell them. */
export function unreachedBy(
  kind: OrderMailKind,
  about: Parameters<typeof concerned>[1] & { order: OrderRow },
): string[] {
  const buyer = about.order.buyer_name?.trim().toLowerCase();
  return concerned(kind, about)
    .flatMap((ticket) => {
      const { holder, holder_email } = ticket;
      if (holder === null || holder_email !== null || holder.toLowerCase() === buyer) return [];
      return [isPersonName(holder) ? `${isolate(holder)} (${seatName(ticket)})` : seatName(ticket)];
    })
    .toSorted(compareNames);
}
