/**
 * Writes the mail with the links to a buyer’s orders, as they are when it is sent; without orders
 * no mail is sent.
 */
import { countLetters } from '#db/mail/mails.ts';
import { ordersOfBuyer } from '#db/order/order-list.ts';
import type { MailRow } from '#db/rows.ts';
import type { SpelledMail } from '#server/domain/mail/mail-body.ts';
import { writeLinksMail } from '#server/domain/mail/links-mail.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { type MailTrouble } from '#server/domain/mail/kinds.ts';
import type { Ctx } from '#server/services/context.ts';
import { orderUrl } from '#server/services/order/order-link.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { spellForBuyer } from './dress.ts';

/** The least time between two mails to an address, which strangers may type repeatedly. */
const pauseMs = 10 * 60_000;
const mostADay = 5;
const dayMs = 24 * 3_600_000;
/** The mail lists orders that were confirmed within this time, and all for coming events. */
const backMs = 365 * dayMs;

/**
 * Composes the mail; of several mails to one address within `pauseMs` only the earliest is sent,
 * even by several processes.
 */
export async function composeLinks(
  ctx: Ctx,
  mail: MailRow,
): Promise<(SpelledMail & { to: string; attachments: [] }) | MailTrouble> {
  const to = mail.to_address;
  if (to === null || !isMailAddress(to)) return 'obsolete';
  const earlier = (since: number) => countLetters(ctx.db, mail, since);
  if (
    (await earlier(mail.created_at - pauseMs)) > 0 ||
    (await earlier(mail.created_at - dayMs)) >= mostADay
  )
    return 'obsolete';
  const orders = await ordersOfBuyer(ctx.db, to, {
    confirmed_after: ctx.now() - backMs,
    starts_after: ctx.now(),
    limit: 50,
  });
  if (orders.length === 0) return 'obsolete';
  const body = writeLinksMail({
    orders: orders.map((order) => ({ ...order, url: orderUrl(ctx, order) })),
    organiser: await organiserOf(ctx),
  });
  return { to, ...(await spellForBuyer(ctx, body)), attachments: [] };
}
