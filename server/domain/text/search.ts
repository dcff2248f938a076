/** Search that ignores accents, apostrophes, capitals, dashes and the order of words. */

import { spellAddress } from './mail-address.ts';

/** Letters that Unicode does not decompose. */
const plain: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/** One spelling for searches: "D’Amico, Nicolò" and "d'amico nicolo" become the same. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđßæœı]/g, (letter) => plain[letter] ?? letter)
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The words by which an order is found, separated by one space: its number whole and in halves, and
 * the buyer's name, mail and telephone. Code that writes one of these fields must write this text,
 * too; the database updates its index by itself.
 */
export function searchTextOf(number: string, ...texts: (string | null)[]): string {
  const known = texts.filter((text) => text !== null);
  const words = [number, ...known].flatMap(nameWords);
  return [
    ...new Set([
      number.replace('-', '').toLowerCase(),
      ...words,
      ...known.flatMap(
        (text) => phoneDigits(text)?.flatMap((digits) => [digits, phoneEnd(digits)]) ?? [],
      ),
    ]),
  ].join(' ');
}

/**
 * The words to search for, each as the beginning of a word; a telephone is one word, whatever its
 * separators.
 */
export function foundBy(q: string): string[] {
  return (phoneDigits(q) ?? foldText(spellAddress(q.trim())).split(notAWord))
    .filter((word) => word !== '')
    .slice(0, 8);
}

/** A telephone's digits as one word, without Italy's 39; null: the text is not a telephone. */
function phoneDigits(text: string): string[] | null {
  if (!/^[\s\d+()./-]+$/.test(text)) return null;
  const digits = withoutItaly(text.replace(/\D/g, ''));
  return digits.length >= 6 ? [digits] : null;
}

function withoutItaly(digits: string): string {
  return digits.replace(/^(?:00)?39(?=\d{6})/, '');
}

/** The digits backwards, so that a search for beginnings finds a telephone by its last digits. */
export function phoneEnd(digits: string): string {
  return `r${[...withoutItaly(digits)].toReversed().join('')}`;
}

/** The words that must all be found, in any order; a dictated number gives two. */
export function searchWords(q: string): string[] {
  return foldText(q)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 8);
}

/** The order number in its written form, however it was typed. */
export function orderNumberIn(q: string): string {
  const letters = q.replace(/[\s#-]/g, '').toUpperCase();
  return `${letters.slice(0, 4)}-${letters.slice(4, 9)}`;
}

const notAWord = /[^\p{L}\p{N}]+/u;

/** The words that find a name: each of its words alone, D'Amico also as one. */
export function nameWords(name: string): string[] {
  const folded = foldText(name);
  const bare = folded
    .split(' ')
    .filter((word) => word.includes("'"))
    .map((word) => word.replaceAll("'", ''));
  return [...folded.split(notAWord), ...bare].filter((word) => word !== '');
}
