/**
 * The waiting room of an event: its phases, whose turn it is, and how long a turn lasts (RULES
 * F1).
 */

/**
 * `off`: there is no room. `before`: an entrant waits for the draw. `open`: numbers are called.
 */
export const queuePhases = ['off', 'before', 'open', 'paused', 'closed'] as const;
export type QueuePhase = (typeof queuePhases)[number];

/** `auto`: the room opens by itself under load, and closes when it is empty. */
export const queueModes = ['off', 'on', 'auto'] as const;
export type QueueMode = (typeof queueModes)[number];

/** The bounds of the office's settings. */
export const queueBounds = {
  per_minute: { least: 1, most: 6_000 },
  /** The time from the call to the booking. */ minutes: { least: 2, most: 60 },
  inside: { least: 1, most: 100_000 },
  code: { least: 6, most: 40 },
  message: 300,
} as const;
export const usualPassMinutes = 10;

interface QueueFacts {
  mode: QueueMode;
  /** When the first numbers could be called; null: before the draw, or while no entrant waits. */
  opened_at: number | null;
  paused: boolean;
  closed: boolean;
}

export function queuePhaseOf({ mode, opened_at, paused, closed }: QueueFacts): QueuePhase {
  if (mode === 'off') return 'off';
  if (closed) return 'closed';
  if (opened_at === null) return mode === 'auto' ? 'off' : 'before';
  return paused ? 'paused' : 'open';
}

/**
 * The state of an entrant. `called`: it is their turn. `expired`: they did not come, or did not
 * book in time. `done`: they have an order.
 */
export const placeStates = ['waiting', 'called', 'inside', 'expired', 'done'] as const;
export type PlaceState = (typeof placeStates)[number];

interface PlaceFacts {
  called_at: number | null;
  pass_until: number | null;
  done_at: number | null;
}

export function placeStateOf(
  { called_at, pass_until, done_at }: PlaceFacts,
  { minutes, now }: { minutes: number; now: number },
): PlaceState {
  if (done_at !== null) return 'done';
  if (pass_until !== null) return now < pass_until ? 'inside' : 'expired';
  if (called_at === null) return 'waiting';
  return now < turnEnds({ called_at, minutes }) ? 'called' : 'expired';
}

/**
 * An entrant who was called and does not come in time loses the turn; the counter does not wait.
 */
export function turnEnds({ called_at, minutes }: { called_at: number; minutes: number }): number {
  return called_at + minutes * 60_000;
}

/** A mail is sent this many minutes before the turn. */
const warnedMinutes = 10;

/** Entrants up to this number get the mail that their turn is near, if they asked for it. */
export function nearUpTo({ serving, per_minute }: { serving: number; per_minute: number }): number {
  return serving + per_minute * warnedMinutes;
}
