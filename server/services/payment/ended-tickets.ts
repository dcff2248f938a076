/** Ends the tickets of a refund and queues the letters to the people who lose them. */
import type { Trx } from '#db/engine/dialect.ts';
import { hopsOf } from '#db/door/scans.ts';
import { endTickets, type EndedTicket } from '#db/order/tickets.ts';
import { linesOf } from '#db/order/orders.ts';
import { refundLinesOf } from '#db/payment/refunds.ts';
import type { OrderRow, RefundRow } from '#db/rows.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import { endingLetters, keyForHolder } from '#server/domain/mail/kinds.ts';
import { holdersBeside } from '#server/domain/order/holder.ts';
import type { EndingAct } from '#server/services/kit/acts.ts';
import { takeDoorTurn } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';
import { noteAgainst } from './against.ts';

/**
 * Ends the tickets of a refund that ends any; the phones at the door learn of it with their next
 * update. Returns the ids of the tickets that were valid until now, and the letters about them,
 * which the caller owes with its act.
 */
export async function endTicketsOf(
  ctx: Ctx,
  trx: Trx,
  { order, refund, act }: { order: OrderRow; refund: RefundRow; act: EndingAct },
) {
  const places = refund.voids_tickets === 1 ? await placesOf(trx, refund) : [];
  if (places.length === 0) return { ticket_ids: [], mails: [] };
  const { id: order_id, event_id, buyer_email } = order;
  const { feed_seq } = await takeDoorTurn(trx, { act, event_id });
  const ended = await endTickets(trx, order_id, {
    places,
    // The ticket is void, not refunded, if no money of its order was ever given back.
    state: refund.amount_cents > 0 || order.refunded_cents > 0 ? 'refunded' : 'void',
    ended_at: ctx.now(),
  });
  await touchPlaces(trx, event_id, { places: ended.map(({ place }) => place), feed_seq });
  await noteAgainst(ctx, trx, { event_id, places: await placesOfGuests(trx, event_id, ended) });
  const kind = endingLetters[refund.origin];
  const toHolders = holdersBeside(buyer_email, ended).map(({ id, holder_email }) => ({
    order_id,
    kind,
    // A holder is told once that the evening is cancelled.
    key: keyForHolder(kind === 'event_cancelled' ? '' : refund.id, id),
    to_address: holder_email,
  }));
  const toBuyer = ended.length > 0 && !tellsItself(refund) ? endingMail(order, refund) : [];
  return { ticket_ids: ended.map(({ id }) => id), mails: [...toBuyer, ...toHolders] };
}

/** The places of these tickets, and those that they had before they moved. */
export async function placesOfGuests(
  trx: Trx,
  event_id: string,
  ended: readonly Pick<EndedTicket, 'id' | 'place'>[],
): Promise<string[]> {
  const hops = await hopsOf(
    trx,
    event_id,
    ended.map(({ id }) => id),
  );
  const before = [...hops.values()].flat().map(({ from }) => from.place);
  return [...ended.map(({ place }) => place), ...before];
}

async function placesOf(trx: Trx, refund: RefundRow): Promise<string[]> {
  const own = new Set((await refundLinesOf(trx, refund.id)).map(({ line_id }) => line_id));
  return (await linesOf(trx, refund.order_id)).flatMap(({ id, place }) =>
    own.has(id) ? [place] : [],
  );
}

/** The letter about the money also says that the tickets ended; cash is still waited for. */
function tellsItself({ amount_cents, kind, state }: RefundRow): boolean {
  return amount_cents > 0 && (kind === 'stripe' || state === 'succeeded');
}

/**
 * The letter to a buyer whose tickets ended without the letter about money. It is dropped when its
 * turn comes if another one has told the buyer since.
 */
export function endingMail(
  { id: order_id, buyer_email }: Pick<OrderRow, 'id' | 'buyer_email'>,
  { id: key, origin, voids_tickets }: RefundRow,
) {
  const kind = endingLetters[origin];
  // The mail with the new tickets tells the buyer of an exchange.
  const isTold = buyer_email === null || origin === 'exchange';
  const isOwed = !isTold && voids_tickets === 1 && kind === 'tickets_ended';
  return isOwed ? [{ order_id, kind, key }] : [];
}
