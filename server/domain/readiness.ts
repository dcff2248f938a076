/** Limits within which a process counts as ready (RULES I2): the server answers by them, the office reads what is wrong. */

/** Null: it could not be found out. */
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

const limits = { disk_bytes: 500_000_000, backlog_ms: 5 * 60_000, loop_ms: 250 };

const has: Record<ReadinessFault, (found: Readiness) => boolean> = {
  leaving: (found) => !found.staying,
  database: (found) => !found.database,
  migrated: (found) => !found.migrated,
  disk: (found) => found.disk_free_bytes !== null && found.disk_free_bytes < limits.disk_bytes,
  loop: (found) => found.loop_p99_ms >= limits.loop_ms,
  backlog: (found) => found.backlog_ms >= limits.backlog_ms,
};

/** None: it can work. */
export function faultsOf(found: Readiness): ReadinessFault[] {
  return readinessFaults.filter((fault) => has[fault](found));
}
