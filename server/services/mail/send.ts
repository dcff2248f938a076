/** Sends one queued mail and returns when to try again; the worker calls it. */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { providerHealth } from '#server/adapters/provider-health.ts';
import { findMail, hurryLateMails, noteMail } from '#db/mail/mails.ts';
import type { MailRow } from '#db/rows.ts';
import {
  isReminderMail,
  mailKinds,
  spellTrouble,
  type MailTrouble,
} from '#server/domain/mail/kinds.ts';
import type { Ctx } from '#server/services/context.ts';
import { lookOf } from '#server/services/site/look.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { composeMail } from './compose.ts';

/** How long we try again if the mail server asks us to wait or does not answer. */
const giveUpMs = 2 * 24 * 3_600_000;
const longestPauseMs = 3_600_000;
/** A mail of a newer version waits for a process of that version. */
const newerPauseMs = 60_000;

/**
 * Idempotent by the mail's id: a repeat has the same Message-ID. Returns when to try again; null
 * if the mail is sent or has failed.
 */
export async function sendMail(ctx: Ctx, mail_id: string): Promise<number | null> {
  const mail = await findMail(ctx.db, mail_id);
  if (!mail || mail.state !== 'waiting') return null;
  if (!mailKinds.includes(mail.kind)) return ctx.now() + newerPauseMs;
  const composed = await composeMail(ctx, mail);
  if (typeof composed === 'string') return endMail(ctx, mail, { trouble: composed });
  const { to, attachments } = composed;
  const { subject, text, html } = composed.kept ?? composed;
  const kept = attachments.map(({ name, type, content }) => ({
    name,
    type,
    bytes: content.length,
  }));
  const attempts = mail.attempts + 1;
  const { email: reply_to } = await organiserOf(ctx);
  const { mail_sender: from_name } = await lookOf(ctx);
  const isOwed = await noteMail(ctx.db, mail.id, {
    to_address: to,
    subject,
    text,
    html,
    attachments: JSON.stringify(kept),
    attempts,
  });
  // Meanwhile the office has stopped the message to which this mail belongs.
  if (!isOwed) return null;
  const { answered_at = null, error: silence = null } = providerHealth(ctx.mail) ?? {};
  const mayBeMended = mail.attempts > 0 || answered_at === null || silence !== null;
  try {
    await ctx.mail.send({ ...composed, message_id: mail.message_id, from_name, reply_to });
  } catch (error) {
    if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) throw error;
    const reason = error.message.replace(/^SMTP: (?:\d{3}: )?/, '');
    if (error instanceof ProviderRefused)
      return endMail(ctx, mail, { trouble: 'rejected', said: reason });
    const pauseMs = Math.min(longestPauseMs, 30_000 * 2 ** attempts);
    // A mail that was not tried yet comes before one that failed and may fail for ever.
    const again = ctx.now() + (error.cause === null ? pauseMs / 2 : pauseMs);
    if (again > mail.created_at + giveUpMs)
      return endMail(ctx, mail, { trouble: 'gave_up', said: reason });
    // The log leaves out the server's words, because they may name the buyer.
    ctx.log.warn({ mail_id, attempts }, 'mail not sent yet');
    await noteMail(ctx.db, mail.id, { last_error: spellTrouble('no_answer', reason) });
    return again;
  }
  ctx.fault('mail_accepted');
  await noteMail(ctx.db, mail.id, {
    ...(isReminderMail(mail.kind) && ctx.mail.leaves ? nobody(ctx) : {}),
    state: 'sent',
    sent_at: ctx.now(),
    last_error: ctx.mail.leaves ? null : spellTrouble('not_set_up'),
  });
  if (mayBeMended) await hurryLateMails(ctx.db, ctx.now());
  return null;
}

async function endMail(
  ctx: Ctx,
  mail: MailRow,
  { trouble, said }: { trouble: MailTrouble; said?: string },
): Promise<null> {
  ctx.log.warn({ mail_id: mail.id, trouble }, 'mail not sent');
  // A typed address that belongs to no order or person is not stored.
  const wasTyped = mail.kind === 'order_links' || mail.kind === 'password_reset';
  const isUnknown = wasTyped && trouble === 'obsolete';
  await noteMail(ctx.db, mail.id, {
    ...(isUnknown ? { to_address: null } : {}),
    ...(isReminderMail(mail.kind) ? nobody(ctx) : {}),
    state: trouble === 'obsolete' || trouble === 'anonymous' ? 'dropped' : 'failed',
    last_error: spellTrouble(trouble, said),
  });
  return null;
}

/** The columns that erase everything about the mail except that it was sent. */
function nobody(ctx: Ctx) {
  return { to_address: null, text: null, html: null, attachments: null, forgotten_at: ctx.now() };
}
