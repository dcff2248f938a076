/** The door's list as apps of the first days ask for it: a list of objects (wire 1). */
import { listAdmissionsSince } from '#db/admissions.ts';
import { listEvents } from '#db/events.ts';
import type { EventRow, PlaceRow, TicketRow } from '#db/rows.ts';
import { listPlacesSince } from '#db/seats.ts';
import { newestTickets } from '#db/tickets.ts';
import { wipeAfterMs } from '#server/domain/event.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { admissionForPhone, hashesOf, initialsOf, orderGroup, sealedNameOf } from './views.ts';
import { doorEvent, gateFinder } from '#server/services/event/events.ts';

/** A hall that is larger comes in several pages. */
const mostPlaces = 60_000;

/** `since` is `<epoch>.<sequence>`: another epoch means that the phone's copy belongs to another database. */
export async function changesAsObjects(
  ctx: Ctx,
  event_id: string,
  { since, limit = mostPlaces }: { since?: string | undefined; limit?: number | undefined },
) {
  const event = await doorEvent(ctx, event_id);
  const from = readCursor(event, since);
  // The event's number was read before the rows: what changes meanwhile comes again with the next call.
  const found = await listPlacesSince(ctx.db, event_id, from ?? 0, limit + 1);
  const range = {
    after: from ?? 0,
    to: found.length > limit ? endOfPage(found, limit) : event.feed_seq,
  };
  const places = found.filter((place) => place.feed_seq <= range.to);
  const tickets = new Map(
    (await newestTickets(ctx.db, event_id, range)).map((ticket) => [ticket.place, ticket]),
  );
  const admissions = await listAdmissionsSince(ctx.db, event_id, range);
  const gateOf = gateFinder(event);
  const others = (await listEvents(ctx.db)).filter(
    (other) => other.id !== event_id && other.status !== 'draft',
  );
  return {
    kind: from === null ? ('snapshot' as const) : ('delta' as const),
    cursor: `${event.feed_epoch}.${range.to}`,
    more: range.to < event.feed_seq,
    server_time: ctx.now(),
    event: {
      id: event.id,
      title: event.title,
      starts_at: event.starts_at,
      admits_from: event.admits_from,
      wipe_at: event.starts_at + wipeAfterMs,
      cancelled: event.status === 'cancelled',
      tag: event.code_tag,
      salt: event.code_salt,
      verify_policy: event.verify_policy,
      reentry: event.reentry === 1,
    },
    other_events: others.map((other) => ({
      tag: other.code_tag,
      title: other.title,
      starts_at: other.starts_at,
    })),
    places: places.map((place) =>
      placeForPhone(event, place, { ticket: tickets.get(place.place), gate: gateOf(place) }),
    ),
    admissions: admissions.map(admissionForPhone),
  };
}

/** Places with one number were sold together and travel together: a page, always larger than an order, ends before the number that it would cut. */
function endOfPage(found: readonly PlaceRow[], limit: number): number {
  const cut = found[limit]!.feed_seq;
  return found.findLast((place) => place.feed_seq < cut)!.feed_seq;
}

function readCursor(event: EventRow, since: string | undefined): number | null {
  if (since === undefined) return null;
  const [epoch, sequence, ...rest] = since.split('.');
  const from = Number(sequence);
  if (
    epoch !== event.feed_epoch ||
    rest.length > 0 ||
    !Number.isSafeInteger(from) ||
    from < 0 ||
    from > event.feed_seq
  )
    throw new Refusal('resync_required');
  return from;
}

/** Nothing else about a ticket leaves for a phone (RULES A4). */
function placeForPhone(
  event: EventRow,
  place: PlaceRow,
  { ticket, gate }: { ticket: TicketRow | undefined; gate: string | null },
) {
  return {
    place: place.place,
    seat: seatName(place),
    category: place.category,
    hashes: [...hashesOf(event, place)],
    issued: place.issued,
    ticket: ticket
      ? {
          ticket_id: ticket.id,
          revision: ticket.revision,
          state: ticket.state,
          type_label: ticket.type_label,
          order_group: orderGroup(event, ticket.order_id),
          initials: initialsOf(ticket.holder),
          sealed_name: sealedNameOf(event, ticket),
          gates: gate === null ? [] : [gate],
        }
      : null,
  };
}
