/** Into the phone's wallet, where the owner of the site has keys for it. */
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { addressOf } from '#server/contract/endpoint.ts';
import { downloadPass, saveToGoogle } from '#server/contract/wallets.ts';
import type { WalletName } from '#server/domain/wallet.ts';
import card from './ticket-card.module.css';

interface TicketWalletsProps {
  order_id: string;
  ticket: { ticket_id: string; seat: string };
  wallets: readonly WalletName[];
}

export function TicketWallets({ order_id, ticket, wallets }: TicketWalletsProps) {
  const params = { orderId: order_id, ticketId: ticket.ticket_id };
  const which = <span className="visually-hidden"> {ticket.seat}</span>;

  async function save() {
    const { save_url } = await call(saveToGoogle, { params });
    location.assign(save_url);
  }
  return (
    <>
      {/* A plain link: a phone opens a pass only from one. */}
      {wallets.includes('apple') && (
        <a className={`${card.button} no-print`} href={addressOf(downloadPass, params)}>
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
