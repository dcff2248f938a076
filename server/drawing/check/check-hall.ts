/**
 * Finds what is not an error but should be looked at before places are sold; all findings are
 * warnings.
 */
import { ACCESSIBLE, COMPANION, flagsOf } from '#server/drawing/model/flags.ts';
import { listPlaces, type Place } from '#server/drawing/model/places.ts';
import {
  NOTHING_SELECTED,
  seatsOf,
  type Selection,
  selectSeats,
} from '#server/drawing/model/selection.ts';
import { nounOf, whereOf } from '#server/drawing/model/where.ts';
import { pitchOf } from './check-geometry.ts';
import { count, quote, SEATS, type Finding } from './findings.ts';
import type { Doc, Item, SeatData, TableData } from '#server/drawing/model/data.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** A finding with the objects and seats that it is about. */
export interface Pointed extends Finding {
  readonly marks: Selection;
}

const WHOLE = 'Pianta';
/** Seats that are this many usual distances apart do not look like neighbours. */
const FAR = 2.5;

type Warn = (where: string, message: string, marks?: Selection) => void;
type Row = Extract<Item, { kind: 'row' }>;

/** Places for sale without a category, and so without a price. */
export function listUnpainted(doc: Doc): Place[] {
  const known = new Set(doc.categories.map(({ key }) => String(key)));
  return listPlaces(doc).filter(({ category }) => category === null || !known.has(category));
}

function rowsOf(doc: Doc): Row[] {
  return [...doc.items.values()].filter((item): item is Row => item.kind === 'row');
}

/**
 * Seats between two aisles, or alone in their row, without a neighbour. Wheelchair places and
 * companions' seats often stand alone.
 */
function checkLonely(doc: Doc, warn: Warn): void {
  for (const row of rowsOf(doc)) {
    const { seats } = row.data;
    const lonely = seats.flatMap((seat, index) => {
      const isFirst = index === 0 || entryAt(seats, index - 1).x_gapAfter === true;
      const isLast = index === seats.length - 1 || seat.x_gapAfter === true;
      const isSpecial = (flagsOf(seat) & (ACCESSIBLE | COMPANION)) !== 0;
      return isFirst && isLast && !isSpecial ? [index] : [];
    });
    if (lonely.length === 0) continue;
    const names = quote(lonely.map((index) => seats[index]?.label ?? '?'));
    const verb = lonely.length === 1 ? 'senza vicini' : 'senza vicini, uno per volta';
    warn(
      whereOf(doc, row),
      `${count(lonely.length, SEATS)} ${verb}: ${names}`,
      selectSeats(row.id, lonely),
    );
  }
}

/**
 * Warns of seats that are drawn apart but sold as neighbours. Boxes drawn as rows are left out,
 * because their chairs may stand anywhere.
 */
function checkAisles(doc: Doc, warn: Warn): void {
  for (const row of rowsOf(doc)) {
    if (nounOf(row) !== 'fila') continue;
    const { seats } = row.data;
    const pitch = pitchOf(seats);
    const wide = seats.flatMap((seat, index) => {
      const next = seats[index + 1];
      const far = next && Math.hypot(next.x - seat.x, next.y - seat.y) > FAR * pitch;
      return far && seat.x_gapAfter !== true ? [index] : [];
    });
    if (wide.length === 0) continue;
    const [first = 0] = wide;
    const names = `«${seats[first]?.label ?? '?'}» e «${seats[first + 1]?.label ?? '?'}»`;
    const more = wide.length > 1 ? ' e altrove' : '';
    warn(
      whereOf(doc, row),
      `tra ${names}${more} c’è molto spazio: se è un corridoio, segnalo come tale`,
      selectSeats(
        row.id,
        wide.flatMap((index) => [index, index + 1]),
      ),
    );
  }
}

/**
 * Warns of sections without an entrance if others have one; a hall with a single door needs none.
 */
