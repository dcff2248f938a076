/**
 * The books for the office and the public: the list, the signing key, the published heads, and
 * the key to an order's hashes.
 */
import { findBook, listBooks, orderOfNumber } from '#db/book.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { publishedDays } from './days.ts';
import { houseKey } from './key.ts';
import { personKey } from './write.ts';

const shownDays = 7;

export async function bookList(ctx: Ctx, ask: ListAsk) {
  const { rows, next_cursor } = await listPage(ask, (page) => listBooks(ctx.db, page), {
    timeOf: (row) => row.starts_at,
    textsOf: (row) => [row.title],
  });
  return { ...(await publicBookKey(ctx, shownDays)), items: rows, next_cursor };
}

/** The public part: the signing key and the heads of the last `days`. */
export async function publicBookKey(ctx: Ctx, days: number) {
  const { key, fingerprint } = await houseKey(ctx);
  return { key, fingerprint, days: await publishedDays(ctx, days) };
}

/**
 * The key that checks names against this order's hashes. Refuses: book_empty, order_not_found.
 */
export async function openOrder(ctx: Ctx, number: string) {
  const order = await orderOfNumber(ctx.db, number.trim().toUpperCase());
  if (!order) throw new Refusal('order_not_found');
  const book = await findBook(ctx.db, order.event_id);
  if (!book) throw new Refusal('book_empty');
  const tickets = await ticketsOfOrder(ctx.db, order.id);
  return {
    order: order.number,
    key: personKey(book, order.number),
    buyer: order.buyer_name,
    mail: order.buyer_email,
    holders: [...new Set(tickets.flatMap(({ holder }) => holder ?? []))],
  };
}
