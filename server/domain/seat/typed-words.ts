/** Words of typed text and of names, as they are compared when a person types a seat. */
import { foldText } from '#server/domain/text/search.ts';

export interface Word {
  text: string;
  from: number;
  to: number;
}

/** Words of printed names that tell no seat from another. */
const talk = new Set(['fila', 'posto', 'posti', 'settore', 'numero', 'º', 'ª']);

/** Runs of letters and runs of digits, without accents and capitals. */
export function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{M}]+|\p{N}+/gu)].map((found) => ({
    text: foldText(found[0]),
    from: found.index,
    to: found.index + found[0].length,
  }));
}

export function tellingWords(text: string): Word[] {
  return wordsIn(text).filter((word) => !talk.has(word.text));
}

/** The words without their borders, except between two numbers: row 1 seat 11 is not row 11. */
export function joinWords(words: readonly string[]): string {
  return words.reduce(
    (key, word) => key + (/\p{N}$/u.test(key) && isNumber(word) ? ' ' : '') + word,
    '',
  );
}

export function isNumber(word: string): boolean {
  return /^\p{N}+$/u.test(word);
}

const romans = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'];
const ordinals = 'prim second terz quart quint sest settim ottav non decim'.split(' ');

/** The number that a Roman number, an ordinal or digits mean; null: the word is no number. */
function ordinalOf(word: string): number | null {
  if (isNumber(word)) return Number(word);
  const at = Math.max(romans.indexOf(word), ordinals.indexOf(word.replace(/[oaie]$/, '')));
  return at < 0 ? null : at + 1;
}

/** True if the typed word is the name's word, begins it, or is the same number. */
export function meansWord(typed: string, own: string): boolean {
  if (typed === own) return true;
  const number = ordinalOf(typed);
  if (number !== null && number === ordinalOf(own)) return true;
  return typed.length > 1 && !isNumber(typed) && !romans.includes(typed) && own.startsWith(typed);
}
