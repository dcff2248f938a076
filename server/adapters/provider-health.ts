/**
 * Watches every call to a provider and remembers when it last answered or failed, for health
 * checks and metrics.
 */
import { ProviderRefused, ProviderUnavailable } from './provider.ts';

export interface ProviderHealth {
  /**
   * When it last answered, in epoch milliseconds; a refusal counts as an answer. Null: no call
   * since this process started.
   */
  answered_at: number | null;
  silent_at: number | null;
  /** The error of the last failure; null after an answer. */
  error: string | null;
  answers: number;
  refusals: number;
  silences: number;
}

const healthByPort = new WeakMap<object, ProviderHealth>();

/** Returns a port that makes the same calls and watches them. */
export function observeProvider<T extends object>(port: T, now: () => number): T {
  const health: ProviderHealth = {
    answered_at: null,
    silent_at: null,
    error: null,
    answers: 0,
    refusals: 0,
    silences: 0,
  };
  const note = (error?: unknown) => {
    if (error instanceof ProviderUnavailable) {
      health.silences += 1;
      health.silent_at = now();
      health.error = error.message.slice(0, 300);
      return;
    }
    if (error instanceof ProviderRefused) health.refusals += 1;
    else health.answers += 1;
    health.answered_at = now();
    health.error = null;
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
  healthByPort.set(observed, health);
  return observed;
}

/** Null if the port is not watched. */
export function providerHealth(port: object): Readonly<ProviderHealth> | null {
  return healthByPort.get(port) ?? null;
}
