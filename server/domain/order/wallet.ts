/** The phone wallets for which passes are made. */

export const walletNames = ['apple', 'google'] as const;
export type WalletName = (typeof walletNames)[number];

/** A ticket as a phone's wallet keeps it. */
export interface WalletTicket {
  /**
   * It changes with each change of holder, so that the old pass is not mistaken for the new one.
   */
  serial: string;
  event: {
    id: string;
    title: string;
    starts_at: number;
    doors_at: number | null;
    /** Null: it was never moved to another day. */ postponed_from: number | null;
    venue_title: string;
    venue_address: string | null;
  };
  /** Who sells. */
  organiser: string;
  /** The colour of the house, `#rrggbb`, under white text; null: the product's own. */ colour:
    | string
    | null;
  seat: string;
  gate: string | null;
  entrance: string | null;
  type_label: string;
  /** It says PROVA: it was paid with test money. */ trial: boolean;
  holder: string | null;
  /** What the QR holds, and the same for people. */
  code: string;
  code_for_people: string;
  order_number: string;
  /** The order page. */
  url: string;
}
