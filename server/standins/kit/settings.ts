/** A stand-in's keys and secrets: made at its first start and stored in its database. */
import type { Writer } from './store.ts';

/** Reads a setting, or makes and stores it. */
export async function settingOf(writer: Writer, key: string, make: () => string): Promise<string> {
  const read = 'SELECT value FROM settings WHERE key = ?';
  const known = await writer.get<{ value: string }>(read, key);
  if (known) return known.value;
  const value = make();
  await writer.run('INSERT INTO settings (key, value) VALUES (?, ?)', key, value);
  return value;
}
