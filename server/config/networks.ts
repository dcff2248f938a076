/** The trusted proxies, and the private networks to which webhooks may be sent. */
import type { TrustedProxies } from '#server/http/caller.ts';
import { isNetwork } from '#server/networks.ts';
import type { Env } from './env.ts';

/** TRUST_PROXY: the number of proxies, or their addresses and networks, separated by commas. */
export function readProxies(env: Env, faults: string[]): TrustedProxies {
  const text = env['TRUST_PROXY'] || '0';
  if (/^\d$/.test(text)) return { hops: Number(text) };
  const networks = text.split(',').map((network) => network.trim());
  if (!networks.every(isNetwork))
    faults.push(
      `TRUST_PROXY è il numero dei proxy davanti a questo programma, o i loro indirizzi (10.0.0.5, 10.1.0.0/16), non «${text}».`,
    );
  return { networks: networks.filter(isNetwork) };
}

/** WEBHOOK_NETWORKS: addresses and networks, separated by commas. */
export function readWebhookNetworks(env: Env, faults: string[]): string[] {
  const networks = (env['WEBHOOK_NETWORKS'] ?? '')
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '');
  if (!networks.every(isNetwork))
    faults.push(
      `WEBHOOK_NETWORKS sono gli indirizzi di reti tue a cui si può scrivere (10.0.0.5, 10.1.0.0/16), non «${networks.join(',')}».`,
    );
  return networks.filter(isNetwork);
}
