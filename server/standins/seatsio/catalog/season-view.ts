/**
 * How seasons and their events see each other's bookings: a place that one of them sells is gone
 * in all others with the same evening.
 */
import { type EventKind } from '#server/standins/seatsio/statements/events.ts';
import {
  membersOf,
  overridesIn,
  overridesOf,
  partialMembersOf,
  type OverrideRow,
} from '#server/standins/seatsio/statements/seasons.ts';
import { countPlaces, FREE } from './status-rule.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { ObjectState, Place } from './status-rule.ts';
import { entryOf } from '#server/drawing/model/entry.ts';

interface Member {
  id: number;
  kind: EventKind;
  past: boolean;
}

/** A top-level season with its partial seasons and events, seen from one of these members. */
export interface Family {
  self: Member;
  top: number;
  partials: Member[];
  /** In the order in which they were made. */
  events: Member[];
  /** The partial seasons of each event; events without any are left out. */
  partialsOf: Map<number, number[]>;
}

/** Null when the event is in no season. */
export async function readFamily(
  ctx: Seatsio,
  event: { id: number; kind: EventKind; season_id: number | null },
): Promise<Family | null> {
  if (event.kind === 'event' && event.season_id === null) return null;
  const top = event.season_id ?? event.id;
  const rows = await membersOf(ctx.sql, top);
  const members = rows.map(({ id, kind, is_in_the_past }) => ({
    id,
    kind,
    past: is_in_the_past === 1,
  }));
  const partialsOf = new Map<number, number[]>();
  for (const { partial_id, event_id } of await partialMembersOf(ctx.sql, top))
    partialsOf.set(event_id, [...(partialsOf.get(event_id) ?? []), partial_id]);
  return {
    self: members.find(({ id }) => id === event.id) ?? {
      id: event.id,
      kind: event.kind,
      past: false,
    },
    top,
    partialsOf,
    partials: members.filter(({ kind }) => kind === 'partial'),
    events: members.filter(({ kind }) => kind === 'event'),
  };
}

/** The seasons that contain the event, the top-level season first. */
export function seasonsOf(family: Family, eventId: number): number[] {
  return [family.top, ...(family.partialsOf.get(eventId) ?? [])];
}

/** The events of a season, also past ones. */
export function eventsOf(family: Family, seasonId: number): Member[] {
  return seasonId === family.top
    ? family.events
    : family.events.filter(({ id }) => family.partialsOf.get(id)?.includes(seasonId));
}

/** The members whose objects look different when an object of `family.self` changes. */
export function dependentsOf({ self, ...family }: Family): number[] {
  if (self.kind === 'event') return [self.id, ...seasonsOf({ self, ...family }, self.id)];
  return [family.top, ...family.partials.map(({ id }) => id), ...family.events.map(({ id }) => id)];
}

/** The other members whose objects affect those of `family.self`. */
function dependenciesOf(family: Family): number[] {
  const ids = dependentsOf(family);
  return ids.filter((id) => id !== family.self.id);
}

/** One label's stored state in each member, and how many season bookings an event overrides. */
interface Looked {
  stored: (id: number) => ObjectState;
  overridden: (eventId: number, seasonId: number) => number;
}

/** What the other members have taken of an object. */
export interface Foreign {
  /** The state that blocks an object sold as one. */
  whole: ObjectState | null;
  /** The taken places of an area. */
  places: Place[];
  /** How many of a season's bookings the event overrides, by season id. */
  overridden: ReadonlyMap<number, number>;
}

const NOTHING_OVERRIDDEN: ReadonlyMap<number, number> = new Map();
export const NOTHING_FOREIGN: Foreign = {
  whole: null,
  places: [],
  overridden: NOTHING_OVERRIDDEN,
};

function isTaken(state: ObjectState): boolean {
  return state.places.length === 0 && state.status !== 'free';
}

/** Removes the latest places first. */
function withoutLast(places: Place[], count: number): Place[] {
  let left = count;
  return places
    .toReversed()
    .flatMap((place) => {
      const gone = Math.min(left, place.quantity);
      left -= gone;
      return gone === place.quantity ? [] : [{ ...place, quantity: place.quantity - gone }];
    })
    .reverse();
}

/** The bookings of an event's seasons as the event sees them; `except` leaves out one season. */
function seenByEvent(
  family: Family,
  eventId: number,
  { looked, except }: { looked: Looked; except?: number },
): Foreign {
  const overrides = new Map<number, number>();
  const foreign: Foreign = { whole: null, places: [], overridden: overrides };
  for (const season of seasonsOf(family, eventId)) {
    if (season === except) continue;
    const state = looked.stored(season);
    const overridden = looked.overridden(eventId, season);
    if (overridden > 0) overrides.set(season, overridden);
    if (isTaken(state) && overridden === 0) foreign.whole ??= state;
    foreign.places.push(...withoutLast(state.places, overridden));
  }
  return foreign;
}

