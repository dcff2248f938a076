/**
 * One simulated clock for the whole process. Timers fire in order when the evening reaches their
 * time.
 */
import { begin } from './door-life.ts';

interface Timer {
  due: number;
  act: () => void;
}

/** Shorter waits only let other work continue first. */
const shortMs = 10;

let timers: Timer[] = [];
let read = (): number => 0;

/** Forgets all pending timers and sets the clock. */
export function resetTime(now: () => number): void {
  timers = [];
  read = now;
}

/** Calls `act` after this many whole ms of the evening; the returned function cancels it. */
export function after(ms: number, act: () => void): () => void {
  const timer = { due: read() + Math.trunc(ms), act };
  timers.push(timer);
  return () => {
    timers = timers.filter((other) => other !== timer);
  };
}

/** Removes and returns the timers that are due by then, the earliest first. */
export function takeDue(by: number): Timer[] {
  const due = timers.filter((timer) => timer.due <= by).toSorted((a, b) => a.due - b.due);
  timers = timers.filter((timer) => timer.due > by);
  return due;
}

/** Removes and returns the next timer that is due by then. */
export function takeNext(by: number): Timer | undefined {
  const [next] = timers.filter((timer) => timer.due <= by).toSorted((a, b) => a.due - b.due);
  timers = timers.filter((other) => other !== next);
  return next;
}

/**
 * This must run before any module of the product is loaded, because setTimeout() and Date.now()
 * are replaced.
 */
export function steerTime(): void {
  const stop = globalThis.clearTimeout;
  const stops = new WeakMap<object, () => void>();
  Date.now = () => read();
  const set = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const handle = { unref: () => handle, ref: () => handle };
    stops.set(
      handle,
      (ms > shortMs ? after : soon)(ms, () => act(...given)),
    );
    return handle;
  };
  const clear = (handle?: object | number) => {
    const own = typeof handle === 'object' ? stops.get(handle) : undefined;
    if (own) own();
    else stop(handle as NodeJS.Timeout);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
}

function soon(_: number, act: () => void): () => void {
  const done = begin();
  let wanted = true;
  setImmediate(() => {
    done();
    if (wanted) act();
  });
  return () => {
    wanted = false;
  };
}
