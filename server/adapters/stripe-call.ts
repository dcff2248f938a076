/** Runs a Stripe SDK call and turns its errors into ProviderRefused or ProviderUnavailable. */
import { Stripe } from 'stripe';
import { timeForTry, untilDeadline } from './deadline.ts';
import { openLine } from './line.ts';
import { ProviderRefused, ProviderUnavailable } from './provider.ts';

/**
 * Stripe refuses more than a hundred calls a second per account, and a refused call delays an
 * order. Each call takes some tenths of a second, so twenty may run at the same time.
 */
const inLine = openLine('Stripe', { mostAtOnce: 20, longestWaitMs: 10_000 });

/** Do not nest calls: the outer one would keep the place for which the inner one waits. */
export function askingStripe<T>(ask: () => Promise<T>): Promise<T> {
  return inOurErrors(() => untilDeadline('Stripe', () => inLine(ask)));
}

/** Stripe's own client, whose tries end with the deadline of the running request. */
export function clientInTime(): InstanceType<typeof Stripe.HttpClient> {
  const client = Stripe.createNodeHttpClient();
  const { makeRequest } = client;
  client.makeRequest = async (...ask) => {
    const longestMs = ask.pop() as number;
    const [host, port, path, method, headers, body, protocol] = ask;
    const ms = timeForTry('Stripe', longestMs);
    return makeRequest.call(client, host, port, path, method, headers, body, protocol, ms);
  };
  return client;
}

/** Only translates the errors; for work of the SDK that does not call Stripe. */
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
 * The code of this error: Stripe has stored its own failure under the idempotency key and would
 * repeat it for ever.
 */
export const burntKey = 'idempotency_key_burnt';

function isBurnt(error: Stripe.errors.StripeError): boolean {
  return (error.statusCode ?? 0) >= 500 && error.headers?.['idempotent-replayed'] === 'true';
}

/** True if Stripe read the call and did nothing: a 4xx except 409 and 429. */
function isClear(error: Stripe.errors.StripeError): boolean {
  const status = error.statusCode ?? 0;
  return status >= 400 && status < 500 && status !== 409 && status !== 429;
}

/** True if Stripe does not have the object; for an impossible id the 404 has no code. */
function isMissing({ code, statusCode }: Stripe.errors.StripeError): boolean {
  return code === 'resource_missing' || statusCode === 404;
}

/** Null if Stripe does not have the object. Any other error is thrown. */
export async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && isMissing(error)) return null;
    throw error;
  }
}
