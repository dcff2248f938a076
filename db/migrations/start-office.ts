/** Part of the start schema: waiting work, mails, pictures and counters. */
import type { Knex } from 'knex';

export const officeTables: Record<string, (t: Knex.CreateTableBuilder) => void> = {
  outbox(t) {
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
  },

  webhook_events(t) {
    t.string('id', 100).primary();
    t.string('type', 100).notNullable();
    t.bigInteger('received_at').notNullable().index();
    // What it made us do, and of which order.
    t.string('outcome', 10).notNullable();
    t.string('order_id', 40);
    // How often it was delivered: a repeat changes nothing else.
    t.integer('tries').notNullable().defaultTo(1);
  },

  audit(t) {
    t.string('id', 40).primary();
    t.bigInteger('at').notNullable();
    t.string('actor', 100).notNullable();
    t.string('action', 60).notNullable();
    t.string('subject', 100).notNullable().index();
    t.text('detail');
    // The seal that this entry is under; null: not yet under any.
    t.integer('seal');
    // What the seal holds of a buyer's own data in the detail: its hash, and the salt that goes when the buyer is erased.
    t.string('personal_hash', 64);
    t.string('personal_salt', 32);
    t.index(['at', 'id']);
  },

  /** One row per batch of sealed entries: a hash over all of them and over the seal before. */
  audit_seals(t) {
    t.integer('n').primary();
    t.bigInteger('sealed_at').notNullable();
    t.integer('entries').notNullable();
    t.string('before', 64).notNullable();
    t.string('hash', 64).notNullable();
  },

  settings(t) {
    t.string('key', 60).primary();
    t.text('value').notNullable();
  },

  mails(t) {
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
    t.bigInteger('forgotten_at');
    t.unique(['order_id', 'kind', 'key']);
    t.index(['state']);
  },

  /** What was sent to many buyers at once: words of the office, or their tickets again. */
  messages(t) {
    t.string('id', 40).primary();
    // The client's own key: a click that is heard twice is one.
    t.string('ask_key', 40).notNullable().unique();
    t.string('act', 10).notNullable();
    // Null: it is about several events.
    t.string('event_id', 100).references('events.id');
    t.string('subject', 150);
    t.text('body');
    t.integer('orders').notNullable();
    t.integer('left_out').notNullable();
    t.string('actor', 100).notNullable();
    t.bigInteger('created_at').notNullable().index();
    t.bigInteger('begins_at').notNullable();
    t.bigInteger('begun_at');
    t.bigInteger('withdrawn_at');
    t.bigInteger('stopped_at');
    t.bigInteger('finished_at');
  },

  /** Every order that a message speaks of; the mail is kept with the first of each address. No address stands here. */
  message_orders(t) {
    t.string('message_id', 40).notNullable().references('messages.id');
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.string('lead_order_id', 40).notNullable();
    t.integer('position').notNullable();
    t.string('mail_id', 40);
    t.primary(['message_id', 'order_id']);
  },

  /** Who waits for a sale to open: a row is gone once its mail is stored, or nobody said yes in time. */
  reminders(t) {
    t.string('id', 40).primary();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('email', 254).notNullable();
    t.string('email_hash', 64).notNullable();
    t.string('token_hash', 64).notNullable().unique();
    t.bigInteger('asked_at').notNullable();
    t.bigInteger('confirmed_at');
    t.unique(['event_id', 'email_hash']);
  },

  /** In the database, because several processes may serve them. */
  images(t) {
    t.string('id', 40).primary();
    t.string('content_hash', 64).notNullable().unique();
    t.string('shape', 10).notNullable();
    t.integer('width').notNullable();
    t.integer('height').notNullable();
    t.bigInteger('created_at').notNullable();
  },

  image_files(t) {
    t.string('image_id', 40).notNullable().references('images.id');
    t.integer('width').notNullable();
    t.string('format', 5).notNullable();
    t.binary('content').notNullable();
    t.primary(['image_id', 'width', 'format']);
  },

  /** First-party counters: a day, a name, a page's kind and a step of a scale; nothing of any person. */
  visit_counts(t) {
    t.string('day', 10).notNullable();
    t.string('name', 64).notNullable();
    t.string('page', 40).notNullable();
    t.string('step', 20).notNullable();
    t.integer('n').notNullable();
    t.primary(['day', 'name', 'page', 'step']);
  },

  /** In the database, because several processes may be asked in turn. */
  hold_prolongations(t) {
    t.string('hold_token', 200).primary();
    t.integer('times').notNullable();
    t.bigInteger('last_at').notNullable().index();
  },
};

/** Only entries under a seal stand in these: whoever writes an entry never waits for them, the job that seals it does. */
export const officeIndexes = [
  'CREATE INDEX audit_seal ON audit (seal) WHERE seal IS NOT NULL',
  'CREATE INDEX audit_action ON audit (action, at, id) WHERE seal IS NOT NULL',
  'CREATE INDEX audit_actor ON audit (actor, at, id) WHERE seal IS NOT NULL',
];
