/**
 * "Avvisami": stores the addresses that wait for a sale, writes to each once when the sale opens,
 * and then deletes the address.
 */
import { createHash } from 'node:crypto';
import type { Trx } from '#db/engine/dialect.ts';
import { findEvent } from '#db/event/events.ts';
import * as rows from '#db/mail/reminders.ts';
import type { EventRow, ReminderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { undoMs } from '#server/domain/mail/message.ts';
import { confirmWithinMs, reminderStep } from '#server/domain/mail/reminder.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';
import { hashToken } from '#server/services/user/secrets.ts';
import { publishedEvent } from './events.ts';
import { saleToldAt } from './sale-opens.ts';

const pageSize = 100;
/** Saving an event queues this task; if that failed, it notices the change after this time. */
const lookAgainMs = 5 * 60_000;

/**
 * Always only queues a mail, so that neither answer nor timing tells whether the address is
 * stored already.
 * @throws Refusal event_not_found, sale_not_waiting
 */
export async function askForReminder(ctx: Ctx, event_id: string, email: string): Promise<void> {
  const event = await publishedEvent(ctx, event_id);
  if (reminderStep(event, ctx.now()) !== 'wait') throw new Refusal('sale_not_waiting');
  await transact(ctx.db, (trx) =>
    storeMail(ctx, trx, {
      order_id: null,
      event_id,
      kind: 'reminder',
      key: hashOfAddress(email),
      to_address: email,
    }),
  );
}

/** Upper and lower case give the same hash. */
export function hashOfAddress(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}

/** @throws Refusal reminder_gone */
export async function shownReminder(ctx: Ctx, token: string) {
  const { event, reminder } = await liveReminder(ctx, token);
  return inWords(event, reminder);
}

/** A repeated call changes nothing. @throws Refusal reminder_gone */
export async function confirmReminder(ctx: Ctx, token: string) {
  const { event, reminder } = await liveReminder(ctx, token);
  await transact(ctx.db, async (trx) => {
    await rows.confirmReminder(trx, reminder.id, ctx.now());
    await oweReminders(ctx, trx, event.id);
  });
  return inWords(event, { ...reminder, confirmed_at: ctx.now() });
}

export async function dropReminder(ctx: Ctx, token: string): Promise<void> {
  await rows.dropReminder(ctx.db, hashToken(token));
}

function inWords(event: EventRow, { confirmed_at }: ReminderRow) {
  return { event, opens_at: event.sales_opens_at, confirmed: confirmed_at !== null };
}

async function liveReminder(
  ctx: Ctx,
  token: string,
): Promise<{ event: EventRow; reminder: ReminderRow }> {
  const reminder = await rows.findReminder(ctx.db, hashToken(token));
  const event = reminder && (await findEvent(ctx.db, reminder.event_id));
  const isLate =
    reminder?.confirmed_at === null && reminder.asked_at <= ctx.now() - confirmWithinMs;
  if (!reminder || !event || isLate || reminderStep(event, ctx.now()) === 'forget')
    throw new Refusal('reminder_gone');
  return { event, reminder };
}

/**
 * Call it in the transaction that changes who waits, or when the sale opens: it queues the task
 * if anybody waits.
 */
export async function oweReminders(ctx: Ctx, trx: Trx, event_id: string): Promise<void> {
  if (await rows.isWaitedFor(trx, event_id))
    await queueTask(ctx, trx, { task: 'tell_reminders', subject: event_id });
}

/**
 * Idempotent: the transaction that stores a mail deletes its address, so a repeat after a crash
 * sends no second mail.
 */
export async function tellReminders(ctx: Ctx, subject: string): Promise<number | null> {
  // The act of a person that opens a sale has a task of its own, whose subject ends with its id.
  const [event_id = ''] = subject.split('#');
  const event = await findEvent(ctx.db, event_id);
  if (!event) return null;
  // Cancelling can still be taken back; then the addresses are needed again.
  const forgotten_at = event.status === 'cancelled' ? (event.cancelled_at ?? 0) + undoMs : 0;
  if (forgotten_at > ctx.now()) return forgotten_at;
  const step = reminderStep(event, ctx.now());
  if (step === 'wait') return waitOn(ctx, event);
  if (step === 'tell') {
    const told_at = await saleToldAt(ctx, event_id);
    if (told_at !== null) return told_at;
    await tellAll(ctx, event_id);
  }
  await rows.dropReminders(ctx.db, event_id);
  return null;
}

async function waitOn(ctx: Ctx, event: EventRow): Promise<number | null> {
  const now = ctx.now();
  const event_id = event.id;
  await rows.dropUnconfirmed(ctx.db, { event_id, asked_until: now - confirmWithinMs });
  if (!(await rows.isWaitedFor(ctx.db, event_id))) return null;
  const opens =
    (event.status === 'draft' ? null : event.sales_opens_at) ?? Number.POSITIVE_INFINITY;
  const expires = ((await rows.oldestUnconfirmed(ctx.db, event_id)) ?? now) + confirmWithinMs;
  return Math.min(opens, expires, now + lookAgainMs);
}

async function tellAll(ctx: Ctx, event_id: string): Promise<void> {
  for (;;) {
    const page = await rows.confirmedReminders(ctx.db, event_id, pageSize);
    await transact(ctx.db, async (trx) => {
      for (const { id, email } of page)
        if (await rows.endReminder(trx, id))
          await storeMail(ctx, trx, {
            order_id: null,
            event_id,
            kind: 'sale_open',
            key: id,
            to_address: email,
          });
    });
    ctx.fault('reminders_told');
    if (page.length < pageSize) return;
  }
}
