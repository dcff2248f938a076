/**
 * The order page (RULES O13): the tickets of a confirmed order; before that, what is pending and
 * what to do.
 */
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import { CallError } from '#apps/shared/api.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { ConfirmedOrder } from './confirmed.tsx';
import { OrderFacts } from './order-facts.tsx';
import { orderStageOf, type OrderStage } from './stage.ts';
import { LostPage } from '#apps/booking/shell/page/lost-page.tsx';
import { useDrawnPage } from '#apps/booking/shell/page/page-data.ts';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import { InvoiceSection } from './invoice-section.tsx';
import { PendingOrder } from './pending.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { GiveBack } from './give-back.tsx';
import { ExchangeNote } from './exchange/exchange-note.tsx';
import { ExchangeSection } from './exchange/exchange-section.tsx';
import { RefundSection } from './refund/refund-section.tsx';
import { isGone } from './saved-orders.ts';
import { LinkedTicket } from './ticket/linked-ticket.tsx';
import { isTicketKey } from './ticket/ticket-key.ts';
import { useOrder } from './use-order.ts';

export function OrderPage() {
  const { orderId = '' } = useParams();
  return isTicketKey(orderId) ? <LinkedTicket /> : <WholeOrder />;
}

function WholeOrder() {
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
        <>
          <PendingOrder order={order} stage={stage} since={since} onChanged={changed} />
          <ExchangeNote order={order} />
        </>
      )}
      {stage === 'confirmed' && saved === null && (
        <>
          <GiveBack order={order} now={now} onChanged={changed} />
          <ExchangeSection order={order} />
          <RefundSection order={order} onChanged={changed} />
        </>
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
  to_confirm: 'Prenotazione da confermare',
  verifying: 'Pagamento in corso di verifica',
  open: 'Ordine in sospeso',
  reserved: 'Prenotazione da pagare in cassa',
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
