/**
 * One event's list in memory: the block, the rows that changed since, and this phone's own scans.
 * Nothing here touches the disk.
 */
import { standingOf, type CountedScan } from '#server/domain/door/admission.ts';
import type { ListedAdmission, ListedPlace } from '#server/domain/door/door-list.ts';
import { isSameCode, type PlaceCode } from '#server/domain/door/moved-code.ts';
import { isSold } from '#server/domain/door/presence.ts';
import type { Block } from '#server/domain/door/door-block.ts';
import { base64urlOf } from '#apps/scanner/kit/base64url.ts';
import {
  findCode,
  placeOf,
  rowOfEarlier,
  rowOfFormer,
  rowOf,
  scansOfRow,
  type Place,
} from './image.ts';
import type { QueuedScan } from '#apps/scanner/kit/store.ts';

/** Rows that the server sent after the block was made. */
export interface ListRows {
  places: readonly ListedPlace[];
  admissions: readonly ListedAdmission[];
}

export function rowsAsBytes({ places, admissions }: ListRows): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify({ places, admissions }));
}

/** A scan that counted, on whichever phone it was made; `at` by the corrected clock, ms. */
export type KnownScan = Omit<ListedAdmission, 'place'>;

/** A scan with the place on which it was read. */
export type ReadScan = KnownScan & { place: string };

export interface DoorList {
  event_id: string;
  generation: number;
  /** The number of parts on the disk that it was read from: the block and the rows after it. */
  parts: number;
  image: Block;
  /** Places new or changed since the block was made; `stale` marks their rows in the block. */
  changed: Map<string, ListedPlace>;
  stale: Uint8Array;
  /** The place and revision of each hash in `changed`. */
  codes: Map<string, { place: string; revision: number }>;
  /** For each earlier code, the place in `changed` whose present or former ticket had it. */
  earlier: Map<string, string>;
  /** Scans that the server sent after the block was made, by place. */
  heard: Map<string, Map<string, KnownScan>>;
  /** Marks the rows that have scans outside the block. */
  touched: Uint8Array;
  /** Places that changed since presence was last counted. */
  dirty: Set<string>;
  own: OwnScans;
}

/** This phone's own rows of one event. */
export interface OwnScans {
  counted: Map<string, QueuedScan[]>;
  /** The highest revision that this phone has read of a place. */
  seen: Map<string, number>;
  annulled: Set<string>;
  /** Scans that let a guest in or out, in the order of their numbers. */
  latest: QueuedScan[];
}

export function emptyOwn(): OwnScans {
  return { counted: new Map(), seen: new Map(), annulled: new Set(), latest: [] };
}

export function openList(
  event_id: string,
  { generation, image, own }: { generation: number; image: Block; own: OwnScans },
): DoorList {
  const list: DoorList = {
    event_id,
    generation,
    parts: 1,
    image,
    changed: new Map(),
    stale: new Uint8Array(image.count),
    codes: new Map(),
    earlier: new Map(),
    heard: new Map(),
    touched: new Uint8Array(image.count),
    dirty: new Set(),
    own,
  };
  for (const place of own.seen.keys()) touchPlace(list, place);
  return list;
}

/** Adds a scan; adding the same scan again changes nothing. */
export function addOwn(own: OwnScans, scan: QueuedScan, list: DoorList | undefined): void {
  if (scan.place === null || scan.revision === null) return;
  own.seen.set(scan.place, Math.max(own.seen.get(scan.place) ?? 0, scan.revision));
  if (scan.annuls !== null) own.annulled.add(scan.annuls);
  if (scan.counts) {
    const scans = own.counted.get(scan.place) ?? [];
    if (scans.some(({ admission_id }) => admission_id === scan.admission_id)) return;
    own.counted.set(scan.place, [...scans, scan]);
    own.latest.push(scan);
  }
  if (list) touch(list, { place: scan.place, revision: scan.revision });
}

/** Applies rows that have changed on the server. */
export function applyRows(list: DoorList, rows: ListRows): void {
  for (const place of rows.places) {
    touchGuests(list, placeIn(list, place.place));
    const row = rowOf(list.image, place.place);
    if (row >= 0) list.stale[row] = 1;
    list.changed.set(place.place, place);
    for (const code of ticketsOn(place).flat()) list.earlier.set(keyOf(code), place.place);
    list.dirty.add(place.place);
    touchGuests(list, place);
    for (const [i, hash] of place.hashes.entries())
      list.codes.set(hash, { place: place.place, revision: i + 1 });
  }
  for (const { place, ...scan } of rows.admissions) {
    const scans = list.heard.get(place) ?? new Map<string, KnownScan>();
    list.heard.set(place, scans.set(scan.admission_id, scan));
    touch(list, { place, revision: scan.revision });
  }
}

