/**
 * Whether a scan from a phone counts at once, or waits for the office because its phone was not
 * allowed to make it or cannot have made it so (RULES A9, A10, A12).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Trx } from '#db/engine/dialect.ts';
import type { AdmissionRow, PhoneRow } from '#db/rows.ts';
import {
  arrivedBy,
  paceOf,
  ticketOfRevision,
  type DoorDayRow,
  type TicketedPlace,
} from '#db/door/scans.ts';
import { isLost, readLost } from '#server/domain/door/lost-revisions.ts';
import { leadsTo, type Hop } from '#server/domain/door/moved-code.ts';
import { lacksConsent } from '#server/domain/door/approval.ts';
import {
  doubtOf,
  doubtOfTicket,
  fasterThanHands,
  hands,
  type Doubt,
} from '#server/domain/door/doubt.ts';
import {
  macBytes,
  macText,
  type CodeCheck,
  type CodeRead,
} from '#server/domain/door/scan-proof.ts';
import { codeOf } from '#server/services/order/tickets.ts';

export interface Judging {
  phone: PhoneRow;
  /** The batch comes from this phone's former handset, which another one has replaced. */
  replaced: boolean;
  day: DoorDayRow;
  /** Since when stewards need a supervisor's consent to overrule; null: they need none. */
  asked_since: number | null;
  /** The places that the scans name, and those whose codes were read. */
  known: ReadonlyMap<string, TicketedPlace>;
  /** The moves of the tickets whose scans name another code than was read. */
  hops: ReadonlyMap<string, Hop[]>;
}

type ReadScan = Pick<
  AdmissionRow,
  'id' | 'event_id' | 'place' | 'revision' | 'direction' | 'means'
>;

/**
 * What the proof is worth that a code was read for this scan; null: nothing. The scan must count
 * for that very ticket, which may have moved since, or in a group for a ticket of the same order.
 * A code that cannot be made any more is believed only of a ticket that is still good.
 */
export function checkCode(
  scan: ReadScan,
  read: CodeRead | null,
  { day, known, hops }: Pick<Judging, 'day' | 'known' | 'hops'>,
): CodeCheck | null {
  const place = read === null ? undefined : known.get(read.place);
  if (read === null || !place || !isReadFor(scan, read, { known, hops })) return null;
  if (read.revision <= place.lost_codes) return isGood(read, known) ? 'unchecked' : null;
  const code = codeOf(day, { ...read, earlier_codes: place.earlier_codes });
  const text = macText({ ...scan, admission_id: scan.id });
  const mac = createHmac('sha256', code).update(text).digest().subarray(0, macBytes);
  return timingSafeEqual(mac, Buffer.from(read.mac, 'base64url')) ? 'proved' : null;
}

function isReadFor(
  { place, revision, means }: ReadScan,
  read: CodeRead,
  { known, hops }: Pick<Judging, 'known' | 'hops'>,
): boolean {
  if (read.place === place && read.revision === revision) return true;
  if (means !== 'group') {
    const ticket = ticketOf({ place, revision }, known);
    const present = { place: place ?? '', revision: revision ?? 0 };
    return leadsTo(hops.get(ticket?.id ?? '') ?? [], read, present);
  }
  // The phone may have been offline while the leader's ticket was renewed.
  const leader = ticketOf(read, known);
  const companion = ticketOf({ place, revision }, known);
  // A companion may have the seat now that the leader had; nobody follows themselves.
  return leader?.order_id === companion?.order_id && leader?.id !== companion?.id;
}

/** The ticket of exactly this revision admits; an unpaid one does so against the rule. */
function isGood({ place, revision }: CodeRead, known: Judging['known']): boolean {
  const state = known.get(place)?.tickets.get(revision)?.state;
  return state === 'valid' || state === 'unpaid';
}

/** The ticket for which a scan would count. */
export function ticketOf(
  { place, revision }: Pick<ReadScan, 'place' | 'revision'>,
  known: Judging['known'],
) {
  const found = known.get(place ?? '');
  return found && ticketOfRevision(found, revision ?? 0);
}

