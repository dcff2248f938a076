/** What a provider that does not help means for the one who asked: a clear refusal, not an error of his. */
import { ProviderRefused, ProviderSilent } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** For `.catch(silent)`: no answer, or a no that only we can mend (a wrong key, an event that the vendor does not know). */
export function silent(error: unknown): never {
  throw error instanceof ProviderSilent || error instanceof ProviderRefused
    ? new Refusal('provider_silent', undefined, error)
    : error;
}
