/** The phone wallets for which passes are made. */

export const walletNames = ['apple', 'google'] as const;
export type WalletName = (typeof walletNames)[number];

/** A ticket as the pass of a phone's wallet. */
export interface WalletTicket {
  /** Changes with each change of holder, so that the old pass is not mistaken for the new one. */
  serial: string;
  event: {
    id: string;
    title: string;
    starts_at: number;
    doors_at: number | null;
    /** Null: the event never moved to another day. */ postponed_from: number | null;
    /** When it moved to another place; null: never. */ moved_at: number | null;
    venue_title: string;
    venue_address: string | null;
  };
  organiser: string;
  /** The colour of the house, `#rrggbb`, under white text; null: the product's own. */
  colour: string | null;
  seat: string;
  gate: string | null;
  entrance: string | null;
  type_label: string;
  /** The pass says PROVA, because the ticket was paid with test money. */ trial: boolean;
  holder: string | null;
  /** The text of the QR, and the same text for people. */
  code: string;
  code_for_people: string;
  order_number: string;
  /** Where a buyer asks for the links again; a shared pass must not open the order. */
  url: string;
}
