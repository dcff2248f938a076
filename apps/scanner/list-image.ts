/** The list of one event as one block of bytes that is used as it lies: written to disk sealed, read back without parsing, searched through tables inside it. */
import { hashBytes } from '#server/domain/ticket-code.ts';
import type { ListedAdmission, ListedTicket } from '#server/domain/door-list.ts';
import { ticketStates } from '#server/domain/admission.ts';
import { foldText } from '#server/domain/search.ts';
import { base64urlOf } from './base64url.ts';

/** A place as the list knows it, without its hashes. */
export interface Place { place: string; seat: string; section: string | null; category: string; issued: number; ticket: ListedTicket | null }

/** Columns that stand in the block; the texts that repeat stand once each in its head. */
export const columns = {
  place_head: Int32Array, place_tail: Uint32Array, place_width: Uint8Array, seat_head: Int32Array, seat_tail: Uint32Array, seat_width: Uint8Array,
  section: Int32Array, category: Int32Array, issued: Uint32Array, code_from: Uint32Array, codes: Uint8Array, code_table: Uint32Array, place_table: Uint32Array,
  ticket_at: Int32Array, revision: Uint32Array, state: Uint8Array, type_label: Int32Array, order_group: Int32Array, initials: Int32Array, gates: Int32Array,
  sealed_name_from: Uint32Array, sealed_name: Uint8Array, name_from: Uint32Array, name: Uint8Array, order_number_from: Uint32Array, order_number: Uint8Array, name_word_from: Uint32Array, name_word: Uint32Array,
  scan_from: Uint32Array, scan_id_from: Uint32Array, scan_id: Uint8Array, scan_revision: Uint32Array, scan_direction: Uint8Array, scan_at: Float64Array,
  scan_gate: Int32Array, scan_phone_id: Int32Array, scan_by: Int32Array, scan_conflict_with: Int32Array, scan_undone: Uint8Array,
} as const;
export type ColumnName = keyof typeof columns;
export type Columns = { [K in ColumnName]: InstanceType<(typeof columns)[K]> };
const textLists = ['place', 'seat', 'section', 'category', 'type_label', 'order_group', 'initials', 'gates', 'name_word', 'scan_gate', 'scan_phone_id', 'scan_by', 'scan_conflict_with'] as const;
export type TextLists = Record<(typeof textLists)[number], string[]>;

/** `bytes` holds it all; the columns are views on it. */
export interface Image extends Columns { bytes: ArrayBuffer; texts: TextLists; count: number; tickets: number; /** Names and order numbers are known. */ named: boolean }

/** Two numbers before it say how long it is and where the columns begin, from where `at` counts in bytes. */
export interface Head { texts: TextLists; at: Record<ColumnName, [offset: number, length: number]>; count: number; tickets: number; named: boolean }

/** The answer was cut, or is none of ours. */
export class TornPage extends Error {}

/** Views on the bytes, nothing is copied. */
export function openImage(bytes: ArrayBuffer): Image {
  const [headLength, start] = new Uint32Array(bytes, 0, 2) as unknown as [number, number];
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, headLength))) as Head;
  const views = Object.fromEntries(Object.entries(columns).map(([name, Column]) => [name, new Column(bytes, start + head.at[name as ColumnName][0], head.at[name as ColumnName][1])])) as unknown as Columns;
  return { ...views, bytes, texts: head.texts, count: head.count, tickets: head.tickets, named: head.named };
}

/** The row of a place, or -1. */
export function rowOf(image: Image, place: string): number {
  const mask = image.place_table.length - 1;
  for (let slot = hashText(place) & mask; ; slot = (slot + 1) & mask) {
    const row = image.place_table[slot]! - 1;
    if (row < 0 || placeText(image, row) === place) return row;
  }
}

/** Which place and revision a code's hash belongs to, or null. */
export function findCode(image: Image, hash: Uint8Array): { row: number; revision: number } | null {
  const mask = image.code_table.length - 1;
  for (let slot = firstBytes(hash, 0) & mask; ; slot = (slot + 1) & mask) {
    const code = image.code_table[slot]! - 1;
    if (code < 0) return null;
    if (isSameHash(image.codes, code * hashBytes, hash)) {
      const row = lastAtOrBelow(image.code_from, code);
      return { row, revision: code - image.code_from[row]! + 1 };
    }
  }
}

export function placeText(image: Image, row: number): string {
  return image.texts.place[image.place_head[row]!]! + tailText(image.place_tail[row]!, image.place_width[row]!);
}

export function seatText(image: Image, row: number): string {
  return image.texts.seat[image.seat_head[row]!]! + tailText(image.seat_tail[row]!, image.seat_width[row]!);
}

