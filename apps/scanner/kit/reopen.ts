/** Opens the phone's database again when the browser has dropped its connection. */
import { observable } from './observable.ts';
import type { Ports } from './ports.ts';
import type { ScannerDb } from './store.ts';
import { storeFault } from './store-fault.ts';

/** A browser that has not answered after this time never will. */
const openMs = 5_000;

/** Rejects with a lost store when the work takes longer; the work itself goes on. */
export async function endsWithin<T>(
  after: Ports['after'],
  ms: number,
  work: PromiseLike<T>,
): Promise<T> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = after(ms, () => reject(new StoreTimeout()));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

class StoreTimeout extends Error {
  override name = 'TimeoutError';
}

export type Reopener = ReturnType<typeof makeReopener>;

export function makeReopener(db: ScannerDb, after: Ports['after']) {
  /** Counts how often the database was opened again; live queries restart whenever it grows. */
  const times = observable(0);
  let running: Promise<boolean> | null = null;
  let isStopped = false;

  async function open(): Promise<boolean> {
    // Dexie keeps a failed opening for good unless it is closed in this way.
    db.close({ disableAutoOpen: false });
    const isOpen = await endsWithin(after, openMs, db.open()).then(
      () => true,
      () => false,
    );
    if (isOpen && !isStopped) times.write(times.read() + 1);
    return isOpen;
  }

  return {
    times,
    /**
     * True when the database is open again. `since`: what `times` was when the failed work began;
     * another caller may have opened it meanwhile.
     */
    reopen(since: number): Promise<boolean> {
      if (isStopped) return Promise.resolve(false);
      if (since !== times.read()) return Promise.resolve(true);
      running ??= open().finally(() => {
        running = null;
      });
      return running;
    },
    /** Called before the database is closed on purpose. */
    stop(): void {
      isStopped = true;
    },
  };
}

/**
 * Runs the work, and once more after the database was lost and opened again: then `again` is true
 * and the first attempt may have written everything or nothing.
 */
export async function withReopening<T>(
  { reopener }: { reopener: Reopener },
  work: (again: boolean) => Promise<T>,
): Promise<T> {
  const since = reopener.times.read();
  try {
    return await work(false);
  } catch (error) {
    if (storeFault(error) !== 'lost' || !(await reopener.reopen(since))) throw error;
    return work(true);
  }
}
