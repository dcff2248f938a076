/**
 * Runs a test on SQLite and on PostgreSQL, because everything with SQL must work on both. Files
 * import these functions as `test` and `it`, so the import says which databases they use.
 */
import { inject, test } from 'vitest';
import { makeAdmin } from './make.ts';
import { databaseKinds, startServer, type StartOptions, type TestServer } from './server.ts';

/** A test that takes two arguments begins with the session of the first admin. */
export type Run = (server: TestServer, admin: { cookie: string }) => Promise<void>;

/** Runs it, with an admin if it takes one. */
export async function runOn(server: TestServer, run: Run): Promise<void> {
  await run(server, run.length > 1 ? await makeAdmin(server) : { cookie: '' });
}

export function testOnBoth(name: string, run: Run, options: StartOptions = {}): void {
  for (const database of databaseKinds) testOn(database, name, run, options);
}

/**
 * For tests whose statements other tests run on both databases: refusals, vendors' faults, paper.
 */
export function testOnSqlite(name: string, run: Run, options: StartOptions = {}): void {
  testOn('sqlite', name, run, options);
}

/** The other database, for a proof. */
export function testOnPostgres(name: string, run: Run, options: StartOptions = {}): void {
  testOn('postgres', name, run, options);
}

/** For tests in which the database does not matter. */
export function testOnce(name: string, run: Run, timeout?: number): void {
  test(
    name,
    async () => {
      await using server = await startServer();
      await runOn(server, run);
    },
    timeout,
  );
}

function testOn(
  database: (typeof databaseKinds)[number],
  name: string,
  run: Run,
  options: StartOptions,
): void {
  test(`${name} (${database})`, async () => {
    await using server = await startServer({
      database,
      postgresUrl: inject('postgresUrl'),
      ...options,
    });
    await runOn(server, run);
  });
}
