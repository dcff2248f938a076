/** Observes every call to a provider and remembers when it last answered or failed, for health checks and metrics. */
import { ProviderRefused, ProviderSilent } from './provider.ts';

export interface Pulse {
  /** Epoch milliseconds; a clear no is an answer, too. Null: not asked since this process started. */
  answered_at: number | null;
  silent_at: number | null;
  /** What the last silence said; null after an answer. */
  error: string | null;
  answers: number;
  refusals: number;
  silences: number;
}

const pulses = new WeakMap<object, Pulse>();

/** The port itself, each of its calls observed. */
export function watched<T extends object>(port: T, now: () => number): T {
  const pulse: Pulse = {
    answered_at: null,
    silent_at: null,
    error: null,
    answers: 0,
    refusals: 0,
    silences: 0,
  };
  const note = (error?: unknown) => {
    if (error instanceof ProviderSilent) {
      pulse.silences += 1;
      pulse.silent_at = now();
      pulse.error = error.message.slice(0, 300);
      return;
    }
    if (error instanceof ProviderRefused) pulse.refusals += 1;
    else pulse.answers += 1;
    pulse.answered_at = now();
    pulse.error = null;
  };
  const observed = Object.fromEntries(
    Object.entries(port).map(([name, value]: [string, unknown]) => [
      name,
      typeof value !== 'function'
        ? value
        : (...args: unknown[]) => {
            const answer: unknown = value.apply(port, args);
            if (answer instanceof Promise) answer.then(() => note(), note);
            return answer;
          },
    ]),
  ) as T;
  pulses.set(observed, pulse);
  return observed;
}

/** Null for a port that nobody watches. */
export function pulseOf(port: object): Readonly<Pulse> | null {
  return pulses.get(port) ?? null;
}
