/**
 * Finds places in the phone's list by the words of their seats; on supervisors' phones also by
 * order number, and by name where the event or the office allows it.
 */
import { placeText, type Block } from '#server/domain/door/door-block.ts';
import { listedStates } from '#server/domain/door/admission.ts';
import { isSold } from '#server/domain/door/presence.ts';
import { placeIn, standingIn, type DoorList } from './list.ts';
import type { Place } from './image.ts';
import type { Phone } from './memory.ts';
import { makeHits, type BoxHit, type Hits, type Sold } from './search-hits.ts';
import { matchPeople, peopleMatcher } from './search-people.ts';
import { compareSeats, isVerySeat, readLine, splitSeat, wordsOfSeat } from './search-seats.ts';
import { isAll, matchAmong, mostWords, wordsOf, type Bits } from './search-words.ts';

export interface FoundPlace extends Pick<
  Place,
  'place' | 'seat' | 'category' | 'ticket' | 'marks'
> {
  inside: boolean;
  name: string | null;
  /** Who bought the ticket, where this phone may find guests by it. */
  buyer: string | null;
  order_number: string | null;
}

/** A box or table that was found as one; of its seats the sold ones come first. */
export interface FoundBox {
  /** Its name: "Palchi I ordine, Palco 3". */
  seat: string;
  seats: FoundPlace[];
}

export type Found = FoundPlace | FoundBox;

/**
 * What the search covers: seats alone, also buyers' names, also order numbers, or order numbers
 * and names.
 */
export type SearchedBy = 'seats' | 'buyers' | 'orders' | 'names';

export function searchedBy({ memory }: Phone, event_id: string): SearchedBy {
  const { named = false, buyers = false } = memory.lists.get(event_id)?.image ?? {};
  if (memory.device?.role !== 'supervisor') return buyers ? 'buyers' : 'seats';
  return named || buyers ? 'names' : 'orders';
}

export const leastLetters = 2;
/** Names are searched only from this many characters (RULES U2). */
export const leastLettersOfNames = 3;

/** The typed words, and how much of the people this phone may be told. */
interface Question {
  words: readonly string[];
  /** Words that only a seat's own number may match. */
  ofSeat: Bits;
  knowsPeople: boolean;
  isSupervisor: boolean;
}

/**
 * Finds the places that match all typed words; each word must begin a word of the place: "pl a12"
 * and "platea a 12" find Platea, fila A, posto 12. RULES A18 says what comes first, and which
 * seats are one result.
 */
export function search(phone: Phone, event_id: string, text: string, limit = 50): Found[] {
  const { memory } = phone;
  const list = memory.lists.get(event_id);
  const words = wordsOf(text).slice(0, mostWords);
  const letters = words.join('').length;
  if (!list || !memory.device || letters < leastLetters) return [];
  const isSupervisor = memory.device.role === 'supervisor';
  const question: Question = {
    words,
    ofSeat: wordsOfSeat(words),
    isSupervisor,
    knowsPeople: letters >= leastLettersOfNames && (isSupervisor || list.image.buyers),
  };
  const hits = makeHits(limit, words.length);
  searchImage(list, question, hits);
  const late = [...list.changed.values()];
  for (const [i, place] of late.entries())
    searchLate(place, question, { hits, order: list.image.count + i });
  const placeAt = (order: number) =>
    order < list.image.count
      ? placeText(list.image, order)
      : (late[order - list.image.count]?.place ?? '');
  return hits
    .best(placeAt)
    .flatMap((hit): Found[] =>
      typeof hit === 'number'
        ? tell(list, placeAt(hit), question)
        : [tellBox(list, hit, { question, placeAt })],
    );
}

/**
 * There are few texts and many numbers, so each text is compared once and the loop over the places
 * compares numbers: 50,000 places take some milliseconds. Row and number together ("a12") are
 * compared only where a typed word begins with the row's name.
 */
