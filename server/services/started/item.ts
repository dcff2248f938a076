/** One piece of work that a person has started, as the office reads it. */
import type {
  StartedKind,
  StartedState,
  StartedTrouble,
  StartedUnit,
} from '#server/domain/user/started.ts';
import type { Actor } from '#server/services/context.ts';

/** How work can be stopped; each has an endpoint of its own. */
export const stops = ['withdraw', 'stop', 'call_off'] as const;
export type Stop = (typeof stops)[number];

/**
 * `total` null: not known yet. `failed`: how many of `done` did not succeed. `moved_at`: the
 * last step that is known. `begins_at`: when waiting work begins, or can no longer be called off.
 */
export interface StartedItem {
  id: string;
  kind: StartedKind;
  state: StartedState;
  title: string | null;
  event_id: string | null;
  actor: Actor;
  started_at: number;
  begins_at: number | null;
  moved_at: number | null;
  ended_at: number | null;
  done: number;
  total: number | null;
  failed: number;
  unit: StartedUnit | null;
  trouble: StartedTrouble | null;
  said: string | null;
  stop: Stop | null;
  resume: boolean;
}

export const blank = {
  title: null,
  event_id: null,
  begins_at: null,
  moved_at: null,
  ended_at: null,
  done: 0,
  total: null,
  failed: 0,
  unit: null,
  trouble: null,
  said: null,
  stop: null,
  resume: false,
} satisfies Partial<StartedItem>;
