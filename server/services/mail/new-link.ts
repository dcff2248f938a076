/** Ends the link of an order and mails a new one to its buyer. */
import { ordersTogether } from '#db/order/order-families.ts';
import { replaceLink } from '#db/order/order-links.ts';
import { lockOrder } from '#db/order/orders.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import { newLink } from '#server/domain/mail/kinds.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import { hashOfLink, newLinkKey } from '#server/services/order/order-link.ts';

/**
 * Orders that belong together get new links together, because the page of each names the others.
 * @throws Refusal order_not_found, order_not_confirmed, buyer_forgotten, no_valid_tickets,
 * mail_address_missing
 */
export async function renewLink(ctx: Ctx, order_id: string, actor: Actor): Promise<void> {
  const order = await requireOrder(ctx, order_id);
  if (order.state !== 'confirmed') throw new Refusal('order_not_confirmed');
  if (order.buyer_forgotten_at !== null) throw new Refusal('buyer_forgotten');
  if (!(await ticketsOfOrder(ctx.db, order_id)).some((ticket) => ticket.state === 'valid'))
    throw new Refusal('no_valid_tickets');
  if (order.buyer_email === null) throw new Refusal('mail_address_missing');
  await transact(ctx.db, async (trx) => {
    await lockOrder(trx, order.part_of ?? order_id);
    for (const { id, link_key } of await ordersTogether(trx, order))
      await replaceLink(trx, {
        order_id: id,
        link_hash: hashOfLink(link_key),
        replaced_at: ctx.now(),
        link_key: newLinkKey(),
      });
    const key = `${newLink}#${ctx.newId()}`;
    await happened(ctx, trx, {
      actor,
      action: 'link_replaced',
      subject: order_id,
      mails: [{ order_id, kind: 'tickets', key }],
    });
  });
}
