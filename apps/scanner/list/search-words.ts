/** Compares typed words with the words of a place: which begin one of them, and which are whole. */
import { foldText } from '#server/domain/text/search.ts';

/** A bit for each typed word that matches, and eight bits higher if a whole word matches. */
export type Bits = number;
const exactShift = 8;
export const mostWords = 8;

export function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

export function matchAmong(own: readonly string[], words: readonly string[]): Bits {
  let bits = 0;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    for (const known of own) {
      if (known.startsWith(word)) bits |= known.length === word.length ? bothBits(i) : 1 << i;
    }
  }
  return bits;
}

/** The bits of a typed word that is a whole word of the place. */
export function bothBits(i: number): Bits {
  return (1 << i) | (1 << (i + exactShift));
}

/** The bits of the first typed words, if they are whole words of the place. */
export function wholeBits(words: number): Bits {
  return ((1 << words) - 1) << exactShift;
}

export function isAll(bits: Bits, words: number): boolean {
  const all = (1 << words) - 1;
  return (bits & all) === all;
}

/** How many typed words are whole words of the place. */
export function countWhole(bits: Bits): number {
  let count = 0;
  for (let left = bits >> exactShift; left > 0; left &= left - 1) count += 1;
  return count;
}
