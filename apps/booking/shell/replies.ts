/** Short names for the types of replies that whole screens show. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { getEvent } from '#server/contract/events.ts';
import type { getOrder } from '#server/contract/order/orders.ts';
import type { orderRefunds } from '#server/contract/order/refunds.ts';

export type EventReply = ReplyOf<typeof getEvent>;
export type OrderReply = ReplyOf<typeof getOrder>;
export type RefundsReply = ReplyOf<typeof orderRefunds>;
