/** Changes of date on the order page: those that were made, and the way to a new one. */
import { useState } from 'react';
import { formatShortDate } from '#apps/shared/format.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import card from '#apps/booking/shell/page/card.module.css';
import { ExchangeChooser } from './exchange-chooser.tsx';

export function ExchangeSection({ order }: { order: OrderReply }) {
  const [choosing, setChoosing] = useState(false);
  const { exchanges, exchange_rule } = order;
  const may = exchange_rule !== null && order.tickets.some(({ state }) => state === 'valid');
  if (exchanges.length === 0 && !may) return null;
  return (
    <section className={`${card.section} no-print`} aria-labelledby="exchange-title">
      <h2 id="exchange-title">Cambio di data</h2>
      {exchanges.map((exchange) => (
        <p key={exchange.number}>{sayExchanged(exchange)}</p>
      ))}
      {may && <p>{exchange_rule}</p>}
      {may &&
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

function sayExchanged({ side, number, starts_at, seats }: OrderReply['exchanges'][number]): string {
  const which = `${seats.join(' · ')}`;
  return side === 'given'
    ? `${which}: cambiati con ${formatShortDate(starts_at)}, ordine n. ${number}.`
    : `Presi in cambio di quelli del ${formatShortDate(starts_at)} (${which}), ordine n. ${number}.`;
}
