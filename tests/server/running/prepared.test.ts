/** Prepared statements on PostgreSQL: a name means one text for all processes that share a connection. */
import { expect, inject, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { makeDatabase } from '#tests/support/postgres.ts';

type Prepared = { name: string; statement: string };

test('a statement is prepared under a name that its text alone makes; with DATABASE_STATEMENTS=off none is', async () => {
  const database = await makeDatabase(inject('postgresUrl'));
  /** What a new connection has prepared after each text was asked often enough, in this order. */
  const prepare = async (texts: readonly string[], namedStatements = true) => {
    const db = connect(database.address, { namedStatements });
    const prepared = await db.transaction(async (trx) => {
      for (const text of texts) for (let time = 0; time < 6; time += 1) await trx.raw(text, [time]);
      const sql = 'SELECT name, statement FROM pg_prepared_statements ORDER BY name';
      return (await trx.raw<{ rows: Prepared[] }>(sql)).rows;
    });
    await db.destroy();
    return prepared;
  };
  const [one, two] = ['SELECT 1 + ?::int AS one', 'SELECT 2 + ?::int AS two'] as const;
  const first = await prepare([one, two]);
  expect(new Set(first.map(({ name }) => name)).size).toBe(2);
  expect(await prepare([two, one])).toEqual(first);
  expect(await prepare([one, two], false)).toEqual([]);
  await database.drop();
});
