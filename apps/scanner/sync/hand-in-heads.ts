/**
 * Sends people without a ticket as they were counted, in batches; a count leaves the queue only
 * when its own id was answered.
 */
import { CallError } from '#apps/shared/api.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { headCount, sendHeads, type HeadCountSent } from '#server/contract/door/heads.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import type { Line } from '#apps/scanner/kit/line.ts';
import type { Ports } from '#apps/scanner/kit/ports.ts';
import type { Device, HeadFate, QueuedHeads, ScannerDb } from '#apps/scanner/kit/store.ts';
import { pickFields } from '#server/domain/pick-fields.ts';

interface Sender {
  db: ScannerDb;
  line: Line;
  ports: Pick<Ports, 'call' | 'now'>;
}

const batchSize = 200;
const timeoutMs = 30_000;
/** Codes with which the server refuses a whole request because of one count in it. */
const poisonCodes = ['bad_request', 'broken_json', 'body_too_large'];

/** Resolves when no count waits; a server before 1.3.0 accepts none, so they go on waiting. */
export async function handInHeads(sender: Sender, device: Device): Promise<void> {
  const { db, ports } = sender;
  for (let size = batchSize; ;) {
    const batch = await db.heads.where('fate').equals('queued').limit(size).toArray();
    if (batch.length === 0) return;
    try {
      const fates = readHeadFates(batch, await send(sender, device, batch));
      // An answer that names none of our counts would make this loop endless.
      if (fates.size === 0) throw new CallError('unknown', 'unreadable', 'Unexpected answer');
      await settle(db, fates, ports.now());
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return;
      if (!(error instanceof CallError && poisonCodes.includes(error.code))) throw error;
      const [poison] = batch;
      if (poison && batch.length === 1)
        await settle(db, new Map([[poison.head_id, 'unreadable']]), ports.now());
      size = Math.max(1, batch.length >> 1);
    }
  }
}

function send({ line, ports }: Sender, device: Device, batch: readonly QueuedHeads[]) {
  return line.hold(timeoutMs, (signal) =>
    ports.call(
      sendHeads,
      {
        query: { wire: String(wireVersion) },
        body: { items: batch.map(sentHeads), sent_at: isoOf(ports.now()) },
      },
      { token: device.device_token, signal },
    ),
  );
}

/** Answers are matched by id, and by the index where the server could not read the id. */
export function readHeadFates(
  batch: readonly QueuedHeads[],
  reply: ReplyOf<typeof sendHeads>,
): Map<string, HeadFate> {
  const fates = new Map<string, HeadFate>();
  const ids = new Set(batch.map(({ head_id }) => head_id));
  const results: unknown = (reply as Partial<typeof reply> | null | undefined)?.results;
  if (!Array.isArray(results)) return fates;
  for (const { head_id, index, result } of results as ReplyOf<typeof sendHeads>['results']) {
    if (result !== 'stored' && result !== 'doubted' && result !== 'unreadable') continue;
    const id = head_id ?? (result === 'unreadable' ? batch[index]?.head_id : undefined);
    if (id !== undefined && ids.has(id)) fates.set(id, result);
  }
  return fates;
}

async function settle(db: ScannerDb, fates: Map<string, HeadFate>, now: number): Promise<void> {
  await db.transaction('rw', [db.heads], async () => {
    const rows = (await db.heads.bulkGet([...fates.keys()])).flatMap((row) => {
      const fate = row?.fate === 'queued' ? fates.get(row.head_id) : undefined;
      return row && fate ? { ...row, fate, answered_at: now } : [];
    });
    await db.heads.bulkPut(rows);
  });
}

const sentKeys = Object.keys(headCount.entries) as (keyof HeadCountSent)[];

/** Copies only the contract's fields. */
export function sentHeads(count: QueuedHeads): HeadCountSent {
  const row = {
    ...count,
    scanned_at: isoOf(count.scanned_at),
    corrected_at: isoOf(count.corrected_at),
  };
  return pickFields<HeadCountSent>(row, sentKeys);
}
