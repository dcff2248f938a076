/**
 * Reads a list's block (server/domain/door/door-block.ts) by code, place or number, without
 * unpacking it.
 */
import {
  orderGroupsOf,
  placeText,
  rowIn,
  tableOf,
  tailText,
  type Block,
} from '#server/domain/door/door-block.ts';
import { hashBytes } from '#server/domain/door/ticket-code.ts';
import type { LostSpan } from '#server/domain/door/lost-revisions.ts';
import { endedWhys, type EndedCode } from '#server/domain/door/ended-code.ts';
import type { PlaceCode } from '#server/domain/door/moved-code.ts';
import type { ListedAdmission, ListedPlace, ListedTicket } from '#server/domain/door/door-list.ts';
import { listedStates } from '#server/domain/door/admission.ts';
import { utf8Decoder, utf8Encoder } from '#server/domain/text/utf8.ts';

/** A place of the list, without its hashes. */
export type Place = Omit<ListedPlace, 'hashes'>;

/** The row of a place, or -1. */
export function rowOf(block: Block, place: string): number {
  return rowIn(block, (block.place_table ??= tableOf(block)), place);
}

/**
 * The place and revision of a code's hash, or null. Hashes are as good as random, so comparing
 * their first four bytes searches a whole hall in a fraction of a millisecond.
 */
export function findCode(block: Block, hash: Uint8Array): { row: number; revision: number } | null {
  const { code_words, code_from } = block;
  const [first, second, third] = new Uint32Array(
    new Uint8Array(hash.subarray(0, hashBytes)).buffer,
  );
  for (let at = 0; at < code_words.length; at += 3) {
    if (code_words[at] !== first || code_words[at + 1] !== second || code_words[at + 2] !== third)
      continue;
    const row = lastAtOrBelow(code_from, at / 3);
    return { row, revision: at / 3 - (code_from[row] ?? 0) + 1 };
  }
  return null;
}

function seatText(block: Block, row: number): string {
  const head = block.texts.seat[block.seat_head[row] ?? -1] ?? '';
  return head + tailText(block.seat_tail[row] ?? 0, block.seat_width[row] ?? 0);
}

/** A column holds the number of its text, from 1; 0 means no text. */
export function textAt(
  texts: readonly string[],
  column: ArrayLike<number>,
  i: number,
): string | null {
  return texts[(column[i] ?? 0) - 1] ?? null;
}

/** One place as a new object. */
export function placeOf(block: Block, row: number): Place {
  return {
    place: placeText(block, row),
    seat: seatText(block, row),
    section: textAt(block.texts.section, block.section, row),
    category: textAt(block.texts.category, block.category, row) ?? '',
    entrance: textAt(block.texts.entrance, block.entrance, row),
    ...marksOf(block, row),
    issued: block.issued[row] ?? 0,
    lost: lostOf(block, row),
    ...givenOf(block, row),
    ...endedOf(block, row),
    ticket: ticketOf(block, block.ticket_at[row] ?? -1),
  };
}

function lostOf({ lost_row, lost_first, lost_last }: Block, row: number): LostSpan[] {
  const spans: LostSpan[] = [];
  for (let i = lost_row.indexOf(row); i >= 0 && lost_row[i] === row; i += 1)
    spans.push([lost_first[i] ?? 0, lost_last[i] ?? 0]);
  return spans;
}

/** Nearly no place has any. */
function givenOf({ given_row, given_revision }: Block, row: number): { given?: number[] } {
  const given: number[] = [];
  for (let i = given_row.indexOf(row); i >= 0 && given_row[i] === row; i += 1)
    given.push(given_revision[i] ?? 0);
  return given.length > 0 ? { given } : {};
}

