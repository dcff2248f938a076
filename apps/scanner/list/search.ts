/**
 * Finds a place in the phone's list by the words of its seat; on supervisors' phones also by
 * order number, and by name where the event is nominative.
 */
import { nameWordsOf, placeText, type Block } from '#server/domain/door/door-block.ts';
import { foldText, nameWords } from '#server/domain/text/search.ts';
import { placeIn, standingIn, type DoorList } from './list.ts';
import type { Place } from './image.ts';
import type { Phone } from './memory.ts';

export interface FoundPlace {
  place: string;
  seat: string;
  category: string;
  ticket: Place['ticket'];
  inside: boolean;
  name: string | null;
  order_number: string | null;
}

/** What the search covers: seats alone, also order numbers, or also names. */
export type SearchedBy = 'seats' | 'orders' | 'names';

export function searchedBy({ memory }: Phone, event_id: string): SearchedBy {
  if (memory.device?.role !== 'supervisor') return 'seats';
  return memory.lists.get(event_id)?.image.named ? 'names' : 'orders';
}

export const leastLetters = 2;
/** Names are searched only from this many characters (RULES U2). */
export const leastLettersOfNames = 3;
const mostWords = 8;

/**
 * Finds the places that match all typed words; each word must begin a word of the place: "pl a12"
 * and "platea a 12" find Platea, fila A, posto 12. Whole words come first, then the list's order.
 * There are few texts and many numbers, so each text is compared once and the loop over the
 * places compares numbers: 50,000 places take some milliseconds.
 */
export function search(phone: Phone, event_id: string, text: string, limit = 50): FoundPlace[] {
  const { memory } = phone;
  const list = memory.lists.get(event_id);
  const words = wordsOf(text).slice(0, mostWords);
  const letters = words.join('').length;
  if (!list || !memory.device || letters < leastLetters) return [];
  const knowsNames = memory.device.role === 'supervisor' && letters >= leastLettersOfNames;
  const hits = makeHits(limit);
  searchImage(list, words, { hits, knowsNames });
  for (const [i, place] of [...list.changed.values()].entries()) {
    const bits = matchPlace(place, words, knowsNames);
    if (isAll(bits, words.length)) hits.add(list.image.count + i, bits);
  }
  const late = [...list.changed.keys()];
  return hits
    .best()
    .flatMap((order) =>
      tell(
        list,
        order < list.image.count
          ? placeText(list.image, order)
          : (late[order - list.image.count] ?? ''),
        knowsNames,
      ),
    );
}

/** A bit for each typed word that matches, and eight bits higher if a whole word matches. */
type Bits = number;
const exactShift = 8;

function isAll(bits: Bits, words: number): boolean {
  const all = (1 << words) - 1;
  return (bits & all) === all;
}

/**
 * Collects the best hits, grouped by the number of whole words and in the list's order within a
 * group, so that fifty thousand need not be sorted.
 */
function makeHits(limit: number) {
  const byScore: number[][] = Array.from({ length: mostWords + 1 }, () => []);
  return {
    add(order: number, bits: Bits) {
      const kind = byScore[bitsIn(bits >> exactShift)];
      if (kind && kind.length < limit) kind.push(order);
    },
    best: () => byScore.toReversed().flat().slice(0, limit),
  };
}
type Hits = ReturnType<typeof makeHits>;

/**
 * Compares the words of each row of seats once for all its seats, and each seat number once for
 * all rows. Row and number together ("a12") are compared only where a typed word begins with the
 * row's name.
 */
function searchImage(
  { image, stale }: DoorList,
  words: readonly string[],
  { hits, knowsNames }: { hits: Hits; knowsNames: boolean },
): void {
  const { texts, seat_head, seat_tail, seat_width, section, category, ticket_at, count } = image;
  const heads = texts.seat.map((head) => wordsOf(head));
  const headBits = Int32Array.from(heads, (own) => matchAmong(own, words));
  const rowNames = heads.map((own) => own.at(-2) ?? '');
  const isJoined = Uint8Array.from(rowNames, (name) =>
    name !== '' && words.some((word) => word.length > name.length && word.startsWith(name)) ? 1 : 0,
  );
  // Index 0 means no text.
  const sectionBits = Int32Array.from(['', ...texts.section], (text) =>
    matchAmong(wordsOf(text), words),
  );
  const categoryBits = Int32Array.from(['', ...texts.category], (text) =>
    matchAmong(wordsOf(text), words),
  );
  const tailBits = new Map<number, Bits>();
  const people = knowsNames ? peopleMatcher(image, words) : null;
  for (let row = 0; row < count; row += 1) {
    if (stale[row] === 1) continue;
    const head = seat_head[row] ?? 0;
    let bits =
      (headBits[head] ?? 0) |
      (sectionBits[section[row] ?? 0] ?? 0) |
      (categoryBits[category[row] ?? 0] ?? 0);
    if (seat_width[row] !== 0) {
      const tail = seat_tail[row] ?? 0;
      let number = tailBits.get(tail);
      if (number === undefined) tailBits.set(tail, (number = matchAmong([String(tail)], words)));
      bits |= number;
      if (isJoined[head] === 1) bits |= matchAmong([`${rowNames[head] ?? ''}${tail}`], words);
    }
    const ticket = ticket_at[row] ?? -1;
    if (people !== null && !isAll(bits, words.length) && ticket >= 0) bits |= people(ticket);
    if (isAll(bits, words.length)) hits.add(row, bits);
  }
}

