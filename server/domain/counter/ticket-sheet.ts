/** What a ticket on paper says, whichever paper it is. */

/** One page, all in words. `code` is what the QR holds. */
export interface TicketSheet {
  position: string;
  title: string;
  date: string;
  doors: string | null;
  venue: string;
  /** Said before all else. */ trial: string | null;
  seat: string;
  gate: string | null;
  price: string;
  holder: string | null;
  /** Of its fiscal title, where another system issued one. */ fiscal: string | null;
  code: string;
  code_for_people: string;
}
