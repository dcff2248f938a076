/** Money: every session, payment, refund and dispute of an order, the policy of its event, mails, and what the nightly comparison found. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('events', (t) => {
    // A Stripe price added once per paid ticket (diritto di prevendita); null: none.
    t.string('fee_price_id', 100);
    // The specification's §9 as data: days after the purchase, days before the event, what happens to the fees.
    t.integer('refund_days').notNullable().defaultTo(10);
    t.integer('refund_stop_days').notNullable().defaultTo(15);
    t.smallint('refund_keeps_fees').notNullable().defaultTo(1);
    t.smallint('cancel_keeps_fees').notNullable().defaultTo(0);
    t.string('refund_request', 10).notNullable().defaultTo('office');
    t.bigInteger('cancelled_at');
  });
  await knex.schema.alterTable('orders', (t) => {
    t.integer('attempt').notNullable().defaultTo(1);
    t.string('paid_by', 10);
    t.string('end_reason', 30);
    t.integer('fee_cents').notNullable().defaultTo(0);
    t.integer('paid_cents').notNullable().defaultTo(0);
    // Refunds that Stripe has or may still pay out: what is left of paid_cents is what may yet be given back.
    t.integer('refunded_cents').notNullable().defaultTo(0);
    // The sessions' own table is the judge from now on, and most orders have neither of the other two for long: an index that is not written is the fastest.
    t.dropUnique(['session_id']);
    t.dropIndex(['receipt_number']);
  });
  for (const column of paidColumns)
    await knex.raw('CREATE INDEX ?? ON orders (??) WHERE ?? IS NOT NULL', [
      `orders_${column}_index`,
      column,
      column,
    ]);
  await knex.schema.alterTable('order_lines', (t) => {
    t.integer('fee_cents').notNullable().defaultTo(0);
  });
  await knex.schema.alterTable('tickets', (t) => {
    t.bigInteger('ended_at');
  });

  // Every session that was ever opened for an order: one open at most, none is forgotten.
  await knex.schema.createTable('checkout_sessions', (t) => {
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
  });
  await knex.schema.createTable('payments', (t) => {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.string('kind', 10).notNullable();
    t.string('method', 30);
    t.string('payment_intent', 100).unique();
    t.string('charge_id', 100).unique();
    t.integer('amount_cents').notNullable();
    t.integer('stripe_fee_cents');
    t.string('receipt_number', 40);
    t.text('receipt_url');
    t.string('note', 500);
    t.string('actor', 100).notNullable();
    t.smallint('disputed').notNullable();
    t.bigInteger('paid_at').notNullable();
  });
  await knex.schema.createTable('refund_runs', (t) => {
    t.string('id', 40).primary();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('actor', 100).notNullable();
    t.string('reason', 500);
    t.smallint('with_fees').notNullable();
    t.integer('orders').notNullable();
    t.integer('sum_cents').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('finished_at');
  });
  await knex.schema.createTable('refunds', (t) => {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.string('state', 20).notNullable();
    t.string('origin', 20).notNullable();
    t.string('kind', 10).notNullable();
    t.integer('amount_cents').notNullable();
    // The part of the amount that is fees.
    t.integer('fee_cents').notNullable();
    t.smallint('voids_tickets').notNullable();
    t.smallint('frees_seats').notNullable();
    t.string('payment_intent', 100);
    t.string('stripe_refund_id', 100).unique();
    t.string('idempotency_key', 100).notNullable().unique();
    t.string('reason', 500);
    t.string('actor', 100).notNullable();
    t.string('failure', 200);
    t.string('receipt_number', 40);
    t.string('run_id', 40).references('refund_runs.id').index();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('decided_at');
    t.bigInteger('settled_at');
    t.index(['state']);
  });
  // People type receipt numbers without the dash: they are compared without it (db/receipts.ts).
  for (const table of ['payments', 'refunds'])
    await knex.raw(
      `CREATE INDEX ${table}_receipt ON ${table} (UPPER(REPLACE(REPLACE(receipt_number, '-', ''), ' ', '')))`,
    );
  await knex.schema.createTable('refund_lines', (t) => {
    t.string('refund_id', 40).notNullable().references('refunds.id');
    t.string('order_id', 40).notNullable();
    t.string('line_id', 40).notNullable().references('order_lines.id');
    t.integer('price_cents').notNullable();
    t.integer('fee_cents').notNullable();
    // 0 once its refund was refused, failed or cancelled.
    t.smallint('live').notNullable();
    t.primary(['refund_id', 'line_id']);
    t.index(['order_id']);
  });
  // The index is the judge: no line is refunded twice.
  await knex.raw('CREATE UNIQUE INDEX refund_lines_once ON refund_lines (line_id) WHERE live = 1');
  await knex.schema.createTable('disputes', (t) => {
    t.string('id', 100).primary();
    t.string('order_id', 40).references('orders.id').index();
    t.string('payment_intent', 100);
    t.string('charge_id', 100).notNullable();
    t.integer('amount_cents').notNullable();
    t.string('reason', 60).notNullable();
    t.string('status', 40).notNullable();
    t.bigInteger('due_by');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
    t.bigInteger('closed_at');
  });
  // Where a provider's books and ours disagree; a person settles it, or it is gone at the next comparison.
  await knex.schema.createTable('breaks', (t) => {
    t.string('id', 40).primary();
    t.string('kind', 40).notNullable();
    // An id, a place's label, or both.
    t.string('subject', 300).notNullable();
    t.string('event_id', 100);
    t.string('order_id', 40);
    t.text('detail').notNullable();
    t.bigInteger('found_at').notNullable();
    t.bigInteger('seen_at').notNullable();
    t.bigInteger('settled_at');
    t.string('settled_by', 100);
    t.string('settlement', 40);
    t.string('note', 500);
    t.index(['order_id']);
  });
  await knex.raw(
    'CREATE UNIQUE INDEX breaks_open ON breaks (kind, subject) WHERE settled_at IS NULL',
  );
  await knex.schema.createTable('mails', (t) => {
    t.string('id', 40).primary();
    t.string('order_id', 40).references('orders.id');
    t.string('event_id', 100);
    t.string('kind', 30).notNullable();
    // What makes it one mail and not two: '' for the only one of its kind, else for example the refund's id.
    t.string('key', 100).notNullable();
    t.string('message_id', 250).notNullable().unique();
    t.string('state', 10).notNullable();
    t.integer('attempts').notNullable();
    t.bigInteger('created_at').notNullable().index();
    // Written when it is composed: what was sent is what is shown.
    t.string('to_address', 254);
    t.string('subject', 300);
    t.text('text');
    t.text('html');
    t.text('attachments');
    t.bigInteger('sent_at');
    t.text('last_error');
    t.unique(['order_id', 'kind', 'key']);
    t.index(['state']);
  });
  await knex.schema.createTable('invariants', (t) => {
    t.string('name', 40).primary();
    t.bigInteger('checked_at').notNullable();
    t.integer('violations').notNullable();
    t.text('sample').notNullable();
    t.bigInteger('broken_since');
  });
  await takeOver(knex);
}

/** Orders that were paid before this schema: what they say of their session and payment becomes rows, as if they were paid today. */
async function takeOver(knex: Knex): Promise<void> {
  await knex.raw(
    "UPDATE orders SET paid_by = CASE WHEN total_cents = 0 THEN 'free' ELSE 'stripe' END, paid_cents = total_cents WHERE state = 'confirmed'",
  );
  await knex.raw(`INSERT INTO checkout_sessions (id, order_id, attempt, status, payment_status, amount_total, payment_intent, created_at, expires_at, paid_at)
    SELECT session_id, id, 1, COALESCE(session_status, 'open'), CASE WHEN state = 'confirmed' THEN 'paid' ELSE 'unpaid' END, total_cents, payment_intent, created_at, created_at + 2100000, confirmed_at
    FROM orders WHERE session_id IS NOT NULL`);
  await knex.raw(`INSERT INTO payments (id, order_id, kind, payment_intent, amount_cents, receipt_number, actor, disputed, paid_at)
    SELECT id, id, 'stripe', payment_intent, total_cents, receipt_number, 'stripe', 0, confirmed_at FROM orders WHERE state = 'confirmed' AND payment_intent IS NOT NULL`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'invariants',
    'mails',
    'breaks',
    'disputes',
    'refund_lines',
    'refunds',
    'refund_runs',
    'payments',
    'checkout_sessions',
  ])
    await knex.schema.dropTable(table);
  for (const column of paidColumns)
    await knex.schema.alterTable('orders', (t) => {
      t.dropIndex([column]);
    });
  await knex.schema.alterTable('orders', (t) => {
    t.unique(['session_id']);
    t.index(['receipt_number']);
  });
  // Written out: Knex would build the whole table anew on SQLite.
  for (const [table, columns] of Object.entries(added))
    for (const column of columns) await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [table, column]);
}

const paidColumns = ['payment_intent', 'receipt_number'];
const added = {
  tickets: ['ended_at'],
  order_lines: ['fee_cents'],
  orders: ['attempt', 'paid_by', 'end_reason', 'fee_cents', 'paid_cents', 'refunded_cents'],
  events: [
    'fee_price_id',
    'refund_days',
    'refund_stop_days',
    'refund_keeps_fees',
    'cancel_keeps_fees',
    'refund_request',
    'cancelled_at',
  ],
};
