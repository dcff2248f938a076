/**
 * The draw of a waiting room: it gives the people who entered before the opening a random order
 * that any person can compute again (RULES F2).
 */
import { hashText } from '#server/domain/book/sha256.ts';

/**
 * The public part: the hash of the place's secret id, and the nonce of the entrant's browser; no
 * personal data.
 */
export type Entrant = [place_hash: string, nonce: string];

/** All that is published: enough to compute the order again. */
export interface Draw {
  seed_hash: string;
  root: string;
  seed: string;
  /** The public parts of the entrants, in the order of arrival. */ entrants: readonly Entrant[];
}

/** 16 to 32 bytes in base64url: the entrant's part of the randomness. */
export const noncePattern = /^[\w-]{22,43}$/;
/** SHA-256 of a text in UTF-8, as 43 letters of base64url; the server has a faster one. */
type HashText = (text: string) => string;

/** The root fixes the list of entrants; it is published before the seed. */
export function rootOf(entrants: readonly Entrant[], hash: HashText = hashText): string {
  return hash(entrants.map(([place_hash, nonce]) => `${place_hash} ${nonce}\n`).join(''));
}

/** The smallest rank is number 1. All three texts have 43 letters, so they need no separator. */
function rankOf(
  { seed, root }: Pick<Draw, 'seed' | 'root'>,
  place_hash: string,
  hash: HashText = hashText,
): string {
  return hash(`${seed}${root}${place_hash}`);
}

/** Places in the order in which they are called; the first has number 1. */
export function drawOrder(
  { seed, root, entrants }: Pick<Draw, 'seed' | 'root' | 'entrants'>,
  hash: HashText = hashText,
): string[] {
  return entrants
    .map(([place_hash]) => ({ place_hash, rank: rankOf({ seed, root }, place_hash, hash) }))
    .toSorted((a, b) => compareTexts(a.rank, b.rank) || compareTexts(a.place_hash, b.place_hash))
    .map(({ place_hash }) => place_hash);
}

/** Compares by code units, as SQL and other languages do. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export type DrawFault = 'seed' | 'root' | 'twice';

/**
 * What is wrong with a published draw; null: nothing. The reader passes a `seed_hash` and `root`
 * noted before the draw.
 */
export function faultOfDraw({ seed_hash, seed, root, entrants }: Draw): DrawFault | null {
  if (hashText(seed) !== seed_hash) return 'seed';
  if (rootOf(entrants) !== root) return 'root';
  return new Set(entrants.map(([place_hash]) => place_hash)).size === entrants.length
    ? null
    : 'twice';
}
