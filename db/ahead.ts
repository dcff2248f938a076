/**
 * Stored times that lie farther ahead than they can: the clock was set back after they were
 * written.
 */
import { openStates } from '#server/domain/order/order.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';

/** What has been cannot lie ahead: such a time becomes the present one. */
const past: Readonly<Record<string, readonly string[]>> = {
  sessions: ['created_at', 'last_seen_at', 'verified_at'],
  users: ['last_seen_at'],
  phones: ['last_seen_at'],
  processes: ['started_at', 'last_beat_at'],
  // A scan before its ticket was issued is doubted.
  tickets: ['issued_at'],
  // Work on these waits until they have a certain age.
  blocks: ['created_at'],
  contingents: ['changed_at'],
  moves: ['created_at', 'moved_at'],
  made_prices: ['created_at'],
  rehousings: ['started_at', 'done_at'],
  program_deliveries: ['since', 'run_at'],
  program_addresses: ['rest_until'],
  queues: ['fixed_at', 'opened_at', 'rated_at', 'slow_at', 'paced_at'],
  queue_loads: ['at'],
  hold_prolongations: ['last_at'],
  webhook_events: ['received_at'],
  breaks: ['seen_at'],
};

/** What lasts this long at most, in milliseconds. */
const short: Readonly<Record<string, readonly [column: string, longestMs: number]>> = {
  challenges: ['expires_at', 10 * 60_000],
  designer_tokens: ['expires_at', 10 * 60_000],
  phones: ['pairing_expires_at', 10 * 60_000],
  rehousings: ['commit_at', 60_000],
  program_addresses: ['earlier_until', 24 * 3_600_000],
};

/** Rows with an end that was reckoned from their beginning: one that lies ahead begins now. */
const spans: readonly { table: string; from: string; until: string; only?: string }[] = [
  { table: 'one_time_links', from: 'created_at', until: 'expires_at' },
  { table: 'queue_places', from: 'called_at', until: 'pass_until' },
  { table: 'messages', from: 'created_at', until: 'begins_at', only: 'begun_at IS NULL' },
  { table: 'announcements', from: 'created_at', until: 'begins_at', only: 'begun_at IS NULL' },
  {
    table: 'orders',
    from: 'created_at',
    until: 'pay_by',
    // The end of a reservation at the counter is a time that a person chose.
    only: `state IN ('${openStates.join("', '")}') AND (channel = 'web' OR state = 'booking')`,
  },
];

/** Ends that any step ahead has moved by as much: the next try of a task, limits of guesses. */
const moved: readonly [table: string, column: string][] = [
  ['outbox', 'run_at'],
  ['guesses', 'until'],
];

/**
 * Corrects what lies ahead of `now`, after the clock was set back by `backMs`. A second call
 * changes nothing but what `moved` has.
 */
export async function correctAhead(
  trx: Trx,
  { now, backMs }: { now: number; backMs: number },
): Promise<void> {
  for (const [table, columns] of Object.entries(past))
    for (const column of columns) await trx(table).where(column, '>', now).update(column, now);
  for (const [table, [column, longestMs]] of Object.entries(short))
    await trx(table)
      .where(column, '>', now + longestMs)
      .update(column, now + longestMs);
  for (const { table, from, until, only } of spans)
    await trx(table)
      .where(from, '>', now)
      .whereRaw(only ?? '1 = 1')
      .update({ [from]: now, [until]: trx.raw('? + (?? - ??)', [now, until, from]) });
  for (const [table, column] of moved)
    await trx(table)
      .where(column, '>', now)
      .update(
        column,
        trx.raw('CASE WHEN ?? - ? > ? THEN ?? - ? ELSE ? END', [
          column,
          backMs,
          now,
          column,
          backMs,
          now,
        ]),
      );
}

/** Rows that a worker claims until `locked_until`. */
export type Claimed = 'outbox' | 'program_deliveries';
export interface Claim {
  id: string;
  locked_until: number;
}

/** The claims that end later than `than`. */
export async function claimsBeyond(db: Db, table: Claimed, than: number): Promise<Claim[]> {
  return db(table).where('locked_until', '>', than).select<Claim[]>('id', 'locked_until');
}

/** Ends a claim, unless its holder has renewed it or given it back. */
export async function endClaim(db: Db, table: Claimed, claim: Claim): Promise<void> {
  await db(table)
    .where({ ...claim })
    .update({ locked_until: null });
}
