/** The line to the server: each call has its patience, and all of them end at once when the system says that the signal is gone. */

const open = new Set<AbortController>();

/** A dead line answers neither yes nor no: without this a call would keep the next ones waiting for its whole patience. */
export function cutLine(): void {
  for (const controller of open) controller.abort();
}

/** Gives the call a signal that ends it after so many ms or when the line is cut. */
export async function withLine<T>(patienceMs: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), patienceMs);
  open.add(controller);
  try {
    return await ask(controller.signal);
  } finally {
    clearTimeout(timer);
    open.delete(controller);
  }
}
