/** What a ticket says on any paper. */

/** One page, all in words; `code` is the text of the QR. */
export interface TicketSheet {
  position: string;
  title: string;
  date: string;
  doors: string | null;
  venue: string;
  /** The first line of a ticket that is only a trial. */ trial: string | null;
  seat: string;
  /** The way in, and what is special about the place. */ gate: string | null;
  price: string;
  /** Paper that lacks its letters says `order` instead (RULES O19). */ holder: string | null;
  order: string;
  /** The fiscal seal, if another system issued one. */ fiscal: string | null;
  code: string;
  code_for_people: string;
}
