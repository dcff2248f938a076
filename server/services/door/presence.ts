/** Who is inside, for the office: reads an event's door once whole, then only its changes. */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { NamedAdmission } from '#db/door/admissions.ts';
import { passagesBySeq, placesBySeq, type DoorEventRow, type DoorPlaceRow } from '#db/door/door.ts';
import { findEvent } from '#db/event/events.ts';
import {
  arrivedScans,
  gapsBesideEvent,
  phonesOfEvent,
  type PhoneOfEvent,
} from '#db/door/phones.ts';
import { headSums, peopleToldOf } from '#db/door/heads.ts';
import { isGuestInside, type CountedScan } from '#server/domain/door/admission.ts';
import { sumHeads } from '#server/domain/door/heads.ts';
import { phoneStateOf } from '#server/domain/door/phone.ts';
import {
  gateFigures,
  isSold,
  mostInside,
  reckonQueue,
  sectionOf,
  staleMs,
  type PresenceFigures,
} from '#server/domain/door/presence.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { flushContacts } from './known-phones.ts';
import { doorMemory } from './state.ts';
import { gateFinder } from '#server/domain/door/gate.ts';
import { requireValue } from '#server/domain/require-value.ts';

interface KnownPlace {
  section: string | null;
  category: string;
  gate: string | null;
  sold: boolean;
}
interface KnownScan extends CountedScan {
  revision: number;
  gate: string | null;
  conflict_with: string | null;
}
/** What one place adds to the figures; `passages` lacks second entries and scans taken back. */
interface Standing {
  inside: boolean;
  entered: boolean;
  passages: readonly KnownScan[];
}

