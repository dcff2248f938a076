/** seats.io and Stripe: real if their keys are set, otherwise our stand-ins. */
import { isLiveKey } from '#server/adapters/stripe.ts';
import type { Env } from './env.ts';

export interface SeatsioConfig {
  url: string | null;
  secretKey: string;
  workspaceKey: string;
}

export interface StripeConfig {
  host: { hostname: string; port: number } | null;
  secretKey: string;
  webhookSecret: string;
}

export function readSeatsio(env: Env, faults: string[]): SeatsioConfig | null {
  const secretKey = env['SEATSIO_SECRET_KEY'] ?? '';
  const workspaceKey = env['SEATSIO_WORKSPACE_KEY'] ?? '';
  const url = env['SEATSIO_URL'] || null;
  if (!secretKey && !workspaceKey && !url) return null;
  if (!secretKey || !workspaceKey)
    faults.push('SEATSIO_SECRET_KEY e SEATSIO_WORKSPACE_KEY vanno indicate insieme.');
  if (url !== null && !URL.canParse(url))
    faults.push('SEATSIO_URL deve essere un indirizzo http://…');
  return { url, secretKey, workspaceKey };
}

export function readRegionUrl(env: Env, faults: string[]): string {
  const url = env['SEATSIO_REGION_URL'] || 'https://api-{region}.seatsio.net';
  if (!/^https?:\/\//.test(url) || !URL.canParse(url.replace('{region}', 'eu')))
    faults.push(
      'SEATSIO_REGION_URL deve essere un indirizzo come https://api-{region}.seatsio.net.',
    );
  return url;
}

/** What stands beside the right value on Stripe's pages, by the beginning that Stripe gives it. */
const lookalikes: Record<string, string> = {
  pk: 'è la chiave pubblicabile',
  sk: 'è la chiave segreta',
  rk: 'è una chiave con restrizioni',
  we: 'è il nome del webhook, e il suo segreto è accanto',
  whsec: 'è il segreto del webhook',
  acct: 'è il numero dell’account',
};

/** The part of a sentence that says what this value is instead; empty for any other. */
function mistakenFor(value: string): string {
  const [, prefix = ''] = /^([a-z]+)_/.exec(value) ?? [];
  const what = lookalikes[prefix];
  return what === undefined ? '' : `: ${prefix}_… ${what}`;
}

export function readStripe(env: Env, publicUrl: string, faults: string[]): StripeConfig | null {
  const secretKey = env['STRIPE_SECRET_KEY'] ?? '';
  const webhookSecret = env['STRIPE_WEBHOOK_SECRET'] ?? '';
  const address = env['STRIPE_URL'] || null;
  if (!secretKey && !webhookSecret && !address) return null;
  if (!secretKey || !webhookSecret)
    faults.push('STRIPE_SECRET_KEY e STRIPE_WEBHOOK_SECRET vanno indicate insieme.');
  const live = isLiveKey(secretKey);
  if (secretKey && !/^(sk|rk)_(test|live)_/.test(secretKey))
    faults.push(
      `STRIPE_SECRET_KEY deve cominciare con sk_test_ o sk_live_${/^[sr]k_/.test(secretKey) ? '' : mistakenFor(secretKey)}.`,
    );
  for (const one of webhookSecret.split(',').map((text) => text.trim()))
    if (!one.startsWith('whsec_') && mistakenFor(one) !== '')
      faults.push(`STRIPE_WEBHOOK_SECRET deve cominciare con whsec_${mistakenFor(one)}.`);
  if (live && address)
    faults.push('STRIPE_URL indica uno Stripe di prova: con una chiave sk_live_ non si può usare.');
  if (live && !publicUrl.startsWith('https:'))
    faults.push('Con una chiave sk_live_ PUBLIC_URL deve essere https://…');
  const url = address !== null && URL.canParse(address) ? new URL(address) : null;
  if (address !== null && url?.protocol !== 'http:')
    faults.push('STRIPE_URL deve essere un indirizzo http://…');
  return {
    host: url ? { hostname: url.hostname, port: Number(url.port || 80) } : null,
    secretKey,
    webhookSecret,
  };
}
