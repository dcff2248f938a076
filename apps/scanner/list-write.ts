/** Writes the block of list-image.ts from the columns of a page: the one place that goes over every place, hash and scan of a hall. */
import { ticketStates } from '#server/domain/admission.ts';
import { isSold } from '#server/domain/presence.ts';
import { isWhole, ticketPositions, type AdmissionColumns, type Headed, type PlaceColumns, type Repeated } from '#server/domain/door-list.ts';
import { hashBytes } from '#server/domain/ticket-code.ts';
import { columns, firstBytes, hashText, nameWords, TornPage, type ColumnName, type Columns, type Head, type TextLists } from './list-image.ts';

/** Builds the block of a whole list. @throws TornPage */
export function buildImage(places: PlaceColumns, admissions: AdmissionColumns): ArrayBuffer {
  if (!isWhole(places)) throw new TornPage('Columns do not fit each other');
  const count = places.issued.length;
  const codes = readHashes(places.hashes);
  const code_from = startsOf(places.hash_counts);
  const place = splitHeaded(places.place);
  const seat = splitHeaded(places.seat);
  const placeHashes = hashesOf(places.place);
  const place_table = fillTable(count, (row) => placeHashes[row]!);
  const named = places.name !== null || places.order_number !== null;
  const name = poolOf(places.name ?? []);
  const order_number = poolOf(places.order_number ?? []);
  const sealed_name = poolOf(places.sealed_name ?? []);
  const words = indexWords(places.name ?? []);
  const scans = orderScans(admissions, count, rowFinder(places.place, place_table));
  const parts: Columns = {
    place_head: place.head, place_tail: place.tail, place_width: place.width, seat_head: seat.head, seat_tail: seat.tail, seat_width: seat.width,
    section: new Int32Array(places.section.at), category: new Int32Array(places.category.at), issued: new Uint32Array(places.issued),
    code_from, codes, code_table: fillTable(code_from[count]!, (code) => firstBytes(codes, code * hashBytes)), place_table,
    ticket_at: new Int32Array(ticketPositions(places)), revision: new Uint32Array(places.revision), state: new Uint8Array(places.state),
    type_label: new Int32Array(places.type_label.at), order_group: new Int32Array(places.order_group.at), initials: new Int32Array(places.initials.at), gates: new Int32Array(places.gates.at),
    sealed_name_from: sealed_name.from, sealed_name: sealed_name.bytes, name_from: name.from, name: name.bytes, order_number_from: order_number.from, order_number: order_number.bytes,
    name_word_from: words.from, name_word: words.at, ...scans,
  };
  const texts: TextLists = {
    place: places.place.heads.of, seat: places.seat.heads.of, section: places.section.of, category: places.category.of, type_label: places.type_label.of, order_group: places.order_group.of,
    initials: places.initials.of, gates: places.gates.of, name_word: words.of, scan_gate: admissions.gate.of, scan_phone_id: admissions.phone_id.of, scan_by: admissions.by.of, scan_conflict_with: admissions.conflict_with.of,
  };
  return pack({ texts, count, tickets: places.state.filter((state) => isSold(ticketStates[state]!)).length, named }, parts);
}

/** A hall has fifty thousand names of a few thousand words: each is folded once, and a search looks at each once. */
function indexWords(names: readonly (string | null)[]) {
  const known = new Map<string, number>();
  const parts = new Map<string, readonly number[]>();
  const from = new Uint32Array(names.length + 1);
  const at: number[] = [];
  for (let i = 0; i < names.length; i += 1) {
    const text = names[i] ?? '';
    for (let start = 0, end = 0; start < text.length; start = end + 1) {
      end = text.indexOf(' ', start);
      if (end < 0) end = text.length;
      const part = text.slice(start, end);
      const words = parts.get(part) ?? foldPart(part);
      for (let n = 0; n < words.length; n += 1) at.push(words[n]!);
    }
    from[i + 1] = at.length;
  }
  function foldPart(part: string): readonly number[] {
    const words = (plainWord.test(part) ? [part.toLowerCase()] : nameWords(part)).map((word) => {
      const index = known.get(word) ?? known.size;
      known.set(word, index);
      return index;
    });
    parts.set(part, words);
    return words;
  }
  return { of: [...known.keys()], from, at: Uint32Array.from(at) };
}

