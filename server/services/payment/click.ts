/** Bookings that cost nothing and are confirmed by a click in their mail (RULES O6). */
import { randomBytes } from 'node:crypto';
import { moveOrder } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened, oweMail } from '#server/services/kit/happened.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import { confirmOrder } from './confirmation.ts';
import { leaseGiven, withLeaseOrRefuse, type LeasedCtx } from './order-lease.ts';

/** 128 random bits, which only the mail has: the link of the order is in the browser already. */
export function newClickKey(): string {
  return randomBytes(16).toString('base64url');
}

/** True while the order keeps its seats until its buyer has clicked in the mail. */
export function awaitsClick({ state, click_key }: Pick<OrderRow, 'state' | 'click_key'>): boolean {
  return state === 'awaiting_payment' && click_key !== null;
}

/**
 * Lets a booked order wait for the click and sends the mail; also gives the order's lease back.
 * False: another process has changed the order first.
 */
export async function askForClick(ctx: LeasedCtx, { id }: OrderRow): Promise<boolean> {
  const asked = await transact(ctx.db, async (trx) => {
    if (!(await moveOrder(trx, id, ['booking'], 'awaiting_payment', leaseGiven))) return false;
    await happened(ctx, trx, {
      actor: 'visitor',
      action: 'click_asked',
      subject: id,
      mails: [{ order_id: id, kind: 'confirm_click' }],
    });
    return true;
  });
  ctx.fault('click_asked');
  return asked;
}

/**
 * Confirms the order; a repeated call changes nothing.
 * @throws Refusal order_not_found; confirmation_gone: the time is over, the order has ended, or
 * the key is another
 */
export async function confirmByClick(ctx: Ctx, order_id: string, key: string): Promise<void> {
  const { id } = await requireOrder(ctx, order_id);
  await withLeaseOrRefuse(ctx, id, async (leased, order) => {
    if (order.click_key !== key) throw new Refusal('confirmation_gone');
    if (order.state === 'confirmed') return;
    if (!awaitsClick(order) || ctx.now() >= order.pay_by) throw new Refusal('confirmation_gone');
    const paid = { kind: 'free' } as const;
    if (!(await confirmOrder(leased, order, { paid, actor: 'visitor' })))
      throw new Refusal('confirmation_gone');
  });
}

/**
 * Sends the mail once more, with the same link.
 * @throws Refusal order_not_found, confirmation_gone
 */
export async function mailClickAgain(ctx: Ctx, order_id: string): Promise<void> {
  const order = await requireOrder(ctx, order_id);
  if (!awaitsClick(order) || ctx.now() >= order.pay_by) throw new Refusal('confirmation_gone');
  const mail = { order_id: order.id, kind: 'confirm_click', key: ctx.newId() } as const;
  await transact(ctx.db, (trx) => oweMail(ctx, trx, { act: 'click_asked', ...mail }));
}
