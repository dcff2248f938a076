/** The first facts of an order: pinned note, end, missing names, related orders. */
import { Link } from 'react-router-dom';
import { formatCount } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { OrderExchanges } from './exchanges.tsx';
import { sayEnded } from './ended-words.ts';
import type { Order } from './shown-order.ts';
import styles from './order.module.css';

interface OrderHeadProps {
  order: Order;
  /** Undefined if the user may not name holders. */
  onName: (() => void) | undefined;
}

export function OrderHead({ order, onName }: OrderHeadProps) {
  const ended = sayEnded(order);
  const pinned = order.notes.find((note) => note.pinned);
  const nameless = order.lines.filter((line) => line.name_missing).length;
  return (
    <>
      {pinned !== undefined && (
        <Notice icon="pin">
          <span className={styles.note}>{pinned.text}</span>
        </Notice>
      )}
      {ended !== null && (
        <Notice as="div" icon="cross">
          <strong>{ended}</strong>
        </Notice>
      )}
      {nameless > 0 && (
        <Notice as="div" tone="warn" icon="user" className={styles.next}>
          <div className={styles.headLine}>
            <span>
              <strong>
                {nameless === 1
                  ? 'Manca il nome su un biglietto.'
                  : `Mancano i nomi su ${formatCount(nameless, 'biglietto', 'biglietti')}.`}
              </strong>{' '}
              Senza nome non c’è codice, né carta.
            </span>
            {onName !== undefined && <Button small onClick={onName} label="Scrivi i nomi…" />}
          </div>
        </Notice>
      )}
      <Together order={order} />
      <OrderExchanges exchanges={order.exchanges} />
    </>
  );
}

/** The buyer's other orders that belong to this one. */
function Together({ order: { together, part_of } }: { order: Order }) {
  if (together.length === 0) return null;
  return (
    <Notice as="div" icon="ticket">
      {part_of === null ? (
        'Posti aggiunti a questo ordine: '
      ) : (
        <>
          Fa parte dell’ordine <Link to={`/orders/${part_of.order_id}`}>{part_of.number}</Link>.{' '}
          {together.length > 1 && 'Altri posti aggiunti: '}
        </>
      )}
      {together
        .filter(({ order_id }) => order_id !== part_of?.order_id)
        .map(({ order_id, number, places }, at) => (
          <span key={order_id}>
            {at > 0 && ', '}
            <Link to={`/orders/${order_id}`}>{number}</Link> (
            {formatCount(places, 'posto', 'posti')})
          </span>
        ))}
    </Notice>
  );
}
