/**
 * The seat map in memory, as far as orders use it, with the vendor's rules: all or nothing, hold
 * tokens that expire, a release that does not check whose seat it is.
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import type {
  NewChannel,
  ObjectInfo,
  OpenChannels,
  SeatObject,
  SeatRequest,
} from '#server/adapters/seatsio.ts';

export const holdMs = 15 * 60_000;

export interface Place {
  label: string;
  category: string;
  /** Null for a seat; the capacity of a standing area. */ capacity: number | null;
  /** The chairs of a table that is sold whole, which has one status as a seat has. */
  chairs?: number;
}

interface Seat {
  status: 'free' | 'reservedByToken' | 'booked' | typeof blockedStatus;
  token: string | null;
  order_id: string | null;
}
interface Standing {
  token: string | null;
  /** The order, or the block if the house keeps the places. */ order_id: string | null;
  quantity: number;
  /** Blocked by the house, which no order's release touches. */ kept: boolean;
}
interface Change {
  label: string;
  status: 'booked' | 'free';
  order_id: string | null;
  quantity: number;
  at: number;
}

export type SeatsDouble = ReturnType<typeof makeSeats>;

export interface SeatsSetting {
  now: () => number;
  places: readonly Place[];
  onRelease: (order_id: string) => void;
  wrong: (what: string) => void;
}

function isSold({ token, kept }: Standing): boolean {
  return token === null && !kept;
}

function refusedBy(label: string, because: string): ProviderRefused {
  return new ProviderRefused('seats.io', 'ILLEGAL_STATUS_CHANGE', {
    message: `${label}: ${because}`,
    status: 400,
  });
}

