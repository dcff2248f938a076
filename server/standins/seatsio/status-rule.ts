/** What may become of an object: seats.io's status rules as one pure function, for seats and for areas sold by number. */

export interface Place { status: string; hold_token: string | null; ticket_type: string | null; quantity: number }

export interface ObjectState {
  status: string;
  hold_token: string | null;
  order_id: string | null;
  ticket_type: string | null;
  /** JSON text. */
  extra_data: string | null;
  resale_listing_id: string | null;
  /** Areas only: the places that are not free. */
  places: Place[];
}

export const FREE: ObjectState = { status: 'free', hold_token: null, order_id: null, ticket_type: null, extra_data: null, resale_listing_id: null, places: [] };
export const HELD = 'reservedByToken';

export interface Sellable {
  /** Sold by number of places; a seat, table, booth or whole area is sold at once. */
  byPlaces: boolean;
  capacity: number;
  /** How many places may not be sold. For what is sold at once: 0 or 1. */
  notForSale: number;
}

export interface Ask {
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
}

/** Why not, in one of the two codes that callers tell apart. */
export type Refused = { refused: 'ILLEGAL_STATUS_CHANGE' | 'NOT_FOR_SALE'; because: string };

/**
 * Rules, seats.io documentation unless marked:
 * the same status twice is illegal; a hold starts from something available; with a token the object must be held by that very token;
 * without one (back office) a held seat may be taken; release makes free, with or without token; extra data goes unless it is kept;
 * what is available but not for sale cannot leave that state (ours: what was taken before may go on to its end).
 */
export function changeStatus(object: Sellable, state: ObjectState, ask: Ask): ObjectState | Refused {
  return object.byPlaces ? changePlaces(object, state, ask) : changeWhole(object, state, ask);
}

function isAvailable(status: string): boolean {
  return status === 'free' || status === 'resale';
}

function checkPrevious(previous: string, ask: Ask): Refused | null {
  if (ask.allowedPreviousStatuses && !ask.allowedPreviousStatuses.includes(previous)) return illegal(`its status ${previous} is not one of the allowed previous statuses`);
  if (ask.rejectedPreviousStatuses?.includes(previous)) return illegal(`its status ${previous} is one of the rejected previous statuses`);
  return null;
}

function illegal(because: string): Refused {
  return { refused: 'ILLEGAL_STATUS_CHANGE', because };
}

function changeWhole(object: Sellable, state: ObjectState, ask: Ask): ObjectState | Refused {
  const { status } = state;
  if (status === ask.status) return illegal(`it is already ${status}`);
  const ownedByAsker = status === HELD && state.hold_token === ask.holdToken;
  if (ask.status === HELD) {
    if (!isAvailable(status)) return illegal(`it is ${status} and cannot be held`);
  } else if (ask.holdToken !== null && !ownedByAsker) {
    return illegal(`it is ${status} and not held by this hold token`);
  }
  const refused = checkPrevious(status, ask);
  if (refused) return refused;
  if (isAvailable(status) && ask.status !== 'free' && object.notForSale > 0) return { refused: 'NOT_FOR_SALE', because: 'it is not for sale' };
  return after(state, ask, []);
}

function after(state: ObjectState, ask: Ask, places: Place[]): ObjectState {
  return {
    status: ask.status, hold_token: ask.status === HELD ? ask.holdToken : null, order_id: ask.orderId,
    // A visitor's choice of ticket type outlives the step from hold to booking.
    ticket_type: ask.ticketType ?? (state.status === HELD && ask.status !== 'free' ? state.ticket_type : null),
    extra_data: ask.extraData ?? (ask.keepExtraData ? state.extra_data : null),
    resale_listing_id: ask.resaleListingId, places,
  };
}

/** Where the places come from: a token's own, the free ones, or (release without token) those taken for good. */
function changePlaces(object: Sellable, state: ObjectState, ask: Ask): ObjectState | Refused {
  const { quantity, holdToken } = ask;
  const fromFree = ask.status === HELD || holdToken === null && ask.status !== 'free';
  const previous = fromFree ? 'free' : holdToken === null ? state.places.findLast((place) => place.status !== HELD)?.status ?? 'free' : HELD;
  const refused = checkPrevious(previous, ask);
  if (refused) return refused;
  const places = state.places.map((place) => ({ ...place }));
  const free = object.capacity - countPlaces(places, () => true);
  if (fromFree) {
    if (quantity > free) return illegal(`only ${free} places are free, ${quantity} were asked for`);
    if (quantity > free - object.notForSale) return { refused: 'NOT_FOR_SALE', because: `only ${Math.max(0, free - object.notForSale)} places are for sale` };
  } else {
    const isSource = (place: Place) => (holdToken === null ? place.status !== HELD : place.status === HELD && place.hold_token === holdToken);
    const there = countPlaces(places, isSource);
    if (quantity > there) return illegal(`only ${there} places are ${holdToken === null ? 'taken' : 'held by this hold token'}, ${quantity} were asked for`);
    const taken = takePlaces(places.filter(isSource), ask);
    if (ask.status !== 'free') for (const [type, count] of taken) addPlaces(
      places, { status: ask.status, hold_token: null, ticket_type: ask.ticketType ?? type, quantity: count },
    );
  }
  if (fromFree) addPlaces(places, { status: ask.status, hold_token: ask.status === HELD ? holdToken : null, ticket_type: ask.ticketType, quantity });
  const left = places.filter((place) => place.quantity > 0);
  const full = countPlaces(left, () => true) === object.capacity;
  return { ...after(state, ask, left), status: full ? ask.status === 'free' ? 'free' : ask.status : 'free', hold_token: null, ticket_type: null };
}

export function countPlaces(places: Place[], which: (place: Place) => boolean): number {
  return places.reduce((sum, place) => (which(place) ? sum + place.quantity : sum), 0);
}

/** Those of the asked ticket type first, the latest before the earlier; says how many of each type went. */
function takePlaces(places: Place[], ask: Ask): Map<string | null, number> {
  const taken = new Map<string | null, number>();
  let left = ask.quantity;
  const matches = (place: Place) => Number(place.ticket_type === ask.ticketType);
  for (const place of places.reverse().sort((a, b) => matches(b) - matches(a))) {
    const count = Math.min(left, place.quantity);
    if (count === 0) continue;
    place.quantity -= count;
    left -= count;
    taken.set(place.ticket_type, (taken.get(place.ticket_type) ?? 0) + count);
  }
  return taken;
}

function addPlaces(places: Place[], more: Place): void {
  const same = places.find((place) => place.status === more.status && place.hold_token === more.hold_token && place.ticket_type === more.ticket_type);
  if (same) same.quantity += more.quantity;
  else places.push({ ...more });
}
