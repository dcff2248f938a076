/** Previews the mail about a change of hall for one buyer, before anybody is moved. */
import { findOrder } from '#db/order/orders.ts';
import { openRehousing, rehousedLines } from '#db/seat/rehousings.ts';
import { ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { spellMoved } from '#server/services/mail/compose.ts';
import { readWhole } from './house.ts';
import { staysPut } from './words.ts';

/**
 * Shows the mail of this order; without `order_id`, of the first order that will get one. Refuses
 * as the contract of previewRehousingMail says.
 */
export async function previewRehousingMail(
  ctx: Ctx,
  event_id: string,
  ask: { order_id?: string | undefined },
) {
  await knownEvent(ctx, event_id);
  const row = await openRehousing(ctx.db, event_id);
  if (!row) throw new Refusal('rehousing_not_found');
  const { event, house, hall } = await readWhole(ctx, row);
  const planned = new Map((await rehousedLines(ctx.db, row)).map((one) => [one.line_id, one]));
  const objects = new Map(hall.objects.map((object) => [object.label, object]));
  const moving = house.lines.flatMap((line) => {
    const to = objects.get(planned.get(line.id)?.to_object ?? '');
    return to && !staysPut(line, to, hall.terms) ? [{ line, to }] : [];
  });
  const first = moving.find(({ line }) => line.state === 'confirmed' && line.buyer_email !== null);
  const order_id = ask.order_id ?? first?.line.order_id ?? '';
  const own = moving.filter(({ line }) => line.order_id === order_id);
  const order = await findOrder(ctx.db, order_id);
  if (!order || order.buyer_email === null || own.length === 0)
    throw new Refusal('order_not_found');
  const byPlace = new Map(own.map(({ line, to }) => [line.place, to]));
  const tickets = (await ticketsOfOrder(ctx.db, order_id))
    .filter(({ state }) => state === 'valid')
    .map((ticket) => ({ ...ticket, ...seatOf(byPlace.get(ticket.place) ?? ticket) }));
  const moved = own.map(({ line, to }) => ({ from: seatName(line), to: seatName(to) }));
  const { subject, text } = await spellMoved(ctx, { order, event, tickets, moved });
  return { order_id, to_address: order.buyer_email, subject, text };
}

type Seat = Pick<
  TicketWithPlace,
  'kind' | 'category' | 'category_key' | 'section' | 'row' | 'seat' | 'entrance'
>;

function seatOf({ kind, category, category_key, section, row, seat, entrance }: Seat): Seat {
  return { kind, category, category_key, section, row, seat, entrance };
}
