/**
 * Reads seats as a person types or copies them: "a12 a13", "A12-15", "II ordine, Palco 3, posto 2".
 * A name as it is printed is always read back as its seat.
 */
import { foldText } from '#server/domain/text/search.ts';
import {
  indexOfSeats,
  isObject,
  printedName,
  sectorsCalled,
  type NamedSeat,
  type SeatIndex,
} from './typed-index.ts';
import { isNumber, joinWords, tellingWords, type Word } from './typed-words.ts';

interface Doubtful {
  text: string;
  among: readonly NamedSeat[];
}

/**
 * `unknown`: no seat has this name; `doubtful`: several have; `unfinished`: a sector without a
 * seat.
 */
export interface TypedSeats {
  objects: string[];
  unknown: string[];
  doubtful: Doubtful[];
  unfinished: string[];
}

/** A text, how far it is read, and what the words read so far mean for the next ones. */
interface Reading {
  text: string;
  words: readonly Word[];
  index: SeatIndex;
  at: number;
  /** The sections in which the next seats are looked for; null: all. */
  sections: readonly string[] | null;
  /** The words of a sector whose seat is not read yet. */
  open: readonly Word[];
  /** The last seat, whose row goes on with a number alone. */
  last: NamedSeat | null;
  /** Words that mean nothing so far. */
  lost: Word[];
  result: TypedSeats;
}

interface Match {
  length: number;
  seats: readonly NamedSeat[];
}

/** What a printed name says after a whole object or a standing area. */
const tail =
  '(?:posto unico|(?:posto )?\\d+ di \\d+(?: posti)?|(?:intero|tutta la zona)(?:: (?:\\d+ di )?\\d+ post[io])?)';
const tailOfObject = new RegExp(`^[\\s,]+${tail}`, 'i');
const tailAtEnd = new RegExp(`(?:, | )${tail}$`, 'i');

export function readTypedSeats(text: string, seats: readonly NamedSeat[]): TypedSeats {
  const result: TypedSeats = { objects: [], unknown: [], doubtful: [], unfinished: [] };
  const index = indexOfSeats(seats);
  const printed = printedAs(text.trim(), index);
  if (printed !== null) return { ...result, objects: [printed.object] };
  const words = tellingWords(text).map((word) => ({ ...word, text: wholeLead(word.text, index) }));
  const start = { at: 0, sections: null, open: [], last: null, lost: [] };
  const reading: Reading = { text, words, index, ...start, result };
  while (reading.at < words.length) readNext(reading);
  forgetLost(reading);
  if (reading.open.length > 0) result.unfinished.push(nameOf(reading, reading.open));
  if (words.length === 0 && text.trim() !== '') result.unknown.push(text.trim());
  result.objects = [...new Set(result.objects)];
  return result;
}

/**
 * The one seat that is printed so, letter by letter if several differ only in accents; a whole
 * object also by the name of one of its places.
 */
function printedAs(text: string, index: SeatIndex): NamedSeat | null {
  const seat = onlyOne(text, index);
  const name = text.replace(tailAtEnd, '');
  if (seat !== null || name === text) return seat;
  const object = onlyOne(name, index);
  return object !== null && isObject(object) ? object : null;
}

function onlyOne(text: string, { printed }: SeatIndex): NamedSeat | null {
  const alike = printed.get(foldText(text)) ?? [];
  const same = alike.filter((seat) => printedName(seat) === text);
  return (alike.length === 1 ? alike[0] : same.length === 1 ? same[0] : null) ?? null;
}

/** "tav" for "tavolo", where no other word before names begins so. */
function wholeLead(word: string, { leads }: SeatIndex): string {
  const longer = [...leads].filter((lead) => word.length > 2 && lead.startsWith(word));
  return leads.has(word) || longer.length !== 1 ? word : (longer[0] ?? word);
}

function readNext(reading: Reading): void {
  const seat = longestSeat(reading);
  const sector = longestSector(reading);
  if (sector !== null && sector.length > (seat?.length ?? 0)) return openSector(reading, sector);
  if (seat !== null) return takeSeat(reading, seat);
  const word = reading.words[reading.at];
  const before = reading.words[reading.at - 1];
  // After a number a new name begins.
  if (before !== undefined && isNumber(before.text) && word !== undefined && !isNumber(word.text))
    forgetLost(reading);
  if (word !== undefined) reading.lost.push(...reading.open, word);
  reading.open = [];
  reading.at += 1;
}

function textsFrom({ words, at }: Reading, length: number): string[] {
  return words.slice(at, at + length).map(({ text }) => text);
}

function longestSeat(reading: Reading): Match | null {
  const { index, words, at } = reading;
  const most = Math.min(index.longest, words.length - at);
  for (let length = most; length > 0; length -= 1) {
    const seats = seatsCalled(reading, textsFrom(reading, length));
    const inRow = length === 1 ? seatInRow(reading, words[at]?.text ?? '') : [];
    if (inRow.length > 0) return { length, seats: inRow };
    if (seats.length > 0) return { length, seats };
  }
  return null;
}

/** Seats of the sector that was typed before; a seat without a section has none to type. */
function seatsCalled({ index, sections, open }: Reading, words: readonly string[]): NamedSeat[] {
  const key = joinWords(words);
  const full = index.full.get(key) ?? [];
  const short = index.short.get(key) ?? [];
  if (sections === null) return [...new Set([...full, ...short])];
  const inside = short.filter(({ section }) => section !== null && sections.includes(section));
  const whole = full.filter(({ section }) => section !== null);
  const found = [...new Set([...whole, ...inside])];
  return found.length > 0 || open.length > 0 ? found : full;
}

