/**
 * Tickets that a restored house has sold in the time that its backup lacks: what is known of one
 * whose code a person types or a phone has read (RULES B3).
 */
import {
  findProvedScan,
  listUnknownScans,
  orderAtPlace,
  type UnknownScan,
} from '#db/counter/lost-sales.ts';
import { findEvent } from '#db/event/events.ts';
import { findOrder, requireOrderRow } from '#db/order/orders.ts';
import type { EventRow, PlaceRow } from '#db/rows.ts';
import { placesOf } from '#db/seat/seats.ts';
import { isLost, readLost } from '#server/domain/door/lost-revisions.ts';
import { readTicketCode } from '#server/domain/door/ticket-code.ts';
import { typesInCategory } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { offerAt } from '#server/services/event/prices.ts';
import { readRestored } from '#server/services/kit/restored.ts';
import { findCode, ticketOfCode } from '#server/services/order/tickets.ts';
import { isByNumber } from '#server/domain/seat/whole.ts';

/** Why a lost ticket's place is not free. `kept`: the seat map keeps it for another. */
type Obstacle = { kind: 'sold'; order_id: string; number: string } | { kind: 'kept' };

export interface LostTicket {
  event: EventRow;
  place: PlaceRow;
  revision: number;
}

/** An authentic ticket, lost or known. */
export interface NamedTicket {
  event_id: string;
  place: string;
  revision: number;
  lost: boolean;
}

/** @throws Refusal house_not_restored, provider_silent */
export async function requireRestored(ctx: Ctx) {
  const restored = await readRestored(ctx.db);
  if (restored === null) throw new Refusal('house_not_restored');
  // Until Stripe has named its orders, a ticket may be of one that was paid there.
  if (restored.recovered_at === null) throw new Refusal('provider_silent');
  return restored;
}

/**
 * `text`: the ticket's code, or the id of a phone's scan that has proved that it read the code.
 * @throws Refusal lost_code_unknown
 */
export async function readName({ db }: Ctx, text: string): Promise<NamedTicket> {
  const read = readTicketCode(text);
  const code = read && (await findCode(db, read));
  if (code) return { ...code, event_id: code.event.id };
  const scan = read ? undefined : await findProvedScan(db, text);
  if (scan === undefined) throw new Refusal('lost_code_unknown');
  return { ...scan, lost: isOpen(scan) };
}

function isOpen({ lost_revisions, revision }: UnknownScan): boolean {
  return isLost(readLost(lost_revisions), revision);
}

/** @throws Refusal ticket_known (its order), if the ticket is not lost */
export async function requireLost(
  { db }: Ctx,
  { lost, revision, ...named }: NamedTicket,
): Promise<LostTicket> {
  const event = requireValue(await findEvent(db, named.event_id), 'event');
  const [row] = await placesOf(db, event.id, [named.place]);
  const place = requireValue(row, 'place');
  if (lost) return { event, place, revision };
  const code = { event, place: place.place, revision, issued: place.issued, lost };
  const known = await ticketOfCode(db, code);
  if (known === null) throw new Refusal('lost_code_unknown');
  const { id: order_id, number } = await requireOrderRow(db, known.ticket.order_id);
  throw new Refusal('ticket_known', { order_id, number });
}

/** Null: the place is free, or the seat map has it for a sale that is lost here. */
export async function obstacleOf(ctx: Ctx, { event, place }: LostTicket): Promise<Obstacle | null> {
  const order_id = await orderAtPlace(ctx.db, event.id, place.place);
  if (order_id !== undefined) {
    const { number } = await requireOrderRow(ctx.db, order_id);
    return { kind: 'sold', order_id, number };
  }
  if (isByNumber(place)) return null;
  const label = place.object_label;
  const object = (await ctx.seats.read(event.seatsio_event_key, [label])).get(label);
  if (object === undefined || object.status === 'free') return null;
  const isOurs = object.order_id !== null && (await findOrder(ctx.db, object.order_id));
  return object.status === 'booked' && !isOurs ? null : { kind: 'kept' };
}

/**
 * What a person must know to write the sale again.
 * @throws Refusal house_not_restored, lost_code_unknown, ticket_known, provider_silent
 */
export async function lookAtLost(ctx: Ctx, text: string) {
  await requireRestored(ctx);
  const ticket = await requireLost(ctx, await readName(ctx, text));
  const { event, place, revision } = ticket;
  const obstacle = await obstacleOf(ctx, ticket);
  const category = { key: place.category_key, label: place.category };
  const { pricing } = await offerAt(ctx, event, { at: ctx.now(), channel: 'till' });
  const types = typesInCategory(pricing, category);
  return {
    event_id: event.id,
    event_title: event.title,
    event_starts_at: event.starts_at,
    place: place.place,
    seat: seatName(place),
    category: place.category,
    revision,
    obstacle,
    types: types.map(({ ticketType, label, unit_amount, fee_cents }) => ({
      ticket_type: ticketType,
      label,
      amount_cents: unit_amount + fee_cents,
    })),
  };
}

/** More were hardly sold within a gap, and read before they were written again. */
const mostScans = 200;

/** The time that the backup lacks, and the tickets of it that phones have read since. */
export async function listLost(ctx: Ctx) {
  const restored = await readRestored(ctx.db);
  if (restored === null) return { restored: null, scans: [] };
  const since = restored.copied_at;
  const seen = new Set<string>();
  const scans = (await listUnknownScans(ctx.db, { since, limit: mostScans })).filter((scan) => {
    const ticket = `${scan.event_id}\n${scan.place}\n${scan.revision}`;
    return isOpen(scan) && !seen.has(ticket) && seen.add(ticket);
  });
  return {
    restored,
    scans: scans.map(({ id, corrected_at, ...scan }) => ({
      ...scan,
      admission_id: id,
      at: corrected_at,
      seat: seatName(scan),
    })),
  };
}
