/**
 * Writes the mails to people who wait for a sale (Avvisami). The first mail asks for a
 * confirmation; the database has only a hash of its link.
 */
import { randomBytes } from 'node:crypto';
import { findEvent } from '#db/event/events.ts';
import { countLetters, noteMail } from '#db/mail/mails.ts';
import { takeReminder } from '#db/mail/reminders.ts';
import type { EventRow, MailRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { SpelledMail } from '#server/domain/mail/mail-body.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { type MailTrouble } from '#server/domain/mail/kinds.ts';
import { reminderStep } from '#server/domain/mail/reminder.ts';
import {
  writeConfirmMail,
  writeNearMail,
  writeOpenMail,
} from '#server/domain/mail/reminder-mail.ts';
import type { Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { hashToken } from '#server/services/user/secrets.ts';
import { spellForBuyer } from './dress.ts';

/** The least time between two mails to an address, which strangers may type repeatedly. */
const pauseMs = 10 * 60_000;
const mostADay = 5;
const dayMs = 24 * 3_600_000;

type Letter = SpelledMail & { to: string; attachments: [] };

/** The page where people confirm or decline; the token follows the #, so no log contains it. */
const reminderPath = '/avviso';

export async function composeReminder(ctx: Ctx, mail: MailRow): Promise<Letter | MailTrouble> {
  const to = mail.to_address;
  const event = mail.event_id === null ? undefined : await findEvent(ctx.db, mail.event_id);
  if (!event || to === null || !isMailAddress(to)) return 'obsolete';
  if (mail.kind === 'queue_near') return composeFor(ctx, { event, to, write: writeNearMail });
  const step = reminderStep(event, ctx.now());
  if (mail.kind === 'sale_open')
    return step === 'tell' ? composeFor(ctx, { event, to, write: writeOpenMail }) : 'obsolete';
  if (step !== 'wait') return 'obsolete';
  const { subject, text, html } = mail;
  // A repeat sends the stored mail, so that its link stays the same.
  if (subject !== null && text !== null && html !== null)
    return { to, subject, text, html, attachments: [] };
  if ((await countLetters(ctx.db, mail, mail.created_at - dayMs)) >= mostADay) return 'obsolete';
  return askForYes(ctx, { mail, event, to });
}

async function askForYes(
  ctx: Ctx,
  { mail, event, to }: { mail: MailRow; event: EventRow; to: string },
): Promise<Letter | MailTrouble> {
  const token = randomBytes(16).toString('base64url');
  const spelled = await spellForBuyer(
    ctx,
    writeConfirmMail({
      event,
      url: `${ctx.publicUrl}${reminderPath}#${token}`,
      organiser: await organiserOf(ctx),
    }),
  );
  const now = ctx.now();
  const reminder = {
    id: ctx.newId(),
    event_id: event.id,
    email: to,
    email_hash: mail.key,
    token_hash: hashToken(token),
    asked_at: now,
  };
  const taken = await transact(ctx.db, async (trx) => {
    if (!(await takeReminder(trx, reminder, now - pauseMs))) return false;
    await noteMail(trx, mail.id, { ...spelled });
    await queueTask(ctx, trx, { task: 'tell_reminders', subject: event.id });
    return true;
  });
  return taken ? { to, ...spelled, attachments: [] } : 'obsolete';
}

async function composeFor(
  ctx: Ctx,
  { event, to, write }: { event: EventRow; to: string; write: typeof writeOpenMail },
): Promise<Letter> {
  const body = write({
    event,
    url: `${ctx.publicUrl}/event/${encodeURIComponent(event.id)}`,
    organiser: await organiserOf(ctx),
  });
  return { to, ...(await spellForBuyer(ctx, body)), attachments: [] };
}
