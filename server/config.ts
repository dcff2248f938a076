/** The environment becomes a typed configuration; all that is wrong with it is said at once, in words. The only file that reads process.env. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { isRecipient, type Sealing } from './adapters/backup-file.ts';
import { bracketed, findLocalNames } from './adapters/local-network.ts';
import { isLiveKey } from './adapters/stripe.ts';
import type { AppleWalletConfig } from './adapters/wallet-apple.ts';
import type { GoogleWalletConfig } from './adapters/wallet-google.ts';
import type { Keeping } from './domain/backup.ts';
import { isMailAddress } from '#server/domain/mail/address.ts';
import { isOwnNetwork, type TrustedProxies } from './http/caller.ts';
import { isNetwork } from './networks.ts';
import { maskSecret, settings } from './settings.ts';

interface SeatsioConfig {
  url: string | null;
  secretKey: string;
  workspaceKey: string;
}
interface StripeConfig {
  host: { hostname: string; port: number } | null;
  secretKey: string;
  webhookSecret: string;
}

/** `url` null: mail is kept and read in the office. `from`: whose name buyers see. */
interface MailConfig {
  url: string | null;
  from: { name: string; address: string };
}
/** Who answers to a buyer; null: not told. */
interface OrganiserConfig {
  name: string;
  email: string | null;
  phone: string | null;
}

/**
 * Services that watch; null: none, nothing of them is loaded. All of it is public: browsers are told. `rum.url` takes POSTs of events; a
 * path means this server.
 */
interface MonitoringConfig {
  rum: { url: string; client_key: string } | null;
  sentry: { dsn: string } | null;
  analytics: { script_url: string; site_key: string } | null;
}

export interface Config {
  /** The address that is listened on; null: all of this computer's. */
  host: string | null;
  port: number;
  /** HTTPS beside HTTP, with a certificate that this computer makes for itself; null: plain HTTP only. */
  httpsPort: number | null;
  /** Without a trailing slash. Links are never built from a request's Host. */
  publicUrl: string;
  /** Test money on purpose (`BOTTEGHINO_DEMO=1`): every ticket says PROVA. */
  demonstration: boolean;
  dataDir: string;
  /** 32 bytes that seal the secrets of ticket codes in the database (AES-256-GCM); null: whoever copies the database can make tickets. */
  secretsKey: Buffer | null;
  /** What was sealed with these is still read, and sealed anew at the start. */
  secretsKeysBefore: readonly Buffer[];
  /** Where backups go, who can read them and how many are kept; `folder` null: beside the house, on the same disk. */
  backup: { folder: string | null; seal: Sealing; keep: Keeping };
  /** A new house may be made though files of another one lie in DATA_DIR (`BOTTEGHINO_NEW=1`). */
  startsAnew: boolean;
  /** Whether administrators and the office need a second factor a week after their first login; `required` where the public comes, but for a demonstration. */
  secondFactor: 'required' | 'off';
  /** A refund of more cents asks for password or second factor again. */
  confirmRefundCents: number;
  /** SQLite path or postgres:// address. */
  database: string;
  /** The seat map of our own lies in the same PostgreSQL, so that several processes share it; otherwise in a file of DATA_DIR. */
  chartInDatabase: boolean;
  /** Whether busy statements are prepared under names; not behind a PostgreSQL pooler in transaction mode. */
  namedStatements: boolean;
  /** The folder of the built apps. */
  dist: string;
  /** So long /readyz says no before the port is closed: whoever balances the load has seen it by then. */
  drainMs: number;
  /** Null: our stand-in, started inside this process. */
  seatsio: SeatsioConfig | null;
  stripe: StripeConfig | null;
  mail: MailConfig;
  /** Who is told by mail when something is wrong with the house; null: the first administrator. */
  alertMail: string | null;
  /** What a watching machine shows as `Authorization: Bearer …` to read /metrics; null: only from this machine. */
  metricsToken: string | null;
  /** Used until the office has entered its own. */
  organiser: OrganiserConfig;
  monitoring: MonitoringConfig | null;
  /** Null: tickets are not offered for this wallet. */
  googleWallet: GoogleWalletConfig | null;
  appleWallet: AppleWalletConfig | null;
  /** Where seats.io keeps the accounts whose drawings may be brought in; `{region}` stands for eu, na, sa or oc. */
  seatsioRegionUrl: string;
  /** Whose word about a visitor's address counts. */
  proxies: TrustedProxies;
  /** Networks of our own that webhooks may be sent to, also without TLS; all others are refused unless they are the public's. */
  webhookNetworks: readonly string[];
  logLevel: string;
  dev: boolean;
  /** See Serving in http/serve.ts. */
  strictRefusals: boolean;
}

