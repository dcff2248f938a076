/** The scans of an event's door, read once whole and then only its changes: who is inside. */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { NamedAdmission } from '#db/door/admissions.ts';
import { passagesBySeq, placesBySeq, type DoorEventRow, type DoorPlaceRow } from '#db/door/door.ts';
import { findEvent } from '#db/event/events.ts';
import { endedCodesOn } from '#db/seat/ended-codes.ts';
import { guestsOn, type CountedScan } from '#server/domain/door/admission.ts';
import { gateFinder } from '#server/domain/door/gate.ts';
import { isSold, sectionOf, type PresenceFigures } from '#server/domain/door/presence.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';

interface KnownPlace {
  section: string | null;
  category: string;
  gate: string | null;
  sold: boolean;
}
interface KnownScan extends CountedScan {
  revision: number;
  /** Where it was read. */
  place: string;
  /** The ticket, or the code where the ticket is unknown: whoever is inside is inside once. */
  guest: string;
  gate: string | null;
  conflict_with: string | null;
}
/** What one place adds to the figures; `passages` lacks second entries and scans taken back. */
interface Standing {
  inside: number;
  entered: number;
  passages: readonly KnownScan[];
}

/** The data from which an event's figures are counted, up to number `upTo` of its door. */
export interface Book {
  epoch: string;
  upTo: number;
  places: Map<string, KnownPlace>;
  /** Where each ticket is now. */
  tickets: Map<string, string>;
  /** By the place on which they count: the ticket's, else their own. */
  scans: Map<string, Map<string, KnownScan>>;
  /** The place on which each scan was read. */
  read_on: Map<string, string>;
  standings: Map<string, Standing>;
  /** The figures of each section, of each category, and of the whole hall. */
  parts: {
    section: Map<string, PresenceFigures>;
    category: Map<string, PresenceFigures>;
    all: PresenceFigures;
  };
  /** Places whose guest may be inside: those that have or had a ticket, or whose guest is. */
  ticketed: Set<string>;
  /** True: at least one place of the hall has a section. */
  sectioned: boolean;
  gates: Map<string | null, { in: number; out: number }>;
  /**
   * The gate of each ticket, and the number of tickets that each gate expects. When a category
   * gets another gate, the event gets a new epoch and so a new `Book`.
   */
  gateOf: ReturnType<typeof gateFinder>;
  expected: Map<string, number>;
}

async function emptyBook({ db }: Ctx, { id, feed_epoch }: DoorEventRow): Promise<Book> {
  const event = await findEvent(db, id);
  return {
    epoch: feed_epoch,
    upTo: 0,
    places: new Map(),
    tickets: new Map(),
    scans: new Map(),
    read_on: new Map(),
    standings: new Map(),
    parts: {
      section: new Map(),
      category: new Map(),
      all: { inside: 0, entered: 0, sold: 0, places: 0 },
    },
    ticketed: new Set(),
    sectioned: false,
    gates: new Map(),
    gateOf: event ? gateFinder(event) : () => null,
    expected: new Map(),
  };
}

interface Books {
  books: Map<string, Book>;
  reading: Map<string, Promise<Book>>;
}
const booksOf = new WeakMap<Ctx['memory'], Books>();
/** About as many events as one evening has; the book of a large hall takes some ten megabytes. */
const mostBooks = 4;

/** The event's book, read up to its present number; concurrent requests share one reading. */
export async function bookOf(ctx: Ctx, event: DoorEventRow): Promise<Book> {
  const all = booksOf.get(ctx.memory) ?? {
    books: new Map<string, Book>(),
    reading: new Map<string, Promise<Book>>(),
  };
  booksOf.set(ctx.memory, all);
  const known = all.books.get(event.id);
  if (known?.epoch === event.feed_epoch && known.upTo >= event.feed_seq) return known;
  const going = all.reading.get(event.id);
  if (going) return going;
  const reading = readOn(ctx, event, known?.epoch === event.feed_epoch ? known : null)
    .then(
      (book) => {
        all.books.delete(event.id);
        all.books.set(event.id, book);
        if (all.books.size > mostBooks) all.books.delete(all.books.keys().next().value!);
        return book;
      },
      (error: unknown) => {
        // A book whose reading failed midway would be wrong.
        all.books.delete(event.id);
        throw error;
      },
    )
    .finally(() => all.reading.delete(event.id));
  all.reading.set(event.id, reading);
  return reading;
}

async function readOn(ctx: Ctx, event: DoorEventRow, known: Book | null): Promise<Book> {
  const { db } = ctx;
  const book = known ?? (await emptyBook(ctx, event));
  const range = { after: book.upTo, to: event.feed_seq };
  for await (const slice of placesBySeq(db, event.id, { ...range, names: false })) {
    for (const row of slice) putPlace(book, row);
    await placeFormer(ctx, book, { event_id: event.id, slice });
    await yieldToLoop();
  }
  const touched = new Set<string>();
  for await (const slice of passagesBySeq(db, event.id, range)) {
    for (const row of slice) touched.add(putScan(book, row));
    await yieldToLoop();
  }
  // Whom a scan stands against may be in a later slice.
  for (const place of touched) count(book, place);
  book.upTo = event.feed_seq;
  return book;
}

