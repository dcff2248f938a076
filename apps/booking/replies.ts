/** Names for the two replies that whole screens are made of. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { getEvent } from '#server/contract/events.ts';
import type { getOrder } from '#server/contract/orders.ts';

export type EventReply = ReplyOf<typeof getEvent>;
export type OrderReply = ReplyOf<typeof getOrder>;