/** Nothing to fold but capitals, as in most names: taking letters apart costs ten times as much. */
const plainWord = /^[A-Za-z]+$/;

function splitHeaded({ heads, tails }: Headed) {
  const width = new Uint8Array(tails.length);
  const tail = new Uint32Array(tails.length);
  for (let row = 0; row < tails.length; row += 1) {
    const text = tails[row]!;
    if (text.length > 9) throw new TornPage('The tail is too long');
    let number = 0;
    for (let i = 0; i < text.length; i += 1) {
      const digit = text.charCodeAt(i) - 48;
      if (digit < 0 || digit > 9) throw new TornPage('The tail is no number');
      number = 10 * number + digit;
    }
    width[row] = text.length;
    tail[row] = number;
  }
  return { head: new Int32Array(heads.at), tail, width };
}

/** FNV-1a; the beginning of many places is one text, so it is hashed once. */
function hashesOf({ heads, tails }: Headed): Uint32Array {
  const known = heads.of.map((head) => hashText(head));
  const hashes = new Uint32Array(tails.length);
  for (let row = 0; row < tails.length; row += 1) hashes[row] = hashText(tails[row]!, known[heads.at[row]!]!);
  return hashes;
}

/** Open addressing, at most three quarters full; 0 is empty, else entry + 1. */
function fillTable(entries: number, hashOf: (entry: number) => number): Uint32Array<ArrayBuffer> {
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(entries / 0.75 + 2)));
  const mask = table.length - 1;
  for (let entry = 0; entry < entries; entry += 1) {
    let slot = hashOf(entry) & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = entry + 1;
  }
  return table;
}

function rowFinder({ heads, tails }: Headed, table: Uint32Array): (place: string) => number {
  const mask = table.length - 1;
  return (place) => {
    for (let slot = hashText(place) & mask; ; slot = (slot + 1) & mask) {
      const row = table[slot]! - 1;
      const head = heads.of[heads.at[row] ?? -1] ?? '';
      if (row < 0 || `${head}${tails[row]!}` === place) return row;
    }
  };
}

/** Scans behind each other in the order of their places; one of a place that the list does not hold cannot be asked for. */
function orderScans(given: AdmissionColumns, count: number, find: (place: string) => number) {
  const heads = given.place.heads;
  const rows = Int32Array.from(given.place.tails, (tail, i) => find((heads.of[heads.at[i]!] ?? '') + tail));
  const known = Array.from(rows.keys()).filter((i) => rows[i]! >= 0).sort((a, b) => rows[a]! - rows[b]!);
  const times = new Float64Array(rows.length);
  let at = 0;
  for (const [i, step] of given.at.entries()) times[i] = at += step;
  const scan_from = new Uint32Array(count + 1);
  for (const i of known) scan_from[rows[i]! + 1]! += 1;
  for (let row = 0; row < count; row += 1) scan_from[row + 1]! += scan_from[row]!;
  const ids = poolOf(known.map((i) => given.admission_id[i]!));
  const pick = ({ at: all }: Repeated) => Int32Array.from(known, (i) => all[i]!);
  return {
    scan_from, scan_id_from: ids.from, scan_id: ids.bytes, scan_revision: Uint32Array.from(known, (i) => given.revision[i]!), scan_direction: Uint8Array.from(known, (i) => given.direction[i]!),
    scan_at: Float64Array.from(known, (i) => times[i]!), scan_gate: pick(given.gate), scan_phone_id: pick(given.phone_id), scan_by: pick(given.by), scan_conflict_with: pick(given.conflict_with),
    scan_undone: Uint8Array.from(known, (i) => given.undone[i]!),
  };
}

