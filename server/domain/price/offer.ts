/**
 * Which prices a page was told, by the turn before it: a turn is a moment at which a price rule is
 * made, replaced, begins or ends, or a phase of list prices ends (RULES P6, P8).
 */
import type { PriceRule } from './rule.ts';

/** A rule with the time in which it counted; `ended_at` null: it still counts. */
export interface DatedRule {
  rule: PriceRule;
  made_at: number;
  ended_at: number | null;
}

/** The rules that counted at a moment, in the times of their scopes or not. */
export function rulesAt<Rule extends DatedRule>(rules: readonly Rule[], at: number): Rule[] {
  return rules.filter(
    ({ made_at, ended_at }) => made_at <= at && (ended_at === null || ended_at > at),
  );
}

export function turnsOf(rules: readonly DatedRule[]): number[] {
  return rules
    .flatMap(({ rule: { scope }, made_at, ended_at }) => [
      made_at,
      ended_at,
      scope.from,
      scope.until,
    ])
    .filter((turn) => turn !== null);
}

/** The last turn that has come; 0: none has. */
export function turnBefore(turns: readonly number[], now: number): number {
  return Math.max(0, ...turns.filter((turn) => turn <= now));
}

/**
 * The moment whose prices a page of this turn was told, as long as the next turn is no further back
 * than an offer lasts; otherwise now.
 */
export function offeredAt(
  turns: readonly number[],
  { turn, now, lastsMs }: { turn: number; now: number; lastsMs: number },
): number {
  const next = Math.min(...turns.filter((one) => one > turn && one <= now));
  return next === Infinity || now - next > lastsMs ? now : next - 1;
}
