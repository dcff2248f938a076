/** The office opens a sale for which people wait: their mails leave a minute later (RULES N4). */
import { beginAnnouncement, openAnnouncement } from '#db/mail/announcements.ts';
import { countReminders } from '#db/mail/reminders.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { EventRow } from '#db/rows.ts';
import { movedBetween } from '#server/domain/mail/announcement.ts';
import { reminderStep } from '#server/domain/mail/reminder.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { announce } from './announcements.ts';

interface Saving {
  before: EventRow;
  changes: Partial<EventRow>;
  actor: Actor;
}

/** Call it in the transaction that saves the event; does nothing unless the sale opens by it. */
export async function announceSale(
  ctx: Ctx,
  trx: Trx,
  { before, changes, actor }: Saving,
): Promise<void> {
  const now = ctx.now();
  const opens =
    reminderStep(before, now) === 'wait' && reminderStep({ ...before, ...changes }, now) === 'tell';
  if (!opens) return;
  const buyers = await countReminders(trx, before.id);
  if (buyers === 0) return;
  const id = ctx.newId();
  await announce(ctx, trx, {
    id,
    event_id: before.id,
    act: 'sale_open',
    task: 'tell_reminders',
    subject: `${before.id}#${id}`,
    buyers,
    moved: { event: movedBetween(before, changes) },
    actor,
  });
}

/** When to tell who waits: null: now. A sale that opens by itself is told at once. */
export async function saleToldAt(ctx: Ctx, event_id: string): Promise<number | null> {
  const row = await openAnnouncement(ctx.db, event_id, 'sale_open');
  if (row === undefined) return null;
  if (row.begins_at > ctx.now()) return row.begins_at;
  return (await beginAnnouncement(ctx.db, row.id, ctx.now())) ? null : ctx.now();
}
