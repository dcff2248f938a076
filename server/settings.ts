/** Every setting: its name, its default in words, and whether it is secret. */
import { isWholeAddress } from './domain/text/whole-address.ts';

interface Setting {
  name: string;
  /** The default in words, for the command `config`. */ usual: string;
  /** True: only the end of its value is shown. */ secret?: true;
}

export const settings: readonly Setting[] = [
  { name: 'PORT', usual: '3000' },
  { name: 'HOST', usual: 'tutte le reti' },
  { name: 'HTTPS_PORT', usual: 'PORT più 443, solo con --https' },
  { name: 'PUBLIC_URL', usual: 'http://localhost:PORT' },
  { name: 'TRUST_PROXY', usual: '0, nessun proxy' },
  { name: 'DATA_DIR', usual: 'data' },
  { name: 'DATABASE_URL', usual: 'SQLite in DATA_DIR', secret: true },
  { name: 'DATABASE_STATEMENTS', usual: 'con nome' },
  { name: 'CHART_DATABASE', usual: 'dove sta il resto' },
  { name: 'SECRETS_KEY', usual: 'nessuna: i segreti sono in chiaro', secret: true },
  { name: 'BACKUP_FOLDER', usual: 'una cartella in DATA_DIR' },
  { name: 'BACKUP_KEEP', usual: '24/7/5: ore, giorni, settimane' },
  { name: 'BACKUP_PASSPHRASE', usual: 'nessuna: in chiaro', secret: true },
  { name: 'BACKUP_PASSPHRASE_BEFORE', usual: 'nessuna: non è stata cambiata', secret: true },
  { name: 'BACKUP_RECIPIENT', usual: 'nessuna: in chiaro' },
  { name: 'BOTTEGHINO_NEW', usual: 'no' },
  { name: 'SECOND_FACTOR', usual: 'required dove arriva il pubblico, altrimenti off' },
  { name: 'CONFIRM_REFUND_EURO', usual: '200' },
  { name: 'NODE_ENV', usual: 'nessuno' },
  { name: 'BOTTEGHINO_DEMO', usual: 'no' },
  { name: 'STRIPE_SECRET_KEY', usual: 'nessuna: Stripe di prova', secret: true },
  { name: 'STRIPE_WEBHOOK_SECRET', usual: 'nessuno', secret: true },
  { name: 'STRIPE_URL', usual: 'Stripe' },
  { name: 'SEATSIO_SECRET_KEY', usual: 'nessuna: pianta di questo programma', secret: true },
  { name: 'SEATSIO_WORKSPACE_KEY', usual: 'nessuna', secret: true },
  { name: 'SEATSIO_URL', usual: 'seats.io' },
  { name: 'SEATSIO_REGION_URL', usual: 'https://api-{region}.seatsio.net' },
  { name: 'SMTP_URL', usual: 'nessuno: la posta resta in ufficio', secret: true },
  { name: 'MAIL_FROM', usual: 'botteghino@ e il nome di PUBLIC_URL' },
  { name: 'ALERT_MAIL', usual: 'il primo amministratore' },
  { name: 'ORGANISER_NAME', usual: 'Botteghino' },
  { name: 'SUPPORT_EMAIL', usual: 'nessuna' },
  { name: 'SUPPORT_PHONE', usual: 'nessuno' },
  { name: 'WEBHOOK_NETWORKS', usual: 'nessuna: solo indirizzi pubblici' },
  { name: 'HEARTBEAT_URL', usual: 'nessuno', secret: true },
  { name: 'METRICS_TOKEN', usual: 'nessuno: solo da questo computer', secret: true },
  { name: 'RUM_HOST', usual: 'i contatori di questo programma' },
  { name: 'RUM_CLIENT_KEY', usual: 'nessuna' },
  { name: 'ANALYTICS_URL', usual: 'nessuno' },
  { name: 'ANALYTICS_SITE_KEY', usual: 'nessuna' },
  { name: 'SENTRY_DSN', usual: 'nessuno' },
  { name: 'GOOGLE_WALLET_ISSUER_ID', usual: 'nessuno' },
  { name: 'GOOGLE_WALLET_KEY_FILE', usual: 'nessuno' },
  { name: 'APPLE_PASS_TYPE_ID', usual: 'nessuno' },
  { name: 'APPLE_TEAM_ID', usual: 'nessuno' },
  { name: 'APPLE_PASS_CERT_FILE', usual: 'nessuno' },
  { name: 'APPLE_PASS_KEY_FILE', usual: 'nessuno' },
  { name: 'APPLE_PASS_KEY_PASSPHRASE', usual: 'nessuna', secret: true },
  { name: 'APPLE_WWDR_FILE', usual: 'nessuno' },
  { name: 'DRAIN_SECONDS', usual: '0' },
  { name: 'LOG_LEVEL', usual: 'info dove arriva il pubblico, altrimenti warn' },
  { name: 'NO_COLOR', usual: 'nessuno' },
];

/**
 * The last four characters of a secret, to compare it with a vendor's page; nothing of a short
 * one. An address is shown without its user, password, query, and a path other than a database.
 */
export function maskSecret(value: string): string {
  if (value.includes('://')) {
    if (!isWholeAddress(value)) return '…';
    const { protocol, password, host, pathname } = new URL(value);
    const path = protocol.startsWith('postgres') || pathname === '/' ? pathname : '/…';
    return `${protocol}//${password === '' ? '' : '…@'}${host}${pathname === '' ? '' : path}`;
  }
  return value.length >= 16 ? `…${value.slice(-4)}` : '…';
}

/** The parts of a setting that must not be seen: each of a list, and the password of an address. */
function secretParts(value: string): string[] {
  const raw = /:\/\/[^:/?#]*:(.+)@/.exec(value)?.[1] ?? '';
  const password = URL.canParse(value) ? new URL(value).password : '';
  return [value, ...value.split(','), raw, password, decoded(raw), decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The least length of what is looked for in a text; shorter parts are in many words. */
const leastLength = 4;

/** The text without the value of any secret setting in `env`. */
export function withoutSecrets(text: string, env: Record<string, string | undefined>): string {
  return settings
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => secretParts(env[name] ?? ''))
    .filter((part) => part.trim().length >= leastLength)
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, part) => left.replaceAll(part, '…'), text);
}