/** All rows that were added after the block. */
export function rowsBehind({ changed, heard }: DoorList): ListRows {
  return {
    places: [...changed.values()],
    admissions: [...heard].flatMap(([place, scans]) =>
      [...scans.values()].map((scan) => ({ place, ...scan })),
    ),
  };
}

/** By how much the number of places and tickets grows. */
export function countsWith(
  list: DoorList,
  { places }: ListRows,
): { places: number; tickets: number } {
  const grown = { places: 0, tickets: 0 };
  for (const { place, ticket } of places) {
    const before = placeIn(list, place);
    if (!before) grown.places += 1;
    grown.tickets +=
      (ticket && isSold(ticket.state) ? 1 : 0) -
      (before?.ticket && isSold(before.ticket.state) ? 1 : 0);
  }
  return grown;
}

export function placeIn(list: DoorList, place: string): Place | null {
  const changed = list.changed.get(place);
  if (changed) return changed;
  const row = rowOf(list.image, place);
  return row < 0 ? null : placeOf(list.image, row);
}

export function codeIn(
  list: DoorList,
  hash: Uint8Array,
): { place: string; revision: number } | null {
  const late = list.codes.get(base64urlOf(hash));
  if (late) return late;
  const found = findCode(list.image, hash);
  return found && { place: placeOf(list.image, found.row).place, revision: found.revision };
}

/** Where a code counts: on its own place, or where its ticket has moved to (RULES M4). */
export function presentOf(list: DoorList, read: PlaceCode): PlaceCode {
  const owner = ownerOf(list, read);
  const ticket = owner?.ticket;
  return ticket?.moved_from.some((code) => isSameCode(code, read))
    ? { place: owner!.place, revision: ticket.revision }
    : read;
}

/** The place of the ticket that has this code, or had it before; null: of none that is known. */
export function ownerOf(list: DoorList, code: PlaceCode): Place | null {
  if (revisionOn(list, code.place) === code.revision) return placeIn(list, code.place);
  const late = list.changed.get(list.earlier.get(keyOf(code)) ?? '');
  if (late && hasHad(late, code)) return late;
  const { image, stale } = list;
  const row = rowOfEarlier(image, rowOf(image, code.place), code.revision);
  return row >= 0 && stale[row] === 0 ? placeOf(image, row) : null;
}

/** The present revision of a place's ticket, without unpacking the place. */
function revisionOn({ changed, image }: DoorList, place: string): number | undefined {
  const late = changed.get(place);
  if (late) return late.ticket?.revision;
  const row = rowOf(image, place);
  return row < 0 ? undefined : image.revision[image.ticket_at[row] ?? -1];
}

/** Every code that the ticket of this place has or had. */
export function codesOfTicket({ place, ticket }: Pick<Place, 'place' | 'ticket'>): PlaceCode[] {
  if (!ticket) return [];
  const { revision, moved_from, was = [] } = ticket;
  return [{ place, revision }, ...moved_from, ...was];
}

type Guests = Pick<Place, 'place' | 'ticket' | 'ended'>;

/** The codes of each ticket whose guest counts on this place, the last one first. */
export function ticketsOn(place: Guests): PlaceCode[][] {
  const former = formerOn(place);
  return place.ticket ? [codesOfTicket(place), ...former] : former;
}

/** The codes of earlier tickets of this place, the last one first; of those that had several. */
function formerOn({ place, ended = [] }: Guests): PlaceCode[][] {
  return ended.flatMap(({ revision, was }) => (was ? [[{ place, revision }, ...was]] : []));
}

/** The codes of an earlier ticket that had this one, the last one first; null: of none known. */
export function formerCodes(list: DoorList, code: PlaceCode): PlaceCode[] | null {
  const { changed, earlier, image, stale } = list;
  const row = rowOfFormer(image, rowOf(image, code.place), code.revision);
  const places = [
    placeIn(list, code.place),
    changed.get(earlier.get(keyOf(code)) ?? ''),
    row >= 0 && stale[row] === 0 ? placeOf(image, row) : null,
  ];
  const known = places.flatMap((place) => (place ? formerOn(place) : []));
  return known.find((codes) => codes.some((one) => isSameCode(one, code))) ?? null;
}

