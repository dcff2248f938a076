/** Settings that can change; those in kit/settings.ts are made once and stay the same. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

export async function findSetting(reader: Reader, key: string): Promise<string | undefined> {
  const sql = 'SELECT value FROM settings WHERE key = ?';
  return (await reader.get<{ value: string }>(sql, key))?.value;
}

export async function saveSetting(writer: Writer, key: string, value: string): Promise<void> {
  await writer.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
