/**
 * Writes the office's own words to one buyer, with the facts of the orders as they are now, for a
 * preview, a test or the mail itself.
 */
import { requireEventRow } from '#db/event/events.ts';
import { findMessage, ordersOfRecipient } from '#db/mail/messages.ts';
import { findOrder, requireOrderRow } from '#db/order/orders.ts';
import type { MailRow, OrderRow } from '#db/rows.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import { spellMail, type MailBody, type SpelledMail } from '#server/domain/mail/mail-body.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { type MailTrouble } from '#server/domain/mail/kinds.ts';
import { unknownPlaceholders } from '#server/domain/mail/message.ts';
import { writeMessageMail, type MessageFacts } from '#server/domain/mail/message-mail.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import { orderUrl, withoutLinks } from '#server/services/order/order-link.ts';
import type { Ctx } from '#server/services/context.ts';
import { organiserOf } from '#server/services/site/site.ts';

export interface MessageWords {
  subject: string;
  body: string;
}
type Letter = SpelledMail & { to: string; attachments: [] };

/** @throws Refusal text_placeholder_unknown */
export function refuseUnknownPlaceholders({ subject, body }: MessageWords): void {
  const names = unknownPlaceholders(`${subject}\n${body}`);
  if (names.length > 0)
    throw new Refusal('text_placeholder_unknown', { names: names.slice(0, 10) });
}

/** @throws Refusal order_not_found, text_placeholder_unknown */
export async function letterFor(
  ctx: Ctx,
  { order_id, ...words }: MessageWords & { order_id: string },
) {
  refuseUnknownPlaceholders(words);
  const order = await requireOrder(ctx, order_id);
  const letter = await writeLetter(ctx, words, [order]);
  return { to_address: order.buyer_email, ...withoutLinks(ctx, spellMail(letter)) };
}

/**
 * Composes one mail of a message; `message_id` comes from the mail's key. Orders without valid
 * tickets are left out.
 */
export async function composeMessage(
  ctx: Ctx,
  mail: MailRow,
  message_id: string,
): Promise<Letter | MailTrouble> {
  const message = await findMessage(ctx.db, message_id);
  const lead = mail.order_id === null ? undefined : await findOrder(ctx.db, mail.order_id);
  if (!message || !lead) return 'obsolete';
  const to = lead.buyer_email;
  if (to === null) return 'no_address';
  if (!isMailAddress(to)) return 'bad_address';
  const about = [];
  for (const id of await ordersOfRecipient(ctx.db, { message_id, lead_order_id: lead.id })) {
    const order = await requireOrderRow(ctx.db, id);
    // The address of an order may have been corrected meanwhile; the mail names only orders that
    // still have this one.
    const isTheirs = order.buyer_email?.toLowerCase() === to.toLowerCase();
    if (isTheirs && (await validSeats(ctx, order)).length > 0) about.push(order);
  }
  const { subject, body } = message;
  if (about.length === 0 || subject === null || body === null) return 'obsolete';
  return { to, ...spellMail(await writeLetter(ctx, { subject, body }, about)), attachments: [] };
}

/** The names of the seats with valid tickets; empty unless the order is confirmed. */
async function validSeats(ctx: Ctx, order: OrderRow): Promise<string[]> {
  if (order.state !== 'confirmed') return [];
  const tickets = await ticketsOfOrder(ctx.db, order.id);
  return tickets
    .filter((ticket) => ticket.state === 'valid')
    .map(seatName)
    .toSorted(compareNames);
}

async function writeLetter(
  ctx: Ctx,
  words: MessageWords,
  orders: readonly OrderRow[],
): Promise<MailBody> {
  const facts: MessageFacts['orders'][number][] = [];
  for (const order of orders) {
    const { title, starts_at } = await requireEventRow(ctx.db, order.event_id);
    facts.push({
      number: order.number,
      title,
      starts_at,
      seats: await validSeats(ctx, order),
      url: orderUrl(ctx, order),
    });
  }
  const organiser = await organiserOf(ctx);
  const buyer_name = orders[0]?.buyer_name ?? null;
  return writeMessageMail(words, { buyer_name, orders: facts, organiser });
}
