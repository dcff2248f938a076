/**
 * Part of the start schema: shows, events with their places, orders with their lines and
 * sessions, and tickets.
 */
import type { TicketState, VerifyPolicy } from '#server/domain/door/admission.ts';
import type { BlockColor, BlockState } from '#server/domain/seat/block.ts';
import type { ContingentSale, ContingentState } from '#server/domain/seat/contingent.ts';
import type { BuyerLanguage } from '#server/domain/order/buyer.ts';
import type { Channel } from '#server/domain/counter/counter.ts';
import type { EventKind } from '#server/domain/event/event-kind.ts';
import type { Regime } from '#server/domain/papers/regime.ts';
import type { EventStatus } from '#server/domain/event/event.ts';
import type { DifferenceEnd, MoveState } from '#server/domain/seat/move.ts';
import type { CheckoutStatus, EndReason, OrderState } from '#server/domain/order/order.ts';
import type {
  Answerer,
  GivenAnswer,
  PostponementAnswer,
} from '#server/domain/event/postponement.ts';
import type { PaymentKind, RefundRequest } from '#server/domain/payment/refund.ts';
import type { RehousingState, UnplacedReason } from '#server/domain/seat/rehousing.ts';
import type { PlaceKind } from '#server/domain/seat/seat-name.ts';
import { bigInteger, integer, text, truth, table, tableInKey, type Truth } from './table.ts';
import { searchVector } from '#db/engine/dialect.ts';

/** What an event sells under; each order keeps the values of its own sale (RULES O20). */
const saleTerms = {
  // The VAT in prices and in the presale fee; null if exempt or excluded. A presale fee is a part
  // of the show's price and bears its rate.
  vat_percent: integer().orNull().defaultTo(10),
  fee_vat_percent: integer().orNull().defaultTo(10),
  // The terms of RULES R1 and R2: days after the purchase, days before the event, and what
  // happens to the fees.
  refund_days: integer().defaultTo(10),
  refund_stop_days: integer().defaultTo(15),
  refund_keeps_fees: truth().defaultTo(1),
  cancel_keeps_fees: truth().defaultTo(0),
  refund_request: text<RefundRequest>(10).defaultTo('office'),
  // True if the buyer names every ticket's holder after the payment.
  nominative: truth().defaultTo(0),
  // Whether another person may take over a ticket, how often, and until how many hours before the
  // start.
  holder_change: truth().defaultTo(0),
  holder_changes_max: integer().defaultTo(1),
  holder_change_until_hours: integer().defaultTo(24),
  reentry: truth().defaultTo(1),
};

/**
 * The columns that a show sets for all its dates; a date has the same columns with its own values
 * (RULES E1).
 */
const shared = {
  ...saleTerms,
  title: text(200),
  kind: text<EventKind>(20).defaultTo('other'),
  description: text(),
  venue_title: text(200),
  venue_href: text(500).orNull(),
  event_ball_image: text(500).orNull(),
  band_ball_image: text(500).orNull(),
  seat_pricing: text(),
  max_seats: integer(),
  // The most valid tickets that all orders of one mail address may have together; null: no limit.
  // The address is known only after the payment.
  max_per_email: integer().orNull(),
  pay_minutes: integer(),
  verify_policy: text<VerifyPolicy>(10),
  // Whether a code from before a move to another seat lets its guest in.
  moved_policy: text<VerifyPolicy>(10).defaultTo('admit'),
  // A Stripe price added once per paid ticket (diritto di prevendita), or null.
  fee_price_id: text(100).orNull(),
  // How the takings are certified.
  regime: text<Regime>(20).defaultTo('unsaid'),
  venue_address: text(300).orNull(),
  banner_image: text(500).orNull(),
  // Sanitised HTML; null for the site's own terms.
  terms: text().orNull(),
};

