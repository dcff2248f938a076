/** The office’s inbox: orders, refunds, mails and differences that need a person. */
import {
  countWaiting,
  listWaiting,
  seatsOfOrders,
  type SeatOfOrder,
  type WaitingAsk,
} from '#db/attention.ts';
import { readTrouble, type MailKind } from '#server/domain/mail.ts';
import { decisionsFor } from '#server/domain/order.ts';
import { seatName } from '#server/domain/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { longPendingMs } from '#server/services/booking/payment-record.ts';

const most = 100;

function askOf(ctx: Ctx): WaitingAsk {
  return { limit: most, pending_before: ctx.now() - longPendingMs };
}

export async function attentionCount(ctx: Ctx) {
  return { count: await countWaiting(ctx.db, askOf(ctx)) };
}

export async function attentionList(ctx: Ctx) {
  const { orders, refunds, disputes, mails, breaks } = await listWaiting(ctx.db, askOf(ctx));
  const seats = await seatsOfOrders(ctx.db, [
    ...new Set([...orders, ...refunds, ...disputes].flatMap(({ order_id }) => order_id ?? [])),
  ]);
  const seatsOf = (wanted: (seat: SeatOfOrder) => boolean) =>
    seats.filter(wanted).map((seat) => seatName(seat));
  return {
    ...(await attentionCount(ctx)),
    orders: orders.map((order) => ({
      ...order,
      needs_attention: order.needs_attention!,
      decisions: [...decisionsFor(order.needs_attention)],
      seats: seatsOf((seat) => seat.order_id === order.id),
    })),
    refunds: refunds.map((refund) => ({
      ...refund,
      refund_id: refund.id,
      long_pending: refund.state === 'pending' || refund.state === 'requires_action',
      seats: seatsOf((seat) => seat.refund_ids.includes(refund.id)),
    })),
    disputes: disputes.map((dispute) => ({
      ...dispute,
      dispute_id: dispute.id,
      decisions: dispute.needs_attention === 'disputed' ? [...decisionsFor('disputed')] : [],
      seats: seatsOf((seat) => seat.order_id === dispute.order_id),
    })),
    mails: mails.map((mail) => ({
      ...mail,
      mail_id: mail.id,
      kind: mail.kind as MailKind,
      trouble: readTrouble(mail.last_error)?.trouble ?? null,
    })),
    breaks: breaks.map((found) => ({ ...found, break_id: found.id })),
  };
}
