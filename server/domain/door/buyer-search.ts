/** Which phones of an event find a guest by the buyer's name. */
export const buyerSearches = ['off', 'supervisors', 'everybody'] as const;
export type BuyerSearch = (typeof buyerSearches)[number];

/** In the office's form, and in the Registro where it is changed. */
export const buyerSearchNames: Record<BuyerSearch, string> = {
  off: 'Nessuno',
  supervisors: 'I telefoni dei responsabili',
  everybody: 'Tutti i telefoni della porta',
};

/** `supervisor`: the phone's role. */
export function findsBuyers(allowed: BuyerSearch, supervisor: boolean): boolean {
  return allowed === 'everybody' || (allowed === 'supervisors' && supervisor);
}
