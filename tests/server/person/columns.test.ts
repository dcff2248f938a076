/** Every column in which somebody may stand is known to the erasure: a new one is decided about before it is merged. */
import { expect } from 'vitest';
import { isPostgres, type Pool } from '#db/engine/dialect.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { everyTable } from '#tests/support/every-text.ts';

/** Names of columns that may hold who somebody is, or words that somebody typed. */
const telling =
  /(?:^|_)(?:name|e?mail|phone|holder|buyer|contact|note|reason|remark|text|body|html|subject|address|detail|failure|error|override|read|words|description|tax_code|vat_number|pec|city)(?:_|$)/;

/** What an erasure blanks, deletes, or takes the person out of: db/person/forgetting.ts. */
const erased = [
  'audit.detail',
  'admissions.note',
  'admissions.override',
  'admissions.read',
  'admissions.settled_note',
  'blocks.reason',
  'breaks.detail',
  'breaks.note',
  'contingents.name',
  'code_uses.address',
  'price_codes.holder',
  'declines.buyer_email',
  'heads.words',
  'mails.html',
  'mails.last_error',
  'mails.subject',
  'mails.text',
  'mails.to_address',
  'messages.body',
  'messages.subject',
  'moves.keep_reason',
  'order_notes.text',
  'orders.buyer_contact',
  'orders.buyer_email',
  'orders.buyer_name',
  'orders.buyer_phone',
  'orders.gift_reason',
  'orders.search_text',
  'outbox.last_error',
  'payments.note',
  'refunds.failure',
  'refunds.reason',
  'queue_places.email',
  'reminders.email',
  'reminders.email_hash',
  'shift_moves.reason',
  'day_sheets.difference_reason',
  'shifts.difference_reason',
  'tickets.door_note',
  'tickets.holder',
  'tickets.holder_email',
];

/** Kept as law wants it, and said so before an erasure. */
const kept = [
  'invoices.name',
  'invoices.address',
  'invoices.city',
  'invoices.vat_number',
  'invoices.tax_code',
  'invoices.pec',
];

/** Whose name or words these are: the office's own people, things, words of a program, hashes. */
const nobodys = [
  'announcements.task_subject',
  'audit.subject',
  'book_rows.subject',
  'book_rows.text',
  'breaks.subject',
  'disputes.reason',
  'erasures.address_hash',
  'events.buyer_search',
  'events.description',
  'events.venue_address',
  // No person types it yet.
  'exchanges.reason',
  'heads.reason',
  'invariants.name',
  'knex_migrations.name',
  'made_prices.name',
  'one_time_links.email',
  'orders.buyer_language',
  'orders.end_reason',
  'outbox.subject',
  'passkeys.name',
  'payout_lines.description',
  'payouts.failure',
  'phones.name',
  'postponements.reason',
  'print_jobs.last_error',
  'program_deliveries.body',
  'program_tokens.name',
  'refund_runs.reason',
  'rehoused_lines.reason',
  'shifts.till_name',
  'shows.description',
  'shows.venue_address',
  'users.email',
  'users.name',
  'visit_counts.name',
];

async function textColumns(db: Pool): Promise<string[]> {
  const found: string[] = [];
  for (const table of await everyTable(db)) {
    // SQLite's own parts of its index of words.
    if (table.startsWith('order_words') || table.startsWith('sqlite_')) continue;
    const columns = await db(table).columnInfo();
    for (const [column, { type }] of Object.entries(columns))
      if (/char|text/.test(type)) found.push(`${table}.${column}`);
  }
  return found;
}

test('every telling column is erased, kept for a reason, or nobody’s', async (server) => {
  const { db } = server.house.ctx;
  const columns = (await textColumns(db)).filter(
    (name) => telling.test(name.split('.')[1]!) && !name.endsWith('_id'),
  );
  const known = new Set([...erased, ...kept, ...nobodys]);
  expect(columns.filter((name) => !known.has(name))).toEqual([]);
  // What is erased is there: a column that was renamed is not forgotten in the list.
  const all = new Set(await textColumns(db));
  expect(erased.filter((name) => !all.has(name))).toEqual([]);
  expect(isPostgres(db) || all.size > 100).toBe(true);
});
