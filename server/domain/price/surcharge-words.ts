/** What is said about surcharges, beside prices and to the office. */
import type { SurchargeKind } from './price-bounds.ts';
import { feeParts, feeWords } from './pricing.ts';
import { feesOn, feesPerOrder, type SoldSurcharge } from './surcharge.ts';

export const surchargeNames: Record<SurchargeKind, string> = {
  presale: 'Prevendita',
  service: 'Commissione di servizio',
};

/** What each price of the list holds; null: nothing beside the ticket. */
export function sayTicketFees(sold: readonly SoldSurcharge[]): string | null {
  const own = sold.filter(({ per }) => per === 'ticket');
  if (own.length === 0) return null;
  const isAlike = own.every(({ percent, categories }) => percent === null && categories === null);
  const words = isAlike ? feeWords(feesOn(own, 1)) : kindsIn(own);
  return `Ogni prezzo è quello che paghi per un biglietto, ${words}.`;
}

function kindsIn(own: readonly SoldSurcharge[]): string {
  const has = (kind: SurchargeKind) => own.some((one) => one.kind === kind);
  if (!has('service')) return 'prevendita compresa';
  return has('presale') ? 'prevendita e commissione comprese' : 'commissione compresa';
}

/** "Si aggiungono, una volta per ordine, 2,00 € di commissione."; null: nothing. */
export function sayOrderFees(sold: readonly SoldSurcharge[]): string | null {
  const parts = feeParts(feesPerOrder(sold));
  return parts === null ? null : `Si aggiungono, una volta per ordine, ${parts}.`;
}
