/**
 * Decides what continues next: every outside call and every database statement of the product waits
 * here for its turn, and time passes only when no work can continue.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';

/** One life of a server process; a dead one never continues. */
export interface Machine {
  name: string;
  dead: boolean;
  onDeath: () => void;
}

/**
 * A fault in one step of an operation: its `at`-th outside call, database statement or fault
 * point.
 */
export interface Fault {
  where: 'call' | 'statement' | 'point';
  at: number;
  what: number;
}

/** One action at a machine, from its beginning to its end or to the death of the machine. */
interface Operation {
  machine: Machine;
  words: string;
  faults: readonly Fault[];
  seen: { call: number; statement: number; point: number };
  over: boolean;
}

const running = new AsyncLocalStorage<Operation>();

/** The running operation; undefined outside a history, where database reads do not wait. */
export function operationNow(): Operation | undefined {
  return running.getStore();
}

/** Runs work as part of this operation, even if another operation triggered it. */
export function asOperation<T>(operation: Operation | undefined, run: () => T): T {
  return operation ? running.run(operation, run) : run();
}

/** The fault that the history has for this step of the operation. */
export function nextFault(operation: Operation, where: Fault['where']): Fault | undefined {
  const at = operation.seen[where];
  operation.seen[where] += 1;
  return operation.faults.find((fault) => fault.where === where && fault.at === at);
}

export function never<T>(): Promise<T> {
  return new Promise<T>(() => {});
}

interface Parked {
  machine: Machine;
  ready_at: number;
  go: () => void;
}

export type Scheduler = ReturnType<typeof makeScheduler>;

/** Kills the process: the returned promise never settles. */
export function killNow<T>(scheduler: Scheduler, machine: Machine): Promise<T> {
  scheduler.kill(machine);
  return never();
}

/** Work that takes longer in real time is assumed to wait for a lock of PostgreSQL. */
const lockWaitMs = 8;
const hangMs = 5_000;

/**
 * `picks` decides which work continues; when they are used up, the work that has waited longest. A
 * pick beyond the last waiting work lets two continue together.
 */
export function makeScheduler(begin: number, picks: readonly number[]) {
  let now = begin;
  let wrongMs = 0;
  let picked = 0;
  let outstanding = 0;
  let parked: Parked[] = [];
  let live: Operation[] = [];

  const isAtWork = (since: number) => outstanding > 0 && performance.now() - since < lockWaitMs;
  const settle = async () => {
    await turn();
    for (const began = performance.now(); isAtWork(began);) await turn();
  };
  const choose = (ready: Parked[]): Parked[] => {
    const pick = picks[picked] ?? 0;
    picked += 1;
    const first = ready[pick % ready.length]!;
    return pick > 5 && ready.length > 1 ? [first, ready[(pick + 1) % ready.length]!] : [first];
  };
  return {
    /** The true time, which vendors have. */
    now: () => now,
    /** The clock of the house's computers. */
    houseNow: () => now + wrongMs,
    /** Sets the house's clock this far ahead of the true time, or behind it. */
    setHouse(ms: number) {
      wrongMs = ms;
    },
    advance(ms: number) {
      now += ms;
    },
    /** Waits for its turn, `ms` from now at the earliest. */
    park(machine: Machine, ms = 0): Promise<void> {
      if (machine.dead) return never();
      return new Promise<void>((resolve) => {
        parked.push({ machine, ready_at: now + ms, go: resolve });
      });
    },
    /** Runs real work that must end before any other work continues. */
    async working<T>(work: () => Promise<T>): Promise<T> {
      outstanding += 1;
      try {
        return await work();
      } finally {
        outstanding -= 1;
      }
    },
    kill(machine: Machine) {
      if (machine.dead) return;
      machine.dead = true;
      parked = parked.filter((entry) => entry.machine !== machine);
      for (const operation of live) if (operation.machine === machine) operation.over = true;
      machine.onDeath();
    },
    start(operation: Operation, run: () => Promise<void>) {
      live.push(operation);
      void running.run(operation, run).finally(() => {
        operation.over = true;
      });
    },
    /** Resolves when every operation is over. */
    async drain() {
      let idleSince: number | null = null;
      for (;;) {
        await settle();
        live = live.filter((operation) => !operation.over);
        if (live.length === 0 && outstanding === 0) return;
        if (parked.length === 0) {
          idleSince ??= performance.now();
          if (performance.now() - idleSince > hangMs)
            throw new Error(
              `nobody goes on: ${live.map((operation) => operation.words).join('; ')}`,
            );
          await pause(1);
          continue;
        }
        idleSince = null;
        let ready = parked.filter((entry) => entry.ready_at <= now);
        if (ready.length === 0) {
          now = Math.min(...parked.map((entry) => entry.ready_at));
          ready = parked.filter((entry) => entry.ready_at <= now);
        }
        const chosen = choose(ready);
        parked = parked.filter((entry) => !chosen.includes(entry));
        for (const entry of chosen) entry.go();
      }
    },
  };
}

interface VirtualInterval {
  over: boolean;
  unref: () => void;
}

/**
 * Intervals of the product, such as the renewal of a lease, follow the simulated clock and end
 * with their process.
 */
export function steerIntervals(schedulerNow: () => Scheduler): void {
  const [start, stop] = [globalThis.setInterval, globalThis.clearInterval];
  const virtual = (run: () => void, ms: number): unknown => {
    const operation = operationNow();
    if (!operation) return start(run, ms);
    const interval: VirtualInterval = { over: false, unref() {} };
    const repeat = async () => {
      for (const scheduler = schedulerNow(); ;) {
        await scheduler.park(operation.machine, ms);
        if (interval.over) return;
        run();
      }
    };
    void repeat();
    return interval;
  };
  globalThis.setInterval = virtual as typeof setInterval;
  globalThis.clearInterval = ((interval: VirtualInterval | NodeJS.Timeout) => {
    if ('over' in interval) interval.over = true;
    else stop(interval);
  }) as typeof clearInterval;
}
