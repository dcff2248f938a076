/**
 * The two errors of a provider: it refused the call, or the outcome is unknown. If no caller
 * handles them, both become provider_silent.
 */
import { Refusal } from '#server/domain/refusal.ts';

/** What a vendor's refusal has besides its code: HTTP status, and facts about the object. */
interface RefusedWith {
  message: string;
  status: number;
  data?: unknown;
}

/**
 * The provider refused the call and changed nothing; the reason may be a fault that we must
 * repair, such as a wrong key.
 */
export class ProviderRefused extends Refusal {
  readonly vendorCode: string;
  /** Null if the vendor's library does not say. */
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

/** Wraps each call in `ask`, which turns the vendor's errors into the two errors of this file. */
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
 * A timeout, a broken connection or a 5xx. The call may have had its effect, so the caller reads
 * the state before it tries again.
 */
export class ProviderUnavailable extends Refusal {
  constructor(vendor: string, message: string, cause: unknown) {
    super('provider_silent', undefined, cause);
    this.message = `${vendor}: ${message}`;
    this.name = 'ProviderUnavailable';
  }
}
