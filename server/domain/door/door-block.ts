/**
 * The list of one event as one block of bytes that the phone reads without parsing. Two numbers
 * of four bytes are the length of the head and the start of the columns; the head is JSON; each
 * column begins at a multiple of eight. All numbers are little-endian, as in every processor that
 * runs a browser. A column or list of texts that a reader does not know is left out, and one that
 * is missing is empty: later releases may add some (wire.ts).
 */
import { hashBytes } from './ticket-code.ts';
import { utf8Decoder, utf8Encoder } from '#server/domain/text/utf8.ts';

/** The version of the layout; a block of another version is refused. */
const version = 3;

/**
 * Columns of bytes; the texts are in UTF-8, and the last two are separated by line ends. All
 * other columns are numbers, each as narrow as its largest number allows.
 */
const byteColumns = [
  'codes',
  'sealed_name',
  'name',
  'buyer',
  'order_number',
  'scan_id',
  'order_group_text',
  'name_word_text',
] as const;
/**
 * A column that refers to texts holds the text's number from 1, or 0 for none; `place_head` and
 * `seat_head` always refer to a text and count from 0.
 */
const placeColumns = [
  'place_head',
  'place_tail',
  'place_width',
  'seat_head',
  'seat_tail',
  'seat_width',
  'section',
  'category',
  'entrance',
  'issued',
  'code_count',
  'ticketed',
  'scan_count',
] as const;
/** Columns with one entry per place, or empty where no place has the fact. */
const rareColumns = ['marks'] as const;
const ticketColumns = [
  'revision',
  'state',
  'type_label',
  'order_group',
  'initials',
  'gates',
] as const;
/**
 * Columns with one entry per ticket, or empty where no ticket has the fact or the phone may not
 * have it. `reentry`: 0 as the event, 1 no, 2 yes.
 */
const poolColumns = [
  'sealed_name_length',
  'name_length',
  'buyer_length',
  'order_number_length',
  'name_word_count',
  'reentry',
  'note',
  'door_note',
  'moved_count',
  'was_count',
  'kept_minutes',
] as const;
const scanColumns = [
  'scan_id_length',
  'scan_revision',
  'scan_direction',
  'scan_at',
  'scan_gate',
  'scan_phone_id',
  'scan_by',
  'scan_conflict_with',
  'scan_undone',
] as const;
/** The codes of other places that mean a ticket: the row of the place, and the revision. */
const movedColumns = ['moved_row', 'moved_revision'] as const;
/** The dead codes of a ticket, alike. */
const wasColumns = ['was_row', 'was_revision'] as const;
/** Lost revisions: the row of the place, in rising order, and a span. */
const lostColumns = ['lost_row', 'lost_first', 'lost_last'] as const;
/** Revisions whose place was let go: the row of the place, in rising order, and the revision. */
const givenColumns = ['given_row', 'given_revision'] as const;
/**
 * Revisions that ended: the row of the place, in rising order, the revision, why (from 1), and the
 * minute.
 */
const endedColumns = [
  'ended_row',
  'ended_revision',
  'ended_why',
  'ended_minute',
  'ended_note',
  'ended_order',
] as const;
/**
 * The other codes of a ticket that had an ended code last, as those of a ticket; their count has
 * one entry per ended code, or is empty.
 */
const endedWasColumns = ['ended_was_count', 'ended_was_row', 'ended_was_revision'] as const;
const numberColumns = [
  ...placeColumns,
  ...rareColumns,
  ...ticketColumns,
  ...poolColumns,
  'name_word',
  ...movedColumns,
  ...wasColumns,
  ...scanColumns,
  ...lostColumns,
  ...givenColumns,
  ...endedColumns,
  ...endedWasColumns,
] as const;
/** The order of the columns in the block. */
const layout = [...numberColumns, ...byteColumns.toReversed()] as const;

type ByteColumn = (typeof byteColumns)[number];
type NumberColumn = (typeof numberColumns)[number];
type ColumnName = ByteColumn | NumberColumn;
type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;
type Columns = Record<ByteColumn, Uint8Array<ArrayBuffer>> & Record<NumberColumn, Numbers>;

/**
 * The head holds each repeated text once. Every place has the texts of this list; the next list's
 * are optional.
 */
const everybodysTexts = ['place', 'seat'] as const;
const somebodysTexts = [
  'section',
  'category',
  'entrance',
  'type_label',
  'initials',
  'gates',
  'scan_gate',
  'scan_phone_id',
  'scan_by',
  'scan_conflict_with',
  'note',
  'marks',
  'door_note',
  'ended_note',
  'ended_order',
] as const;
const textLists = [...everybodysTexts, ...somebodysTexts];
type TextLists = Record<(typeof textLists)[number], string[]>;