function putPlace(book: Book, row: DoorPlaceRow): void {
  const before = book.places.get(row.place);
  if (before) putTickets(book, before, -1);
  const place = {
    section: row.section,
    category: row.category,
    gate: book.gateOf(row),
    sold: row.state !== null && row.let_go_at === null && isSold(row.state),
  };
  book.places.set(row.place, place);
  if (row.state !== null) book.ticketed.add(row.place);
  if (row.ticket_id !== null) placeTicket(book, row.ticket_id, row.place);
  book.sectioned ||= place.section !== null;
  putTickets(book, place, 1);
}

/** The guest of a ticket whose place another one has now counts there, by any code, too. */
async function placeFormer(
  { db }: Ctx,
  book: Book,
  { event_id, slice }: { event_id: string; slice: readonly DoorPlaceRow[] },
): Promise<void> {
  const places = slice.flatMap(({ place, issued }) => (issued > 1 ? [place] : []));
  for (const { place, ticket_id, is_last } of await endedCodesOn(db, event_id, places))
    if (is_last === 1) placeTicket(book, ticket_id, place);
}

/** The guest of a moved ticket counts on its new place, by whatever code the scans were made. */
function placeTicket(book: Book, ticket_id: string, place: string): void {
  const left = book.tickets.get(ticket_id);
  book.tickets.set(ticket_id, place);
  const scans = left === undefined || left === place ? undefined : book.scans.get(left);
  const own = [...(scans ?? [])].filter(([, { guest }]) => guest === ticket_id);
  if (left === undefined || own.length === 0) return;
  const there = scansOn(book, place);
  for (const [id, scan] of own) {
    scans?.delete(id);
    there.set(id, scan);
  }
  count(book, left);
  count(book, place);
}

function scansOn(book: Book, place: string): Map<string, KnownScan> {
  const scans = book.scans.get(place) ?? new Map<string, KnownScan>();
  book.scans.set(place, scans);
  return scans;
}

function putTickets(book: Book, place: KnownPlace, sign: 1 | -1): void {
  const sold = place.sold ? sign : 0;
  addTo(book, place, { places: sign, sold });
  if (place.gate !== null)
    book.expected.set(place.gate, (book.expected.get(place.gate) ?? 0) + sold);
}

function addTo(
  { parts }: Book,
  { section, category }: KnownPlace,
  more: Partial<PresenceFigures>,
): void {
  const partOf = (map: Map<string, PresenceFigures>, name: string) => {
    const part = map.get(name) ?? { inside: 0, entered: 0, sold: 0, places: 0 };
    map.set(name, part);
    return part;
  };
  for (const part of [
    parts.all,
    partOf(parts.category, category),
    partOf(parts.section, sectionOf({ section, category })),
  ]) {
    for (const [figure, n] of Object.entries(more) as [keyof PresenceFigures, number][])
      part[figure] += n;
  }
}

/** Returns the place on which the scan counts. */
function putScan(book: Book, row: NamedAdmission): string {
  const revision = requireValue(row.revision, 'revision');
  const read = requireValue(row.place, 'place');
  const place = book.tickets.get(row.ticket_id ?? '') ?? read;
  scansOn(book, place).set(row.id, {
    admission_id: row.id,
    revision,
    place: read,
    guest: row.ticket_id ?? `${read}|${revision}`,
    direction: row.direction,
    corrected_at: row.corrected_at,
    undone: row.annulled_by !== null,
    gate: row.gate,
    conflict_with: row.conflict_with,
  });
  book.read_on.set(row.id, read);
  return place;
}

function count(book: Book, place: string): void {
  const scans = [...(book.scans.get(place)?.values() ?? [])];
  const passages = scans.filter(({ undone, conflict_with }) => !undone && conflict_with === null);
  const now: Standing = { ...guestsOn(byGuest(scans), (id) => book.read_on.get(id)), passages };
  const before = book.standings.get(place);
  book.standings.set(place, now);
  if (now.inside > 0) book.ticketed.add(place);
  const where = book.places.get(place);
  if (where)
    addTo(book, where, {
      inside: now.inside - (before?.inside ?? 0),
      entered: now.entered - (before?.entered ?? 0),
    });
  for (const [each, sign] of [
    [before?.passages ?? [], -1],
    [passages, 1],
  ] as const) {
    for (const { gate, direction } of each) {
      const figures = book.gates.get(gate) ?? { in: 0, out: 0 };
      book.gates.set(gate, figures);
      figures[direction] += sign;
    }
  }
}

/** To the rule the scans of one ticket have one number. */
function byGuest(scans: readonly KnownScan[]): KnownScan[] {
  const numbers = new Map<string, number>();
  return scans.map((scan) => {
    const revision = numbers.get(scan.guest) ?? numbers.size;
    numbers.set(scan.guest, revision);
    return { ...scan, revision };
  });
}
