/**
 * Stores scans from phones: a batch is one transaction, each item is read and answered
 * separately, and no scan of a door is thrown away.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import { listEventIds } from '#db/event/events.ts';
import { findPhone, namesOfHandset, updatePhone } from '#db/door/phones.ts';
import type { Truth } from '#db/migrations/table.ts';
import type { AdmissionRow, PhoneRow } from '#db/rows.ts';
import {
  doorDayOf,
  knownScans,
  placesWithTickets,
  takenSeqs,
  type DoorDayRow,
  type KnownScan,
  type TicketedPlace,
} from '#db/door/scans.ts';
import { transact } from '#db/engine/transact.ts';
import type { Direction, ScanMethod, Verdict } from '#server/domain/door/admission.ts';
import { lacksConsent, type Approval } from '#server/domain/door/approval.ts';
import { doubtOf, type Doubt } from '#server/domain/door/doubt.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { maskTicketCode } from '#server/domain/door/ticket-code.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { validApprovals, type ValidApproval } from './approvals.ts';
import { addRows, bareScan } from './passages.ts';
import { consentAskedSince } from './pin.ts';
import { tellPassages } from '#server/services/kit/tell-programs.ts';

/** How many revisions beyond the issued ones a phone can recognise (RULES C3). */
export const revisionsAhead = 2;

/** A scan as a phone sent it, times in milliseconds. */
export interface SentScan {
  admission_id: string;
  seq: number;
  event_id: string;
  place: string | null;
  revision: number | null;
  read: string | null;
  direction: Direction;
  gate: string | null;
  verdict: Verdict;
  counts: boolean;
  override: string | null;
  scanned_at: number;
  corrected_at: number;
  offline: boolean;
  means?: ScanMethod;
  note?: string | null;
  annuls?: string | null;
  approval?: Approval | null;
}

interface ScanResult {
  admission_id: string | null;
  index: number;
  result: 'stored' | 'conflict' | 'unreadable';
  verdict: Verdict | null;
  conflict_with: string | null;
}

interface Batch {
  phone: PhoneRow;
  /** The batch comes from this phone's former handset, which another one has replaced. */
  replaced: boolean;
  events: ReadonlySet<string>;
  items: readonly unknown[];
  readScan: (item: unknown) => SentScan | null;
}

/** An unreadable item does not affect the others; the same batch again changes nothing. */
export async function takeScans(ctx: Ctx, batch: Batch) {
  const { results } = await storeBatch(ctx, batch);
  return { results, server_time: ctx.now() };
}

/** Scans per transaction: a file of a whole evening must not hold up other requests. */
const batchSize = 500;

/**
 * Stores a phone's exported file for the office, scans of any event, even if the phone is
 * revoked; its queue counts as shorter by these items.
 */
export async function importScans(
  ctx: Ctx,
  {
    phone_id,
    items,
    readScan,
    actor,
  }: { phone_id: string; items: readonly unknown[]; readScan: Batch['readScan']; actor: Actor },
) {
  const found = await findPhone(ctx.db, phone_id);
  if (!found) throw new Refusal('phone_not_found');
  const events = new Set(await listEventIds(ctx.db));
  const results: ScanResult[] = [];
  let known = 0;
  let phone = found;
  for (let start = 0; start < items.length; start += batchSize) {
    const stored = await storeBatch(ctx, {
      phone,
      replaced: false,
      events,
      items: items.slice(start, start + batchSize),
      readScan,
    });
    results.push(...stored.results.map((result) => ({ ...result, index: result.index + start })));
    known += stored.known;
    phone = { ...phone, queue_length: stored.queue_length };
    await yieldToLoop();
  }
  const unreadable = results.filter(({ result }) => result === 'unreadable').length;
  const figures = { stored: results.length - known - unreadable, known, unreadable };
  await happened(ctx, ctx.db, {
    actor,
    action: 'scans_imported',
    subject: phone.id,
    detail: figures,
  });
  return { phone_name: phone.name, results, ...figures };
}

/**
 * `known`: items that had arrived before. `queue_length`: what the phone has yet to send, if it
 * has said so.
 */
interface Stored {
  results: ScanResult[];
  known: number;
  queue_length: number | null;
}

const mostAttempts = 6;