/**
 * Each word of all names is compared only once; order numbers are all different, so their bytes
 * are compared.
 */
function peopleMatcher(image: Block, words: readonly string[]): (ticket: number) => Bits {
  const { name_word, name_word_from, order_number, order_number_from } = image;
  const known = nameWordsOf(image);
  const wordBits = Int32Array.from(known, (word) => matchAmong([word], words));
  const asked = words.map((word) => new TextEncoder().encode(word));
  return (ticket) => {
    let bits = 0;
    const end = name_word_from[ticket + 1] ?? 0;
    for (let i = name_word_from[ticket] ?? end; i < end; i += 1)
      bits |= wordBits[name_word[i] ?? 0] ?? 0;
    const number = {
      from: order_number_from[ticket] ?? 0,
      end: order_number_from[ticket + 1] ?? 0,
    };
    bits |= matchNumber(order_number, number, asked);
    return bits;
  };
}

const dash = 45;

/** "A7K2-9QX4": a typed word may begin either half, or both without the dash. */
function matchNumber(
  bytes: Uint8Array,
  { from, end }: { from: number; end: number },
  asked: readonly Uint8Array[],
): Bits {
  let bits = 0;
  for (let start = from; start < end; start += 1) {
    if (start > from && bytes[start - 1] !== dash) continue;
    for (let word = 0; word < asked.length; word += 1) {
      const wanted = asked[word] ?? bytes;
      let at = start;
      let i = 0;
      for (; i < wanted.length && at < end; at += 1) {
        // The bit that distinguishes capitals from small letters; it is set in digits, too.
        if (bytes[at] === dash) continue;
        if (((bytes[at] ?? 0) | 32) !== wanted[i]) break;
        i += 1;
      }
      if (i === wanted.length)
        bits |= (1 << word) | (at === end || bytes[at] === dash ? 1 << (word + exactShift) : 0);
    }
  }
  return bits;
}

function matchPlace(
  { seat, section, category, ticket }: Place,
  words: readonly string[],
  knowsNames: boolean,
): Bits {
  const seatWords = wordsOf(seat);
  const rowName = seatWords.at(-3);
  const people =
    knowsNames && ticket
      ? [
          ...nameWords(ticket.name ?? ''),
          ...wordsOf(ticket.order_number ?? ''),
          ...wordsOf((ticket.order_number ?? '').replace('-', '')),
        ]
      : [];
  return matchAmong(
    [
      ...seatWords,
      ...(rowName ? [`${rowName}${seatWords.at(-1) ?? ''}`] : []),
      ...wordsOf(section ?? ''),
      ...wordsOf(category),
      ...people,
    ],
    words,
  );
}

function matchAmong(own: readonly string[], words: readonly string[]): Bits {
  let bits = 0;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    for (const known of own) {
      if (known.startsWith(word))
        bits |= known.length === word.length ? (1 << i) | (1 << (i + exactShift)) : 1 << i;
    }
  }
  return bits;
}

function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left &= left - 1) count += 1;
  return count;
}

function tell(list: DoorList, text: string, knowsNames: boolean): FoundPlace[] {
  const found = placeIn(list, text);
  if (!found) return [];
  const { place, seat, category, ticket } = found;
  const last = ticket && standingIn(list, found, { place, revision: ticket.revision }).last;
  const name = knowsNames ? (ticket?.name ?? null) : null;
  const order_number = knowsNames ? (ticket?.order_number ?? null) : null;
  const inside = last?.direction === 'in';
  return [{ place, seat, category, ticket, inside, name, order_number }];
}
