/** A link to the order on the other side of an exchange; its bare number for another buyer. */
import type { OwnExchange } from './exchange-words.ts';

export function OtherOrder({ exchange: { order_id, number } }: { exchange: OwnExchange }) {
  const words = `Ordine n. ${number}`;
  return order_id === null ? <span>{words}</span> : <a href={`/orders/${order_id}`}>{words}</a>;
}
