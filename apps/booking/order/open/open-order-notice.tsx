/** Says on every page that an order of this browser waits for its payment, with a link to it. */
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useEndpoint } from '#apps/shared/query.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { getOrder, orderStatus } from '#server/contract/order/orders.ts';
import { overlayOf } from '#server/domain/order/order.ts';
import { useLastOrder } from './last-order.ts';
import { forgetOpenOrder } from './open-order.ts';
import { sayOpenOrder } from './open-order-words.ts';
import { useSetAside } from './set-aside.ts';
import { lookAgainMs } from '#apps/booking/order/stage.ts';
import styles from './open-order-notice.late.module.css';

export function OpenOrderNotice({ orderId }: { orderId: string }) {
  const { pathname } = useLocation();
  const ofTab = useLastOrder();
  const isAside = useSetAside(orderId, pathname);
  // On these pages the overlay or the page itself already says it.
  const isSaid =
    pathname.startsWith(`/orders/${orderId}`) ||
    (pathname.startsWith('/event/') && ofTab === orderId && !isAside);
  return isSaid ? null : <Notice orderId={orderId} />;
}

function Notice({ orderId }: { orderId: string }) {
  const params = { orderId };
  const [since] = useState(() => Date.now());
  const status = useEndpoint(
    orderStatus,
    { params },
    {
      refetchInterval: ({ state: { data } }) =>
        data === undefined ? false : lookAgainMs(data, Date.now() - since),
    },
  );
  const shown = status.data === undefined ? null : overlayOf(status.data);
  const isOpen = shown === 'open';
  const hasEnded = shown !== null && !isOpen;
  useEffect(() => {
    if (hasEnded) forgetOpenOrder(orderId);
  }, [hasEnded, orderId]);
  const order = useEndpoint(getOrder, { params }, { enabled: isOpen });
  if (!isOpen || order.data === undefined) return null;
  const checkout_url = status.data?.checkout_url;
  return (
    <section className={`${styles.notice} no-print`} aria-label="Ordine in sospeso">
      <output>
        <Icon name="clock" />{' '}
        <span>
          <strong>Hai un ordine in sospeso</strong> per {order.data.event.title},{' '}
          {formatShortDate(order.data.event.starts_at)}: {sayOpenOrder(order.data)}
        </span>
      </output>
      <span className={styles.actions}>
        {checkout_url && (
          <a className="ui-button ui-button-primary" href={checkout_url}>
            Prosegui
          </a>
        )}
        <Link className="ui-button" to={`/orders/${orderId}`}>
          Vedi l’ordine
        </Link>
      </span>
    </section>
  );
}
