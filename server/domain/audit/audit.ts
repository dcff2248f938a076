/** Every action that the audit may hold. */

/** Actions that an order's timeline shows, each with its own sentence. */
export type OrderAction =
  | 'order_stored'
  | 'order_recovered'
  | 'sale_rebuilt'
  | 'cancel_asked'
  | 'order_deleted'
  | 'order_confirmed'
  | 'payment_processing'
  | 'click_asked'
  | 'places_let_go'
  | 'place_taken_back'
  | 'let_in_against'
  | 'against_settled'
  | 'place_given'
  | 'amount_differs'
  | 'paid_after_end'
  | 'holder_named'
  | 'holder_changed'
  | 'attention_settled'
  | 'refund_asked'
  | 'refund_requested'
  | 'refund_approved'
  | 'refund_refused'
  | 'refund_withdrawn'
  | 'refund_pending'
  | 'refund_requires_action'
  | 'refund_succeeded'
  | 'refund_failed'
  | 'refund_canceled'
  | 'refund_taken_over'
  | 'refund_done_elsewhere'
  | 'refund_retry'
  | 'refund_handed_back'
  | 'refund_restore'
  | 'refund_void'
  | 'refund_keep'
  | 'seats_freed'
  | 'dispute_created'
  | 'dispute_changed'
  | 'event_cancelled'
  | 'postponement_answered'
  | 'cancellation_answered'
  | 'buyer_forgotten'
  | 'buyer_email_changed'
  | 'buyer_changed'
  | 'note_added'
  | 'door_note_written'
  | 'door_note_removed'
  | 'note_pinned'
  | 'note_unpinned'
  | 'note_deleted'
  | 'seats_added'
  | 'mail_resent'
  | 'link_replaced'
  | 'mail_bounced'
  | 'order_read_again'
  | 'break_settled'
  | 'seats_reserved'
  | 'reservation_changed'
  | 'deposit_taken'
  | 'deposit_kept'
  | 'price_by_hand'
  | 'group_sold'
  | 'seat_rules_overridden'
  | 'tickets_printed'
  | 'tickets_reissued'
  | 'invoice_asked'
  | 'invoice_changed'
  | 'invoice_made'
  | 'invoice_reopened'
  | 'exchange_begun'
  | 'tickets_exchanged'
  | 'money_left'
  | 'exchange_ended'
  | 'tickets_moved'
  | 'tickets_retyped'
  | 'tickets_swapped'
  | 'move_given_up';

