/**
 * Runs a measurement on the named databases: SQLite, PostgreSQL (which keeps each commit through
 * a power cut), or both.
 */
import { startPostgres } from '#tests/support/postgres.ts';
import { startServer, type DatabaseKind, type TestServer } from '#tests/support/server.ts';

export async function onDatabases(
  named: string,
  measure: (server: TestServer, database: DatabaseKind) => Promise<void>,
  options: { worker?: boolean } = {},
): Promise<void> {
  if (named.includes('sqlite')) {
    await using server = await startServer({ ...options, database: 'sqlite' });
    await measure(server, 'sqlite');
  }
  if (!named.includes('postgres')) return;
  const postgres = await startPostgres({ durable: true });
  try {
    const where = { database: 'postgres', postgresUrl: postgres.url } as const;
    await using server = await startServer({ ...options, ...where });
    await measure(server, 'postgres');
  } finally {
    await postgres.stop();
  }
}
