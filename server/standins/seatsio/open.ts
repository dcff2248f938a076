/** Opens the stand-in's database without a server, for the server itself and for commands. */
import { renewTables, SCHEMA } from './statements/schema.ts';
import { openPostgresStore } from '#server/standins/kit/postgres-store.ts';
import { openStore, type Store } from '#server/standins/kit/store.ts';
import type { State } from './context.ts';

/** @param file SQLite file; ':memory:' for tests */
export function openSeatsioStore(file: string): Store {
  return openStore(file, SCHEMA);
}

/**
 * Opens the database in PostgreSQL, where several servers may share it. Without named statements
 * it also works through a connection pooler.
 */
export function openSharedSeatsioStore(
  url: string,
  { schema = 'seatsio', namedStatements = false } = {},
): Promise<Store> {
  return openPostgresStore({ url, schema, tables: SCHEMA, namedStatements });
}

/** Opens the stand-in on its database, whose missing columns are added. */
export async function openSeatsio(state: State): Promise<State> {
  await renewTables(state.store);
  return state;
}
