/**
 * The order page (RULES O13): the tickets of a confirmed order; before that, what is pending and
 * what to do.
 */
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import { CallError } from '#apps/shared/api.ts';
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { feeWords } from '#server/domain/price/pricing.ts';
import { ConfirmedOrder } from './confirmed.tsx';
import { orderStageOf, type OrderStage } from './stage.ts';
import { LostPage } from '#apps/booking/shell/page/lost-page.tsx';
import { useDrawnPage } from '#apps/booking/shell/page/page-data.ts';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import { InvoiceSection } from './invoice-section.tsx';
import { PendingOrder } from './pending.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { sayTimes } from './say-times.ts';
import { RefundSection } from './refund/refund-section.tsx';
import { isGone } from './saved-orders.ts';
import { useOrder } from './use-order.ts';
import card from '#apps/booking/shell/page/card.module.css';
import lines from '#apps/booking/shell/price-lines.module.css';
import styles from './page.module.css';

export function OrderPage() {
  const { orderId = '', stripeCsStatus } = useParams();
  const [since] = useState(() => Date.now());
  const returned = stripeCsStatus === 'complete';
  const found = useOrder(orderId, { returned, since });
  // The query keeps the page that it had before its link was replaced.
  const shown = isGone(found.error) ? undefined : found.data;
  const { order, saved } = shown ?? { order: undefined, saved: null };
  const stage = order === undefined ? null : orderStageOf(order, returned);
  const { now } = useDrawnPage().data;
  usePageTitle(stage === null ? 'Ordine' : titles[stage]);
  useFocusOnNews(stage);
  const changed = () => found.refetch();
  if (found.isPending)
    return (
      <PlainPage>
        <h1 className="visually-hidden">Ordine</h1>
        <Spinner fullScreen />
      </PlainPage>
    );
  if (order === undefined || stage === null)
    return (
      <PlainPage>
        <MissingOrder error={found.error} onRetry={changed} />
      </PlainPage>
    );
  return (
    <PlainPage>
      {stage === 'confirmed' ? (
        <ConfirmedOrder
          order={order}
          saved={saved}
          forDoor={!returned && isLongBought(order, now)}
          onChanged={changed}
        />
      ) : (
        <PendingOrder order={order} stage={stage} since={since} onChanged={changed} />
      )}
      {stage === 'confirmed' && saved === null && (
        <RefundSection order={order} onChanged={changed} />
      )}
      {stage === 'confirmed' && saved === null && <InvoiceSection order={order} />}
      <OrderFacts order={order} />
    </PlainPage>
  );
}

/** The purchase is news for this long; after that the buyer wants the code. */
const newForMs = 10 * 60_000;

function isLongBought({ order_confirmed_at }: OrderReply, now: number): boolean {
  return order_confirmed_at !== null && now - Date.parse(order_confirmed_at) > newForMs;
}

/** If a new stage removes the focused button, the title gets the focus and is read out. */
function useFocusOnNews(stage: OrderStage | null) {
  const before = useRef(stage);
  useEffect(() => {
    if (before.current === stage) return;
    const isFirst = before.current === null;
    before.current = stage;
    if (!isFirst && document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true });
  }, [stage]);
}

const titles: Record<OrderStage, string> = {
  confirmed: 'Ordine confermato',
  verifying: 'Pagamento in corso di verifica',
  open: 'Ordine in sospeso',
  expired: 'Sessione di pagamento scaduta',
  failed: 'Pagamento non riuscito',
  deleted: 'Ordine annullato',
  paid_back: 'Ordine annullato e rimborsato',
  preparing: 'Ordine in preparazione',
};

function MissingOrder({ error, onRetry }: { error: unknown; onRetry: () => Promise<unknown> }) {
  if (error instanceof CallError && error.code === 'link_replaced')
    return <LostPage title="Link sostituito" detail={error.message} />;
  const unknown = error instanceof CallError && error.code === 'order_not_found';
  if (!unknown) return <ErrorView onRetry={onRetry} isPage />;
  return (
    <LostPage
      title="Ordine non trovato"
      detail={
        error.detail === undefined
          ? 'Controlla di aver aperto l’indirizzo per intero, così come lo avevi salvato.'
          : error.message
      }
    />
  );
}

export function OrderFacts({ order }: { order: OrderReply }) {
  const { event } = order;
  return (
    <section className={card.section} aria-labelledby="order-facts-title">
      <h2 id="order-facts-title">{event.title}</h2>
      <ul className={styles.facts}>
        <li>
          <Icon name="calendar" />{' '}
          <span>
            {formatLongDate(event.starts_at)}
            <br />
            <span className="soft">{sayTimes(event)}</span>
          </span>
        </li>
        <li>
          <Icon name="pin" />{' '}
          <span>
            {event.venue_href === null ? (
              event.venue_title
            ) : (
              <a href={event.venue_href} target="_blank" rel="noopener noreferrer">
                {event.venue_title}
              </a>
            )}
            {event.venue_address !== null && <span className="soft">{event.venue_address}</span>}
          </span>
        </li>
      </ul>
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
        <span className="soft"> – {line.type_label}</span>
      </span>
      <span className={lines.price}>{formatEuro(line.price_cents + line.fee_cents)}</span>
    </li>
  );
}

function Sums({ order }: { order: OrderReply }) {
  return (
    <>
      <p className={lines.total}>
        <span>Totale (IVA inclusa)</span> <strong>{formatEuro(order.total_cents)}</strong>
      </p>
      {order.fee_cents > 0 && <p className={lines.fee}>{feeWords(order.fee_cents)}</p>}
      {order.refunded_cents > 0 && (
        <p className={lines.fee}>
          <span>Rimborsato</span> <span>−{formatEuro(order.refunded_cents)}</span>
        </p>
      )}
    </>
  );
}
