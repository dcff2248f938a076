/** One life of a phone's app, from its start to its end: dead, it touches neither its storage nor the line any more; and whether anybody is still at work. */
import { setImmediate as turn } from 'node:timers/promises';
import { IDBDatabase } from 'fake-indexeddb';

/** How one step of an operation goes wrong: the `at`-th transaction on the phone's storage or call to the server from here on. */
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

/** Faults are counted from here on. */
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

/** What goes wrong, in words; undefined: nothing. */
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

/** Whoever is forgotten takes what he held along: a life leads to its whole evening. */
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

/** Every transaction of a phone is counted, may be the last of its life, and does not begin after it. */
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
    // A disk that is full says so when it should keep the first row.
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
    // It is over already.
    if (!(error instanceof DOMException)) throw error;
  }
}

let outstanding = 0;

/** Somebody began something that ends by itself; gives back what to call then. */
export function begin(): () => void {
  outstanding += 1;
  let over = false;
  return () => {
    if (!over) outstanding -= 1;
    over = true;
  };
}

/** Real work that ends by itself: nobody else's turn comes before. */
export async function working<T>(work: Promise<T>): Promise<T> {
  const done = begin();
  try {
    return await work;
  } finally {
    done();
  }
}

/** Promises that wait for one another take some rounds to come to rest. */
const restingTurns = 5;
const hangMs = 10_000;

/** Until everybody waits for his turn. */
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
