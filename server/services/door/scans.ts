/**
 * Stores scans from phones. A batch is one transaction, each item is answered separately, and no
 * scan is thrown away.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import { listEventIds } from '#db/event/events.ts';
import { findPhone, namesOfHandset, updatePhone } from '#db/door/phones.ts';
import type { Truth } from '#db/migrations/table.ts';
import type { AdmissionRow, PhoneRow, PlaceRow } from '#db/rows.ts';
import {
  doorDayOf,
  hopsOf,
  knownScans,
  placesWithTickets,
  takenSeqs,
  type KnownScan,
} from '#db/door/scans.ts';
import { transact } from '#db/engine/transact.ts';
import type { Direction, ScanMethod, Verdict } from '#server/domain/door/admission.ts';
import type { Against } from '#server/domain/door/against.ts';
import type { Approval } from '#server/domain/door/approval.ts';
import { keptText } from '#server/domain/door/kept-text.ts';
import type { CodeRead } from '#server/domain/door/scan-proof.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { spoken, wires } from '#server/domain/door/wire.ts';
import { happened } from '#server/services/kit/happened.ts';
import { settlePlaces } from '#server/services/payment/against.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { validApprovals, type ValidApproval } from './approvals.ts';
import { checkCode, judge, ticketOf, type Judging } from './judging.ts';
import { addRows, bareScan } from './passages.ts';
import { consentAskedSince } from './pin.ts';
import { tellPassages } from '#server/services/kit/tell-programs.ts';

/** How many revisions beyond the issued ones a phone can recognise (RULES C3). */
const revisionsAhead = 2;

/** A scan as the phone sent it; times in milliseconds. */
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
  code_read?: CodeRead | null;
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
  against?: Against | null;
}

interface Batch {
  phone: PhoneRow;
  /** The batch comes from an old handset of this phone; another one has replaced it. */
  replaced: boolean;
  /** The office sends the phone's exported file. */
  from_file?: boolean;
  events: ReadonlySet<string>;
  items: readonly unknown[];
  readScan: (item: unknown) => SentScan | null;
}

/**
 * An unreadable item does not affect the others; the same batch again changes nothing. `sent_at`:
 * the ISO time of the phone's own clock.
 */
export async function takeScans(ctx: Ctx, { sent_at, ...batch }: Batch & { sent_at?: unknown }) {
  const sent = typeof sent_at === 'string' ? Date.parse(sent_at) : Number.NaN;
  const clock_offset_ms = Number.isNaN(sent) ? batch.phone.clock_offset_ms : ctx.now() - sent;
  const phone = { ...batch.phone, clock_offset_ms };
  const { results } = await storeBatch(ctx, { ...batch, phone });
  return { results, server_time: ctx.now() };
}

/** Scans per transaction: the file of a whole evening must not hold up other requests. */
const batchSize = 500;

/**
 * Stores the file that a phone exported, with scans of any event, even of a revoked phone. The
 * length of the phone's queue is reduced by these items.
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
      from_file: true,
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
 * `known`: how many items were stored before. `queue_length`: how many scans the phone has yet to
 * send, if it said so.
 */
interface Stored {
  results: ScanResult[];
  known: number;
  queue_length: number | null;
}

const mostAttempts = 6;

async function storeBatch(
  ctx: Ctx,
  { phone, replaced, from_file = false, events, items, readScan }: Batch,
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
      // Scans are nearly always new, so the stored ones are read only after a unique violation.
      const isFirst = attempt === 1;
      const ids = isFirst ? [] : scans.map(({ admission_id }) => admission_id);
      const before = new Map((await knownScans(ctx.db, ids)).map((row) => [row.id, row]));
      const fresh = freshOf(scans, before);
      const store = async (trx: Trx) => {
        // A revoked phone no longer reports its queue, so these items are subtracted here.
        if (isSent) await updatePhone(trx, phone.id, { queue_length });
        const numbers = isFirst ? [] : fresh.map(({ seq }) => seq);
        const seqs = await takenSeqs(trx, phone.id, numbers);
        return addScans(ctx, trx, {
          phone,
          replaced,
          from_file,
          fresh,
          seqs,
          received_at: ctx.now(),
        });
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

/** If another scan has this id, the scan counts as unreadable, so that a person looks at it. */
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
    ...(row.against !== null && { against: row.against }),
  };
}

