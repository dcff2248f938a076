/** The actions on an order that its state and the user's rights allow. */
import { Link } from 'react-router-dom';
import { makeSale } from '#server/contract/counter.ts';
import { resendTickets } from '#server/contract/mails.ts';
import { confirmOrder } from '#server/contract/office.ts';
import { replaceLink } from '#server/contract/order/links.ts';
import { nameHolders, writeDoorNote } from '#server/contract/order/order-desk.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { Order } from './shown-order.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import styles from './order.module.css';

/** The open dialog; `address` is where the tickets will be sent. */
export type Doing =
  | { act: 'confirm' | 'cancel' | 'names' | 'door' | 'buyer' | 'link' }
  | { act: 'resend'; address?: string }
  | { act: 'print'; title: string };

interface OrderActionsProps {
  order: Order;
  onDo: (doing: Doing) => void;
}

export function OrderActions({ order, onDo }: OrderActionsProps) {
  const mayChange = useMay(confirmOrder.who);
  const mayMail = useMay(resendTickets.who);
  const mayName = useMay(nameHolders.who);
  const maySell = useMay(makeSale.who);
  const isKnown = order.buyer_forgotten_at === null;
  const open = order.state === 'booking' || order.state === 'awaiting_payment';
  // If money has arrived, a decision is needed instead.
  const confirmable =
    order.state !== 'confirmed' && order.paid_cents === 0 && order.event.status !== 'cancelled';
  const hasTickets = order.lines.some((line) => line.ticket_state === 'valid');
  const extendable = order.state === 'confirmed' && isKnown && order.event.status === 'published';
  return (
    <div className={`${buttonStyles.actions} ${styles.actions}`}>
      {hasTickets && isKnown && mayMail && (
        <Button
          small
          onClick={() => onDo({ act: 'resend' })}
          icon="mail"
          label="Rimanda i biglietti…"
        />
      )}
      {hasTickets && isKnown && <NewLinkButton order={order} onDo={onDo} />}
      {hasTickets && (
        <Button
          small
          onClick={() => onDo({ act: 'print', title: 'Stampa i biglietti' })}
          icon="print"
          label="Stampa i biglietti…"
        />
      )}
      {hasTickets && isKnown && mayName && order.event.nominative && (
        <Button small onClick={() => onDo({ act: 'names' })} icon="user" label="Nomi…" />
      )}
      {hasTickets && isKnown && <DoorNotesButton onDo={onDo} />}
      {extendable && maySell && <AddSeatsLink order={order} />}
      {hasTickets && extendable && maySell && <ExchangeLink order={order} />}
      {confirmable && mayChange && (
        <Button
          small
          onClick={() => onDo({ act: 'confirm' })}
          icon="check"
          label="Conferma senza pagamento online…"
        />
      )}
      {open && (order.paid_cents === 0 || order.money === 'deposit') && mayChange && (
        <Button
          small
          look="danger"
          onClick={() => onDo({ act: 'cancel' })}
          label="Annulla l’ordine…"
        />
      )}
    </div>
  );
}

function AddSeatsLink({ order }: Pick<OrderActionsProps, 'order'>) {
  return (
    <Link
      className={`ui-button ${buttonStyles.small}`}
      to={`/sell/event/${encodeURIComponent(order.event_id)}?order=${encodeURIComponent(order.order_id)}`}
    >
      <Icon name="plus" size={16} /> Aggiungi posti
    </Link>
  );
}

function ExchangeLink({ order }: Pick<OrderActionsProps, 'order'>) {
  return (
    <Link
      className={`ui-button ${buttonStyles.small}`}
      to={`/sell/exchange/${encodeURIComponent(order.order_id)}`}
    >
      <Icon name="refresh" size={16} /> Cambia data
    </Link>
  );
}

function DoorNotesButton({ onDo }: Pick<OrderActionsProps, 'onDo'>) {
  if (!useMay(writeDoorNote.who)) return null;
  return (
    <Button small onClick={() => onDo({ act: 'door' })} icon="door" label="Note per la porta…" />
  );
}

/** The new link goes to the buyer's address, so there must be one. */
function NewLinkButton({ order, onDo }: OrderActionsProps) {
  if (!useMay(replaceLink.who) || order.buyer_email === null) return null;
  return <Button small onClick={() => onDo({ act: 'link' })} icon="refresh" label="Nuovo link…" />;
}
