/** Row types, field by field as in SQL: one spelling from the table to the wire. */
import type {
  ConflictAnswer,
  Direction,
  ScanMethod,
  TicketState,
  Verdict,
  VerifyPolicy,
} from '#server/domain/admission.ts';
import type { Channel, CounterMethod } from '#server/domain/counter.ts';
import type { BlockColor, BlockState } from '#server/domain/block.ts';
import type { ContingentSale, ContingentState } from '#server/domain/contingent.ts';
import type { Doubt } from '#server/domain/doubt.ts';
import type { EventKind } from '#server/domain/event-kind.ts';
import type { EventStatus } from '#server/domain/event.ts';
import type { MailKind, MailState } from '#server/domain/mail.ts';
import type { MessageAct } from '#server/domain/message.ts';
import type { CheckoutStatus, EndReason, OrderState, PlannedLine } from '#server/domain/order.ts';
import type {
  PaymentKind,
  RefundOrigin,
  RefundRequest,
  RefundState,
} from '#server/domain/refund.ts';
import type { DifferenceEnd, MoveState } from '#server/domain/move.ts';
import type { PrintState, PrintTrouble } from '#server/domain/printing.ts';
import type { Answerer, PostponementAnswer } from '#server/domain/postponement.ts';
import type { PhoneRole } from '#server/domain/phone.ts';
import type { PlaceKind } from '#server/domain/seat-name.ts';
import type { SharedField } from '#server/domain/show.ts';
import type { Place, Role } from '#server/domain/user.ts';

/** 0 or 1: SQLite has no booleans. */
export type Truth = 0 | 1;

type Nullable<Row> = { [K in keyof Row]: null extends Row[K] ? K : never }[keyof Row];
/** A row to insert: what may be null may be left out. */
export type New<Row> = Omit<Row, Nullable<Row>> & Partial<Pick<Row, Nullable<Row>>>;

export interface EventRow {
  id: string;
  title: string;
  starts_at: number;
  doors_at: number | null;
  admits_from: number | null;
  status: EventStatus;
  description: string;
  venue_title: string;
  venue_href: string | null;
  event_ball_image: string | null;
  band_ball_image: string | null;
  seatsio_event_key: string;
  seat_pricing: string;
  sales_opens_at: number | null;
  sales_closes_at: number | null;
  max_seats: number;
  max_per_email: number | null;
  pay_minutes: number;
  code_tag: string;
  code_secret: string;
  code_salt: string;
  verify_policy: VerifyPolicy;
  reentry: Truth;
  feed_seq: number;
  feed_epoch: string;
  created_at: number;
  fee_price_id: string | null;
  refund_days: number;
  refund_stop_days: number;
  refund_keeps_fees: Truth;
  cancel_keeps_fees: Truth;
  refund_request: RefundRequest;
  cancelled_at: number | null;
  ends_at: number | null;
  venue_address: string | null;
  banner_image: string | null;
  chart_key: string | null;
  terms: string | null;
  nominative: Truth;
  holder_change: Truth;
  holder_changes_max: number;
  holder_change_until_hours: number;
  version: number;
  updated_at: number;
  admits_until: number | null;
  rehearsal: Truth;
  kind: EventKind;
  show_id: string | null;
  own_fields: string;
  needs_day: Truth;
  postponed_from: number | null;
}

/** What a date takes from its show, or has set for itself. */
export type SharedColumns = Pick<EventRow, SharedField>;

/** A show as its dates have it: the same columns, and its own. */
export type ShowRow = Pick<EventRow, SharedField | 'id' | 'version' | 'created_at' | 'updated_at'>;

/** `making`: Stripe is being asked; `retiring`: nothing sells it, and Stripe is about to be told. `price_id` null: Stripe has not answered yet. */
export interface MadePriceRow {
  id: string;
  name: string;
  unit_amount: number;
  state: 'making' | 'live' | 'retiring' | 'archived';
  price_id: string | null;
  actor: string;
  created_at: number;
}

export interface PostponementRow {
  id: string;
  event_id: string;
  from_starts_at: number;
  to_starts_at: number;
  answer_by: number;
  if_silent: PostponementAnswer;
  reason: string | null;
  actor: string;
  created_at: number;
  closed_at: number | null;
}

