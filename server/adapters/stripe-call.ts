/**
 * Runs a call of the Stripe SDK and turns its errors into ProviderRefused or ProviderUnavailable.
 */
import { Stripe } from 'stripe';
import { openLine } from './line.ts';
import { ProviderRefused, ProviderUnavailable } from './provider.ts';

/**
 * Stripe refuses what goes beyond a hundred calls a second of an account, each of which takes some
 * tenths of one; a call that was refused so has an order wait.
 */
const inLine = openLine('Stripe', { mostAtOnce: 20, longestWaitMs: 10_000 });

/** Never inside of another: the outer one would keep the place that the inner one waits for. */
export function askingStripe<T>(ask: () => Promise<T>): Promise<T> {
  return inOurErrors(() => inLine(ask));
}

/** For what the SDK does without calling Stripe. */
export async function inOurErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ProviderRefused || error instanceof ProviderUnavailable) throw error;
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      throw new ProviderRefused('Stripe', 'signature', error.message);
    if (error instanceof Stripe.errors.StripeError && isClear(error))
      throw new ProviderRefused('Stripe', error.code ?? error.type, {
        message: error.message,
        status: error.statusCode ?? 400,
        data: { param: error.param ?? null },
      });
    if (error instanceof Stripe.errors.StripeError && isBurnt(error))
      throw new ProviderRefused('Stripe', burntKey, error.message);
    throw new ProviderUnavailable(
      'Stripe',
      error instanceof Error ? error.message : String(error),
      error,
    );
  }
}

/**
 * Code of a refusal that is Stripe's memory of a failure of its own: under this idempotency key
 * nothing else will ever be answered.
 */
export const burntKey = 'idempotency_key_burnt';

function isBurnt(error: Stripe.errors.StripeError): boolean {
  return (error.statusCode ?? 0) >= 500 && error.headers?.['idempotent-replayed'] === 'true';
}

/** 4xx, but for 409 and 429: the call was read and did nothing. */
function isClear(error: Stripe.errors.StripeError): boolean {
  const status = error.statusCode ?? 0;
  return status >= 400 && status < 500 && status !== 409 && status !== 429;
}

/** An id that can be none has no code: its address leads nowhere. */
function isMissing({ code, statusCode }: Stripe.errors.StripeError): boolean {
  return code === 'resource_missing' || statusCode === 404;
}

/** Null for what Stripe says it does not have; any other no is told. */
export async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && isMissing(error)) return null;
    throw error;
  }
}
