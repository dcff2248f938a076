/** Each migration goes up, down to exactly where it began, and up again; on both databases. */
import type { Knex } from 'knex';
import { expect, inject, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { migrate, migrationSource } from '#db/migrations/migrate.ts';
import { isPostgres } from '#db/engine/dialect.ts';
import { migrations } from '#db/migrations/index.ts';
import { makeDatabase } from '#tests/support/postgres.ts';

/** Tables, columns, indexes and constraints as the database itself tells them. */
async function picture(db: Knex): Promise<unknown> {
  if (!isPostgres(db))
    return db.raw(
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'knex%' AND name NOT LIKE 'sqlite%' ORDER BY type, name",
    );
  const columns = await db.raw(
    "SELECT table_name, column_name, data_type, is_nullable, character_maximum_length FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'knex%' ORDER BY 1, 2",
  );
  const indexes = await db.raw(
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'knex%' ORDER BY 1, 2",
  );
  return [columns.rows, indexes.rows];
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`up, down and up again leave the same picture (${kind})`, async () => {
    const made = kind === 'postgres' ? await makeDatabase(inject('postgresUrl')) : null;
    const db = connect(made?.address ?? ':memory:');
    try {
      const empty = await picture(db);
      for (const _ of Object.keys(migrations)) {
        const before = await picture(db);
        await db.migrate.up({ migrationSource });
        const after = await picture(db);
        expect(after).not.toEqual(before);
        await db.migrate.down({ migrationSource });
        expect(await picture(db)).toEqual(before);
        await db.migrate.up({ migrationSource });
        expect(await picture(db)).toEqual(after);
      }
      await db.migrate.rollback({ migrationSource }, true);
      expect(await picture(db)).toEqual(empty);
    } finally {
      await db.destroy();
      await made?.drop();
    }
  });

  test(`what guards money and seats stands in the schema (${kind})`, async () => {
    const made = kind === 'postgres' ? await makeDatabase(inject('postgresUrl')) : null;
    const db = connect(made?.address ?? ':memory:');
    try {
      await migrate(db);
      const now = 1;
      await db('events').insert({
        id: 'e',
        title: 't',
        starts_at: now,
        status: 'published',
        description: '',
        venue_title: 'v',
        seatsio_event_key: 'e',
        seat_pricing: '[]',
        max_seats: 10,
        pay_minutes: 15,
        code_tag: 'AAAA',
        code_secret: 's',
        code_salt: 's',
        verify_policy: 'ask',
        reentry: 1,
        feed_seq: 1,
        feed_epoch: 'x',
        created_at: now,
      });
      await db('places').insert(
        ['A-1', 'A-2'].map((place) => ({
          event_id: 'e',
          place,
          object_label: place,
          kind: 'seat',
          category: 'c',
          category_key: '1',
          seat: place,
          position: 1,
          issued: 0,
          feed_seq: 1,
        })),
      );
      const order = (id: string, hold_token: string, state = 'awaiting_payment') =>
        db('orders').insert({
          id,
          number: id,
          link_key: id,
          event_id: 'e',
          state,
          deleted_at: state === 'deleted' ? now : null,
          hold_token,
          selection: '[]',
          total_cents: 0,
          created_at: now,
          pay_by: now,
          idempotency_key: id,
          search_text: '',
        });
      const line = (
        id: string,
        order_id: string,
        place: string,
        released_at: number | null = null,
      ) =>
        db('order_lines').insert({
          id,
          order_id,
          event_id: 'e',
          place,
          object_label: place,
          category: 'c',
          ticket_type: 't',
          type_label: 't',
          price_id: 'p',
          price_cents: 1,
          position: 0,
          released_at,
        });
      const ticket = (
        id: string,
        order_id: string,
        place: string,
        revision: number,
        state = 'valid',
      ) =>
        db('tickets').insert({
          id,
          order_id,
          event_id: 'e',
          place,
          revision,
          state,
          ticket_type: 't',
          type_label: 't',
          price_cents: 1,
          issued_at: now,
        });
      await order('o1', 'h1');
      await order('o2', 'h2');
      await line('l1', 'o1', 'A-1');
      await ticket('t1', 'o1', 'A-1', 1);
      const refused: [string, () => Promise<unknown>][] = [
        ['two unpaid orders of one hold token', () => order('o3', 'h1')],
        ['two live lines of one seat', () => line('l2', 'o2', 'A-1')],
        ['two tickets of one order and seat', () => ticket('t2', 'o1', 'A-1', 2, 'void')],
        ['two valid tickets of one seat', () => ticket('t3', 'o2', 'A-1', 2)],
        ['one revision twice', () => ticket('t4', 'o2', 'A-1', 1, 'void')],
        ['a seat that does not exist', () => line('l3', 'o2', 'Z-9')],
        [
          'a webhook event twice',
          async () => {
            await db('webhook_events').insert({ id: 'evt', type: 't', received_at: 1 });
            await db('webhook_events').insert({ id: 'evt', type: 't', received_at: 1 });
          },
        ],
        [
          'an admission id twice',
          async () => {
            for (const _ of [1, 2])
              await db('admissions').insert({
                id: 'a',
                event_id: 'e',
                direction: 'in',
                verdict: 'admit',
                counts: 1,
                offline: 0,
                scanned_at: 1,
                corrected_at: 1,
                received_at: 1,
              });
          },
        ],
      ];
      for (const [name, run] of refused)
        expect([
          name,
          await run().then(
            () => 'taken',
            () => 'refused',
          ),
        ]).toEqual([name, 'refused']);
      await line('l4', 'o2', 'A-1', now);
      await order('o4', 'h1', 'deleted');
    } finally {
      await db.destroy();
      await made?.drop();
    }
  });
}

test('SQLite is opened with the settings that keep what was promised', async () => {
  const db = connect(':memory:');
  const read = async (name: string) => Object.values((await db.raw(`PRAGMA ${name}`))[0])[0];
  expect([
    await read('synchronous'),
    await read('foreign_keys'),
    await read('busy_timeout'),
  ]).toEqual([2, 1, 10]);
  await db.destroy();
});