async function storeBatch(
  ctx: Ctx,
  { phone, replaced, events, items, readScan }: Batch,
): Promise<Stored> {
  const asked = items.map((item) => {
    const scan = readScan(item);
    return scan !== null && events.has(scan.event_id)
      ? { scan, named: scan.admission_id }
      : { scan: null, named: nameOf(item) };
  });
  const scans = asked.flatMap(({ scan }) => scan ?? []);
  const isSent = phone.queue_length !== null && phone.queue_length > 0 && items.length > 0;
  const queue_length = isSent
    ? Math.max(0, (phone.queue_length ?? 0) - items.length)
    : phone.queue_length;
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Nearly always all scans are new: stored ones are read only after a unique violation.
      const isFirst = attempt === 1;
      const ids = isFirst ? [] : scans.map(({ admission_id }) => admission_id);
      const before = new Map((await knownScans(ctx.db, ids)).map((row) => [row.id, row]));
      const fresh = freshOf(scans, before);
      const store = async (trx: Trx) => {
        // A revoked phone no longer reports its queue, so these items are subtracted here.
        if (isSent) await updatePhone(trx, phone.id, { queue_length });
        const numbers = isFirst ? [] : fresh.map(({ seq }) => seq);
        const seqs = await takenSeqs(trx, phone.id, numbers);
        return addScans(ctx, trx, { phone, replaced, fresh, seqs, received_at: ctx.now() });
      };
      const added =
        fresh.length === 0 && !isSent ? [] : await transact(ctx.db, store, { repeatable: true });
      const rows = new Map<string, KnownScan>([
        ...before,
        ...added.map((row) => [row.id, row] as const),
      ]);
      const results = asked.map(({ scan, named }, index) => ({
        index,
        ...resultOf(named, { scan, row: rows.get(named ?? '') }),
      }));
      const known = results.filter(
        ({ admission_id, result }) => result !== 'unreadable' && before.has(admission_id ?? ''),
      ).length;
      return { results, known, queue_length };
    } catch (error) {
      // The scan or its number is stored already, perhaps by a concurrent request.
      if (!isUniqueViolation(error)) throw error;
      if (attempt === mostAttempts) throw new Refusal('try_again');
    }
  }
}

/** The scans that are not stored yet, each id once. */
function freshOf(scans: readonly SentScan[], before: ReadonlyMap<string, KnownScan>): SentScan[] {
  const fresh = new Map<string, SentScan>();
  for (const scan of scans)
    if (!before.has(scan.admission_id) && !fresh.has(scan.admission_id))
      fresh.set(scan.admission_id, scan);
  return [...fresh.values()];
}

function nameOf(item: unknown): string | null {
  const named = (item as { admission_id?: unknown } | null | undefined)?.admission_id;
  return typeof named === 'string' ? named : null;
}

/** A scan with the id of another scan counts as unreadable, so that a person looks at it. */
function resultOf(
  named: string | null,
  { scan, row }: { scan: SentScan | null; row: KnownScan | undefined },
): Omit<ScanResult, 'index'> {
  if (scan === null || row === undefined || !isSame(row, scan))
    return { admission_id: named, result: 'unreadable', verdict: null, conflict_with: null };
  return {
    admission_id: row.id,
    result: row.conflict_with === null ? 'stored' : 'conflict',
    verdict: row.conflict_with === null ? row.verdict : 'already_in',
    conflict_with: row.conflict_with,
  };
}

/**
 * The phone is not compared: one that was paired anew did not learn that its scan had arrived.
 */
function isSame(known: KnownScan, scan: SentScan): boolean {
  return (
    known.event_id === scan.event_id &&
    known.direction === scan.direction &&
    known.scanned_at === scan.scanned_at &&
    known.verdict === scan.verdict
  );
}

interface Delivery {
  phone: PhoneRow;
  replaced: boolean;
  received_at: number;
}

/**
 * Stores new scans of one phone, each with its own id; leaves out those that cannot come from a
 * ticket.
 */
async function addScans(
  ctx: Ctx,
  trx: Trx,
  {
    fresh,
    seqs,
    ...delivery
  }: Delivery & {
    fresh: readonly SentScan[];
    /** Numbers that other scans of the phone have. */
    seqs: Set<number | null>;
  },
): Promise<AdmissionRow[]> {
  const rows: AdmissionRow[] = [];
  const supervisor = delivery.phone.role === 'supervisor';
  // Always in the same order, so that two batches never wait for each other.
  for (const [event_id, scans] of [...Map.groupBy(fresh, (scan) => scan.event_id)].toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  )) {
    const made = await rowsOfEvent(trx, { ...delivery, event_id, scans });
    for (const row of made) {
      if (seqs.has(row.seq)) row.seq = null;
      else seqs.add(row.seq);
    }
    const passed = await addRows(trx, event_id, { rows: made, supervisor });
    await tellPassages(ctx, trx, event_id, passed);
    rows.push(...made);
  }
  return rows;
}

