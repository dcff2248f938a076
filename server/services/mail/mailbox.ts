/** The office’s list of mails: which were sent, which failed and why; and sending one again. */
import type { Trx } from '#db/engine/dialect.ts';
import {
  findMail,
  findMailInBox,
  listMails,
  type ListedMail,
  type MailFilter,
} from '#db/mail/mails.ts';
import { noteOrder, requireOrderRow } from '#db/order/orders.ts';
import type { MailRow } from '#db/rows.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { readTrouble } from '#server/domain/mail/kinds.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { happened, oweMail } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import { withoutLinks } from '#server/services/order/order-link.ts';
import { isForHolder, refundKeyOf } from './mail-key.ts';
import { type MailWish } from '#server/services/kit/mail-queue.ts';
import { readPage } from '#server/services/kit/page.ts';

interface MailListAsk extends MailFilter {
  limit?: number;
  cursor?: string;
}

/** The mails, newest first. */
export async function mailList(ctx: Ctx, { limit = 40, cursor, q, ...filter }: MailListAsk) {
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => listMails(ctx.db, { ...filter, q: q?.trim() }, page),
    (row) => row.created_at,
  );
  return { items: rows.map(rowForOffice), next_cursor, leaves: ctx.mail.leaves };
}

function rowForOffice(mail: ListedMail) {
  return { ...mail, mail_id: mail.id, trouble: readTrouble(mail.last_error) };
}

interface Kept {
  name: string;
  type: string;
  bytes: number;
}

export async function mailForOffice(ctx: Ctx, id: string) {
  const found = await findMailInBox(ctx.db, id);
  if (!found) throw new Refusal('mail_not_found');
  const mail = withoutLinks(ctx, found);
  const kept = mail.attachments === null ? [] : (JSON.parse(mail.attachments) as Kept[]);
  const documents =
    mail.order_id === null ? null : `/api/admin/orders/${encodeURIComponent(mail.order_id)}`;
  return {
    ...mail,
    ...rowForOffice(mail),
    next_try_at: mail.state === 'waiting' ? mail.run_at : null,
    resend_to: ownAddressOf(mail) ?? mail.buyer_email,
    leaves: ctx.mail.leaves,
    attachments: kept.map((file) => ({
      ...file,
      path:
        documents &&
        `${documents}/${file.type === 'application/pdf' ? 'tickets.pdf' : 'calendar.ics'}`,
    })),
  };
}

/** Queues a new mail with a new Message-ID; the old one does not change. */
export async function resendMail(ctx: Ctx, id: string, actor: Actor): Promise<{ mail_id: string }> {
  const mail = await findMail(ctx.db, id);
  if (!mail || mail.order_id === null) throw new Refusal('mail_not_found');
  const order_id = mail.order_id;
  const order = await requireOrderRow(ctx.db, order_id);
  if (order.buyer_forgotten_at !== null) throw new Refusal('buyer_forgotten');
  const to_address = ownAddressOf(mail);
  if (to_address === null && order.buyer_email === null) throw new Refusal('mail_address_missing');
  const mail_id = await transact(ctx.db, (trx) =>
    storeAgain(ctx, trx, {
      order_id,
      kind: mail.kind,
      key: refundKeyOf(mail),
      to_address,
      actor,
    }),
  );
  return { mail_id };
}

/** The address of a holder's own mail; null: the mail goes to the buyer. */
function ownAddressOf(mail: Pick<MailRow, 'kind' | 'key' | 'to_address'>): string | null {
  return mail.kind === 'holder_changed' || isForHolder(mail) ? mail.to_address : null;
}

/** Sends the tickets again; if the address was corrected, stores it in the order. */
export async function resendTickets(
  ctx: Ctx,
  order_id: string,
  { email, actor }: { email?: string; actor: Actor },
): Promise<{ mail_id: string; to_address: string }> {
  const order = await requireOrder(ctx, order_id);
  if (order.state !== 'confirmed') throw new Refusal('order_not_confirmed');
  if (order.buyer_forgotten_at !== null) throw new Refusal('buyer_forgotten');
  if (!(await ticketsOfOrder(ctx.db, order_id)).some((ticket) => ticket.state === 'valid'))
    throw new Refusal('no_valid_tickets');
  if (email !== undefined && !isMailAddress(email))
    throw new Refusal('bad_request', { field: 'email' });
  const to_address = email ?? order.buyer_email;
  if (to_address === null) throw new Refusal('mail_address_missing');
  const mail_id = await transact(ctx.db, async (trx) => {
    if (to_address !== order.buyer_email) {
      await noteOrder(trx, order_id, {
        buyer_email: to_address,
        search_text: searchTextOf(order.number, order.buyer_name, to_address, order.buyer_phone),
      });
      // The registry says that the address was changed, but contains no address.
      await happened(ctx, trx, { actor, action: 'buyer_email_changed', subject: order_id });
    }
    return storeAgain(ctx, trx, { order_id, kind: 'tickets', key: '', actor });
  });
  return { mail_id, to_address };
}

async function storeAgain(
  ctx: Ctx,
  trx: Trx,
  { actor, key, ...mail }: MailWish & { order_id: string; actor: Actor },
): Promise<string> {
  const again = { ...mail, key: `${key}#${ctx.newId()}` };
  const mail_id = await oweMail(ctx, trx, { act: 'mail_resent', ...again });
  await happened(ctx, trx, {
    actor,
    action: 'mail_resent',
    subject: mail.order_id,
    detail: { mail_id, kind: mail.kind },
  });
  return mail_id;
}
