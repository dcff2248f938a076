/** What the house knew that spoke against an entry which a phone without signal let in. */
export const againstReasons = ['refunded', 'void', 'replaced'] as const;
export type Against = (typeof againstReasons)[number];
