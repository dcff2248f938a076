/**
 * Judges a whole book: its lines, its signature, whether the reader trusts that key, and whether
 * published heads are in it.
 */
import { endText, fingerprintOf } from './chain.ts';
import { readBook, type ReadBook } from './check.ts';
import { fromBase64url } from './sha256.ts';
import { totalsOf, type BookTotals } from './totals.ts';

/** Null: this browser cannot check such a signature. */
export type CheckSignature = (signed: {
  key: Uint8Array<ArrayBuffer>;
  signature: Uint8Array<ArrayBuffer>;
  text: string;
}) => Promise<boolean | null>;

interface Trust {
  /**
   * The fingerprint of the key that the reader trusts, with any spaces; empty: the reader has
   * none.
   */
  fingerprint: string;
  /** Text with the heads that the reader has seen published or printed. */
  heads: string;
}

/** `elsewhere`: this book has no head of that day, so the head proves nothing about it. */
export interface KnownHead {
  head: string;
  day: string | null;
  found: 'here' | 'differs' | 'elsewhere' | 'missing';
}

export interface Verdict extends ReadBook {
  totals: BookTotals;
  signature: 'good' | 'bad' | 'unchecked';
  /** The fingerprint of the key that signed; null: no key did. */
  fingerprint: string | null;
  key: 'trusted' | 'other' | 'not_compared';
  known: KnownHead[];
  /**
   * True: no faults, a good signature, not another key than the trusted one, and no published
   * head that is missing or differs.
   */
  whole: boolean;
}

export async function judgeBook(
  bytes: Uint8Array,
  trust: Trust,
  check: CheckSignature,
): Promise<Verdict> {
  const book = readBook(bytes);
  const key = book.end && fromBase64url(book.end.key);
  const fingerprint = key ? fingerprintOf(key) : null;
  const signature = await signatureOf(book, check);
  const isTrusted = fingerprint !== null && bare(fingerprint) === bare(trust.fingerprint);
  const compared = isTrusted ? 'trusted' : 'other';
  const known = readHeads(trust.heads).map((told) => findHead(book, told));
  const isDoubtful = known.some(({ found }) => found === 'differs' || found === 'missing');
  const keyFound = bare(trust.fingerprint) === '' ? 'not_compared' : compared;
  return {
    ...book,
    totals: totalsOf(book.rows),
    signature,
    fingerprint,
    key: keyFound,
    known,
    whole: book.faults.length === 0 && signature === 'good' && keyFound !== 'other' && !isDoubtful,
  };
}

async function signatureOf(
  { end }: ReadBook,
  check: CheckSignature,
): Promise<Verdict['signature']> {
  if (end === null) return 'bad';
  const key = fromBase64url(end.key);
  const signature = fromBase64url(end.signature);
  if (key === null || signature === null) return 'bad';
  const answer = await check({ key, signature, text: endText(end) });
  if (answer === null) return 'unchecked';
  return answer ? 'good' : 'bad';
}

function bare(fingerprint: string): string {
  return fingerprint.replace(/[^0-9a-f]/gi, '').toUpperCase();
}

/** Finds each head with the day before it on its line, `2026-11-26` or `26/11/2026`. */
function readHeads(text: string): { head: string; day: string | null }[] {
  return text.split('\n').flatMap((line) => {
    const head = /(?<![\w-])[\w-]{43}(?![\w-])/.exec(line)?.[0];
    if (head === undefined) return [];
    const iso = /\d{4}-\d\d-\d\d/.exec(line.replace(head, ''))?.[0];
    const italian = /(\d\d)\/(\d\d)\/(\d{4})/.exec(line);
    const day = italian && `${italian[3]}-${italian[2]}-${italian[1]}`;
    return [{ head, day: iso ?? day }];
  });
}

function findHead(
  { heads }: ReadBook,
  { head, day }: { head: string; day: string | null },
): KnownHead {
  const isHere = heads.some((known) => known.head === head || known.before === head);
  if (isHere) return { head, day, found: 'here' };
  if (day === null) return { head, day, found: 'missing' };
  const isOfDay = heads.some((known) => known.day === day);
  return { head, day, found: isOfDay ? 'differs' : 'elsewhere' };
}
