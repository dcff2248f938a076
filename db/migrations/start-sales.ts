/** Part of the start schema: shows, events with their places, orders with their lines and sessions, and tickets. */
import type { Knex } from 'knex';
import { searchVector } from '#db/dialect.ts';

/** What a show says for all its dates; the row of a date has it, too, with what it has set for itself (RULES E1). */
function shared(t: Knex.CreateTableBuilder): void {
  t.string('title', 200).notNullable();
  t.string('kind', 20).notNullable().defaultTo('other');
  t.text('description').notNullable();
  t.string('venue_title', 200).notNullable();
  t.string('venue_href', 500);
  t.string('event_ball_image', 500);
  t.string('band_ball_image', 500);
  t.text('seat_pricing').notNullable();
  t.integer('max_seats').notNullable();
  // Tickets of one mail address over all its orders; null: as many as one likes. Known only after the payment.
  t.integer('max_per_email');
  t.integer('pay_minutes').notNullable();
  t.string('verify_policy', 10).notNullable();
  t.smallint('reentry').notNullable();
  // A Stripe price added once per paid ticket (diritto di prevendita); null: none.
  t.string('fee_price_id', 100);
  // RULES R1 and R2 as data: days after the purchase, days before the event, what happens to the fees.
  t.integer('refund_days').notNullable().defaultTo(10);
  t.integer('refund_stop_days').notNullable().defaultTo(15);
  t.smallint('refund_keeps_fees').notNullable().defaultTo(1);
  t.smallint('cancel_keeps_fees').notNullable().defaultTo(0);
  t.string('refund_request', 10).notNullable().defaultTo('office');
  t.string('venue_address', 300);
  t.string('banner_image', 500);
  // Sanitised HTML; null: the site's own terms.
  t.text('terms');
  // A name per ticket, asked for after the payment.
  t.smallint('nominative').notNullable().defaultTo(0);
  // Whether another person may take a ticket over, how often, and until how many hours before the start.
  t.smallint('holder_change').notNullable().defaultTo(0);
  t.integer('holder_changes_max').notNullable().defaultTo(1);
  t.integer('holder_change_until_hours').notNullable().defaultTo(24);
}

