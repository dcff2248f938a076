/** One clock for everything in the process: the evening's. What is set for later happens when the evening has come so far, in its order. */
import { begin } from './door-life.ts';

interface Timer {
  due: number;
  act: () => void;
}

/** Shorter waits only let others go first. */
const shortMs = 10;

let timers: Timer[] = [];
let read = (): number => 0;

/** What is set and did not happen is forgotten, and the clock is another. */
export function resetTime(now: () => number): void {
  timers = [];
  read = now;
}

/** Calls `act` after so many whole ms of the evening, as the platform counts them; gives back how to prevent it. */
export function after(ms: number, act: () => void): () => void {
  const timer = { due: read() + Math.trunc(ms), act };
  timers.push(timer);
  return () => {
    timers = timers.filter((other) => other !== timer);
  };
}

/** What is due by then, the earliest first, taken from the list. */
export function takeDue(by: number): Timer[] {
  const due = timers.filter((timer) => timer.due <= by).toSorted((a, b) => a.due - b.due);
  timers = timers.filter((timer) => timer.due > by);
  return due;
}

/** The next that is due by then, taken from the list. */
export function takeNext(by: number): Timer | undefined {
  const [next] = timers.filter((timer) => timer.due <= by).toSorted((a, b) => a.due - b.due);
  timers = timers.filter((other) => other !== next);
  return next;
}

/** Before anything of the product is loaded: its own setTimeout() and Date.now() go by the evening, too. */
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
