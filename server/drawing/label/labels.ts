/**
 * Labels many seats or objects together. The labels are planned first, so that a person sees them
 * before they are written.
 */
import type { Doc, Item, Kind } from '#server/drawing/model/data.ts';
import { EditDraft, applyEdit, type Edit } from '#server/drawing/model/edit.ts';
import {
  labelOf,
  listPlaces,
  shownOf,
  UNLABELED,
  type Place,
} from '#server/drawing/model/places.ts';
import { seatsOf, type Selection } from '#server/drawing/model/selection.ts';
import {
  chosenLines,
  chosenObjects,
  fromLeft,
  joinLines,
  middleIndex,
  ordered,
  orderObjects,
  type Course,
  type RowOrder,
  type Spot,
} from './lines.ts';
import { writeSeries, type Scheme, type SchemeFault } from './scheme.ts';
import { entryAt, entryOf } from '#server/drawing/model/entry.ts';

export interface SeatAsk {
  readonly scheme: Scheme;
  readonly course: Course;
  /** The side of the first, third, fifth … label when counting from the centre. */
  readonly oddSide: 'left' | 'right';
  /** Whether the count at an aisle continues, restarts, or skips a label. */
  readonly aisle: 'continue' | 'restart' | 'skip';
  /** Rows with one label count as one row, across sections. */
  readonly across: boolean;
  /** The count goes on from row to row, from the front; not when counting from the centre. */
  readonly runsOn: boolean;
}

interface ObjectAsk {
  readonly scheme: Scheme;
  readonly kind: Kind;
  readonly order: RowOrder;
  /** The count restarts in each section. */
  readonly perSection: boolean;
}

/** One label that would change; `seat` is null for the object itself. */
interface Naming {
  readonly item: string;
  readonly seat: number | null;
  readonly before: string;
  readonly after: string;
}

export interface Labelling {
  /** Why no labels could be made. */
  readonly fault: SchemeFault | null;
  /** In the order of the count. */
  readonly namings: readonly Naming[];
}

/** The label to which bookings refer, the displayed one, or both. */
export type Target = 'label' | 'displayLabel' | 'both';

type Named = { spot: Spot; label: string }[] | SchemeFault;

function nameInOrder(line: readonly Spot[], { scheme, aisle }: SeatAsk): Named {
  const gaps = line.filter(({ gapAfter }) => gapAfter).length;
  const series = writeSeries(scheme, line.length + (aisle === 'skip' ? gaps : 0));
  if (typeof series === 'string') return series;
  let at = 0;
  return line.map((spot) => {
    const label = entryAt(series, at);
    if (spot.gapAfter && aisle === 'restart') at = 0;
    else at += spot.gapAfter && aisle === 'skip' ? 2 : 1;
    return { spot, label };
  });
}

/** Counts outwards from the middle, as in 5 3 1 | 2 4 6. */
function nameFromCentre(line: readonly Spot[], { scheme, oddSide }: SeatAsk): Named {
  const middle = middleIndex(line, oddSide === 'left');
  const sides = { left: line.slice(0, middle).toReversed(), right: line.slice(middle) };
  const [odd, even] = oddSide === 'left' ? [sides.left, sides.right] : [sides.right, sides.left];
  const series = writeSeries(scheme, 2 * Math.max(odd.length, even.length));
  if (typeof series === 'string') return series;
  return [
    ...odd.map((spot, index) => ({ spot, label: entryAt(series, 2 * index) })),
    ...even.map((spot, index) => ({ spot, label: entryAt(series, 2 * index + 1) })),
  ];
}

function seatLabel(doc: Doc, { item, seat }: Spot, target: Target): string {
  const data = entryAt(seatsOf(doc.items.get(item)), seat);
  return target === 'displayLabel' ? shownOf(data) : labelOf(data);
}

export function planSeats(
  doc: Doc,
  selection: Selection,
  { ask, target = 'both' }: { ask: SeatAsk; target?: Target },
): Labelling {
  const lines = chosenLines(doc, selection);
  const joined = ask.across ? joinLines(doc, lines) : lines;
  const namings: Naming[] = [];
  for (const line of ask.runsOn ? [oneAfterAnother(doc, joined, ask)] : joined) {
    const named =
      ask.course === 'centre'
        ? nameFromCentre(fromLeft(doc, line), ask)
        : nameInOrder(ask.runsOn ? line : inCourse(doc, line, ask), ask);
    if (typeof named === 'string') return { fault: named, namings: [] };
    for (const { spot, label } of named)
      namings.push({
        item: spot.item,
        seat: spot.seat,
        before: seatLabel(doc, spot, target),
        after: label,
      });
  }
  return { fault: null, namings };
}