/** A season has as many free places as the coming event with the fewest. */
function seenBySeason(family: Family, looked: Looked): Foreign {
  const { self } = family;
  const groups: { whole: ObjectState | null; places: Place[] }[] = [];
  const direct = self.kind === 'partial' ? [family.top] : family.partials.map(({ id }) => id);
  for (const season of direct) {
    const events = eventsOf(family, season);
    const isOver = season !== family.top && events.length > 0 && events.every(({ past }) => past);
    const state = looked.stored(season);
    if (!isOver) groups.push({ whole: isTaken(state) ? state : null, places: state.places });
  }
  for (const event of eventsOf(family, self.id)) {
    if (event.past) continue;
    const own = looked.stored(event.id);
    const seen = seenByEvent(family, event.id, { looked, except: self.id });
    groups.push({
      whole: isTaken(own) ? own : seen.whole,
      places: [...own.places, ...seen.places],
    });
  }
  const whole = groups.find((group) => group.whole)?.whole;
  const fullest = groups.reduce<Place[]>(
    (most, { places }) =>
      countPlaces(places, () => true) > countPlaces(most, () => true) ? places : most,
    [],
  );
  // A season shows that an event sold the object, but not for which order.
  return {
    whole: whole ? { ...FREE, status: whole.status } : null,
    places: fullest,
    overridden: NOTHING_OVERRIDDEN,
  };
}

export function takenByOthers(family: Family, looked: Looked): Foreign {
  return family.self.kind === 'event'
    ? seenByEvent(family, family.self.id, { looked })
    : seenBySeason(family, looked);
}

/** The member's own booking hides what the other members took. */
export function combine(own: ObjectState, foreign: Foreign): ObjectState {
  const overridden = foreign.overridden.size > 0 ? { overridden: foreign.overridden } : {};
  if (isTaken(own)) return { ...own, ...overridden };
  if (foreign.whole) return { ...foreign.whole, ...overridden };
  return foreign.places.length > 0 || foreign.overridden.size > 0
    ? { ...own, places: [...own.places, ...foreign.places], ...overridden }
    : own;
}

/** The overrides that matter to one member, of all labels or of one. */
function readOverrides(
  ctx: Seatsio,
  { self, top }: Family,
  label?: string,
): Promise<OverrideRow[]> {
  return self.kind === 'event'
    ? overridesOf(ctx.sql, self.id, label)
    : overridesIn(ctx.sql, top, label);
}

function quantityIn(rows: OverrideRow[] | undefined): Looked['overridden'] {
  return (eventId, seasonId) =>
    rows?.find((row) => row.event_id === eventId && row.season_id === seasonId)?.quantity ?? 0;
}

export async function readForeign(
  ctx: Seatsio,
  family: Family,
  { label, read }: { label: string; read: (id: number) => Promise<ObjectState> },
): Promise<Foreign> {
  const overrides = await readOverrides(ctx, family, label);
  const states = new Map<number, ObjectState>();
  for (const id of dependenciesOf(family)) states.set(id, await read(id));
  return takenByOthers(family, {
    stored: (id) => states.get(id) ?? FREE,
    overridden: quantityIn(overrides),
  });
}

/** The states of all labels that any member has taken, by label. */
export async function combineAll(
  ctx: Seatsio,
  family: Family,
  {
    own,
    readAll,
  }: {
    own: Map<string, ObjectState>;
    readAll: (id: number) => Promise<Map<string, ObjectState>>;
  },
): Promise<Map<string, ObjectState>> {
  const others = new Map<number, Map<string, ObjectState>>();
  for (const id of dependenciesOf(family)) others.set(id, await readAll(id));
  const overrides = Map.groupBy(await readOverrides(ctx, family), ({ label }) => label);
  const labels = new Set([
    ...own.keys(),
    ...[...others.values()].flatMap((states) => [...states.keys()]),
    ...overrides.keys(),
  ]);
  const states = new Map<string, ObjectState>();
  for (const label of labels) {
    const stored = (id: number) =>
      (id === family.self.id ? own : entryOf(others, id)).get(label) ?? FREE;
    states.set(
      label,
      combine(
        stored(family.self.id),
        takenByOthers(family, { stored, overridden: quantityIn(overrides.get(label)) }),
      ),
    );
  }
  return states;
}
