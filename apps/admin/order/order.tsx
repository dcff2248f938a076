/** One order for the office: what to do next, what was bought and by whom, how it was paid, what became of it, and all that happened. */
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readOrder } from '#server/contract/orders.ts';
import { formatEuro, formatListDate, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { CancelOrder } from './cancel.tsx';
import { ConfirmOrder } from './confirm.tsx';
import { Fact } from '#apps/admin/kit/facts.tsx';
import { PageTitle } from '#apps/admin/shell/layout.tsx';
import { Loaded } from '#apps/admin/kit/loaded.tsx';
import { OrderMails } from './mails.tsx';
import { OrderMoney } from './money.tsx';
import { OrderNext } from './next.tsx';
import { OrderPlaces, SeatsLink } from './places.tsx';
import { OrderRefunds } from './refunds.tsx';
import { OrderBadges } from './orders.tsx';
import { ResendTickets } from './resend-tickets.tsx';
import { Timeline } from '#apps/admin/kit/timeline.tsx';

type Order = ReplyOf<typeof readOrder>;
type Doing = 'confirm' | 'cancel' | 'resend' | null;

export function OrderScreen() {
  const { orderId } = useParams() as { orderId: string };
  const order = useEndpoint(readOrder, { params: { orderId } }, { refetchInterval: 10_000 });
  return (
    <>
      <Link className="back" to="/orders">
        <Icon name="back" size={16} /> Ordini
      </Link>
      <Loaded query={order}>{(data) => <OrderDesk order={data} />}</Loaded>
    </>
  );
}

function OrderDesk({ order }: { order: Order }) {
  const [doing, setDoing] = useState<Doing>(null);
  const close = () => setDoing(null);
  return (
    <>
      <PageTitle title={`Ordine ${order.number}`}>
        <OrderBadges order={order} />
      </PageTitle>
      <OrderNext order={order} onResend={() => setDoing('resend')} />
      <Actions order={order} onDo={setDoing} />
      <div className="panels order-panels">
        <Facts order={order} />
        <Buyer order={order} />
        <OrderMoney order={order} />
        <OrderPlaces order={order} />
        <OrderRefunds refunds={order.refunds} />
        <Timeline entries={order.timeline} />
      </div>
      {doing === 'confirm' && <ConfirmOrder order={order} onClose={close} />}
      {doing === 'cancel' && <CancelOrder order={order} onClose={close} />}
      {doing === 'resend' && <ResendTickets order={order} onClose={close} />}
    </>
  );
}

function Actions({ order, onDo }: { order: Order; onDo: (doing: Doing) => void }) {
  const open = order.state === 'booking' || order.state === 'awaiting_payment';
  // What came in must be decided about first.
  const confirmable =
    order.state !== 'confirmed' && order.paid_cents === 0 && order.event.status !== 'cancelled';
  const hasTickets = order.lines.some((line) => line.ticket_state === 'valid');
  return (
    <div className="actions actions-left order-actions">
      {hasTickets && order.buyer_forgotten_at === null && (
        <button type="button" className="ui-button small" onClick={() => onDo('resend')}>
          <Icon name="mail" size={16} /> Rimanda i biglietti…
        </button>
      )}
      {hasTickets && (
        <a
          className="ui-button small"
          href={`/api/orders/${encodeURIComponent(order.order_id)}/tickets.pdf`}
        >
          <Icon name="print" size={16} /> Biglietti in PDF
        </a>
      )}
      {confirmable && (
        <button type="button" className="ui-button small" onClick={() => onDo('confirm')}>
          <Icon name="check" size={16} /> Conferma senza pagamento online…
        </button>
      )}
      {open && order.paid_cents === 0 && (
        <button
          type="button"
          className="ui-button ui-button-danger small"
          onClick={() => onDo('cancel')}
        >
          Annulla l’ordine…
        </button>
      )}
    </div>
  );
}

function Facts({ order }: { order: Order }) {
  return (
    <section className="panel">
      <h2>Ordine</h2>
      <dl className="facts">
        <Fact name="Evento">
          <Link to={`/events/${order.event_id}`}>{order.event_title}</Link>
          {order.event.status === 'cancelled' && <span className="note-bad"> (annullato)</span>}
          <span className="soft block">{formatLongDate(order.event.starts_at)}</span>
        </Fact>
        <Fact name="Creato">{formatListDate(order.created_at)}</Fact>
        {order.order_confirmed_at !== null && (
          <Fact name="Confermato">{formatListDate(order.order_confirmed_at)}</Fact>
        )}
        {order.order_deleted_at !== null && (
          <Fact name="Annullato">{formatListDate(order.order_deleted_at)}</Fact>
        )}
        <Fact name="Totale">
          <b>{formatEuro(order.total_cents)}</b>
        </Fact>
      </dl>
      {order.state !== 'deleted' && <SeatsLink order={order} />}
      <a
        className="out"
        href={`/orders/${encodeURIComponent(order.order_id)}`}
        target="_blank"
        rel="noreferrer"
      >
        Come lo vede l’acquirente{' '}
        <Icon name="external" size={15} label="(si apre in una nuova scheda)" />
      </a>
    </section>
  );
}

function Buyer({ order }: { order: Order }) {
  const unknown =
    order.buyer_name === null && order.buyer_email === null && order.buyer_phone === null;
  return (
    <section className="panel">
      <h2>Acquirente</h2>
      {order.buyer_forgotten_at !== null ? (
        <p className="soft">
          Dati cancellati il {formatListDate(order.buyer_forgotten_at).slice(0, 10)}, come promette
          l’informativa privacy.
        </p>
      ) : unknown ? (
        <p className="soft">I dati dell’acquirente arrivano con il pagamento.</p>
      ) : (
        <dl className="facts">
          <Fact name="Nome">{order.buyer_name ?? '–'}</Fact>
          <Fact name="E-mail">
            {order.buyer_email === null ? (
              '–'
            ) : (
              <a href={`mailto:${order.buyer_email}`}>{order.buyer_email}</a>
            )}
          </Fact>
          <Fact name="Telefono">
            {order.buyer_phone === null ? (
              '–'
            ) : (
              <a href={`tel:${order.buyer_phone.replace(/[^+\d]/g, '')}`}>{order.buyer_phone}</a>
            )}
          </Fact>
        </dl>
      )}
      <OrderMails mails={order.mails} />
    </section>
  );
}
