/** The public site: what an event's page shows beyond its bare facts, pictures of our own, names on tickets, and counters instead of trackers. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('events', (t) => {
    t.bigInteger('ends_at');
    t.string('venue_address', 300);
    t.string('banner_image', 500);
    // Of the seat map; null where only the event at the seat map is known.
    t.string('chart_key', 100);
    // Sanitised HTML; null: the site's own terms.
    t.text('terms');
    // A name per ticket, asked for after the payment.
    t.smallint('nominative').notNullable().defaultTo(0);
    // Whether another person may take a ticket over, how often, and until how many hours before the start.
    t.smallint('holder_change').notNullable().defaultTo(0);
    t.integer('holder_changes_max').notNullable().defaultTo(1);
    t.integer('holder_change_until_hours').notNullable().defaultTo(24);
    // Counted up by every save: the office's form is told when somebody else was faster, and caches when they are old.
    t.integer('version').notNullable().defaultTo(1);
    t.bigInteger('updated_at').notNullable().defaultTo(0);
  });
  await knex.schema.alterTable('tickets', (t) => {
    t.integer('holder_changes').notNullable().defaultTo(0);
    // Where the holder got his ticket, so that he hears when it is no longer his.
    t.string('holder_email', 254);
  });
  // Whoever has lost his links is found by his address, however it was spelled.
  await knex.raw(
    'CREATE INDEX orders_buyer_email ON orders (LOWER(buyer_email)) WHERE buyer_email IS NOT NULL',
  );

  // In the database, because several processes may serve them.
  await knex.schema.createTable('images', (t) => {
    t.string('id', 40).primary();
    t.string('content_hash', 64).notNullable().unique();
    t.string('shape', 10).notNullable();
    t.integer('width').notNullable();
    t.integer('height').notNullable();
    t.bigInteger('created_at').notNullable();
  });
  await knex.schema.createTable('image_files', (t) => {
    t.string('image_id', 40).notNullable().references('images.id');
    t.integer('width').notNullable();
    t.string('format', 5).notNullable();
    t.binary('content').notNullable();
    t.primary(['image_id', 'width', 'format']);
  });

  // First-party counters: a day, a name, a page's kind and a step of a scale; nothing of any person.
  await knex.schema.createTable('visit_counts', (t) => {
    t.string('day', 10).notNullable();
    t.string('name', 64).notNullable();
    t.string('page', 40).notNullable();
    t.string('step', 20).notNullable();
    t.integer('n').notNullable();
    t.primary(['day', 'name', 'page', 'step']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX orders_buyer_email');
  for (const table of ['visit_counts', 'image_files', 'images']) await knex.schema.dropTable(table);
  for (const [table, columns] of Object.entries(added))
    for (const column of columns) await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [table, column]);
}

const added = {
  tickets: ['holder_changes', 'holder_email'],
  events: [
    'ends_at',
    'venue_address',
    'banner_image',
    'chart_key',
    'terms',
    'nominative',
    'holder_change',
    'holder_changes_max',
    'holder_change_until_hours',
    'version',
    'updated_at',
  ],
};