function hasHad(place: Place, code: PlaceCode): boolean {
  return codesOfTicket(place).some((one) => isSameCode(one, code));
}

function keyOf({ place, revision }: PlaceCode): string {
  return `${place}|${revision}`;
}

/** Every counted scan of a place that the server has sent. */
export function toldScans(list: DoorList, place: string): Map<string, KnownScan> {
  const scans = new Map<string, KnownScan>();
  const row = rowOf(list.image, place);
  if (row >= 0)
    for (const { place: _, ...scan } of scansOfRow(list.image, row))
      scans.set(scan.admission_id, scan);
  for (const scan of list.heard.get(place)?.values() ?? []) scans.set(scan.admission_id, scan);
  return scans;
}

/** Every counted scan of a place: sent by the server, or made here. */
export function scansIn(list: DoorList, place: string): KnownScan[] {
  const scans = toldScans(list, place);
  for (const scan of list.own.counted.get(place) ?? []) {
    if (!scans.has(scan.admission_id)) scans.set(scan.admission_id, ownScan(scan));
  }
  for (const [id, scan] of scans)
    if (!scan.undone && list.own.annulled.has(id)) scans.set(id, { ...scan, undone: true });
  return [...scans.values()];
}

/** The scans of the ticket that has or had this code, by whatever code they were made. */
export function scansOfGuest(list: DoorList, owner: Place | null, code: PlaceCode): ReadScan[] {
  const isOwn = owner !== null && hasHad(owner, code);
  return scansBy(list, isOwn ? codesOfTicket(owner) : (formerCodes(list, code) ?? [code]));
}

/** The scans that were made with these codes. */
export function scansBy(list: DoorList, codes: readonly PlaceCode[]): ReadScan[] {
  return codes.flatMap(({ place, revision }) =>
    scansIn(list, place)
      .filter((scan) => scan.revision === revision)
      .map((scan) => ({ ...scan, place })),
  );
}

/** Whether the ticket's guest is inside, also by a code that it had before. */
export function standingIn(
  list: DoorList,
  owner: Place | null,
  code: PlaceCode,
): { last: KnownScan | null; first: KnownScan | null } {
  const { revision } = code;
  return standingOf(
    scansOfGuest(list, owner, code).map(
      // To the rule they are scans of one ticket.
      (scan): KnownScan & CountedScan => ({ ...scan, revision, corrected_at: scan.at }),
    ),
  );
}

/** The newest revision that was issued or seen at a door, as far as this phone knows. */
export function newestOf(
  list: DoorList,
  place: Place | null,
  scans: readonly KnownScan[],
  text: string,
): number {
  return Math.max(
    place?.issued ?? 0,
    list.own.seen.get(text) ?? 0,
    ...scans.map(({ revision }) => revision),
  );
}

function ownScan(scan: QueuedScan): KnownScan {
  return {
    admission_id: scan.admission_id,
    revision: scan.revision ?? 0,
    direction: scan.direction,
    at: scan.corrected_at,
    gate: scan.gate,
    phone_id: scan.phone_id,
    by: '',
    conflict_with: null,
    undone: false,
  };
}

/**
 * A scan changes its own place, and those of the guests whom it let in or out or who stand against
 * it.
 */
function touch(list: DoorList, code: PlaceCode): void {
  const { place } = code;
  touchPlace(list, place);
  touchOwner(list, code);
  for (const { conflict_with, revision } of scansIn(list, place))
    if (conflict_with !== null) touchOwner(list, { place, revision });
}

function touchOwner(list: DoorList, code: PlaceCode): void {
  if (revisionOn(list, code.place) === code.revision) return;
  const present = ownerOf(list, code)?.place ?? formerCodes(list, code)?.[0]?.place;
  if (present !== undefined && present !== code.place) touchPlace(list, present);
}

/** The guests of a place may have scans on other places. */
function touchGuests(list: DoorList, place: Place | null): void {
  if (place) for (const code of ticketsOn(place).flat()) touchPlace(list, code.place);
}

function touchPlace(list: DoorList, place: string): void {
  const row = rowOf(list.image, place);
  if (row >= 0) list.touched[row] = 1;
  list.dirty.add(place);
}