function inCourse(doc: Doc, line: readonly Spot[], ask: SeatAsk): Spot[] {
  return ask.across ? orderJoined(line, ask) : ordered(doc, line, ask.course);
}

/** All lines as one, from the front; the end of a row is no aisle. */
function oneAfterAnother(doc: Doc, lines: readonly Spot[][], ask: SeatAsk): Spot[] {
  const items = lines.map((line) => entryOf(doc.items, entryAt(line, 0).item));
  const order = orderObjects(doc, [...new Set(items)], 'front').map(({ id }) => id);
  const placeOf = (line: readonly Spot[]) => order.indexOf(entryAt(line, 0).item);
  return lines
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .flatMap((line) => {
      const counted = inCourse(doc, line, ask);
      return counted.map((spot, at) =>
        at === counted.length - 1 ? { ...spot, gapAfter: false } : spot,
      );
    });
}

/** A line of several rows runs from left to right already. */
function orderJoined(line: readonly Spot[], { course }: SeatAsk): Spot[] {
  const isTurned = course === 'right' || course === 'last';
  if (!isTurned) return [...line];
  return line
    .map((spot, index) => ({ ...spot, gapAfter: index > 0 && entryAt(line, index - 1).gapAfter }))
    .toReversed();
}

export function planObjects(
  doc: Doc,
  selection: Selection,
  { ask, target = 'both' }: { ask: ObjectAsk; target?: Target },
): Labelling {
  const items = chosenObjects(doc, selection, ask.kind);
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = ask.perSection ? `${item.floor} ${item.section}` : '';
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const namings: Naming[] = [];
  for (const group of groups.values()) {
    const series = writeSeries(ask.scheme, group.length);
    if (typeof series === 'string') return { fault: series, namings: [] };
    orderObjects(doc, group, ask.order).forEach(({ id, data }, index) => {
      const before = target === 'displayLabel' ? shownOf(data) : labelOf(data);
      namings.push({ item: id, seat: null, before, after: entryAt(series, index) });
    });
  }
  return { fault: null, namings };
}

/**
 * Returns the same object if nothing changes. If only the technical label changes, the displayed
 * one stays.
 */
function named<T extends { label?: string; displayLabel?: string }>(
  data: T,
  label: string,
  target: Target,
): T {
  if (target === 'displayLabel')
    return shownOf(data) === label ? data : { ...data, displayLabel: label };
  const follows = target === 'both';
  if (data.label === label && (!follows || shownOf(data) === label)) return data;
  if (!follows) return { ...data, label, displayLabel: shownOf(data) };
  return { ...data, label, ...(data.displayLabel === undefined ? {} : { displayLabel: label }) };
}

/** Writes the planned labels into the drawing. */
export function relabel(doc: Doc, { namings }: Labelling, target: Target = 'both'): Edit | null {
  const draft = new EditDraft(doc);
  const byItem = new Map<string, Naming[]>();
  for (const naming of namings) {
    const known = byItem.get(naming.item);
    if (known) known.push(naming);
    else byItem.set(naming.item, [naming]);
  }
  let count = 0;
  const renamed = <T extends { label?: string; displayLabel?: string }>(old: T, after: string) => {
    const now = named(old, after, target);
    if (now !== old) count += 1;
    return now;
  };
  for (const [id, list] of byItem) {
    const item = entryOf(doc.items, id);
    const before = count;
    const seats = seatsOf(item).slice();
    let { data } = item;
    for (const { seat, after } of list) {
      if (seat === null) data = renamed(data, after);
      else seats[seat] = renamed(entryAt(seats, seat), after);
    }
    if (count === before) continue;
    draft.put({ ...item, data: seats.length > 0 ? { ...data, seats } : data } as Item);
  }
  return draft.finish('relabel', count);
}

export interface Duplicate {
  readonly label: string;
  readonly places: readonly Place[];
}

/** Labels that several places share, with these places; places without a label are left out. */
function findDuplicates(doc: Doc): Duplicate[] {
  const first = new Map<string, Place>();
  const more = new Map<string, Place[]>();
  for (const place of listPlaces(doc)) {
    const known = first.get(place.label);
    if (!known) first.set(place.label, place);
    else if (place.own !== UNLABELED)
      more.set(place.label, [...(more.get(place.label) ?? [known]), place]);
  }
  return [...more].map(([label, places]) => ({ label, places }));
}

/** The shared labels after the planned labels are written. */
export function duplicatesAfter(doc: Doc, labelling: Labelling, target: Target): Duplicate[] {
  const edit = target === 'displayLabel' ? null : relabel(doc, labelling, target);
  return findDuplicates(edit ? applyEdit(doc, edit) : doc);
}