export interface PostponementAnswerRow {
  postponement_id: string;
  order_id: string;
  answer: PostponementAnswer;
  answered_by: Answerer;
  answered_at: number;
}

export interface PlaceRow {
  event_id: string;
  place: string;
  object_label: string;
  kind: PlaceKind;
  category: string;
  category_key: string;
  section: string | null;
  row: string | null;
  seat: string;
  position: number;
  issued: number;
  feed_seq: number;
  entrance: string | null;
  restricted_view: 0 | 1;
  accessible: 0 | 1;
  companion: 0 | 1;
}

export interface OrderRow {
  id: string;
  number: string;
  event_id: string;
  state: OrderState;
  hold_token: string;
  selection: string;
  total_cents: number;
  created_at: number;
  pay_by: number;
  lease: string | null;
  lease_until: number | null;
  confirmed_at: number | null;
  deleted_at: number | null;
  stripe_params: string | null;
  idempotency_key: string;
  session_id: string | null;
  session_status: CheckoutStatus | null;
  checkout_url: string | null;
  payment_intent: string | null;
  receipt_number: string | null;
  buyer_name: string | null;
  buyer_email: string | null;
  buyer_phone: string | null;
  /** A second person to reach. */ buyer_contact: string | null;
  /** The order that these seats were added to. */ part_of: string | null;
  needs_attention: string | null;
  search_text: string;
  /** Which try at a session is the current one; its idempotency key is of this try. */
  attempt: number;
  paid_by: PaymentKind | null;
  end_reason: EndReason | null;
  fee_cents: number;
  paid_cents: number;
  refunded_cents: number;
  buyer_forgotten_at: number | null;
  channel: Channel;
  /** Whose code the visitor gave. */ contingent_id: string | null;
  /** The client's key of a sale at the counter, and the shift that sold it. */ sale_key:
    | string
    | null;
  shift_id: string | null;
  gift_reason: string | null;
}

export interface OrderNoteRow {
  id: string;
  order_id: string;
  text: string;
  author_id: string;
  created_at: number;
  pinned: number;
}
export interface OrderLineRow extends Omit<PlannedLine, 'kind'> {
  id: string;
  order_id: string;
  event_id: string;
  place: string;
  position: number;
  released_at: number | null;
}

export interface TicketRow {
  id: string;
  order_id: string;
  event_id: string;
  place: string;
  revision: number;
  state: TicketState;
  ticket_type: string;
  type_label: string;
  price_cents: number;
  test_money: 0 | 1;
  holder: string | null;
  holder_email: string | null;
  holder_changes: number;
  issued_at: number;
  ended_at: number | null;
  printed_revision: number | null;
  /** The last four letters of its code; whoever gives it another revision gives it these, too. */
  code_end: string | null;
}

/** `payment_status` is Stripe's word: unpaid, paid, no_payment_required. */
export interface CheckoutSessionRow {
  id: string;
  order_id: string;
  attempt: number;
  status: CheckoutStatus;
  payment_status: string;
  amount_total: number;
  payment_intent: string | null;
  created_at: number;
  expires_at: number;
  paid_at: number | null;
}

/** Money that came in. `method`: Stripe's name of it, or cash, transfer, other. */
export interface PaymentRow {
  id: string;
  order_id: string;
  kind: Exclude<PaymentKind, 'free'>;
  method: string | null;
  payment_intent: string | null;
  charge_id: string | null;
  amount_cents: number;
  stripe_fee_cents: number | null;
  receipt_number: string | null;
  receipt_url: string | null;
  note: string | null;
  actor: string;
  disputed: Truth;
  paid_at: number;
  shift_id: string | null;
  given_cents: number | null;
}

/** A try at a payment that a bank or a card refused. `code`: Stripe's. */
export interface DeclineRow {
  /** Stripe's charge. */ id: string;
  order_id: string;
  payment_intent: string;
  method: string | null;
  amount_cents: number;
  code: string;
  buyer_email: string | null;
  at: number;
}

