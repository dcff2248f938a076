/**
 * A ticket's own link, `/orders/{key}.{ticket_id}`, opens this ticket and nothing else of its
 * order (RULES O22).
 */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '#db/engine/dialect.ts';
import { hopsOf } from '#db/door/scans.ts';
import { requireEventRow } from '#db/event/events.ts';
import { findTicket, noteHandedOn, ticketsOfOrder } from '#db/order/tickets.ts';
import type { TicketWithPlace } from '#db/order/tickets.ts';
import type { EventRow } from '#db/rows.ts';
import { placesOf } from '#db/seat/seats.ts';
import { codesBefore } from '#server/domain/door/moved-code.ts';
import { sayReentry } from '#server/domain/order/right-words.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { calendarEntry, type Document } from './documents.ts';
import { orderAndEvent } from './find-order.ts';
import { linkKeyOf, ticketsForHolder } from './tickets.ts';
import { applePass, googleTicket, walletsOf } from './wallets.ts';

export function ticketUrl({ publicUrl }: Ctx, event: EventRow, ticket: TicketWithPlace): string {
  return `${publicUrl}/orders/${linkKeyOf(event, ticket.id, ticket)}.${ticket.id}`;
}

/** The present key and those from before moves: the link goes with the code (RULES M4). */
async function keysOf(db: Db, event: EventRow, ticket: TicketWithPlace): Promise<string[]> {
  const hops = (await hopsOf(db, event.id, [ticket.id])).get(ticket.id) ?? [];
  const before = codesBefore(hops, ticket);
  const labels = before.map(({ place }) => place);
  const places = before.length === 0 ? [] : await placesOf(db, event.id, labels);
  const earlier = new Map(places.map((one) => [one.place, one.earlier_codes]));
  const codes = before.map((code) => ({ ...code, earlier_codes: earlier.get(code.place) ?? 0 }));
  return [ticket, ...codes].map((code) => linkKeyOf(event, ticket.id, code));
}

/**
 * The ticket that a link opens.
 * @throws Refusal ticket_link_ended, also for a link that never was one
 */
async function requireLinked(ctx: Ctx, link: string): Promise<TicketWithPlace> {
  const [key = '', id = ''] = link.split('.');
  const ticket = await findTicket(ctx.db, id);
  if (ticket?.state !== 'valid') throw new Refusal('ticket_link_ended');
  const keys = await keysOf(ctx.db, await requireEventRow(ctx.db, ticket.event_id), ticket);
  if (!keys.some((known) => isSame(known, key))) throw new Refusal('ticket_link_ended');
  return ticket;
}

function isSame(known: string, told: string): boolean {
  const [one, other] = [Buffer.from(known), Buffer.from(told)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** @throws Refusal ticket_link_ended */
export async function linkedTicket(ctx: Ctx, link: string) {
  const { id, order_id } = await requireLinked(ctx, link);
  const { event } = await orderAndEvent(ctx, order_id);
  const ticket = (await ticketsForHolder(ctx, event, order_id)).find((one) => one.id === id);
  if (ticket === undefined) throw new Refusal('ticket_link_ended');
  return {
    ticket,
    event: {
      ...event,
      cancelled: event.status === 'cancelled',
      nominative: event.nominative === 1,
      reentry_rule: sayReentry(event),
    },
    wallets: walletsOf(ctx),
  };
}

/** @throws Refusal ticket_link_ended */
export async function linkedCalendar(ctx: Ctx, link: string): Promise<Document> {
  const { id, order_id } = await requireLinked(ctx, link);
  return calendarEntry(ctx, order_id, id);
}

/** @throws Refusal ticket_link_ended, holder_missing, event_cancelled, wallet_not_offered */
export async function linkedPass(ctx: Ctx, link: string): Promise<Document> {
  const { id, order_id } = await requireLinked(ctx, link);
  return applePass(ctx, order_id, id);
}

/** @throws Refusal ticket_link_ended, holder_missing, event_cancelled, wallet_not_offered */
export async function linkedGoogle(ctx: Ctx, link: string): Promise<{ save_url: string }> {
  const { id, order_id } = await requireLinked(ctx, link);
  return googleTicket(ctx, order_id, id);
}

/** @throws Refusal ticket_not_found */
export async function handOnTicket(ctx: Ctx, order_id: string, ticket_id: string): Promise<void> {
  const { event } = await orderAndEvent(ctx, order_id);
  const ticket = (await ticketsOfOrder(ctx.db, order_id)).find(({ id }) => id === ticket_id);
  if (ticket === undefined) throw new Refusal('ticket_not_found');
  await noteHandedOn(ctx.db, ticket_id, linkKeyOf(event, ticket_id, ticket));
}

/** For the buyer: each good ticket's own link, and whether it was handed on and still opens. */
export async function withLinks<T extends TicketWithPlace & { code: string }>(
  ctx: Ctx,
  event: EventRow,
  tickets: readonly T[],
) {
  return Promise.all(
    tickets.map(async (ticket) => {
      const { state, code, handed_link } = ticket;
      const isGood = state === 'valid' && code !== '';
      return {
        ...ticket,
        link: isGood ? ticketUrl(ctx, event, ticket) : null,
        handed_on:
          isGood &&
          handed_link !== null &&
          (await keysOf(ctx.db, event, ticket)).includes(handed_link),
      };
    }),
  );
}
