/**
 * When the owner gets a mail that something is wrong with the house, or is well again: after a
 * short wait, and once for each change.
 */

export const findingStates = ['amber', 'red'] as const;
export type FindingState = (typeof findingStates)[number];

/** What is wrong, in words, and what to do about it. */
export interface Finding {
  state: FindingState;
  sentence: string;
  mend: string;
  /** The event whose waiting room would help. */
  event_id?: string;
}

/** The stored state of a check that found a fault. Times in epoch milliseconds. */
interface Alert {
  since: number;
  last_seen: number;
  /** The state in the owner's last mail; null: none was sent. */
  told: FindingState | null;
  sentence: string;
}
export type Alerts = Readonly<Record<string, Alert>>;

/** A finding that passes by itself within this time is not reported. */
const openAfterMs = 3 * 60_000;
/**
 * A check is well again after this long without a fault, so a fault that comes and goes is one
 * alert.
 */
const closeAfterMs = 10 * 60_000;

export interface AlertStep {
  next: Alerts;
  /** To report now. */
  opened: string[];
  closed: string[];
}

/**
 * `found`: what each check finds now, null where all is well. A check that could not run is
 * missing here and keeps its state.
 */
export function stepAlerts(
  known: Alerts,
  found: ReadonlyMap<string, Finding | null>,
  now: number,
): AlertStep {
  const next: Record<string, Alert> = {};
  const opened: string[] = [];
  const closed: string[] = [];
  for (const name of new Set([...Object.keys(known), ...found.keys()])) {
    const before = known[name] && notAhead(known[name], now);
    const finding = found.get(name) ?? null;
    if (finding !== null) {
      const alert = seenAgain(before, finding, now);
      const tells = isDue(alert, finding, now);
      next[name] = tells ? { ...alert, told: finding.state } : alert;
      if (tells) opened.push(name);
    } else if (before && isOver(before, { now, isWell: found.has(name) })) {
      if (before.told !== null) closed.push(name);
    } else if (before) next[name] = before;
  }
  return { next, opened, closed };
}

/** Corrects times of a clock that was ahead, or the alert would stay open for as long. */
function notAhead(alert: Alert, now: number): Alert {
  const { since, last_seen } = alert;
  return { ...alert, since: Math.min(since, now), last_seen: Math.min(last_seen, now) };
}

function seenAgain(before: Alert | undefined, { sentence }: Finding, now: number): Alert {
  return { since: before?.since ?? now, last_seen: now, told: before?.told ?? null, sentence };
}

/** A change from amber to red is reported again. */
function isDue({ since, told }: Alert, { state }: Finding, now: number): boolean {
  if (now - since < openAfterMs) return false;
  return told === null || (told === 'amber' && state === 'red');
}

function isOver({ last_seen }: Alert, { now, isWell }: { now: number; isWell: boolean }): boolean {
  return isWell && now - last_seen >= closeAfterMs;
}
