/** Queues mails in the transaction of what they report, and sends them in the worker. */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { findMail, insertMail, insertMails, noteMail } from '#db/mails.ts';
import { addNewTasks, addTask } from '#db/outbox.ts';
import type { MailRow } from '#db/rows.ts';
import type { SpelledMail } from '#server/domain/mail/mail-body.ts';
import {
  isReminderMail,
  newCodes,
  spellTrouble,
  type MailKind,
  type MailTrouble,
} from '#server/domain/mail/kinds.ts';
import type { Ctx } from '#server/services/context.ts';
import { composeMail } from '#server/services/mail/compose.ts';
import { lookOf } from '#server/services/site/look.ts';
import { organiserOf } from '#server/services/site/site.ts';

/** `key` makes a second mail of the same kind possible: the refund's id, the change's; left out, an order gets one of its kind, ever. */
interface MailWish {
  order_id: string;
  kind: MailKind;
  key?: string;
}
/** `to_address` where it does not go to the buyer. */
interface StoredWish {
  order_id: string | null;
  /** Of a mail about an event and no order. */ event_id?: string;
  kind: MailKind;
  key: string;
  to_address?: string | null;
  /** When it leaves, of many that leave one after the other; left out: now. */ run_at?: number;
  /** Of a mail that is kept as it was written, whatever changes until it leaves. */ words?: SpelledMail;
}

/** Which ticket a mail about a new holder speaks of, at which of its codes, and to whom. */
export function holderKey({
  ticket_id,
  revision,
  to,
}: {
  ticket_id: string;
  revision: number;
  to: 'buyer' | 'new' | 'old';
}): string {
  return `${ticket_id}.${revision}.${to}`;
}

/** Of each change another one. */
export function newCodesKey(ctx: Ctx): string {
  return `${newCodes}#${ctx.newId()}`;
}

/** Part of the caller's transaction. A repeat changes nothing. It leaves at the worker's next look, at once after `ctx.wake()`. */
export async function queueMail(
  ctx: Ctx,
  trx: Trx,
  { order_id, kind, key = '' }: MailWish,
): Promise<void> {
  await storeMail(ctx, trx, { order_id, kind, key });
}

/** To many orders at once; their keys are new, so that none has had its mail. */
export async function queueNewMails(
  ctx: Ctx,
  trx: Trx,
  wishes: readonly Required<MailWish>[],
): Promise<void> {
  const mails = wishes.map((wish) => newMail(ctx, wish));
  await insertMails(trx, mails);
  await addNewTasks(
    trx,
    mails.map(({ id }) => ({ task: 'send_mail', subject: id, run_at: ctx.now() })),
  );
}

function newMail(ctx: Ctx, wish: Pick<StoredWish, 'order_id' | 'kind' | 'key'>) {
  const id = ctx.newId();
  return {
    ...wish,
    id,
    message_id: messageIdOf(ctx, id),
    state: 'waiting' as const,
    attempts: 0,
    created_at: ctx.now(),
    to_address: null as string | null,
  };
}

/** The new mail's id, also where the order has had this mail before. */
export async function storeMail(
  ctx: Ctx,
  trx: Trx,
  { order_id, event_id, kind, key, to_address = null, run_at, words }: StoredWish,
): Promise<string> {
  const mail = newMail(ctx, { order_id, kind, key });
  const { id } = mail;
  const made = await insertMail(trx, {
    ...mail,
    ...(event_id === undefined ? {} : { event_id }),
    to_address,
    ...words,
  });
  if (made) await addTask(trx, { task: 'send_mail', subject: id, run_at: run_at ?? ctx.now() });
  return id;
}

/** Made once and kept: a second try is the same mail, and whoever has it already drops it. Not of the order's id, which opens its page. */
function messageIdOf(ctx: Ctx, id: string): string {
  return `<order-${id}@${new URL(ctx.publicUrl).hostname}>`;
}

/** How long a mail server that asks for patience, or says nothing, is asked again. */
const giveUpMs = 2 * 24 * 3_600_000;
const longestPauseMs = 3_600_000;

/** Idempotent by the mail's id: a repeat is the same Message-ID. Returns when to try again, or null when it has ended. */
export async function sendMail(ctx: Ctx, mail_id: string): Promise<number | null> {
  const mail = await findMail(ctx.db, mail_id);
  if (!mail || mail.state !== 'waiting') return null;
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
  // Its message was stopped while it was put together.
  if (!isOwed) return null;
  try {
    await ctx.mail.send({ ...composed, message_id: mail.message_id, from_name, reply_to });
  } catch (error) {
    if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) throw error;
    const reason = error.message.replace(/^SMTP: (?:\d{3}: )?/, '');
    if (error instanceof ProviderRefused)
      return endMail(ctx, mail, { trouble: 'rejected', said: reason });
    const again = ctx.now() + Math.min(longestPauseMs, 30_000 * 2 ** attempts);
    if (again > mail.created_at + giveUpMs)
      return endMail(ctx, mail, { trouble: 'gave_up', said: reason });
    // Not in the log what was said: it may name the buyer.
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
  return null;
}

async function endMail(
  ctx: Ctx,
  mail: MailRow,
  { trouble, said }: { trouble: MailTrouble; said?: string },
): Promise<null> {
  ctx.log.warn({ mail_id: mail.id, trouble }, 'mail not sent');
  // Somebody typed an address that nobody here has, or did not want to be kept: we do not keep it.
  const wasTyped = mail.kind === 'order_links' || mail.kind === 'password_reset';
  const isUnknown = wasTyped && trouble === 'obsolete';
  await noteMail(ctx.db, mail.id, {
    ...(isUnknown ? { to_address: null } : {}),
    ...(isReminderMail(mail.kind) ? nobody(ctx) : {}),
    state: trouble === 'obsolete' ? 'dropped' : 'failed',
    last_error: spellTrouble(trouble, said),
  });
  return null;
}

/** A mail of which only is left that there was one. */
function nobody(ctx: Ctx) {
  return { to_address: null, text: null, html: null, attachments: null, forgotten_at: ctx.now() };
}
