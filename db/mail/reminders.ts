/**
 * Mail addresses that wait for a sale to open, in SQL: one row per event and address, deleted
 * when its mail is stored.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { ReminderRow } from '#db/rows.ts';
import { countRows } from '#db/engine/statements.ts';

/**
 * Returns false if the address has confirmed already, or was asked a moment ago. It is one
 * statement, so that only one of two simultaneous requests sends a mail.
 */
export async function takeReminder(
  trx: Trx,
  row: Omit<ReminderRow, 'confirmed_at'>,
  asked_until: number,
): Promise<boolean> {
  const taken = await trx<ReminderRow>('reminders')
    .insert({ ...row, confirmed_at: null })
    .onConflict(['event_id', 'email_hash'])
    .merge(['email', 'token_hash', 'asked_at'])
    .whereNull('reminders.confirmed_at')
    .where('reminders.asked_at', '<=', asked_until)
    .returning('id');
  return taken.length === 1;
}

export async function findReminder(db: Db, token_hash: string): Promise<ReminderRow | undefined> {
  return db<ReminderRow>('reminders').where({ token_hash }).first();
}

export async function confirmReminder(trx: Trx, id: string, at: number): Promise<void> {
  await trx<ReminderRow>('reminders')
    .where({ id })
    .whereNull('confirmed_at')
    .update({ confirmed_at: at });
}

export async function dropReminder(db: Db, token_hash: string): Promise<void> {
  await db<ReminderRow>('reminders').where({ token_hash }).delete();
}

/** Confirmed addresses, ordered by id. */
export async function confirmedReminders(
  db: Db,
  event_id: string,
  limit: number,
): Promise<ReminderRow[]> {
  return db<ReminderRow>('reminders')
    .where({ event_id })
    .whereNotNull('confirmed_at')
    .orderBy('id')
    .limit(limit);
}

/** Returns true if the address was still waiting, so that the caller stores its mail. */
export async function endReminder(trx: Trx, id: string): Promise<boolean> {
  return (await trx<ReminderRow>('reminders').where({ id }).delete()) === 1;
}

export async function dropReminders(db: Db, event_id: string): Promise<void> {
  await db<ReminderRow>('reminders').where({ event_id }).delete();
}

/** Deletes addresses that did not confirm a request of that time or earlier. */
export async function dropUnconfirmed(
  db: Db,
  { event_id, asked_until }: { event_id: string; asked_until: number },
): Promise<void> {
  await db<ReminderRow>('reminders')
    .where({ event_id })
    .whereNull('confirmed_at')
    .where('asked_at', '<=', asked_until)
    .delete();
}

export async function isWaitedFor(db: Db, event_id: string): Promise<boolean> {
  return (await db<ReminderRow>('reminders').where({ event_id }).first('id')) !== undefined;
}

/** When the oldest unconfirmed address was asked; null if all have confirmed. */
export async function oldestUnconfirmed(db: Db, event_id: string): Promise<number | null> {
  const oldest = await db<ReminderRow>('reminders')
    .where({ event_id })
    .whereNull('confirmed_at')
    .min<{ at: number | null }[]>({ at: 'asked_at' })
    .first();
  return oldest?.at ?? null;
}

/** Counts confirmed addresses. */
export async function countReminders(db: Db, event_id: string): Promise<number> {
  return countRows(db('reminders').where({ event_id }).whereNotNull('confirmed_at'));
}
