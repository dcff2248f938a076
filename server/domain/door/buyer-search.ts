/** Which phones of an event find a guest by the buyer's name. */
export const buyerSearches = ['off', 'supervisors', 'everybody'] as const;
export type BuyerSearch = (typeof buyerSearches)[number];
