/** Whether a fault rule matches a call or a delivery, and whether it strikes this time. */
import { createHash } from 'node:crypto';
import type { DeliveryFault, RequestFault, StoredRule } from './fault-rules.ts';

/** These strike a delivery only once, because they would strike each retry, too. */
const ONCE = ['delay', 'duplicate', 'reorder', 'replay_all'];

export function meansCall(
  rule: StoredRule,
  { method, path }: { method: string; path: string },
): rule is StoredRule & RequestFault {
  return (
    rule.on === 'request' &&
    (rule.method ?? method) === method &&
    patternOf(rule.path ?? '**', '/').test(path)
  );
}

export function meansDelivery(rule: StoredRule, event: string): rule is StoredRule & DeliveryFault {
  return rule.on === 'delivery' && patternOf(rule.event ?? '*', '').test(event);
}

export function hitsOnce({ action }: StoredRule): boolean {
  return ONCE.includes(action);
}

/** Counts a match and decides whether the rule strikes. */
export function fires(rule: StoredRule): boolean {
  rule.matched += 1;
  if (rule.matched < (rule.nth ?? 1)) return false;
  if (rule.times !== 'always' && rule.hits >= (rule.times ?? 1)) return false;
  const { probability = 1, seed = 0 } = rule;
  if (chanceOf(seed, rule.matched) >= probability) return false;
  rule.hits += 1;
  return true;
}

/** `*` ends at the separator; without a separator it matches anything. */
function patternOf(pattern: string, separator: string): RegExp {
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**' || (part === '*' && separator === '')) return '.*';
    return part === '*' ? `[^${separator}]+` : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** A number in 0 ≤ n < 1 that is always the same for a seed and a count. */
function chanceOf(seed: number, count: number): number {
  return createHash('sha256').update(`${seed}:${count}`).digest().readUInt32BE() / 2 ** 32;
}
