/** The settings of monitoring: counters, errors, metrics, and the log's level. */
import { isForPublic } from './address.ts';
import type { Env } from './env.ts';

/**
 * The monitoring services; null: not used and not loaded. Browsers get all these values, so they
 * are public. `rum.url` receives events by POST; a path means this server.
 */
export interface MonitoringConfig {
  rum: { url: string; client_key: string } | null;
  sentry: { dsn: string } | null;
  analytics: { script_url: string; site_key: string } | null;
}

/**
 * This server counts visits unless RUM_HOST is `off` or another host. Each other service needs an
 * address and a key; one without the other is a fault.
 */
export function readMonitoring(
  env: Env,
  publicUrl: string,
  faults: string[],
): MonitoringConfig | null {
  const pair = (address: string, secret: string): [URL, string] | null => {
    const [where, value] = [env[address] || null, env[secret] || null];
    if (where === null && value === null) return null;
    const url = where !== null && URL.canParse(where) ? new URL(where) : null;
    if (where === null || value === null)
      faults.push(`${address} e ${secret} vanno indicate insieme.`);
    else if (!/^[\x21-\x7e]{1,200}$/.test(value))
      faults.push(`${secret} deve avere al massimo 200 caratteri, senza spazi.`);
    if (where !== null && !isWebAddress(url))
      faults.push(`${address} deve essere un indirizzo https://…, non «${where}».`);
    return isWebAddress(url) ? [url, value ?? ''] : null;
  };
  const rum = countsNothing(env) ? null : pair('RUM_HOST', 'RUM_CLIENT_KEY');
  if (rum && (rum[0].pathname !== '/' || rum[0].search !== ''))
    faults.push('RUM_HOST è un indirizzo senza percorso, come https://misure.teatro.it.');
  const analytics = pair('ANALYTICS_URL', 'ANALYTICS_SITE_KEY');
  const dsn = env['SENTRY_DSN'] || null;
  const sentry = dsn !== null && URL.canParse(dsn) ? new URL(dsn) : null;
  if (
    dsn !== null &&
    (!isWebAddress(sentry) || sentry.username === '' || !/\/\d+$/.test(sentry.pathname))
  )
    faults.push('SENTRY_DSN deve essere un indirizzo come https://chiave@sentry.teatro.it/1.');
  const counters = rum
    ? {
        url: `${rum[0].origin === publicUrl ? '' : rum[0].origin}/api/rum/events`,
        client_key: rum[1],
      }
    : ownCounters(env);
  if (!counters && !analytics && dsn === null) return null;
  return {
    rum: counters,
    sentry: dsn === null ? null : { dsn },
    analytics: analytics && { script_url: analytics[0].href, site_key: analytics[1] },
  };
}

function countsNothing(env: Env): boolean {
  return env['RUM_HOST'] === 'off';
}

/** The key is public; it only stops pages that send here by mistake. */
function ownCounters(env: Env): MonitoringConfig['rum'] {
  return countsNothing(env) ? null : { url: '/api/rum/events', client_key: 'botteghino' };
}

/**
 * True for https; plain http is allowed only for this machine, for trials, because from an https
 * page browsers would block it.
 */
function isWebAddress(url: URL | null): url is URL {
  return (
    url !== null &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname)))
  );
}

/** The token must be as long as a password, because /metrics shows how much is sold. */
export function readMetricsToken(env: Env, faults: string[]): string | null {
  const token = env['METRICS_TOKEN'] || null;
  if (token !== null && !/^[\x21-\x7e]{16,200}$/.test(token))
    faults.push('METRICS_TOKEN deve avere da 16 a 200 caratteri, senza spazi.');
  return token;
}

/** HEARTBEAT_URL: an address of another service, which tells its owner when we stop calling it. */
export function readHeartbeat(env: Env, faults: string[]): string | null {
  const text = env['HEARTBEAT_URL'] || null;
  const url = text !== null && URL.canParse(text) ? new URL(text) : null;
  if (text !== null && !isWebAddress(url))
    faults.push('HEARTBEAT_URL deve essere un indirizzo come https://hc-ping.com/…');
  return text;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** A public site logs each request, to explain payments later; other sites log only faults. */
export function readLogLevel(env: Env, publicUrl: string, faults: string[]): string {
  const level = env['LOG_LEVEL'] || (isForPublic(env, publicUrl) ? 'info' : 'warn');
  if (!logLevels.includes(level))
    faults.push(`LOG_LEVEL può valere ${logLevels.join(', ')}, non «${level}».`);
  return level;
}
