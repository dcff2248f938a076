/**
 * How a book is written line by line, each line chained by its hash to the one before
 * (.github/decisions/2026-11-26-the-book.md).
 */
import { addressKey } from '#server/domain/text/mail-address.ts';
import { hashText, sha256, toBase64url } from './sha256.ts';
import { bookFormat, type BookHeader, type BookRow } from './rows.ts';

/**
 * The text around a row's hash (43 letters) and around its JSON; nothing else is allowed there.
 */
export const frame = { open: '{"hash":"', between: '","row":', close: '}' } as const;
export const hashLength = 43;

/** The first line of a book, without its line end. */
export function headerLine({ book, opened }: Omit<BookHeader, 'format'>): string {
  return JSON.stringify({ format: bookFormat, book, opened } satisfies BookHeader);
}

/** The hash before the first row, with which the chain of a book begins. */
export function startOf(header: string): string {
  return hashText(header);
}

interface Chained {
  /** The row as JSON. */
  text: string;
  hash: string;
}

export function chain(before: string, row: BookRow): Chained {
  const text = JSON.stringify(row);
  return { text, hash: hashText(`${before} ${text}`) };
}

export function rowLine({ hash, text }: Chained): string {
  return `${frame.open}${hash}${frame.between}${text}${frame.close}`;
}

/** The last line: the number and hash of the last row, and the house's signature. */
export interface BookEnd {
  rows: number;
  head: string;
  /** The house's public key (32 bytes) and its signature of endText() (64 bytes), base64url. */
  key: string;
  signature: string;
}

export function endLine({ rows, head, key, signature }: BookEnd): string {
  return JSON.stringify({ rows, head, key, signature } satisfies BookEnd);
}

/** The text that the house signs. */
export function endText({ rows, head }: Pick<BookEnd, 'rows' | 'head'>): string {
  return `${bookFormat} ${rows} ${head}`;
}

/** SHA-256 of a public key for people to compare: base 16 in capitals, in groups of four. */
export function fingerprintOf(key: Uint8Array): string {
  const letters = [...sha256(key)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return letters.toUpperCase().replace(/.{4}(?=.)/g, '$& ');
}

/**
 * The hash of a name or an address in a book, the same for every spelling of an address: only a
 * person with the row's key can check a guess.
 */
export function personHash(key: string, text: string): string {
  return hashText(`${key} ${addressKey(text)}`).slice(0, 22);
}

/** All rows are hashed in the same buffer, because a new one for each row would cost memory. */
let scratch = new Uint8Array(4_096);

/** The hash of a row's bytes and of the hash before it. */
export function hashRow(before: string, json: Uint8Array): string {
  const length = before.length + 1 + json.length;
  if (length > scratch.length) scratch = new Uint8Array(2 * length);
  for (let at = 0; at < before.length; at += 1) scratch[at] = before.charCodeAt(at);
  scratch[before.length] = 32;
  scratch.set(json, before.length + 1);
  return toBase64url(sha256(scratch.subarray(0, length)));
}