/**
 * The small facts: the texts, the number of places, the number of sold tickets, whether names and
 * order numbers are included, and whether the buyers' names are.
 */
interface Facts {
  texts: TextLists;
  count: number;
  tickets: number;
  named: boolean;
  buyers: boolean;
}
type At = [offset: number, length: number, width: number];
/** `at`: for each column its first byte, its number of entries and the bytes of an entry. */
interface Head extends Facts {
  version: number;
  at: Partial<Record<ColumnName, At>>;
}

/**
 * Where the entries of each place, ticket or scan begin: these sums are computed when the block
 * is opened and never sent.
 */
interface Starts {
  code_from: Uint32Array;
  scan_from: Uint32Array;
  sealed_name_from: Uint32Array;
  name_from: Uint32Array;
  buyer_from: Uint32Array;
  order_number_from: Uint32Array;
  name_word_from: Uint32Array;
  scan_id_from: Uint32Array;
  moved_from: Uint32Array;
  was_from: Uint32Array;
  ended_was_from: Uint32Array;
  /** −1: the place has no ticket. */ ticket_at: Int32Array;
}

/** `bytes` holds everything; the columns are views of it. */
export interface Block extends Columns, Starts, Facts {
  bytes: Uint8Array<ArrayBuffer>;
  /** The hashes, read as 32-bit numbers. */ code_words: Uint32Array;
  /** Made when `rowOf` first needs it. */ place_table: Uint32Array | null;
  /** Read when first needed. */ order_groups: string[] | null;
  name_words: string[] | null;
}

/** The answer was cut, or is not one of ours. */
export class TornPage extends Error {}

/**
 * Makes views on the bytes, which must begin at a multiple of eight; nothing is copied, and a
 * part that does not fit is refused.
 * @throws TornPage
 */
export function openBlock(bytes: Uint8Array<ArrayBuffer>): Block {
  try {
    const { head, start } = readHead(bytes);
    const columns = Object.fromEntries(
      layout.map((name) => [name, viewOf(bytes, start, { name, at: head.at[name] ?? [0, 0, 1] })]),
    ) as Columns;
    const { texts, count, tickets, named, buyers } = head;
    check(columns, texts, count);
    return {
      ...columns,
      ...startsIn(columns),
      bytes,
      texts,
      count,
      tickets,
      named,
      buyers,
      code_words: new Uint32Array(bytes.buffer, columns.codes.byteOffset, columns.codes.length / 4),
      place_table: null,
      order_groups: null,
      name_words: null,
    };
  } catch (error) {
    throw error instanceof TornPage ? error : new TornPage('Not a block', { cause: error });
  }
}

/** Packs numbers from any kind of array. */
export function packBlock(
  facts: Facts,
  columns: Record<ByteColumn, Uint8Array<ArrayBuffer>> & Record<NumberColumn, ArrayLike<number>>,
): Uint8Array<ArrayBuffer> {
  let end = 0;
  const packed = layout.map((name) => {
    const column = isBytes(name) ? columns[name] : narrow(columns[name]);
    const offset = end;
    end = aligned(end + column.byteLength);
    return { name, column, at: [offset, column.length, column.BYTES_PER_ELEMENT] as const };
  });
  const head = utf8Encoder.encode(
    JSON.stringify({
      ...facts,
      version,
      at: Object.fromEntries(packed.map(({ name, at }) => [name, [...at]])) as Head['at'],
    } satisfies Head),
  );
  const start = aligned(8 + head.byteLength);
  const bytes = new Uint8Array(start + end);
  new Uint32Array(bytes.buffer, 0, 2).set([head.byteLength, start]);
  bytes.set(head, 8);
  for (const { column, at } of packed)
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start + at[0]);
  return bytes;
}

/**
 * The letters BTG2 come first in an answer, then the length of the block, the block, and JSON to
 * the end.
 */
const magic = 0x32475442;
const answerStart = 8;

export function startAnswer(block: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Uint32Array([magic, block.length]).buffer);
}

/** @throws TornPage when the answer is not one of ours, or ends too early */
export function splitAnswer(bytes: ArrayBuffer): { block: Uint8Array<ArrayBuffer>; rest: string } {
  if (bytes.byteLength < answerStart) throw new TornPage('No list');
  const [first, length = 0] = new Uint32Array(bytes, 0, 2);
  if (first !== magic) throw new TornPage('No list');
  if (answerStart + length > bytes.byteLength) throw new TornPage('The block is cut');
  return {
    block: new Uint8Array(bytes, answerStart, length),
    rest: utf8Decoder.decode(new Uint8Array(bytes, answerStart + length)),
  };
}

