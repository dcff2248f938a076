/**
 * Part of the start schema: shows, events with their places, orders with their lines and sessions,
 * and tickets.
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
import type { Answerer, PostponementAnswer } from '#server/domain/event/postponement.ts';
import type { PaymentKind, RefundRequest } from '#server/domain/payment/refund.ts';
import type { RehousingState, UnplacedReason } from '#server/domain/seat/rehousing.ts';
import type { PlaceKind } from '#server/domain/seat/seat-name.ts';
import { bigInteger, integer, text, truth, table, tableInKey, type Truth } from './table.ts';
import { searchVector } from '#db/engine/dialect.ts';

/**
 * What a show says for all its dates; the row of a date has it, too, with what it has set for
 * itself (RULES E1).
 */
const shared = {
  title: text(200),
  kind: text<EventKind>(20).defaultTo('other'),
  description: text(),
  venue_title: text(200),
  venue_href: text(500).orNull(),
  event_ball_image: text(500).orNull(),
  band_ball_image: text(500).orNull(),
  seat_pricing: text(),
  max_seats: integer(),
  // Tickets of one mail address over all its orders; null: as many as one likes. Known only after
  // the payment.
  max_per_email: integer().orNull(),
  pay_minutes: integer(),
  verify_policy: text<VerifyPolicy>(10),
  reentry: truth(),
  // A Stripe price added once per paid ticket (diritto di prevendita); null: none.
  fee_price_id: text(100).orNull(),
  // How the takings are certified, and the VAT in prices and in the presale fee; null: exempt or
  // excluded.
  regime: text<Regime>(20).defaultTo('unsaid'),
  vat_percent: integer().orNull().defaultTo(10),
  fee_vat_percent: integer().orNull().defaultTo(22),
  // RULES R1 and R2 as data: days after the purchase, days before the event, what happens to the
  // fees.
  refund_days: integer().defaultTo(10),
  refund_stop_days: integer().defaultTo(15),
  refund_keeps_fees: truth().defaultTo(1),
  cancel_keeps_fees: truth().defaultTo(0),
  refund_request: text<RefundRequest>(10).defaultTo('office'),
  venue_address: text(300).orNull(),
  banner_image: text(500).orNull(),
  // Sanitised HTML; null: the site's own terms.
  terms: text().orNull(),
  // A name per ticket, asked for after the payment.
  nominative: truth().defaultTo(0),
  // Whether another person may take a ticket over, how often, and until how many hours before the
  // start.
  holder_change: truth().defaultTo(0),
  holder_changes_max: integer().defaultTo(1),
  holder_change_until_hours: integer().defaultTo(24),
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
    // Null: a rehearsal, which is no date of a show.
    show_id: text(100).orNull().references('shows.id').index(),
    // Those of the show's fields that this date has set for itself, a list of names.
    own_fields: text().defaultTo('[]'),
    // A copy has the day of its original until it gets its own.
    needs_day: truth().defaultTo(0),
    // When it should have begun before it was moved for the last time.
    postponed_from: bigInteger().orNull(),
    starts_at: bigInteger(),
    doors_at: bigInteger().orNull(),
    admits_from: bigInteger().orNull(),
    status: text<EventStatus>(20),
    seatsio_event_key: text(100).unique(),
    sales_opens_at: bigInteger().orNull(),
    sales_closes_at: bigInteger().orNull(),
    code_tag: text(4).unique(),
    // Sealed it is longer.
    code_secret: text(160),
    // Of what was issued before the secret was replaced (RULES C4); null: there is none.
    earlier_secret: text(160).orNull(),
    code_salt: text(64),
    // The door's sequence: taking the next number locks this row, so numbers become visible in the
    // order in which they were taken.
    feed_seq: bigInteger(),
    feed_epoch: text(32),
    created_at: bigInteger(),
    cancelled_at: bigInteger().orNull(),
    ends_at: bigInteger().orNull(),
    // Of the seat map; null where only the event at the seat map is known.
    chart_key: text(100).orNull(),
    // Counted up by every save: the office's form is told when somebody else was faster, and caches
    // when they are old.
    version: integer().defaultTo(1),
    updated_at: bigInteger().defaultTo(0),
    admits_until: bigInteger().orNull(),
    rehearsal: integer<Truth>().defaultTo(0),
    // Nothing is sold while it moves to another hall, or until somebody says so afterwards.
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
      // So many of them have codes of the event's earlier secret.
      earlier_codes: integer().defaultTo(0),
      feed_seq: bigInteger(),
      // By which door or stairs it is reached, and what a buyer must know of it.
      entrance: text(100).orNull(),
      restricted_view: integer<Truth>().defaultTo(0),
      accessible: integer<Truth>().defaultTo(0),
      companion: integer<Truth>().defaultTo(0),
      // 0: of a hall that the event has left; it stays for the codes that were issued on it.
      in_hall: integer<Truth>().defaultTo(1),
    },
    (t) => {
      t.primary(['event_id', 'place']);
      t.index(['event_id', 'feed_seq']);
      t.index(['event_id', 'object_label', 'position']);
      t.index(['event_id', 'section', 'row']);
    },
  ),

  /** Seats that the house keeps back: one row per act, one per seat of it. */
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

  /** Places of a standing area that a block keeps back: by number, they have no names. */
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

  /** Seats kept for one way of selling: behind a code, or at the counter only. */
  contingents: table(
    {
      id: text(40).primary(),
      event_id: text(100).references('events.id'),
      name: text(60),
      color: text<BlockColor>(10),
      sale: text<ContingentSale>(10),
      code: text(30).orNull(),
      // Whoever knows it can hold its seats at the seat map.
      channel_key: text(64),
      release_at: bigInteger().orNull(),
      state: text<ContingentState>(10),
      // Since when it is in this state, or has these seats.
      changed_at: bigInteger(),
      released_at: bigInteger().orNull(),
      // Counts the changes of its seats: whoever tells the seat map sees whether there was another
      // one meanwhile.
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
      // The place again while it is kept, null once everybody may buy it: so a seat is in one
      // contingent at most.
      kept_place: text(200).orNull(),
      // placing: the seat map is being asked for it; live: it belongs to the contingent.
      state: text<Extract<BlockState, 'placing' | 'live'>>(10).defaultTo('live'),
    },
    (t) => {
      t.primary(['contingent_id', 'place']);
      t.unique(['event_id', 'kept_place']);
    },
  ),

  /** Places of standing areas that a contingent keeps: by number, they have no names. */
  contingent_areas: table(
    {
      contingent_id: text(40).references('contingents.id'),
      event_id: text(100),
      object: text(200),
      places: integer(),
      // How many there were, while the seat map is being asked for more.
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
      event_id: text(100).references('events.id'),
      state: text<OrderState>(20),
      hold_token: text(200),
      selection: text(),
      total_cents: integer(),
      created_at: bigInteger(),
      pay_by: bigInteger(),
      // Who works on the order now, and until when at the longest: outside calls for one order
      // never overlap.
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
      // A second person to reach: name and telephone, as the office wrote them.
      buyer_contact: text(200).orNull(),
      // In which one speaks with them, as the office was told.
      buyer_language: text<BuyerLanguage>(2).orNull(),
      // Seats added to an order are an order of their own that names the first one.
      part_of: text(40).orNull().references('orders.id'),
      needs_attention: text(200).orNull(),
      // Number, name and mail in the one spelling that searches compare.
      search_text: text(),
      // Which try at a session is the current one; its idempotency key is of this try.
      attempt: integer().defaultTo(1),
      paid_by: text<PaymentKind>(10).orNull(),
      end_reason: text<EndReason>(30).orNull(),
      fee_cents: integer().defaultTo(0),
      paid_cents: integer().defaultTo(0),
      // Refunds that Stripe has or may still pay out: what is left of paid_cents is what may yet be
      // given back.
      refunded_cents: integer().defaultTo(0),
      buyer_forgotten_at: bigInteger().orNull(),
      // Where it was sold; the others of sales at the counter only.
      channel: text<Channel>(10).defaultTo('web'),
      // The contingent whose code the visitor gave.
      contingent_id: text(40).orNull(),
      sale_key: text<string>(64).orNull(),
      shift_id: text(40).orNull().references('shifts.id'),
      // Why it costs nothing; null: it was no gift of the counter.
      gift_reason: text(500).orNull(),
    },
    (t) => {
      t.index(['event_id', 'created_at']);
    },
  ),

  /** What the office wrote down about an order, for itself only. */
  order_notes: table({
    id: text(40).primary(),
    order_id: text(40).references('orders.id').index(),
    text: text(),
    author_id: text(40),
    created_at: bigInteger(),
    // One of an order at most.
    pinned: truth().defaultTo(0),
  }),

  /**
   * What was bought, place by place; the n-th of its order. Nothing finds a line by its id alone:
   * an index of ids would be written with every sale.
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
      fee_cents: integer().defaultTo(0),
      // It had ended when the evening changed its hall: what is called like its place there is
      // another one.
      left_hall: integer<Truth>().defaultTo(0),
    },
    (t) => {
      t.primary(['order_id', 'position']);
      t.foreign(['event_id', 'place']).references(['event_id', 'place']).inTable('places');
    },
  ),

  /** Every session that was ever opened for an order: one open at most, none is forgotten. */
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
      // The last four of the 31 letters of its code: whoever says them is found. Another revision
      // gets others.
      code_end: text(4).orNull(),
      // Paid at a Stripe whose money is not real.
      test_money: integer<Truth>().defaultTo(0),
      holder: text(200).orNull(),
      issued_at: bigInteger(),
      ended_at: bigInteger().orNull(),
      // The revision that was put on paper last.
      printed_revision: integer().orNull(),
      holder_changes: integer().defaultTo(0),
      // Where the holder got their ticket, so that they hear when it is no longer theirs.
      holder_email: text(254).orNull(),
    },
    (t) => {
      t.unique(['order_id', 'place']);
      t.unique(['event_id', 'place', 'revision']);
      t.foreign(['event_id', 'place']).references(['event_id', 'place']).inTable('places');
    },
  ),

  /** Tickets that changed their seats: one row per act, one per ticket of it. */
  moves: table({
    id: text(40).primary(),
    order_id: text(40).references('orders.id').index(),
    event_id: text(100).references('events.id'),
    state: text<MoveState>(10),
    actor: text(100),
    keep_reason: text(100).orNull(),
    // Above zero: the buyer owed it.
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

  /** A sold evening that moves to another hall: the plan first, then the run. */
  rehousings: table({
    id: text(40).primary(),
    event_id: text(100).references('events.id').index(),
    state: text<RehousingState>(12),
    // Counted up by every change of the plan: whoever starts it names the one that they saw.
    version: integer(),
    chart_key: text(100),
    // Of the event at the seat map that it gets there; null until it begins.
    seatsio_event_key: text(100).orNull(),
    // JSON: by the key of each category there, the one that it is sold as.
    categories: text(),
    refunds: truth(),
    // Why the last run came to nothing, or that seats had been kept back.
    fault: text(100).orNull(),
    actor: text(100),
    created_at: bigInteger(),
    started_at: bigInteger().orNull(),
    // Until then it can be called off.
    commit_at: bigInteger().orNull(),
    done_at: bigInteger().orNull(),
  }),

  rehoused_lines: table(
    {
      rehousing_id: text(40).references('rehousings.id'),
      line_id: text(40),
      order_id: text(40).references('orders.id'),
      // Where it was when it was planned: who has moved since is planned anew.
      from_object: text(200),
      // Null: there is no place for it, and why.
      to_object: text(200).orNull(),
      reason: text<UnplacedReason>(30).orNull(),
      locked: truth(),
      // Booked for its order in the new hall.
      taken: truth(),
    },
    (t) => {
      t.primary(['rehousing_id', 'line_id']);
    },
  ),

  /**
   * Prices that the office has typed: each is made at Stripe with a product of its own, and
   * archived when nothing sells it any more.
   */
  made_prices: table({
    id: text(40).primary(),
    name: text(300),
    unit_amount: integer(),
    state: text<'making' | 'live' | 'retiring' | 'archived'>(10),
    // Stripe's; null until it has answered.
    price_id: text(100).orNull().unique(),
    actor: text(100),
    created_at: bigInteger(),
  }),

  /** Each time that a sold date moved to another day, with the question to its buyers. */
  postponements: table({
    id: text(40).primary(),
    event_id: text(100).references('events.id').index(),
    from_starts_at: bigInteger(),
    to_starts_at: bigInteger(),
    answer_by: bigInteger(),
    // What becomes of whoever says nothing: keep or refund.
    if_silent: text<PostponementAnswer>(10),
    reason: text(500).orNull(),
    actor: text(100),
    created_at: bigInteger(),
    // The deadline's rule was applied, or the date has moved again.
    closed_at: bigInteger().orNull(),
  }),

  postponement_answers: table(
    {
      postponement_id: text(40).references('postponements.id'),
      order_id: text(40).references('orders.id').index(),
      answer: text<PostponementAnswer>(10),
      answered_by: text<Answerer>(10),
      answered_at: bigInteger(),
    },
    (t) => {
      t.primary(['postponement_id', 'order_id']);
    },
  ),
};

export const salesIndexes = [
  // Next to none; every question about orders asks for them.
  'CREATE INDEX events_rehearsal ON events (id) WHERE rehearsal = 1',
  // What waits for a person is asked for every few seconds, and is next to nothing.
  'CREATE INDEX orders_attention ON orders (created_at) WHERE needs_attention IS NOT NULL',
  // Lists by time; their filters and sums read nothing but this. Nothing in it changes before the
  // order is paid or ends.
  'CREATE INDEX orders_by_time ON orders (created_at, id, event_id, confirmed_at, deleted_at, total_cents, paid_cents, refunded_cents)',
  // Those that ended, and the few with money gone back: nobody walks through all orders to find
  // none of them. Open ones are found by orders_live_hold.
  'CREATE INDEX orders_ended ON orders (created_at) WHERE deleted_at IS NOT NULL',
  'CREATE INDEX orders_given_back ON orders (created_at) WHERE refunded_cents > 0',
  // What the counter gave away: reports name the reasons.
  'CREATE INDEX orders_gifts ON orders (event_id) WHERE gift_reason IS NOT NULL',
  // Who had a seat, on whatever evening.
  'CREATE INDEX order_lines_place ON order_lines (place)',
  // Who says the last letters of a code at the desk.
  'CREATE INDEX tickets_code_end ON tickets (code_end) WHERE code_end IS NOT NULL',
  // Most orders have neither of the two for long: a row that has none is not in the index.
  'CREATE INDEX orders_payment_intent_index ON orders (payment_intent) WHERE payment_intent IS NOT NULL',
  'CREATE INDEX orders_receipt_number_index ON orders (receipt_number) WHERE receipt_number IS NOT NULL',
  // A hold token carries one unpaid order at a time: a second identical call finds the first. Told
  // by columns that change only when it is paid or ends.
  'CREATE UNIQUE INDEX orders_live_hold ON orders (event_id, hold_token) WHERE confirmed_at IS NULL AND deleted_at IS NULL',
  // Whose time to pay is over, and who wait for no person.
  // Its last condition keeps PostgreSQL from walking through it for whoever asks by a hold token.
  'CREATE INDEX orders_due ON orders (pay_by) WHERE confirmed_at IS NULL AND deleted_at IS NULL AND needs_attention IS NULL',
  'CREATE INDEX orders_bought_hold ON orders (event_id, hold_token) WHERE confirmed_at IS NOT NULL',
  // Stripe names the order with its session. For who does not: an open session is that of an open
  // order, and those are few.
  "CREATE INDEX checkout_sessions_over ON checkout_sessions (id) WHERE status <> 'open'",
  // Whoever has lost their links is found by their address, however it was spelled.
  // With the time, or PostgreSQL walks through all orders by time to find the newest of an address.
  'CREATE INDEX orders_buyer_email ON orders (LOWER(buyer_email), created_at) WHERE buyer_email IS NOT NULL',
  'CREATE INDEX orders_part_of ON orders (part_of) WHERE part_of IS NOT NULL',
  'CREATE UNIQUE INDEX order_notes_pinned ON order_notes (order_id) WHERE pinned = 1',
  'CREATE UNIQUE INDEX order_lines_live_place ON order_lines (event_id, place) WHERE released_at IS NULL',
  "CREATE UNIQUE INDEX rehousings_open ON rehousings (event_id) WHERE state NOT IN ('done', 'dropped')",
  "CREATE UNIQUE INDEX tickets_live_place ON tickets (event_id, place) WHERE state = 'valid'",
];

/** The words of orders, kept by the database itself: who writes `search_text` has done all. */
export const searchIndex = {
  postgres: [
    // What is new waits in a list that every search reads through, and that whoever makes it
    // overflow puts in order: with the usual 4 MB both are felt.
    `CREATE INDEX orders_words ON orders USING gin (${searchVector}) WITH (gin_pending_list_limit = 64)`,
    // Sums read the index alone where a page of the table was looked after since; usually that is
    // put off until a fifth of all orders is new.
    'ALTER TABLE orders SET (autovacuum_vacuum_insert_scale_factor = 0.02)',
  ],
  sqlite: [
    `CREATE VIRTUAL TABLE order_words USING fts5(words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0")`,
    // Of an order without a buyer there are only the words of its number, which has indexes of its
    // own: they cost a sale a third of what these do.
    'CREATE INDEX orders_number_end ON orders (substr(number, 6))',
    `CREATE TRIGGER order_words_new AFTER INSERT ON orders WHEN new.search_text <> lower(replace(new.number, '-', '') || ' ' || replace(new.number, '-', ' ')) BEGIN INSERT INTO order_words (rowid, words) VALUES (new.rowid, new.search_text); END`,
    'CREATE TRIGGER order_words_changed AFTER UPDATE OF search_text ON orders WHEN old.search_text <> new.search_text BEGIN INSERT OR REPLACE INTO order_words (rowid, words) VALUES (new.rowid, new.search_text); END',
    'CREATE TRIGGER order_words_gone AFTER DELETE ON orders BEGIN DELETE FROM order_words WHERE rowid = old.rowid; END',
  ],
} as const;