export interface RefundRow {
  id: string;
  order_id: string;
  state: RefundState;
  origin: RefundOrigin;
  kind: Exclude<PaymentKind, 'free'>;
  amount_cents: number;
  fee_cents: number;
  voids_tickets: Truth;
  frees_seats: Truth;
  payment_intent: string | null;
  stripe_refund_id: string | null;
  idempotency_key: string;
  reason: string | null;
  actor: string;
  failure: string | null;
  receipt_number: string | null;
  run_id: string | null;
  created_at: number;
  decided_at: number | null;
  settled_at: number | null;
  /** Out of whose drawer a person gave it back, and how. */ shift_id: string | null;
  method: CounterMethod | null;
}
export interface RefundLineRow {
  refund_id: string;
  order_id: string;
  line_id: string;
  price_cents: number;
  fee_cents: number;
  live: Truth;
}
/** One person at one till, from the opening float to the count. `report`: JSON of what was read when it closed. */
export interface ShiftRow {
  id: string;
  user_id: string;
  till_id: string;
  till_name: string;
  float_cents: number;
  opened_at: number;
  closed_at: number | null;
  pieces: string | null;
  counted_cents: number | null;
  expected_cents: number | null;
  difference_reason: string | null;
  report: string | null;
}
/** Money put into a drawer (above zero) or taken out of it without a sale. */
export interface ShiftMoveRow {
  id: string;
  shift_id: string;
  amount_cents: number;
  reason: string;
  at: number;
}
export interface PrintJobRow {
  id: string;
  order_id: string | null;
  till_id: string;
  actor: string;
  state: PrintState;
  opens_drawer: Truth;
  attempts: number;
  last_error: PrintTrouble | null;
  created_at: number;
  ended_at: number | null;
}
/** All refunds of a cancelled event. */
export interface RefundRunRow {
  id: string;
  event_id: string;
  actor: string;
  reason: string | null;
  with_fees: Truth;
  orders: number;
  sum_cents: number;
  created_at: number;
  finished_at: number | null;
}
export interface DisputeRow {
  id: string;
  order_id: string | null;
  payment_intent: string | null;
  charge_id: string;
  amount_cents: number;
  reason: string;
  status: string;
  due_by: number | null;
  created_at: number;
  updated_at: number;
  closed_at: number | null;
}
export interface BreakRow {
  id: string;
  kind: string;
  subject: string;
  event_id: string | null;
  order_id: string | null;
  detail: string;
  found_at: number;
  seen_at: number;
  settled_at: number | null;
  settled_by: string | null;
  settlement: string | null;
  note: string | null;
}
export interface MailRow {
  id: string;
  order_id: string | null;
  event_id: string | null;
  kind: MailKind;
  key: string;
  message_id: string;
  state: MailState;
  attempts: number;
  created_at: number;
  to_address: string | null;
  subject: string | null;
  text: string | null;
  html: string | null;
  attachments: string | null;
  sent_at: number | null;
  last_error: string | null;
  forgotten_at: number | null;
}
export interface MessageRow {
  id: string;
  ask_key: string;
  act: MessageAct;
  event_id: string | null;
  subject: string | null;
  body: string | null;
  orders: number;
  left_out: number;
  actor: string;
  created_at: number;
  begins_at: number;
  begun_at: number | null;
  withdrawn_at: number | null;
  /** Somebody has stopped it; null: it runs, or was resumed. */ stopped_at: number | null;
  finished_at: number | null;
}
export interface MessageOrderRow {
  message_id: string;
  order_id: string;
  lead_order_id: string;
  position: number;
  mail_id: string | null;
}
/** Without what was written: a page of letters is long. */
export type MailHead = Omit<MailRow, 'text' | 'html' | 'attachments'>;
export interface InvariantRow {
  name: string;
  checked_at: number;
  violations: number;
  sample: string;
  broken_since: number | null;
}

