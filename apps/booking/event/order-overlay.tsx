/**
 * The order-status overlay of RULES O10: shown while this tab has an order that was not discarded
 * and whose status loads.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { call } from '#apps/shared/api.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Dialog } from '#apps/shared/ui/dialog.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { getEvent } from '#server/contract/events.ts';
import { cancelCheckout, getOrder, orderStatus } from '#server/contract/order/orders.ts';
import { overlayOf } from '#server/domain/order/order.ts';
import { discardOrder, useLastOrder } from '#apps/booking/order/open/last-order.ts';
import { forgetBookingOf } from './open-booking.ts';
import { OldTicketsOf, OpenOrderFacts } from './open-order-facts.tsx';
import { tellOpenOrder } from '#apps/booking/order/open/open-order.ts';
import { freeingWords, openQuestion } from '#apps/booking/order/open/open-order-words.ts';
import { SameSeats } from '#apps/booking/order/open/same-seats.tsx';
import { setAside, useSetAside } from '#apps/booking/order/open/set-aside.ts';
import { lookAgainMs } from '#apps/booking/order/stage.ts';
import state from '#apps/booking/order/state.module.css';
import styles from './order-overlay.late.module.css';

/**
 * RULES O10: after a cancellation the status is read again after at least 3 s, plus about 1 s.
 */
const cancelAtLeastMs = 3_000;
const cancelMoreMs = 1_000;

interface OrderOverlayProps {
  /**
   * Called when the visitor wants the same places again; the chart behind the overlay chooses
   * them.
   */
  onSameSeats: () => void;
}

export function OrderOverlay({ onSameSeats }: OrderOverlayProps) {
  const orderId = useLastOrder();
  return orderId === null ? null : (
    <LastOrder key={orderId} orderId={orderId} onSameSeats={onSameSeats} />
  );
}

type Cancel = 'not_asked' | 'running' | 'done';

function LastOrder({ orderId, onSameSeats }: OrderOverlayProps & { orderId: string }) {
  const [cancel, setCancel] = useState<Cancel>('not_asked');
  const [since] = useState(() => Date.now());
  const client = useQueryClient();
  const { eventId = '' } = useParams();
  const isAside = useSetAside(orderId, useLocation().pathname);
  const status = useEndpoint(
    orderStatus,
    { params: { orderId } },
    {
      // Not during a cancellation, because the status could be read half changed.
      refetchInterval: (query) =>
        query.state.data === undefined || cancel === 'running'
          ? false
          : lookAgainMs(query.state.data, Date.now() - since),
    },
  );
  if (status.data === undefined || (isAside && overlayOf(status.data) === 'open')) return null;

  async function giveBack() {
    setCancel('running');
    try {
      forgetBookingOf(orderId);
      await Promise.all([call(cancelCheckout, { params: { orderId } }), wait(cancelAtLeastMs)]);
      await wait(cancelMoreMs);
      await status.refetch();
      setCancel('done');
      // The page behind must show the seats that the order gave back; it may have no others.
      void client.invalidateQueries({ queryKey: keyOf(getEvent, { params: { eventId } }) });
    } catch (error) {
      setCancel('not_asked');
      throw error;
    }
  }
  return (
    <OrderNotice
      status={status.data}
      cancel={cancel}
      onCancel={giveBack}
      onSameSeats={onSameSeats}
    />
  );
}

interface OrderNoticeProps extends OrderOverlayProps {
  status: ReplyOf<typeof orderStatus>;
  cancel: Cancel;
  onCancel: () => Promise<void>;
}