/** Nearly no place has any. */
function endedOf(block: Block, row: number): { ended?: EndedCode[] } {
  const { texts, ended_row } = block;
  const ended: EndedCode[] = [];
  for (let i = ended_row.indexOf(row); i >= 0 && ended_row[i] === row; i += 1)
    ended.push({
      revision: block.ended_revision[i] ?? 0,
      why: endedWhys[(block.ended_why[i] ?? 0) - 1] ?? null,
      at: (block.ended_minute[i] ?? 0) * 60_000,
      note: textAt(texts.ended_note, block.ended_note, i),
      order_number: textAt(texts.ended_order, block.ended_order, i),
      ...endedWasOf(block, i),
    });
  return ended.length > 0 ? { ended } : {};
}

function endedWasOf(block: Block, i: number): { was?: PlaceCode[] } {
  const was = codesIn(block, endedWasCodes(block), i);
  return was.length > 0 ? { was } : {};
}

function marksOf(block: Block, row: number): { marks?: string[] } {
  const marks = textAt(block.texts.marks, block.marks, row);
  return marks === null ? {} : { marks: marks.split('\n') };
}

export function stateAt({ state }: Block, ticket: number): ListedTicket['state'] {
  return listedStates[state[ticket] ?? 0] ?? 'other';
}

function ticketOf(block: Block, ticket: number): ListedTicket | null {
  if (ticket < 0) return null;
  const { texts } = block;
  const kept_minutes = block.kept_minutes[ticket] ?? 0;
  const buyer = poolText(block.buyer_from, block.buyer, ticket);
  const door_note = textAt(texts.door_note, block.door_note, ticket);
  const was = codesIn(block, wasCodes(block), ticket);
  return {
    revision: block.revision[ticket] ?? 0,
    state: stateAt(block, ticket),
    ...(kept_minutes > 0 && { kept_minutes }),
    type_label: textAt(texts.type_label, block.type_label, ticket) ?? '',
    order_group: textAt(orderGroupsOf(block), block.order_group, ticket) ?? '',
    initials: textAt(texts.initials, block.initials, ticket),
    sealed_name: poolText(block.sealed_name_from, block.sealed_name, ticket),
    gates: (textAt(texts.gates, block.gates, ticket) ?? '')
      .split('\n')
      .filter((gate) => gate !== ''),
    name: poolText(block.name_from, block.name, ticket),
    ...(buyer !== null && { buyer }),
    order_number: poolText(block.order_number_from, block.order_number, ticket),
    reentry: [null, false, true][block.reentry[ticket] ?? 0] ?? null,
    note: textAt(texts.note, block.note, ticket),
    ...(door_note !== null && { door_note }),
    moved_from: codesIn(block, movedCodes(block), ticket),
    ...(was.length > 0 && { was }),
  };
}

/** Codes of one ticket or ended code, which nearly none has. */
interface CodePool {
  from: Uint32Array;
  row: ArrayLike<number>;
  revision: ArrayLike<number>;
}

/** Those that still lead to the ticket since it moved. */
function movedCodes({ moved_from, moved_row, moved_revision }: Block): CodePool {
  return { from: moved_from, row: moved_row, revision: moved_revision };
}

/** Those that are dead. */
function wasCodes({ was_from, was_row, was_revision }: Block): CodePool {
  return { from: was_from, row: was_row, revision: was_revision };
}

/** The other ones of a ticket that had an ended code last. */
function endedWasCodes({ ended_was_from, ended_was_row, ended_was_revision }: Block): CodePool {
  return { from: ended_was_from, row: ended_was_row, revision: ended_was_revision };
}

function codesIn(block: Block, { from, row, revision }: CodePool, nth: number): PlaceCode[] {
  const codes: PlaceCode[] = [];
  const end = from[nth + 1] ?? 0;
  for (let i = from[nth] ?? end; i < end; i += 1)
    codes.push({ place: placeText(block, row[i] ?? 0), revision: revision[i] ?? 0 });
  return codes;
}

/** The row of the ticket that had this row's code before its present one, or -1. */
export function rowOfEarlier(block: Block, row: number, revision: number): number {
  for (const pool of [movedCodes(block), wasCodes(block)]) {
    const nth = nthWith(pool, row, revision);
    if (nth >= 0) return block.ticket_at.indexOf(nth);
  }
  return -1;
}