/** One object for one place: none is kept. */
export function placeOf(image: Image, row: number): Place {
  return {
    place: placeText(image, row), seat: seatText(image, row), section: image.texts.section[image.section[row]!] ?? null, category: image.texts.category[image.category[row]!] ?? '',
    issued: image.issued[row]!, ticket: ticketOf(image, image.ticket_at[row]!),
  };
}

export function ticketOf(image: Image, ticket: number): ListedTicket | null {
  if (ticket < 0) return null;
  const { texts } = image;
  return {
    revision: image.revision[ticket]!, state: ticketStates[image.state[ticket]!]!, type_label: texts.type_label[image.type_label[ticket]!] ?? '', order_group: texts.order_group[image.order_group[ticket]!] ?? '',
    initials: texts.initials[image.initials[ticket]!] ?? null, gates: listGates(texts.gates[image.gates[ticket]!] ?? ''),
    sealed_name: poolText(image.sealed_name_from, image.sealed_name, ticket), name: poolText(image.name_from, image.name, ticket), order_number: poolText(image.order_number_from, image.order_number, ticket),
  };
}

/** The scans that the server knew of when the list was made. */
export function scansOfRow(image: Image, row: number): ListedAdmission[] {
  const scans: ListedAdmission[] = [];
  for (let i = image.scan_from[row]!; i < image.scan_from[row + 1]!; i += 1) scans.push(scanOf(image, row, i));
  return scans;
}

export function scanOf(image: Image, row: number, i: number): ListedAdmission {
  const { texts } = image;
  return {
    admission_id: poolText(image.scan_id_from, image.scan_id, i) ?? '', place: placeText(image, row), revision: image.scan_revision[i]!, direction: image.scan_direction[i] === 0 ? 'in' : 'out', at: image.scan_at[i]!,
    gate: texts.scan_gate[image.scan_gate[i]!] ?? null, phone_id: texts.scan_phone_id[image.scan_phone_id[i]!] ?? null, by: texts.scan_by[image.scan_by[i]!] ?? '',
    conflict_with: texts.scan_conflict_with[image.scan_conflict_with[i]!] ?? null, undone: image.scan_undone[i] === 1,
  };
}

/** Which place a scan is of, or null; seldom asked, so every id is looked at. */
export function placeOfScan(image: Image, admission_id: string): string | null {
  const wanted = new TextEncoder().encode(admission_id);
  for (let i = 0; i < image.scan_revision.length; i += 1) {
    const from = image.scan_id_from[i]!;
    if (image.scan_id_from[i + 1]! - from === wanted.length && wanted.every((byte, at) => image.scan_id[from + at] === byte)) return placeText(image, lastAtOrBelow(image.scan_from, i));
  }
  return null;
}

/** The hashes of a place, base64url, as they came. */
export function hashesOfRow(image: Image, row: number): string[] {
  const texts: string[] = [];
  for (let code = image.code_from[row]!; code < image.code_from[row + 1]!; code += 1) {
    texts.push(base64urlOf(image.codes.subarray(code * hashBytes, (code + 1) * hashBytes)));
  }
  return texts;
}

/** What a name is found by: each of its words on its own, D'Amico also in one. */
export function nameWords(name: string): string[] {
  const folded = foldText(name);
  const bare = folded.split(' ').filter((word) => word.includes("'")).map((word) => word.replaceAll("'", ''));
  return [...folded.split(/[^\p{L}\p{N}]+/u), ...bare].filter((word) => word !== '');
}

export function poolText(from: Uint32Array, bytes: Uint8Array, i: number): string | null {
  const start = from[i];
  const end = from[i + 1];
  return start === undefined || end === undefined || start === end ? null : decoder.decode(bytes.subarray(start, end));
}
const decoder = new TextDecoder();

export function listGates(text: string): string[] {
  return text.split('\n').filter((gate) => gate !== '');
}

/** The first four bytes: hashes are as good as random. */
export function firstBytes(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

function isSameHash(codes: Uint8Array, at: number, hash: Uint8Array): boolean {
  for (let i = 0; i < hashBytes; i += 1) if (codes[at + i] !== hash[i]) return false;
  return true;
}

export function tailText(tail: number, width: number): string {
  return width === 0 ? '' : String(tail).padStart(width, '0');
}

export function hashText(text: string, from = 0x811c9dc5): number {
  let hash = from;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The last index whose value is not above the wanted one, among rising values; empty places have no codes and are passed over. */
function lastAtOrBelow(from: Uint32Array, wanted: number): number {
  let low = 0;
  let high = from.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (from[middle]! <= wanted) low = middle;
    else high = middle;
  }
  return low;
}
