/** An order as the office reads it. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readOrder } from '#server/contract/order/orders.ts';

export type Order = ReplyOf<typeof readOrder>;

export interface OrderDialogProps {
  order: Order;
  onClose: () => void;
}
