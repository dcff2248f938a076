/** Up: scans in the order of their numbers, in batches; a row leaves the queue only when its own id was answered. */
import { Dexie } from 'dexie';
import { call, CallError } from '#apps/shared/api.ts';
import { isoOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { sendAdmissions, type ScanSent } from '#server/contract/admissions.ts';
import { noteClock } from './clock.ts';
import { withLine } from './line.ts';
import { db, type Device, type Fate, type QueuedScan } from './store.ts';

const batchSize = 500;
const timeoutMs = 30_000;
/** Refusals of the whole envelope: something in it is poison, so it is cut in halves until that one item lies alone. */
const poisonCodes = ['bad_request', 'broken_json', 'body_too_large'];
/** Answered scans stay on the screen's list this long. */
const keepMs = 24 * 3_600_000;

/** Two that hand in at once, another tab included, would send the same rows. */
const lockName = 'botteghino-scanner-hand-in';

/** Ends when the queue is empty; throws when the line or the server fails, and then nothing unanswered was lost. */
export async function handIn(device: Device): Promise<void> {
  await navigator.locks.request(lockName, () => sendQueue(device));
}

async function sendQueue(device: Device): Promise<void> {
  for (let size = batchSize; ;) {
    const batch = await db.queue.where('[fate+seq]').between(['queued', Dexie.minKey], ['queued', Dexie.maxKey]).limit(size).toArray();
    if (batch.length === 0) break;
    const began = Date.now();
    try {
      const reply = await withLine(timeoutMs, (signal) => call(sendAdmissions, { body: { items: batch.map(sentForm) } }, { token: device.device_token, signal }));
      const settled = readFates(batch, reply);
      // An answer that names none of ours would make us ask for ever.
      if (settled.size === 0) throw new CallError('unknown', 'unreadable', 'Unexpected answer');
      await settle(settled);
      await noteClock(reply.server_time, { began, ended: Date.now() });
      size = batchSize;
    } catch (error) {
      if (!(error instanceof CallError && poisonCodes.includes(error.code))) throw error;
      if (batch.length === 1) await settle(new Map([[batch[0]!.admission_id, 'unreadable']]));
      size = Math.max(1, batch.length >> 1);
    }
  }
  await db.queue.filter(({ fate, answered_at }) => fate === 'stored' && answered_at !== null && answered_at < Date.now() - keepMs).delete();
}

/** By id; an item that the server could not read may have none in the answer, then its place in the batch speaks. */
export function readFates(batch: readonly QueuedScan[], reply: ReplyOf<typeof sendAdmissions>): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  const ids = new Set(batch.map(({ admission_id }) => admission_id));
  const results: unknown = (reply as Partial<typeof reply> | null | undefined)?.results;
  if (!Array.isArray(results)) return fates;
  for (const { admission_id, index, result } of results as ReplyOf<typeof sendAdmissions>['results']) {
    if (result !== 'stored' && result !== 'conflict' && result !== 'unreadable') continue;
    const id = admission_id ?? (result === 'unreadable' ? batch[index]?.admission_id : undefined);
    if (id !== undefined && ids.has(id)) fates.set(id, result);
  }
  return fates;
}

async function settle(fates: Map<string, Fate>): Promise<void> {
  await db.transaction('rw', [db.queue], async () => {
    for (const [admission_id, fate] of fates) await db.queue.update(admission_id, { fate, answered_at: Date.now() });
  });
}

/** Only what the contract names leaves the phone. */
export function sentForm(scan: QueuedScan): ScanSent {
  const { admission_id, seq, event_id, place, revision, read, direction, gate, verdict, counts, override, offline } = scan;
  return {
    admission_id, seq, event_id, place, revision, read, direction, gate, verdict, counts, override, offline,
    scanned_at: isoOf(scan.scanned_at), corrected_at: isoOf(scan.corrected_at),
  };
}
