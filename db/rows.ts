/** Row types, field by field as in SQL: one spelling from the table to the wire. */
import type { Direction, TicketState, Verdict, VerifyPolicy } from '#server/domain/admission.ts';
import type { EventStatus } from '#server/domain/event.ts';
import type { CheckoutStatus, OrderState } from '#server/domain/order.ts';
import type { PlaceKind } from '#server/domain/seat-name.ts';
import type { Role } from '#server/domain/user.ts';

/** 0 or 1: SQLite has no booleans. */
export type Truth = 0 | 1;

export interface EventRow {
  id: string; title: string; starts_at: number; doors_at: number | null; admits_from: number | null; status: EventStatus; description: string;
  venue_title: string; venue_href: string | null; event_ball_image: string | null; band_ball_image: string | null;
  seatsio_event_key: string; seat_pricing: string; sales_opens_at: number | null; sales_closes_at: number | null;
  max_seats: number; pay_minutes: number; code_tag: string; code_secret: string; code_salt: string;
  verify_policy: VerifyPolicy; reentry: Truth; feed_seq: number; feed_epoch: string; created_at: number;
}

export interface PlaceRow {
  event_id: string; place: string; object_label: string; kind: PlaceKind; category: string; category_key: string;
  section: string | null; row: string | null; seat: string; position: number; issued: number; feed_seq: number;
}

export interface OrderRow {
  id: string; number: string; event_id: string; state: OrderState; hold_token: string; selection: string; total_cents: number;
  created_at: number; pay_by: number; lease: string | null; lease_until: number | null; confirmed_at: number | null; deleted_at: number | null;
  stripe_params: string | null; idempotency_key: string; session_id: string | null; session_status: CheckoutStatus | null;
  checkout_url: string | null; payment_intent: string | null; receipt_number: string | null;
  buyer_name: string | null; buyer_email: string | null; buyer_phone: string | null; needs_attention: string | null; search_text: string;
}

export interface OrderLineRow {
  id: string; order_id: string; event_id: string; place: string; object_label: string; category: string;
  ticket_type: string; type_label: string; price_id: string; price_cents: number; position: number; released_at: number | null;
}

export interface TicketRow {
  id: string; order_id: string; event_id: string; place: string; revision: number; state: TicketState;
  ticket_type: string; type_label: string; price_cents: number; holder: string | null; issued_at: number;
}

export interface PhoneRow {
  id: string; name: string; gate: string | null; pairing_hash: string | null; pairing_expires_at: number | null;
  token_hash: string | null; created_at: number; paired_at: number | null; last_seen_at: number | null;
  revoked_at: number | null; told_revoked_at: number | null; queue_length: number | null; clock_offset_ms: number | null;
  battery: number | null; app_version: string | null;
}

export interface AdmissionRow {
  id: string; event_id: string; place: string | null; revision: number | null; ticket_id: string | null;
  phone_id: string | null; user_id: string | null; seq: number | null; direction: Direction; verdict: Verdict; counts: Truth;
  override: string | null; read: string | null; gate: string | null; offline: Truth;
  scanned_at: number; corrected_at: number; received_at: number; conflict_with: string | null; feed_seq: number | null;
}

export interface UserRow { id: string; email: string; name: string; role: Role; password_hash: string; created_at: number }
export interface SessionRow { token_hash: string; user_id: string; created_at: number; last_seen_at: number }
export interface InviteRow { token_hash: string; role: Role; created_at: number; expires_at: number }

export const tasks = ['settle_order'] as const;
export type Task = (typeof tasks)[number];
export interface OutboxRow { id: string; task: Task; subject: string; run_at: number; attempts: number; locked_until: number | null; bell: number; last_error: string | null }
export interface AuditRow { id: string; at: number; actor: string; action: string; subject: string; detail: string | null }
