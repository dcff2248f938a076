/**
 * Limits within which a process counts as ready (RULES I2), for the server's own answer and for
 * the office.
 */
import type { FindingState } from '#server/domain/office/alert.ts';

/** Null: the process could not find it out. */
export interface Readiness {
  staying: boolean;
  database: boolean;
  migrated: boolean;
  disk_free_bytes: number | null;
  backlog_ms: number;
  loop_p99_ms: number;
}

const readinessFaults = ['leaving', 'database', 'migrated', 'disk', 'loop', 'backlog'] as const;
export type ReadinessFault = (typeof readinessFaults)[number];

export const readinessLimits = { disk_bytes: 500_000_000, backlog_ms: 5 * 60_000, loop_ms: 250 };

const has: Record<ReadinessFault, (found: Readiness) => boolean> = {
  leaving: (found) => !found.staying,
  database: (found) => !found.database,
  migrated: (found) => !found.migrated,
  disk: (found) =>
    found.disk_free_bytes !== null && found.disk_free_bytes < readinessLimits.disk_bytes,
  loop: (found) => found.loop_p99_ms >= readinessLimits.loop_ms,
  backlog: (found) => found.backlog_ms >= readinessLimits.backlog_ms,
};

/** Empty: the process is ready. */
export function faultsOf(found: Readiness): ReadinessFault[] {
  return readinessFaults.filter((fault) => has[fault](found));
}

/**
 * The state of the disk with the data: red where the house would not be ready, amber below a
 * tenth. `free`: bytes; `share`: of the whole.
 */
export function diskState({ free, share }: { free: number; share: number }): FindingState | null {
  if (free < readinessLimits.disk_bytes) return 'red';
  return share < 0.1 ? 'amber' : null;
}

/**
 * The state of the site's certificate, which is amber or red when a renewal is overdue. `days`:
 * until it ends.
 */
export function certificateState(days: number): FindingState | null {
  if (days < 3) return 'red';
  return days < 14 ? 'amber' : null;
}
