/** What is said of the part payment of a reservation. */
import type { DepositEnd } from '#server/domain/order/payment.ts';
import { formatEuro } from '#server/domain/price/money.ts';

/** "Acconto 20,00 € · restano 54,00 €" */
export function sayDeposit(paid_cents: number, total_cents: number): string {
  return `Acconto ${formatEuro(paid_cents)} · restano ${formatEuro(total_cents - paid_cents)}`;
}

/** What becomes of it if the reservation ends unpaid. */
export const depositEndWords: Record<DepositEnd, string> = {
  returned: 'Se la prenotazione finisce senza il resto, l’acconto si restituisce.',
  kept: 'Se la prenotazione finisce senza il resto, l’acconto resta al teatro.',
};
