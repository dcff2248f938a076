/**
 * The row types of all tables, taken from the migrations, so that names are the same from the
 * table to the wire.
 */
import type { ConflictAnswer } from '#server/domain/door/admission.ts';
import type { AgainstAnswer } from '#server/domain/door/against.ts';
import type { SharedField } from '#server/domain/event/show.ts';
import type { bookTables } from './migrations/start-book.ts';
import type { shiftTables, printTables } from './migrations/start-counter.ts';
import type { doorTables } from './migrations/start-door.ts';
import type { moneyTables } from './migrations/start-money.ts';
import type { releaseTables } from './migrations/002-releases.ts';
import type { operatedColumns, operatedTables } from './migrations/003-operated.ts';
import type { eveningColumns } from './migrations/004-evenings.ts';
import type { changedColumns, changedTables } from './migrations/005-changed-tickets.ts';
import type { priceColumns, priceTables } from './migrations/006-prices.ts';
import type { reckonedColumns } from './migrations/007-reckoned.ts';
import type { windowColumns, windowTables } from './migrations/008-window.ts';
import type { exchangeColumns, exchangeTables } from './migrations/009-exchanges.ts';
import type { cancelledColumns, cancelledTables } from './migrations/010-cancelled.ts';
import type { dayTables } from './migrations/012-day.ts';
import type { undoTables } from './migrations/013-undo.ts';
import type { depositColumns } from './migrations/014-deposits.ts';
import type { swapColumns } from './migrations/011-swap.ts';
import type { askColumns } from './migrations/015-asks.ts';
import type { placeColumns } from './migrations/016-places.ts';
import type { leftOutColumns } from './migrations/017-left-out.ts';
import type { transferColumns, transferTables } from './migrations/018-transfers.ts';
import type { officeTables } from './migrations/start-office.ts';
import type { payoutTables } from './migrations/start-payouts.ts';
import type { paperTables } from './migrations/start-papers.ts';
import type { peopleTables } from './migrations/start-people.ts';
import type { reportTables } from './migrations/start-report.ts';
import type { personalTables } from './migrations/start-personal.ts';
import type { programTables } from './migrations/start-programs.ts';
import type { queueTables } from './migrations/start-queue.ts';
import type { salesTables } from './migrations/start-sales.ts';
import type { Row } from './migrations/table.ts';

type Nullable<Row> = { [K in keyof Row]: null extends Row[K] ? K : never }[keyof Row];
/** A row to insert, in which nullable columns may be left out. */
export type New<Row> = Omit<Row, Nullable<Row>> & Partial<Pick<Row, Nullable<Row>>>;

export type EventRow = Row<typeof salesTables.events> &
  Row<typeof operatedColumns.events> &
  Row<typeof eveningColumns.events> &
  Row<typeof changedColumns.events> &
  Row<typeof reckonedColumns.events> &
  Row<typeof exchangeColumns.events> &
  Row<typeof askColumns.events>;

/** The columns of a date that come from its show, unless the date has set them itself. */
export type SharedColumns = Pick<EventRow, SharedField>;

/** A show: the columns shared with its dates, and its own. */
export type ShowRow = Pick<EventRow, SharedField | 'id' | 'version' | 'created_at' | 'updated_at'>;

/**
 * `making` while Stripe is asked, `retiring` when nothing sells the price and Stripe must be
 * told. `price_id` is null until Stripe answers.
 */
export type MadePriceRow = Row<typeof salesTables.made_prices> &
  Row<typeof operatedColumns.made_prices>;

export type PostponementRow = Row<typeof salesTables.postponements> &
  Row<typeof placeColumns.postponements>;

export type PostponementAnswerRow = Row<typeof salesTables.postponement_answers>;

export type PlaceRow = Row<typeof salesTables.places> &
  Row<typeof operatedColumns.places> &
  Row<typeof eveningColumns.places>;

export type OrderRow = Row<typeof salesTables.orders> &
  Row<typeof eveningColumns.orders> &
  Row<typeof priceColumns.orders> &
  Row<typeof reckonedColumns.orders> &
  Row<typeof windowColumns.orders> &
  Row<typeof exchangeColumns.orders> &
  Row<typeof depositColumns.orders>;

export type PriceRuleRow = Row<typeof priceTables.price_rules>;
export type PriceCodeRow = Row<typeof priceTables.price_codes>;
export type CodeUseRow = Row<typeof priceTables.code_uses>;

