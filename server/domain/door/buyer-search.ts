/** Which phones of an event find a guest by the buyer's name. */
export const buyerSearches = ['off', 'supervisors', 'everybody'] as const;
export type BuyerSearch = (typeof buyerSearches)[number];

/** `supervisor`: the phone's role. */
export function findsBuyers(allowed: BuyerSearch, supervisor: boolean): boolean {
  return allowed === 'everybody' || (allowed === 'supervisors' && supervisor);
}
