/** An order's seats at the seat map: booking, checking and releasing them. */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { OpenChannels, SeatObject, SeatRequest } from '#server/adapters/seatsio.ts';
import { requireEventRow } from '#db/event/events.ts';
import { linesOf } from '#db/order/orders.ts';
import type { OrderLineRow, OrderRow } from '#db/rows.ts';
import { findContingent } from '#db/seat/contingents.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { bookedType, isOneStatus, isStanding, type SoldPlace } from '#server/domain/seat/whole.ts';
import type { Ctx } from '#server/services/context.ts';
import type { LeasedCtx } from './order-lease.ts';

/**
 * The order as requests to the seat map: each seat and each object sold whole by itself, a
 * standing area with its number of places per ticket type.
 */
export function requestsOf(
  lines: readonly (SoldPlace & Pick<OrderLineRow, 'ticket_type' | 'booked_type'>)[],
): SeatRequest[] {
  const requests = new Map<string, SeatRequest>();
  for (const line of lines) {
    const isArea = isStanding(line);
    const ticket_type = bookedType(line);
    const key = `${line.object_label}\n${ticket_type}`;
    const known = requests.get(key);
    if (known) known.quantity = isArea ? (known.quantity ?? 0) + 1 : null;
    else requests.set(key, { label: line.object_label, quantity: isArea ? 1 : null, ticket_type });
  }
  return [...requests.values()];
}

/** The columns of an order line that are needed to release its seat. */
export type GivenLine = Pick<
  OrderLineRow,
  'id' | 'place' | 'object_label' | 'whole_size' | 'ticket_type' | 'booked_type' | 'left_hall'
>;

/** False if the line's seat was in a hall that the event no longer uses. */
function isHere({ left_hall }: GivenLine): boolean {
  return left_hall === 0;
}

/**
 * The channels that the seat map opens to an order: all for the counter, otherwise that of the
 * code's contingent while it is live.
 */
export async function channelsOf(
  ctx: Ctx,
  { channel, contingent_id }: OrderRow,
): Promise<OpenChannels> {
  if (channel === 'counter') return 'all';
  if (contingent_id === null) return [];
  const contingent = await findContingent(ctx.db, contingent_id);
  return contingent?.state === 'live' ? [contingent.channel_key] : [];
}

/**
 * Books an order's seats with the order's hold token. Null: the seats are booked; otherwise why
 * they are not.
 * @throws Refusal provider_silent when the outcome is unknown; the call may be repeated
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
    // A refusal may mean that a repeated call has booked the seats already, and a call without an
    // answer may have succeeded, so we read the seat map.
    const { missing, areFree, taken } = await missingSeats(ctx, order);
    if (missing.length === 0 && areFree) return null;
    if (error instanceof ProviderUnavailable) throw new Refusal('provider_silent');
    if (!(error instanceof ProviderRefused)) throw error;
    return taken.length > 0
      ? new Refusal('seats_taken', { objects: taken })
      : new Refusal('hold_expired', { reason: error.vendorCode });
  }
}

/**
 * Reads which of the order's seats are booked for it at the seat map now; this tells whether an
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
  /** All lines are in the event's present hall. */ areHere: boolean;
}> {
  const { seatsio_event_key } = await requireEventRow(ctx.db, order.event_id);
  const lines = await linesOf(ctx.db, order.id);
  const here = lines.filter(isHere);
  const requests = requestsOf(here);
  const seats = requests
    .filter((request) => request.quantity === null)
    .map((request) => request.label);
  const objects = await objectsHere(ctx, seatsio_event_key, seats);
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

/** Without those that the seat map does not know: a table is sold by its chairs since. */
async function objectsHere(
  ctx: Ctx,
  key: string,
  labels: readonly string[],
): Promise<ReadonlyMap<string, SeatObject>> {
  if (labels.length === 0) return new Map();
  try {
    return await ctx.seats.read(key, labels);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // One unknown name makes the seat map refuse the call.
    const all = await ctx.seats.objects(key);
    return new Map(all.map((object) => [object.label, object]));
  }
}

export async function holdsItsSeats(ctx: Ctx, order: OrderRow): Promise<boolean> {
  const { missing, areFree } = await missingSeats(ctx, order);
  return missing.length === 0 && areFree;
}

interface Missing {
  seatsio_event_key: string;
  missing: SeatRequest[];
  /** The missing seats are free, and none of the order's lines is in a former hall. */
  areFree: boolean;
  /** The missing seats that are not free and not held with the order's own token. */
  taken: string[];
}

/**
 * The order's seats that are not booked for it now. A standing area counts as booked if at least
 * one of its places is booked for the order, because its places have no names.
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
 * Frees what is booked for this order and nothing else. Needs the order's lease, because what it
 * reads must still be true when it frees the seats.
 */
export async function releaseSeats(ctx: LeasedCtx, order: OrderRow): Promise<void> {
  const { seatsio_event_key, ours } = await bookedFor(ctx, order);
  if (ours.length === 0) return;
  try {
    await ctx.seats.release(seatsio_event_key, ours, order.id);
  } catch (error) {
    // The office may have freed a seat at the seat map; reading again shows what is left.
    if (!(error instanceof ProviderRefused) || (await bookedFor(ctx, order)).ours.length > 0)
      throw error;
  }
}

/**
 * Frees the seats of some lines of an order that keeps the others. Needs the order's lease; a
 * repeated call finds nothing left to free.
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

/** An object sold whole stays booked while the order keeps one of its places. */
async function bookedSeats(ctx: Ctx, { order, key, lines }: SomeLines): Promise<GivenLine[]> {
  const kept = new Set(
    (await keptLines(ctx, { order, lines })).map(({ object_label }) => object_label),
  );
  const seats = lines.filter((line) => isOneStatus(line) && !kept.has(line.object_label));
  const labels = seats.map((line) => line.object_label);
  const objects = await objectsHere(ctx, key, labels);
  return seats.filter(
    (line) =>
      objects.get(line.object_label)?.order_id === order.id &&
      objects.get(line.object_label)?.status === 'booked',
  );
}

/** The lines of the order that it keeps beside these. */
async function keptLines(ctx: Ctx, { order, lines }: Pick<SomeLines, 'order' | 'lines'>) {
  const going = new Set(lines.map((line) => line.id));
  return (await linesOf(ctx.db, order.id)).filter(
    (line) => line.released_at === null && !going.has(line.id),
  );
}

/**
 * The places of a standing area have no names at the seat map, only a number: we free those that
 * are booked beyond the lines that the order keeps.
 */
async function bookedPlaces(ctx: Ctx, { order, key, lines }: SomeLines): Promise<GivenLine[]> {
  const kept = await keptLines(ctx, { order, lines });
  const places: GivenLine[] = [];
  for (const [label, some] of Map.groupBy(lines.filter(isStanding), (line) => line.object_label)) {
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
