/** Changes of date on the order page: those that were made, and the way to a new one. */
import { useEffect, useState } from 'react';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import card from '#apps/booking/shell/page/card.module.css';
import { ExchangeChooser } from './exchange-chooser.tsx';
import { exchangesOf, sayExchanged } from './exchange-words.ts';
import { keptExchange } from './kept-exchange.ts';
import { OtherOrder } from './other-order.tsx';

export function ExchangeSection({ order }: { order: OrderReply }) {
  const [choosing, setChoosing] = useState(false);
  const { exchange_rule, may_exchange } = order;
  const exchanges = exchangesOf(order);
  const hasTickets = order.tickets.some(({ state }) => state === 'valid');
  useForgetWhenDone(exchanges.some(({ state }) => state === 'done'));
  const rule = hasTickets ? exchange_rule : null;
  if (exchanges.length === 0 && rule === null) return null;
  return (
    <section className={`${card.section} no-print`} aria-labelledby="exchange-title">
      <h2 id="exchange-title">Cambio di data</h2>
      {exchanges.map((exchange) => (
        <p key={exchange.number}>
          {sayExchanged(exchange)} <OtherOrder exchange={exchange} />
        </p>
      ))}
      {rule !== null && <p>{rule}</p>}
      {rule !== null &&
        may_exchange &&
        (choosing ? (
          <ExchangeChooser order_id={order.order_id} onCancel={() => setChoosing(false)} />
        ) : (
          <p>
            <button type="button" className="ui-button" onClick={() => setChoosing(true)}>
              Cambia data
            </button>
          </p>
        ))}
    </section>
  );
}

/** Later visits of this tab sell as usual. */
function useForgetWhenDone(isDone: boolean) {
  useEffect(() => {
    if (isDone) keptExchange.write(null);
  }, [isDone]);
}
