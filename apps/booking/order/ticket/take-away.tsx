/**
 * Downloads of an order: the tickets as a PDF, a calendar entry, a print, and passes for the
 * phone's wallet.
 */
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { downloadCalendar, downloadTickets } from '#server/contract/order/documents.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { downloadPass, saveToGoogle } from '#server/contract/order/wallets.ts';
import type { WalletName } from '#server/domain/order/wallet.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import styles from '#apps/booking/order/confirmed.module.css';
import card from './ticket-card.module.css';

/** Plain links, because phones open a calendar entry only from those. */
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

interface TicketWalletsProps {
  order_id: string;
  ticket: { ticket_id: string; seat: string };
  wallets: readonly WalletName[];
}

/** The wallets for which the site's owner has keys. */
export function TicketWallets({ order_id, ticket, wallets }: TicketWalletsProps) {
  const params = { orderId: order_id, ticketId: ticket.ticket_id };
  return (
    <WalletButtons
      seat={ticket.seat}
      wallets={wallets}
      pass={addressOf(downloadPass, params)}
      onSave={() => call(saveToGoogle, { params })}
    />
  );
}

interface WalletButtonsProps {
  seat: string;
  wallets: readonly WalletName[];
  /** The address of the pass for Apple Wallet. */ pass: string;
  onSave: () => Promise<{ save_url: string }>;
}

export function WalletButtons({ seat, wallets, pass, onSave }: WalletButtonsProps) {
  const which = <span className="visually-hidden"> {seat}</span>;

  async function save() {
    const { save_url } = await onSave();
    location.assign(save_url);
  }
  return (
    <>
      {/* A plain link, because phones open a pass only from one. */}
      {wallets.includes('apple') && (
        <a className={`${card.button} no-print`} href={pass}>
          <Icon name="wallet" /> Aggiungi ad Apple Wallet{which}
        </a>
      )}
      {wallets.includes('google') && (
        <AsyncButton variant="bare" className={`${card.button} no-print`} onClick={save}>
          <Icon name="wallet" /> Aggiungi a Google Wallet{which}
        </AsyncButton>
      )}
    </>
  );
}
