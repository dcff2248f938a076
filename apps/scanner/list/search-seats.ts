/**
 * Reads the name of a seat: which row, box or table it belongs to, and which part of it is the
 * seat's own number. A number that is typed after "palco" is the box's, one after "posto" the
 * seat's.
 */
import { bothBits, matchAmong, wholeBits, wordsOf, type Bits } from './search-words.ts';

/** What the seats whose names begin alike have in common, compared with the typed words. */
export interface Line {
  /** The name of its box or table: "Palchi I ordine, Palco 3"; null: a row, or none. */
  box: string | null;
  /** The typed words that are in the name of the row, box or table. */
  shared: Bits;
  /** Those that are the word "posto", or the seat's name if that is not the number at the end. */
  rest: Bits;
  /** Those that nothing else may match: they are the number of the box or table itself. */
  bound: Bits;
  /** Whether the number at the end is the seat's. */
  isNumbered: boolean;
  /** The row's letter, to which the seat's number may be joined ("a12"); null: it has none. */
  letter: string | null;
}

/** "Platea, fila A" and "posto" of the name's beginning "Platea, fila A, posto ". */
const nameAndSeat = /^(.+), posto (.*)$/su;

/** Reads the beginning of a seat's name; `ofSeat`: words that the rest of the hall cannot match. */
export function readLine(head: string, words: readonly string[], ofSeat: Bits): Line {
  const [, name = head, seat] = nameAndSeat.exec(head) ?? [];
  const own = wordsOf(name);
  const label = wordsOf(name.split(', ').at(-1) ?? '');
  const isRow = label[0] === 'fila';
  const last = own.at(-1) ?? '';
  // Of "3 di 10" at a table that is sold whole, the number at the end is the table's size.
  const [named] = wordsOf(seat ?? '');
  return {
    box: seat === undefined || isRow ? null : name,
    shared: matchAmong(own, words) & ~ofSeat,
    rest: seat === undefined ? 0 : matchAmong(named ? ['posto', named] : ['posto'], words),
    bound: ofLine(label, words),
    isNumbered: named === undefined,
    letter: isRow && /\p{L}$/u.test(last) ? last : null,
  };
}

/** Typed words that only the seat's own number may match: after "posto", or typed again. */
export function wordsOfSeat(words: readonly string[]): Bits {
  let bits = 0;
  for (const [i, word] of words.entries())
    if (words[i - 1] === 'posto' || (isNumber(word) && words.indexOf(word) < i))
      bits |= bothBits(i);
  return bits;
}

/** Typed numbers that follow the line's own word: "palco 3" is not seat 3 of another box. */
function ofLine(label: readonly string[], words: readonly string[]): Bits {
  if (label.length < 2 || !isNumber(label.at(-1) ?? '')) return 0;
  let bits = 0;
  for (const [i, word] of words.entries())
    if (words[i - 1] === label[0] && isNumber(word)) bits |= bothBits(i);
  return bits;
}

function isNumber(word: string): boolean {
  return /^\p{N}+$/u.test(word);
}

/** Whether the last typed word is the very name of the seat, and the others are in its line. */
export function isVerySeat(line: Bits, seat: Bits, words: number): boolean {
  const others = wholeBits(words - 1);
  return (
    words > 1 && (seat & bothBits(words - 1)) === bothBits(words - 1) && (line & others) === others
  );
}

/** "Platea, fila A, posto " and 12; a name without a number at its end has none. */
export function splitSeat(seat: string): { head: string; tail: string } {
  const [tail = ''] = /\d{0,9}$/.exec(seat) ?? [];
  return { head: seat.slice(0, seat.length - tail.length), tail };
}

/** Sorts names as people count: box 3 before box 30, seat 2 before seat 10. */
export function compareSeats(a: string, b: string): number {
  const [others, parts] = [b.split(/(\d+)/), a.split(/(\d+)/)];
  for (const [i, part] of parts.entries()) {
    const other = others[i];
    if (other === undefined) return 1;
    if (part === other) continue;
    const difference = i % 2 === 1 ? Number(part) - Number(other) : 0;
    return difference === 0 ? (part < other ? -1 : 1) : difference;
  }
  return parts.length - others.length;
}
