/**
 * One life of a phone's app, from start to death: a dead app touches neither storage nor network.
 * Also tracks whether work is running.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { IDBDatabase } from 'fake-indexeddb';

/**
 * A fault in one step of an action: the `at`-th storage transaction or server call from here on.
 */
export interface Fault {
  where: 'store' | 'call';
  at: number;
  what: number;
}

export const storeFaults = ['dies before', 'dies after', 'storage full'] as const;

export interface Life {
  name: string;
  dead: boolean;
  faults: Fault[];
  seen: { store: number; call: number };
  onDeath: () => void;
}

export function makeLife(name: string, onDeath: () => void): Life {
  return { name, dead: false, faults: [], seen: { store: 0, call: 0 }, onDeath };
}

/** Sets the faults and counts steps from here on. */
export function setFaults(life: Life, faults: readonly Fault[]): void {
  life.faults = [...faults];
  life.seen = { store: 0, call: 0 };
}

export function nextFault(life: Life, where: Fault['where']): Fault | undefined {
  const at = life.seen[where];
  life.seen[where] += 1;
  const found = life.faults.find((fault) => fault.where === where && fault.at === at);
  life.faults = life.faults.filter((fault) => fault !== found);
  return found;
}

/** The kind of fault, or undefined without a fault. */
export function kindOf<K extends string>(
  fault: Fault | undefined,
  kinds: readonly K[],
): K | undefined {
  return fault && kinds[fault.what];
}

export function endLife(life: Life): void {
  if (life.dead) return;
  life.dead = true;
  for (const transaction of open.get(life) ?? []) abort(transaction);
  life.onDeath();
}

/** Weak maps, because a life refers to its whole evening, which must be garbage-collected. */
const open = new WeakMap<Life, Set<IDBTransaction>>();
const lives = new WeakMap<object, Life>();

/** A phone's storage as one life of its app sees it. */
export function storageOf(life: Life, storage: IDBFactory): IDBFactory {
  return {
    cmp: (a: unknown, b: unknown) => storage.cmp(a, b),
    databases: () => storage.databases(),
    deleteDatabase: (name: string) => storage.deleteDatabase(name),
    open(name: string, version?: number) {
      if (life.dead) throw new DOMException('dead', 'UnknownError');
      const request = storage.open(name, version);
      const done = begin();
      request.addEventListener('upgradeneeded', () => lives.set(request.result, life));
      request.addEventListener('success', () => {
        lives.set(request.result, life);
        done();
      });
      request.addEventListener('error', done);
      return request;
    },
  } as unknown as IDBFactory;
}

/**
 * Counts every transaction of a phone; one may be the last of its life, and none begins after it.
 */
function watchTransactions(): void {
  const start = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (
    this: IDBDatabase,
    ...given: Parameters<typeof start>
  ) {
    const life = lives.get(this);
    if (!life) return start.apply(this, given);
    const what =
      given[1] === 'readwrite' ? kindOf(nextFault(life, 'store'), storeFaults) : undefined;
    if (what === 'dies before') endLife(life);
    if (life.dead) throw new DOMException('dead', 'UnknownError');
    const transaction = start.apply(this, given);
    const done = begin();
    const mine = open.get(life) ?? new Set();
    open.set(life, mine.add(transaction));
    const end = () => {
      mine.delete(transaction);
      done();
    };
    transaction.addEventListener('complete', () => {
      end();
      if (what === 'dies after') endLife(life);
    });
    transaction.addEventListener('abort', end);
    // A full disk refuses the first row that is written.
    if (what === 'storage full') refuse(transaction);
    return transaction;
  };
}

function refuse(transaction: IDBTransaction): void {
  const find = transaction.objectStore.bind(transaction);
  transaction.objectStore = (name) => {
    const store = find(name);
    store.put = store.add = () => {
      abort(transaction);
      throw new DOMException('The disk is full', 'QuotaExceededError');
    };
    return store;
  };
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (error) {
    // The transaction is already over.
    if (!(error instanceof DOMException)) throw error;
  }
}

let outstanding = 0;

/** Registers work that ends by itself; call the returned function at its end. */
export function begin(): () => void {
  outstanding += 1;
  let over = false;
  return () => {
    if (!over) outstanding -= 1;
    over = true;
  };
}

/** Runs work that ends by itself; no other work gets a turn before. */
export async function working<T>(work: Promise<T>): Promise<T> {
  const done = begin();
  try {
    return await work;
  } finally {
    done();
  }
}

/** Promises that wait for one another need some rounds to settle. */
const restingTurns = 5;
const hangMs = 60_000;

/** Resolves when all work waits for a turn. */
export async function settle(): Promise<void> {
  const began = performance.now();
  for (let quiet = 0; quiet < restingTurns; quiet += 1) {
    await turn();
    if (outstanding > 0) quiet = 0;
    if (performance.now() - began > hangMs)
      throw new Error(`nobody goes on: ${outstanding} at work`);
  }
}

watchTransactions();
