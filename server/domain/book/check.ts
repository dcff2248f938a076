/** Reads a book and finds the rows that are not as the house wrote them. */
import { utf8Decoder } from '#server/domain/text/utf8.ts';
import { endLine, frame, hashLength, hashRow, headerLine, startOf, type BookEnd } from './chain.ts';
import { rootOfLeaf, headOf, leafOf, type DayHead } from './heads.ts';
import { bookFormat, type BookHeader, type BookRow } from './rows.ts';
import { fromBase64url } from './sha256.ts';

/**
 * `header`, `end`: the first or last line is missing or was changed; `unreadable`, `changed`: a
 * row; `missing`: no row has this number; `doubled`: the same row twice; `added`: another row has
 * the same number; `moved`: the row is not in its place; `head`: the end names another last row;
 * `day_head`: the head of a day does not fit the rows before it.
 */
type FaultKind =
  | 'header'
  | 'end'
  | 'unreadable'
  | 'changed'
  | 'missing'
  | 'doubled'
  | 'added'
  | 'moved'
  | 'head'
  | 'day_head';

/** `n`: the number of the row; `line`: the line of the file, from 1. */
export interface Fault {
  kind: FaultKind;
  n: number | null;
  line: number | null;
}

export interface ReadBook {
  header: BookHeader | null;
  /** The readable rows, in the order of the file. */
  rows: BookRow[];
  end: BookEnd | null;
  heads: (DayHead & { n: number })[];
  /**
   * Empty: every line is as it was written, as far as the chain can show. The signature is not
   * checked here.
   */
  faults: Fault[];
}

interface Line {
  at: number;
  hash: string;
  json: Uint8Array;
  row: BookRow | null;
}

export function readBook(bytes: Uint8Array): ReadBook {
  const lines = splitLines(bytes);
  const faults: Fault[] = [];
  const tell = (kind: FaultKind, { n = null, line = null }: Partial<Fault> = {}) =>
    void faults.push({ kind, n, line });
  // Every line ends with a line end, so text after the last one was added.
  const rest = lines.pop();
  const header = readHeader(lines[0]);
  if (header === null) tell('header', { line: 1 });
  const last = lines.length > 1 ? lines.at(-1) : undefined;
  const end = last && rest?.length === 0 ? readEnd(last) : null;
  if (end === null) tell('end', { line: lines.length });
  const middle = lines.slice(1, end === null ? undefined : -1).map(readLine);
  const start = startOf(utf8Decoder.decode(lines[0] ?? new Uint8Array()));
  checkRows(middle, { start, rows: end?.rows ?? null, tell });
  const rows = middle.flatMap(({ row }) => row ?? []);
  const hashes = new Map(middle.map(({ row, hash }) => [row?.n ?? 0, hash]));
  const heads = rows.flatMap((row) => (row.kind === 'head' ? [row] : []));
  if (end !== null && (hashes.get(end.rows) ?? start) !== end.head) tell('head', { n: end.rows });
  checkHeads(heads, { start, hashes, tell });
  return { header, rows, end, heads, faults };
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  lines.push(bytes.subarray(from));
  return lines;
}

