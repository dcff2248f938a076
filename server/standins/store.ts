/** The stand-ins' own SQLite file: settings that are made once, and a connection with the safe pragmas. */
import Database from 'better-sqlite3';

export type Store = Database.Database;

/** WAL and full sync, because a stand-in must remember a booking after a power cut as the real vendor would. */
export function openStore(file: string): Store {
  const store = new Database(file);
  return patiently(store, () => {
    store.pragma('journal_mode = WAL');
    store.pragma('synchronous = FULL');
    store.pragma('foreign_keys = ON');
    store.exec(
      'CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
    );
    return store;
  });
}

/** Only while starting, when nobody waits for an answer: another process may hold the file for seconds. Otherwise the driver would freeze the process. */
export function patiently<T>(store: Store, work: () => T): T {
  store.pragma('busy_timeout = 5000');
  try {
    return work();
  } finally {
    store.pragma('busy_timeout = 50');
  }
}

/** Reads a setting, or makes and keeps it. */
export function settingOf(store: Store, key: string, make: () => string): string {
  const read = store.prepare<[string], { value: string }>(
    'SELECT value FROM settings WHERE key = ?',
  );
  const row = read.get(key);
  if (row) return row.value;
  // Another process may have made it meanwhile.
  store
    .prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING')
    .run(key, make());
  return read.get(key)!.value;
}

const statements = new WeakMap<Store, Map<string, Database.Statement>>();
/** The texts come from our own code, but lists in them make variants. */
const MAX_STATEMENTS = 500;

/** Prepares each SQL text once, because preparing costs more than most of what is prepared here. Not for statements whose mode is changed (`pluck`, `raw`). */
export function prepared<P extends unknown[] = unknown[], R = unknown>(
  store: Store,
  sql: string,
): Database.Statement<P, R> {
  const known = statements.get(store) ?? new Map<string, Database.Statement>();
  statements.set(store, known);
  const found = known.get(sql) ?? store.prepare(sql);
  if (known.size >= MAX_STATEMENTS) known.clear();
  known.set(sql, found);
  return found as Database.Statement<P, R>;
}