/** The row that a ticket with this row's code had last, and that another one has now; or -1. */
export function rowOfFormer(block: Block, row: number, revision: number): number {
  return block.ended_row[nthWith(endedWasCodes(block), row, revision)] ?? -1;
}

/** Which ticket or ended code has this one; or -1. */
function nthWith(
  { from, row: rows, revision: revisions }: CodePool,
  row: number,
  revision: number,
) {
  for (let i = 0; i < rows.length; i += 1)
    if (rows[i] === row && revisions[i] === revision) return lastAtOrBelow(from, i);
  return -1;
}

/** Marks the rows whose scans may be of a guest of another row, and the rows of those guests. */
export function linkedRows(block: Block): Uint8Array {
  const linked = new Uint8Array(block.count);
  const former = endedWasCodes(block);
  for (let i = 0; i < former.row.length; i += 1) linked[former.row[i] ?? 0] = 1;
  for (let i = 0; i < block.ended_row.length; i += 1)
    if ((former.from[i + 1] ?? 0) > (former.from[i] ?? 0)) linked[block.ended_row[i] ?? 0] = 1;
  for (const pool of [movedCodes(block), wasCodes(block)]) {
    if (pool.row.length === 0) continue;
    for (let i = 0; i < pool.row.length; i += 1) linked[pool.row[i] ?? 0] = 1;
    for (let row = 0; row < block.count; row += 1) {
      const ticket = block.ticket_at[row] ?? -1;
      if (ticket >= 0 && pool.from[ticket] !== pool.from[ticket + 1]) linked[row] = 1;
    }
  }
  return linked;
}

/** The scans of this place that the server knew when the list was made. */
export function scansOfRow(block: Block, row: number): ListedAdmission[] {
  const scans: ListedAdmission[] = [];
  const end = block.scan_from[row + 1] ?? 0;
  for (let i = block.scan_from[row] ?? end; i < end; i += 1) scans.push(scanOf(block, row, i));
  return scans;
}

function scanOf(block: Block, row: number, i: number): ListedAdmission {
  const { texts } = block;
  return {
    admission_id: poolText(block.scan_id_from, block.scan_id, i) ?? '',
    place: placeText(block, row),
    revision: block.scan_revision[i] ?? 0,
    direction: block.scan_direction[i] === 0 ? 'in' : 'out',
    at: block.scan_at[i] ?? 0,
    gate: textAt(texts.scan_gate, block.scan_gate, i),
    phone_id: textAt(texts.scan_phone_id, block.scan_phone_id, i),
    by: textAt(texts.scan_by, block.scan_by, i) ?? '',
    conflict_with: textAt(texts.scan_conflict_with, block.scan_conflict_with, i),
    undone: block.scan_undone[i] === 1,
  };
}

/** The place of a scan, or null. It is rarely needed, so all ids are compared in turn. */
export function placeOfScan(block: Block, admission_id: string): string | null {
  const wanted = utf8Encoder.encode(admission_id);
  for (let i = 0; i < block.scan_revision.length; i += 1) {
    const from = block.scan_id_from[i] ?? 0;
    if (
      block.scan_id_from[i + 1] === from + wanted.length &&
      wanted.every((byte, at) => block.scan_id[from + at] === byte)
    )
      return placeText(block, lastAtOrBelow(block.scan_from, i));
  }
  return null;
}

function poolText(from: Uint32Array, bytes: Uint8Array, i: number): string | null {
  const start = from[i];
  const end = from[i + 1];
  return start === undefined || end === undefined || start === end
    ? null
    : utf8Decoder.decode(bytes.subarray(start, end));
}

/**
 * The last index whose value is not above the wanted one, in a rising column. Of equal values the
 * last one counts, so places without codes are skipped.
 */
function lastAtOrBelow(from: Uint32Array, wanted: number): number {
  let low = 0;
  let high = from.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= wanted) low = middle;
    else high = middle;
  }
  return low;
}
