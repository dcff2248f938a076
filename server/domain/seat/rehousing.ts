/** A sold house in another hall: what a seating consists of, and its cost (RULES H2). */
import type { PlaceKind } from './seat-name.ts';

/**
 * planned: it can be changed; taking: places are being booked in the new hall; waiting: it can
 * still be cancelled; moved: the orders are in the new hall, and the old one is being released;
 * giving_back: the new hall is being released.
 */
export const rehousingStates = [
  'planned',
  'taking',
  'waiting',
  'moved',
  'giving_back',
  'done',
  'dropped',
] as const;
export type RehousingState = (typeof rehousingStates)[number];
/** How long a run can be cancelled once all places are booked; then the first mail is sent. */
export const callOffMs = 60_000;

/** A place of the new hall. `rank`: 0 is the dearest category, null is not sold. */
export interface HallPlace {
  label: string;
  kind: PlaceKind;
  rank: number | null;
  /** Metres to the stage. */ distance: number;
  /** Degrees from the middle of the stage. */ angle: number;
  x: number;
  y: number;
  left: string | null;
  right: string | null;
  accessible: boolean;
  companion: boolean;
  /** Around a table no guest is left alone. */ at_table: boolean;
  /** How many guests or whole parties it takes: more than one only in a standing area. */
  places: number;
  /** The size of an object that is sold whole to one party; 0: it is not. */ whole: number;
  /** On sale and not kept back. */ open: boolean;
}

/**
 * A guest with a place in the old hall, or the whole party of an object that was sold whole.
 * `from` is the label of that place.
 */
export interface Guest {
  id: string;
  from: string;
  kind: PlaceKind;
  rank: number;
  distance: number;
  angle: number;
  accessible: boolean;
  companion: boolean;
  /** How many come to an object that was sold whole; 0: one guest. */ party: number;
}

/** How many people this is. */
export function headsOf({ party }: Guest): number {
  return Math.max(1, party);
}

/**
 * People who want to sit together. `fixed`: the labels that were chosen for them, in the order of
 * the guests.
 */
export interface Group {
  id: string;
  guests: readonly Guest[];
  fixed: readonly string[] | null;
  /** Labels, and places of objects sold whole, that they must not get. */
  banned: ReadonlySet<string>;
}

export const unplacedReasons = ['kind_missing', 'no_wheelchair_place', 'hall_full'] as const;
export type UnplacedReason = (typeof unplacedReasons)[number];

/** Who sits where: the label by the guest's id. */
export interface Seating {
  seats: ReadonlyMap<string, string>;
  unplaced: readonly { group_id: string; reason: UnplacedReason }[];
}

export const weights = { split: 100, lower: 50, alone: 20, metre: 1 } as const;

/** How often each cost occurs, and the total. */
interface SeatingCost {
  split: number;
  lower: number;
  alone: number;
  metres: number;
  total: number;
}

/** Further parts of each group, seats of a lower category, seats left alone, metres lost. */
export function costOf(
  hall: readonly HallPlace[],
  groups: readonly Group[],
  { seats }: Pick<Seating, 'seats'>,
): SeatingCost {
  const places = new Map(hall.map((place) => [place.label, place]));
  const taken = new Set(seats.values());
  let [split, lower, metres] = [0, 0, 0];
  for (const { guests } of groups) {
    for (const kind of ['seat', 'area'] as const)
      split += Math.max(0, partsOf(places, labelsOf(guests, kind, seats)) - 1);
    for (const guest of guests) {
      const place = places.get(seats.get(guest.id) ?? '');
      if (!place) continue;
      if ((place.rank ?? Infinity) > guest.rank) lower += headsOf(guest);
      metres += Math.max(0, place.distance - guest.distance) * headsOf(guest);
    }
  }
  const alone = hall.filter((place) => isLeftAlone(place, { places, taken })).length;
  const { split: bySplit, lower: byLower, alone: byAlone, metre } = weights;
  const total = bySplit * split + byLower * lower + byAlone * alone + metre * metres;
  return { split, lower, alone, metres, total };
}

