/** Who goes on next: every outside call and every database statement of the product waits here for its turn, and time passes only when nobody could go on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';

/** One life of a server process: dead, it never goes on. */
export interface Machine {
  name: string;
  dead: boolean;
  onDeath: () => void;
}

/** How one step of an operation goes wrong: the `at`-th outside call, database statement or fault point of it. */
export interface Fault {
  where: 'call' | 'statement' | 'point';
  at: number;
  what: number;
}

/** One thing that somebody does at a machine, from beginning to end, or to the death of the machine. */
interface Operation {
  machine: Machine;
  words: string;
  faults: readonly Fault[];
  seen: { call: number; statement: number; point: number };
  over: boolean;
}

const running = new AsyncLocalStorage<Operation>();

/** Undefined outside the history: the harness looks at the database without waiting. */
export function operationNow(): Operation | undefined {
  return running.getStore();
}

/** Work that somebody else's turn sets going is still this operation's. */
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

/** The process ends here: whoever waits for the answer waits for ever. */
export function killNow<T>(scheduler: Scheduler, machine: Machine): Promise<T> {
  scheduler.kill(machine);
  return never();
}

/** Real time after which work that does not end is taken to wait for somebody else's lock (PostgreSQL). */
const lockWaitMs = 8;
const hangMs = 5_000;

/** `picks` decides who of those that could goes on; when it is used up, whoever waits longest. A pick beyond the last lets two go at once. */
export function makeScheduler(begin: number, picks: readonly number[]) {
  let now = begin;
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
    now: () => now,
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
    /** Real work that the harness must let come to an end before it lets anybody else go on. */
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
    /** Until every operation is over. */
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

/** What the product repeats while it works (the renewal of a lease) is repeated by the history's clock, and ends with its process. */
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
