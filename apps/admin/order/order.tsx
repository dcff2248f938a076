/** One order: what to do next, tickets, buyer, notes, payment, refunds and history. */
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { changeBuyer, nameHolders } from '#server/contract/order/order-desk.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import { formatEuro, formatListDate, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { OrderActions, type Doing } from './actions.tsx';
import { OrderAnswer } from '#apps/admin/order/answer/panel.tsx';
import { OrderBuyer } from './buyer.tsx';
import { CancelOrder } from '#apps/admin/order/refund/cancel.tsx';
import { ConfirmOrder } from './confirm.tsx';
import { EditBuyer } from './edit-buyer.tsx';
import { OrderInvoice } from './invoice.tsx';
import { OrderHead } from './head.tsx';
import { DoorNotes } from './door-notes.tsx';
import { Holders } from './holders.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { NewLink } from './new-link.tsx';
import { OrderMoney } from '#apps/admin/order/refund/money.tsx';
import { OrderNext } from './next.tsx';
import { OrderNotes } from './notes.tsx';
import { OrderPlaces, SeatsLink } from './places.tsx';
import { PrintNow } from './print-now.tsx';
import { OrderRefunds } from '#apps/admin/order/refund/refunds.tsx';
import { OrderBadges } from './orders.tsx';
import { ResendTickets } from './resend-tickets.tsx';
import { Timeline } from './timeline.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { Order } from './shown-order.ts';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

export function OrderScreen() {
  const { orderId } = useParams() as { orderId: string };
  const order = useEndpoint(readOrder, { params: { orderId } }, { refetchInterval: 10_000 });
  return (
    <>
      <BackLink to="/orders">Ordini</BackLink>
      <Loaded query={order}>{(data) => <OrderDesk key={data.order_id} order={data} />}</Loaded>
    </>
  );
}

function OrderDesk({ order }: { order: Order }) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const mayEdit = useMay(changeBuyer.who);
  const mayName = useMay(nameHolders.who);
  return (
    <>
      <PageTitle title={`Ordine ${order.number}`}>
        <OrderBadges order={order} />
      </PageTitle>
      <OrderHead order={order} onName={mayName ? () => setDoing({ act: 'names' }) : undefined} />
      <OrderNext order={order} onResend={() => setDoing({ act: 'resend' })} />
      <OrderActions order={order} onDo={setDoing} />
      <div className={panelStyles.panels}>
        <Purchase order={order} />
        <OrderAnswer order={order} />
        <OrderBuyer order={order} onEdit={mayEdit ? () => setDoing({ act: 'buyer' }) : undefined} />
        <OrderMoney order={order} />
        <OrderInvoice order={order} />
        <OrderPlaces order={order} />
        <OrderNotes order={order} />
        <OrderRefunds refunds={order.refunds} />
        <Timeline entries={order.timeline} />
      </div>
      {doing !== null && <Dialog order={order} doing={doing} onDo={setDoing} />}
    </>
  );
}

interface DialogProps {
  order: Order;
  doing: Doing;
  /** Opens another dialog; null closes. */
  onDo: (doing: Doing | null) => void;
}

function Dialog({ order, doing, onDo }: DialogProps) {
  const dialog = { order, onClose: () => onDo(null) };
  switch (doing.act) {
    case 'confirm':
      return (
        <ConfirmOrder
          {...dialog}
          onConfirmed={() => onDo({ act: 'print', title: 'Ordine confermato' })}
        />
      );
    case 'cancel':
      return <CancelOrder {...dialog} />;
    case 'resend':
      return <ResendTickets {...dialog} address={doing.address} />;
    case 'link':
      return <NewLink {...dialog} />;
    case 'print':
      return <PrintNow {...dialog} title={doing.title} />;
    case 'names':
      return <Holders {...dialog} />;
    case 'door':
      return <DoorNotes {...dialog} />;
    case 'buyer':
      return (
        <EditBuyer
          {...dialog}
          onNewAddress={(address) => onDo(hasTickets(order) ? { act: 'resend', address } : null)}
        />
      );
  }
}

function hasTickets({ lines }: Order): boolean {
  return lines.some((line) => line.ticket_state === 'valid');
}

function Purchase({ order }: { order: Order }) {
  const maySeeSeats = useMay('see_seats');
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
      {order.state !== 'deleted' && maySeeSeats && <SeatsLink order={order} />}
      <OutLink href={`/anteprima/ordini/${encodeURIComponent(order.order_id)}`}>
        Come lo vede l’acquirente
      </OutLink>
    </Panel>
  );
}
