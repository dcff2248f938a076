/** All that a phone may know about a place and a scan (RULES A4). */
import { hash } from 'node:crypto';
import type { NamedAdmission } from '#db/door/admissions.ts';
import type { DoorPlaceRow } from '#db/door/door.ts';
import type { EventRow, PlaceRow } from '#db/rows.ts';
import type { ListedState } from '#server/domain/door/admission.ts';
import type { ListedAdmission, ListedPlace } from '#server/domain/door/door-list.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { isTrial, type House } from '#server/domain/door/trial.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { revisionsAhead } from './scans.ts';
import { codeOf, hashOf, sealName, type CodeKey } from '#server/services/order/tickets.ts';

/**
 * Code hashes by the event's secrets and then by place. Codes change only with the secrets, so
 * all phones share them.
 */
const known = new Map<string, Map<string, readonly string[]>>();
/** Enough for two large halls. */
const mostPlaces = 200_000;

/** The hashes of all issued revisions and of the next ones. */
function hashesOf(
  event: EventRow,
  { place, issued, earlier_codes }: Pick<PlaceRow, 'place' | 'issued' | 'earlier_codes'>,
): readonly string[] {
  const key = `${event.code_tag} ${event.code_salt} ${event.code_secret} ${event.earlier_secret}`;
  const kept = known.get(key) ?? new Map<string, readonly string[]>();
  known.set(key, kept);
  const count = issued + revisionsAhead;
  const before = kept.get(place) ?? [];
  if (before.length >= count) return before.length === count ? before : before.slice(0, count);
  const hashes = [...before];
  while (hashes.length < count) {
    const revision = hashes.length + 1;
    hashes.push(hashOf(event, codeOf(event, { place, revision, earlier_codes })));
  }
  makeRoom();
  kept.set(place, hashes);
  return hashes;
}

/** Drops the hashes of the event that was stored first, even if it is the current one. */
function makeRoom(): void {
  let total = 0;
  for (const hashes of known.values()) total += hashes.size;
  if (total >= mostPlaces) known.delete(known.keys().next().value!);
}

/** A text that is the same for all tickets of an order and reveals nothing else. */
function orderGroup(event: Pick<EventRow, 'code_salt'>, order_id: string): string {
  return hash('sha256', `order|${event.code_salt}|${order_id}`, 'base64url').slice(0, 8);
}

function initialsOf(holder: string | null): string | null {
  return holder === null
    ? null
    : holder
        .split(/\s+/, 4)
        .map((word) => `${[...word][0]?.toUpperCase() ?? ''}.`)
        .join(' ');
}

/** Null unless the event compares names with documents at the door. */
function sealedNameOf(
  event: EventRow,
  { state, holder, ...key }: CodeKey & Pick<DoorPlaceRow, 'state' | 'holder'>,
): string | null {
  if (event.nominative === 0 || holder === null || state !== 'valid') return null;
  return sealName(event, codeOf(event, key), holder);
}

/**
 * The place as a phone gets it. `names`: the phone may search for people, so it gets the order
 * number and, at a nominative event, the name of the holder or buyer.
 */
export function placeForPhone(
  event: EventRow,
  row: DoorPlaceRow,
  { gate, names, house }: { gate: string | null; names: boolean; house: House },
): ListedPlace {
  const { place, revision, holder } = row;
  return {
    place,
    seat: seatName(row),
    section: row.section,
    category: row.category,
    entrance: row.entrance,
    issued: row.issued,
    hashes: hashesOf(event, row),
    ticket:
      revision === null
        ? null
        : {
            revision,
            state: listedState(event, row, house),
            type_label: requireValue(row.type_label, 'type'),
            order_group: orderGroup(event, requireValue(row.order_id, 'order')),
            initials: initialsOf(holder),
            sealed_name: sealedNameOf(event, { ...row, revision }),
            gates: gate === null ? [] : [gate],
            name: names && event.nominative === 1 ? (holder ?? row.buyer_name ?? null) : null,
            order_number: names ? (row.order_number ?? null) : null,
          },
  };
}

/** A ticket's state in the door's list. */
export function listedState(
  { rehearsal }: Pick<EventRow, 'rehearsal'>,
  { state, test_money }: Pick<DoorPlaceRow, 'state' | 'test_money'>,
  house: House,
): ListedState {
  const ticket = { test_money: test_money === 1, rehearsal: rehearsal === 1 };
  return state === 'valid' && isTrial(ticket, house) ? 'trial' : requireValue(state, 'state');
}

export function admissionForPhone(row: NamedAdmission): ListedAdmission {
  return {
    admission_id: row.id,
    place: requireValue(row.place, 'place'),
    revision: requireValue(row.revision, 'revision'),
    direction: row.direction,
    at: row.corrected_at,
    gate: row.gate,
    phone_id: row.phone_id,
    by: byOf(row),
    conflict_with: row.conflict_with,
    undone: row.annulled_by !== null,
  };
}

export function byOf(row: Pick<NamedAdmission, 'phone_name' | 'user_name'>): string {
  return row.phone_name ?? row.user_name ?? '—';
}