export function makeSeats({ now, places, onRelease, wrong }: SeatsSetting) {
  const seats = new Map<string, Seat>(
    places
      .filter((place) => place.capacity === null)
      .map((place) => [place.label, { status: 'free', token: null, order_id: null }]),
  );
  const areas = new Map<string, Standing[]>(
    places.filter((place) => place.capacity !== null).map((place) => [place.label, []]),
  );
  const capacities = new Map(places.map((place) => [place.label, place.capacity ?? 1]));
  const tokens = new Map<string, number>();
  const changes: Change[] = [];
  /** Sold seats, each with its order, that the office freed at the seat map. */
  const freedByHand = new Set<string>();
  const channels = new Map<string, Set<string>>();
  const channelOf = (label: string) =>
    [...channels].find(([, labels]) => labels.has(label))?.[0] ?? null;
  const opens = (label: string, open: OpenChannels) => {
    const key = channelOf(label);
    return key === null || open === 'all' || open.includes(key);
  };

  /** Ends the holds whose time is over. */
  const tick = () => {
    for (const [token, until] of tokens) {
      if (until > now()) continue;
      tokens.delete(token);
      for (const seat of seats.values())
        if (seat.status === 'reservedByToken' && seat.token === token)
          Object.assign(seat, { status: 'free', token: null });
      for (const [label, standing] of areas)
        areas.set(
          label,
          standing.filter((group) => group.token !== token),
        );
    }
  };
  const sum = (label: string, which: (group: Standing) => boolean) =>
    areas
      .get(label)!
      .filter(which)
      .reduce((total, group) => total + group.quantity, 0);
  /** Removes places from the matching groups, the latest first, as the vendor does. */
  const take = (label: string, which: (group: Standing) => boolean, quantity: number) => {
    let left = quantity;
    for (const group of areas.get(label)!.toReversed()) {
      if (!which(group)) continue;
      const part = Math.min(left, group.quantity);
      group.quantity -= part;
      left -= part;
    }
    areas.set(
      label,
      areas.get(label)!.filter((group) => group.quantity > 0),
    );
  };
  const put = (label: string, group: Standing) => {
    areas.get(label)!.push(group);
  };
  const quantitiesOf = (requests: readonly SeatRequest[]) => {
    const quantities = new Map<string, number>();
    for (const { label, quantity } of requests)
      quantities.set(label, (quantities.get(label) ?? 0) + (quantity ?? 1));
    return quantities;
  };
  const objectOf = ({ label, category, capacity, chairs = 0 }: Place): SeatObject => {
    const seat = seats.get(label);
    const kind = chairs > 0 ? 'table' : 'booth';
    return {
      label,
      kind: seat ? kind : 'area',
      category_key: category,
      category,
      section: null,
      row: null,
      seat: label,
      places: capacity ?? 1,
      status: seat?.status ?? (sum(label, () => true) === capacity ? 'booked' : 'free'),
      for_sale: true,
      hold_token: seat?.token ?? null,
      held: seat
        ? {}
        : Object.fromEntries(
            [...tokens.keys()].map((token) => [
              token,
              sum(label, (group) => group.token === token),
            ]),
          ),
      order_id: seat?.order_id ?? null,
      channel: channelOf(label),
      left: null,
      right: null,
      accessible: false,
      companion: false,
      restricted_view: false,
      entrance: null,
      at_table: null,
      drawn_whole: chairs,
    };
  };
  const infoOf = (place: Place): ObjectInfo => {
    const { label, category, capacity } = place;
    const { status, order_id, kind } = objectOf(place);
    const held = capacity === null ? 0 : sum(label, (group) => group.token !== null);
    const booked = capacity === null ? 0 : sum(label, (group) => group.token === null);
    return {
      label,
      labels: { own: label, parent: null, section: null },
      kind,
      status,
      for_sale: true,
      is_available: status === 'free',
      category_key: category,
      category_label: category,
      order_id,
      ticket_type: null,
      channel: channelOf(label),
      entrance: null,
      zone: null,
      left_neighbour: null,
      right_neighbour: null,
      accessible: false,
      companion: false,
      restricted_view: false,
      area:
        capacity === null
          ? null
          : { capacity, free: capacity - held - booked, booked, held, not_for_sale: 0 },
    };
  };
  const turnAll = (labels: readonly string[], from: Seat['status'], to: Seat['status']) => {
    tick();
    for (const label of labels)
      if (seats.get(label)!.status !== from) throw refusedBy(label, `it is not ${from}`);
    for (const label of labels)
      Object.assign(seats.get(label)!, { status: to, token: null, order_id: null });
  };
  interface Booking {
    orderId: string;
    holdToken: string | null;
    channels?: OpenChannels;
  }
  const book = (
    requests: readonly SeatRequest[],
    { orderId, holdToken, channels: open = [] }: Booking,
  ) => {
    tick();
    if (holdToken !== null && !tokens.has(holdToken))
      throw new ProviderRefused('seats.io', 'HOLD_TOKEN_EXPIRED', {
        message: holdToken,
        status: 400,
      });
    const quantities = quantitiesOf(requests);
    for (const [label, quantity] of quantities) {
      const seat = seats.get(label);
      if (!opens(label, open)) throw refusedBy(label, 'it belongs to a channel');
      if (seat?.status === 'booked' || seat?.status === blockedStatus)
        throw refusedBy(label, `it is ${seat.status}`);
      if (
        seat &&
        holdToken !== null &&
        !(seat.status === 'reservedByToken' && seat.token === holdToken)
      )
        throw refusedBy(label, 'not held by this hold token');
      if (
        !seat &&
        (holdToken === null
          ? capacities.get(label)! - sum(label, () => true)
          : sum(label, (group) => group.token === holdToken)) < quantity
      )
        throw refusedBy(label, 'too few places');
    }
    for (const [label, quantity] of quantities) {
      const seat = seats.get(label);
      if (seat) Object.assign(seat, { status: 'booked', token: null, order_id: orderId });
      else {
        if (holdToken !== null) take(label, (group) => group.token === holdToken, quantity);
        put(label, { token: null, order_id: orderId, quantity, kept: false });
      }
      changes.push({ label, status: 'booked', order_id: orderId, quantity, at: now() });
    }
  };
  return {
    places,
    freedByHand,
    objects() {
      tick();
      return places.map(objectOf);
    },
    read(labels: readonly string[]) {
      tick();
      return new Map(
        places
          .filter((place) => labels.includes(place.label))
          .map((place) => [place.label, objectOf(place)]),
      );
    },
    taken() {
      tick();
      return places
        .filter((place) => place.capacity !== null || seats.get(place.label)!.status !== 'free')
        .map(infoOf);
    },
    infos(labels: readonly string[]) {
      tick();
      return new Map(
        places
          .filter((place) => labels.includes(place.label))
          .map((place) => [place.label, infoOf(place)]),
      );
    },
    placesOf: (label: string, { orderId, since }: { orderId: string; since: number }) =>
      changes
        .filter(
          (change) =>
            change.label === label &&
            change.order_id === orderId &&
            change.at >= since - 86_400_000,
        )
        .reduce(
          (total, change) =>
            total + (change.status === 'booked' ? change.quantity : -change.quantity),
          0,
        ),
    book,
    release(requests: readonly SeatRequest[], orderId: string | null) {
      tick();
      const quantities = quantitiesOf(requests);
      for (const [label, quantity] of quantities) {
        if (!seats.has(label) && sum(label, isSold) < quantity)
          throw refusedBy(label, 'too few places are taken');
      }
      if (orderId !== null) onRelease(orderId);
      for (const [label, quantity] of quantities) {
        const seat = seats.get(label);
        if (seat) {
          if (orderId !== null && seat.status === 'booked' && seat.order_id !== orderId)
            wrong(
              `${label} was released for the order ${orderId}, but it was booked for ${seat.order_id}`,
            );
          if (seat.status !== 'free')
            changes.push({ label, status: 'free', order_id: orderId, quantity: 1, at: now() });
          // The vendor stores the order that released the seat.
          Object.assign(seat, { status: 'free', token: null, order_id: orderId });
        } else {
          // The vendor only counts, so it also releases places of other orders.
          if (orderId !== null && sum(label, (group) => group.order_id === orderId) < quantity)
            wrong(
              `${quantity} places of ${label} were released for the order ${orderId}, which had fewer`,
            );
          const own = Math.min(
            quantity,
            sum(label, (group) => group.order_id === orderId && orderId !== null),
          );
          take(label, (group) => group.order_id === orderId && orderId !== null, own);
          take(label, isSold, quantity - own);
          changes.push({ label, status: 'free', order_id: orderId, quantity, at: now() });
        }
      }
    },
    /**
     * The visitor's chart holds objects; false if one is not free. `open`: the channels from which
     * it may.
     */
    hold(requests: readonly SeatRequest[], token: string, open: OpenChannels = []): boolean {
      tick();
      const quantities = quantitiesOf(requests);
      const isFree = [...quantities].every(([label, quantity]) => {
        if (!opens(label, open)) return false;
        const seat = seats.get(label);
        return seat
          ? seat.status === 'free' || (seat.status === 'reservedByToken' && seat.token === token)
          : capacities.get(label)! - sum(label, () => true) >= quantity;
      });
      if (!isFree) return false;
      if (!tokens.has(token)) tokens.set(token, now() + holdMs);
      for (const [label, quantity] of quantities) {
        const seat = seats.get(label);
        if (seat) Object.assign(seat, { status: 'reservedByToken', token, order_id: null });
        else put(label, { token, order_id: null, quantity, kept: false });
      }
      return true;
    },
    /** Books free objects for an order without a hold. */
    take(requests: readonly SeatRequest[], orderId: string) {
      tick();
      const held = requests.find(({ label }) => (seats.get(label)?.status ?? 'free') !== 'free');
      if (held) throw refusedBy(held.label, 'it is not free');
      book(requests, { orderId, holdToken: null, channels: 'all' });
    },
    addChannel({ key, objects }: NewChannel) {
      for (const labels of channels.values()) for (const label of objects) labels.delete(label);
      channels.set(key, new Set(objects));
    },
    dropChannel: (key: string) => void channels.delete(key),
    channels: () =>
      [...channels].map(([key, objects]) => ({
        key,
        name: key,
        objects: [...objects],
        area_places: {},
      })),
    channelOf,
    keepBack: (labels: readonly string[]) => turnAll(labels, 'booked', blockedStatus),
    block: (labels: readonly string[]) => turnAll(labels, 'free', blockedStatus),
    unblock: (labels: readonly string[]) => turnAll(labels, blockedStatus, 'free'),
    /** Frees objects that are held in carts. */
    freeHeld: (labels: readonly string[]) => turnAll(labels, 'reservedByToken', 'free'),
    blockPlaces(
      { label, places: quantity }: Pick<SeatObject, 'label' | 'places'>,
      order_id: string,
    ) {
      tick();
      if (capacities.get(label)! - sum(label, () => true) < quantity)
        throw refusedBy(label, 'too few places');
      put(label, { token: null, order_id, quantity, kept: true });
      changes.push({ label, status: 'booked', order_id, quantity, at: now() });
    },
    unblockPlaces(
      { label, places: quantity }: Pick<SeatObject, 'label' | 'places'>,
      block_id: string,
    ) {
      tick();
      if (sum(label, ({ kept }) => kept) < quantity) throw refusedBy(label, 'too few are kept');
      const isOwn = ({ kept, order_id }: Standing) => kept && order_id === block_id;
      if (sum(label, isOwn) < quantity)
        wrong(`${quantity} places of ${label} were given back for ${block_id}, which kept fewer`);
      take(label, isOwn, quantity);
      changes.push({ label, status: 'free', order_id: block_id, quantity, at: now() });
    },
    /** The number of blocked places of an area, by block. */
    keptIn: (label: string) =>
      new Map(
        areas
          .get(label)!
          .filter(({ kept }) => kept)
          .map((group) => [group.order_id!, sum(label, (one) => one === group)]),
      ),
    isBlocked: (label: string) => seats.get(label)?.status === blockedStatus,
    /** The office frees a seat directly at the seat map. */
    freeByHand(label: string) {
      const seat = seats.get(label)!;
      if (seat.status !== 'booked') return;
      freedByHand.add(`${label} ${seat.order_id}`);
      changes.push({ label, status: 'free', order_id: null, quantity: 1, at: now() });
      Object.assign(seat, { status: 'free', token: null, order_id: null });
    },
    /** The order that a seat is booked for. */
    holderOf(label: string) {
      const seat = seats.get(label);
      return seat?.status === 'booked' ? seat.order_id : null;
    },
    /** The booked places of an area, for one order and in total. */
    standingOf: (label: string, order_id: string) =>
      sum(label, (group) => group.order_id === order_id),
    bookedIn: (label: string) => sum(label, isSold),
  };
}