export const salesTables: Record<string, (t: Knex.CreateTableBuilder) => void> = {
  shows(t) {
    t.string('id', 100).primary();
    shared(t);
    t.integer('version').notNullable().defaultTo(1);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
  },

  events(t) {
    t.string('id', 100).primary();
    shared(t);
    // Null: a rehearsal, which is no date of a show.
    t.string('show_id', 100).references('shows.id').index();
    // Those of the show's fields that this date has set for itself, a list of names.
    t.text('own_fields').notNullable().defaultTo('[]');
    // A copy has the day of its original until it gets its own.
    t.smallint('needs_day').notNullable().defaultTo(0);
    // When it should have begun before it was moved for the last time.
    t.bigInteger('postponed_from');
    t.bigInteger('starts_at').notNullable();
    t.bigInteger('doors_at');
    t.bigInteger('admits_from');
    t.string('status', 20).notNullable();
    t.string('seatsio_event_key', 100).notNullable().unique();
    t.bigInteger('sales_opens_at');
    t.bigInteger('sales_closes_at');
    t.string('code_tag', 4).notNullable().unique();
    // Sealed it is longer.
    t.string('code_secret', 160).notNullable();
    t.string('code_salt', 64).notNullable();
    // The door's sequence: taking the next number locks this row, so numbers become visible in the order in which they were taken.
    t.bigInteger('feed_seq').notNullable();
    t.string('feed_epoch', 32).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('cancelled_at');
    t.bigInteger('ends_at');
    // Of the seat map; null where only the event at the seat map is known.
    t.string('chart_key', 100);
    // Counted up by every save: the office's form is told when somebody else was faster, and caches when they are old.
    t.integer('version').notNullable().defaultTo(1);
    t.bigInteger('updated_at').notNullable().defaultTo(0);
    t.bigInteger('admits_until');
    t.integer('rehearsal').notNullable().defaultTo(0);
  },

  places(t) {
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('place', 200).notNullable();
    t.string('object_label', 200).notNullable();
    t.string('kind', 10).notNullable();
    t.string('category', 100).notNullable();
    t.string('category_key', 100).notNullable();
    t.string('section', 100);
    t.string('row', 100);
    t.string('seat', 100).notNullable();
    t.integer('position').notNullable();
    t.integer('issued').notNullable();
    t.bigInteger('feed_seq').notNullable();
    // By which door or stairs it is reached, and what a buyer must know of it.
    t.string('entrance', 100);
    t.integer('restricted_view').notNullable().defaultTo(0);
    t.integer('accessible').notNullable().defaultTo(0);
    t.integer('companion').notNullable().defaultTo(0);
    t.primary(['event_id', 'place']);
    t.index(['event_id', 'feed_seq']);
    t.index(['event_id', 'object_label', 'position']);
  },

  /** Seats that the house keeps back: one row per act, one per seat of it. */
  blocks(t) {
    t.string('id', 40).primary();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('reason', 100).notNullable();
    t.string('color', 10).notNullable();
    t.bigInteger('release_at');
    t.string('actor', 100).notNullable();
    t.bigInteger('created_at').notNullable();
    t.index(['event_id', 'created_at']);
  },

  blocked_places(t) {
    t.string('event_id', 100).notNullable();
    t.string('place', 200).notNullable();
    t.string('block_id', 40).notNullable().references('blocks.id');
    t.string('state', 10).notNullable();
    t.primary(['event_id', 'place']);
    t.index(['block_id', 'state']);
  },

  /** Places of a standing area that a block keeps back: by number, they have no names. */
  blocked_areas(t) {
    t.string('block_id', 40).primary().references('blocks.id');
    t.string('event_id', 100).notNullable();
    t.string('object', 200).notNullable();
    t.integer('places').notNullable();
    t.string('state', 10).notNullable();
    t.index(['event_id', 'object']);
  },

  /** Seats kept for one way of selling: behind a code, or at the counter only. */
  contingents(t) {
    t.string('id', 40).primary();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('name', 60).notNullable();
    t.string('color', 10).notNullable();
    t.string('sale', 10).notNullable();
    t.string('code', 30);
    // Whoever knows it can hold its seats at the seat map.
    t.string('channel_key', 64).notNullable();
    t.bigInteger('release_at');
    t.string('state', 10).notNullable();
    t.bigInteger('changed_at').notNullable();
    t.bigInteger('released_at');
    // Counts the changes of its seats: whoever tells the seat map sees whether there was another one meanwhile.
    t.integer('edits').notNullable().defaultTo(0);
    t.string('actor', 100).notNullable();
    t.bigInteger('created_at').notNullable();
    t.unique(['event_id', 'code']);
    t.index(['event_id', 'created_at']);
  },

  contingent_places(t) {
    t.string('contingent_id', 40).notNullable().references('contingents.id');
    t.string('event_id', 100).notNullable();
    t.string('place', 200).notNullable();
    // The place again while it is kept, null once everybody may buy it: so a seat is in one contingent at most.
    t.string('kept_place', 200);
    // placing: the seat map is being asked for it; live: it belongs to the contingent.
    t.string('state', 10).notNullable().defaultTo('live');
    t.primary(['contingent_id', 'place']);
    t.unique(['event_id', 'kept_place']);
  },

  /** Places of standing areas that a contingent keeps: by number, they have no names. */
  contingent_areas(t) {
    t.string('contingent_id', 40).notNullable().references('contingents.id');
    t.string('event_id', 100).notNullable();
    t.string('object', 200).notNullable();
    t.integer('places').notNullable();
    // How many there were, while the seat map is being asked for more.
    t.integer('places_before');
    t.primary(['contingent_id', 'object']);
    t.index(['event_id', 'object']);
  },

  orders(t) {
    t.string('id', 40).primary();
    t.string('number', 9).notNullable().unique();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('state', 20).notNullable();
    t.string('hold_token', 200).notNullable();
    t.text('selection').notNullable();
    t.integer('total_cents').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('pay_by').notNullable();
    // Who works on the order now, and until when at the longest: outside calls for one order never overlap.
    t.string('lease', 40);
    t.bigInteger('lease_until');
    t.bigInteger('confirmed_at');
    t.bigInteger('deleted_at');
    t.text('stripe_params');
    t.string('idempotency_key', 100).notNullable();
    t.string('session_id', 100);
    t.string('session_status', 20);
    t.text('checkout_url');
    t.string('payment_intent', 100);
    t.string('receipt_number', 40);
    t.string('buyer_name', 200);
    t.string('buyer_email', 254);
    t.string('buyer_phone', 40);
    // A second person to reach: name and telephone, as the office wrote them.
    t.string('buyer_contact', 200);
    // Seats added to an order are an order of their own that names the first one.
    t.string('part_of', 40).references('orders.id');
    t.string('needs_attention', 200);
    // Number, name and mail in the one spelling that searches compare.
    t.text('search_text').notNullable();
    t.integer('attempt').notNullable().defaultTo(1);
    t.string('paid_by', 10);
    t.string('end_reason', 30);
    t.integer('fee_cents').notNullable().defaultTo(0);
    t.integer('paid_cents').notNullable().defaultTo(0);
    // Refunds that Stripe has or may still pay out: what is left of paid_cents is what may yet be given back.
    t.integer('refunded_cents').notNullable().defaultTo(0);
    t.bigInteger('buyer_forgotten_at');
    // Where it was sold; the others of sales at the counter only.
    t.string('channel', 10).notNullable().defaultTo('web');
    // The contingent whose code the visitor gave.
    t.string('contingent_id', 40);
    t.string('sale_key', 64);
    t.string('shift_id', 40).references('shifts.id');
    // Why it costs nothing; null: it was no gift of the counter.
    t.string('gift_reason', 500);
    t.index(['event_id', 'created_at']);
    t.index(['event_id', 'hold_token']);
  },

  /** What the office wrote down about an order, for itself only. */
  order_notes(t) {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.text('text').notNullable();
    t.string('author_id', 40).notNullable();
    t.bigInteger('created_at').notNullable();
    // One of an order at most.
    t.smallint('pinned').notNullable().defaultTo(0);
  },

  order_lines(t) {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id');
    t.string('event_id', 100).notNullable();
    t.string('place', 200).notNullable();
    t.string('object_label', 200).notNullable();
    t.string('category', 100).notNullable();
    t.string('ticket_type', 100).notNullable();
    t.string('type_label', 100).notNullable();
    t.string('price_id', 100).notNullable();
    t.integer('price_cents').notNullable();
    t.integer('position').notNullable();
    t.bigInteger('released_at');
    t.integer('fee_cents').notNullable().defaultTo(0);
    t.foreign(['event_id', 'place']).references(['event_id', 'place']).inTable('places');
    t.index(['order_id']);
  },

  /** Every session that was ever opened for an order: one open at most, none is forgotten. */
  checkout_sessions(t) {
    t.string('id', 100).primary();
    t.string('order_id', 40).notNullable().references('orders.id');
    t.integer('attempt').notNullable();
    t.string('status', 20).notNullable();
    t.string('payment_status', 30).notNullable();
    t.integer('amount_total').notNullable();
    t.string('payment_intent', 100);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable();
    t.bigInteger('paid_at');
    t.index(['order_id']);
  },

  tickets(t) {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id');
    t.string('event_id', 100).notNullable();
    t.string('place', 200).notNullable();
    t.integer('revision').notNullable();
    t.string('state', 20).notNullable();
    t.string('ticket_type', 100).notNullable();
    t.string('type_label', 100).notNullable();
    t.integer('price_cents').notNullable();
    // The last four of the 31 letters of its code: whoever says them is found.
    t.string('code_end', 4);
    // Paid at a Stripe whose money is not real.
    t.integer('test_money').notNullable().defaultTo(0);
    t.string('holder', 200);
    t.bigInteger('issued_at').notNullable();
    t.bigInteger('ended_at');
    // The revision that was put on paper last.
    t.integer('printed_revision');
    t.integer('holder_changes').notNullable().defaultTo(0);
    // Where the holder got their ticket, so that they hear when it is no longer theirs.
    t.string('holder_email', 254);
    t.unique(['order_id', 'place']);
    t.unique(['event_id', 'place', 'revision']);
    t.foreign(['event_id', 'place']).references(['event_id', 'place']).inTable('places');
  },

  /** Tickets that changed their seats: one row per act, one per ticket of it. */
  moves(t) {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('state', 10).notNullable();
    t.string('actor', 100).notNullable();
    t.string('keep_reason', 100);
    // Above zero: the buyer owed it.
    t.integer('difference_cents').notNullable();
    t.string('difference_end', 10).notNullable();
    t.string('refund_id', 40);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('moved_at');
  },

  moved_tickets(t) {
    t.string('move_id', 40).notNullable().references('moves.id');
    t.string('ticket_id', 40).notNullable().references('tickets.id').index();
    t.string('event_id', 100).notNullable();
    t.integer('position').notNullable();
    t.string('from_place', 200).notNullable();
    t.string('from_object', 200).notNullable();
    t.integer('from_revision').notNullable();
    t.string('to_object', 200).notNullable();
    t.string('to_place', 200);
    t.integer('to_revision');
    t.primary(['move_id', 'ticket_id']);
    t.index(['event_id', 'from_place']);
  },

  /** Prices that the office has typed: each is made at Stripe with a product of its own, and archived when nothing sells it any more. */
  made_prices(t) {
    t.string('id', 40).primary();
    t.string('name', 300).notNullable();
    t.integer('unit_amount').notNullable();
    // making, live, retiring or archived.
    t.string('state', 10).notNullable();
    // Stripe's; null until it has answered.
    t.string('price_id', 100).unique();
    t.string('actor', 100).notNullable();
    t.bigInteger('created_at').notNullable();
  },

  /** Each time that a sold date moved to another day, with the question to its buyers. */
  postponements(t) {
    t.string('id', 40).primary();
    t.string('event_id', 100).notNullable().references('events.id').index();
    t.bigInteger('from_starts_at').notNullable();
    t.bigInteger('to_starts_at').notNullable();
    t.bigInteger('answer_by').notNullable();
    // What becomes of whoever says nothing: keep or refund.
    t.string('if_silent', 10).notNullable();
    t.string('reason', 500);
    t.string('actor', 100).notNullable();
    t.bigInteger('created_at').notNullable();
    // The deadline's rule was applied, or the date has moved again.
    t.bigInteger('closed_at');
  },

  postponement_answers(t) {
    t.string('postponement_id', 40).notNullable().references('postponements.id');
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.string('answer', 10).notNullable();
    t.string('answered_by', 10).notNullable();
    t.bigInteger('answered_at').notNullable();
    t.primary(['postponement_id', 'order_id']);
  },
};

