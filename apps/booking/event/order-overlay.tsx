/** The order-status overlay of RULES O10: shown while this tab has an order that was not discarded and whose status loads. */
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '#apps/shared/api.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Dialog } from '#apps/shared/ui/dialog.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { cancelCheckout, orderStatus } from '#server/contract/orders.ts';
import { overlayOf } from '#server/domain/order.ts';
import { discardOrder, useLastOrder } from './last-order.ts';
import { forgetBookingOf } from './open-booking.ts';
import { lookAgainMs } from '#apps/booking/order/stage.ts';
import state from '#apps/booking/order/state.module.css';
import styles from './order-overlay.module.css';

/** RULES O10: a cancelled order is asked about again after at least 3 s, and about 1 s more. */
const cancelAtLeastMs = 3_000;
const cancelMoreMs = 1_000;

export function OrderOverlay() {
  const orderId = useLastOrder();
  return orderId === null ? null : <LastOrder key={orderId} orderId={orderId} />;
}

function LastOrder({ orderId }: { orderId: string }) {
  const [cancelling, setCancelling] = useState(false);
  const [since] = useState(() => Date.now());
  const status = useEndpoint(
    orderStatus,
    { params: { orderId } },
    {
      // Whoever cancels hears of it once, when it is done: a look in between might find it half done.
      refetchInterval: (query) =>
        query.state.data === undefined || cancelling
          ? false
          : lookAgainMs(query.state.data, Date.now() - since),
    },
  );
  if (status.data === undefined) return null;

  async function cancel() {
    setCancelling(true);
    try {
      await giveBack();
    } finally {
      setCancelling(false);
    }
  }

  async function giveBack() {
    forgetBookingOf(orderId);
    await Promise.all([call(cancelCheckout, { params: { orderId } }), wait(cancelAtLeastMs)]);
    await wait(cancelMoreMs);
    await status.refetch();
  }
  return <OrderNotice status={status.data} cancelling={cancelling} onCancel={cancel} />;
}

interface OrderNoticeProps {
  status: ReplyOf<typeof orderStatus>;
  cancelling: boolean;
  onCancel: () => Promise<void>;
}

function OrderNotice({ status, cancelling, onCancel }: OrderNoticeProps) {
  const discard = () => {
    forgetBookingOf(status.order_id);
    discardOrder(status.order_id);
  };
  const shown = overlayOf(status);
  switch (shown) {
    case 'confirmed':
    case 'complete':
      return (
        <Notice look="good" icon="check" {...doneWords[shown]}>
          <ToTickets order_id={status.order_id} onClose={discard} />
        </Notice>
      );
    case 'open':
      return (
        <Notice
          look="warn"
          icon="clock"
          title="Hai un ordine in sospeso"
          text={
            cancelling
              ? 'Stiamo annullando l’ordine…'
              : 'Vuoi continuare con il pagamento o annullare l’ordine? Se lo annulli, i posti tornano disponibili.'
          }
        >
          <AsyncButton key="cancel" onClick={onCancel}>
            Annulla
          </AsyncButton>
          {status.checkout_url !== null && !cancelling && (
            <a data-autofocus className="ui-button ui-button-primary" href={status.checkout_url}>
              Prosegui
            </a>
          )}
        </Notice>
      );
    case 'expired':
      return (
        <Notice
          look="bad"
          icon="clock"
          title="Sessione di pagamento scaduta."
          text={status.order_deleted_at === null ? null : 'Ordine annullato.'}
        >
          <AsyncButton key="again" variant="primary" onClick={discard}>
            <Icon name="refresh" /> Riprova
          </AsyncButton>
        </Notice>
      );
    case null:
      return null;
  }
}

const doneWords = {
  confirmed: { title: 'Ordine confermato!', text: 'I tuoi biglietti sono pronti.' },
  complete: {
    title: 'Sessione di pagamento completata!',
    text: 'Stiamo verificando il pagamento: di solito bastano pochi secondi.',
  },
};

/** Without keys of their own the buttons of one state would go on being busy in the next. */
function ToTickets({ order_id, onClose }: { order_id: string; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <>
      <AsyncButton key="close" onClick={onClose}>
        Chiudi
      </AsyncButton>
      <AsyncButton
        key="tickets"
        variant="primary"
        data-autofocus
        onClick={() => navigate(`/orders/${order_id}`)}
      >
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
  /** The buttons. */
  children: ReactNode;
}

function Notice({ look, icon, title, text, children }: NoticeProps) {
  return (
    <Dialog className={`ui-modal ${styles.overlay}`} labelledBy="overlay-title" role="alertdialog">
      <div className={`${state.state} ${styles.box}`}>
        <span className={`${state.sign} ${state[look]}`}>
          <Icon name={icon} size={40} />
        </span>
        <h2 id="overlay-title" className={styles.title} aria-live="polite">
          {title}
        </h2>
        {text !== null && <p className="soft">{text}</p>}
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
