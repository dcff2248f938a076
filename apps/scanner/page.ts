/** A captive portal answers 200 with anything: only what has the shape of our list may come near it. */
import type { AdmissionColumns, Headed, Repeated } from '#server/domain/door-list.ts';
import { isWhole } from '#server/domain/door-list.ts';
import type { DoorPage } from '#server/contract/door-list.ts';
import { TornPage } from './list-image.ts';

/** @throws TornPage */
export function readPage(reply: unknown): DoorPage {
  const page = reply as DoorPage;
  if (!isPage(page)) throw new TornPage('Not a page of the door’s list');
  return page;
}

function isPage(page: Partial<DoorPage> | null | undefined): page is DoorPage {
  try {
    return page!.wire === 2 && (page!.kind === 'snapshot' || page!.kind === 'delta') && typeof page!.cursor === 'string' && typeof page!.more === 'boolean'
      && typeof page!.event!.salt === 'string' && typeof page!.event!.tag === 'string' && !Number.isNaN(Date.parse(page!.event!.wipe_at)) && Array.isArray(page!.other_events)
      && isWhole(page!.places!) && [page!.places!.place, page!.places!.seat].every(isHeaded) && isWholeScans(page!.admissions!);
  } catch {
    // A column that is missing.
    return false;
  }
}

function isWholeScans({ admission_id, place, revision, direction, at, gate, phone_id, by, conflict_with, undone }: AdmissionColumns): boolean {
  const scans = admission_id.length;
  return isHeaded(place) && [place.tails, revision, direction, at, gate.at, phone_id.at, by.at, conflict_with.at, undone].every(({ length }) => length === scans) && [gate, phone_id, by, conflict_with].every(isRepeated);
}

function isHeaded({ heads, tails }: Headed): boolean {
  return isRepeated(heads) && heads.at.length === tails.length && heads.at.every((at) => heads.of[at] !== undefined);
}

function isRepeated({ of }: Repeated): boolean {
  return of.every((text) => typeof text === 'string');
}
