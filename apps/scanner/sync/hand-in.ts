/**
 * Sends scans in the order of their numbers, in batches; a row leaves the queue only when its own
 * id was answered.
 */
import { Dexie } from 'dexie';
import { CallError, networkError } from '#apps/shared/api.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { spoken, wireVersion, type Wire } from '#server/domain/door/wire.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import {
  scan as sentScan,
  sendAdmissions,
  type ScanSent,
} from '#server/contract/door/admissions.ts';
import { handInHeads } from './hand-in-heads.ts';
import { inWire } from './in-wire.ts';
import { noteClock, timeTrip } from '#apps/scanner/kit/clock.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import type { Ports } from '#apps/scanner/kit/ports.ts';
import type { Device, Fate, QueuedScan, ScannerDb } from '#apps/scanner/kit/store.ts';
import { pickFields } from '#server/domain/pick-fields.ts';

/** The parts of a phone that sending needs; in a service worker there are no others. */
interface Sender extends Pick<Phone, 'db' | 'line' | 'pace'> {
  ports: Pick<Ports, 'db_name' | 'call' | 'now' | 'elapsed' | 'locks'>;
}

export const batchSize = 500;
/** The batch is halved whenever a call breaks on a slow connection, but not below this. */
const leastBatch = 16;
const timeoutMs = 30_000;
/**
 * Codes with which the server refuses a whole request because of one scan in it: the batch is
 * halved until that scan is alone.
 */
const poisonCodes = ['bad_request', 'broken_json', 'body_too_large'];

/**
 * Sends all queued scans and counts, and resolves when the queue is empty; throws when the
 * connection or the server fails, and then no unanswered scan is lost. Only one call runs at a
 * time, even across tabs, because two would send the same rows.
 */
export async function handIn(sender: Sender, device: Device): Promise<void> {
  await sender.ports.locks.request(`${sender.ports.db_name}-hand-in`, async () => {
    await sendQueue(sender, device);
    await handInHeads(sender, device);
  });
}

async function sendQueue({ db, ports, line, pace }: Sender, device: Device): Promise<void> {
  for (let size = pace.batch; ;) {
    const batch = await db.queue
      .where('[fate+seq]')
      .between(['queued', Dexie.minKey], ['queued', Dexie.maxKey])
      .limit(size)
      .toArray();
    if (batch.length === 0) return;
    const trip = timeTrip(ports);
    try {
      const reply = await inWire((wire) =>
        line.hold(timeoutMs, (signal) =>
          ports.call(
            sendAdmissions,
            {
              query: { wire: String(wire) },
              body: {
                items: batch.map((scan) => sentForm(scan, wire)),
                sent_at: isoOf(ports.now()),
              },
            },
            { token: device.device_token, signal },
          ),
        ),
      );
      const settled = readFates(batch, reply);
      // An answer that names none of our scans would make this loop endless.
      if (settled.size === 0) throw new CallError('unknown', 'unreadable', 'Unexpected answer');
      await settle(db, settled, ports.now());
      await noteClock(db, reply.server_time, trip());
      pace.batch = Math.min(batchSize, 2 * pace.batch);
      size = pace.batch;
    } catch (error) {
      if (!(error instanceof CallError && poisonCodes.includes(error.code))) {
        if (isBroken(error)) pace.batch = Math.max(leastBatch, size >> 1);
        throw error;
      }
      if (batch.length === 1) await settle(db, unreadable(batch), ports.now());
      size = Math.max(1, batch.length >> 1);
    }
  }
}

function unreadable(batch: readonly QueuedScan[]): Map<string, Fate> {
  return new Map(batch.map(({ admission_id }) => [admission_id, 'unreadable']));
}

/** True when the call was cut off or timed out, so the server has refused nothing. */
function isBroken(error: unknown): boolean {
  return (
    !(error instanceof CallError) ||
    error.code === networkError ||
    error.code === 'unreadable' ||
    error.status === 408
  );
}

/**
 * Answers are matched by id; an item that the server could not read may have no id in the answer,
 * and then its index in the batch counts.
 */
export function readFates(
  batch: readonly QueuedScan[],
  reply: ReplyOf<typeof sendAdmissions>,
): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  const ids = new Set(batch.map(({ admission_id }) => admission_id));
  const results: unknown = (reply as Partial<typeof reply> | null | undefined)?.results;
  if (!Array.isArray(results)) return fates;
  for (const { admission_id, index, result } of results as ReplyOf<
    typeof sendAdmissions
  >['results']) {
    if (result !== 'stored' && result !== 'conflict' && result !== 'unreadable') continue;
    const id = admission_id ?? (result === 'unreadable' ? batch[index]?.admission_id : undefined);
    if (id !== undefined && ids.has(id)) fates.set(id, result);
  }
  return fates;
}

/** Skips rows that are not queued any more: the office or another tab has settled them. */
async function settle(db: ScannerDb, fates: Map<string, Fate>, now: number): Promise<void> {
  await db.transaction('rw', [db.queue], async () => {
    const rows = (await db.queue.bulkGet([...fates.keys()])).flatMap((row) => {
      const fate = row?.fate === 'queued' ? fates.get(row.admission_id) : undefined;
      return row && fate ? { ...row, fate, answered_at: now } : [];
    });
    await db.queue.bulkPut(rows);
  });
}

const sentKeys = Object.keys(sentScan.entries) as (keyof ScanSent)[];

/** Copies only the contract's fields; `wire`: the version of the format that the server reads. */
export function sentForm(scan: QueuedScan, wire: Wire = wireVersion): ScanSent {
  const row = {
    ...scan,
    verdict: spoken[wire].verdict(scan),
    scanned_at: isoOf(scan.scanned_at),
    corrected_at: isoOf(scan.corrected_at),
  };
  return pickFields<ScanSent>(row, sentKeys);
}
