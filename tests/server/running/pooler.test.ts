/** Two processes behind a pooler that hands a PostgreSQL connection to another client after each transaction: prepared statements and their names. */
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { startPooler } from '#tests/support/pooler.ts';
import { makeDatabase } from '#tests/support/postgres.ts';

interface Process {
  begin: () => Promise<Transaction>;
  close: () => Promise<unknown>;
}
interface Transaction {
  /** Adds one to the number in that table. */
  count: (table: string) => Promise<unknown>;
  end: (how: 'commit' | 'rollback') => Promise<unknown>;
}

/** One process of the product. */
function openProcess(url: string, namedStatements: boolean): Process {
  const db = connect(url, { namedStatements });
  return {
    async begin() {
      const trx = await db.transaction();
      return {
        count: (table) => trx(table).increment('n', 1).then(Number),
        end: (how) => trx[how]().then(String),
      };
    },
    close: () => db.destroy(),
  };
}

/** A process that numbers its prepared statements, each for itself. */
function openNumbering(url: string): Process {
  const client = new Client({ connectionString: url });
  const connected = client.connect();
  const names = new Map<string, string>();
  return {
    async begin() {
      await connected;
      await client.query('BEGIN');
      return {
        count(table) {
          const text = `UPDATE ${table} SET n = n + $1`;
          names.set(text, names.get(text) ?? `s${names.size}`);
          return client.query({ name: names.get(text)!, text, values: [1] });
        },
        end: (how) => client.query(how),
      };
    },
    close: () => client.end(),
  };
}

const times = 10;

/** Each of two processes counts in its own table; then the second one gets the server connection of the first, and counts once more. */
async function crossOver(
  open: (url: string) => Process,
): Promise<{ one: number; two: number; error: unknown }> {
  const database = await makeDatabase(inject('postgresUrl'));
  const direct = connect(database.address);
  for (const table of ['one', 'two']) {
    await direct.schema.createTable(table, (t) => {
      t.integer('n').notNullable();
    });
    await direct(table).insert({ n: 0 });
  }
  const pooler = await startPooler(database.address, { connections: 2 });
  const [first, second] = [open(pooler.url), open(pooler.url)];
  try {
    const [a, b] = [await first.begin(), await second.begin()];
    for (let time = 0; time < times; time += 1) {
      await a.count('one');
      await b.count('two');
    }
    await a.end('commit');
    await b.end('commit');
    const again = await second.begin();
    const error = await again.count('two').then(
      () => null,
      (reason: unknown) => reason,
    );
    await again.end(error === null ? 'commit' : 'rollback');
    const [one, two] = [await direct('one').first('n'), await direct('two').first('n')];
    return { one: one.n, two: two.n, error };
  } finally {
    pooler.close();
    await Promise.allSettled([first.close(), second.close()]);
    await direct.destroy();
    await database.drop();
  }
}

test("numbered statements would change another process's table there, without an error", async () => {
  expect(await crossOver(openNumbering)).toEqual({ one: times + 1, two: times, error: null });
});

test('a statement that is named by its text is refused where nobody has prepared it, and never another one', async () => {
  const { error, ...counted } = await crossOver((url) => openProcess(url, true));
  expect(counted).toEqual({ one: times, two: times });
  expect(error).toMatchObject({ code: '26000' });
});

test('with DATABASE_STATEMENTS=off every process changes what it means', async () => {
  const counted = await crossOver((url) => openProcess(url, false));
  expect(counted).toEqual({ one: times, two: times + 1, error: null });
});