/** Scans of two phones may be the same: a handset that was paired anew may send a scan again. */
function isSame(known: KnownScan, scan: SentScan): boolean {
  return (
    known.event_id === scan.event_id &&
    known.direction === scan.direction &&
    known.scanned_at === scan.scanned_at &&
    // A server of another release may have stored the scan under a word that it knows.
    (known.verdict === 'verify' ||
      wires.some((wire) => spoken[wire].verdict(scan) === known.verdict))
  );
}

interface Delivery {
  phone: PhoneRow;
  replaced: boolean;
  from_file: boolean;
  received_at: number;
}

/** Stores new scans of one phone, each with its own id, unless no ticket can have led to them. */
async function addScans(
  ctx: Ctx,
  trx: Trx,
  {
    fresh,
    seqs,
    ...delivery
  }: Delivery & {
    fresh: readonly SentScan[];
    /** Numbers that other scans of the phone use. */
    seqs: Set<number | null>;
  },
): Promise<AdmissionRow[]> {
  const rows: AdmissionRow[] = [];
  // A file has no token, so it cannot show that a supervisor's phone made it.
  const supervisor = delivery.phone.role === 'supervisor' && !delivery.from_file;
  // The events come in a fixed order, so that two batches never wait for each other.
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
    const marked = new Map(
      (await settlePlaces(ctx, trx, event_id, passed)).map(({ id, against }) => [id, against]),
    );
    for (const row of made) row.against = marked.get(row.id) ?? null;
    rows.push(...made);
  }
  return rows;
}

async function rowsOfEvent(
  trx: Trx,
  { event_id, scans, ...delivery }: Delivery & { event_id: string; scans: readonly SentScan[] },
): Promise<AdmissionRow[]> {
  const named = scans.flatMap(({ place, code_read }) =>
    [place ?? [], code_read?.place ?? []].flat(),
  );
  const known = await placesWithTickets(trx, event_id, [...new Set(named)]);
  const day = await doorDayOf(trx, event_id, delivery.phone.id);
  const isOverruling = scans.some(({ override }) => override !== null);
  const asked_since =
    isOverruling && delivery.phone.role === 'steward' ? await consentAskedSince(trx) : null;
  const hops = await hopsOf(trx, event_id, movedAmong(scans, known));
  const judging: Judging = { ...delivery, day, known, hops, asked_since };
  const approved = await approvalsOf(trx, delivery.phone, scans);
  const rows = scans
    .filter(
      ({ place, revision }) => place === null || (revision ?? 0) <= newestCode(known.get(place)),
    )
    .map((scan) => ({ ...rowOf(scan, delivery, judging), ...approved.get(scan.admission_id) }));
  await judge(trx, rows, judging);
  return rows;
}

/** The newest revision whose code a phone can recognise. */
export function newestCode(place: Pick<PlaceRow, 'issued' | 'skipped_to'> | undefined): number {
  if (place === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(place.issued, place.skipped_to) + revisionsAhead;
}

/** The tickets of scans that name another code than was read, as after a move. */
function movedAmong(scans: readonly SentScan[], known: Judging['known']): string[] {
  const moved = scans.filter(
    ({ place, revision, code_read }) =>
      code_read && (code_read.place !== place || code_read.revision !== revision),
  );
  return moved.flatMap((scan) => ticketOf(scan, known)?.id ?? []);
}

/** The phone's own account, without a place that the event does not have. */
function rowOf(
  { means = 'code', code_read = null, ...scan }: SentScan,
  { phone, from_file, received_at }: Delivery,
  judging: Judging,
): AdmissionRow {
  const { admission_id: id, event_id, direction, revision } = scan;
  const known = scan.place === null ? undefined : judging.known.get(scan.place);
  const place = known ? scan.place : null;
  return {
    ...bareScan,
    id,
    event_id,
    place,
    revision,
    ticket_id: known?.tickets.get(revision ?? 0)?.id ?? null,
    phone_id: phone.id,
    seq: scan.seq,
    direction,
    verdict: scan.verdict,
    counts: truth(scan.counts && known !== undefined),
    override: scan.override,
    read: scan.read === null ? null : keptText(scan.read),
    gate: scan.gate,
    offline: truth(scan.offline),
    scanned_at: scan.scanned_at,
    corrected_at: scan.corrected_at,
    received_at,
    means,
    code_place: code_read?.place ?? null,
    code_revision: code_read?.revision ?? null,
    code_check: checkCode({ id, event_id, place, revision, direction, means }, code_read, judging),
    from_file: truth(from_file),
    note: scan.note ?? null,
    annuls: scan.annuls ?? null,
    approval: scan.approval ? JSON.stringify(scan.approval) : null,
  };
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
