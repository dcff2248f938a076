/** The first schema: events and their places, orders, tickets, the door, people, and the work that waits. */
import type { Knex } from 'knex';

/** Times are integer milliseconds, money integer cents, truths 0 or 1, structures JSON text: the same in both databases. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('events', (t) => {
    t.string('id', 100).primary();
    t.string('title', 200).notNullable();
    t.bigInteger('starts_at').notNullable();
    t.bigInteger('doors_at');
    t.bigInteger('admits_from');
    t.string('status', 20).notNullable();
    t.text('description').notNullable();
    t.string('venue_title', 200).notNullable();
    t.string('venue_href', 500);
    t.string('event_ball_image', 500);
    t.string('band_ball_image', 500);
    t.string('seatsio_event_key', 100).notNullable().unique();
    t.text('seat_pricing').notNullable();
    t.bigInteger('sales_opens_at');
    t.bigInteger('sales_closes_at');
    t.integer('max_seats').notNullable();
    t.integer('pay_minutes').notNullable();
    t.string('code_tag', 4).notNullable().unique();
    t.string('code_secret', 64).notNullable();
    t.string('code_salt', 64).notNullable();
    t.string('verify_policy', 10).notNullable();
    t.smallint('reentry').notNullable();
    // The door's sequence: taking the next number locks this row, so numbers become visible in the order in which they were taken.
    t.bigInteger('feed_seq').notNullable();
    t.string('feed_epoch', 32).notNullable();
    t.bigInteger('created_at').notNullable();
  });

  await knex.schema.createTable('places', (t) => {
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
    t.primary(['event_id', 'place']);
    t.index(['event_id', 'feed_seq']);
    t.index(['event_id', 'object_label', 'position']);
  });

  await knex.schema.createTable('orders', (t) => {
    t.string('id', 40).primary();
    t.string('number', 9).notNullable().unique();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('state', 20).notNullable();
    t.string('hold_token', 200).notNullable();
    t.text('selection').notNullable();
    t.integer('total_cents').notNullable();
    t.bigInteger('created_at').notNullable().index();
    t.bigInteger('pay_by').notNullable();
    // Who works on the order now, and until when at the longest: outside calls for one order never overlap.
    t.string('lease', 40);
    t.bigInteger('lease_until');
    t.bigInteger('confirmed_at');
    t.bigInteger('deleted_at');
    t.text('stripe_params');
    t.string('idempotency_key', 100).notNullable();
    t.string('session_id', 100).unique();
    t.string('session_status', 20);
    t.text('checkout_url');
    t.string('payment_intent', 100);
    t.string('receipt_number', 40).index();
    t.string('buyer_name', 200);
    t.string('buyer_email', 254);
    t.string('buyer_phone', 40);
    t.string('needs_attention', 200);
    // Number, name and mail in the one spelling that searches compare.
    t.text('search_text').notNullable();
    t.index(['event_id', 'created_at']);
    t.index(['event_id', 'hold_token']);
  });
  // A hold token carries one unpaid order at a time: a second identical call finds the first.
  await knex.raw(
    "CREATE UNIQUE INDEX orders_live_hold ON orders (event_id, hold_token) WHERE state IN ('booking', 'awaiting_payment')",
  );

  await knex.schema.createTable('order_lines', (t) => {
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
    t.foreign(['event_id', 'place']).references(['event_id', 'place']).inTable('places');
    t.index(['order_id']);
  });
  await knex.raw(
    'CREATE UNIQUE INDEX order_lines_live_place ON order_lines (event_id, place) WHERE released_at IS NULL',
  );

  await knex.schema.createTable('tickets', (t) => {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id');
    t.string('event_id', 100).notNullable();
    t.string('place', 200).notNullable();
    t.integer('revision').notNullable();
    t.string('state', 20).notNullable();
    t.string('ticket_type', 100).notNullable();
    t.string('type_label', 100).notNullable();
    t.integer('price_cents').notNullable();
    t.string('holder', 200);
    t.bigInteger('issued_at').notNullable();
    t.unique(['order_id', 'place']);
    t.unique(['event_id', 'place', 'revision']);
    t.foreign(['event_id', 'place']).references(['event_id', 'place']).inTable('places');
  });
  await knex.raw(
    "CREATE UNIQUE INDEX tickets_live_place ON tickets (event_id, place) WHERE state = 'valid'",
  );

  await knex.schema.createTable('phones', (t) => {
    t.string('id', 40).primary();
    t.string('name', 60).notNullable();
    t.string('gate', 60);
    t.string('pairing_hash', 64).unique();
    t.bigInteger('pairing_expires_at');
    t.string('token_hash', 64).unique();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('paired_at');
    t.bigInteger('last_seen_at');
    t.bigInteger('revoked_at');
    t.bigInteger('told_revoked_at');
    t.integer('queue_length');
    t.bigInteger('clock_offset_ms');
    t.float('battery');
    t.string('app_version', 40);
  });
  await knex.schema.createTable('phone_events', (t) => {
    t.string('phone_id', 40).notNullable().references('phones.id').onDelete('CASCADE');
    t.string('event_id', 100).notNullable().references('events.id');
    t.primary(['phone_id', 'event_id']);
  });

  await knex.schema.createTable('admissions', (t) => {
    t.string('id', 64).primary();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('place', 200);
    t.integer('revision');
    t.string('ticket_id', 40);
    t.string('phone_id', 40).references('phones.id');
    t.string('user_id', 40);
    t.bigInteger('seq');
    t.string('direction', 5).notNullable();
    t.string('verdict', 20).notNullable();
    t.smallint('counts').notNullable();
    t.string('override', 200);
    t.string('read', 200);
    t.string('gate', 100);
    t.smallint('offline').notNullable();
    t.bigInteger('scanned_at').notNullable();
    t.bigInteger('corrected_at').notNullable();
    t.bigInteger('received_at').notNullable();
    t.string('conflict_with', 64);
    t.bigInteger('feed_seq');
    // A repeated number of one phone is kept without the number: the scan is a fact all the same.
    t.unique(['phone_id', 'seq']);
    t.index(['event_id', 'feed_seq']);
    t.index(['event_id', 'place']);
    t.index(['received_at']);
  });

  await knex.schema.createTable('users', (t) => {
    t.string('id', 40).primary();
    t.string('email', 254).notNullable().unique();
    t.string('name', 100).notNullable();
    t.string('role', 10).notNullable();
    t.text('password_hash').notNullable();
    t.bigInteger('created_at').notNullable();
  });
  await knex.schema.createTable('sessions', (t) => {
    t.string('token_hash', 64).primary();
    t.string('user_id', 40).notNullable().references('users.id').onDelete('CASCADE');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_seen_at').notNullable();
  });
  await knex.schema.createTable('invites', (t) => {
    t.string('token_hash', 64).primary();
    t.string('role', 10).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable();
  });

  await knex.schema.createTable('outbox', (t) => {
    t.string('id', 40).primary();
    t.string('task', 40).notNullable();
    t.string('subject', 100).notNullable();
    t.bigInteger('run_at').notNullable().index();
    t.integer('attempts').notNullable();
    t.bigInteger('locked_until');
    // Rung again while it ran: it must run once more.
    t.integer('bell').notNullable();
    t.text('last_error');
    t.unique(['task', 'subject']);
  });
  await knex.schema.createTable('webhook_events', (t) => {
    t.string('id', 100).primary();
    t.string('type', 100).notNullable();
    t.bigInteger('received_at').notNullable();
  });
  await knex.schema.createTable('audit', (t) => {
    t.string('id', 40).primary();
    t.bigInteger('at').notNullable();
    t.string('actor', 100).notNullable();
    t.string('action', 60).notNullable();
    t.string('subject', 100).notNullable().index();
    t.text('detail');
  });
  await knex.schema.createTable('settings', (t) => {
    t.string('key', 60).primary();
    t.text('value').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'settings',
    'audit',
    'webhook_events',
    'outbox',
    'invites',
    'sessions',
    'users',
    'admissions',
    'phone_events',
    'phones',
    'tickets',
    'order_lines',
    'orders',
    'places',
    'events',
  ])
    await knex.schema.dropTable(table);
}
