/**
 * What is printed on a ticket at the counter, on any printer, and the next revision of a ticket
 * whose paper was lost.
 */
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { reissuedWords } from '#server/domain/door/carried.ts';
import { formatLongDate, formatTime } from '#server/domain/time/dates.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { paperNoSeal } from '#server/domain/site/fiscal-words.ts';
import { aboutPlace } from '#server/domain/door/gate.ts';
import { holderWords } from '#server/domain/order/holder.ts';
import { fiscalWords } from '#server/domain/papers/regime.ts';
import { typeWords } from '#server/domain/order/type-words.ts';
import { priceWords } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { trialWords } from '#server/domain/door/trial.ts';
import { confirmedOrder } from '#server/services/order/documents.ts';
import type { Ctx } from '#server/services/context.ts';
import { housePaper, lookOf } from '#server/services/site/look.ts';
import { reviseTickets, ticketsForHolder } from '#server/services/order/tickets.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { guestsInside } from '#server/services/door/standing.ts';
import { carryOver, type Passage } from '#server/services/move/passages.ts';
import { requirePaperOrder } from './paper-order.ts';
import type { Seller } from './sell.ts';

/**
 * The valid tickets for printing; at a nominative event only those with a name. Refuses
 * order_not_found, order_not_confirmed.
 */
export async function paperOf(ctx: Ctx, order_id: string) {
  const { order, event } = await confirmedOrder(ctx, order_id);
  const organiser = await organiserOf(ctx);
  const house = housePaper(await lookOf(ctx));
  const tickets = await ticketsForHolder(ctx, event, order_id);
  const common = {
    organiser: organiser.name,
    title: event.title,
    date: formatLongDate(event.starts_at),
    doors: event.doors_at === null ? null : `Apertura porte alle ${formatTime(event.doors_at)}`,
    venue: venueWords(event),
    order: `Ordine n. ${order.number}`,
    house,
    no_seal: paperNoSeal,
  };
  const inside = await guestsInside(ctx.db, event.id, tickets);
  const printable = tickets.filter(({ state, code }) => state === 'valid' && code !== '');
  return {
    order_id,
    number: order.number,
    tickets: printable.map((ticket) => ({
      ...common,
      ticket_id: ticket.id,
      revision: ticket.revision,
      inside: inside.has(ticket.id),
      printed: ticket.printed_revision === ticket.revision,
      trial: ticket.trial ? trialWords : null,
      seat: ticket.seat,
      gate: aboutPlace(ticket),
      price: `${isolate(typeWords(ticket.type_label, ticket.lowered_by))} · ${priceWords(ticket.price_cents + ticket.fee_cents, ticket)}`,
      holder: ticket.holder === null ? null : holderWords(ticket.holder),
      fiscal: ticket.fiscal && fiscalWords(ticket.fiscal),
      code: ticket.code,
      code_for_people: ticket.code_for_people,
    })),
  };
}

interface ReissueAsk {
  order_id: string;
  /** Left out: all valid tickets of the order. */ ticket_ids?: readonly string[];
  reason: string;
}

/**
 * Issues the next revision of valid tickets; every phone then refuses the earlier paper
 * (SOSTITUITO). A guest who is inside stays inside: the new code is GIÀ ENTRATO (RULES M5). Refuses
 * order_not_found, order_not_confirmed, ticket_not_found, no_valid_tickets.
 */
export async function reissue(
  ctx: Ctx,
  seller: Seller,
  { order_id, ticket_ids, reason }: ReissueAsk,
): Promise<{ tickets: number }> {
  await requirePaperOrder(ctx, seller, order_id);
  const { event } = await confirmedOrder(ctx, order_id);
  const count = await transact(ctx.db, async (trx) => {
    // All calls that issue tickets lock the event's row before any place.
    const { feed_seq } = await takeDoorTurn(trx, { act: 'tickets_reissued', event_id: event.id });
    const tickets = await ticketsToReissue(trx, order_id, ticket_ids);
    const inside = await guestsInside(trx, event.id, tickets);
    const revised = await reviseTickets(trx, event.id, { tickets, feed_seq, now: ctx.now() });
    const passages = revised.flatMap(({ id, place, revision }, at): Passage[] => {
      const last = inside.get(id);
      const from = { place, revision: requireValue(tickets[at], 'ticket').revision };
      return last ? [{ ticket_id: id, from, to: { place, revision }, last }] : [];
    });
    const carried = { event_id: event.id, user_id: seller.id, why: reissuedWords, passages };
    await carryOver(ctx, trx, carried);
    await happened(ctx, trx, {
      actor: `user:${seller.id}`,
      action: 'tickets_reissued',
      subject: order_id,
      detail: { reason, places: tickets.map(seatName) },
    });
    return tickets.length;
  });
  return { tickets: count };
}

async function ticketsToReissue(trx: Trx, order_id: string, ids?: readonly string[]) {
  const all = await ticketsOfOrder(trx, order_id);
  if (ids?.some((id) => !all.some((ticket) => ticket.id === id)))
    throw new Refusal('ticket_not_found');
  const wanted = all.filter(({ id }) => ids?.includes(id) ?? true);
  const valid = wanted.filter(({ state }) => state === 'valid');
  if (valid.length === 0) throw new Refusal('no_valid_tickets');
  return valid;
}
