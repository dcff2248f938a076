/** Whether a rule for faults means a call or a delivery, and whether its turn has come. */
import { createHash } from 'node:crypto';
import type { DeliveryFault, RequestFault, StoredRule } from './fault-rules.ts';

/** A delivery that was hit by one of these shall not be hit by it for ever. */
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

/** Counts the match. */
export function fires(rule: StoredRule): boolean {
  rule.matched += 1;
  if (rule.matched < (rule.nth ?? 1)) return false;
  if (rule.times !== 'always' && rule.hits >= (rule.times ?? 1)) return false;
  const { probability = 1, seed = 0 } = rule;
  if (chanceOf(seed, rule.matched) >= probability) return false;
  rule.hits += 1;
  return true;
}

/** In a path `*` ends at the separator; without one it matches any rest. */
function patternOf(pattern: string, separator: string): RegExp {
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**' || (part === '*' && separator === '')) return '.*';
    return part === '*' ? `[^${separator}]+` : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** From 0 up to 1, the same for the same seed and count. */
function chanceOf(seed: number, count: number): number {
  return createHash('sha256').update(`${seed}:${count}`).digest().readUInt32BE() / 2 ** 32;
}
