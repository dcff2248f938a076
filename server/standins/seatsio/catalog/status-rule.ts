/**
 * How an object's status may change: seats.io's rules as one pure function, for seats and for
 * areas sold by number.
 */

/** `channel` is the key of the channel that had reserved the places; absent if none had. */
export interface Place {
  status: string;
  hold_token: string | null;
  ticket_type: string | null;
  quantity: number;
  channel?: string;
}

export interface ObjectState {
  status: string;
  hold_token: string | null;
  order_id: string | null;
  ticket_type: string | null;
  /** JSON text. */
  extra_data: string | null;
  resale_listing_id: string | null;
  /** `resale` if a release puts the seat back on resale; its listing is kept for that. */
  held_from: string | null;
  /** Areas only: the places that are taken. */
  places: Place[];
  /** How many of a season's places this event may sell itself, by season id. */
  overridden?: ReadonlyMap<number, number>;
}

/**
 * The free places of an area that are for one channel, or for all callers (null). Negative when a
 * channel was given places that were already taken.
 */
export interface Partition {
  channel: string | null;
  free: number;
}

/** What limits the places of an area besides its capacity. */
export interface AreaLimits {
  /** How many places the other members of the event's season have taken. */
  elsewhere: number;
  /** What the caller may take, in the order of use. */
  partitions: Partition[];
  /** Whether the caller may change places of this channel. */
  opens: (channel: string | null) => boolean;
}

/** Frozen, because all free objects share it. */
export const FREE: ObjectState = Object.freeze({
  status: 'free',
  hold_token: null,
  order_id: null,
  ticket_type: null,
  extra_data: null,
  resale_listing_id: null,
  held_from: null,
  places: Object.freeze<Place[]>([]) as Place[],
});
export const HELD = 'reservedByToken';
const RESALE = 'resale';

export interface Sellable {
  /** True for an area sold by number of places; every other object is sold as one. */
  byPlaces: boolean;
  capacity: number;
  /** How many places may not be sold; 0 or 1 for an object sold as one. */
  notForSale: number;
}

interface Ask {
  /** `free` is a release. */
  status: string;
  quantity: number;
  holdToken: string | null;
  orderId: string | null;
  ticketType: string | null;
  extraData: string | null;
  keepExtraData: boolean;
  allowedPreviousStatuses: string[] | null;
  rejectedPreviousStatuses: string[] | null;
  resaleListingId: string | null;
  /** Only for areas sold by number. */
  limits?: AreaLimits;
}

/**
 * Why a change is refused, with one of the two codes that clients distinguish; `sentence` is set
 * where clients compare the vendor's own text.
 */
type Refused = {
  refused: 'ILLEGAL_STATUS_CHANGE' | 'NOT_FOR_SALE';
  because: string;
  sentence?: string;
};

/**
 * These rules are from seats.io's documentation unless marked as ours. The same status twice is
 * illegal, but a free object may be released again without a token (as the vendor's clients do).
 * Only an available object can be held. A caller with a token must hold the object with that
 * token; one without (back office) may take a held seat. A release makes the object free, or puts
 * it back on resale. Extra data is dropped unless the caller keeps it. An available object that
 * is not for sale cannot be taken (ours: one that is already taken may still change).
 */
export function changeStatus(
  object: Sellable,
  state: ObjectState,
  ask: Ask,
): ObjectState | Refused {
  return object.byPlaces ? changePlaces(object, state, ask) : changeWhole(object, state, ask);
}

function isAvailable(status: string): boolean {
  return status === 'free' || status === RESALE;
}

function checkPrevious(previous: string, ask: Ask): Refused | null {
  const refuse = (because: string): Refused => ({
    ...illegal(because),
    sentence: `Cannot change from [${previous}] to [${ask.status}]: ${because}`,
  });
  if (ask.allowedPreviousStatuses && !ask.allowedPreviousStatuses.includes(previous))
    return refuse(`${previous} is not in the list of allowed previous statuses`);
  if (ask.rejectedPreviousStatuses?.includes(previous))
    return refuse(`${previous} is in the list of rejected previous statuses`);
  return null;
}

function illegal(because: string): Refused {
  return { refused: 'ILLEGAL_STATUS_CHANGE', because };
}

function changeWhole(object: Sellable, state: ObjectState, ask: Ask): ObjectState | Refused {
  const { status } = state;
  if (status === ask.status && status !== 'free') return illegal(`it is already ${status}`);
  const ownedByAsker = status === HELD && state.hold_token === ask.holdToken;
  if (ask.status === HELD) {
    if (!isAvailable(status)) return illegal(`it is ${status} and cannot be held`);
  } else if (ask.holdToken !== null && !ownedByAsker) {
    return illegal(`it is ${status} and not held by this hold token`);
  }
  const refused = checkPrevious(status, ask);
  if (refused) return refused;
  if (isAvailable(status) && ask.status !== 'free' && object.notForSale > 0)
    return { refused: 'NOT_FOR_SALE', because: 'it is not for sale' };
  return after(state, ask, []);
}

/**
 * A seat that its owner offers for resale goes back on resale, not to the house, when a visitor
 * releases it or a buyer returns it.
 */
export function endHold(state: ObjectState): Pick<ObjectState, 'status' | 'resale_listing_id'> {
  return state.held_from === RESALE
    ? { status: RESALE, resale_listing_id: state.resale_listing_id }
    : { status: 'free', resale_listing_id: null };
}

