/** Kinds of columns of a block (domain/door/door-block.ts), which grow by one entry at a time. */
import { nameWords } from '#server/domain/text/search.ts';

/** A column that says nothing of any ticket is omitted. */
export function orNone(column: readonly number[]): readonly number[] {
  return column.some((entry) => entry > 0) ? column : [];
}

/** A column of repeating texts, each stored once; an entry is its position from 1, 0 is null. */
export function repeatedTexts() {
  const known = new Map<string, number>();
  const at: number[] = [];
  return {
    at,
    push(text: string | null) {
      at.push(text === null ? 0 : numberOf(known, text) + 1);
    },
    texts: () => [...known.keys()],
  };
}

function numberOf(known: Map<string, number>, text: string): number {
  const number = known.get(text) ?? known.size;
  known.set(text, number);
  return number;
}

/**
 * A column of texts that begin alike and may end in a number of at most nine digits: "Platea,
 * fila A, posto " + 12.
 */
export function numberedTexts() {
  const known = new Map<string, number>();
  const [head, tail, width]: [number[], number[], number[]] = [[], [], []];
  return {
    head,
    tail,
    width,
    push(text: string) {
      const [digits = ''] = /\d{0,9}$/.exec(text) ?? [];
      head.push(numberOf(known, text.slice(0, text.length - digits.length)));
      tail.push(Number(digits));
      width.push(digits.length);
    },
    heads: () => [...known.keys()],
  };
}

/**
 * A column of texts joined into one; null becomes an empty text, and a column that has only empty
 * texts is omitted.
 */
export function textPool() {
  const lengths: number[] = [];
  const texts: string[] = [];
  return {
    push(text: string | null) {
      lengths.push(text === null ? 0 : Buffer.byteLength(text));
      if (text !== null) texts.push(text);
    },
    lengths: () => orNone(lengths),
    bytes: () => Buffer.from(texts.join('')),
  };
}

/**
 * Fifty thousand names consist of a few thousand words, so each word is stored, folded and
 * searched only once.
 */
export function nameIndex() {
  const known = new Map<string, number>();
  const folded = new Map<string, readonly number[]>();
  const counts: number[] = [];
  const at: number[] = [];
  const fold = (part: string) => {
    const words = nameWords(part).map((word) => numberOf(known, word));
    folded.set(part, words);
    return words;
  };
  return {
    at,
    /** The words of all names of a ticket, each once. */
    push(...names: (string | null)[]) {
      const own = new Set<number>();
      for (const name of new Set(names))
        for (const part of name === null ? [] : name.split(' '))
          for (const word of folded.get(part) ?? fold(part)) own.add(word);
      at.push(...own);
      counts.push(own.size);
    },
    counts: () => orNone(counts),
    texts: () => [...known.keys()],
  };
}