async function rowsOfEvent(
  trx: Trx,
  { event_id, scans, ...delivery }: Delivery & { event_id: string; scans: readonly SentScan[] },
): Promise<AdmissionRow[]> {
  const places = [...new Set(scans.flatMap(({ place }) => place ?? []))];
  const known = await placesWithTickets(trx, event_id, places);
  const day = await doorDayOf(trx, event_id, delivery.phone.id);
  const isActing = scans.some(({ override, means }) => override !== null || means === 'search');
  const asked_since =
    isActing && delivery.phone.role === 'steward' ? await consentAskedSince(trx) : null;
  const approved = await approvalsOf(trx, delivery.phone, scans);
  return scans
    .filter(
      ({ place, revision }) =>
        place === null ||
        (revision ?? 0) <= (known.get(place)?.issued ?? Number.POSITIVE_INFINITY) + revisionsAhead,
    )
    .map((scan) => {
      const place = scan.place === null ? undefined : known.get(scan.place);
      const row = rowOf(scan, place, delivery);
      return judged(
        { ...row, ...approved.get(scan.admission_id) },
        { ...delivery, day, asked_since },
      );
    });
}

/** The phone's own account; `known`: its place, if the event has that place. */
function rowOf(
  scan: SentScan,
  known: TicketedPlace | undefined,
  { phone, received_at }: Delivery,
): AdmissionRow {
  return {
    ...bareScan,
    id: scan.admission_id,
    event_id: scan.event_id,
    place: known ? scan.place : null,
    revision: scan.revision,
    ticket_id: known?.tickets.get(scan.revision ?? 0) ?? null,
    phone_id: phone.id,
    seq: scan.seq,
    direction: scan.direction,
    verdict: scan.verdict,
    counts: truth(scan.counts && known !== undefined),
    override: scan.override,
    read: scan.read === null ? null : maskTicketCode(scan.read),
    gate: scan.gate,
    offline: truth(scan.offline),
    scanned_at: scan.scanned_at,
    corrected_at: scan.corrected_at,
    received_at,
    means: scan.means ?? 'code',
    note: scan.note ?? null,
    annuls: scan.annuls ?? null,
    approval: scan.approval ? JSON.stringify(scan.approval) : null,
  };
}

interface Judging extends Delivery {
  day: DoorDayRow;
  /** Since when the phone needs a supervisor's consent; null: it needs none. */
  asked_since: number | null;
}

/** A scan that its phone was not allowed to make does not count until the office says so. */
function judged(row: AdmissionRow, judging: Judging): AdmissionRow {
  const changesNothing = row.counts === 0 && row.annuls === null;
  if (changesNothing || row.place === null) return row;
  const doubt = doubtOfTime(row, judging) ?? doubtOfConsent(row, judging);
  return doubt === null ? row : { ...row, doubt, counts: 0 };
}

function doubtOfTime(row: AdmissionRow, { day, phone, replaced }: Judging): Doubt | null {
  const ends = [phone.revoked_at, replaced ? phone.paired_at : null].filter((at) => at !== null);
  return doubtOf(
    row,
    { ...day, rehearsal: day.rehearsal === 1 },
    {
      clock_offset_ms: phone.clock_offset_ms,
      ended_at: ends.length === 0 ? null : Math.min(...ends),
      event_ended_at: day.event_ended_at,
    },
  );
}

function doubtOfConsent(row: AdmissionRow, { asked_since }: Judging): Doubt | null {
  const asks_supervisor = asked_since !== null && row.corrected_at >= asked_since;
  return lacksConsent(row, { asks_supervisor, approved: row.approved_by !== null })
    ? 'no_consent'
    : null;
}

async function approvalsOf(trx: Trx, phone: PhoneRow, scans: readonly SentScan[]) {
  const asked = scans.filter(({ approval }) => approval);
  if (asked.length === 0) return new Map<string, ValidApproval>();
  const phone_ids = await namesOfHandset(trx, phone);
  return validApprovals(
    trx,
    asked.map(({ means = 'code', annuls = null, approval = null, ...scan }) => ({
      ...scan,
      phone_ids,
      means,
      annuls,
      approval,
    })),
  );
}

function truth(value: boolean): Truth {
  return value ? 1 : 0;
}
