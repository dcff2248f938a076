/**
 * Facts about an order that waits for its payment: event, date, places, sum, and the end of the
 * hold.
 */
import { formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { exchangeInto, sayOldTickets } from '#apps/booking/order/exchange/exchange-words.ts';
import { sayOpenOrder } from '#apps/booking/order/open/open-order-words.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import styles from './order-overlay.late.module.css';

/** More places than this are counted and not named, for small screens. */
const mostNamed = 4;

/** Renders nothing until the order is loaded; the overlay does not wait for it. */
export function OpenOrderFacts({ orderId }: { orderId: string }) {
  const { data } = useEndpoint(getOrder, { params: { orderId } });
  if (data === undefined) return null;
  const { event, lines } = data;
  return (
    <div className={styles.facts}>
      <p>
        <strong>{event.title}</strong>
        <br />
        {formatLongDate(event.starts_at)}
      </p>
      <ul>
        {lines.slice(0, mostNamed).map(({ seat }, index) => (
          <li key={index}>{seat}</li>
        ))}
        {lines.length > mostNamed && <li>… e altri {lines.length - mostNamed}</li>}
      </ul>
      <p>
        <strong>{sayOpenOrder(data)}</strong>
      </p>
      <OldTickets order={data} />
    </div>
  );
}

/** After an order has ended: whether the tickets that it should replace are good. */
export function OldTicketsOf({ orderId }: { orderId: string }) {
  const { data } = useEndpoint(getOrder, { params: { orderId } });
  return data === undefined ? null : <OldTickets order={data} />;
}

function OldTickets({ order }: { order: OrderReply }) {
  const exchange = exchangeInto(order);
  const words = exchange === undefined ? null : sayOldTickets(exchange);
  return words && <p>{words}</p>;
}
