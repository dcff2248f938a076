/**
 * The two errors of an outside provider: it refused the call, or its outcome is unknown. Where no
 * caller tells them apart, both refuse with provider_silent.
 */
import { Refusal } from '#server/domain/refusal.ts';

/** What a vendor says beside its code: HTTP status, and facts about what was refused. */
interface RefusedWith {
  message: string;
  status: number;
  data?: unknown;
}

/**
 * A clear no: nothing happened there. A fault that only we can repair, such as a wrong key, is
 * one too.
 */
export class ProviderRefused extends Refusal {
  readonly vendorCode: string;
  /** Null where the vendor's library does not tell. */
  readonly status: number | null;
  readonly data: unknown;

  constructor(vendor: string, code: string, why: string | RefusedWith) {
    super('provider_silent');
    this.message = `${vendor}: ${code}: ${typeof why === 'string' ? why : why.message}`;
    this.name = 'ProviderRefused';
    this.vendorCode = code;
    this.status = typeof why === 'string' ? null : why.status;
    this.data = typeof why === 'string' ? undefined : why.data;
  }
}

type Call = (...args: unknown[]) => Promise<unknown>;

/** The same calls, each run by `ask`, which turns a vendor's errors into these two. */
export function eachBy<T extends object>(
  ask: <R>(call: () => Promise<R>) => Promise<R>,
  calls: T,
): T {
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]: [string, Call]) => [
      name,
      (...args: unknown[]) => ask(() => call(...args)),
    ]),
  ) as T;
}

/**
 * Timeout, broken connection, 5xx: it may have happened. The caller reads the state before it
 * tries again.
 */
export class ProviderUnavailable extends Refusal {
  constructor(vendor: string, message: string, cause: unknown) {
    super('provider_silent', undefined, cause);
    this.message = `${vendor}: ${message}`;
    this.name = 'ProviderUnavailable';
  }
}
