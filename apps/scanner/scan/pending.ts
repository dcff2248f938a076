/**
 * A scan that could not be stored because the browser lost the database: what is needed to decide
 * it after the app was loaded anew, under the same id, so that it cannot count twice.
 */
import type { Phone } from '#apps/scanner/list/memory.ts';
import type { QueuedScan } from '#apps/scanner/kit/store.ts';
import type { NamedAsk, UndoAsk } from './asks.ts';

export type Pending = { phone_id: string | null } & (
  | { kind: 'scans'; isGroup: boolean; event_id: string; scans: NamedAsk[] }
  | { kind: 'undo'; event_id: string; undo: UndoAsk & { ids: string[] } }
);

/** The rows of the scan that an attempt with an unknown end had written, by their ids. */
export type Written = ReadonlyMap<string, QueuedScan>;

/** The ids of the scans that it writes. */
export function idsOf(pending: Pending): string[] {
  return pending.kind === 'undo'
    ? pending.undo.ids
    : pending.scans.map(({ admission_id }) => admission_id);
}

/** The code itself is stored nowhere (RULES A4): its proof and its place are enough. */
function textOf(pending: Pending): string {
  if (pending.kind === 'undo') return JSON.stringify(pending);
  const scans = pending.scans.map((scan) => ({
    ...scan,
    recognised: { ...scan.recognised, code: null },
  }));
  return JSON.stringify({ ...pending, scans });
}

/** A new page that has not loaded after this time will not load. */
const restartMs = 10_000;

/**
 * Loads the app anew, which then decides the scan.
 * @throws the error that made it necessary, where that is of no use
 */
export function restartWith({ ports }: Phone, pending: Pending, error: unknown): Promise<never> {
  if (ports.restart?.(textOf(pending)) !== true) throw error;
  return new Promise((_, reject) => {
    ports.after(restartMs, () => reject(error));
  });
}
