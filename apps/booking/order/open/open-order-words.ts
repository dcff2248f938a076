/**
 * Words about an order that waits for its payment, shared by the overlay, the order's page and
 * the notice.
 */
import { formatCount, formatEuro, formatTime } from '#apps/shared/format.ts';
import { dueOf } from '#apps/booking/order/exchange/exchange-words.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';

export const openQuestion =
  'Vuoi continuare con il pagamento o annullare l’ordine? Se lo annulli, i posti tornano disponibili.';

export const freeingWords = 'Libero i tuoi posti…';

/** As in "2 posti · 64,00 € · riservati fino alle 21:15". */
export function sayOpenOrder(
  order: Pick<OrderReply, 'lines' | 'total_cents' | 'pay_by' | 'exchanges'>,
): string {
  const { lines, pay_by } = order;
  const places = formatCount(lines.length, 'posto', 'posti');
  const kept = lines.length === 1 ? 'riservato' : 'riservati';
  return `${places} · ${formatEuro(dueOf(order))} · ${kept} fino alle ${formatTime(pay_by)}`;
}
