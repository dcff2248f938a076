/** What an order is about, line by line, with its sums: for its buyer and for the office. */
import { formatEuro, sayPrice } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { LoweredPrice } from '#apps/shared/ui/lowered-price.tsx';
import { typeWords } from '#server/domain/order/type-words.ts';
import { feeWords } from '#server/domain/price/pricing.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { exchangeInto, givenCents } from '#apps/booking/order/exchange/exchange-words.ts';
import { EventFacts } from './event-facts.tsx';
import card from '#apps/booking/shell/page/card.module.css';
import lines from '#apps/booking/shell/price-lines.module.css';
import styles from './page.module.css';

export function OrderFacts({ order }: { order: OrderReply }) {
  return (
    <section className={card.section} aria-labelledby="order-facts-title">
      <EventFacts event={order.event} />
      <ul className={lines.list}>
        {order.lines.map((line, index) => (
          <OrderLine key={index} line={line} />
        ))}
      </ul>
      <Sums order={order} />
      {/* Missing in orders that this browser stored in an older version. */}
      {order.together?.map(({ order_id, number }) => (
        <p key={order_id}>
          <a href={`/orders/${order_id}`}>Insieme all’ordine n. {number}</a>
        </p>
      ))}
      {order.receipt_url !== null && (
        <p className="no-print">
          <a
            className={styles.receipt}
            href={order.receipt_url}
            target="_blank"
            rel="noopener noreferrer"
          >
            Ricevuta del pagamento <Icon name="external" size={16} />
          </a>
        </p>
      )}
      <p className="small soft">
        Ordine n. {order.number} · Riepilogo d’ordine – non valido ai fini fiscali.
      </p>
    </section>
  );
}

function OrderLine({ line }: { line: OrderReply['lines'][number] }) {
  return (
    <li className={lines.line}>
      <span className={lines.name}>
        {line.seat}
        <span className="soft"> – {typeWords(line.type_label, line.lowered_by)}</span>
        {/* Missing in orders that this browser stored in an older version. */}
        {line.remarks?.length > 0 && (
          <span className="small soft"> ({line.remarks.join('; ')})</span>
        )}
      </span>
      <span className={lines.price}>
        <LoweredPrice
          cents={line.price_cents + line.fee_cents}
          list_cents={line.list_cents ? line.list_cents + line.fee_cents : null}
        />
      </span>
    </li>
  );
}

function Sums({ order }: { order: OrderReply }) {
  const left = order.cancellation?.left?.amount_cents ?? 0;
  const exchange = exchangeInto(order);
  const given = givenCents(order);
  // The head of the page says what becomes of the part payment of a reservation that ended.
  const isDeposit = order.state === 'deleted' && Boolean(order.deposit_end);
  const back = isDeposit ? 0 : order.refunded_cents - left - given;
  return (
    <>
      <p className={lines.total}>
        <span>{order.total_cents === 0 ? 'Totale' : 'Totale (IVA inclusa)'}</span>{' '}
        <strong>{sayPrice(order.total_cents)}</strong>
      </p>
      {order.fee_cents > 0 && <p className={lines.fee}>{feeWords(order)}</p>}
      {exchange !== undefined && exchange.state !== 'ended' && (
        <p className={lines.fee}>
          <span>Dai biglietti di prima</span> <span>−{formatEuro(exchange.credit_cents)}</span>
        </p>
      )}
      {given > 0 && (
        <p className={lines.fee}>
          <span>Cambiato con un’altra data</span> <span>−{formatEuro(given)}</span>
        </p>
      )}
      {back > 0 && (
        <p className={lines.fee}>
          <span>Rimborsato</span> <span>−{formatEuro(back)}</span>
        </p>
      )}
      {left > 0 && (
        <p className={lines.fee}>
          <span>Lasciato al teatro</span> <span>{formatEuro(left)}</span>
        </p>
      )}
    </>
  );
}
