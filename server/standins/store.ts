/** The stand-ins' own SQLite file: settings that are made once, and a connection with the safe pragmas. */
import Database from 'better-sqlite3';

export type Store = Database.Database;

/** WAL and full sync, because a stand-in must remember a booking after a power cut as the real vendor would. */
export function openStore(file: string): Store {
  const store = new Database(file);
  store.pragma('journal_mode = WAL');
  store.pragma('synchronous = FULL');
  store.pragma('foreign_keys = ON');
  store.pragma('busy_timeout = 50');
  store.exec('CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
  return store;
}

/** Reads a setting, or makes and keeps it. */
export function settingOf(store: Store, key: string, make: () => string): string {
  const row = store.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?').get(key);
  if (row) return row.value;
  const value = make();
  store.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run(key, value);
  return value;
}
