/** A captive portal answers 200 with anything: only what has the shape of our list may come near it. */
import { splitAnswer, TornPage } from '#server/domain/door-block.ts';
import type { AdmissionColumns, Headed, Repeated } from '#server/domain/door-list.ts';
import { isWhole } from '#server/domain/door-list.ts';
import type { DoorHead, DoorPage } from '#server/contract/door-list.ts';

/** A whole list as the phone keeps it, and what the page says beside it. */
export interface BlockAnswer {
  head: DoorHead;
  block: Uint8Array<ArrayBuffer>;
}

/** Null: the answer is a page in JSON. @throws TornPage */
export function readBlockAnswer(bytes: ArrayBuffer): BlockAnswer | null {
  const parts = splitAnswer(bytes);
  if (!parts) return null;
  const head = parseJson(parts.rest) as DoorHead;
  if (!isHead(head)) throw new TornPage('Not the head of a list');
  return { head, block: parts.block };
}

/** @throws TornPage */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TornPage('Not JSON', { cause: error });
  }
}

/** @throws TornPage */
export function readPage(reply: unknown): DoorPage {
  const page = reply as DoorPage;
  if (!isPage(page)) throw new TornPage('Not a page of the door’s list');
  return page;
}

function isHead(head: Partial<DoorHead> | null | undefined): boolean {
  return (
    head?.wire === 2 &&
    (head.kind === 'snapshot' || head.kind === 'delta') &&
    typeof head.cursor === 'string' &&
    typeof head.more === 'boolean' &&
    typeof head.event?.salt === 'string' &&
    typeof head.event.tag === 'string' &&
    !Number.isNaN(Date.parse(head.event.wipe_at)) &&
    Array.isArray(head.other_events)
  );
}

function isPage(page: Partial<DoorPage> | null | undefined): page is DoorPage {
  try {
    return (
      isHead(page) &&
      isWhole(page!.places!) &&
      [page!.places!.place, page!.places!.seat].every(isHeaded) &&
      isWholeScans(page!.admissions!)
    );
  } catch {
    // A column that is missing.
    return false;
  }
}

function isWholeScans({
  admission_id,
  place,
  revision,
  direction,
  at,
  gate,
  phone_id,
  by,
  conflict_with,
  undone,
}: AdmissionColumns): boolean {
  const scans = admission_id.length;
  return (
    isHeaded(place) &&
    [
      place.tails,
      revision,
      direction,
      at,
      gate.at,
      phone_id.at,
      by.at,
      conflict_with.at,
      undone,
    ].every(({ length }) => length === scans) &&
    [gate, phone_id, by, conflict_with].every(isRepeated)
  );
}

function isHeaded({ heads, tails }: Headed): boolean {
  return (
    isRepeated(heads) &&
    heads.at.length === tails.length &&
    heads.at.every((at) => heads.of[at] !== undefined)
  );
}

function isRepeated({ of }: Repeated): boolean {
  return of.every((text) => typeof text === 'string');
}