export const salesTables = {
  shows: table({
    id: text(100).primary(),
    ...shared,
    version: integer().defaultTo(1),
    created_at: bigInteger(),
    updated_at: bigInteger(),
  }),

  events: table({
    id: text(100).primary(),
    ...shared,
    // Null for a rehearsal, which is not a date of a show.
    show_id: text(100).orNull().references('shows.id').index(),
    // A list of the fields that this date has set for itself.
    own_fields: text().defaultTo('[]'),
    // True while a copy still has the day of its original.
    needs_day: truth().defaultTo(0),
    // The start before the last postponement.
    postponed_from: bigInteger().orNull(),
    starts_at: bigInteger(),
    doors_at: bigInteger().orNull(),
    admits_from: bigInteger().orNull(),
    status: text<EventStatus>(20),
    seatsio_event_key: text(100).unique(),
    sales_opens_at: bigInteger().orNull(),
    sales_closes_at: bigInteger().orNull(),
    code_tag: text(4).unique(),
    // The column is longer than a plain secret, because the secret is sealed.
    code_secret: text(160),
    // The secret of codes issued before it was replaced (RULES C4), or null.
    earlier_secret: text(160).orNull(),
    code_salt: text(64),
    // The last number of the door's sequence. Taking the next number locks this row, so that
    // numbers become visible in their order.
    feed_seq: bigInteger(),
    feed_epoch: text(32),
    created_at: bigInteger(),
    cancelled_at: bigInteger().orNull(),
    ends_at: bigInteger().orNull(),
    // The chart at the seat map; null if only the event there is known.
    chart_key: text(100).orNull(),
    // Incremented by every save, which makes open forms and caches outdated.
    version: integer().defaultTo(1),
    updated_at: bigInteger().defaultTo(0),
    admits_until: bigInteger().orNull(),
    rehearsal: integer<Truth>().defaultTo(0),
    // True while the event moves to another hall, or until a person resumes the sale.
    sale_paused: integer<Truth>().defaultTo(0),
  }),

  places: table(
    {
      event_id: text(100).references('events.id'),
      place: text(200),
      object_label: text(200),
      kind: text<PlaceKind>(10),
      category: text(100),
      category_key: text(100),
      section: text(100).orNull(),
      row: text(100).orNull(),
      seat: text(100),
      position: integer(),
      issued: integer(),
      // The number of codes that were made with the event's earlier secret.
      earlier_codes: integer().defaultTo(0),
      // The number of codes whose secret was removed, so that they cannot be made any more.
      lost_codes: integer().defaultTo(0),
      feed_seq: bigInteger(),
      // The door or stairs to the place, and what a buyer must know about it.
      entrance: text(100).orNull(),
      restricted_view: integer<Truth>().defaultTo(0),
      accessible: integer<Truth>().defaultTo(0),
      companion: integer<Truth>().defaultTo(0),
      // 0 for a place of a hall that the event has left; the row stays because codes were issued
      // on the place.
      in_hall: integer<Truth>().defaultTo(1),
    },
    (t) => {
      t.primary(['event_id', 'place']);
      t.index(['event_id', 'feed_seq']);
      t.index(['event_id', 'object_label', 'position']);
      t.index(['event_id', 'section', 'row']);
    },
  ),

  /** Blocked seats: one row per act of blocking, and one per seat. */
  blocks: table(
    {
      id: text(40).primary(),
      event_id: text(100).references('events.id'),
      reason: text(100),
      color: text<BlockColor>(10),
      release_at: bigInteger().orNull(),
      actor: text(100),
      created_at: bigInteger(),
    },
    (t) => {
      t.index(['event_id', 'created_at']);
    },
  ),

  blocked_places: table(
    {
      event_id: text(100),
      place: text(200),
      block_id: text(40).references('blocks.id'),
      state: text<BlockState>(10),
    },
    (t) => {
      t.primary(['event_id', 'place']);
      t.index(['block_id', 'state']);
    },
  ),

  /** Blocked places of a standing area, as a number because they have no names. */
  blocked_areas: table(
    {
      block_id: text(40).primary().references('blocks.id'),
      event_id: text(100),
      object: text(200),
      places: integer(),
      state: text<BlockState>(10),
    },
    (t) => {
      t.index(['event_id', 'object']);
    },
  ),

  /** Seats kept for one way of selling: with a code, or at the counter only. */
  contingents: table(
    {
      id: text(40).primary(),
      event_id: text(100).references('events.id'),
      name: text(60),
      color: text<BlockColor>(10),
      sale: text<ContingentSale>(10),
      code: text(30).orNull(),
      // The key of the channel that opens its seats at the seat map.
      channel_key: text(64),
      release_at: bigInteger().orNull(),
      state: text<ContingentState>(10),
      // When its state or its seats last changed.
      changed_at: bigInteger(),
      released_at: bigInteger().orNull(),
      // Counts the changes of its seats, so that a task for the seat map notices a change made
      // meanwhile.
      edits: integer().defaultTo(0),
      actor: text(100),
      created_at: bigInteger(),
    },
    (t) => {
      t.unique(['event_id', 'code']);
      t.index(['event_id', 'created_at']);
    },
  ),

  contingent_places: table(
    {
      contingent_id: text(40).references('contingents.id'),
      event_id: text(100),
      place: text(200),
      // The place while the contingent keeps it, null once everybody may buy it. The unique index
      // allows a seat in one contingent only.
      kept_place: text(200).orNull(),
      // `placing` until the seat map has confirmed the place, then `live`.
      state: text<Extract<BlockState, 'placing' | 'live'>>(10).defaultTo('live'),
    },
    (t) => {
      t.primary(['contingent_id', 'place']);
      t.unique(['event_id', 'kept_place']);
    },
  ),

  /**
   * Places of a standing area that a contingent keeps, as a number because they have no names.
   */
  contingent_areas: table(
    {
      contingent_id: text(40).references('contingents.id'),
      event_id: text(100),
      object: text(200),
      places: integer(),
      // The earlier number, while the seat map is asked for more places.
      places_before: integer().orNull(),
    },
    (t) => {
      t.primary(['contingent_id', 'object']);
      t.index(['event_id', 'object']);
    },
  ),

  orders: table(
    {
      id: text(40).primary(),
      number: text(9).unique(),
      // The secret of the buyer's link; the id opens nothing for a visitor.
      link_key: text(22).unique(),
      event_id: text(100).references('events.id'),
      state: text<OrderState>(20),
      hold_token: text(200),
      // A hash of the visitor's network, until the order is paid or has ended.
      network: text(43).orNull(),
      selection: text(),
      total_cents: integer(),
      created_at: bigInteger(),
      pay_by: bigInteger(),
      // The process that works on the order, and until when at most; calls to providers about one
      // order never overlap.
      lease: text(40).orNull(),
      lease_until: bigInteger().orNull(),
      confirmed_at: bigInteger().orNull(),
      deleted_at: bigInteger().orNull(),
      stripe_params: text().orNull(),
      idempotency_key: text(100),
      session_id: text(100).orNull(),
      session_status: text<CheckoutStatus>(20).orNull(),
      checkout_url: text().orNull(),
      payment_intent: text(100).orNull(),
      receipt_number: text(40).orNull(),
      buyer_name: text(200).orNull(),
      buyer_email: text(254).orNull(),
      buyer_phone: text(40).orNull(),
      // True: mail and telephone come from an earlier order that the seller could not read.
      contact_hidden: truth().defaultTo(0),
      // Name and telephone of a second person, as the office wrote them.
      buyer_contact: text(200).orNull(),
      // The language in which the office speaks with the buyer.
      buyer_language: text<BuyerLanguage>(2).orNull(),
      // The first order, if this one added seats to it.
      part_of: text(40).orNull().references('orders.id'),
      needs_attention: text(200).orNull(),
      // The order's number and the buyer's name and mail, folded for searches.
      search_text: text(),
      // Counts the attempts to open a session; it is part of the idempotency key.
      attempt: integer().defaultTo(1),
      paid_by: text<PaymentKind>(10).orNull(),
      end_reason: text<EndReason>(30).orNull(),
      fee_cents: integer().defaultTo(0),
      paid_cents: integer().defaultTo(0),
      // Refunds that Stripe has paid or may still pay; the rest of paid_cents can be given back.
      refunded_cents: integer().defaultTo(0),
      buyer_forgotten_at: bigInteger().orNull(),
      // Where the order was sold.
      channel: text<Channel>(10).defaultTo('web'),
      // The contingent whose code the visitor entered.
      contingent_id: text(40).orNull(),
      sale_key: text<string>(64).orNull(),
      shift_id: text(40).orNull().references('shifts.id'),
      // Why the counter gave the order away; null if it was not a gift.
      gift_reason: text(500).orNull(),
      ...saleTerms,
    },
    (t) => {
      t.index(['event_id', 'created_at']);
    },
  ),

  /** Hashes of links that a newer one has replaced, so that they are refused in words. */
  replaced_links: table({
    link_hash: text(43).primary(),
    order_id: text(40).references('orders.id').index(),
    replaced_at: bigInteger(),
  }),

  /** Notes of the office about an order, which the buyer never sees. */
  order_notes: table({
    id: text(40).primary(),
    order_id: text(40).references('orders.id').index(),
    text: text(),
    author_id: text(40),
    created_at: bigInteger(),
    // True for at most one note of an order.
    pinned: truth().defaultTo(0),
  }),

  /**
   * The places of an order. No query finds a line by its id alone, so there is no index of ids,
   * which every sale would have to write.
   */
  order_lines: table(
    {
      id: text(40),
      order_id: text(40).references('orders.id'),
      event_id: text(100),
      place: text(200),
      object_label: text(200),
      category: text(100),
      ticket_type: text(100),
      type_label: text(100),
      price_id: text(100),
      price_cents: integer(),
      position: integer(),
      released_at: bigInteger().orNull(),
      // When the buyer offered the place again; it may then be on another order's line as well.
      offered_at: bigInteger().orNull(),
      fee_cents: integer().defaultTo(0),
      // 1 if the line had ended before the event changed its hall; a place with the same name in
      // the new hall is a different one.
      left_hall: integer<Truth>().defaultTo(0),
    },
    (t) => {
      t.primary(['order_id', 'position']);
      t.foreign(['event_id', 'place']).references(['event_id', 'place']).inTable('places');
    },
  ),

  /** Every session that was ever opened for an order; at most one is open. */
  checkout_sessions: tableInKey(
    {
      id: text(100),
      order_id: text(40).references('orders.id'),
      attempt: integer(),
      status: text<CheckoutStatus>(20),
      payment_status: text(30),
      amount_total: integer(),
      payment_intent: text(100).orNull(),
      created_at: bigInteger(),
      expires_at: bigInteger(),
      paid_at: bigInteger().orNull(),
    },
    (t) => {
      t.primary(['order_id', 'id']);
    },
  ),

  tickets: table(
    {
      id: text(40).primary(),
      order_id: text(40).references('orders.id'),
      event_id: text(100),
      place: text(200),
      revision: integer(),
      state: text<TicketState>(20),
      ticket_type: text(100),
      type_label: text(100),
      price_cents: integer(),
      // The last four of the code's 31 letters, by which the office finds a ticket; another
      // revision has others.
      code_end: text(4).orNull(),
      // Paid in Stripe's test mode.
      test_money: integer<Truth>().defaultTo(0),
      holder: text(200).orNull(),
      issued_at: bigInteger(),
      ended_at: bigInteger().orNull(),
      // The last printed revision.
      printed_revision: integer().orNull(),
      holder_changes: integer().defaultTo(0),
      // The address to which the holder's ticket was sent; it is told when the ticket gets
      // another holder.
      holder_email: text(254).orNull(),
      // The order's own term, which the door's list reads for each of its places.
      reentry: truth().defaultTo(1),
    },
    (t) => {
      t.unique(['order_id', 'place']);
      t.unique(['event_id', 'place', 'revision']);
      t.foreign(['event_id', 'place']).references(['event_id', 'place']).inTable('places');
    },
  ),

  /** Tickets that changed their seats: one row per move, and one per ticket. */
  moves: table({
    id: text(40).primary(),
    order_id: text(40).references('orders.id').index(),
    event_id: text(100).references('events.id'),
    state: text<MoveState>(10),
    actor: text(100),
    keep_reason: text(100).orNull(),
    // Above zero if the buyer owed money.
    difference_cents: integer(),
    difference_end: text<DifferenceEnd>(10),
    refund_id: text(40).orNull(),
    created_at: bigInteger(),
    moved_at: bigInteger().orNull(),
  }),

  moved_tickets: table(
    {
      move_id: text(40).references('moves.id'),
      ticket_id: text(40).references('tickets.id').index(),
      event_id: text(100),
      position: integer(),
      from_place: text(200),
      from_object: text(200),
      from_revision: integer(),
      to_object: text(200),
      to_place: text(200).orNull(),
      to_revision: integer().orNull(),
    },
    (t) => {
      t.primary(['move_id', 'ticket_id']);
      t.index(['event_id', 'from_place']);
    },
  ),

  /** A sold event that moves to another hall: first the plan, then the run. */
  rehousings: table({
    id: text(40).primary(),
    event_id: text(100).references('events.id').index(),
    state: text<RehousingState>(12),
    // Incremented by every change of the plan; the start names the version that the person saw.
    version: integer(),
    chart_key: text(100),
    // The event's new key at the seat map; null before the run.
    seatsio_event_key: text(100).orNull(),
    // JSON: the category that each category key of the new hall is sold as.
    categories: text(),
    refunds: truth(),
    // Why the last run failed, or a note that seats had been kept back.
    fault: text(100).orNull(),
    actor: text(100),
    created_at: bigInteger(),
    started_at: bigInteger().orNull(),
    // The move can be cancelled until then.
    commit_at: bigInteger().orNull(),
    done_at: bigInteger().orNull(),
  }),

  rehoused_lines: table(
    {
      rehousing_id: text(40).references('rehousings.id'),
      line_id: text(40),
      order_id: text(40).references('orders.id'),
      // The ticket's place when it was planned; a ticket that has moved since is planned again.
      from_object: text(200),
      // The new place; null with a reason if there is none.
      to_object: text(200).orNull(),
      reason: text<UnplacedReason>(30).orNull(),
      locked: truth(),
      // True when the place is booked for its order in the new hall.
      taken: truth(),
    },
    (t) => {
      t.primary(['rehousing_id', 'line_id']);
    },
  ),

  /**
   * Prices that the office has typed. Each is made at Stripe with its own product, and archived
   * when nothing sells it any more.
   */
  made_prices: table({
    id: text(40).primary(),
    name: text(300),
    unit_amount: integer(),
    state: text<'making' | 'live' | 'retiring' | 'archived'>(10),
    // Stripe's id; null until Stripe has answered.
    price_id: text(100).orNull().unique(),
    actor: text(100),
    created_at: bigInteger(),
  }),

  /** Postponements of sold dates, each with a question to the buyers. */
  postponements: table({
    id: text(40).primary(),
    event_id: text(100).references('events.id').index(),
    from_starts_at: bigInteger(),
    to_starts_at: bigInteger(),
    answer_by: bigInteger(),
    // What happens to orders without an answer: keep or refund.
    if_silent: text<PostponementAnswer>(10),
    reason: text(500).orNull(),
    actor: text(100),
    created_at: bigInteger(),
    // Set when the deadline has passed, or when the date moves again.
    closed_at: bigInteger().orNull(),
  }),

  postponement_answers: table(
    {
      postponement_id: text(40).references('postponements.id'),
      order_id: text(40).references('orders.id').index(),
      answer: text<GivenAnswer>(10),
      answered_by: text<Answerer>(10),
      answered_at: bigInteger(),
    },
    (t) => {
      t.primary(['postponement_id', 'order_id']);
    },
  ),
};

