/**
 * The link that makes its holder the buyer of an order: `/orders/{link_key}`. The order's `id`
 * opens nothing for a visitor.
 */
import { hash, randomBytes } from 'node:crypto';
import { isLinkReplaced, orderOfLink } from '#db/order/order-links.ts';
import type { OrderRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { whyMissing } from './find-order.ts';

/** 128 random bits, base64url. */
export function newLinkKey(): string {
  return randomBytes(16).toString('base64url');
}

export function hashOfLink(link_key: string): string {
  return hash('sha256', link_key, 'base64url');
}

/** The address of the order's page, which only its buyer may be given. */
export function orderUrl({ publicUrl }: Ctx, { link_key }: Pick<OrderRow, 'link_key'>): string {
  return `${publicUrl}/orders/${link_key}`;
}

/** Where a buyer asks for the links again, for papers that are shared with calendars and phones. */
export function ticketsUrl({ publicUrl }: Ctx): string {
  return `${publicUrl}/i-miei-biglietti`;
}

/**
 * A mail as the office may read it: with the secret of the link the reader would be the buyer.
 * Without a mail server the buyer reads the mail in the office's mailbox.
 */
export function withoutLinks<M extends { text: string | null; html: string | null }>(
  { mail: { leaves } }: Ctx,
  mail: M,
): M {
  if (!leaves) return mail;
  const cut = (words: string | null) =>
    words?.replace(/(\/orders\/)[\w-]{22}(?![\w-])/g, '$1…') ?? null;
  return { ...mail, text: cut(mail.text), html: cut(mail.html) };
}

/**
 * The id of the order that a visitor's link opens.
 * @throws Refusal order_not_found, link_replaced
 */
export async function orderIdOfLink(ctx: Ctx, link_key: string): Promise<string> {
  const id = await orderOfLink(ctx.db, link_key);
  if (id !== undefined) return id;
  if (await isLinkReplaced(ctx.db, hashOfLink(link_key))) throw new Refusal('link_replaced');
  throw new Refusal('order_not_found', await whyMissing(ctx));
}