/** The data from which an event's figures are counted, up to number `upTo` of its door. */
interface Book {
  epoch: string;
  upTo: number;
  places: Map<string, KnownPlace>;
  scans: Map<string, Map<string, KnownScan>>;
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
    scans: new Map(),
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
async function bookOf(ctx: Ctx, event: DoorEventRow): Promise<Book> {
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
    await yieldToLoop();
  }
  for await (const slice of passagesBySeq(db, event.id, range)) {
    putScans(book, slice);
    await yieldToLoop();
  }
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
  book.sectioned ||= place.section !== null;
  putTickets(book, place, 1);
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

function putScans(book: Book, rows: readonly NamedAdmission[]): void {
  const touched = new Set<string>();
  for (const row of rows) {
    const place = requireValue(row.place, 'place');
    const scans = book.scans.get(place) ?? new Map<string, KnownScan>();
    book.scans.set(place, scans);
    scans.set(row.id, {
      admission_id: row.id,
      revision: requireValue(row.revision, 'revision'),
      direction: row.direction,
      corrected_at: row.corrected_at,
      undone: row.annulled_by !== null,
      gate: row.gate,
      conflict_with: row.conflict_with,
    });
    touched.add(place);
  }
  for (const place of touched) count(book, place);
}

function count(book: Book, place: string): void {
  const scans = [...(book.scans.get(place)?.values() ?? [])];
  const passages = scans.filter(({ undone, conflict_with }) => !undone && conflict_with === null);
  const now: Standing = {
    inside: isGuestInside(scans),
    entered: passages.some(({ direction }) => direction === 'in'),
    passages,
  };
  const before = book.standings.get(place);
  book.standings.set(place, now);
  if (now.inside) book.ticketed.add(place);
  const where = book.places.get(place);
  if (where)
    addTo(book, where, {
      inside: Number(now.inside) - Number(before?.inside ?? false),
      entered: Number(now.entered) - Number(before?.entered ?? false),
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

/** @throws Refusal event_not_found */
export async function presenceOf(ctx: Ctx, event_id: string) {
  await flushContacts(ctx);
  const state = await doorMemory(ctx).events.read(event_id);
  if (state === null) throw new Refusal('event_not_found');
  const book = await bookOf(ctx, state.event);
  const { parts, sectioned, gates, expected, ticketed } = book;
  const now = ctx.now();
  const phones = await phonesHeard(ctx, event_id);
  const unheard = unheardOf(phones);
  const heads = sumHeads(await headSums(ctx.db, event_id));
  const { inside } = parts.all;
  const named = <T>(map: Map<string, T>) =>
    [...map]
      .map(([name, figures]) => ({ name, ...figures }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'it', { numeric: true }));
  return {
    at: now,
    ...parts.all,
    by_section: sectioned ? named(parts.section) : [],
    by_category: named(parts.category),
    by_gate: gateFigures(gates, expected),
    phones: phones.map((phone) => ({
      ...phone,
      phone_id: phone.id,
      queue_length: phone.queue_length === null ? null : phone.waiting,
      stale: phone.unsent > 0 || phone.last_seen_at === null || now - phone.last_seen_at > staleMs,
    })),
    ...unheard,
    heads,
    people: inside + Math.max(0, heads.inside),
    most_people: mostInside({
      inside,
      ticketed: ticketed.size,
      unheard: unheard.unsent + unheard.missing_scans,
      heads: heads.inside,
      unheardHeads: unheard.unsent_heads,
    }),
    licensed: state.event.licensed,
  };
}

/** A phone of the event, and what of its scans has not arrived. */
interface PhoneHeard extends PhoneOfEvent {
  state: ReturnType<typeof phoneStateOf>;
  /** All scans that wait on the phone, of any event. */
  waiting: number;
  /** Those that may let in a guest of this event. */
  unsent: number;
  unsent_heads: number;
  /** Scans that never arrived and may be of this event. */
  missing: number;
}

/**
 * The phones that may still have scans of this event to send. A phone that was taken off the event
 * is one until we hear from it with an empty queue.
 */
async function phonesHeard({ db }: Ctx, event_id: string): Promise<PhoneHeard[]> {
  const phones = await phonesOfEvent(db, event_id);
  const ids = phones.map(({ id }) => id);
  const arrived = await arrivedScans(db, ids);
  const people = await peopleToldOf(db, event_id, ids);
  const reckoned = phones.map((phone) => ({
    phone,
    scans: arrived.get(phone.id) ?? { top: -1, count: 0 },
    ...reckonQueue(phone, arrived.get(phone.id) ?? { top: -1, count: 0 }),
  }));
  const holed = reckoned.flatMap(({ phone, missing }) => (missing > 0 ? [phone.id] : []));
  const gaps = await gapsBesideEvent(db, event_id, holed);
  return reckoned
    .map(({ phone, scans, absent, unsent, missing }): PhoneHeard => {
      const after = Math.max(0, (phone.next_seq ?? 0) - scans.top - 1);
      return {
        ...phone,
        state: phoneStateOf(phone),
        waiting: Math.min(phone.queue_length ?? 0, absent),
        unsent: Math.min(absent, phone.unsent_entries ?? unsent),
        unsent_heads: Math.max(0, (phone.heads_told ?? 0) - (people.get(phone.id) ?? 0)),
        // A phone with this event alone has lost nothing elsewhere.
        missing:
          phone.others === 0 ? missing : Math.min(missing, after + (gaps.get(phone.id) ?? 0)),
      };
    })
    .filter(({ state, unsent, unsent_heads, missing, ended_at, last_seen_at, waiting }) => {
      if (waiting > 0 || unsent > 0 || unsent_heads > 0) return true;
      if (ended_at === null) return state === 'paired' || missing > 0;
      return state === 'paired' && (last_seen_at ?? 0) < ended_at;
    });
}

function unheardOf(phones: readonly PhoneHeard[]) {
  const holed = phones.filter(({ ended_at, missing }) => ended_at === null && missing > 0);
  const sum = (of: (phone: PhoneHeard) => number) =>
    phones.reduce((total, phone) => total + of(phone), 0);
  return {
    unsent: sum(({ unsent }) => unsent),
    unsent_heads: sum(({ unsent_heads }) => unsent_heads),
    missing_scans: holed.reduce((total, { missing }) => total + missing, 0),
    missing_at_most: holed.some(({ others }) => others > 0),
  };
}
