/** Gives one ticket to a guest by a link of its own, which opens only this ticket (RULES O22). */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { formatLongDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { shareLink } from '#apps/booking/shell/share.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { handOnTicket } from '#server/contract/order/ticket-links.ts';
import card from './ticket-card.module.css';

interface HandOnProps {
  order: Pick<OrderReply, 'order_id' | 'event'>;
  ticket: OrderReply['tickets'][number];
}

export function HandOn({ order: { order_id, event }, ticket }: HandOnProps) {
  const { ticket_id, seat, link } = ticket;
  const [handedOn, setHandedOn] = useState(ticket.handed_on);
  const [copied, setCopied] = useState(false);
  // Missing in orders that this browser stored in an older version.
  if (!link) return null;

  async function give(url: string) {
    const text = `Il tuo biglietto per ${event.title}, ${formatLongDate(event.starts_at)}: ${seat}`;
    setCopied(await shareLink({ title: event.title, text, url }));
    setHandedOn(true);
    // The link works whether or not this is noted.
    await call(handOnTicket, { params: { orderId: order_id, ticketId: ticket_id } }).catch(
      () => {},
    );
  }
  return (
    <>
      <AsyncButton variant="bare" className={`${card.button} no-print`} onClick={() => give(link)}>
        <Icon name="user" /> {copied ? 'Link copiato' : 'Dallo a chi viene con te'}
        <span className="visually-hidden"> {seat}</span>
      </AsyncButton>
      {handedOn && (
        <p className={`${card.handedOn} no-print`}>
          <Icon name="check" size={16} /> Link già dato: apre solo questo biglietto.
        </p>
      )}
    </>
  );
}