export type ReplacedLinkRow = Row<typeof salesTables.replaced_links>;
export type OrderNoteRow = Row<typeof salesTables.order_notes>;
export type OrderLineRow = Row<typeof salesTables.order_lines> &
  Row<typeof eveningColumns.order_lines> &
  Row<typeof priceColumns.order_lines> &
  Row<typeof reckonedColumns.order_lines> &
  Row<typeof swapColumns.order_lines>;
/** The key of a line; there is no index of line ids alone. */
export type LineKey = Pick<OrderLineRow, 'order_id' | 'id'>;

export type TicketRow = Row<typeof salesTables.tickets> &
  Row<typeof eveningColumns.tickets> &
  Row<typeof changedColumns.tickets>;

/** `payment_status` is Stripe's word: unpaid, paid, no_payment_required. */
export type CheckoutSessionRow = Row<typeof salesTables.checkout_sessions>;

/** Received money. `method` is Stripe's word, or cash, transfer, other. */
export type PaymentRow = Row<typeof moneyTables.payments>;

/** An attempt to pay that a bank or a card refused; `code` is Stripe's. */
export type DeclineRow = Row<typeof moneyTables.declines>;

export type RefundRow = Row<typeof moneyTables.refunds> &
  Row<typeof reckonedColumns.refunds> &
  Row<typeof exchangeColumns.refunds> &
  Row<typeof transferColumns.refunds>;
/** A part of a refund that is handed back in several ways. */
export type RefundPartRow = Row<typeof windowTables.refund_parts>;
/** Tickets of one order that are replaced by a new order of another date. */
export type ExchangeRow = Row<typeof exchangeTables.exchanges> &
  Row<typeof cancelledColumns.exchanges>;
export type ExchangeTicketRow = Row<typeof exchangeTables.exchange_tickets>;
/** A payout of Stripe to the bank, and the movements of its balance. */
export type PayoutRow = Row<typeof payoutTables.payouts>;
export type PayoutLineRow = Row<typeof payoutTables.payout_lines>;

export type RefundLineRow = Row<typeof moneyTables.refund_lines> &
  Row<typeof reckonedColumns.refund_lines>;
/**
 * One person at one till, from the opening float to the count. `report` is JSON with the sums at
 * closing.
 */
export type ShiftRow = Row<typeof shiftTables.shifts>;
/** Money put into a drawer (above zero) or taken out of it without a sale. */
export type ShiftMoveRow = Row<typeof shiftTables.shift_moves>;
/** All tills of one day; `signed_at` null: it is counted but not signed yet. */
export type DaySheetRow = Row<typeof dayTables.day_sheets>;
export type PrintJobRow = Row<typeof printTables.print_jobs> &
  Row<typeof changedColumns.print_jobs>;
/** All refunds of a cancelled event. */
export type RefundRunRow = Row<typeof moneyTables.refund_runs> &
  Row<typeof operatedColumns.refund_runs> &
  Row<typeof cancelledColumns.refund_runs>;
export type CancellationAnswerRow = Row<typeof cancelledTables.cancellation_answers>;
export type DisputeRow = Row<typeof moneyTables.disputes>;
export type BreakRow = Row<typeof moneyTables.breaks>;
export type MailRow = Row<typeof officeTables.mails>;
export type MessageRow = Row<typeof officeTables.messages>;
/** An act that mails many, for one event; its mails wait a minute. */
export type AnnouncementRow = Row<typeof undoTables.announcements>;
export type TransferRow = Row<typeof transferTables.transfers>;
export type TransferOrderRow = Row<typeof transferTables.transfer_orders>;
export type MessageOrderRow = Row<typeof officeTables.message_orders>;
/** A mail without its text, because a page of letters would be long. */
export type MailHead = Omit<MailRow, 'text' | 'html' | 'attachments'>;
export type InvariantRow = Row<typeof moneyTables.invariants>;

export type PhoneRow = Row<typeof doorTables.phones> & Row<typeof changedColumns.phones>;

export type AdmissionRow = Omit<Row<typeof doorTables.admissions>, 'settled_as'> & {
  settled_as: ConflictAnswer | AgainstAnswer | null;
} & Row<typeof changedColumns.admissions>;
/** Why a revision of a place opens the door no more. */
export type EndedCodeRow = Row<typeof changedTables.ended_codes>;
/** People without a ticket whom the door has counted in or out. */
export type HeadsRow = Row<typeof changedTables.heads>;

/** The public key of a supervisor's phone. */
export type PhoneKeyRow = Row<typeof doorTables.phone_keys>;

/** One act of blocking seats. */
export type BlockRow = Row<typeof salesTables.blocks>;
export type BlockedPlaceRow = Row<typeof salesTables.blocked_places>;
/** A number of blocked places of a standing area. */
export type BlockedAreaRow = Row<typeof salesTables.blocked_areas>;

