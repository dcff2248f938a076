/**
 * Scans are decided and written in one durable transaction, by the lists in memory and what the
 * disk has beyond them.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { base64urlOf } from '#apps/scanner/kit/base64url.ts';
import { correctedNow } from '#apps/scanner/kit/clock.ts';
import { endsWithin, withReopening } from '#apps/scanner/kit/reopen.ts';
import { storeFault } from '#apps/scanner/kit/store-fault.ts';
import {
  readMeta,
  writeMeta,
  type Device,
  type EventFacts,
  type QueuedScan,
  type StoredEvent,
} from '#apps/scanner/kit/store.ts';
import type { DoorList } from '#apps/scanner/list/list.ts';
import {
  catchUp,
  refresh,
  rememberScan,
  scansFrom,
  tellChange,
  type Phone,
} from '#apps/scanner/list/memory.ts';
import { idsOf, restartWith, type Pending, type Written } from './pending.ts';

/** Everything that a scan has read inside its transaction. */
export interface Moment {
  device: Device;
  list: DoorList;
  event: StoredEvent & { facts: EventFacts };
  now: number;
  corrected: number;
}
export interface Decided<T> {
  row: Omit<
    QueuedScan,
    | 'seq'
    | 'phone_id'
    | 'event_id'
    | 'gate'
    | 'scanned_at'
    | 'corrected_at'
    | 'offline'
    | 'fate'
    | 'answered_at'
  >;
  /** The time (ms) of the earlier scan that must precede this one. */
  after?: number;
  /** Makes the answer from the written row. */
  answer: (scan: QueuedScan) => T;
}

/** Memory was older than the disk: the disk is read and the scan decided again. */
class Behind extends Error {}
const mostTries = 20;
/** Some browsers leave a transaction without an end after they were in the background. */
const longestMs = 5_000;

/** Makes the decisions; `written`: rows of an attempt whose end was unknown. */
type Decide<T> = (moment: Moment, written: Written) => Decided<T>[];

/**
 * Runs the decisions and writes their rows, also after the database was lost: then it is opened
 * again, or the app is loaded anew and decides `pending`. `isAgain`: this is that decision.
 */
export async function store<T>(
  phone: Phone,
  pending: Pending,
  decide: Decide<T>,
  { isAgain = false }: { isAgain?: boolean } = {},
): Promise<T[]> {
  try {
    return await withReopening(phone, (again) =>
      storeOnce(phone, pending, { decide, again: again || isAgain }),
    );
  } catch (error) {
    if (isAgain || storeFault(error) !== 'lost') throw error;
    return restartWith(phone, pending, error);
  }
}

/**
 * Writes in one transaction; memory changes only after it has completed. Writes of another tab
 * are noticed inside the transaction: its scans are read there; a new list is read after the
 * transaction, and then the decision is repeated. `again`: the rows may be there already.
 */
async function storeOnce<T>(
  phone: Phone,
  pending: Pending,
  { decide, again }: { decide: Decide<T>; again: boolean },
): Promise<T[]> {
  const { db, memory, ports } = phone;
  const { event_id } = pending;
  if (!memory.lists.has(event_id)) await catchUp(phone, event_id);
  const write = async () => {
    const { seq, ...moment } = await readMoment(phone, event_id);
    const written = again ? await rowsWritten(phone, pending) : noneWritten;
    const decided = decide(moment, written);
    const isNew = written.size === 0;
    const rows = decided.map(
      (one, i) =>
        written.get(one.row.admission_id) ?? rowOf(phone, moment, { ...one, seq: seq + i }),
    );
    const next = isNew ? seq + rows.length : seq;
    if (isNew) await db.queue.bulkAdd(rows);
    if (next > seq) await writeMeta(db, 'seq', next);
    return { decided, rows, seq: next };
  };
  for (let tries = 1; ; tries += 1) {
    try {
      const { decided, rows, seq } = await endsWithin(
        ports.after,
        longestMs,
        db.transaction('rw', [db.meta, db.events, db.queue], write),
      );
      ports.saved?.();
      for (const row of rows) rememberScan(phone, row);
      memory.seq = Math.max(memory.seq ?? 0, seq);
      tellChange(phone);
      return decided.map(({ answer }, i) => answer(requireValue(rows[i], 'row of the queue')));
    } catch (error) {
      if (!(error instanceof Behind) || tries === mostTries) throw error;
      await refresh(phone);
    }
  }
}

const noneWritten: Written = new Map();

/** All rows of one attempt were written, or none. */
async function rowsWritten({ db }: Phone, pending: Pending): Promise<Written> {
  const rows = (await db.queue.bulkGet(idsOf(pending))).filter((row) => row !== undefined);
  return new Map(rows.map((row) => [row.admission_id, row]));
}

/** Runs inside the transaction; `seq` is the number of the next scan. */
async function readMoment(phone: Phone, event_id: string): Promise<Moment & { seq: number }> {
  const { db, memory } = phone;
  const [device, clock, seq = 0, event] = await Promise.all([
    readMeta(db, 'device'),
    readMeta(db, 'clock'),
    readMeta(db, 'seq'),
    db.events.get(event_id),
  ]);
  const list = memory.lists.get(event_id);
  if (!device || !event?.facts || event.generation === 0)
    throw new Error('There is no list of this event');
  if (
    !list ||
    list.generation !== event.generation ||
    list.parts !== event.parts ||
    memory.device?.phone_id !== device.phone_id ||
    memory.seq === null
  )
    throw new Behind();
  if (seq > memory.seq)
    for (const scan of await scansFrom(phone, memory.seq)) rememberScan(phone, scan);
  memory.seq = Math.max(memory.seq, seq);
  const { facts } = event;
  return { device, list, event: { ...event, facts }, ...correctedNow(phone, clock), seq };
}

function rowOf(
  { status }: Phone,
  { device, event, now, corrected }: Moment,
  { row, after, seq }: Decided<unknown> & { seq: number },
): QueuedScan {
  return {
    ...row,
    seq,
    phone_id: device.phone_id,
    event_id: event.event_id,
    gate: device.gate,
    scanned_at: now,
    // The earlier scan may be in the future because of a wrong clock, but this one still comes
    // after it.
    corrected_at: after === undefined ? corrected : Math.max(corrected, after + 1),
    offline: !status.read().online,
    fate: 'queued',
    answered_at: null,
  };
}

/** 128 random bits. */
export function newId({ ports }: Phone): string {
  return base64urlOf(ports.random(16));
}
