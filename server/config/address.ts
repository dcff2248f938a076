/** The address and port of this process, and its public address. */
import { isIP } from 'node:net';
import { isOwnNetwork } from '#server/http/caller.ts';
import type { Env } from './env.ts';

export function readPort(env: Env, faults: string[]): number {
  const port = Number(env['PORT'] || 3000);
  if (isPort(port)) return port;
  faults.push(`PORT deve essere un numero da 1 a 65535, non «${env['PORT']}».`);
  return 3000;
}

/** DRAIN_SECONDS in ms; a service manager must kill the process later (TimeoutStopSec). */
export function readDrain(env: Env, faults: string[]): number {
  const text = env['DRAIN_SECONDS'] || '0';
  const isRight = /^\d{1,3}$/.test(text) && Number(text) <= 300;
  if (!isRight)
    faults.push(`DRAIN_SECONDS deve essere un numero intero da 0 a 300, non «${text}».`);
  return isRight ? Number(text) * 1000 : 0;
}

/** HOST: an address of this computer, such as 127.0.0.1 for a proxy on the same machine. */
export function readHost(env: Env, faults: string[]): string | null {
  const host = env['HOST'] || null;
  if (host !== null && isIP(host) === 0)
    faults.push(`HOST deve essere un indirizzo di questo computer, come 127.0.0.1, non «${host}».`);
  return host;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

/**
 * Checks the flags `--dev` and `--https`; returns the HTTPS port, which is HTTPS_PORT or 443
 * above PORT, or null.
 */
export function readFlags(
  env: Env,
  { argv, port, faults }: { argv: readonly string[]; port: number; faults: string[] },
): number | null {
  for (const flag of argv)
    if (flag !== '--dev' && flag !== '--https')
      faults.push(
        `Non conosco l’opzione «${flag}»: ci sono --https (per provare la porta con i telefoni) e --dev (per chi sviluppa).`,
      );
  if (!argv.includes('--https')) return null;
  if (argv.includes('--dev'))
    faults.push(
      '--https e --dev non vanno insieme: i telefoni si provano con l’app costruita, npm start -- --https.',
    );
  const httpsPort = Number(env['HTTPS_PORT'] || (port + 443 < 65_536 ? port + 443 : port - 443));
  if (!isPort(httpsPort))
    faults.push(`HTTPS_PORT deve essere un numero da 1 a 65535, non «${env['HTTPS_PORT']}».`);
  if (httpsPort === port)
    faults.push(`HTTPS_PORT e PORT devono essere due porte diverse, non tutte e due ${port}.`);
  return httpsPort;
}

/** PUBLIC_URL, otherwise `usual`: this computer, or with `--https` its address for phones. */
export function readPublicUrl(env: Env, usual: string, faults: string[]): string {
  const text = env['PUBLIC_URL'] || usual;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === ''
  )
    return url.origin;
  faults.push(
    `PUBLIC_URL deve essere un indirizzo come https://biglietti.teatro.it, senza percorso, non «${text}».`,
  );
  return 'http://localhost';
}

/** True in production, or if PUBLIC_URL is a public address. */
export function isForPublic(env: Env, publicUrl: string): boolean {
  return (
    /^production$/i.test(env['NODE_ENV'] ?? '') ||
    (Boolean(env['PUBLIC_URL']) && isPublicAddress(publicUrl))
  );
}

/** False for this computer and for its own network. */
function isPublicAddress(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return !isOwnNetwork(address);
  return hostname.includes('.') && !/\.(?:local|localhost|lan|internal|home\.arpa)$/.test(hostname);
}
