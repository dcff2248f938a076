/** A refusal is a code; its status and Italian sentence stand in server/contract/errors.ts. */

export type RefusalCode =
  | 'bad_request' | 'broken_json' | 'wrong_content_type' | 'body_too_large' | 'not_found' | 'method_not_allowed'
  | 'too_many_requests' | 'not_logged_in' | 'not_allowed' | 'wrong_origin' | 'try_again' | 'no_room' | 'unexpected'
  | 'event_changed' | 'event_incomplete' | 'event_has_orders' | 'event_times_wrong' | 'buyers_to_tell' | 'slug_taken' | 'seat_event_taken'
  | 'price_not_sellable' | 'category_unknown' | 'text_too_long' | 'image_unknown' | 'image_unreadable' | 'image_too_large' | 'image_too_small'
  | 'event_not_found' | 'order_not_found' | 'ticket_not_found' | 'phone_not_found' | 'admission_not_found' | 'undo_not_possible' | 'conflict_gone' | 'rehearsal_closed' | 'update_required'
  | 'receipt_not_found' | 'session_not_found' | 'price_not_found'
  | 'nothing_selected' | 'seats_taken' | 'hold_expired' | 'sale_closed' | 'event_cancelled'
  | 'object_without_price' | 'object_unknown' | 'orphan_seats' | 'seats_not_consecutive' | 'too_many_seats'
  | 'provider_silent' | 'checkout_refused' | 'order_pending' | 'total_changed' | 'payment_under_way' | 'decision_not_possible'
  | 'seat_event_not_found' | 'seat_object_not_found' | 'chart_not_found' | 'chart_key_taken' | 'drawing_invalid' | 'import_not_possible' | 'account_refused'
  | 'refund_changed' | 'refund_refused' | 'refund_not_found' | 'refund_not_open' | 'refund_run_not_found' | 'cancellation_changed'
  | 'order_not_confirmed' | 'wallet_not_offered' | 'no_valid_tickets' | 'holder_missing' | 'holder_fixed' | 'mail_not_found' | 'mail_address_missing' | 'buyer_forgotten'
  | 'break_not_found' | 'break_settled' | 'break_persists' | 'action_not_possible'
  | 'login_failed' | 'invite_invalid' | 'password_weak' | 'email_taken'
  | 'site_changed' | 'site_invalid' | 'text_placeholder_unknown'
  | 'pairing_invalid' | 'phone_revoked' | 'resync_required' | 'webhook_signature';

/** Thrown where a rule says no. `detail` holds facts for the caller (which seats, which field), never sentences; `cause` is for our own log. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly detail: unknown;

  constructor(code: RefusalCode, detail?: unknown, cause?: unknown) {
    super(code, { cause });
    this.name = 'Refusal';
    this.code = code;
    this.detail = detail;
  }
}
