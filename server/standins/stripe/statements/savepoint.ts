/** Savepoints: a part of a transaction can fail while the rest continues. */
import type { Writer } from '#server/standins/kit/store.ts';

/** Rolls back the work's writes if it throws; the transaction continues. */
export async function attempt<T>(writer: Writer, work: () => Promise<T>): Promise<T> {
  await writer.run('SAVEPOINT attempt');
  try {
    const value = await work();
    await writer.run('RELEASE attempt');
    return value;
  } catch (error) {
    await writer.run('ROLLBACK TO attempt');
    await writer.run('RELEASE attempt');
    throw error;
  }
}

/** True for an error of SQLite itself, such as a full disk: the transaction cannot continue. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}
