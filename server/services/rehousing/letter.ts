/** Previews the mail about a change of hall for one buyer, before anybody is moved. */
import { findOrder } from '#db/order/orders.ts';
import { openRehousing, rehousedLines, type HousedLine } from '#db/seat/rehousings.ts';
import { ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import type { EventRow, RehousingRow } from '#db/rows.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { readNews } from '#server/domain/seat/rehousing-place.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { spellMoved } from '#server/services/mail/compose.ts';
import { datesOnSale } from '#server/services/order/dates-on-sale.ts';
import { pricingThere, readWhole, type Whole } from './house.ts';
import { goingOf } from './place.ts';
import { lowering, staysPut } from './words.ts';

interface LetterAsk {
  order_id?: string | undefined;
  /** Whether the difference to a cheaper place goes back. */
  refunds?: boolean | undefined;
}

/**
 * Shows the mail of this order; without `order_id`, of the first order that will get one. Refuses
 * as the contract of previewRehousingMail says.
 */
export async function previewRehousingMail(ctx: Ctx, event_id: string, ask: LetterAsk) {
  await knownEvent(ctx, event_id);
  const row = await openRehousing(ctx.db, event_id);
  if (!row) throw new Refusal('rehousing_not_found');
  const whole = await readWhole(ctx, row);
  const { going, there, postponement } = await questionThere(ctx, whole, row);
  const lines = await linesWithSeats(ctx, row, whole);
  const told = going?.asks === true ? lines : lines.filter(({ to }) => to !== null);
  const first = told.find(({ line }) => line.state === 'confirmed' && line.buyer_email !== null);
  const order_id = ask.order_id ?? first?.line.order_id ?? '';
  const own = told.filter(({ line }) => line.order_id === order_id);
  const order = await findOrder(ctx.db, order_id);
  if (!order || order.buyer_email === null || own.length === 0)
    throw new Refusal('order_not_found');
  const moving = own.flatMap(({ line, to }) => (to === null ? [] : [{ line, to }]));
  const byPlace = new Map(moving.map(({ line, to }) => [line.place, to]));
  const tickets = (await ticketsOfOrder(ctx.db, order_id))
    .filter(({ state }) => state === 'valid')
    .map((ticket) => ({ ...ticket, ...seatIn(byPlace.get(ticket.place)) }));
  const { subject, text } = await spellMoved(ctx, {
    order,
    event: there,
    tickets,
    moved: moving.map(({ line, to }) => ({ from: seatName(line), to: seatName(to) })),
    rehoused: {
      reason: readNews(row)?.reason ?? null,
      refund_cents: ask.refunds === true ? backFor(whole, moving) : 0,
    },
    postponement,
  });
  return { order_id, to_address: order.buyer_email, subject, text };
}

/** The event as it will be, and the question to its buyers; null: they are not asked. */
async function questionThere(ctx: Ctx, { event, hall }: Whole, row: RehousingRow) {
  const going = goingOf(event, row);
  const seat_pricing = JSON.stringify(pricingThere(hall, pricingOf(event)));
  const there: EventRow = { ...event, ...going?.venue, seat_pricing };
  if (going?.asks !== true) return { going, there, postponement: null };
  const { answer_by, if_silent } = going.place;
  const postponement = {
    from_starts_at: event.starts_at,
    from_venue: venueWords(event),
    answer_by,
    if_silent,
    reason: going.reason,
    other_date: (await datesOnSale(ctx.db, event, ctx.now())).length > 0,
  };
  return { going, there, postponement };
}

interface Seated {
  line: HousedLine;
  /** Null: the seat stays, or there is none yet. */ to: SeatObject | null;
}

async function linesWithSeats(
  ctx: Ctx,
  row: RehousingRow,
  { house, hall }: Whole,
): Promise<Seated[]> {
  const planned = new Map((await rehousedLines(ctx.db, row)).map((one) => [one.line_id, one]));
  const objects = new Map(hall.objects.map((object) => [object.label, object]));
  return house.lines.map((line) => {
    const to = objects.get(planned.get(line.id)?.to_object ?? '');
    return { line, to: to && !staysPut(line, to, hall.terms) ? to : null };
  });
}

/** What goes back for the cheaper places of paid tickets, in cents. */
function backFor(
  { hall, pricing }: Whole,
  moving: readonly { line: HousedLine; to: SeatObject }[],
): number {
  const paid = moving.filter(({ line }) => line.state === 'confirmed' && line.ticket_id !== null);
  return -paid.reduce(
    (sum, { line, to }) => sum + lowering(line, hall.as[to.category_key] ?? '', pricing),
    0,
  );
}

type Seat = Pick<
  TicketWithPlace,
  | 'kind'
  | 'category'
  | 'category_key'
  | 'section'
  | 'row'
  | 'seat'
  | 'entrance'
  | 'restricted_view'
  | 'accessible'
  | 'companion'
>;

/** The new place as tickets have it; empty: the ticket stays. */
function seatIn(to: SeatObject | undefined): Partial<Seat> {
  if (to === undefined) return {};
  const { kind, category, category_key, section, row, seat, entrance } = to;
  const truth = (is: boolean) => (is ? 1 : 0);
  return {
    kind,
    category,
    category_key,
    section,
    row,
    seat,
    entrance,
    restricted_view: truth(to.restricted_view),
    accessible: truth(to.accessible),
    companion: truth(to.companion),
  };
}