/** Puts in doubt what its phone could not do; changes the rows. */
export async function judge(
  trx: Trx,
  rows: readonly AdmissionRow[],
  judging: Judging,
): Promise<void> {
  const passing = rows.filter((row) => row.counts === 1 || row.annuls !== null);
  const late = await lateUndos(trx, passing, judging);
  for (const row of passing) {
    if (row.place === null) continue;
    // Without a proof the time of the scan is only a claim, too.
    const doubt = doubtOfProof(row) ?? doubtOfTime(row, judging) ?? doubtOfConsent(row, judging);
    doubtIt(row, doubt ?? (late.has(row.annuls ?? '') ? 'phone_ended' : null));
  }
  // A proof cannot be made without a guest, however fast they come.
  const sure = passing
    .filter((row) => row.place !== null && row.doubt === null && row.code_check !== 'proved')
    .map((row) => ({ row, corrected_at: row.corrected_at, deed_of: deedOf(row, judging) }));
  if (sure.length === 0) return;
  const times = sure.map((row) => row.corrected_at);
  const before = await paceOf(trx, judging.phone.id, {
    after: Math.min(...times) - hands.ms,
    until: Math.max(...times),
  });
  for (const { row } of fasterThanHands(before, sure)) doubtIt(row, 'too_fast');
}

function deedOf({ id, place, revision }: AdmissionRow, { known }: Judging): string {
  return known.get(place ?? '')?.tickets.get(revision ?? 0)?.order_id ?? id;
}

/** What an ended phone takes back although the house had heard of it before the end. */
async function lateUndos(
  trx: Trx,
  rows: readonly AdmissionRow[],
  { day, ...judging }: Judging,
): Promise<Set<string>> {
  const { ended_at, event_ended_at } = delivererOf(day, judging);
  const end = Math.min(ended_at ?? Infinity, event_ended_at ?? Infinity);
  if (end === Infinity) return new Set();
  const undos = rows.filter(({ received_at }) => received_at > end);
  return arrivedBy(
    trx,
    end,
    undos.flatMap(({ annuls }) => annuls ?? []),
  );
}

function doubtIt(row: AdmissionRow, doubt: Doubt | null): void {
  if (doubt !== null) Object.assign(row, { doubt, counts: 0 });
}

function doubtOfTime(row: AdmissionRow, { day, known, ...judging }: Judging): Doubt | null {
  const phone = delivererOf(day, judging);
  const doubt = doubtOf(row, { ...day, rehearsal: day.rehearsal === 1 }, phone);
  const place = known.get(row.place ?? '');
  if (doubt !== null || row.annuls !== null || day.rehearsal === 1 || !place) return doubt;
  const { issued } = place;
  const revision = row.revision ?? 0;
  const issued_at = ticketOfRevision(place, revision)?.issued_at ?? null;
  const isKnown = row.verdict === 'admit' || row.verdict === 'moved';
  const isAskedAbout = !isKnown || row.override !== null;
  // A phone may know a ticket that this house has lost with what its backup lacks (RULES B3).
  const isAuthentic = isAskedAbout || isLost(readLost(place.lost_revisions), revision);
  const verified = row.code_check !== null && isAuthentic;
  return doubtOfTicket({ ...row, revision, verified }, { issued, issued_at }, phone);
}

/** What the office knows of the phone that hands in. */
export function delivererOf(
  { event_ended_at }: DoorDayRow,
  { phone, replaced }: Pick<Judging, 'phone' | 'replaced'>,
) {
  const ends = [phone.revoked_at, replaced ? phone.paired_at : null].filter((at) => at !== null);
  return {
    clock_offset_ms: phone.clock_offset_ms,
    ended_at: ends.length === 0 ? null : Math.min(...ends),
    event_ended_at,
  };
}

/** Letting in and out needs the code or, without it, a supervisor; taking back has its own rule. */
function doubtOfProof(row: AdmissionRow): Doubt | null {
  if (row.annuls !== null) return null;
  const isByHand = row.means === 'search';
  return isByHand || row.code_check !== null ? null : 'no_proof';
}

function doubtOfConsent(row: AdmissionRow, { phone, asked_since }: Judging): Doubt | null {
  const isByHand = row.means === 'search';
  const isAsked = asked_since !== null && row.corrected_at >= asked_since;
  // A file has no token, so it cannot show that a supervisor's phone made it.
  const isSteward = phone.role === 'steward' || (isByHand && row.from_file === 1);
  const asks_supervisor = isSteward && (isByHand || isAsked);
  const approved = row.approved_by !== null;
  return lacksConsent(row, { asks_supervisor, approved }) ? 'no_consent' : null;
}