export const salesIndexes = [
  // What waits for a person is asked for every few seconds, and is next to nothing.
  'CREATE INDEX orders_attention ON orders (created_at) WHERE needs_attention IS NOT NULL',
  // Lists by time; their filters and sums read nothing but this.
  'CREATE INDEX orders_by_time ON orders (created_at, id, state, event_id, total_cents, paid_cents, refunded_cents, session_status)',
  // The few that are not confirmed, and the few with money gone back: nobody walks through all orders to find none of them.
  "CREATE INDEX orders_unfinished ON orders (state, created_at) WHERE state <> 'confirmed'",
  'CREATE INDEX orders_given_back ON orders (created_at) WHERE refunded_cents > 0',
  // Whether a price was ever sold.
  'CREATE INDEX order_lines_price ON order_lines (price_id)',
  // Who had a seat, on whatever evening.
  'CREATE INDEX order_lines_place ON order_lines (place)',
  // Who says the last letters of a code at the desk.
  'CREATE INDEX tickets_code_end ON tickets (code_end) WHERE code_end IS NOT NULL',
  // Most orders have neither of the two for long: a row that has none is not in the index.
  'CREATE INDEX orders_payment_intent_index ON orders (payment_intent) WHERE payment_intent IS NOT NULL',
  'CREATE INDEX orders_receipt_number_index ON orders (receipt_number) WHERE receipt_number IS NOT NULL',
  // A hold token carries one unpaid order at a time: a second identical call finds the first.
  "CREATE UNIQUE INDEX orders_live_hold ON orders (event_id, hold_token) WHERE state IN ('booking', 'awaiting_payment')",
  // Whoever has lost their links is found by their address, however it was spelled.
  // With the time, or PostgreSQL walks through all orders by time to find the newest of an address.
  'CREATE INDEX orders_buyer_email ON orders (LOWER(buyer_email), created_at) WHERE buyer_email IS NOT NULL',
  'CREATE INDEX orders_part_of ON orders (part_of) WHERE part_of IS NOT NULL',
  'CREATE UNIQUE INDEX order_notes_pinned ON order_notes (order_id) WHERE pinned = 1',
  'CREATE UNIQUE INDEX order_lines_live_place ON order_lines (event_id, place) WHERE released_at IS NULL',
  "CREATE UNIQUE INDEX tickets_live_place ON tickets (event_id, place) WHERE state = 'valid'",
];

/** The words of orders, kept by the database itself: who writes `search_text` has done all. */
export const searchIndex = {
  postgres: [`CREATE INDEX orders_words ON orders USING gin (${searchVector})`],
  sqlite: [
    `CREATE VIRTUAL TABLE order_words USING fts5(words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0")`,
    'CREATE TRIGGER order_words_new AFTER INSERT ON orders BEGIN INSERT INTO order_words (rowid, words) VALUES (new.rowid, new.search_text); END',
    'CREATE TRIGGER order_words_changed AFTER UPDATE OF search_text ON orders WHEN old.search_text <> new.search_text BEGIN INSERT OR REPLACE INTO order_words (rowid, words) VALUES (new.rowid, new.search_text); END',
    'CREATE TRIGGER order_words_gone AFTER DELETE ON orders BEGIN DELETE FROM order_words WHERE rowid = old.rowid; END',
  ],
} as const;
