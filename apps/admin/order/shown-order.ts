/** The type of an order in the office. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readOrder } from '#server/contract/order/orders.ts';

export type Order = ReplyOf<typeof readOrder>;
type Line = Order['lines'][number];

export function isValidTicket(line: Line): line is Line & { ticket_id: string } {
  return line.ticket_id !== null && line.ticket_state === 'valid';
}

export interface OrderDialogProps {
  order: Order;
  onClose: () => void;
}