/** "a12 13" are two seats of one row. */
function seatInRow({ last, index }: Reading, seat: string): NamedSeat[] {
  if (last === null || last.row === null || !isNumber(seat)) return [];
  const row = tellingWords(last.row).map(({ text }) => text);
  const mates = index.short.get(joinWords([...row, seat])) ?? [];
  return mates.filter((mate) => mate.section === last.section && mate.row === last.row);
}

function longestSector(reading: Reading): { length: number; sections: string[] } | null {
  const { index, words, at } = reading;
  const most = Math.max(1, ...index.sections.map((sector) => sector.words.length));
  for (let length = Math.min(most, words.length - at); length > 0; length -= 1) {
    const sections = sectorsCalled(textsFrom(reading, length), index.sections);
    if (sections.length > 0) return { length, sections };
  }
  return null;
}

function openSector(
  reading: Reading,
  { length, sections }: { length: number; sections: string[] },
) {
  forgetLost(reading);
  reading.open = reading.words.slice(reading.at, reading.at + length);
  reading.sections = sections;
  reading.last = null;
  reading.at += length;
}

function takeSeat(reading: Reading, { length, seats }: Match): void {
  const { words, at } = reading;
  const own = words.slice(at, at + length);
  const isLost = isUnknownWord(reading.lost);
  reading.open = [];
  reading.at += length;
  if (isLost) {
    // A seat after an unknown word is not this seat: "galeria b3" is no seat of the stalls.
    reading.lost.push(...own);
    return forgetLost(reading);
  }
  forgetLost(reading);
  const [first] = seats;
  const texts = own.map(({ text }) => text);
  if (first && seats.length === 1) reading.sections = sectionsAfter(reading, texts, first);
  addSeat(reading, nameOf(reading, own), seats);
  addRange(reading, texts);
  if (first && isObject(first)) skipTail(reading);
}

/** A seat that was typed with its section is followed by seats of that section. */
function sectionsAfter({ index, sections }: Reading, texts: readonly string[], seat: NamedSeat) {
  const isFull = seat.section !== null && index.full.get(joinWords(texts))?.includes(seat);
  return isFull ? [seat.section ?? ''] : sections;
}

const longestRange = 50;

/** "a12-15" and "a12-a15" are four seats. */
function addRange(reading: Reading, typed: readonly string[]): void {
  const before = typed.slice(0, -1);
  const from = Number(typed.at(-1));
  const to = rangeEnd(reading, before);
  if (to === null) return;
  if (to <= from || to - from >= longestRange)
    reading.result.unknown.push(`${typed.join('')}-${to}`.toUpperCase());
  else
    for (let number = from + 1; number <= to; number += 1) {
      const words = [...before, String(number)];
      const seats =
        before.length > 0 ? seatsCalled(reading, words) : seatInRow(reading, String(number));
      addSeat(reading, words.join(''), seats);
    }
}

/** The number after a dash, perhaps with what stands before the first number said again. */
function rangeEnd(reading: Reading, before: readonly string[]): number | null {
  const { words, at, text } = reading;
  const [start, next] = [words[at - 1], words[at]];
  if (!start || !next || !isNumber(start.text)) return null;
  if (!/^\s?[-–]\s?$/.test(text.slice(start.to, next.from))) return null;
  const isAgain = (length: number) =>
    joinWords(textsFrom(reading, length)) === joinWords(before.slice(-length));
  const lengths = before.map((_, nth) => before.length - nth);
  const skipped = lengths.find(isAgain) ?? 0;
  const end = words[at + skipped];
  if (end === undefined || !isNumber(end.text)) return null;
  reading.at += skipped + 1;
  return Number(end.text);
}

function addSeat(reading: Reading, typed: string, seats: readonly NamedSeat[]): void {
  const [found, ...others] = seats;
  const { result } = reading;
  const text = typed.toUpperCase();
  reading.last = found !== undefined && others.length === 0 ? found : null;
  if (found === undefined) result.unknown.push(text);
  else if (others.length > 0) result.doubtful.push({ text, among: seats });
  else result.objects.push(found.object);
}

function skipTail(reading: Reading): void {
  const { text, words } = reading;
  const end = words[reading.at - 1]?.to ?? 0;
  const said = tailOfObject.exec(text.slice(end))?.[0] ?? '';
  while ((words[reading.at]?.from ?? Infinity) < end + said.length) reading.at += 1;
}

/** True if a word of a name is waiting for its number. */
function isUnknownWord(lost: readonly Word[]): boolean {
  const isWord = ({ text }: Word) => text.length > 2 && !isNumber(text);
  return lost.some(isWord) && !isNumber(lost.at(-1)?.text ?? '');
}

function nameOf({ text }: Reading, words: readonly Word[]): string {
  return text.slice(words[0]?.from, words.at(-1)?.to).toUpperCase();
}

/** Words that meant nothing become one unknown name; "e" only joins two seats. */
function forgetLost(reading: Reading): void {
  const name = reading.lost.length > 0 ? nameOf(reading, reading.lost) : '';
  if (name !== '' && !/^ED?$/.test(name)) reading.result.unknown.push(name);
  reading.lost = [];
}
