/** Solves a seating in its own thread: it takes a second or two, and buyers must not wait. */
import type { PlacedFirst } from '#server/domain/seat/rehousing-priority.ts';
import type { Group, HallPlace, Seating } from '#server/domain/seat/rehousing.ts';
import { runAside } from '#server/services/kit/aside.ts';

export interface SolveAsk {
  hall: readonly HallPlace[];
  groups: readonly Group[];
  /** True: the hall was only drawn again, so guests who can keep their seats do. */
  stay: boolean;
  /** Who gets a place first where there are too few. */ first?: PlacedFirst;
}

export function solveAside(ask: SolveAsk): Promise<Seating> {
  return runAside(new URL('./solve-worker.ts', import.meta.url), ask);
}