function readHead(bytes: Uint8Array<ArrayBuffer>): { head: Head; start: number } {
  const [length = 0, start = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  if (start !== aligned(8 + length) || start > bytes.length) throw new TornPage('No head');
  const head = JSON.parse(utf8Decoder.decode(bytes.subarray(8, 8 + length))) as Head;
  if (head.version !== version) throw new TornPage('Another layout');
  for (const name of textLists) head.texts[name] ??= [];
  head.buyers ??= false;
  const isWhole =
    isCount(head.count) &&
    isCount(head.tickets) &&
    typeof head.named === 'boolean' &&
    typeof head.buyers === 'boolean' &&
    textLists.every(
      (name) =>
        Array.isArray(head.texts[name]) &&
        head.texts[name].every((text) => typeof text === 'string'),
    );
  if (!isWhole) throw new TornPage('The head is not whole');
  return { head, start };
}

function viewOf(
  bytes: Uint8Array<ArrayBuffer>,
  start: number,
  { name, at: [offset, length, width] }: { name: ColumnName; at: At },
): Numbers {
  if (!isCount(offset) || !isCount(length) || start + offset + length * width > bytes.length)
    throw new TornPage('A column lies outside');
  const at = bytes.byteOffset + start + offset;
  if (width === 1) return new Uint8Array(bytes.buffer, at, length);
  if (width === 2 && !isBytes(name)) return new Uint16Array(bytes.buffer, at, length);
  if (width === 4 && !isBytes(name)) return new Uint32Array(bytes.buffer, at, length);
  if (width === 8 && name === 'scan_at') return new Float64Array(bytes.buffer, at, length);
  throw new TornPage('A column of another kind');
}

/**
 * Checks that every number that points to another place in the block points into it; missing
 * orders and words must belong to no ticket.
 */
function check(columns: Columns, texts: TextLists, count: number): void {
  const tickets = columns.revision.length;
  const fits =
    placeColumns.every((name) => columns[name].length === count) &&
    rareColumns.every((name) => columns[name].length === count || columns[name].length === 0) &&
    ticketColumns.every((name) => columns[name].length === tickets) &&
    poolColumns.every((name) => columns[name].length === tickets || columns[name].length === 0) &&
    scanColumns.every((name) => columns[name].length === columns.scan_revision.length) &&
    columns.moved_row.length === columns.moved_revision.length &&
    lostColumns.every((name) => columns[name].length === columns.lost_row.length) &&
    columns.given_row.length === columns.given_revision.length &&
    columns.was_row.length === columns.was_revision.length &&
    endedColumns.every((name) => columns[name].length === columns.ended_row.length) &&
    [columns.ended_row.length, 0].includes(columns.ended_was_count.length) &&
    columns.ended_was_row.length === columns.ended_was_revision.length &&
    columns.codes.length % hashBytes === 0;
  const leads =
    isBelow(columns.place_head, texts.place.length) &&
    isBelow(columns.seat_head, texts.seat.length) &&
    somebodysTexts.every((name) => isBelow(columns[name], texts[name].length + 1)) &&
    isBelow(columns.moved_row, count) &&
    isBelow(columns.lost_row, count) &&
    isBelow(columns.given_row, count) &&
    isBelow(columns.was_row, count) &&
    isBelow(columns.ended_row, count) &&
    isBelow(columns.ended_was_row, count) &&
    isBelow(columns.ticketed, 2) &&
    isBelow(columns.place_width, mostDigits + 1) &&
    isBelow(columns.seat_width, mostDigits + 1) &&
    isBelow(columns.scan_at, latest);
  if (!fits || !leads) throw new TornPage('Columns do not fit each other');
}

/** The most digits of the number at the end of a name. */
const mostDigits = 9;
/** The latest moment that a `Date` can have, in milliseconds. */
const latest = 8.64e15;

/** Whether all numbers are below the limit, which NaN is not; only moments may be below 0. */
function isBelow(column: Numbers, limit: number): boolean {
  if (limit >= 2 ** (8 * column.BYTES_PER_ELEMENT)) return column.BYTES_PER_ELEMENT < 8;
  for (let i = 0; i < column.length; i += 1) if (!(Math.abs(column[i] ?? 0) < limit)) return false;
  return true;
}

function startsIn(columns: Columns): Starts {
  return {
    code_from: startsOf(columns.code_count, columns.codes.length / hashBytes),
    scan_from: startsOf(columns.scan_count, columns.scan_revision.length),
    sealed_name_from: startsOf(columns.sealed_name_length, columns.sealed_name.length),
    name_from: startsOf(columns.name_length, columns.name.length),
    order_number_from: startsOf(columns.order_number_length, columns.order_number.length),
    buyer_from: startsOf(columns.buyer_length, columns.buyer.length),
    name_word_from: startsOf(columns.name_word_count, columns.name_word.length),
    scan_id_from: startsOf(columns.scan_id_length, columns.scan_id.length),
    moved_from: startsOf(columns.moved_count, columns.moved_row.length),
    was_from: startsOf(columns.was_count, columns.was_row.length),
    ended_was_from: startsOf(columns.ended_was_count, columns.ended_was_row.length),
    ticket_at: ticketsOf(columns.ticketed, columns.revision.length),
  };
}

function startsOf(counts: Numbers, total: number): Uint32Array {
  const from = new Uint32Array(counts.length + 1);
  // Before the doors open there are no scans: all begin at 0.
  if (total === 0 && isBelow(counts, 1)) return from;
  let sum = 0;
  for (let i = 0; i < counts.length; i += 1) from[i + 1] = sum += counts[i] ?? 0;
  if (sum !== total) throw new TornPage('The sum is another');
  return from;
}

function ticketsOf(ticketed: Numbers, total: number): Int32Array {
  const at = new Int32Array(ticketed.length);
  let next = 0;
  for (let row = 0; row < ticketed.length; row += 1) at[row] = ticketed[row] === 1 ? next++ : -1;
  if (next !== total) throw new TornPage('The sum is another');
  return at;
}

/** Packs many rarely needed texts into bytes. */
export function joinTexts(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  if (texts.some((text) => text.includes('\n'))) throw new TornPage('A text of several lines');
  return utf8Encoder.encode(texts.join('\n'));
}

export function orderGroupsOf(block: Block): string[] {
  return (block.order_groups ??= utf8Decoder.decode(block.order_group_text).split('\n'));
}

export function nameWordsOf(block: Block): string[] {
  return (block.name_words ??= utf8Decoder.decode(block.name_word_text).split('\n'));
}

type Named = Pick<Columns, 'place_head' | 'place_tail' | 'place_width'> & {
  texts: Pick<TextLists, 'place'>;
};

export function placeText(
  { texts, place_head, place_tail, place_width }: Named,
  row: number,
): string {
  const head = texts.place[place_head[row] ?? 0] ?? '';
  return head + tailText(place_tail[row] ?? 0, place_width[row] ?? 0);
}

export function tailText(tail: number, width: number): string {
  return width === 0 ? '' : String(tail).padStart(width, '0');
}

/** The row of a place, or -1. */
export function rowIn(places: Named, table: Uint32Array, place: string): number {
  const mask = table.length - 1;
  for (let slot = hashText(place) & mask; ; slot = (slot + 1) & mask) {
    const row = (table[slot] ?? 0) - 1;
    if (row < 0 || placeText(places, row) === place) return row;
  }
}

/**
 * A hash table from the names of places to row + 1, where 0 means an empty slot: open addressing,
 * at most three quarters full.
 */
export function tableOf({ texts, place_head, place_tail, place_width }: Named): Uint32Array {
  // Many places begin with the same text, so it is hashed once.
  const known = texts.place.map((head) => hashText(head));
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(place_head.length / 0.75 + 2)));
  const mask = table.length - 1;
  for (let row = 0; row < place_head.length; row += 1) {
    const head = known[place_head[row] ?? 0] ?? 0;
    let slot = hashDigits(place_tail[row] ?? 0, place_width[row] ?? 0, head) & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = row + 1;
  }
  return table;
}

/** The FNV-1a hash. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Continues the hash of a text with the digits of its number. */
function hashDigits(tail: number, width: number, from: number): number {
  let hash = from;
  for (let unit = 10 ** (width - 1); unit >= 1; unit /= 10)
    hash = Math.imul(hash ^ (48 + (Math.floor(tail / unit) % 10)), 0x01000193);
  return hash >>> 0;
}

function narrow(numbers: ArrayLike<number>): Numbers {
  let largest = 0;
  for (let i = 0; i < numbers.length; i += 1) {
    const number = numbers[i] ?? 0;
    // A moment before 1970 needs a sign.
    if (number > largest || number < 0) largest = number < 0 ? Number.POSITIVE_INFINITY : number;
  }
  const Column =
    [Uint8Array, Uint16Array, Uint32Array].find(
      ({ BYTES_PER_ELEMENT }) => largest < 2 ** (8 * BYTES_PER_ELEMENT),
    ) ?? Float64Array;
  const column = new Column(numbers.length);
  column.set(numbers);
  return column;
}

function isBytes(name: ColumnName): name is ByteColumn {
  return (byteColumns as readonly string[]).includes(name);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
