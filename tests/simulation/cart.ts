/** A visitor's cart at the seat map, and its booking. */
import type { OpenChannels } from '#server/adapters/seatsio.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { bookSeats } from '#server/services/booking/booking.ts';
import type { Ctx } from '#server/services/context.ts';
import { orderIdOfLink } from '#server/services/order/order-link.ts';
import { hearOf } from './act.ts';
import { closedTo } from './contingent-deeds.ts';
import { freeWish, requestsOf, selectionOf, wishFor, type Wish } from './history.ts';
import { eveningOf, hallOf, type Booking, type World } from './world.ts';

interface Wanted extends Pick<Booking, 'contingent_code' | 'exchange'> {
  nth: number;
  evening?: number;
  channels?: OpenChannels;
}

/** The next cart of a visitor. */
export function cartOf(world: World, which: number, wanted: Wanted): Booking {
  const { nth, evening = 0, channels, ...more } = wanted;
  const visitor = world.visitors[which % world.visitors.length]!;
  const event_id = eveningOf(world, evening);
  const wish = wanted.exchange ? wishSeen(world, event_id, nth) : wishFor(world, nth);
  visitor.tokens += 1;
  const hold_token = `hold-${which % world.visitors.length}-${visitor.tokens}`;
  visitor.ask = { event_id, hold_token, selected_objects: selectionOf(wish), ...more };
  hallOf(world, event_id).hold(requestsOf(wish), hold_token, channels);
  return visitor.ask;
}

/** What people choose of the free places. */
export function wishSeen(world: World, event_id: string, nth: number): Wish {
  const objects = hallOf(world, event_id).objects();
  const free = new Set(objects.flatMap((one) => (one.status === 'free' ? one.label : [])));
  return freeWish(world, nth, (label) => free.has(label));
}

/** The buyer of a booking that costs nothing. */
const buyer = { name: 'Eva Neri', email: 'eva@example.it' };

export async function book(world: World, ctx: Ctx, cart: Booking): Promise<void> {
  const { event_id, ...ask } = cart;
  try {
    const closed = await closedTo(ctx, cart);
    const { record_id, checkout_url } = await bookSeats(ctx, event_id, { ...ask, buyer });
    for (const place of await closedTo(ctx, cart))
      if (closed.includes(place))
        world.wrong(`${place} was sold without the code of its contingent`);
    hearOf(world, record_id, checkout_url);
  } catch (error) {
    const { order_id, checkout_url } = (error instanceof Refusal ? (error.detail ?? {}) : {}) as {
      order_id?: string;
      checkout_url?: string | null;
    };
    if (order_id !== undefined)
      hearOf(world, await orderIdOfLink(ctx, order_id), checkout_url ?? null);
    throw error;
  }
}