function startsOf(counts: readonly number[]): Uint32Array<ArrayBuffer> {
  const from = new Uint32Array(counts.length + 1);
  for (const [i, count] of counts.entries()) from[i + 1] = from[i]! + count;
  return from;
}

/** Texts behind each other; nothing and an empty text are one. Plain letters are written by hand: an encoder's call for each costs more than all of them. */
function poolOf(texts: readonly (string | null)[]): { from: Uint32Array<ArrayBuffer>; bytes: Uint8Array<ArrayBuffer> } {
  const from = new Uint32Array(texts.length + 1);
  // UTF-16 becomes at most three bytes a unit.
  let units = 0;
  for (let i = 0; i < texts.length; i += 1) units += texts[i]?.length ?? 0;
  const bytes = new Uint8Array(3 * units);
  const encoder = new TextEncoder();
  let end = 0;
  for (let i = 0; i < texts.length; i += 1) {
    const text = texts[i] ?? '';
    let at = 0;
    for (let code = 0; at < text.length && (code = text.charCodeAt(at)) < 128; at += 1) bytes[end + at] = code;
    end += at === text.length ? at : encoder.encodeInto(text, bytes.subarray(end)).written;
    from[i + 1] = end;
  }
  return { from, bytes: bytes.slice(0, end) };
}

/** Neither the other alphabet nor white space, which the browser's own would pass over. */
const isUrlSafe = /^[\w-]*$/;

const sextets = (() => {
  const table = new Uint8Array(128).fill(255);
  for (const [i, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].entries()) table[letter.charCodeAt(0)] = i;
  table[43] = 62;
  table[47] = 63;
  return table;
})();

/** Base64 of either alphabet without padding, whole groups of four: two million characters in a few milliseconds. @throws TornPage */
export function readHashes(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string, options: { alphabet: 'base64url' }) => Uint8Array<ArrayBuffer> };
  // Written by hand where the browser is older than that.
  if (fromBase64 && text.length % 4 === 0 && isUrlSafe.test(text)) return fromBase64.call(Uint8Array, text, { alphabet: 'base64url' });
  const bytes = new Uint8Array((text.length / 4) * 3);
  let faults = text.length % 4;
  for (let i = 0, to = 0; i < text.length; i += 4, to += 3) {
    const a = sextets[text.charCodeAt(i)] ?? 255;
    const b = sextets[text.charCodeAt(i + 1)] ?? 255;
    const c = sextets[text.charCodeAt(i + 2)] ?? 255;
    const d = sextets[text.charCodeAt(i + 3)] ?? 255;
    faults |= (a | b | c | d) & 64;
    bytes[to] = (a << 2) | (b >> 4);
    bytes[to + 1] = (b << 4) | (c >> 2);
    bytes[to + 2] = (c << 6) | d;
  }
  if (faults !== 0) throw new TornPage('Not base64');
  return bytes;
}

function pack({ texts, count, tickets, named }: Omit<Head, 'at'>, parts: Columns): ArrayBuffer {
  const names = Object.keys(columns) as ColumnName[];
  let end = 0;
  const at = Object.fromEntries(names.map((name) => {
    const offset = end;
    end = aligned(end + parts[name].byteLength);
    return [name, [offset, parts[name].length]];
  })) as Head['at'];
  const head = new TextEncoder().encode(JSON.stringify({ texts, count, tickets, named, at } satisfies Head));
  const start = aligned(8 + head.byteLength);
  const bytes = new ArrayBuffer(start + end);
  new Uint32Array(bytes, 0, 2).set([head.byteLength, start]);
  new Uint8Array(bytes, 8).set(head);
  for (const name of names) new Uint8Array(bytes, start + at[name][0]).set(new Uint8Array(parts[name].buffer, parts[name].byteOffset, parts[name].byteLength));
  return bytes;
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
