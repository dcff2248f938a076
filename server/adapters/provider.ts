/**
 * The two errors of an outside provider: the call was refused, or its outcome is unknown. If no
 * caller handles them, both refuse with provider_silent.
 */
import { Refusal } from '#server/domain/refusal.ts';

/**
 * What a vendor's refusal says beside its code: HTTP status, and facts about the refused object.
 */
interface RefusedWith {
  message: string;
  status: number;
  data?: unknown;
}

/**
 * The call was refused and changed nothing, also because of a fault that only we can repair, such
 * as a wrong key.
 */
export class ProviderRefused extends Refusal {
  readonly vendorCode: string;
  /** Null: the vendor's library does not say. */
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

/** The same calls, each run through `ask`, which turns the vendor's errors into these two. */
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
 * Timeout, broken connection or 5xx: the call may have taken effect, so the caller reads the
 * state before it tries again.
 */
export class ProviderUnavailable extends Refusal {
  constructor(vendor: string, message: string, cause: unknown) {
    super('provider_silent', undefined, cause);
    this.message = `${vendor}: ${message}`;
    this.name = 'ProviderUnavailable';
  }
}
