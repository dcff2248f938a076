/** Turns an error of an outside provider into a refusal that tells the caller so. */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** For `.catch(refuseProviderError)`: no answer, or a no that only we can mend (a wrong key, an event that the vendor does not know). */
export function refuseProviderError(error: unknown): never {
  throw error instanceof ProviderUnavailable || error instanceof ProviderRefused
    ? new Refusal('provider_silent', undefined, error)
    : error;
}
