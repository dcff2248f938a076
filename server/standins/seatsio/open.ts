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
 * Opens it in PostgreSQL, where several servers may share one database. Without named statements
 * it also works through a connection pooler.
 */
export function openSharedSeatsioStore(
  url: string,
  { schema = 'seatsio', namedStatements = false } = {},
): Promise<Store> {
  return openPostgresStore({ url, schema, tables: SCHEMA, namedStatements });
}

/** Adds missing columns. */
export async function openSeatsio(state: State): Promise<State> {
  await renewTables(state.store);
  return state;
}