function OrderNotice({ status, cancel, onCancel, onSameSeats }: OrderNoticeProps) {
  const discard = () => {
    forgetBookingOf(status.order_id);
    discardOrder(status.order_id);
  };
  const shown = overlayOf(status);
  switch (shown) {
    case 'confirmed':
    case 'complete':
      return (
        <Notice key={shown} look="good" icon="check" {...doneWords[shown]}>
          <ToTickets order_id={status.order_id} onClose={discard} />
        </Notice>
      );
    case 'open':
      return <OpenNotice key={shown} status={status} cancel={cancel} onCancel={onCancel} />;
    case 'expired':
      return (
        <Notice
          key={shown}
          look="bad"
          icon="clock"
          title="Sessione di pagamento scaduta."
          text={status.order_deleted_at === null ? null : 'Ordine annullato.'}
          tellsText={cancel !== 'not_asked'}
          facts={<OldTicketsOf orderId={status.order_id} />}
        >
          <AsyncButton data-autofocus variant="primary" onClick={discard}>
            <Icon name="refresh" /> Riprova
          </AsyncButton>
          {status.order_deleted_at !== null && (
            <SameSeats
              orderId={status.order_id}
              onWanted={() => {
                forgetBookingOf(status.order_id);
                onSameSeats();
              }}
            />
          )}
        </Notice>
      );
    case null:
      return null;
  }
}

function OpenNotice({ status, cancel, onCancel }: Omit<OrderNoticeProps, 'onSameSeats'>) {
  const isFreeing = cancel === 'running';
  const { eventId } = useParams();
  const { pathname } = useLocation();
  const { data } = useEndpoint(getOrder, { params: { orderId: status.order_id } });
  const isOfAnother = data !== undefined && data.event.id !== eventId && !isFreeing;
  // From now on a bar on this page shows the order instead.
  const putAside = () => {
    tellOpenOrder(status.order_id);
    setAside(status.order_id, pathname);
  };
  return (
    <Notice
      look="warn"
      onAside={isOfAnother ? putAside : undefined}
      icon="clock"
      title="Hai un ordine in sospeso"
      text={isFreeing ? freeingWords : openQuestion}
      facts={<OpenOrderFacts orderId={status.order_id} />}
    >
      {status.checkout_url !== null && !isFreeing && (
        <a data-autofocus className="ui-button ui-button-primary" href={status.checkout_url}>
          Prosegui
        </a>
      )}
      <AsyncButton onClick={onCancel}>Annulla</AsyncButton>
      {isOfAnother && <AsyncButton onClick={putAside}>Guarda prima questa pagina</AsyncButton>}
    </Notice>
  );
}

const doneWords = {
  confirmed: { title: 'Ordine confermato!', text: 'I tuoi biglietti sono pronti.' },
  complete: {
    title: 'Sessione di pagamento completata!',
    text: 'Stiamo verificando il pagamento: di solito bastano pochi secondi.',
  },
};

function ToTickets({ order_id, onClose }: { order_id: string; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <>
      <AsyncButton onClick={onClose}>Chiudi</AsyncButton>
      <AsyncButton variant="primary" data-autofocus onClick={() => navigate(`/orders/${order_id}`)}>
        <Icon name="ticket" /> Vedi biglietti
      </AsyncButton>
    </>
  );
}

interface NoticeProps {
  look: 'good' | 'warn' | 'bad';
  icon: IconName;
  title: string;
  text: string | null;
  /** The text gets the first focus, not a button, because it reports the last act's result. */
  tellsText?: boolean;
  facts?: ReactNode;
  /** Missing: only the buttons close it. */ onAside?: () => void;
  /** Buttons. */
  children: ReactNode;
}

/** Each state of the order mounts a new notice, with its own buttons and first focus. */
function Notice({
  look,
  icon,
  title,
  text,
  tellsText = false,
  facts,
  onAside,
  children,
}: NoticeProps) {
  const paragraph = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (tellsText) paragraph.current?.focus();
  }, [tellsText]);
  return (
    <Dialog
      className={`ui-modal ${styles.overlay}`}
      labelledBy="overlay-title"
      role="alertdialog"
      onClose={onAside}
    >
      <div className={`${state.state} ${styles.box}`}>
        <span className={`${state.sign} ${state[look]}`}>
          <Icon name={icon} size={40} />
        </span>
        <h2 id="overlay-title" className={styles.title} aria-live="polite">
          {title}
        </h2>
        {facts}
        {text !== null && (
          <p
            ref={paragraph}
            className={tellsText ? styles.told : 'soft'}
            tabIndex={-1}
            aria-live="polite"
          >
            {text}
          </p>
        )}
        <div className={styles.actions}>{children}</div>
      </div>
    </Dialog>
  );
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
