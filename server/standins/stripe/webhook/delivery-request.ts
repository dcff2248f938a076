/** One try of one delivery over HTTP: signed as Stripe signs, or altered as a fault demands. */
import { createHmac } from 'node:crypto';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { VERSION, type ReadDesk } from '#server/standins/stripe/call.ts';
import { withPending, type StripeEvent } from './events.ts';
import type { DeliveryAction } from '#server/standins/stripe/faults/fault-rules.ts';
import { secretsOf, type WebhookEndpoint } from './webhook-endpoints.ts';

export interface Outcome {
  /** Null if the receiver accepted it, else the reason. */
  error: string | null;
  /** Whether the receiver answered at all. */
  answered: boolean;
}

/**
 * `t=<unix seconds>,v1=<hex hmac-sha256 of "t.body">…,v0=<the same for another scheme>`; the
 * whole text `whsec_…` is the key. While a secret is replaced there are two v1. v0 exists only in
 * test mode, and receivers must never trust it.
 */
function signatureOf(secrets: string[], body: string, at: number): string {
  const signed = (secret: string): string =>
    createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return [
    `t=${at}`,
    ...secrets.map((secret) => `v1=${signed(secret)}`),
    `v0=${signed(`v0 ${secrets.join(' ')}`)}`,
  ].join(',');
}

const agents = {
  http: new HttpAgent({ keepAlive: true, timeout: 5000 }),
  https: new HttpsAgent({ keepAlive: true, timeout: 5000 }),
};

export async function post(
  desk: ReadDesk,
  what: { endpoint: WebhookEndpoint; event: StripeEvent; spoilt?: DeliveryAction },
  limits: { signal: AbortSignal; timeoutMs: number },
): Promise<Outcome> {
  const { endpoint, event, spoilt } = what;
  const rendered = await withPending(desk, event);
  const honest = JSON.stringify(
    spoilt === 'wrong_livemode' ? { ...rendered, livemode: true } : rendered,
    null,
    2,
  );
  // The later time of the two clocks, because receivers refuse old times and accept future ones.
  const now = Math.floor(Math.max(desk.now(), Date.now()) / 1000);
  const secrets =
    spoilt === 'wrong_signature' ? ['whsec_another_shop'] : await secretsOf(desk, endpoint.id);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Stripe-Signature': signatureOf(secrets, honest, spoilt === 'old_timestamp' ? now - 3600 : now),
    'User-Agent': `Stripe/1.0 (stand-in; ${VERSION})`,
  };
  const outcome = await speak(
    endpoint.url,
    { headers, body: spoilt === 'tampered_body' ? tampered(rendered) : honest },
    limits,
  );
  return spoilt === 'lose_answer' && outcome.answered
    ? { error: 'The answer was lost (fault)', answered: true }
    : outcome;
}

/** Only the status matters: redirects are not followed, and the answer's body is dropped. */
function speak(
  url: string,
  sent: { headers: Record<string, string>; body: string },
  limits: { signal: AbortSignal; timeoutMs: number },
): Promise<Outcome> {
  const [request, agent] = url.startsWith('https:')
    ? [requestHttps, agents.https]
    : [requestHttp, agents.http];
  return new Promise((resolve) => {
    const call = request(url, {
      method: 'POST',
      agent,
      headers: { ...sent.headers, 'Content-Length': Buffer.byteLength(sent.body) },
    });
    const give = (outcome: Outcome): void => {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', stop);
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      give({ error: `No answer within ${limits.timeoutMs} ms`, answered: true });
      call.destroy();
    }, limits.timeoutMs);
    const stop = (): void => {
      give({ error: 'The stand-in was stopped', answered: false });
      call.destroy();
    };
    limits.signal.addEventListener('abort', stop);
    call.on('response', (answer) => {
      answer.resume();
      answer.on('error', () => undefined);
      answer.setTimeout(limits.timeoutMs, () => call.destroy());
      const status = answer.statusCode ?? 0;
      give({ error: status >= 200 && status < 300 ? null : `HTTP ${status}`, answered: true });
    });
    call.on('error', (error) =>
      give({
        error:
          'code' in error
            ? `${error.message || 'no connection'} (${String(error.code)})`
            : error.message,
        answered: false,
      }),
    );
    call.end(sent.body);
  });
}

/** The same event with another amount, as if an attacker had changed it on the way. */
function tampered(event: StripeEvent): string {
  const spoil = ([key, value]: [string, unknown]): [string, unknown] => [
    key,
    key.startsWith('amount') && typeof value === 'number' ? value + 1 : value,
  ];
  const object = Object.fromEntries(Object.entries(event.data.object).map(spoil));
  return JSON.stringify(
    { ...event, data: { ...event.data, object: { ...object, metadata: { tampered: 'true' } } } },
    null,
    2,
  );
}