function checkEntrances(doc: Doc, warn: Warn): void {
  const withSeats = new Map<string, boolean>();
  for (const { section, data } of listPlaces(doc)) {
    if (section === null) continue;
    const has = typeof data.entrance === 'string' && data.entrance !== '';
    withSeats.set(section, (withSeats.get(section) ?? true) && has);
  }
  const sections = [...doc.items.values()].filter(({ id }) => withSeats.has(id));
  const without = sections.filter(({ id, data }) => !data.entrance && !withSeats.get(id));
  if (without.length === 0 || without.length === sections.length) return;
  for (const section of without)
    warn(whereOf(doc, section), 'non ha un varco, altri settori sì', {
      items: new Set([section.id]),
      seats: new Map(),
    });
}

/** The number of people for whom there are places; a table sold as one counts all its chairs. */
export function peopleOf(doc: Doc): number {
  return listPlaces(doc).reduce((sum, { sold, capacity, data }) => {
    if (sold === 'table') return sum + Math.max(1, (data as TableData).seats.length);
    return sum + capacity;
  }, 0);
}

function checkCapacity(doc: Doc, warn: Warn): void {
  const licensed = doc.root.x_licensedCapacity;
  if (typeof licensed !== 'number') return;
  const people = peopleOf(doc);
  if (people > licensed)
    warn(WHOLE, `ha ${people} posti, ma la capienza autorizzata è di ${licensed}`);
}

interface Seat {
  item: Item;
  index: number;
  data: SeatData;
  flags: number;
}

function seatsWith(doc: Doc): { all: Map<string, Seat>; special: Seat[] } {
  const all = new Map<string, Seat>();
  const special: Seat[] = [];
  for (const item of doc.items.values())
    seatsOf(item).forEach((data, index) => {
      const seat = { item, index, data, flags: flagsOf(data) };
      if (typeof data.uuid === 'string') all.set(data.uuid, seat);
      if ((seat.flags & (ACCESSIBLE | COMPANION)) !== 0 || data.x_companionOf !== undefined)
        special.push(seat);
    });
  return { all, special };
}

/** True if a neighbour in the row has this mark. */
function isBeside({ item, index }: Seat, flag: number): boolean {
  const seats = seatsOf(item);
  const [left, right] = [seats[index - 1], seats[index + 1]];
  return [left, right].some((seat) => seat !== undefined && (flagsOf(seat) & flag) !== 0);
}

/**
 * Warns of wheelchair places without a companion's seat, either paired or beside them, and of
 * companions' seats without such a place.
 */
function checkCompanions(doc: Doc, warn: Warn): void {
  const { all, special } = seatsWith(doc);
  const paired = new Map<string, Seat[]>();
  const tell = ({ item, index, data }: Seat, message: string) =>
    warn(
      whereOf(doc, item),
      `il posto «${data.label ?? '?'}» ${message}`,
      selectSeats(item.id, [index]),
    );
  for (const seat of special) {
    const wheelchair = seat.data.x_companionOf;
    if (typeof wheelchair !== 'string' || wheelchair === '') continue;
    const place = all.get(wheelchair);
    if (!place) tell(seat, 'accompagna un posto che non c’è più');
    else if ((place.flags & ACCESSIBLE) === 0)
      tell(seat, 'accompagna un posto che non è accessibile');
    else paired.set(wheelchair, [...(paired.get(wheelchair) ?? []), seat]);
  }
  for (const seat of special) {
    const { flags, data } = seat;
    const isPaired = typeof data.uuid === 'string' && paired.has(data.uuid);
    if ((flags & ACCESSIBLE) !== 0 && !isPaired && !isBeside(seat, COMPANION))
      tell(seat, 'è accessibile, ma non ha un posto per chi accompagna');
    else if ((flags & COMPANION) !== 0 && !data.x_companionOf && !isBeside(seat, ACCESSIBLE))
      tell(seat, 'è di chi accompagna, ma non ha accanto un posto accessibile');
  }
}

export function checkHall(doc: Doc): Pointed[] {
  const found: Pointed[] = [];
  const warn: Warn = (where, message, marks = NOTHING_SELECTED) =>
    found.push({ severity: 'warning', where, message, marks });
  checkCapacity(doc, warn);
  checkEntrances(doc, warn);
  checkCompanions(doc, warn);
  checkLonely(doc, warn);
  checkAisles(doc, warn);
  return found;
}