interface ToldSetting {
  name: string;
  /** Secrets show their end only; null: not set. */ value: string | null;
  usual: string;
}

/** Every setting as this process sees it. */
export function tellSettings(): ToldSetting[] {
  return settings.map(({ name, usual, secret }) => {
    const value = process.env[name] || null;
    return { name, usual, value: value !== null && secret ? maskSecret(value) : value };
  });
}

/** https://no-color.org: any value means that colours are not wanted. */
export function wantsColour(isTerminal: boolean): boolean {
  return isTerminal && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}

export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`La configurazione non va bene:\n${faults.map((fault) => `  · ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

type Env = Record<string, string | undefined>;

/** Throws a ConfigError that names every fault. */
export function readConfig(
  env: Env = process.env,
  argv: readonly string[] = process.argv.slice(2),
): Config {
  const faults: string[] = [];
  const port = readPort(env, faults);
  const httpsPort = readFlags(env, { argv, port, faults });
  const publicUrl = readPublicUrl(
    env,
    httpsPort === null
      ? `http://localhost:${port}`
      : `https://${bracketed(findLocalNames().addresses[0]!)}:${httpsPort}`,
    faults,
  );
  const dataDir = resolve(env['DATA_DIR'] || 'data');
  const organiser = readOrganiser(env, faults);
  const [secretsKey = null, ...secretsKeysBefore] = readSecretsKeys(env, faults);
  const config: Config = {
    host: readHost(env, faults),
    port,
    httpsPort,
    publicUrl,
    demonstration: env['BOTTEGHINO_DEMO'] === '1' && !isLiveKey(env['STRIPE_SECRET_KEY'] ?? ''),
    dataDir,
    secretsKey,
    secretsKeysBefore,
    backup: readBackup(env, faults),
    startsAnew: env['BOTTEGHINO_NEW'] === '1',
    secondFactor: readSecondFactor(env, publicUrl, faults),
    confirmRefundCents: readConfirmRefund(env, faults),
    ...readDatabase(env, dataDir, faults),
    organiser,
    monitoring: readMonitoring(env, publicUrl, faults),
    metricsToken: readMetricsToken(env, faults),
    googleWallet: readGoogleWallet(env, faults),
    appleWallet: readAppleWallet(env, faults),
    mail: readMail(env, { publicUrl, organiser }, faults),
    alertMail: readAlertMail(env, faults),
    drainMs: readDrain(env, faults),
    dist: resolve(import.meta.dirname, '../dist'),
    seatsio: readSeatsio(env, faults),
    stripe: readStripe(env, publicUrl, faults),
    seatsioRegionUrl: readRegionUrl(env, faults),
    proxies: readProxies(env, faults),
    webhookNetworks: readWebhookNetworks(env, faults),
    logLevel: readLogLevel(env, publicUrl, faults),
    dev: argv.includes('--dev'),
    strictRefusals: argv.includes('--dev'),
  };
  requireRealMoney(env, config, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Where the public comes each request is written down, so that one can tell later what happened to a payment; at home only what goes wrong. */
function readLogLevel(env: Env, publicUrl: string, faults: string[]): string {
  const level = env['LOG_LEVEL'] || (isForPublic(env, publicUrl) ? 'info' : 'warn');
  if (!logLevels.includes(level))
    faults.push(`LOG_LEVEL può valere ${logLevels.join(', ')}, non «${level}».`);
  return level;
}

/** Pretended payments issue tickets that open doors: where strangers come, only as a demonstration that somebody asked for. */
function requireRealMoney(
  env: Env,
  { publicUrl, stripe }: Pick<Config, 'publicUrl' | 'stripe'>,
  faults: string[],
): void {
  const isReal = stripe !== null && isLiveKey(stripe.secretKey);
  if (isReal || !isForPublic(env, publicUrl) || env['BOTTEGHINO_DEMO'] === '1') return;
  faults.push(
    'Dove arriva il pubblico serve STRIPE_SECRET_KEY con una chiave sk_live_: i pagamenti di prova non sono veri (per una dimostrazione: BOTTEGHINO_DEMO=1).',
  );
}

/** An address that was found, not written down, is this computer's own: `--https` for phones in the same network. */
function isForPublic(env: Env, publicUrl: string): boolean {
  return (
    /^production$/i.test(env['NODE_ENV'] ?? '') ||
    (Boolean(env['PUBLIC_URL']) && isPublicAddress(publicUrl))
  );
}

function readSecondFactor(env: Env, publicUrl: string, faults: string[]): 'required' | 'off' {
  const choices = ['required', 'off'] as const;
  const text = env['SECOND_FACTOR'] || null;
  const chosen = choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  if (text !== null)
    faults.push(`SECOND_FACTOR può valere «${choices[0]}» oppure «${choices[1]}», non «${text}».`);
  return isForPublic(env, publicUrl) && env['BOTTEGHINO_DEMO'] !== '1' ? 'required' : 'off';
}

/** Whole euro. */
function readConfirmRefund(env: Env, faults: string[]): number {
  const text = env['CONFIRM_REFUND_EURO'] || '200';
  if (!/^\d{1,6}$/.test(text))
    faults.push(`CONFIRM_REFUND_EURO deve essere un numero intero di euro, non «${text}».`);
  return (Number.parseInt(text, 10) || 0) * 100;
}

/** Neither this computer nor its own network. */
function isPublicAddress(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return !isOwnNetwork(address);
  return hostname.includes('.') && !/\.(?:local|localhost|lan|internal|home\.arpa)$/.test(hostname);
}

/** No prepared statement has a name: for a pooler that hands connections on after each transaction. */
const turnedOff = 'off';
/** The seat map stays in a file of DATA_DIR beside a house in PostgreSQL. */
const inFile = 'file';

function readDatabase(
  env: Env,
  dataDir: string,
  faults: string[],
): Pick<Config, 'database' | 'namedStatements' | 'chartInDatabase'> {
  const url = env['DATABASE_URL'] || null;
  const statements = env['DATABASE_STATEMENTS'] || null;
  if (url !== null && !/^postgres(ql)?:\/\/.+/.test(url))
    faults.push('DATABASE_URL deve cominciare con postgres:// (senza, si usa SQLite in DATA_DIR).');
  if (statements !== null && statements !== turnedOff)
    faults.push(`DATABASE_STATEMENTS può valere solo «${turnedOff}», non «${statements}».`);
  const chart = env['CHART_DATABASE'] || null;
  if (chart !== null && chart !== inFile)
    faults.push(`CHART_DATABASE può valere solo «${inFile}», non «${chart}».`);
  return {
    database: url ?? join(dataDir, 'botteghino.sqlite'),
    chartInDatabase: url !== null && chart !== inFile,
    namedStatements: statements !== turnedOff,
  };
}

/** Whoever has it sees how much is sold: as long as a password. */
function readMetricsToken(env: Env, faults: string[]): string | null {
  const token = env['METRICS_TOKEN'] || null;
  if (token !== null && !/^[\x21-\x7e]{16,200}$/.test(token))
    faults.push('METRICS_TOKEN deve avere da 16 a 200 caratteri, senza spazi.');
  return token;
}

/** `openssl rand -base64 32` makes one. Whoever loses it loses the codes of all tickets that are sold. While it is being replaced the one before follows after a comma. */
function readSecretsKeys(env: Env, faults: string[]): Buffer[] {
  const text = env['SECRETS_KEY'] || null;
  if (text === null) return [];
  const keys = text.split(',').map((one) => Buffer.from(one.trim(), 'base64'));
  if (keys.every((key) => key.length === 32)) return keys;
  faults.push(
    'SECRETS_KEY deve essere di 32 byte in base64 (openssl rand -base64 32); mentre la cambi, la nuova, una virgola e la vecchia.',
  );
  return [];
}

/** BACKUP_KEEP: of how many hours, days and weeks the newest backup stays. BACKUP_RECIPIENT is a public key (age1…): its secret one need not be here. */
function readBackup(env: Env, faults: string[]): Config['backup'] {
  const folder = env['BACKUP_FOLDER'] || null;
  const passphrase = env['BACKUP_PASSPHRASE'] || null;
  const recipient = env['BACKUP_RECIPIENT'] || null;
  if (passphrase !== null && passphrase.length < 12)
    faults.push('BACKUP_PASSPHRASE deve avere almeno 12 caratteri.');
  if (passphrase !== null && recipient !== null)
    faults.push('BACKUP_PASSPHRASE e BACKUP_RECIPIENT non vanno insieme: scegline una.');
  if (recipient !== null && !isRecipient(recipient))
    faults.push('BACKUP_RECIPIENT deve essere una chiave pubblica di age, che comincia con age1.');
  const [, ...numbers] =
    /^(\d{1,3})\/(\d{1,3})\/(\d{1,3})$/.exec(env['BACKUP_KEEP'] || '24/7/5') ?? [];
  const [hours = 0, days = 0, weeks = 0] = numbers.map(Number);
  if (hours + days + weeks === 0)
    faults.push(
      `BACKUP_KEEP dice di quante ore, giorni e settimane tenere una copia, come 24/7/5, non «${env['BACKUP_KEEP']}».`,
    );
  return {
    folder: folder === null ? null : resolve(folder),
    seal: sealingOf(passphrase, recipient),
    keep: { hours, days, weeks },
  };
}

function sealingOf(passphrase: string | null, recipient: string | null): Sealing {
  if (passphrase !== null) return { passphrase };
  return recipient === null ? null : { recipient };
}

/** What the database says at the start: some events were sealed with another key. */
export function wrongSecretsKey(events: number): ConfigError {
  return new ConfigError([
    `SECRETS_KEY non è la chiave con cui sono sigillati i segreti dei biglietti (eventi: ${events}): senza quella i biglietti venduti non si possono leggere.`,
  ]);
}

function readPort(env: Env, faults: string[]): number {
  const port = Number(env['PORT'] || 3000);
  if (isPort(port)) return port;
  faults.push(`PORT deve essere un numero da 1 a 65535, non «${env['PORT']}».`);
  return 3000;
}

/** Whole seconds; a service that is ended by force after so many must know of them (TimeoutStopSec). */
function readDrain(env: Env, faults: string[]): number {
  const text = env['DRAIN_SECONDS'] || '0';
  const isRight = /^\d{1,3}$/.test(text) && Number(text) <= 300;
  if (!isRight)
    faults.push(`DRAIN_SECONDS deve essere un numero intero da 0 a 300, non «${text}».`);
  return isRight ? Number(text) * 1000 : 0;
}

/** An address of this computer, such as 127.0.0.1 for a proxy on the same machine only. */
function readHost(env: Env, faults: string[]): string | null {
  const host = env['HOST'] || null;
  if (host !== null && isIP(host) === 0)
    faults.push(`HOST deve essere un indirizzo di questo computer, come 127.0.0.1, non «${host}».`);
  return host;
}

/** TRUST_PROXY: how many proxies stand in front of us, or their addresses and networks, with commas between. */
function readProxies(env: Env, faults: string[]): TrustedProxies {
  const text = env['TRUST_PROXY'] || '0';
  if (/^\d$/.test(text)) return { hops: Number(text) };
  const networks = text.split(',').map((network) => network.trim());
  if (!networks.every(isNetwork))
    faults.push(
      `TRUST_PROXY è il numero dei proxy davanti a questo programma, o i loro indirizzi (10.0.0.5, 10.1.0.0/16), non «${text}».`,
    );
  return { networks: networks.filter(isNetwork) };
}

/** WEBHOOK_NETWORKS: addresses and networks, with commas between. */
function readWebhookNetworks(env: Env, faults: string[]): string[] {
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

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

/** The command line: `--dev`, `--https`. The port of the latter is HTTPS_PORT, else 443 above the other one. */
function readFlags(
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

/** Without PUBLIC_URL links lead to `usual`: this computer, or with `--https` its address for phones. */
function readPublicUrl(env: Env, usual: string, faults: string[]): string {
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

function readSeatsio(env: Env, faults: string[]): SeatsioConfig | null {
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

function readRegionUrl(env: Env, faults: string[]): string {
  const url = env['SEATSIO_REGION_URL'] || 'https://api-{region}.seatsio.net';
  if (!/^https?:\/\//.test(url) || !URL.canParse(url.replace('{region}', 'eu')))
    faults.push(
      'SEATSIO_REGION_URL deve essere un indirizzo come https://api-{region}.seatsio.net.',
    );
  return url;
}

function readStripe(env: Env, publicUrl: string, faults: string[]): StripeConfig | null {
  const secretKey = env['STRIPE_SECRET_KEY'] ?? '';
  const webhookSecret = env['STRIPE_WEBHOOK_SECRET'] ?? '';
  const address = env['STRIPE_URL'] || null;
  if (!secretKey && !webhookSecret && !address) return null;
  if (!secretKey || !webhookSecret)
    faults.push('STRIPE_SECRET_KEY e STRIPE_WEBHOOK_SECRET vanno indicate insieme.');
  const live = isLiveKey(secretKey);
  if (secretKey && !/^(sk|rk)_(test|live)_/.test(secretKey))
    faults.push('STRIPE_SECRET_KEY deve cominciare con sk_test_ o sk_live_.');
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

function readOrganiser(env: Env, faults: string[]): OrganiserConfig {
  const email = env['SUPPORT_EMAIL'] || null;
  if (email !== null && !isMailAddress(email))
    faults.push(
      `SUPPORT_EMAIL deve essere un indirizzo come assistenza@teatro.it, non «${email}».`,
    );
  return {
    name: env['ORGANISER_NAME'] || 'Botteghino',
    email,
    phone: env['SUPPORT_PHONE'] || null,
  };
}

/** We count ourselves, unless RUM_HOST is `off` or another host; the rest is off until its keys are set. An address without its key, or the other way round, is a mistake. */
function readMonitoring(env: Env, publicUrl: string, faults: string[]): MonitoringConfig | null {
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

/** The key is public, and only keeps other sites' pages out by mistake. */
function ownCounters(env: Env): MonitoringConfig['rum'] {
  return countsNothing(env) ? null : { url: '/api/rum/events', client_key: 'botteghino' };
}

/** On plain http only this machine, for trying out: a browser would block it from an https page anyway. */
function isWebAddress(url: URL | null): url is URL {
  return (
    url !== null &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname)))
  );
}

/** GOOGLE_WALLET_ISSUER_ID: the account's number at pay.google.com; GOOGLE_WALLET_KEY_FILE: the JSON file of its service account, as Google gives it. */
function readGoogleWallet(env: Env, faults: string[]): GoogleWalletConfig | null {
  const [issuer_id, file] = [
    env['GOOGLE_WALLET_ISSUER_ID'] ?? '',
    env['GOOGLE_WALLET_KEY_FILE'] ?? '',
  ];
  if (!issuer_id && !file) return null;
  if (!issuer_id || !file)
    faults.push('GOOGLE_WALLET_ISSUER_ID e GOOGLE_WALLET_KEY_FILE vanno indicate insieme.');
  if (issuer_id && !/^\d{5,30}$/.test(issuer_id))
    faults.push('GOOGLE_WALLET_ISSUER_ID deve essere il numero dell’emittente, solo cifre.');
  if (!file) return null;
  try {
    const { client_email, private_key } = JSON.parse(readFileSync(file, 'utf8')) as {
      client_email: unknown;
      private_key: unknown;
    };
    if (
      typeof client_email !== 'string' ||
      typeof private_key !== 'string' ||
      createPrivateKey(private_key).asymmetricKeyType !== 'rsa'
    )
      throw new Error('no RSA key');
    return { issuer_id, client_email, private_key };
  } catch {
    faults.push(
      `GOOGLE_WALLET_KEY_FILE deve essere il file JSON di un account di servizio di Google, con la sua chiave; «${file}» non lo è.`,
    );
    return null;
  }
}

const appleNames = [
  'APPLE_PASS_TYPE_ID',
  'APPLE_TEAM_ID',
  'APPLE_PASS_CERT_FILE',
  'APPLE_PASS_KEY_FILE',
  'APPLE_WWDR_FILE',
] as const;

/** Files are PEM: the certificate of the pass type and its key (APPLE_PASS_KEY_PASSPHRASE, if it has one), and Apple's intermediate certificate (WWDR G4). */
function readAppleWallet(env: Env, faults: string[]): AppleWalletConfig | null {
  const [pass_type_id = '', team_id = '', ...files] = appleNames.map((name) => env[name] ?? '');
  if (![pass_type_id, team_id, ...files].some(Boolean)) return null;
  if (![pass_type_id, team_id, ...files].every(Boolean))
    faults.push(`${appleNames.join(', ')} vanno indicate insieme.`);
  if (pass_type_id && !/^pass\.[\w.-]{1,100}$/.test(pass_type_id))
    faults.push('APPLE_PASS_TYPE_ID deve essere come pass.it.teatro.biglietti.');
  if (team_id && !/^[A-Z0-9]{10}$/.test(team_id))
    faults.push('APPLE_TEAM_ID ha dieci lettere maiuscole e cifre.');
  const passphrase = env['APPLE_PASS_KEY_PASSPHRASE'] || null;
  if (!files.every(Boolean)) return null;
  try {
    const [certificate = '', key = '', wwdr = ''] = files.map((file) => readFileSync(file, 'utf8'));
    const [signer] = [certificate, wwdr].map((pem) => new X509Certificate(pem));
    const privateKey = createPrivateKey({ key, ...(passphrase === null ? {} : { passphrase }) });
    if (!signer!.checkPrivateKey(privateKey)) throw new Error('the key is another one');
    return { pass_type_id, team_id, certificate, key, passphrase, wwdr };
  } catch (error) {
    faults.push(
      `APPLE_PASS_CERT_FILE, APPLE_PASS_KEY_FILE e APPLE_WWDR_FILE devono essere file PEM che vanno insieme: ${(error as Error).message}.`,
    );
    return null;
  }
}

/** ALERT_MAIL: where alerts about the house go, for example the owner's own address. */
function readAlertMail(env: Env, faults: string[]): string | null {
  const address = env['ALERT_MAIL'] || null;
  if (address !== null && !isMailAddress(address))
    faults.push(`ALERT_MAIL deve essere un indirizzo come direzione@teatro.it, non «${address}».`);
  return address;
}

/** MAIL_FROM: `biglietti@teatro.it`, or with a name: `Teatro Goldoni <biglietti@teatro.it>`. */
function readMail(
  env: Env,
  { publicUrl, organiser }: Pick<Config, 'publicUrl' | 'organiser'>,
  faults: string[],
): MailConfig {
  const url = env['SMTP_URL'] || null;
  const scheme = url !== null && URL.canParse(url) ? new URL(url) : null;
  if (url !== null && (!scheme || !/^smtps?:$/.test(scheme.protocol) || scheme.hostname === ''))
    faults.push(
      'SMTP_URL deve essere un indirizzo come smtp://utente:password@posta.teatro.it:587 (smtps:// per TLS dall’inizio).',
    );
  const from = env['MAIL_FROM'] || null;
  if (url !== null && from === null)
    faults.push(
      'Con SMTP_URL serve anche MAIL_FROM, il mittente della posta: per esempio Teatro Goldoni <biglietti@teatro.it>.',
    );
  const [, name, address] =
    /^(?:([^<>\r\n]*)<)?([^<>]+?)>?$/.exec(
      from?.trim() ?? `botteghino@${new URL(publicUrl).hostname}`,
    ) ?? [];
  if (from !== null && (address === undefined || !isMailAddress(address)))
    faults.push(`MAIL_FROM deve contenere un indirizzo come biglietti@teatro.it, non «${from}».`);
  return {
    url,
    from: {
      name: name?.trim().replace(/^"(.*)"$/, '$1') || organiser.name,
      address: address ?? '',
    },
  };
}
