/** Opens the stand-in's database without a server, for the server itself and for commands. */
import { seatsioSteps } from './statements/schema.ts';
import { openPostgresStore } from '#server/standins/kit/postgres-store.ts';
import { openStore, type Store } from '#server/standins/kit/store.ts';

/** @param file SQLite file; ':memory:' for tests */
export function openSeatsioStore(file: string): Store {
  return openStore(file, seatsioSteps);
}

/**
 * Opens the database in PostgreSQL, where several servers may share it. Without named statements
 * it also works through a connection pooler.
 */
export function openSharedSeatsioStore(
  url: string,
  { schema = 'seatsio', namedStatements = false } = {},
): Promise<Store> {
  return openPostgresStore({ url, schema, steps: seatsioSteps, namedStatements });
}
