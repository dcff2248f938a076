/** The stored queue of deliveries: a row per event and endpoint with its next try. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

export interface Delivery {
  id: number;
  event: string;
  endpoint: string;
  attempts: number;
  first_at: number | null;
  run_at: number;
}

export interface DeliveryRow extends Delivery {
  state: 'pending' | 'delivered' | 'failed';
  last_error: string | null;
}

/** Marks a delivery that a fault holds until it is released; a time later than any lease. */
const HELD = Number.MAX_SAFE_INTEGER;

/** Releases held deliveries at a start, because the faults that held them are gone. */
export async function letAllGo(writer: Writer): Promise<void> {
  await writer.run('UPDATE stripe_deliveries SET taken_until = 0 WHERE taken_until = ?', HELD);
}

export async function addDelivery(writer: Writer, event: string, endpoint: string): Promise<void> {
  await writer.run(
    "INSERT INTO stripe_deliveries (event, endpoint, attempts, run_at, state) VALUES (?, ?, 0, 0, 'pending')",
    event,
    endpoint,
  );
}

/**
 * Takes due deliveries for the longest time of one try, so that only one of two processes sends
 * each. `now` is the stand-in's clock; the lease uses the machine's clock, because another
 * process may have died.
 */
export async function takeDue(
  writer: Writer,
  ask: { now: number; limit: number; leaseMs: number; except: string[] },
): Promise<Delivery[]> {
  const wall = Date.now();
  const others = ask.except.map(() => '?').join(', ');
  const rows = await writer.all<Delivery>(
    `
    UPDATE stripe_deliveries SET taken_until = ? WHERE id IN (
      SELECT id FROM stripe_deliveries
      WHERE state = 'pending' AND run_at <= ? AND taken_until < ? AND endpoint NOT IN (${others})
      ORDER BY run_at, id LIMIT ?
    ) RETURNING id, event, endpoint, attempts, first_at, run_at
  `,
    wall + ask.leaseMs,
    ask.now,
    wall,
    ...ask.except,
    ask.limit,
  );
  return rows.toSorted((left, right) => left.run_at - right.run_at || left.id - right.id);
}

/** The time of the next due delivery by the stand-in's clock; undefined if nothing waits. */
export async function nextRun(reader: Reader): Promise<number | undefined> {
  const row = await reader.get<{ run_at: number | null }>(
    "SELECT min(run_at) AS run_at FROM stripe_deliveries WHERE state = 'pending' AND taken_until < ?",
    Date.now(),
  );
  return row?.run_at ?? undefined;
}

export async function noteDelivered(writer: Writer, id: number, at: number): Promise<void> {
  await writer.run(
    "UPDATE stripe_deliveries SET state = 'delivered', attempts = attempts + 1, first_at = coalesce(first_at, ?), last_error = NULL, taken_until = 0 WHERE id = ?",
    at,
    id,
  );
}

/** `runAt` null: there are no further tries. */
export async function noteFailed(
  writer: Writer,
  id: number,
  facts: { at: number; error: string; runAt: number | null },
): Promise<void> {
  await writer.run(
    'UPDATE stripe_deliveries SET state = ?, attempts = attempts + 1, first_at = coalesce(first_at, ?), run_at = coalesce(?, run_at), last_error = ?, taken_until = 0 WHERE id = ?',
    facts.runAt === null ? 'failed' : 'pending',
    facts.at,
    facts.runAt,
    facts.error,
    id,
  );
}

/** Puts a delivery back into the queue without counting a try. */
export async function putBack(writer: Writer, id: number, runAt?: number): Promise<void> {
  await writer.run(
    'UPDATE stripe_deliveries SET taken_until = 0, run_at = coalesce(?, run_at) WHERE id = ?',
    runAt ?? null,
    id,
  );
}

export async function hold(writer: Writer, id: number): Promise<void> {
  await writer.run('UPDATE stripe_deliveries SET taken_until = ? WHERE id = ?', HELD, id);
}

/** Releases held deliveries in the given order. */
export async function letGo(writer: Writer, ids: number[]): Promise<void> {
  // All are overdue, so these times only set their order.
  for (const [index, id] of ids.entries()) await putBack(writer, id, index - ids.length);
}

/** Makes all undelivered deliveries due now, also those without further tries. */
export async function makeDue(writer: Writer): Promise<void> {
  await writer.run(
    "UPDATE stripe_deliveries SET state = 'pending', run_at = 0, taken_until = 0 WHERE state <> 'delivered' AND taken_until <> ?",
    HELD,
  );
}

/** Sends everything again except one delivery, to one endpoint or to all. */
export async function sendAgain(
  writer: Writer,
  ask: { endpoint?: string; except?: number } = {},
): Promise<void> {
  await writer.run(
    `INSERT INTO stripe_deliveries (event, endpoint, attempts, run_at, state)
    SELECT event, endpoint, 0, 0, 'pending' FROM stripe_deliveries WHERE state <> 'pending' AND (? IS NULL OR endpoint = ?) AND id <> ? GROUP BY event, endpoint ORDER BY min(id)
  `,
    ask.endpoint ?? null,
    ask.endpoint ?? null,
    ask.except ?? -1,
  );
}

/** How many endpoints have not answered with a 2xx yet. */
export async function pendingOf(reader: Reader, event: string): Promise<number> {
  const row = await reader.get<{ pending: number }>(
    "SELECT count(DISTINCT endpoint) AS pending FROM stripe_deliveries WHERE event = ? AND state = 'pending'",
    event,
  );
  return row?.pending ?? 0;
}

/** Newest first. */
export function listDeliveries(reader: Reader): Promise<DeliveryRow[]> {
  return reader.all<DeliveryRow>(
    'SELECT id, event, endpoint, attempts, first_at, run_at, state, last_error FROM stripe_deliveries ORDER BY id DESC LIMIT 1000',
  );
}