/** Actions that no timeline shows: they are not about an order, or another row says the same. */
type OtherAction =
  | 'admitted'
  | 'let_out'
  | 'admission_undone'
  | 'conflict_settled'
  | 'doubt_settled'
  | 'scans_imported'
  | 'phone_scans_undone'
  | 'heads_counted'
  | 'heads_undone'
  | 'rehearsal_made'
  | 'rehearsal_turned'
  | 'rehearsal_closed'
  | 'phone_made'
  | 'phone_changed'
  | 'phone_pairing_renewed'
  | 'phone_paired'
  | 'phone_revoked'
  | 'door_pin_set'
  | 'door_pin_removed'
  | 'phone_key_set'
  | 'event_postponed'
  | 'act_taken_back'
  | 'orders_transferred'
  | 'rehousing_planned'
  | 'rehousing_started'
  | 'rehousing_called_off'
  | 'rehousing_done'
  | 'sale_resumed'
  | 'postponement_closed'
  | 'show_changed'
  | 'dates_made'
  | 'event_created'
  | 'event_duplicated'
  | 'event_saved'
  | 'prices_typed'
  | 'event_deleted'
  | 'prices_renewed'
  | 'test_orders_removed'
  | 'demo_removed'
  | 'show_deleted'
  | 'event_published'
  | 'event_unpublished'
  | 'queue_set'
  | 'queue_paused'
  | 'queue_resumed'
  | 'queue_closed'
  | 'queue_told'
  | 'network_crowd'
  | 'unusual_reading'
  | 'chart_imported'
  | 'chart_made'
  | 'chart_copied'
  | 'chart_renamed'
  | 'chart_archived'
  | 'chart_unarchived'
  | 'chart_published'
  | 'chart_restored'
  | 'chart_draft_discarded'
  | 'places_added'
  | 'seats_blocked'
  | 'seats_unblocked'
  | 'block_changed'
  | 'contingent_made'
  | 'contingent_changed'
  | 'contingent_seats_added'
  | 'contingent_seats_removed'
  | 'contingent_released'
  | 'contingent_restored'
  | 'holds_freed'
  | 'code_secret_changed'
  | 'code_secret_ended'
  | 'image_added'
  | 'seals_imported'
  | 'seals_import_undone'
  | 'invite_accepted'
  | 'person_invited'
  | 'invite_withdrawn'
  | 'price_rule_added'
  | 'price_rule_changed'
  | 'price_rule_ended'
  | 'price_code_added'
  | 'price_codes_made'
  | 'price_code_changed'
  | 'price_code_ended'
  | 'role_changed'
  | 'person_suspended'
  | 'person_restored'
  | 'person_removed'
  | 'reset_link_made'
  | 'password_changed'
  | 'password_reset'
  | 'sessions_ended'
  | 'factor_added'
  | 'factor_removed'
  | 'factors_reset'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'code_failed'
  | 'logged_in'
  | 'login_failed'
  | 'site_changed'
  | 'look_changed'
  | 'maintenance_begun'
  | 'maintenance_ended'
  | 'shift_opened'
  | 'shift_moved'
  | 'shift_counted'
  | 'shift_closed'
  | 'day_counted'
  | 'day_signed'
  | 'tills_changed'
  | 'message_queued'
  | 'message_withdrawn'
  | 'backup_asked'
  | 'clock_set_back'
  | 'message_stopped'
  | 'message_resumed'
  | 'refunds_stopped'
  | 'refunds_resumed'
  | 'file_stopped'
  | 'job_hurried'
  | 'job_abandoned'
  | 'personal_exported'
  | 'person_erased'
  | 'retention_changed'
  | 'retention_kept'
  | 'program_token_made'
  | 'program_token_revoked'
  | 'program_address_made'
  | 'program_address_changed'
  | 'program_address_deleted'
  | 'program_secret_changed';

export type AuditAction = OrderAction | OtherAction;

/**
 * The fields of a detail that may hold a buyer's own data or words. A seal covers only their
 * salted hash, and they are removed when the buyer is erased (RULES I4).
 */
const personalFields = ['buyer_name', 'buyer_email', 'buyer_phone', 'holder', 'holder_email'];
/**
 * A buyer who asks for a refund gives a reason in their own words; a correction names the old and
 * the new buyer.
 */
const personalOf: Partial<Record<string, readonly string[]>> = {
  refund_asked: ['reason'],
  refund_requested: ['reason'],
  refund_retry: ['reason'],
  buyer_changed: ['before', 'after'],
} satisfies Partial<Record<AuditAction, readonly string[]>>;
/** Reasons that the office types may name a person, so they can be erased, too. */
const typedFields = ['reason', 'note', 'remark', 'override', 'failure'];

export type AuditDetail = Record<string, unknown>;

/** Whether a field holds a buyer's own data or words, not the office's. */
export function isOwnWord(action: string, name: string): boolean {
  return personalFields.includes(name) || personalOf[action]?.includes(name) === true;
}

/**
 * Whether a person typed the value; lower-case words with underscores are codes of the program.
 */
function isTyped(name: string, value: unknown): boolean {
  return typedFields.includes(name) && typeof value === 'string' && !/^[a-z_]*$/.test(value);
}

/**
 * The two parts of a detail, each in its own order; `personal` is null if nothing may be about a
 * buyer.
 */
export function partsOfDetail(
  action: string,
  detail: AuditDetail,
): { plain: AuditDetail; personal: AuditDetail | null } {
  const isPersonal = ([name, value]: [string, unknown]) =>
    isOwnWord(action, name) || isTyped(name, value);
  const entries = Object.entries(detail);
  const personal = entries.filter(isPersonal);
  return {
    plain: Object.fromEntries(entries.filter((entry) => !isPersonal(entry))),
    personal: personal.length === 0 ? null : Object.fromEntries(personal),
  };
}

/**
 * What is wrong with a seal: an entry or the seal was changed, an entry is missing or was added,
 * the chain is cut, the seal is gone. Late entries, far older than those sealed before, are no
 * proof of a change.
 */
const sealFaults = ['changed', 'missing', 'added', 'cut', 'gone', 'late'] as const;
export type SealFault = (typeof sealFaults)[number];
