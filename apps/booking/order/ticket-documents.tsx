/** What one takes away from the order page: the tickets as a PDF, the evening for the calendar, or all of it on paper. */
import { Icon } from '#apps/shared/ui/icon.tsx';
import { downloadCalendar, downloadTickets } from '#server/contract/documents.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import styles from './confirmed.module.css';

/** Plain links: a phone opens a calendar entry only from one. */
export function TicketDocuments({ order }: { order: OrderReply }) {
  const params = { orderId: order.order_id };
  if (!order.tickets.some((ticket) => ticket.state === 'valid')) return null;
  return (
    <ul className={`${styles.documents} no-print`} aria-label="Porta con te i biglietti">
      {order.tickets.some((ticket) => ticket.state === 'valid' && ticket.code !== '') && (
        <li>
          <a className="ui-button ui-button-primary" href={addressOf(downloadTickets, params)}>
            <Icon name="download" /> Scarica il PDF
          </a>
        </li>
      )}
      <li>
        <a className="ui-button" href={addressOf(downloadCalendar, params)}>
          <Icon name="calendar" /> Aggiungi al calendario
        </a>
      </li>
      <li>
        <button type="button" className="ui-button" onClick={() => window.print()}>
          <Icon name="print" /> Stampa i biglietti
        </button>
      </li>
    </ul>
  );
}
