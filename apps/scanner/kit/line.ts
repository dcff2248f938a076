/**
 * The connection to the server: each call has its time limit, and all calls end together when the
 * signal is lost or its loss is simulated.
 */
import { CallError, networkError } from '#apps/shared/api.ts';
import type { Ports } from './ports.ts';

export interface Line {
  /**
   * Runs the call with a signal that aborts it after this many ms (null: no limit) or when the
   * connection is cut.
   */
  hold: <T>(timeoutMs: number | null, ask: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /**
   * Ends all running calls, because a call on a dead connection would block the next ones for its
   * whole time limit.
   */
  cut: () => void;
  /** While true, every call fails immediately. */
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