export const salesIndexes = [
  // An index for the very few rehearsals, which every query on orders leaves out.
  'CREATE INDEX events_rehearsal ON events (id) WHERE rehearsal = 1',
  // The office asks every few seconds for the orders that wait for a person, of which there are
  // few.
  'CREATE INDEX orders_attention ON orders (created_at) WHERE needs_attention IS NOT NULL',
  // The filters and sums of lists by time read this index only. Its columns do not change before
  // the order is paid or ends.
  'CREATE INDEX orders_by_time ON orders (created_at, id, event_id, confirmed_at, deleted_at, total_cents, paid_cents, refunded_cents)',
  // Finds ended orders and the few with refunds without reading all orders; orders_live_hold
  // finds open ones.
  'CREATE INDEX orders_ended ON orders (created_at) WHERE deleted_at IS NOT NULL',
  'CREATE INDEX orders_given_back ON orders (created_at) WHERE refunded_cents > 0',
  // Reports list the reasons of the counter's gifts.
  'CREATE INDEX orders_gifts ON orders (event_id) WHERE gift_reason IS NOT NULL',
  // Finds the buyers of a seat, for any event.
  'CREATE INDEX order_lines_place ON order_lines (place)',
  // Only the orders that have one of these two are in its index.
  'CREATE INDEX tickets_code_end ON tickets (code_end) WHERE code_end IS NOT NULL',
  // Few orders have one of these two for long, and only these are in the index.
  'CREATE INDEX orders_payment_intent_index ON orders (payment_intent) WHERE payment_intent IS NOT NULL',
  'CREATE INDEX orders_receipt_number_index ON orders (receipt_number) WHERE receipt_number IS NOT NULL',
  // A hold token has at most one unpaid order, by which a second identical call finds the first.
  // The condition uses only columns that change when the order is paid or ends.
  'CREATE UNIQUE INDEX orders_live_hold ON orders (event_id, hold_token) WHERE confirmed_at IS NULL AND deleted_at IS NULL',
  // Finds overdue orders, except those that wait for a person. The last condition keeps
  // PostgreSQL from using this index for queries by hold token.
  'CREATE INDEX orders_due ON orders (pay_by) WHERE confirmed_at IS NULL AND deleted_at IS NULL AND needs_attention IS NULL',
  'CREATE INDEX orders_bought_hold ON orders (event_id, hold_token) WHERE confirmed_at IS NOT NULL',
  // Finds an ended session if Stripe does not name its order; an open session belongs to one of
  // the few open orders.
  "CREATE INDEX checkout_sessions_over ON checkout_sessions (id) WHERE status <> 'open'",
  // Finds the newest orders of an address in any spelling, for buyers who lost their links.
  // Without the time PostgreSQL would read all orders by time.
  'CREATE INDEX orders_buyer_email ON orders (LOWER(buyer_email), created_at) WHERE buyer_email IS NOT NULL',
  'CREATE INDEX orders_network ON orders (network) WHERE network IS NOT NULL',
  'CREATE INDEX orders_part_of ON orders (part_of) WHERE part_of IS NOT NULL',
  'CREATE UNIQUE INDEX order_notes_pinned ON order_notes (order_id) WHERE pinned = 1',
  'CREATE UNIQUE INDEX order_lines_live_place ON order_lines (event_id, place) WHERE released_at IS NULL AND offered_at IS NULL',
  "CREATE UNIQUE INDEX rehousings_open ON rehousings (event_id) WHERE state NOT IN ('done', 'dropped')",
  "CREATE UNIQUE INDEX tickets_live_place ON tickets (event_id, place) WHERE state = 'valid'",
];

