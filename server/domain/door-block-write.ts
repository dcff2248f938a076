/** Writes the block of door-block.ts from the columns of a page: the one place that goes over every place, hash and scan of a hall. */
import { ticketStates } from './admission.ts';
import {
  joinTexts,
  mostDigits,
  packBlock,
  rowIn,
  tableOf,
  TornPage,
  type Facts,
} from './door-block.ts';
import {
  isWhole,
  type AdmissionColumns,
  type Headed,
  type PlaceColumns,
  type Repeated,
} from './door-list.ts';
import { isSold } from './presence.ts';
import { nameWords } from './search.ts';
import { utf8Encoder } from './utf8.ts';

/** The block of a whole list, in steps of some milliseconds: a server lets others in between, a phone takes them in one go (`finish`). @throws TornPage */
export function* writeBlock(
  places: PlaceColumns,
  admissions: AdmissionColumns,
): Generator<void, Uint8Array<ArrayBuffer>> {
  if (!isWhole(places)) throw new TornPage('Columns do not fit each other');
  const codes = readHashes(places.hashes);
  yield;
  const place = splitHeaded(places.place);
  const seat = splitHeaded(places.seat);
  yield;
  const [sealed_name, name, order_number] = [
    poolOf(places.sealed_name ?? []),
    poolOf(places.name ?? []),
    poolOf(places.order_number ?? []),
  ];
  yield;
  const words = indexWords(places.name ?? []);
  yield;
  const scans = yield* orderScans(admissions, {
    texts: { place: places.place.heads.of },
    place_head: place.head,
    place_tail: place.tail,
    place_width: place.width,
  });
  const texts: Facts['texts'] = {
    place: places.place.heads.of,
    seat: places.seat.heads.of,
    section: places.section.of,
    category: places.category.of,
    type_label: places.type_label.of,
    initials: places.initials.of,
    gates: places.gates.of,
    scan_gate: admissions.gate.of,
    scan_phone_id: admissions.phone_id.of,
    scan_by: admissions.by.of,
    scan_conflict_with: admissions.conflict_with.of,
  };
  const columns = {
    place_head: place.head,
    place_tail: place.tail,
    place_width: place.width,
    seat_head: seat.head,
    seat_tail: seat.tail,
    seat_width: seat.width,
    section: indexOf(places.section),
    category: indexOf(places.category),
    issued: places.issued,
    code_count: places.hash_counts,
    codes,
    ticketed: places.ticketed,
    revision: places.revision,
    state: places.state,
    type_label: indexOf(places.type_label),
    order_group: indexOf(places.order_group),
    initials: indexOf(places.initials),
    gates: indexOf(places.gates),
    sealed_name_length: sealed_name.lengths,
    sealed_name: sealed_name.bytes,
    name_length: name.lengths,
    name: name.bytes,
    order_number_length: order_number.lengths,
    order_number: order_number.bytes,
    order_group_text: joinTexts(places.order_group.of),
    name_word_text: joinTexts(words.of),
    name_word_count: words.counts,
    name_word: words.at,
    ...scans,
  };
  yield;
  const tickets = places.state.filter((state) => isSold(ticketStates[state]!)).length;
  return packBlock(
    {
      texts,
      count: places.issued.length,
      tickets,
      named: places.name !== null || places.order_number !== null,
    },
    columns,
  );
}

