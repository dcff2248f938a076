/** One order: what to do next, tickets, buyer, payment, refunds and history. */
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { downloadTickets } from '#server/contract/documents.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { readOrder } from '#server/contract/orders.ts';
import { formatEuro, formatListDate, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { CancelOrder } from './cancel.tsx';
import { ConfirmOrder } from './confirm.tsx';
import { Fact, Facts } from '#apps/admin/kit/facts.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page-title.tsx';
import { Loaded } from '#apps/admin/kit/loaded.tsx';
import { OrderMails } from './mails.tsx';
import { OrderMoney } from './money.tsx';
import { OrderNext } from './next.tsx';
import { OrderPlaces, SeatsLink } from './places.tsx';
import { OrderRefunds } from './refunds.tsx';
import { OrderBadges } from './orders.tsx';
import { ResendTickets } from './resend-tickets.tsx';
import { Timeline } from '#apps/admin/kit/timeline.tsx';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import type { Order } from './shown-order.ts';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import panelStyles from '#apps/admin/kit/panel.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './order.module.css';

type Doing = 'confirm' | 'cancel' | 'resend' | null;

export function OrderScreen() {
  const { orderId } = useParams() as { orderId: string };
  const order = useEndpoint(readOrder, { params: { orderId } }, { refetchInterval: 10_000 });
  return (
    <>
      <BackLink to="/orders">Ordini</BackLink>
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
      <div className={panelStyles.panels}>
        <Purchase order={order} />
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
    <div className={`${buttonStyles.actions} ${styles.actions}`}>
      {hasTickets && order.buyer_forgotten_at === null && (
        <Button small onClick={() => onDo('resend')} icon="mail" label="Rimanda i biglietti…" />
      )}
      {hasTickets && (
        <a
          className={`ui-button ${buttonStyles.small}`}
          href={addressOf(downloadTickets, { orderId: order.order_id })}
        >
          <Icon name="print" size={16} /> Biglietti in PDF
        </a>
      )}
      {confirmable && (
        <Button
          small
          onClick={() => onDo('confirm')}
          icon="check"
          label="Conferma senza pagamento online…"
        />
      )}
      {open && order.paid_cents === 0 && (
        <Button small look="danger" onClick={() => onDo('cancel')} label="Annulla l’ordine…" />
      )}
    </div>
  );
}

function Purchase({ order }: { order: Order }) {
  return (
    <Panel>
      <h2>Ordine</h2>
      <Facts>
        <Fact name="Evento">
          <Link to={`/events/${order.event_id}`}>{order.event_title}</Link>
          {order.event.status === 'cancelled' && (
            <span className={textStyles.bad}> (annullato)</span>
          )}
          <span className={`${textStyles.soft} ${textStyles.block}`}>
            {formatLongDate(order.event.starts_at)}
          </span>
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
      </Facts>
      {order.state !== 'deleted' && <SeatsLink order={order} />}
      <OutLink href={`/orders/${encodeURIComponent(order.order_id)}`}>
        Come lo vede l’acquirente
      </OutLink>
    </Panel>
  );
}

function Buyer({ order }: { order: Order }) {
  return (
    <Panel>
      <h2>Acquirente</h2>
      <BuyerFacts order={order} />
      <OrderMails mails={order.mails} />
    </Panel>
  );
}

function BuyerFacts({
  order: { buyer_name, buyer_email, buyer_phone, buyer_forgotten_at },
}: {
  order: Order;
}) {
  if (buyer_forgotten_at !== null)
    return (
      <p className={textStyles.soft}>
        Dati cancellati il {formatListDate(buyer_forgotten_at).slice(0, 10)}, come promette
        l’informativa privacy.
      </p>
    );
  if (buyer_name === null && buyer_email === null && buyer_phone === null)
    return <p className={textStyles.soft}>I dati dell’acquirente arrivano con il pagamento.</p>;
  return (
    <Facts>
      <Fact name="Nome">{buyer_name ?? '–'}</Fact>
      <Fact name="E-mail">
        {buyer_email === null ? '–' : <a href={`mailto:${buyer_email}`}>{buyer_email}</a>}
      </Fact>
      <Fact name="Telefono">
        {buyer_phone === null ? (
          '–'
        ) : (
          <a href={`tel:${buyer_phone.replace(/[^+\d]/g, '')}`}>{buyer_phone}</a>
        )}
      </Fact>
    </Facts>
  );
}
