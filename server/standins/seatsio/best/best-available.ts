/**
 * Best available: which free objects a party gets when it leaves the choice to the house. Pure,
 * so that every caller chooses alike.
 */
import { isByPlaces } from '#server/standins/seatsio/catalog/catalog.ts';
import { findScattered } from './best-scattered.ts';
import { findTogether } from './best-together.ts';
import { ACCESSIBLE, COMPANION } from '#server/drawing/model/flags.ts';
import { distanceBetween, rankOf } from '#server/drawing/quality/rank.ts';
import { freeWithin, opensChannel } from '#server/standins/seatsio/catalog/reach.ts';
import { FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { Bench, Candidate } from './best-together.ts';
import type { Category, LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Plan, PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';

interface BestAsk {
  /** How many seats, whole tables and booths, or places of one area; at least 1. */
  number: number;
  /** The categories' keys, or their labels in any case. */
  categories?: string[];
  /** A zone's key; distances are then measured from its own focal point, if it has one. */
  zone?: string;
  /** Section labels. */
  sections?: string[];
  /** When false, the nearest group is taken even if a single seat is left beside it. */
  tryToPreventOrphanSeats?: boolean;
  /** How many of the seats must be wheelchair places; none if left out. */
  accessibleSeats?: number;
  channelKeys?: string[];
  ignoreChannels?: boolean;
  /** Ours: the number counts people, so one table that seats them all is found, not several. */
  people?: boolean;
}

export interface BestChoice {
  /** In row order; only an area has a quantity above 1. */
  objects: { label: string; quantity: number }[];
  /** Absent for tables, booths and areas. */
  nextToEachOther?: boolean;
}

/**
 * Finds the first of these that fits, in the order of seats.io's documentation: seats side by side
 * that leave no single seat; seats side by side; the nearest seats of one section, with no person
 * alone if possible; the nearest seats of all sections; whole tables and booths; one area. Null
 * when nothing fits. Our own rules (RULES S4): wheelchair places are chosen only on request,
 * companion seats only for a party with a wheelchair place, and restricted views last. Of equally
 * near seats the first in drawing order wins, and a drawing may put places forward or back.
 */
export function findBestAvailable(
  event: LoadedEvent,
  states: Map<string, ObjectState>,
  ask: BestAsk,
): BestChoice | null {
  const judge = makeJudge(event, states, ask);
  const party = { number: ask.number, accessible: ask.accessibleSeats ?? 0 };
  if (party.accessible > party.number) return null;
  const benches = benchesOf(event.plan).map((bench) => judge.bench(bench));
  const together =
    (ask.tryToPreventOrphanSeats === false ? null : findTogether(benches, party, true)) ??
    findTogether(benches, party, false);
  const seats = together ?? findScattered(benches, party);
  if (seats)
    return {
      objects: seats.map(({ label }) => ({ label, quantity: 1 })),
      nextToEachOther: together !== null,
    };
  if (party.accessible > 0) return null;
  return (
    (ask.people ? findTable : findWhole)(event, judge, party.number) ??
    findArea(event, judge, party.number)
  );
}

interface Judge {
  bench: (objects: PlanObject[]) => Bench;
  isWanted: (object: PlanObject) => boolean;
  distance: (object: PlanObject) => number;
  freePlaces: (object: PlanObject) => number;
}

function makeJudge(event: LoadedEvent, states: Map<string, ObjectState>, ask: BestAsk): Judge {
  const distance = distanceFor(event, ask);
  const fits = fitsFor(event, ask);
  const stateOf = (object: PlanObject) => states.get(object.label) ?? FREE;
  const freePlaces = (object: PlanObject) =>
    stateOf(object).status === 'free'
      ? freeWithin(event, object, { state: stateOf(object), reach: ask })
      : 0;
  // Seats have no places to count, so they are skipped: a hall has up to twenty thousand of them.
  const isSeatFree = (object: PlanObject) =>
    stateOf(object).status === 'free' &&
    event.sellable(object).notForSale === 0 &&
    opensChannel(ask, event.channelOf(object.label) ?? null);
  const isOpen = (object: PlanObject) =>
    object.objectType === 'seat' ? isSeatFree(object) : freePlaces(object) > 0;
  const categoryOf = (object: PlanObject) => {
    const category = event.categoryOf(object);
    return category && String(category.key);
  };
  const refused = ask.accessibleSeats ? 0 : ACCESSIBLE | COMPANION;
  const candidateOf = (object: PlanObject): Candidate => {
    const category = categoryOf(object);
    const open = isOpen(object);
    return {
      label: object.label,
      section: object.section,
      category,
      distance: distance(object),
      accessible: (object.flags & ACCESSIBLE) !== 0,
      open,
      wanted: open && (object.flags & refused) === 0 && fits(object, category),
    };
  };
  return {
    distance,
    freePlaces,
    isWanted: (object) => isOpen(object) && fits(object, categoryOf(object)),
    bench: (objects) => ({
      isTable: objects[0]?.labels.parent?.type === 'table',
      seats: objects.map(candidateOf),
    }),
  };
}

/** Measures from the focal point of the requested zone, else from the drawing's. */
function distanceFor({ plan }: LoadedEvent, { zone }: BestAsk): (object: PlanObject) => number {
  const focalPoint =
    zone === undefined ? null : (plan.zones.find(({ key }) => key === zone)?.focalPoint ?? null);
  return (object) =>
    rankOf(focalPoint ? { ...object, distance: distanceBetween(focalPoint, object.at) } : object);
}

/** Whether the caller asked for objects of this category. */
function fitsFor(
  event: LoadedEvent,
  ask: BestAsk,
): (object: PlanObject, category: string | null) => boolean {
  const names = new Set(ask.categories?.map((name) => name.toLowerCase()));
  const isNamed = ({ key, label }: Category) =>
    ask.categories?.includes(String(key)) || names.has(label.toLowerCase());
  const keys =
    ask.categories && new Set(event.categories.filter(isNamed).map(({ key }) => String(key)));
  const sections = ask.sections && new Set(ask.sections);
  return (object, category) =>
    (ask.zone === undefined || object.zone === ask.zone) &&
    (!sections || (object.section !== undefined && sections.has(object.section))) &&
    (!keys || (category !== null && keys.has(category)));
}

const benchesByPlan = new WeakMap<Plan, PlanObject[][]>();

/** Rows of seats without an aisle, in drawing order; computed once, as plans never change. */
function benchesOf(plan: Plan): PlanObject[][] {
  const known = benchesByPlan.get(plan);
  if (known) return known;
  const benches: PlanObject[][] = [];
  const seated = new Set<PlanObject>();
  // Two seats with one label can make the links a circle, so each seat is used once.
  const follow = (first: PlanObject) => {
    const bench: PlanObject[] = [];
    for (
      let seat: PlanObject | undefined = first;
      seat && !seated.has(seat);
      seat = seat.right === undefined ? undefined : plan.byLabel.get(seat.right)
    ) {
      seated.add(seat);
      bench.push(seat);
    }
    if (bench.length > 0) benches.push(bench);
  };
  const seats = [...plan.byLabel.values()].filter(({ objectType }) => objectType === 'seat');
  for (const seat of seats) if (seat.left === undefined) follow(seat);
  for (const seat of seats) follow(seat);
  benchesByPlan.set(plan, benches);
  return benches;
}

/** The nearest free tables or booths, as many as the caller asked for. */
function findWhole(event: LoadedEvent, judge: Judge, number: number): BestChoice | null {
  const wholes = [...event.plan.byLabel.values()].filter(
    (object) =>
      (object.objectType === 'table' || object.objectType === 'booth') && judge.isWanted(object),
  );
  if (wholes.length < number) return null;
  const chosen = new Set(
    wholes.toSorted((a, b) => judge.distance(a) - judge.distance(b)).slice(0, number),
  );
  return {
    objects: wholes
      .filter((object) => chosen.has(object))
      .map(({ label }) => ({ label, quantity: 1 })),
  };
}

/** The table that leaves the fewest chairs empty; among equals the nearest. */
function findTable(event: LoadedEvent, judge: Judge, number: number): BestChoice | null {
  const chairs = (object: PlanObject) => object.numSeats ?? 0;
  const tables = [...event.plan.byLabel.values()].filter(
    (object) => object.objectType === 'table' && chairs(object) >= number && judge.isWanted(object),
  );
  const [best] = tables.toSorted(
    (a, b) => chairs(a) - chairs(b) || judge.distance(a) - judge.distance(b),
  );
  return best ? { objects: [{ label: best.label, quantity: 1 }] } : null;
}

/** All places in the nearest area that is sold by number and has enough free places. */
function findArea(event: LoadedEvent, judge: Judge, number: number): BestChoice | null {
  const areas = [...event.plan.byLabel.values()].filter(
    (object) => isByPlaces(object) && judge.isWanted(object) && judge.freePlaces(object) >= number,
  );
  const [nearest] = areas.toSorted((a, b) => judge.distance(a) - judge.distance(b));
  return nearest ? { objects: [{ label: nearest.label, quantity: number }] } : null;
}
