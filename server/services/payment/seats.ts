/** An order's seats at the seat map: booking, checking and releasing them. */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { SeatObject, SeatRequest } from '#server/adapters/seatsio.ts';
import { requireEventRow } from '#db/event/events.ts';
import { linesOf } from '#db/order/orders.ts';
import type { OrderLineRow, OrderRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { channelsOf } from '#server/services/seat-map/contingent-codes.ts';
import type { LeasedCtx } from './order-lease.ts';

/**
 * The form in which the seat map is asked: each seat by itself, a standing area with its number
 * of places per ticket type.
 */
export function requestsOf(
  lines: readonly Pick<OrderLineRow, 'place' | 'object_label' | 'ticket_type'>[],
): SeatRequest[] {
  const requests = new Map<string, SeatRequest>();
  for (const line of lines) {
    const isArea = line.place !== line.object_label;
    const known = requests.get(`${line.object_label}\n${line.ticket_type}`);
    if (known) known.quantity = (known.quantity ?? 0) + 1;
    else
      requests.set(`${line.object_label}\n${line.ticket_type}`, {
        label: line.object_label,
        quantity: isArea ? 1 : null,
        ticket_type: line.ticket_type,
      });
  }
  return [...requests.values()];
}

/** The columns of an order line that releasing its seat needs. */
export type GivenLine = Pick<
  OrderLineRow,
  'id' | 'place' | 'object_label' | 'ticket_type' | 'left_hall'
>;

/** False for a line that ended in a hall which the event has left. */
function isHere({ left_hall }: GivenLine): boolean {
  return left_hall === 0;
}

/**
 * Books an order's seats with the order's hold token. Null: the seats are booked; otherwise the
 * reason why not.
 * @throws Refusal provider_silent when the outcome is unknown; the same call may be repeated
 */
export async function bookHeldSeats(
  ctx: LeasedCtx,
  seatsio_event_key: string,
  { order, lines }: { order: OrderRow; lines: readonly OrderLineRow[] },
): Promise<Refusal | null> {
  const ask = {
    orderId: order.id,
    holdToken: order.hold_token,
    channels: await channelsOf(ctx, order),
  };
  try {
    await ctx.seats.book(seatsio_event_key, requestsOf(lines), ask);
    return null;
  } catch (error) {
    // A repeat is refused because the seats are booked already, and a call without an answer may
    // have succeeded: reading the seat map decides both.
    const { missing, areFree, taken } = await missingSeats(ctx, order);
    if (missing.length === 0 && areFree) return null;
    if (error instanceof ProviderUnavailable)
      throw new Refusal('provider_silent', { order_id: order.id });
    if (!(error instanceof ProviderRefused)) throw error;
    return taken.length > 0
      ? new Refusal('seats_taken', { objects: taken })
      : new Refusal('hold_expired', { reason: error.vendorCode, order_id: order.id });
  }
}

/**
 * Reads at the seat map which of the order's seats are booked for it now; this answers whether an
 * earlier call succeeded.
 */
async function bookedFor(
  ctx: Ctx,
  order: OrderRow,
): Promise<{
  seatsio_event_key: string;
  requests: SeatRequest[];
  ours: SeatRequest[];
  objects: ReadonlyMap<string, SeatObject>;
  /** No line is in a hall that the event has left. */ areHere: boolean;
}> {
  const { seatsio_event_key } = await requireEventRow(ctx.db, order.event_id);
  const lines = await linesOf(ctx.db, order.id);
  const here = lines.filter(isHere);
  const requests = requestsOf(here);
  const seats = requests
    .filter((request) => request.quantity === null)
    .map((request) => request.label);
  const objects =
    seats.length === 0
      ? new Map<string, SeatObject>()
      : await ctx.seats.read(seatsio_event_key, seats);
  const areas = new Map<string, number>();
  for (const label of new Set(
    requests.filter((request) => request.quantity !== null).map((request) => request.label),
  )) {
    areas.set(
      label,
      await ctx.seats.placesOf(seatsio_event_key, label, {
        orderId: order.id,
        since: order.created_at,
      }),
    );
  }
  const isOurs = ({ label, quantity }: SeatRequest) =>
    quantity === null
      ? objects.get(label)?.order_id === order.id && objects.get(label)?.status === 'booked'
      : (areas.get(label) ?? 0) > 0;
  return {
    seatsio_event_key,
    requests,
    ours: requests.filter(isOurs),
    objects,
    areHere: here.length === lines.length,
  };
}

export async function holdsItsSeats(ctx: Ctx, order: OrderRow): Promise<boolean> {
  const { missing, areFree } = await missingSeats(ctx, order);
  return missing.length === 0 && areFree;
}

interface Missing {
  seatsio_event_key: string;
  missing: SeatRequest[];
  /** None of the missing seats is booked or held. */
  areFree: boolean;
  /** The missing seats that are not free and not held with the order's own token. */
  taken: string[];
}

/**
 * The order's seats that are not booked for it now. A standing area of which the order has any
 * place counts as booked, because its places have no names.
 */
export async function missingSeats(ctx: Ctx, order: OrderRow): Promise<Missing> {
  const { seatsio_event_key, requests, ours, objects, areHere } = await bookedFor(ctx, order);
  const missing = requests.filter((request) => !ours.includes(request));
  const unfree = missing.filter(
    ({ label, quantity }) => quantity === null && objects.get(label)?.status !== 'free',
  );
  return {
    seatsio_event_key,
    missing,
    areFree: areHere && unfree.length === 0,
    taken: unfree
      .flatMap(({ label }) => objects.get(label) ?? [])
      .filter(({ hold_token }) => hold_token !== order.hold_token)
      .map(({ label }) => label),
  };
}

/**
 * Frees what is booked for this order, and nothing else. It needs the order's lease, because what
 * it reads must still be true when it frees the seats.
 */
export async function releaseSeats(ctx: LeasedCtx, order: OrderRow): Promise<void> {
  const { seatsio_event_key, ours } = await bookedFor(ctx, order);
  if (ours.length === 0) return;
  try {
    await ctx.seats.release(seatsio_event_key, ours, order.id);
  } catch (error) {
    // The office may have freed a seat at the seat map itself meanwhile; the next reading shows
    // it.
    if (!(error instanceof ProviderRefused) || (await bookedFor(ctx, order)).ours.length > 0)
      throw error;
  }
}

/**
 * Frees the seats of some lines of an order that keeps the others. It needs the order's lease; a
 * repeat finds nothing left.
 */
export async function releaseSeatsOf(
  ctx: LeasedCtx,
  order: OrderRow,
  lines: readonly GivenLine[],
): Promise<void> {
  const { seatsio_event_key: key } = await requireEventRow(ctx.db, order.event_id);
  const about = { order, key, lines: lines.filter(isHere) };
  const ours = async () =>
    requestsOf([...(await bookedSeats(ctx, about)), ...(await bookedPlaces(ctx, about))]);
  const requests = await ours();
  if (requests.length === 0) return;
  try {
    await ctx.seats.release(key, requests, order.id);
  } catch (error) {
    if (!(error instanceof ProviderRefused) || (await ours()).length > 0) throw error;
  }
}

interface SomeLines {
  order: OrderRow;
  key: string;
  lines: readonly GivenLine[];
}

async function bookedSeats(ctx: Ctx, { order, key, lines }: SomeLines): Promise<GivenLine[]> {
  const seats = lines.filter((line) => line.place === line.object_label);
  const objects =
    seats.length === 0
      ? new Map<string, SeatObject>()
      : await ctx.seats.read(
          key,
          seats.map((line) => line.object_label),
        );
  return seats.filter(
    (line) =>
      objects.get(line.object_label)?.order_id === order.id &&
      objects.get(line.object_label)?.status === 'booked',
  );
}

/**
 * Places of a standing area have no names at the seat map, only a number: we free what is booked
 * beyond the lines that the order keeps.
 */
async function bookedPlaces(ctx: Ctx, { order, key, lines }: SomeLines): Promise<GivenLine[]> {
  const going = new Set(lines.map((line) => line.id));
  const kept = (await linesOf(ctx.db, order.id)).filter(
    (line) => line.released_at === null && !going.has(line.id),
  );
  const places: GivenLine[] = [];
  for (const [label, some] of Map.groupBy(
    lines.filter((line) => line.place !== line.object_label),
    (line) => line.object_label,
  )) {
    const booked = await ctx.seats.placesOf(key, label, {
      orderId: order.id,
      since: order.created_at,
    });
    places.push(
      ...some.slice(
        0,
        Math.max(0, booked - kept.filter((line) => line.object_label === label).length),
      ),
    );
  }
  return places;
}
