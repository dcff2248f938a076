/** Savepoints: a part of a transaction that can fail alone. */
import type { Writer } from '#server/standins/kit/store.ts';

/** What the work wrote is taken back if it throws; the transaction around it goes on. */
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

/** A full disk, a locked file: after that the transaction cannot go on. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}