export interface PhoneRow {
  id: string;
  name: string;
  gate: string | null;
  pairing_hash: string | null;
  pairing_expires_at: number | null;
  token_hash: string | null;
  /** Of the handset before the one that is paired now, or will be; and when it was told. */ ended_token_hash:
    | string
    | null;
  ended_told_at: number | null;
  created_at: number;
  paired_at: number | null;
  last_seen_at: number | null;
  revoked_at: number | null;
  told_revoked_at: number | null;
  queue_length: number | null;
  /** Readings that it could not hand in. */ shelf_length: number | null;
  /** The number of its next scan, as it last said; null: it has never said. */ next_seq:
    | number
    | null;
  clock_offset_ms: number | null;
  battery: number | null;
  app_version: string | null;
  role: PhoneRole;
  wire_version: number | null;
  /** What the handset was called before it was paired as this phone. */
  previous_id: string | null;
}

export interface AdmissionRow {
  id: string;
  event_id: string;
  place: string | null;
  revision: number | null;
  ticket_id: string | null;
  phone_id: string | null;
  user_id: string | null;
  seq: number | null;
  direction: Direction;
  verdict: Verdict;
  counts: Truth;
  override: string | null;
  read: string | null;
  gate: string | null;
  offline: Truth;
  scanned_at: number;
  corrected_at: number;
  received_at: number;
  conflict_with: string | null;
  feed_seq: number | null;
  means: ScanMethod;
  note: string | null;
  annuls: string | null;
  annulled_by: string | null;
  /** Why it counts nothing until the office says so; null: it is not in doubt. */
  doubt: Doubt | null;
  settled_at: number | null;
  settled_by: string | null;
  settled_as: ConflictAnswer | null;
  settled_note: string | null;
  /** JSON of what came; of a valid one whose phone gave it, and the question's id. */
  approval: string | null;
  approved_by: string | null;
  approval_id: string | null;
}

/** The public half of a supervisor's phone's key. */
export interface PhoneKeyRow {
  phone_id: string;
  public_key: string;
  made_at: number;
  ended_at: number | null;
}

/** One act of blocking seats. */
export interface BlockRow {
  id: string;
  event_id: string;
  reason: string;
  color: BlockColor;
  release_at: number | null;
  actor: string;
  created_at: number;
}
export interface BlockedPlaceRow {
  event_id: string;
  place: string;
  block_id: string;
  state: BlockState;
}
/** Places of a standing area, by number. */
export interface BlockedAreaRow {
  block_id: string;
  event_id: string;
  object: string;
  places: number;
  state: BlockState;
}

/** Seats kept for one way of selling. `code` of those that are sold with one; `channel_key` opens them at the seat map. */
export interface ContingentRow {
  id: string;
  event_id: string;
  name: string;
  color: BlockColor;
  sale: ContingentSale;
  code: string | null;
  channel_key: string;
  release_at: number | null;
  state: ContingentState;
  /** Since when it is in this state, or has these seats. */ changed_at: number;
  released_at: number | null;
  /** Counts the changes of its seats. */ edits: number;
  actor: string;
  created_at: number;
}
export interface ContingentPlaceRow {
  contingent_id: string;
  event_id: string;
  place: string;
  /** Null once everybody may buy it. */ kept_place: string | null;
  state: Extract<BlockState, 'placing' | 'live'>;
}
/** Places of a standing area, by number. */
export interface ContingentAreaRow {
  contingent_id: string;
  event_id: string;
  object: string;
  places: number;
  /** While the seat map is being asked for more. */ places_before: number | null;
}

/** One act of moving tickets of an order. `keep_reason`: why their old seats are kept back afterwards. */
export interface MoveRow {
  id: string;
  order_id: string;
  event_id: string;
  state: MoveState;
  actor: string;
  keep_reason: string | null;
  difference_cents: number;
  difference_end: DifferenceEnd;
  refund_id: string | null;
  created_at: number;
  moved_at: number | null;
}
/** `to_place` and `to_revision` are known once it has moved. */
export interface MovedTicketRow {
  move_id: string;
  ticket_id: string;
  event_id: string;
  position: number;
  from_place: string;
  from_object: string;
  from_revision: number;
  to_object: string;
  to_place: string | null;
  to_revision: number | null;
}

