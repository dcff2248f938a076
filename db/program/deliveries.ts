/**
 * Messages to other programs: written with the change that they report, claimed for a lease, and
 * stored for a while.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { wakeWorker } from '#db/engine/wake.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { ProgramDeliveryRow } from '#db/rows.ts';

const insertedAtOnce = 500;

/** Inserts messages in the transaction of the change that they report. */
export async function insertDeliveries(db: Db, rows: readonly ProgramDeliveryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += insertedAtOnce)
    await db<ProgramDeliveryRow>('program_deliveries').insert(
      rows.slice(from, from + insertedAtOnce),
    );
  if (rows.length > 0) wakeWorker(db);
}

/** Inserts a message, unless the address has had its key already. */
export async function insertOnce(db: Db, row: ProgramDeliveryRow): Promise<void> {
  await db<ProgramDeliveryRow>('program_deliveries')
    .insert(row)
    .onConflict(['address_id', 'once_key'])
    .ignore();
}

/** Addresses that are switched on, do not rest, and have a message that is due. */
export async function addressesWithDue(db: Db, now: number): Promise<string[]> {
  return db('program_deliveries')
    .join('program_addresses', 'program_addresses.id', 'program_deliveries.address_id')
    .where('program_deliveries.state', 'waiting')
    .where('program_deliveries.run_at', '<=', now)
    .where((b) => b.whereNull('locked_until').orWhere('locked_until', '<=', now))
    .whereNull('program_addresses.off_at')
    .where((b) => b.whereNull('rest_until').orWhere('rest_until', '<=', now))
    .distinct('program_deliveries.address_id')
    .pluck('program_deliveries.address_id');
}

/**
 * Claims the next due message of an address for a lease; the guarded update gives it to one
 * process only.
 */
export async function claimDelivery(
  db: Db,
  address_id: string,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<ProgramDeliveryRow | undefined> {
  for (;;) {
    const due = () =>
      db<ProgramDeliveryRow>('program_deliveries')
        .where({ address_id, state: 'waiting' })
        .where('run_at', '<=', now)
        .where((b) => b.whereNull('locked_until').orWhere('locked_until', '<=', now));
    const row = await due().orderBy(['run_at', 'id']).first();
    if (!row) return undefined;
    const locked_until = now + leaseMs;
    if ((await due().where({ id: row.id }).update({ locked_until })) === 1)
      return { ...row, locked_until };
  }
}

/**
 * Stores the result of an attempt. Returns false if the claim had run out and another process has
 * the message.
 */
export async function noteTry(
  db: Db,
  { id, locked_until }: ProgramDeliveryRow,
  changes: Partial<ProgramDeliveryRow>,
): Promise<boolean> {
  return (
    (await db<ProgramDeliveryRow>('program_deliveries')
      .where({ id, locked_until, state: 'waiting' })
      .update({ ...changes, locked_until: null })) === 1
  );
}

/**
 * Sends a message again from the beginning. Returns false if there is none, or if it is being
 * sent now.
 */
export async function sendAgain(db: Db, id: string, now: number): Promise<boolean> {
  const changed = await db<ProgramDeliveryRow>('program_deliveries')
    .where({ id })
    .where((b) => b.whereNull('locked_until').orWhere('locked_until', '<=', now))
    .update({ state: 'waiting', since: now, run_at: now, failures: 0, locked_until: null });
  wakeWorker(db);
  return changed === 1;
}

/** Whether the address has accepted a message since then. */
export async function hasAccepted(db: Db, address_id: string, since: number): Promise<boolean> {
  const accepted = await db<ProgramDeliveryRow>('program_deliveries')
    .where({ address_id, state: 'done' })
    .where('tried_at', '>=', since)
    .first('id');
  return accepted !== undefined;
}

export async function findDelivery(db: Db, id: string): Promise<ProgramDeliveryRow | undefined> {
  return db<ProgramDeliveryRow>('program_deliveries').where({ id }).first();
}

export async function listDeliveries(
  db: Db,
  { address_id, state }: { address_id?: string; state?: ProgramDeliveryRow['state'] },
  page: Page,
): Promise<ProgramDeliveryRow[]> {
  const query = db<ProgramDeliveryRow>('program_deliveries').select('program_deliveries.*');
  newestFirst(query, { table: 'program_deliveries', time: 'created_at' }, page);
  if (address_id !== undefined) query.where({ address_id });
  if (state !== undefined) query.where({ state });
  return query;
}

interface AddressCounts {
  address_id: string;
  waiting: number;
  given_up: number;
  last_done_at: number | null;
}

/** Counts the messages of each address by state. */
export async function countDeliveries(db: Db): Promise<Map<string, AddressCounts>> {
  const rows: AddressCounts[] = await db('program_deliveries')
    .groupBy('address_id')
    .select(
      'address_id',
      db.raw("sum(CASE WHEN state = 'waiting' THEN 1 ELSE 0 END) AS waiting"),
      db.raw("sum(CASE WHEN state = 'given_up' THEN 1 ELSE 0 END) AS given_up"),
      db.raw("max(CASE WHEN state = 'done' THEN tried_at END) AS last_done_at"),
    );
  return new Map(
    rows.map((row) => [
      row.address_id,
      { ...row, waiting: Number(row.waiting), given_up: Number(row.given_up) },
    ]),
  );
}

/**
 * Gives up old messages, including those of addresses that were switched off and are not tried.
 */
export async function giveUpOldDeliveries(db: Db, before: number): Promise<void> {
  await db<ProgramDeliveryRow>('program_deliveries')
    .where({ state: 'waiting' })
    .where('since', '<', before)
    .whereNull('locked_until')
    .update({ state: 'given_up' });
}

const forgottenAtOnce = 1_000;

export async function forgetDeliveries(db: Db, before: number): Promise<number> {
  const old = db('program_deliveries')
    .where('created_at', '<', before)
    .limit(forgottenAtOnce)
    .select('id');
  return db('program_deliveries').whereIn('id', old).delete();
}

/** Returns true only to the process that notes it first. */
export async function noteLow(
  trx: Trx,
  row: { event_id: string; category_key: string; since: number },
): Promise<boolean> {
  const added: object[] = await trx('program_low_seats')
    .insert(row)
    .onConflict(['event_id', 'category_key'])
    .ignore()
    .returning('event_id');
  return added.length === 1;
}

export async function dropLow(db: Db, event_id: string, category_key: string): Promise<void> {
  await db('program_low_seats').where({ event_id, category_key }).delete();
}

export async function listLow(
  db: Db,
  event_ids: readonly string[],
): Promise<{ event_id: string; category_key: string }[]> {
  return db('program_low_seats')
    .whereIn('event_id', event_ids as string[])
    .select('event_id', 'category_key');
}