function labelsOf(
  guests: readonly Guest[],
  kind: PlaceKind,
  seats: ReadonlyMap<string, string>,
): Set<string> {
  const same = guests.filter((guest) => guest.kind === kind && guest.party === 0);
  return new Set(same.flatMap(({ id }) => seats.get(id) ?? []));
}

/** Runs of neighbours; places of one standing area are together. */
export function partsOf(
  places: ReadonlyMap<string, HallPlace>,
  labels: ReadonlySet<string>,
): number {
  const seen = new Set<string>();
  let parts = 0;
  for (const label of labels) {
    if (seen.has(label)) continue;
    parts += 1;
    const next = [label];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      seen.add(at);
      const { left, right } = places.get(at) ?? { left: null, right: null };
      for (const beside of [left, right])
        if (beside !== null && labels.has(beside) && !seen.has(beside)) next.push(beside);
    }
  }
  return parts;
}

/**
 * What happens to the category that was bought. same_price: a lower one that costs no less than
 * the price paid; paid_back: a lower one, with a refund of the difference; lost: a lower one for
 * the price of the higher.
 */
export const categoryEnds = ['same', 'better', 'same_price', 'paid_back', 'lost'] as const;
type CategoryEnd = (typeof categoryEnds)[number];

/**
 * `difference_cents` is below zero where the new place costs less than the price paid.
 * `goes_back`: the office wants a refund, and there is a payment to refund.
 */
export function categoryEnd(
  ranks: { from: number; to: number | null },
  { difference_cents, goes_back }: { difference_cents: number; goes_back: boolean },
): CategoryEnd {
  const to = ranks.to ?? Infinity;
  if (to === ranks.from) return 'same';
  if (to < ranks.from) return 'better';
  if (difference_cents >= 0) return 'same_price';
  return goes_back ? 'paid_back' : 'lost';
}

interface House {
  places: ReadonlyMap<string, HallPlace>;
  taken: ReadonlySet<string>;
}

/**
 * A free seat without a free neighbour, because a guest has been seated beside it. Places for
 * wheelchairs and their companions do not count.
 */
function isLeftAlone(place: HallPlace, { places, taken }: House): boolean {
  if (!isOrdinary(place) || taken.has(place.label)) return false;
  const beside = [place.left, place.right].flatMap((label) => places.get(label ?? '') ?? []);
  const isFree = (one: HallPlace) => isSeatForAnybody(one) && !taken.has(one.label);
  return !beside.some(isFree) && beside.some(({ label }) => taken.has(label));
}

function isSeatForAnybody({ kind, open, rank }: HallPlace): boolean {
  return kind === 'seat' && open && rank !== null;
}

function isOrdinary(place: HallPlace): boolean {
  return isSeatForAnybody(place) && !place.accessible && !place.companion && !place.at_table;
}

/**
 * A whole party needs an object that is sold whole and has a place for each of them; places on
 * which its order has an ended ticket do not count.
 */
export function isRoomFor(
  { party }: Guest,
  { label, whole }: Pick<HallPlace, 'label' | 'whole'>,
  { banned }: Pick<Group, 'banned'>,
): boolean {
  if (party === 0 || whole === 0) return party === whole;
  const closed = [...banned].filter((place) => place.startsWith(`${label}#`)).length;
  return whole - closed >= party;
}

/**
 * Wheelchair places are for guests who had one, companions' places for guests who come with them.
 */
export function mayTake(guest: Guest, group: Group, place: HallPlace): boolean {
  if (place.kind !== guest.kind || !place.open || place.rank === null) return false;
  if (!isRoomFor(guest, place, group)) return false;
  if (group.banned.has(place.label)) return false;
  if (guest.accessible !== place.accessible) return false;
  return (
    !place.companion || group.guests.some(({ accessible, companion }) => accessible || companion)
  );
}