function searchImage({ image, stale }: DoorList, question: Question, hits: Hits): void {
  const { words, ofSeat } = question;
  const { texts, seat_head, seat_tail, seat_width, ticket_at, state, count } = image;
  const lines = texts.seat.map((head) => readLine(head, words, ofSeat));
  const isJoined = lines.map(
    ({ letter }) => letter !== null && words.some((word) => isLonger(word, letter)),
  );
  const partOf = partMatcher(image, question);
  const soldOf = Uint8Array.from(listedStates, (one) => (isSold(one) ? 2 : 1));
  const tailBits = new Map<number, Bits>();
  const people = question.knowsPeople ? peopleMatcher(image, words) : null;
  for (let order = 0; order < count; order += 1) {
    const head = seat_head[order] ?? 0;
    const line = lines[head];
    if (stale[order] === 1 || line === undefined) continue;
    const ticket = ticket_at[order] ?? -1;
    const sold = (ticket < 0 ? 0 : (soldOf[state[ticket] ?? 0] ?? 1)) as Sold;
    const shared = line.shared | partOf(order);
    if (line.box !== null && isAll(shared, words.length)) {
      hits.addOfBox(line.box, { order, bits: shared, very: false, sold });
      continue;
    }
    let seat = line.rest;
    if (seat_width[order] !== 0) {
      const tail = seat_tail[order] ?? 0;
      let number = tailBits.get(tail);
      if (number === undefined) tailBits.set(tail, (number = matchAmong([String(tail)], words)));
      if (line.isNumbered) seat |= number & ~line.bound;
      if (isJoined[head] === true) seat |= matchAmong([`${line.letter ?? ''}${tail}`], words);
    }
    let bits = shared | seat;
    if (people !== null && ticket >= 0 && !isAll(bits, words.length))
      bits |= people(ticket) & ~(line.bound | ofSeat);
    if (isAll(bits, words.length))
      hits.add({ order, bits, very: isVerySeat(shared, seat, words.length), sold });
  }
}

function isLonger(word: string, beginning: string): boolean {
  return word.length > beginning.length && word.startsWith(beginning);
}

/** What a place's section and category have of the typed words; the number 0 means no text. */
function partMatcher({ texts, section, category }: Block, { words, ofSeat }: Question) {
  const bitsOf = (known: readonly string[]) =>
    Int32Array.from(['', ...known], (text) => matchAmong(wordsOf(text), words) & ~ofSeat);
  const [sections, categories] = [bitsOf(texts.section), bitsOf(texts.category)];
  return (order: number) =>
    (sections[section[order] ?? 0] ?? 0) | (categories[category[order] ?? 0] ?? 0);
}

/** The same for a place that has changed since the block was made. */
function searchLate(
  { seat: name, section, category, ticket }: Place,
  { words, ofSeat, knowsPeople }: Question,
  { hits, order }: { hits: Hits; order: number },
): void {
  const { head, tail } = splitSeat(name);
  const line = readLine(head, words, ofSeat);
  const parts = matchAmong([...wordsOf(section ?? ''), ...wordsOf(category)], words) & ~ofSeat;
  const shared = line.shared | parts;
  const sold: Sold = ticket === null ? 0 : isSold(ticket.state) ? 2 : 1;
  if (line.box !== null && isAll(shared, words.length)) {
    hits.addOfBox(line.box, { order, bits: shared, very: false, sold });
    return;
  }
  let seat = line.rest;
  if (tail !== '') {
    const number = String(Number(tail));
    if (line.isNumbered) seat |= matchAmong([number], words) & ~line.bound;
    if (line.letter !== null) seat |= matchAmong([`${line.letter}${number}`], words);
  }
  let bits = shared | seat;
  if (knowsPeople && ticket && !isAll(bits, words.length))
    bits |= matchPeople(ticket, words) & ~(line.bound | ofSeat);
  if (isAll(bits, words.length))
    hits.add({ order, bits, very: isVerySeat(shared, seat, words.length), sold });
}

function tell(list: DoorList, text: string, { knowsPeople, isSupervisor }: Question): FoundPlace[] {
  const found = placeIn(list, text);
  if (!found) return [];
  const { place, seat, category, ticket, marks } = found;
  const last = ticket && standingIn(list, found, { place, revision: ticket.revision }).last;
  return [
    {
      place,
      seat,
      category,
      ticket,
      ...(marks && { marks }),
      inside: last?.direction === 'in',
      name: knowsPeople && isSupervisor ? (ticket?.name ?? null) : null,
      buyer: knowsPeople ? (ticket?.buyer ?? null) : null,
      order_number: knowsPeople && isSupervisor ? (ticket?.order_number ?? null) : null,
    },
  ];
}

function tellBox(
  list: DoorList,
  { box, orders }: BoxHit,
  { question, placeAt }: { question: Question; placeAt: (order: number) => string },
): FoundBox {
  const seats = orders.flatMap((order) => tell(list, placeAt(order), question));
  const soldOf = ({ ticket }: FoundPlace) => Number(ticket !== null && isSold(ticket.state));
  seats.sort((a, b) => soldOf(b) - soldOf(a) || compareSeats(a.seat, b.seat));
  return { seat: box, seats };
}
