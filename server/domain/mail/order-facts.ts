/** The facts that mails to buyers are written from. */
import type { PostponementAnswer } from '#server/domain/event/postponement.ts';
import type { RefundOrigin } from '#server/domain/payment/refund.ts';

/** Times in milliseconds, amounts in cents, seats in words. */
export interface MailFacts {
  buyer_name: string | null;
  order: {
    number: string;
    url: string;
    calendar_url: string;
    pdf_url: string;
    total_cents: number;
    fee_cents: number;
    service_cents: number;
    paid_cents: number;
    refunded_cents: number;
    /** Paid at the box office or by bank transfer. */ paid_by_hand: boolean;
    /**
     * Numbers of the other orders whose tickets are in the same mail, because seats were added.
     */
    together: readonly string[];
    pay_by: number;
    confirmed_at: number | null;
    /** Whether the payment page still accepts the payment. */ checkout_open: boolean;
    /** The page where a free booking is confirmed, with its secret. */
    click_url?: string | null;
    /** Until when free places are kept; null or missing: for good. */
    kept_until?: number | null;
    /** The evening is on the day after this mail. */ is_tomorrow?: boolean;
  };
  event: {
    title: string;
    url: string;
    starts_at: number;
    doors_at: number | null;
    venue_title: string;
    venue_address: string | null;
    /** The page of the place on the web. */ venue_href?: string | null;
    /** The event's own rules as plain text; null: the site's apply. */ terms: string | null;
    nominative: boolean;
    /** How many tickets still need a name. */ names_missing: number;
    /** Until when names are asked for that the sale did not need. */ names_due: number | null;
  };
  seats: readonly string[];
  /** Whether the tickets were paid with test money. */ trial: boolean;
  /** What the buyer may ask for now, as the order page says it. */
  refund_policy: string | null;
  /** Whether and until when a ticket may get another holder. */ change_rule: string;
  /** Until when the date may be changed, and what it costs; null: not, or not any more. */
  exchange_rule: string | null;
  /** Whether a guest who leaves may come back in. */ reentry_rule: string;
  refund: {
    amount_cents: number;
    seats: readonly string[];
    /** The mail says that the tickets ended, because no other one did. */ voids_tickets: boolean;
    by_hand: boolean;
    /** The office's words to the buyer. */ refusal: string | null;
  } | null;
  /** What the tickets that ended had cost, and what of the order's money has gone back. */
  ended?: {
    origin: RefundOrigin;
    /** Those of which the buyer hears by this mail. */ seats: readonly string[];
    value_cents: number;
    given_back_cents: number;
    /** The refund failed, and the office decides. */ failed: boolean;
    disputed: boolean;
  };
  /** All tickets had ended before the event was cancelled. */ ended_before?: boolean;
  /** The people with a ticket to whom we cannot write, each with their seat. */
  unreached?: readonly string[];
  /** The original day or place, until when the buyer may answer, and what silence means. */
  postponement: {
    from_starts_at: number;
    /** The place before; null or missing: the day has moved. */ from_venue?: string | null;
    answer_by: number;
    if_silent: PostponementAnswer;
    reason: string | null;
    /** Another date of the show is on sale. */ other_date?: boolean;
  } | null;
  /** A cancelled evening whose buyers are asked what they prefer. */
  cancellation?: {
    answer_by: number;
    refund_cents: number;
    other_date: boolean;
    reason: string | null;
  } | null;
  /** Money that was left to the house, and the payments of which it is a part. */
  gift?: { left_at: number; payments: readonly string[] } | null;
  /** For a ticket that got a name: who the mail is for, the new name, and the ticket's own link. */
  holder: { to: 'buyer' | 'new' | 'old'; name: string; url: string | null } | null;
  /** The buyer already has these tickets, with other codes. */ codes_replaced: boolean;
  /** The link to the order is a new one. */ link_replaced?: boolean;
  /** The evening and the order whose tickets these replace; missing: none. */
  replaces?: { starts_at: number; number: string };
  /** Tickets that got other seats. */ moved: readonly { from: string; to: string }[];
  /** They got them by a change of hall: why, and what goes back; null or missing: they did not. */
  rehoused?: { reason: string | null; refund_cents: number } | null;
  organiser: { name: string; email: string | null; phone: string | null };
}