/** The database itself updates the words of orders when `search_text` is written. */
export const searchIndex = {
  postgres: [
    // New words wait in a list that every search reads and that a write must sort when it
    // overflows; with the usual 4 MB both are slow.
    `CREATE INDEX orders_words ON orders USING gin (${searchVector}) WITH (gin_pending_list_limit = 64)`,
    // Sums read only the index for pages that were vacuumed; by default PostgreSQL vacuums only
    // after a fifth of the table has changed.
    'ALTER TABLE orders SET (autovacuum_vacuum_insert_scale_factor = 0.02)',
  ],
  sqlite: [
    `CREATE VIRTUAL TABLE order_words USING fts5(words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0")`,
    // An order without a buyer is found by its number alone; the indexes of numbers cost a sale a
    // third of what the word index costs.
    'CREATE INDEX orders_number_end ON orders (substr(number, 6))',
    `CREATE TRIGGER order_words_new AFTER INSERT ON orders WHEN new.search_text <> lower(replace(new.number, '-', '') || ' ' || replace(new.number, '-', ' ')) BEGIN INSERT INTO order_words (rowid, words) VALUES (new.rowid, new.search_text); END`,
    'CREATE TRIGGER order_words_changed AFTER UPDATE OF search_text ON orders WHEN old.search_text <> new.search_text BEGIN INSERT OR REPLACE INTO order_words (rowid, words) VALUES (new.rowid, new.search_text); END',
    'CREATE TRIGGER order_words_gone AFTER DELETE ON orders BEGIN DELETE FROM order_words WHERE rowid = old.rowid; END',
  ],
} as const;
