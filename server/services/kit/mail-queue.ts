/** Queues mails in the transaction of what they report; mail/send.ts sends them. */
import type { Trx } from '#db/engine/dialect.ts';
import { insertMail, insertMails } from '#db/mail/mails.ts';
import { addNewTasks, addTask } from '#db/outbox.ts';
import type { SpelledMail } from '#server/domain/mail/mail-body.ts';
import { newCodes, type MailKind } from '#server/domain/mail/kinds.ts';
import type { Ctx } from '#server/services/context.ts';

/** `to_address` where it does not go to the buyer. */
export interface MailWish {
  order_id: string | null;
  /** Of a mail about an event and no order. */ event_id?: string;
  kind: MailKind;
  /**
   * Makes a second mail of the same kind possible: the refund's id, the change's; left out, an
   * order gets one of its kind, ever.
   */
  key?: string;
  to_address?: string | null;
  /** When it leaves, of many that leave one after the other; left out: now. */ run_at?: number;
  /** The words of a mail that stays as it was written, whatever changes before it leaves. */
  words?: SpelledMail;
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

/** Every change gets a key of its own. */
export function newCodesKey(ctx: Ctx): string {
  return `${newCodes}#${ctx.newId()}`;
}

/** One of many mails whose keys are new, so that no order has had its mail. */
export type NewMailWish = Required<Pick<MailWish, 'order_id' | 'kind' | 'key'>>;

export async function storeNewMails(
  ctx: Ctx,
  trx: Trx,
  wishes: readonly NewMailWish[],
): Promise<void> {
  const mails = wishes.map((wish) => newMail(ctx, wish));
  await insertMails(trx, mails);
  await addNewTasks(
    trx,
    mails.map(({ id }) => ({ task: 'send_mail', subject: id, run_at: ctx.now() })),
  );
}

function newMail(ctx: Ctx, wish: NewMailWish) {
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

/**
 * Part of the caller's transaction; it leaves as soon as that is committed. A repeat changes
 * nothing. Returns the new mail's id, also where the order has had this mail before.
 */
export async function storeMail(
  ctx: Ctx,
  trx: Trx,
  { order_id, event_id, kind, key = '', to_address = null, run_at, words }: MailWish,
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

/**
 * Made once and kept: a mail server that has the mail already drops a second try. It is not made of
 * the order's id, which opens its page.
 */
function messageIdOf(ctx: Ctx, id: string): string {
  return `<order-${id}@${new URL(ctx.publicUrl).hostname}>`;
}
