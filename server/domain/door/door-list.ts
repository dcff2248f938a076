/**
 * What a phone may know about every place of an event and about every scan: the rows of the
 * door's list.
 */
import type { Direction, ListedState } from './admission.ts';
import type { EndedCode } from './ended-code.ts';
import type { LostSpan } from './lost-revisions.ts';
import type { PlaceCode } from './moved-code.ts';

/**
 * What a phone may know about a ticket (RULES A4): no mail, telephone or price; initials instead
 * of a name.
 */
export interface ListedTicket {
  revision: number;
  state: ListedState;
  /** How many minutes before the start its place is let go; 0 or missing: it is kept. */
  kept_minutes?: number;
  type_label: string;
  /** The same text for all tickets of an order; it has no other meaning. */
  order_group: string;
  initials: string | null;
  /**
   * Readable only with the ticket's code (`nameKeyInput` in ticket-code.ts); null: tickets of
   * this event have no names.
   */
  sealed_name: string | null;
  gates: readonly string[];
  /** Only for phones whose role may search by name. */
  name: string | null;
  /** Only where the office lets this phone find guests by the buyer's name. */
  buyer?: string;
  order_number: string | null;
  /** Whether its guest may come back, by the terms of its sale; the event may allow more. */
  reentry: boolean | null;
  /** A short Italian text that is shown with the verdict, for states that have more to say. */
  note: string | null;
  /** What the office wants the door to know about this guest. */
  door_note?: string;
  /** Codes of other places that mean this ticket, because it has moved. */
  moved_from: readonly PlaceCode[];
  /** Dead codes of this ticket: they admit nobody, but who came in by one is its guest. */
  was?: readonly PlaceCode[];
}

export interface ListedPlace {
  place: string;
  seat: string;
  section: string | null;
  category: string;
  /** The door or stairs that lead to the place, as the drawing names it. */
  entrance: string | null;
  /**
   * What the drawing says of the place, and which card its guest must show, in Italian: "posto per
   * carrozzina".
   */
  marks?: readonly string[];
  issued: number;
  /**
   * Base64url of the first 12 bytes of SHA-256(salt | code) of revision i + 1, for all issued
   * revisions and the next ones.
   */
  hashes: readonly string[];
  /**
   * Earlier revisions whose tickets may be out although this house has lost them: they are not
   * replaced by newer ones.
   */
  lost: LostSpan[];
  /** Earlier revisions whose place was let go and has another guest now. */
  given?: readonly number[];
  /** How earlier revisions ended, as far as the house has written it down. */
  ended?: readonly EndedCode[];
  ticket: ListedTicket | null;
}

/** A scan that let a guest in or out, on any phone; `at` in ms. */
export interface ListedAdmission {
  admission_id: string;
  place: string;
  revision: number;
  direction: Direction;
  at: number;
  gate: string | null;
  phone_id: string | null;
  by: string;
  /** The admission that came first. */
  conflict_with: string | null;
  /** A later scan took this one back: no guest went in or out by it. */
  undone: boolean;
}
