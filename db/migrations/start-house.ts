/** Part of the start schema: people of the office, waiting work, mails, pictures and counters. */
import type { Knex } from 'knex';

export async function createHouse(knex: Knex): Promise<void> {
  await createUsers(knex);
  await createSessions(knex);
  await createInvites(knex);
  await createOutbox(knex);
  await createWebhookEvents(knex);
  await createAudit(knex);
  await createSettings(knex);
  await createMails(knex);
  await createImages(knex);
  await createImageFiles(knex);
  await createVisitCounts(knex);
  await createHoldProlongations(knex);
}

export const houseTables = [
  'users',
  'sessions',
  'invites',
  'outbox',
  'webhook_events',
  'audit',
  'settings',
  'mails',
  'images',
  'image_files',
  'visit_counts',
  'hold_prolongations',
] as const;

async function createUsers(knex: Knex): Promise<void> {
  await knex.schema.createTable('users', (t) => {
    t.string('id', 40).primary();
    t.string('email', 254).notNullable().unique();
    t.string('name', 100).notNullable();
    t.string('role', 10).notNullable();
    t.text('password_hash').notNullable();
    t.bigInteger('created_at').notNullable();
  });
}

async function createSessions(knex: Knex): Promise<void> {
  await knex.schema.createTable('sessions', (t) => {
    t.string('token_hash', 64).primary();
    t.string('user_id', 40).notNullable().references('users.id').onDelete('CASCADE');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_seen_at').notNullable();
  });
}

async function createInvites(knex: Knex): Promise<void> {
  await knex.schema.createTable('invites', (t) => {
    t.string('token_hash', 64).primary();
    t.string('role', 10).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable();
  });
}

async function createOutbox(knex: Knex): Promise<void> {
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
}

async function createWebhookEvents(knex: Knex): Promise<void> {
  await knex.schema.createTable('webhook_events', (t) => {
    t.string('id', 100).primary();
    t.string('type', 100).notNullable();
    t.bigInteger('received_at').notNullable();
  });
}

async function createAudit(knex: Knex): Promise<void> {
  await knex.schema.createTable('audit', (t) => {
    t.string('id', 40).primary();
    t.bigInteger('at').notNullable();
    t.string('actor', 100).notNullable();
    t.string('action', 60).notNullable();
    t.string('subject', 100).notNullable().index();
    t.text('detail');
  });
}

async function createSettings(knex: Knex): Promise<void> {
  await knex.schema.createTable('settings', (t) => {
    t.string('key', 60).primary();
    t.text('value').notNullable();
  });
}

async function createMails(knex: Knex): Promise<void> {
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
    t.bigInteger('forgotten_at');
    t.unique(['order_id', 'kind', 'key']);
    t.index(['state']);
  });
}

/** In the database, because several processes may serve them. */
async function createImages(knex: Knex): Promise<void> {
  await knex.schema.createTable('images', (t) => {
    t.string('id', 40).primary();
    t.string('content_hash', 64).notNullable().unique();
    t.string('shape', 10).notNullable();
    t.integer('width').notNullable();
    t.integer('height').notNullable();
    t.bigInteger('created_at').notNullable();
  });
}

async function createImageFiles(knex: Knex): Promise<void> {
  await knex.schema.createTable('image_files', (t) => {
    t.string('image_id', 40).notNullable().references('images.id');
    t.integer('width').notNullable();
    t.string('format', 5).notNullable();
    t.binary('content').notNullable();
    t.primary(['image_id', 'width', 'format']);
  });
}

/** First-party counters: a day, a name, a page's kind and a step of a scale; nothing of any person. */
async function createVisitCounts(knex: Knex): Promise<void> {
  await knex.schema.createTable('visit_counts', (t) => {
    t.string('day', 10).notNullable();
    t.string('name', 64).notNullable();
    t.string('page', 40).notNullable();
    t.string('step', 20).notNullable();
    t.integer('n').notNullable();
    t.primary(['day', 'name', 'page', 'step']);
  });
}

/** In the database, because several processes may be asked in turn. */
async function createHoldProlongations(knex: Knex): Promise<void> {
  await knex.schema.createTable('hold_prolongations', (t) => {
    t.string('hold_token', 200).primary();
    t.integer('times').notNullable();
    t.bigInteger('last_at').notNullable().index();
  });
}
