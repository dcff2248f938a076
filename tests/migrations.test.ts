/**
 * Each migration goes up, down to exactly where it began, and up again; on both databases. A landed
 * one is never edited, and only adds.
 */
import type { Knex } from 'knex';
import { expect, inject, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import landed from '#db/migrations/landed.json' with { type: 'json' };
import { faultOfDatabase, type Landed } from '#db/migrations/landed.ts';
import { migrate, migrationSource } from '#db/migrations/migrate.ts';
import { isPostgres } from '#db/engine/dialect.ts';
import { migrations } from '#db/migrations/index.ts';
import { notAdded, tellMigrations } from '#tests/support/landed.ts';
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
      // A place that its buyer offers again may be on another order's line, too.
      await db('order_lines').where({ id: 'l1' }).update({ offered_at: now });
      await order('o5', 'h5');
      await line('l5', 'o5', 'A-1');
      await expect(
        db('order_lines').where({ id: 'l1' }).update({ offered_at: null }),
      ).rejects.toThrow();
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

const neverEdited =
  'A landed migration was edited, removed or moved: put it back and write a new one after it (db/README.md), which `node tests/land.ts` lists.';

for (const kind of ['sqlite', 'postgres'] as const)
  test(`a landed migration does what it did, and none stands before it (${kind})`, async () => {
    const made = kind === 'postgres' ? await makeDatabase(inject('postgresUrl')) : null;
    const told = await tellMigrations(made?.address ?? null).finally(() => made?.drop());
    const kept: Record<string, Landed> = landed[kind];
    expect(Object.keys(told), neverEdited).toEqual(Object.keys(kept));
    const edited = Object.keys(told).filter((name) => told[name]!.hash !== kept[name]!.hash);
    expect(edited, neverEdited).toEqual([]);
    expect(told, neverEdited).toEqual(kept);
  });

test('a database from pg_dump, or in a schema of another name, has no fault', async () => {
  const { address, drop } = await makeDatabase(inject('postgresUrl'));
  const db = connect(`${address}?options=-c%20search_path%3D%22Il-Teatro%22`);
  try {
    await db.raw('CREATE SCHEMA "Il-Teatro"');
    await migrate(db);
    expect(await faultOfDatabase(db)).toBeNull();
    // A copy runs the index's own text, after which PostgreSQL writes some conditions anew.
    const { rows } = (await db.raw(
      `SELECT indexname AS name, indexdef AS text FROM pg_indexes
       WHERE schemaname = 'Il-Teatro' AND indexdef LIKE '% WHERE %'`,
    )) as { rows: { name: string; text: string }[] };
    for (const { name, text } of rows) {
      await db.raw('DROP INDEX ??', [name]);
      await db.raw(text.replaceAll('?', String.raw`\?`));
    }
    expect(await faultOfDatabase(db)).toBeNull();
  } finally {
    await db.destroy();
    await drop();
  }
});

test('a database that another process makes just now has no fault', async () => {
  const db = connect(':memory:');
  let looked = 0;
  const schema = {
    async hasTable(name: string) {
      const isThere = await db.schema.hasTable(name);
      if ((looked += 1) === 1) await migrate(db);
      return isThere;
    },
  };
  const late = new Proxy(db, {
    get: (own, name) => (name === 'schema' ? schema : (Reflect.get(own, name) as unknown)),
  });
  expect(await faultOfDatabase(late).finally(() => db.destroy())).toBeNull();
  expect(looked).toBeGreaterThan(1);
});

/** Migrations that take away what no program in use names any more, each thing with its reason. */
const contractions: Record<string, string> = {};

test('a migration after the first of its store only adds what the program before can leave out', () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    let before = {};
    for (const [name, step] of Object.entries(landed[kind] as Record<string, Landed>)) {
      const more = name.includes('001') ? [] : notAdded(before, step);
      expect(more.filter((thing) => !(`${name}: ${thing}` in contractions))).toEqual([]);
      before = { ...before, ...step.schema };
    }
  }
});

test.each<[thing: string, text: string | null, adds: boolean]>([
  ['table offers', 'rows', true],
  ['column offers.id', 'varchar(40) NOT NULL', true],
  ['index offers_due', 'CREATE UNIQUE INDEX offers_due ON offers (id)', true],
  ['key offers.order_id', 'orders.id ON DELETE NO ACTION', true],
  ['column orders.late', 'bigint', true],
  ['column orders.late', "bigint NOT NULL DEFAULT '0'", true],
  ['index orders_late', 'CREATE INDEX orders_late ON orders USING btree (number)', true],
  ['column orders.late', 'bigint NOT NULL', false],
  ['index orders_late', 'create unique index orders_late on orders (number)', false],
  ['key orders.orders_late', 'UNIQUE (number)', false],
  ['trigger orders_late', 'CREATE TRIGGER orders_late AFTER UPDATE ON orders', false],
  ['column orders.number', null, false],
  ['column orders.number', 'TEXT', false],
  ['column orders.holder', 'varchar(200)', false],
  ['column offers.holder', 'varchar(200)', true],
])('a later migration may add %s (%s): %s', (thing, text, adds) => {
  const before = {
    'table orders': 'rows',
    'column orders.number': 'varchar(9) NOT NULL',
    'column tickets.holder': 'varchar(200)',
  };
  const schema = { ...(thing.includes('offers') ? { 'table offers': 'rows' } : {}), [thing]: text };
  expect(notAdded(before, { schema })).toEqual(adds ? [] : [thing]);
});