/** All steps at once. */
export function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** A hall has fifty thousand names of a few thousand words: each is folded once, and a search looks at each once. */
function indexWords(names: readonly (string | null)[]) {
  const known = new Map<string, number>();
  const parts = new Map<string, readonly number[]>();
  const counts = new Uint32Array(names.length);
  const at: number[] = [];
  for (let i = 0; i < names.length; i += 1) {
    const text = names[i] ?? '';
    const before = at.length;
    for (let start = 0, end = 0; start < text.length; start = end + 1) {
      end = text.indexOf(' ', start);
      if (end < 0) end = text.length;
      const part = text.slice(start, end);
      const words = parts.get(part) ?? foldPart(part);
      for (let n = 0; n < words.length; n += 1) at.push(words[n]!);
    }
    counts[i] = at.length - before;
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
  return { of: [...known.keys()], counts, at };
}

/** Nothing to fold but capitals, as in most names: taking letters apart costs ten times as much. */
const plainWord = /^[A-Za-z]+$/;

function splitHeaded({ heads, tails }: Headed) {
  const width = new Uint8Array(tails.length);
  const tail = new Uint32Array(tails.length);
  for (let row = 0; row < tails.length; row += 1) {
    const text = tails[row]!;
    if (text.length > mostDigits) throw new TornPage('The tail is too long');
    let number = 0;
    for (let i = 0; i < text.length; i += 1) {
      const digit = text.charCodeAt(i) - 48;
      if (digit < 0 || digit > 9) throw new TornPage('The tail is no number');
      number = 10 * number + digit;
    }
    width[row] = text.length;
    tail[row] = number;
  }
  return { head: Uint32Array.from(heads.at), tail, width };
}

/** 0 is nothing. */
function indexOf({ at }: Repeated): Uint32Array<ArrayBuffer> {
  const index = new Uint32Array(at.length);
  for (let i = 0; i < at.length; i += 1) index[i] = at[i]! + 1;
  return index;
}

/** Scans behind each other in the order of their places; one of a place that the list does not hold cannot be asked for. */
function* orderScans(given: AdmissionColumns, places: Parameters<typeof tableOf>[0]) {
  const heads = given.place.heads;
  const scan_count = new Uint32Array(places.place_head.length);
  const table = given.place.tails.length === 0 ? null : tableOf(places);
  yield;
  const rows = Int32Array.from(given.place.tails, (tail, i) =>
    rowIn(places, table!, (heads.of[heads.at[i]!] ?? '') + tail),
  );
  yield;
  const known = Array.from(rows.keys())
    .filter((i) => rows[i]! >= 0)
    .sort((a, b) => rows[a]! - rows[b]!);
  for (const i of known) scan_count[rows[i]!]! += 1;
  yield;
  const times = new Float64Array(rows.length);
  let at = 0;
  for (const [i, step] of given.at.entries()) times[i] = at += step;
  const ids = poolOf(known.map((i) => given.admission_id[i]!));
  yield;
  const pick = (numbers: ArrayLike<number>) => known.map((i) => numbers[i]!);
  return {
    scan_count,
    scan_id_length: ids.lengths,
    scan_id: ids.bytes,
    scan_revision: pick(given.revision),
    scan_direction: pick(given.direction),
    scan_at: pick(times),
    scan_undone: pick(given.undone),
    scan_gate: pick(indexOf(given.gate)),
    scan_phone_id: pick(indexOf(given.phone_id)),
    scan_by: pick(indexOf(given.by)),
    scan_conflict_with: pick(indexOf(given.conflict_with)),
  };
}

/** Texts behind each other; nothing and an empty text are one. Plain letters are written by hand: an encoder's call for each costs more than all of them. */
function poolOf(texts: readonly (string | null)[]): {
  lengths: Uint32Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
} {
  const lengths = new Uint32Array(texts.length);
  // UTF-16 becomes at most three bytes a unit.
  let units = 0;
  for (let i = 0; i < texts.length; i += 1) units += texts[i]?.length ?? 0;
  const bytes = new Uint8Array(3 * units);
  let end = 0;
  for (let i = 0; i < texts.length; i += 1) {
    const text = texts[i] ?? '';
    let at = 0;
    for (let code = 0; at < text.length && (code = text.charCodeAt(at)) < 128; at += 1)
      bytes[end + at] = code;
    lengths[i] =
      at === text.length ? at : utf8Encoder.encodeInto(text, bytes.subarray(end)).written;
    end += lengths[i]!;
  }
  return { lengths, bytes: bytes.slice(0, end) };
}

/** Neither the other alphabet nor white space, which the browser's own would pass over. */
const isUrlSafe = /^[\w-]*$/;

const sextets = (() => {
  const table = new Uint8Array(128).fill(255);
  for (const [i, letter] of [
    ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  ].entries())
    table[letter.charCodeAt(0)] = i;
  table[43] = 62;
  table[47] = 63;
  return table;
})();

/** Base64 of either alphabet without padding, whole groups of four: two million characters in a few milliseconds. @throws TornPage */
export function readHashes(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as {
    fromBase64?: (text: string, options: { alphabet: 'base64url' }) => Uint8Array<ArrayBuffer>;
  };
  // Written by hand where the browser is older than that.
  if (fromBase64 && text.length % 4 === 0 && isUrlSafe.test(text))
    return fromBase64.call(Uint8Array, text, { alphabet: 'base64url' });
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
