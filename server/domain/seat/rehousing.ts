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
  /** When its first order was made, in ms. */ since: number;
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

/** `order`: for each metre nearer or farther than the order among buyers asks for. */
export const weights = { split: 100, lower: 50, alone: 20, metre: 1, order: 1 } as const;

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

export function isSeatOnSale({ kind, open, rank }: HallPlace): boolean {
  return kind === 'seat' && open && rank !== null;
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

/** Guests who stood may sit; all others get a place of the kind that they had. */
export function isKindFor({ kind, party }: Pick<Guest, 'kind' | 'party'>, there: PlaceKind) {
  return there === kind || (there === 'seat' && kind === 'area' && party === 0);
}

/**
 * What a person should know of a place: a wheelchair on an ordinary seat, which only a choice by
 * hand gives, or a guest who stood and now sits.
 */
export const placeWarnings = ['wheelchair', 'seated'] as const;
type PlaceWarning = (typeof placeWarnings)[number];

export function warningsOf(
  { accessible, kind }: Pick<Guest, 'accessible' | 'kind'>,
  place: Pick<HallPlace, 'accessible' | 'kind'> | undefined,
): PlaceWarning[] {
  if (place === undefined) return [];
  return [
    ...(accessible && !place.accessible ? (['wheelchair'] as const) : []),
    ...(kind === 'area' && place.kind === 'seat' ? (['seated'] as const) : []),
  ];
}

/**
 * Wheelchair places are for guests who had one, companions' places for guests who come with them.
 */
export function mayTake(guest: Guest, group: Group, place: HallPlace): boolean {
  if (!isKindFor(guest, place.kind) || !place.open || place.rank === null) return false;
  if (!isRoomFor(guest, place, group)) return false;
  if (group.banned.has(place.label)) return false;
  if (guest.accessible !== place.accessible) return false;
  return (
    !place.companion || group.guests.some(({ accessible, companion }) => accessible || companion)
  );
}
