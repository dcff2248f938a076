/**
 * Faults on demand: rules that say which call or which delivery goes wrong, how, and how often; and a log of what they hit.
 * Nothing here happens by itself: without a rule the stand-in is sound.
 */
import { createHash } from 'node:crypto';

/**
 * `drop` cuts the line, `delay` waits `ms`, `hang` answers only when it is released, `lose_answer` carries the call out and cuts the line,
 * `truncate` cuts the answer after `bytes`, `429` `409` `500` answer so, `saved_500` answers 500 and remembers that under the idempotency key,
 * `html` answers `status` with a page.
 */
export const REQUEST_ACTIONS = [
  'drop',
  'delay',
  'hang',
  'lose_answer',
  'truncate',
  '429',
  '409',
  '500',
  'saved_500',
  'html',
] as const;
/**
 * `drop` never sends it, `lose_answer` sends it and does not hear the answer, `delay` sends it `ms` later, `duplicate` sends it `copies` times,
 * `reorder` keeps back until `hold` of them wait and lets them go in another order, `replay_all` sends again all that the endpoint ever got,
 * `pause` stops all deliveries; the others send something that a careful receiver refuses.
 */
export const DELIVERY_ACTIONS = [
  'drop',
  'lose_answer',
  'delay',
  'duplicate',
  'reorder',
  'replay_all',
  'pause',
  'wrong_signature',
  'old_timestamp',
  'wrong_livemode',
  'tampered_body',
] as const;

type RequestAction = (typeof REQUEST_ACTIONS)[number];
export type DeliveryAction = (typeof DELIVERY_ACTIONS)[number];

interface Match {
  /** Only from this matching one on, counted from 1. */
  nth?: number;
  /** How many are hit; 1 unless said otherwise. */
  times?: number | 'always';
  /** Of those that match, this share is hit; the same `seed` hits the same ones. */
  probability?: number;
  seed?: number;
}

export interface RequestFault extends Match {
  on: 'request';
  /** Any, if left out. */
  method?: string;
  /** `/v1/refunds`; `*` stands for one part of the address, `**` for any rest. */
  path?: string;
  action: RequestAction;
  /** The call is carried out and committed before it goes wrong. `lose_answer` and `truncate` always do that, `drop` and `saved_500` never. */
  executed?: boolean;
  ms?: number;
  bytes?: number;
  /** Of `html`: 200 or 502. */
  status?: number;
}

export interface DeliveryFault extends Match {
  on: 'delivery';
  /** `charge.succeeded`; `*` stands for any rest. */
  event?: string;
  /** The id of one webhook endpoint. */
  endpoint?: string;
  action: DeliveryAction;
  ms?: number;
  copies?: number;
  hold?: number;
}

export type FaultRule = RequestFault | DeliveryFault;
type StoredRule = FaultRule & { id: string; matched: number; hits: number };

export interface FaultHit {
  rule: string;
  /** Epoch milliseconds by the stand-in's clock. */
  at: number;
  on: 'request' | 'delivery';
  /** `POST /v1/refunds`, or the type of the event. */
  what: string;
  action: FaultRule['action'];
  /** Whether the call had its effect although its caller was not told; for a delivery, whether anything was sent. */
  executed: boolean;
  /** The status of the answer that was lost or replaced. */
  status?: number;
}

export interface Faults {
  /** Gives back the rule with its id. */
  add: (rule: FaultRule) => StoredRule;
  remove: (id: string) => boolean;
  /** Ends all rules, the log, and whatever hangs: held deliveries go on, hanging calls are cut off. */
  clear: () => void;
  /** Lets go what hangs or is held; hanging calls are carried out if they were not yet. */
  release: () => void;
  readonly rules: readonly StoredRule[];
  readonly log: readonly FaultHit[];
  /** Calls that had their effect although their caller was not told. */
  readonly executed: number;
}

type Ending = 'released' | 'cleared';

/** What the transport asks of the rules. */
export interface FaultBook extends Faults {
  matchRequest: (
    method: string,
    path: string,
  ) => { rule: StoredRule & RequestFault; hit: FaultHit } | undefined;
  matchDelivery: (delivery: {
    id: number;
    event: string;
    endpoint: string;
  }) => { rule: StoredRule & DeliveryFault; hit: FaultHit } | undefined;
  /** Resolves when somebody lets go. */
  waiting: () => Promise<Ending>;
  onRelease: (listener: () => void) => void;
}

/** The log keeps this many. */
const MAX_LOG = 10_000;

export function openFaults(now: () => number): FaultBook {
  let rules: StoredRule[] = [];
  let log: FaultHit[] = [];
  let made = 0;
  let waiters: ((ending: Ending) => void)[] = [];
  let listeners: (() => void)[] = [];
  /** A delivery that was delayed or copied once shall not be so for ever. */
  const done = new Set<string>();

  function letGo(ending: Ending): void {
    const all = waiters;
    waiters = [];
    for (const resolve of all) resolve(ending);
    for (const listener of listeners) listener();
  }

  function fires(rule: StoredRule): boolean {
    rule.matched += 1;
    if (rule.matched < (rule.nth ?? 1)) return false;
    if (rule.times !== 'always' && rule.hits >= (rule.times ?? 1)) return false;
    if (
      rule.probability !== undefined &&
      chanceOf(rule.seed ?? 0, rule.matched) >= rule.probability
    )
      return false;
    rule.hits += 1;
    return true;
  }

  function noted(hit: FaultHit): FaultHit {
    log.push(hit);
    if (log.length > MAX_LOG) log = log.slice(-MAX_LOG);
    return hit;
  }

  return {
    add(rule) {
      made += 1;
      const stored: StoredRule = { ...rule, id: `fault_${made}`, matched: 0, hits: 0 };
      rules.push(stored);
      return stored;
    },
    remove(id) {
      const before = rules.length;
      rules = rules.filter((rule) => rule.id !== id);
      return rules.length < before;
    },
    clear() {
      rules = [];
      log = [];
      done.clear();
      letGo('cleared');
    },
    release: () => letGo('released'),
    get rules() {
      return rules;
    },
    get log() {
      return log;
    },
    get executed() {
      return log.filter((hit) => hit.on === 'request' && hit.executed).length;
    },
    matchRequest(method, path) {
      for (const rule of rules) {
        if (
          rule.on !== 'request' ||
          (rule.method ?? method) !== method ||
          !patternOf(rule.path ?? '**', '/').test(path) ||
          !fires(rule)
        )
          continue;
        return {
          rule,
          hit: noted({
            rule: rule.id,
            at: now(),
            on: 'request',
            what: `${method} ${path}`,
            action: rule.action,
            executed: false,
          }),
        };
      }
      return undefined;
    },
    matchDelivery({ id, event, endpoint }) {
      for (const rule of rules) {
        if (
          rule.on !== 'delivery' ||
          (rule.endpoint ?? endpoint) !== endpoint ||
          !patternOf(rule.event ?? '*', '').test(event)
        )
          continue;
        const once = ['delay', 'duplicate', 'reorder', 'replay_all'].includes(rule.action);
        if (once && done.has(`${rule.id} ${id}`)) continue;
        if (!fires(rule)) continue;
        if (once) done.add(`${rule.id} ${id}`);
        return {
          rule,
          hit: noted({
            rule: rule.id,
            at: now(),
            on: 'delivery',
            what: event,
            action: rule.action,
            executed: false,
          }),
        };
      }
      return undefined;
    },
    waiting: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
      }),
    onRelease(listener) {
      listeners = [...listeners, listener];
    },
  };
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
