/** On the page of a new order that is not confirmed: whether the old tickets are still good. */
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import card from '#apps/booking/shell/page/card.module.css';
import { exchangeInto, sayOldTickets } from './exchange-words.ts';

export function ExchangeNote({ order }: { order: OrderReply }) {
  const exchange = exchangeInto(order);
  const words = exchange === undefined ? null : sayOldTickets(exchange);
  if (exchange === undefined || words === null) return null;
  return (
    <section className={`${card.section} no-print`} aria-labelledby="exchange-title">
      <h2 id="exchange-title">Cambio di data</h2>
      <p>{words}</p>
      {exchange.order_id !== null && (
        <p>
          <a href={`/orders/${exchange.order_id}`}>Vedi i biglietti di prima</a>
        </p>
      )}
    </section>
  );
}
