/**
 * The estimated wait of an entrant: between two whole minutes, from how fast the room moves
 * (RULES F6).
 */

/** The counter at one time, as a browser saw it. */
export interface Sighting {
  at: number;
  serving: number;
}

/** Older sightings say nothing about the present pace. */
const seenForMs = 600_000;
/** In less time than this, a counter that moves in steps shows no pace. */
const shortestMs = 20_000;
/** Both bounds get a margin; it is larger until the counter was seen to move. */
const margin = { slower: 0.8, faster: 1.2, unseen: 1.5 };

export interface Wait {
  /** Whole minutes; 0: the turn may be next. */
  from: number;
  to: number;
}

/**
 * `ahead`: how many entrants are before this one; `perMinute`: the server's pace. Null: unknown,
 * because nothing moves.
 */
export function waitBounds(
  ahead: number,
  perMinute: number,
  seen: readonly Sighting[] = [],
): Wait | null {
  if (perMinute <= 0) return null;
  const { slowest, fastest } = paceBounds(perMinute, seen);
  const from = Math.floor(ahead / fastest);
  return { from, to: Math.max(from + 1, Math.ceil(ahead / slowest)) };
}

/**
 * People per minute. A pause or a rush between two sightings will not last, so neither counts for
 * more than twice the mean.
 */
function paceBounds(perMinute: number, seen: readonly Sighting[]) {
  const paces = pacesOf(seen);
  if (paces.length === 0)
    return { slowest: perMinute / margin.unseen, fastest: perMinute * margin.unseen };
  const mean = paces.reduce((sum, pace) => sum + pace, perMinute) / (paces.length + 1);
  return {
    slowest: Math.max(Math.min(perMinute, ...paces), mean / 2) * margin.slower,
    fastest: Math.min(Math.max(perMinute, ...paces), mean * 2) * margin.faster,
  };
}

function pacesOf(seen: readonly Sighting[]): number[] {
  const paces: number[] = [];
  let last: Sighting | undefined;
  for (const next of seen) {
    last ??= next;
    if (next.at - last.at < shortestMs) continue;
    paces.push(((next.serving - last.serving) * 60_000) / (next.at - last.at));
    last = next;
  }
  return paces;
}

/** An estimate and when it was first said. */
export interface ToldWait {
  at: number;
  wait: Wait;
}

/**
 * The estimate that an entrant sees now: an earlier estimate stays until it proves too short,
 * because between two steps a room looks slower than it is. Null: unknown.
 */
export function toldWait(told: ToldWait | null, next: Wait | null, now: number): ToldWait | null {
  if (next === null) return null;
  const stands = told !== null && now - told.at < told.wait.to * 60_000;
  if (!stands || next.to < told.wait.to) return { at: now, wait: next };
  return told;
}

/** Adds a sighting and drops those that are too old. */
export function withSighting(seen: readonly Sighting[], next: Sighting): Sighting[] {
  return [...seen.filter(({ at }) => at > next.at - seenForMs && at < next.at), next];
}

/**
 * "tra 4 e 7 minuti"; a long wait is in tens of minutes, and from two hours on only the lower
 * bound is said.
 */
export function sayWait({ from, to }: Wait): string {
  if (to <= 1) return 'meno di un minuto';
  if (from === 0) return `meno di ${sayMinutes(to)}`;
  if (from >= 120) return `più di ${sayMinutes(from - (from % 60))}`;
  if (to < 60) return `tra ${from} e ${to} minuti`;
  return `tra ${sayMinutes(wholeTens(from, Math.floor))} e ${sayMinutes(wholeTens(to, Math.ceil))}`;
}

/** From an hour on, single minutes would be a false precision. */
function wholeTens(minutes: number, round: (tens: number) => number): number {
  return minutes < 60 ? minutes : round(minutes / 10) * 10;
}

function sayMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const left = minutes % 60;
  const leftWords = left === 1 ? 'un minuto' : `${left} minuti`;
  if (hours === 0) return leftWords;
  const hourWords = hours === 1 ? 'un’ora' : `${hours} ore`;
  return left === 0 ? hourWords : `${hourWords} e ${leftWords}`;
}