/** An address that waits for a sale to open. */
export interface ReminderRow {
  id: string;
  event_id: string;
  email: string;
  email_hash: string;
  token_hash: string;
  asked_at: number;
  confirmed_at: number | null;
}

export interface UserRow {
  id: string;
  email: string;
  name: string;
  role: Role;
  password_hash: string;
  created_at: number;
  first_login_at: number | null;
  last_seen_at: number | null;
  suspended_at: number | null;
  removed_at: number | null;
  totp_secret: string | null;
  totp_step: number | null;
}
export interface SessionRow {
  token_hash: string;
  /** What others may know of it. */
  id: string;
  user_id: string;
  created_at: number;
  last_seen_at: number;
  verified_at: number;
  device: string;
  place: Place;
}
/** A browser on which an account was opened. */
export interface DeviceRow {
  token_hash: string;
  user_id: string;
  created_at: number;
}
export interface PasskeyRow {
  id: string;
  user_id: string;
  public_key: string;
  counter: number;
  /** JSON: how a browser reaches it. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}
export interface RecoveryCodeRow {
  code_hash: string;
  user_id: string;
}
export interface ChallengeRow {
  hash: string;
  purpose: ChallengePurpose;
  user_id: string | null;
  expires_at: number;
}
export type ChallengePurpose = 'add_totp' | 'add_passkey' | 'login' | 'confirm';
/** `invite`: with a role, and an address if it went by mail. `reset`: with a user. */
export interface OneTimeLinkRow {
  id: string;
  kind: 'invite' | 'reset';
  role: Role | null;
  email: string | null;
  user_id: string | null;
  made_by: string | null;
  created_at: number;
  expires_at: number;
}
export interface LinkTokenRow {
  token_hash: string;
  link_id: string;
}

/** settle_order: an order · read_payment: a payment intent (charge, fees, receipt, refunds, disputes) · run_refund: a refund · send_mail: a mail · cancel_event: a refund run · tell_buyers: an event and the version that changed date or place · print: a print job · tell_reminders: an event that people wait for · settle_block: a block · settle_contingent: a contingent · settle_move: a move of tickets · send_message: a message to many · settle_price: a price that the office has typed · drop_hall: the key of an event at the seat map that was deleted here */
export const tasks = [
  'settle_order',
  'read_payment',
  'run_refund',
  'send_mail',
  'cancel_event',
  'tell_buyers',
  'print',
  'tell_postponed',
  'close_postponement',
  'tell_reminders',
  'settle_block',
  'settle_contingent',
  'settle_move',
  'send_message',
  'settle_price',
  'drop_hall',
] as const;
export type Task = (typeof tasks)[number];
export interface OutboxRow {
  id: string;
  task: Task;
  subject: string;
  run_at: number;
  attempts: number;
  locked_until: number | null;
  bell: number;
  last_error: string | null;
}
export interface AuditRow {
  id: string;
  at: number;
  actor: string;
  action: string;
  subject: string;
  detail: string | null;
}

/** What a webhook made us do: read an order's session, read a payment, or nothing. */
export const webhookOutcomes = ['order', 'payment', 'nothing'] as const;
export interface WebhookEventRow {
  id: string;
  type: string;
  received_at: number;
  outcome: (typeof webhookOutcomes)[number];
  order_id: string | null;
  tries: number;
}

/** An entry with what its seal has added; `seal` null: it is under none yet. */
export interface SealedAuditRow extends AuditRow {
  seal: number | null;
  personal_hash: string | null;
  personal_salt: string | null;
}

export interface AuditSealRow {
  n: number;
  sealed_at: number;
  entries: number;
  before: string;
  hash: string;
}

export interface HoldProlongationRow {
  hold_token: string;
  times: number;
  last_at: number;
}

export interface ImageRow {
  id: string;
  content_hash: string;
  shape: 'ball' | 'banner' | 'logo';
  width: number;
  height: number;
  created_at: number;
}
export interface ImageFileRow {
  image_id: string;
  width: number;
  format: 'avif' | 'webp' | 'jpg';
  content: Buffer;
}
export interface VisitCountRow {
  day: string;
  name: string;
  page: string;
  step: string;
  n: number;
}