function parse(bytes: Uint8Array): object | null {
  try {
    const value = JSON.parse(utf8Decoder.decode(bytes)) as unknown;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Accepts only the spelling that we write: any other line was changed. */
function readHeader(line: Uint8Array | undefined): BookHeader | null {
  if (line === undefined) return null;
  const header = parse(line) as BookHeader | null;
  if (header?.format !== bookFormat) return null;
  return headerLine(header) === utf8Decoder.decode(line) ? header : null;
}

function readEnd(line: Uint8Array): BookEnd | null {
  const end = parse(line) as BookEnd | null;
  if (!end || !Number.isSafeInteger(end.rows) || typeof end.head !== 'string') return null;
  const isWhole = (text: unknown, length: number) =>
    typeof text === 'string' && fromBase64url(text)?.length === length;
  if (!isWhole(end.key, 32) || !isWhole(end.signature, 64)) return null;
  return endLine(end) === utf8Decoder.decode(line) ? end : null;
}

const hashFrom = frame.open.length;
const betweenFrom = hashFrom + hashLength;
const jsonFrom = betweenFrom + frame.between.length;

function readLine(line: Uint8Array, index: number): Line {
  const json = line.subarray(jsonFrom, -frame.close.length);
  const around =
    standsAt(line, 0, frame.open) &&
    standsAt(line, betweenFrom, frame.between) &&
    standsAt(line, line.length - frame.close.length, frame.close);
  const row = around ? (parse(json) as BookRow | null) : null;
  return {
    at: index + 2,
    hash: utf8Decoder.decode(line.subarray(hashFrom, betweenFrom)),
    json,
    row: row !== null && Number.isSafeInteger(row.n) && typeof row.kind === 'string' ? row : null,
  };
}

/** Whether these ASCII letters are in the line from this byte on. */
function standsAt(line: Uint8Array, from: number, letters: string): boolean {
  for (let at = 0; at < letters.length; at += 1)
    if (line[from + at] !== letters.charCodeAt(at)) return false;
  return true;
}

type Tell = (kind: FaultKind, where?: Partial<Fault>) => void;

/**
 * Checks each row against the hash of the row with the number before it, wherever that row is in
 * the file, so that one fault is reported once.
 */
function checkRows(
  lines: readonly Line[],
  { start, rows, tell }: { start: string; rows: number | null; tell: Tell },
): void {
  const first = new Map<number, Line>();
  for (const line of lines) {
    if (line.row === null) tell('unreadable', { line: line.at });
    else if (!first.has(line.row.n)) first.set(line.row.n, line);
  }
  for (const line of lines) {
    const known = line.row && first.get(line.row.n);
    if (!line.row || !known || known === line) continue;
    const isSame = known.hash === line.hash && hashRow('', known.json) === hashRow('', line.json);
    tell(isSame ? 'doubled' : 'added', { n: line.row.n, line: line.at });
  }
  tellMoved(first, tell);
  const last = Math.max(rows ?? 0, ...firstAndLast(first));
  const most = lines.length + 1_000;
  for (let n = 1, told = 0; n <= last && told < most; n += 1)
    if (!first.has(n)) {
      tell('missing', { n });
      told += 1;
    }
  checkHashes(first, start, tell);
}

function firstAndLast(first: ReadonlyMap<number, Line>): number[] {
  let last = 0;
  for (const n of first.keys()) last = Math.max(last, n);
  return [last];
}

function tellMoved(first: ReadonlyMap<number, Line>, tell: Tell): void {
  const sorted = Float64Array.from(first.keys()).sort();
  let nth = 0;
  for (const [n, { at }] of first) if (n !== sorted[nth++]) tell('moved', { n, line: at });
}

function checkHashes(first: ReadonlyMap<number, Line>, start: string, tell: Tell): void {
  // The hash that a changed row should have, so that the next row is not blamed for the change.
  const wanted = new Map<number, string>();
  for (const [n, line] of first) {
    const before = n === 1 ? start : first.get(n - 1)?.hash;
    // The row before is missing or unreadable, and has its own fault already.
    if (before === undefined) continue;
    const hash = hashRow(before, line.json);
    if (hash === line.hash) continue;
    wanted.set(n, hash);
    const other = wanted.get(n - 1);
    if (other === undefined || hashRow(other, line.json) !== line.hash)
      tell('changed', { n, line: line.at });
  }
}

function checkHeads(
  heads: readonly (DayHead & { n: number })[],
  { start, hashes, tell }: { start: string; hashes: ReadonlyMap<number, string>; tell: Tell },
): void {
  for (const head of heads) {
    const { n, rows, hash, path, root } = head;
    const isPrefix = rows === n - 1 && (rows === 0 ? start : hashes.get(rows)) === hash;
    const isWhole =
      isPrefix && Array.isArray(path) && rootOfLeaf(leafOf({ start, rows, hash }), path) === root;
    if (!isWhole || headOf(head) !== head.head) tell('day_head', { n });
  }
}