/**
 * Seats kept for one way of selling. `code` is set if they are sold with one; `channel_key` opens
 * them at the seat map.
 */
export type ContingentRow = Row<typeof salesTables.contingents>;
export type ContingentPlaceRow = Row<typeof salesTables.contingent_places>;
/** A number of places of a standing area that a contingent keeps. */
export type ContingentAreaRow = Row<typeof salesTables.contingent_areas>;

/**
 * One act of moving tickets of an order. `keep_reason` says why their old seats are kept back
 * afterwards.
 */
export type MoveRow = Row<typeof salesTables.moves> &
  Row<typeof swapColumns.moves> &
  Row<typeof placeColumns.moves>;
/** `to_place` and `to_revision` are null until the ticket has moved. */
export type MovedTicketRow = Row<typeof salesTables.moved_tickets>;

/** An event that moves to another hall, with the new place of each line. */
export type RehousingRow = Row<typeof salesTables.rehousings> &
  Row<typeof placeColumns.rehousings> &
  Row<typeof leftOutColumns.rehousings>;
export type RehousedLineRow = Row<typeof salesTables.rehoused_lines> &
  Row<typeof leftOutColumns.rehoused_lines>;

/** An address that waits for a sale to open. */
export type ReminderRow = Row<typeof officeTables.reminders>;

export type UserRow = Row<typeof peopleTables.users>;
export type SessionRow = Row<typeof peopleTables.sessions>;
export type DesignerTokenRow = Row<typeof peopleTables.designer_tokens>;
/** A browser in which a person has logged in. */
export type DeviceRow = Row<typeof peopleTables.known_devices>;
export type PasskeyRow = Row<typeof peopleTables.passkeys>;
export type RecoveryCodeRow = Row<typeof peopleTables.recovery_codes>;
export type ChallengeRow = Row<typeof peopleTables.challenges>;
/** An `invite` has a role, and an address if it was mailed; a `reset` has a user. */
export type OneTimeLinkRow = Row<typeof peopleTables.one_time_links>;
/** Attempts at a password or a code. */
export type GuessRow = Row<typeof peopleTables.guesses>;
export type LinkTokenRow = Row<typeof peopleTables.link_tokens>;
export type OutboxRow = Row<typeof officeTables.outbox>;
/** A running server; `last_beat_at`: when it last said that it runs. */
export type ProcessRow = Row<typeof officeTables.processes>;
export type ReleaseRow = Row<typeof releaseTables.releases>;
export type AuditRow = Omit<SealedAuditRow, 'seal' | 'personal_hash' | 'personal_salt'>;
export type WebhookEventRow = Row<typeof officeTables.webhook_events>;

/** An audit entry with its seal, or null while there is none. */
export type SealedAuditRow = Row<typeof officeTables.audit>;

export type AuditSealRow = Row<typeof officeTables.audit_seals>;

export type HoldProlongationRow = Row<typeof officeTables.hold_prolongations>;

export type ImageRow = Row<typeof officeTables.images>;
export type ImageFileRow = Row<typeof officeTables.image_files>;
export type VisitCountRow = Row<typeof officeTables.visit_counts>;

/** The counts that a job stores for an event's reports. */
export type KeptFiguresRow = Row<typeof reportTables.kept_figures>;
export type ErasureRow = Row<typeof personalTables.erasures>;
export type ErasureWaitRow = Row<typeof personalTables.erasure_waits>;
export type ProgramTokenRow = Row<typeof programTables.program_tokens>;
export type ProgramAddressRow = Row<typeof programTables.program_addresses>;
/** A message to another program's address. */
export type ProgramDeliveryRow = Row<typeof programTables.program_deliveries>;
export type SealImportRow = Row<typeof paperTables.seal_imports>;
/** The seal of a fiscal title, as another system issued it. */
export type TicketSealRow = Row<typeof paperTables.ticket_seals>;
/** The data for an invoice that a buyer asked for. */
export type InvoiceRow = Row<typeof paperTables.invoices>;
/** The book of an event, with its number of rows and last hash. */
export type BookHead = Row<typeof bookTables.books>;
export type BookLine = Row<typeof bookTables.book_rows>;
/** The head of a day over all open books. */
export type BookDay = Row<typeof bookTables.book_days>;

/** The waiting room of an event. */
export type QueueRow = Row<typeof queueTables.queues>;
export type QueuePlaceRow = Row<typeof queueTables.queue_places>;
export type QueueLoadRow = Row<typeof queueTables.queue_loads>;

export type StartedWorkRow = Row<typeof operatedTables.started_work>;
