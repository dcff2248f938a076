/** Queues mails in the transaction of the change that they are about; mail/send.ts sends them. */
import type { Trx } from '#db/engine/dialect.ts';
import { insertMail, insertMails } from '#db/mail/mails.ts';
import { addNewTasks, addTask } from '#db/outbox.ts';
import type { TicketRow } from '#db/rows.ts';
import type { SpelledMail } from '#server/domain/mail/mail-body.ts';
import { newCodes, type MailKind } from '#server/domain/mail/kinds.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import type { Ctx } from '#server/services/context.ts';

/** `to_address`: set only if the mail does not go to the buyer. */
export interface MailWish {
  order_id: string | null;
  /** The event of a mail that has no order. */ event_id?: string;
  kind: MailKind;
  /**
   * Allows several mails of one kind to an order, for example with the refund's id; without a key
   * there is only one.
   */
  key?: string;
  to_address?: string | null;
  /** When to send the mail; if left out, now. */ run_at?: number;
  /** The words of a mail that is not composed when it is sent. */
  words?: SpelledMail;
}

/** The key of a mail about a new holder, from the ticket, its revision, and the reader. */
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

interface AddressedTicket extends Pick<TicketRow, 'id' | 'order_id' | 'revision' | 'holder_email'> {
  buyer_email: string | null;
}

/**
 * The mails that bring holders the present codes of their tickets, except to the buyer's own
 * address. `again`: allows another mail about the same revision.
 */
export function codeMails(tickets: readonly AddressedTicket[], again = '') {
  return tickets.flatMap(({ id: ticket_id, order_id, revision, holder_email, buyer_email }) => {
    if (holder_email === null || addressKey(holder_email) === addressKey(buyer_email ?? ''))
      return [];
    const key = `${holderKey({ ticket_id, revision, to: 'new' })}${again}`;
    return [{ order_id, kind: 'holder_changed' as const, key, to_address: holder_email }];
  });
}

/** A key for one change of codes; every call gives a new one. */
export function newCodesKey(ctx: Ctx): string {
  return `${newCodes}#${ctx.newId()}`;
}

/** One of many mails with new keys; none of them can be a repeat. */
export type NewMailWish = Required<Pick<MailWish, 'order_id' | 'kind' | 'key'>> &
  Pick<MailWish, 'to_address' | 'run_at'>;

export async function storeNewMails(
  ctx: Ctx,
  trx: Trx,
  wishes: readonly NewMailWish[],
): Promise<void> {
  const due = wishes.map(({ run_at = ctx.now(), ...wish }) => ({
    run_at,
    mail: newMail(ctx, wish),
  }));
  await insertMails(
    trx,
    due.map(({ mail }) => mail),
  );
  await addNewTasks(
    trx,
    due.map(({ mail, run_at }) => ({ task: 'send_mail', subject: mail.id, run_at })),
  );
}

function newMail(ctx: Ctx, wish: NewMailWish) {
  const id = ctx.newId();
  return {
    to_address: null,
    ...wish,
    id,
    message_id: messageIdOf(ctx, id),
    state: 'waiting' as const,
    attempts: 0,
    created_at: ctx.now(),
  };
}

/**
 * Queues a mail in the caller's transaction; it is sent after the commit. A repeat with the same
 * order, kind and key stores nothing and returns an id that no mail has.
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
 * The Message-ID, stored so that a repeat has the same one and mail servers recognise it. It
 * contains the mail's id, because an order's id would open the order's page.
 */
function messageIdOf(ctx: Ctx, id: string): string {
  return `<order-${id}@${new URL(ctx.publicUrl).hostname}>`;
}
