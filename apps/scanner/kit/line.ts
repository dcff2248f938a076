/**
 * The line to the server: each call has its time limit, and all of them end at once when the
 * signal is gone or played to be.
 */
import { CallError, networkError } from '#apps/shared/api.ts';
import type { Ports } from './ports.ts';

export interface Line {
  /**
   * Gives the call a signal that ends it after so many ms (null: never by itself) or when the
   * line is cut.
   */
  hold: <T>(timeoutMs: number | null, ask: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /**
   * A dead line answers neither yes nor no: without this a call would keep the next ones waiting
   * for its whole time limit.
   */
  cut: () => void;
  /** From now on every call fails at once, until it is closed again. */
  open: (isOpen: boolean) => void;
}

export function makeLine(after: Ports['after']): Line {
  const running = new Set<AbortController>();
  let isOpen = false;
  const cut = () => {
    for (const controller of running) controller.abort();
  };
  return {
    cut,
    open(wanted) {
      isOpen = wanted;
      if (wanted) cut();
    },
    async hold(timeoutMs, ask) {
      if (isOpen) throw new CallError('unknown', networkError, 'Network error');
      const controller = new AbortController();
      const settle = timeoutMs === null ? () => {} : after(timeoutMs, () => controller.abort());
      running.add(controller);
      try {
        return await ask(controller.signal);
      } finally {
        settle();
        running.delete(controller);
      }
    },
  };
}
