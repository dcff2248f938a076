/** Runs a test on SQLite and on PostgreSQL: everything that touches SQL must hold on both. */
import { inject, test } from 'vitest';
import { databaseKinds, startServer, type StartOptions, type TestServer } from './server.ts';

export function testOnBoth(
  name: string,
  run: (server: TestServer) => Promise<void>,
  options: StartOptions = {},
): void {
  for (const database of databaseKinds) {
    test(`${name} (${database})`, async () => {
      await using server = await startServer({
        database,
        postgresUrl: inject('postgresUrl'),
        ...options,
      });
      await run(server);
    });
  }
}
