/**
 * Faults on demand: rules can be added and removed while the stand-in runs, and a log lists the
 * calls and deliveries that they struck. Without rules nothing goes wrong.
 */
import { fires, hitsOnce, meansCall, meansDelivery } from './fault-matching.ts';
import type {
  DeliveryFault,
  FaultHit,
  FaultRule,
  RequestFault,
  StoredRule,
} from './fault-rules.ts';

export interface Faults {
  /** Returns the rule with its new id. */
  add: (rule: FaultRule) => StoredRule;
  remove: (id: string) => boolean;
  /** Removes all rules and the log, sends held deliveries and cuts hanging calls. */
  clear: () => void;
  /** Sends held deliveries and continues hanging calls. */
  release: () => void;
  readonly rules: readonly StoredRule[];
  readonly log: readonly FaultHit[];
  /** How many calls took effect without their caller learning of it. */
  readonly executed: number;
}

type Ending = 'released' | 'cleared';

/** What the transport needs from the rules. */
export interface FaultBook extends Faults {
  matchRequest: (
    method: string,
    path: string,
  ) => { rule: StoredRule & RequestFault; hit: FaultHit } | undefined;
  matchDelivery: (delivery: {
    id: number;
    event: string;
  }) => { rule: StoredRule & DeliveryFault; hit: FaultHit } | undefined;
  /** Resolves when hanging calls are released, or when all faults are cleared. */
  waiting: () => Promise<Ending>;
  onRelease: (listener: () => void) => void;
}

/** The most entries in the log. */
const MAX_LOG = 10_000;

export function openFaults(now: () => number): FaultBook {
  let rules: StoredRule[] = [];
  let log: FaultHit[] = [];
  let made = 0;
  const { letGo, ...hanging } = openRelease();
  /** Strikes of a rule on a delivery that must not be repeated. */
  const done = new Set<string>();

  function noted({ id, on, action }: StoredRule, what: string): FaultHit {
    const hit: FaultHit = { rule: id, at: now(), on, what, action, executed: false };
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
      const rule = rules.filter((one) => meansCall(one, { method, path })).find(fires);
      return rule && { rule, hit: noted(rule, `${method} ${path}`) };
    },
    matchDelivery({ id, event }) {
      const isDone = (rule: StoredRule) => hitsOnce(rule) && done.has(`${rule.id} ${id}`);
      const rule = rules
        .filter((one) => meansDelivery(one, event))
        .find((one) => !isDone(one) && fires(one));
      if (!rule) return undefined;
      if (hitsOnce(rule)) done.add(`${rule.id} ${id}`);
      return { rule, hit: noted(rule, event) };
    },
    ...hanging,
  };
}

/** Hanging calls wait here until they are released. */
function openRelease() {
  let waiters: ((ending: Ending) => void)[] = [];
  const listeners: (() => void)[] = [];
  return {
    waiting: () =>
      new Promise<Ending>((resolve) => {
        waiters.push(resolve);
      }),
    onRelease(listener: () => void) {
      listeners.push(listener);
    },
    letGo(ending: Ending) {
      const all = waiters;
      waiters = [];
      for (const resolve of all) resolve(ending);
      for (const listener of listeners) listener();
    },
  };
}
