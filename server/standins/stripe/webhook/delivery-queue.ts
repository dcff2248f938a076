/** The durable queue of deliveries: one row per event and endpoint, and when it is to be tried next. */
import { prepared, type Store } from '#server/standins/store.ts';

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

/** Kept back by a fault until it is released; longer than any lease. */
const HELD = Number.MAX_SAFE_INTEGER;

export function prepareDeliveries(store: Store): void {
  store.exec(`
    CREATE TABLE IF NOT EXISTS stripe_deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      event TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      first_at INTEGER,
      run_at INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
      last_error TEXT,
      taken_until INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS stripe_deliveries_due ON stripe_deliveries (run_at, id) WHERE state = 'pending';
    CREATE INDEX IF NOT EXISTS stripe_deliveries_by_event ON stripe_deliveries (event, state);
    CREATE INDEX IF NOT EXISTS stripe_deliveries_by_endpoint ON stripe_deliveries (endpoint, state);
  `);
  const columns = prepared<[], { name: string }>(
    store,
    "SELECT name FROM pragma_table_info('stripe_deliveries')",
  ).all();
  // A file of the days before leases.
  if (!columns.some(({ name }) => name === 'taken_until'))
    store.exec('ALTER TABLE stripe_deliveries ADD COLUMN taken_until INTEGER NOT NULL DEFAULT 0');
  // Whoever kept them back is gone.
  prepared(store, 'UPDATE stripe_deliveries SET taken_until = 0 WHERE taken_until = ?').run(HELD);
}

export function addDelivery(store: Store, event: string, endpoint: string): void {
  prepared(
    store,
    "INSERT INTO stripe_deliveries (event, endpoint, attempts, run_at, state) VALUES (?, ?, 0, 0, 'pending')",
  ).run(event, endpoint);
}

/**
 * Takes what is due for as long as one try may last, so that of two processes on one file only one sends it.
 * `now` is the stand-in's clock; the lease goes by the machine's, because it is about processes that may have died.
 */
export function takeDue(
  store: Store,
  ask: { now: number; limit: number; leaseMs: number; except: string[] },
): Delivery[] {
  const wall = Date.now();
  const rows = prepared<(string | number)[], Delivery>(
    store,
    `
    UPDATE stripe_deliveries SET taken_until = ? WHERE id IN (
      SELECT id FROM stripe_deliveries
      WHERE state = 'pending' AND run_at <= ? AND taken_until < ?${ask.except.length > 0 ? ` AND endpoint NOT IN (${ask.except.map(() => '?').join(', ')})` : ''}
      ORDER BY run_at, id LIMIT ?
    ) RETURNING id, event, endpoint, attempts, first_at, run_at
  `,
  ).all(wall + ask.leaseMs, ask.now, wall, ...ask.except, ask.limit);
  return rows.toSorted((left, right) => left.run_at - right.run_at || left.id - right.id);
}

/** When the next one is due by the stand-in's clock; undefined when nothing waits. */
export function nextRun(store: Store): number | undefined {
  const row = prepared<[number], { run_at: number | null }>(
    store,
    "SELECT min(run_at) AS run_at FROM stripe_deliveries WHERE state = 'pending' AND taken_until < ?",
  ).get(Date.now());
  return row?.run_at ?? undefined;
}

export function noteDelivered(store: Store, id: number, at: number): void {
  prepared(
    store,
    "UPDATE stripe_deliveries SET state = 'delivered', attempts = attempts + 1, first_at = coalesce(first_at, ?), last_error = NULL, taken_until = 0 WHERE id = ?",
  ).run(at, id);
}

/** `runAt` null: it is given up. */
export function noteFailed(
  store: Store,
  id: number,
  facts: { at: number; error: string; runAt: number | null },
): void {
  prepared(
    store,
    'UPDATE stripe_deliveries SET state = ?, attempts = attempts + 1, first_at = coalesce(first_at, ?), run_at = coalesce(?, run_at), last_error = ?, taken_until = 0 WHERE id = ?',
  ).run(facts.runAt === null ? 'failed' : 'pending', facts.at, facts.runAt, facts.error, id);
}

/** Back into the queue as if it had not been looked at. */
export function putBack(store: Store, id: number, runAt?: number): void {
  prepared(
    store,
    'UPDATE stripe_deliveries SET taken_until = 0, run_at = coalesce(?, run_at) WHERE id = ?',
  ).run(runAt ?? null, id);
}

export function hold(store: Store, id: number): void {
  prepared(store, 'UPDATE stripe_deliveries SET taken_until = ? WHERE id = ?').run(HELD, id);
}

/** Lets the held ones go, in the order given. */
export function letGo(store: Store, ids: number[]): void {
  // All are long due, so only the order among them counts.
  ids.forEach((id, index) => putBack(store, id, index - ids.length));
}

/** Every delivery that somebody has still to take is due now, also those given up. */
export function makeDue(store: Store): void {
  prepared(
    store,
    "UPDATE stripe_deliveries SET state = 'pending', run_at = 0, taken_until = 0 WHERE state <> 'delivered' AND taken_until <> ?",
  ).run(HELD);
}

/** Sends again what the endpoint was ever sent, but for the delivery named; without an endpoint, what anybody was. */
export function sendAgain(store: Store, ask: { endpoint?: string; except?: number } = {}): number {
  return prepared(
    store,
    `
    INSERT INTO stripe_deliveries (event, endpoint, attempts, run_at, state)
    SELECT event, endpoint, 0, 0, 'pending' FROM stripe_deliveries WHERE state <> 'pending' AND (? IS NULL OR endpoint = ?) AND id <> ? GROUP BY event, endpoint ORDER BY min(id)
  `,
  ).run(ask.endpoint ?? null, ask.endpoint ?? null, ask.except ?? -1).changes;
}

/** Endpoints that have not answered with a 2xx yet. */
export function pendingOf(store: Store, event: string): number {
  const row = prepared<[string], { pending: number }>(
    store,
    "SELECT count(DISTINCT endpoint) AS pending FROM stripe_deliveries WHERE event = ? AND state = 'pending'",
  ).get(event);
  return row?.pending ?? 0;
}

/** Newest first. */
export function listDeliveries(store: Store): DeliveryRow[] {
  return prepared<[], DeliveryRow>(
    store,
    'SELECT id, event, endpoint, attempts, first_at, run_at, state, last_error FROM stripe_deliveries ORDER BY id DESC LIMIT 1000',
  ).all();
}

/** All of an endpoint that is no more. */
export function dropDeliveries(store: Store, endpoint: string): void {
  prepared(store, 'DELETE FROM stripe_deliveries WHERE endpoint = ?').run(endpoint);
}
