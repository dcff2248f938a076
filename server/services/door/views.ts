/** All that a phone may know about a place and a scan (RULES A4). */
import { hash } from 'node:crypto';
import type { NamedAdmission } from '#db/door/admissions.ts';
import type { DoorPlaceRow } from '#db/door/door.ts';
import type { EventRow, PlaceRow } from '#db/rows.ts';
import type { EndedCode } from '#server/domain/door/ended-code.ts';
import type { ListedState } from '#server/domain/door/admission.ts';
import { findsBuyers } from '#server/domain/door/buyer-search.ts';
import type { ListedAdmission, ListedPlace } from '#server/domain/door/door-list.ts';
import { lostBefore, readLost } from '#server/domain/door/lost-revisions.ts';
import {
  codesBefore,
  deadCodesOf,
  type Hop,
  type PlaceCode,
} from '#server/domain/door/moved-code.ts';
import { givenWords, keptMinutes, keptWords, letGoWords } from '#server/domain/door/kept.ts';
import { isSold } from '#server/domain/door/presence.ts';
import { askCardWords } from '#server/domain/order/card-words.ts';
import { tagsOf } from '#server/domain/seat/notices.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { isTrial, type House } from '#server/domain/door/trial.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { newestCode } from './scans.ts';
import { codeOf, hashOf, sealName, type CodeKey } from '#server/services/order/tickets.ts';

/**
 * Code hashes by the event's secrets and then by place. Codes change only with the secrets, so
 * all phones share them.
 */
const known = new Map<string, Map<string, readonly string[]>>();
/** Enough for two large halls. */
const mostPlaces = 200_000;

/** The hashes of all revisions that were issued, or perhaps lost, and of the next ones. */
function hashesOf(
  event: EventRow,
  {
    place,
    earlier_codes,
    ...counts
  }: Pick<PlaceRow, 'place' | 'issued' | 'skipped_to' | 'earlier_codes'>,
): readonly string[] {
  const key = `${event.code_tag} ${event.code_salt} ${event.code_secret} ${event.earlier_secret}`;
  const kept = known.get(key) ?? new Map<string, readonly string[]>();
  known.set(key, kept);
  const count = newestCode(counts);
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

interface ForPhone {
  gate: string | null;
  names: boolean;
  house: House;
  hops: readonly Hop[];
  /** Codes that the place's ticket had. */
  had: readonly PlaceCode[];
  /** Revisions of tickets whose place was let go and has another guest. */
  given: readonly number[];
  /** Names of the agreements under which the ticket was sold. */
  cards: readonly string[];
  /** How revisions of the place ended. */
  ended: readonly EndedCode[];
}

/**
 * The place as a phone gets it. `names`: the phone may search for people, so it gets the order
 * number and, at a nominative event, the name of the holder or buyer. The buyer's name goes where
 * the office lets guests be found by it, and with a ticket that is still good for something.
 * `hops`: the moves of the place's ticket.
 */
export function placeForPhone(
  event: EventRow,
  row: DoorPlaceRow,
  { gate, names, house, hops, had, given, ended, cards }: ForPhone,
): ListedPlace {
  const { place, revision, holder } = row;
  const present = { place, revision: revision ?? 0 };
  // Of a ticket that has ended they let nobody in, but a guest who is inside goes out.
  const moved_from = codesBefore(hops, present);
  const was = deadCodesOf({ hops, ended: had, present }, moved_from);
  const state = revision === null ? null : listedState(event, row, house);
  const finds = findsBuyers(event.buyer_search, names);
  const minutes = state === 'kept' ? minutesOf(event, row) : 0;
  return {
    place,
    seat: seatName(row),
    section: row.section,
    category: row.category,
    entrance: row.entrance,
    ...marksOf(row, state !== null && isSold(state) ? cards : []),
    issued: row.issued,
    hashes: hashesOf(event, row),
    lost: lostBefore(readLost(row.lost_revisions), row.issued),
    ...(given.length > 0 && { given }),
    ...(ended.length > 0 && { ended }),
    ticket:
      revision === null || state === null
        ? null
        : {
            revision,
            state,
            ...(minutes > 0 && { kept_minutes: minutes }),
            type_label: requireValue(row.type_label, 'type'),
            order_group: orderGroup(event, requireValue(row.order_id, 'order')),
            initials: initialsOf(holder),
            sealed_name: sealedNameOf(event, { ...row, revision }),
            gates: gate === null ? [] : [gate],
            name: names && event.nominative === 1 ? (holder ?? row.buyer_name ?? null) : null,
            ...(finds && isSold(state) && row.buyer_name && { buyer: row.buyer_name }),
            order_number: names ? (row.order_number ?? null) : null,
            reentry: row.reentry === 1,
            note: noteOf(row, state),
            ...(row.door_note !== null && { door_note: row.door_note }),
            moved_from,
            ...(was.length > 0 && { was }),
          },
  };
}

/** Most places have none. The card of an agreement is no fact about its guest. */
function marksOf(row: DoorPlaceRow, cards: readonly string[]): { marks?: string[] } {
  const marks = [...tagsOf(row), ...cards.map(askCardWords)];
  return marks.length > 0 ? { marks } : {};
}

type Kept = Pick<DoorPlaceRow, 'let_go_minutes' | 'let_go_at' | 'given'>;

function minutesOf(event: Pick<EventRow, 'free_until_minutes'>, { let_go_minutes }: Kept) {
  return keptMinutes(let_go_minutes, event.free_until_minutes);
}

/** A ticket's state in the door's list. */
export function listedState(
  event: Pick<EventRow, 'rehearsal' | 'free_until_minutes'>,
  { state, test_money, ...kept }: Pick<DoorPlaceRow, 'state' | 'test_money'> & Kept,
  house: House,
): ListedState {
  const ticket = { test_money: test_money === 1, rehearsal: event.rehearsal === 1 };
  if (state !== 'valid') return requireValue(state, 'state');
  if (isTrial(ticket, house)) return 'trial';
  if (kept.let_go_at !== null) return kept.given === 1 ? 'void' : 'let_go';
  return minutesOf(event, kept) > 0 ? 'kept' : 'valid';
}

/** What the door says beside the verdict; an app of before 1.2.0 shows it for both states. */
function noteOf({ let_go_at, given }: Kept, state: ListedState): string | null {
  if (state === 'kept') return keptWords;
  if (state === 'let_go') return letGoWords;
  return let_go_at !== null && given === 1 ? givenWords : null;
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
