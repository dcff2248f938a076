/** One try of one delivery on the wire: signed as Stripe signs, or spoilt as a fault demands. */
import { createHmac } from 'node:crypto';
import { CURRENT_VERSION, type Desk } from './call.ts';
import { renderedFor, type StripeEvent } from './events.ts';
import type { DeliveryAction } from './faults.ts';
import { secretsOf, type WebhookEndpoint } from './webhook-endpoints.ts';

export interface Outcome {
  /** Null when the receiver took it, else why not. */
  error: string | null;
  /** Whether anybody was there. */
  answered: boolean;
}

/**
 * `t=<unix seconds>,v1=<hex hmac-sha256 of "t.body">…,v0=<the same for another scheme>`; the whole `whsec_…` text is the key.
 * While a secret is being changed there are two v1; v0 goes out in test mode only and must never be trusted.
 */
export function signatureOf(secrets: string[], body: string, at: number): string {
  const signed = (secret: string): string => createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return [`t=${at}`, ...secrets.map((secret) => `v1=${signed(secret)}`), `v0=${signed(`v0 ${secrets[0]!}`)}`].join(',');
}

export async function post(desk: Desk, what: { endpoint: WebhookEndpoint; event: StripeEvent; spoilt?: DeliveryAction | undefined }, limits: { signal: AbortSignal; timeoutMs: number }): Promise<Outcome> {
  const { endpoint, event, spoilt } = what;
  const rendered = renderedFor(desk, event, endpoint);
  const honest = JSON.stringify(spoilt === 'wrong_livemode' ? { ...rendered, livemode: true } : rendered, null, 2);
  // The later of the two clocks: receivers refuse what is old and take what is ahead, whichever clock they go by.
  const now = Math.floor(Math.max(desk.now(), Date.now()) / 1000);
  const secrets = spoilt === 'wrong_signature' ? ['whsec_somebody_else'] : secretsOf(desk, endpoint.id);
  try {
    const answer = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': signatureOf(secrets, honest, spoilt === 'old_timestamp' ? now - 3600 : now),
        'User-Agent': `Stripe/1.0 (stand-in; ${CURRENT_VERSION})`,
      },
      body: spoilt === 'tampered_body' ? tampered(rendered) : honest,
      redirect: 'manual',
      signal: AbortSignal.any([limits.signal, AbortSignal.timeout(limits.timeoutMs)]),
    });
    await answer.body?.cancel();
    if (spoilt === 'lose_answer') return { error: 'The answer was lost (fault)', answered: true };
    return { error: answer.ok ? null : `HTTP ${answer.status}`, answered: true };
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    return { error: timedOut ? `No answer within ${limits.timeoutMs} ms` : reasonOf(error), answered: timedOut };
  }
}

/** The same event with another sum in it: what somebody on the line would change. */
function tampered(event: StripeEvent): string {
  const spoil = ([key, value]: [string, unknown]): [string, unknown] => [key, /^amount/.test(key) && typeof value === 'number' ? value + 1 : value];
  const object = Object.fromEntries(Object.entries(event.data.object).map(spoil));
  return JSON.stringify({ ...event, data: { ...event.data, object: { ...object, metadata: { tampered: 'true' } } } }, null, 2);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? `${error.message}: ${String(cause.code)}` : `${error.name}: ${error.message}`;
}