function after(state: ObjectState, ask: Ask, places: Place[]): ObjectState {
  const isOffered =
    !isAvailable(ask.status) && (state.status === RESALE || state.held_from === RESALE);
  return {
    status: ask.status,
    hold_token: ask.status === HELD ? ask.holdToken : null,
    order_id: ask.orderId,
    // A booking keeps the ticket type that the visitor chose for the hold.
    ticket_type:
      ask.ticketType ?? (state.status === HELD && ask.status !== 'free' ? state.ticket_type : null),
    extra_data: ask.extraData ?? (ask.keepExtraData ? state.extra_data : null),
    resale_listing_id: isOffered ? state.resale_listing_id : ask.resaleListingId,
    held_from: isOffered ? RESALE : null,
    places,
    ...(ask.status === 'free' ? endHold(state) : {}),
  };
}

/** Changes some places of an area sold by number. */
function changePlaces(object: Sellable, state: ObjectState, ask: Ask): ObjectState | Refused {
  const { holdToken } = ask;
  const fromFree = ask.status === HELD || (holdToken === null && ask.status !== 'free');
  const refused = checkPrevious(fromFree ? 'free' : takenStatus(state, holdToken), ask);
  if (refused) return refused;
  const places = state.places.map((place) => ({ ...place }));
  const short = fromFree ? takeFree(object, places, ask) : takeTaken(places, ask);
  if (short) return short;
  const left = places.filter((place) => place.quantity > 0);
  const { elsewhere = 0 } = ask.limits ?? {};
  const full = countPlaces(left, () => true) + elsewhere === object.capacity;
  return {
    ...after(state, ask, left),
    status: full && ask.status !== 'free' ? ask.status : 'free',
    hold_token: null,
    ticket_type: null,
  };
}

/** The status from which a change starts; without a token, that of the latest place not held. */
function takenStatus(state: ObjectState, holdToken: string | null): string {
  if (holdToken !== null) return HELD;
  return state.places.findLast((place) => place.status !== HELD)?.status ?? 'free';
}

/** Takes free places that are for sale and open to the caller. */
function takeFree({ capacity, notForSale }: Sellable, places: Place[], ask: Ask): Refused | null {
  const { quantity } = ask;
  const { elsewhere = 0, partitions = null } = ask.limits ?? {};
  const free = capacity - elsewhere - countPlaces(places, () => true);
  if (quantity > free)
    return illegal(`only ${Math.max(0, free)} places are free, ${quantity} were asked for`);
  if (quantity > free - notForSale)
    return {
      refused: 'NOT_FOR_SALE',
      because: `only ${Math.max(0, free - notForSale)} places are for sale`,
    };
  const within = partitions ?? [{ channel: null, free }];
  const reachable = within.reduce((sum, partition) => sum + Math.max(0, partition.free), 0);
  if (quantity > reachable)
    return illegal(
      `only ${reachable} places are within reach of these channels, ${quantity} were asked for`,
    );
  for (const { channel, count } of sharesOf(within, quantity))
    addPlaces(places, {
      status: ask.status,
      hold_token: ask.status === HELD ? ask.holdToken : null,
      ticket_type: ask.ticketType,
      quantity: count,
      ...(channel === null ? {} : { channel }),
    });
  return null;
}

/** Books or releases the places of a token or, without a token, the places that are not held. */
function takeTaken(places: Place[], ask: Ask): Refused | null {
  const { quantity, holdToken } = ask;
  const { opens = () => true } = ask.limits ?? {};
  const isOwn = (place: Place) =>
    holdToken === null
      ? place.status !== HELD
      : place.status === HELD && place.hold_token === holdToken;
  const isSource = (place: Place) => isOwn(place) && opens(place.channel ?? null);
  const there = countPlaces(places, isSource);
  if (quantity > there)
    return illegal(
      `only ${there} places are ${holdToken === null ? 'taken' : 'held by this hold token'}, ${quantity} were asked for`,
    );
  const taken = takePlaces(places.filter(isSource), ask);
  if (ask.status === 'free') return null;
  for (const place of taken)
    addPlaces(places, {
      ...place,
      status: ask.status,
      hold_token: null,
      ticket_type: ask.ticketType ?? place.ticket_type,
    });
  return null;
}

function sharesOf(
  partitions: Partition[],
  quantity: number,
): { channel: string | null; count: number }[] {
  let left = quantity;
  return partitions.flatMap(({ channel, free }) => {
    const count = Math.min(left, Math.max(0, free));
    left -= count;
    return count > 0 ? [{ channel, count }] : [];
  });
}

export function countPlaces(places: Place[], which: (place: Place) => boolean): number {
  return places.reduce((sum, place) => (which(place) ? sum + place.quantity : sum), 0);
}

/** Takes and returns places: those of the given ticket type first, and of these the latest. */
function takePlaces(places: Place[], ask: Ask): Place[] {
  let left = ask.quantity;
  const matches = (place: Place) => Number(place.ticket_type === ask.ticketType);
  return places
    .reverse()
    .sort((a, b) => matches(b) - matches(a))
    .flatMap((place) => {
      const quantity = Math.min(left, place.quantity);
      if (quantity === 0) return [];
      place.quantity -= quantity;
      left -= quantity;
      return [{ ...place, quantity }];
    });
}

function addPlaces(places: Place[], more: Place): void {
  const same = places.find(
    (place) =>
      place.status === more.status &&
      place.hold_token === more.hold_token &&
      place.ticket_type === more.ticket_type &&
      place.channel === more.channel,
  );
  if (same) same.quantity += more.quantity;
  else places.push({ ...more });
}
