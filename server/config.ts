/**
 * Turns the environment into a typed configuration and reports all faults together, in words. No
 * other file reads process.env.
 */
import { resolve } from 'node:path';
import { bracketed, findLocalNames } from './adapters/local-network.ts';
import { isLiveKey } from './adapters/stripe.ts';
import {
  isForPublic,
  readDrain,
  readFlags,
  readHost,
  readPort,
  readPublicUrl,
} from './config/address.ts';
import { readBackup, readSecretsKeys, type BackupConfig } from './config/backup.ts';
import { readDatabase, type DatabaseConfig } from './config/database.ts';
import type { Env } from './config/env.ts';
import { readConfirmRefund, readSecondFactor } from './config/guards.ts';
import { readAlertMail, readMail, readOrganiser, type MailConfig } from './config/mail.ts';
import {
  readHeartbeat,
  readLogLevel,
  readMetricsToken,
  readMonitoring,
} from './config/monitoring.ts';
import { readProxies, readWebhookNetworks } from './config/networks.ts';
import {
  readRegionUrl,
  readSeatsio,
  readStripe,
  type SeatsioConfig,
  type StripeConfig,
} from './config/vendors.ts';
import { readAppleWallet, readGoogleWallet } from './config/wallets.ts';
import type { TrustedProxies } from './http/caller.ts';
import type { Settings } from './services/context.ts';
import { maskSecret, settings, withoutSecrets } from './settings.ts';

export interface Config extends DatabaseConfig, Omit<Settings, 'keys' | 'timeSources'> {
  /** The address to listen on; null: every address of this computer. */
  host: string | null;
  port: number;
  /** The port for HTTPS besides HTTP, with a certificate of this computer; null: only HTTP. */
  httpsPort: number | null;
  /** The public address without a trailing slash. Links use it, never a request's Host. */
  publicUrl: string;
  dataDir: string;
  /**
   * 32 bytes that encrypt the secrets of ticket codes in the database (AES-256-GCM); null:
   * whoever copies the database can forge tickets.
   */
  secretsKey: Buffer | null;
  /** Earlier keys: what they sealed can be read, and is sealed again at the start. */
  secretsKeysBefore: readonly Buffer[];
  /** The folder of backups, their encryption, and how many stay. */
  backup: BackupConfig;
  /** True: a new house may be made beside another's files in DATA_DIR (`BOTTEGHINO_NEW=1`). */
  startsAnew: boolean;
  /** The folder of the built apps. */
  dist: string;
  /** How long /readyz answers no before the port closes, so that a load balancer notices. */
  drainMs: number;
  /** Null: our stand-in runs in this process. */
  seatsio: SeatsioConfig | null;
  stripe: StripeConfig | null;
  mail: MailConfig;
  /**
   * The token with which a monitor reads /metrics (`Authorization: Bearer …`); null: only this
   * machine may read it.
   */
  metricsToken: string | null;
  /**
   * The address of seats.io accounts from which drawings can be imported; `{region}` stands for
   * eu, na, sa or oc.
   */
  seatsioRegionUrl: string;
  /** The proxies that are trusted to name a visitor's address. */
  proxies: TrustedProxies;
  /**
   * Private networks to which webhooks may be sent, also without TLS; otherwise only public
   * addresses are allowed.
   */
  webhookNetworks: readonly string[];
  logLevel: string;
  dev: boolean;
  /** See Serving in http/serve.ts. */
  strictRefusals: boolean;
}

interface ToldSetting {
  name: string;
  /** Of a secret only the end; null if it is not set. */ value: string | null;
  usual: string;
}

/** Every setting as this process sees it. */
export function tellSettings(): ToldSetting[] {
  return settings.map(({ name, usual, secret }) => {
    const value = process.env[name] || null;
    return { name, usual, value: value !== null && secret ? maskSecret(value) : value };
  });
}

/** The text without any secret that this process was given; for whatever leaves it. */
export function hideSecrets(text: string): string {
  return withoutSecrets(text, process.env);
}

/** The server's process id, which systemd tells the programs that it runs beside it. */
export function mainProcess(): number | null {
  return Number(process.env['MAINPID']) || null;
}

/** By https://no-color.org any value of NO_COLOR turns colours off. */
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

/** @throws ConfigError that names every fault */
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
    heartbeatUrl: readHeartbeat(env, faults),
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

/**
 * Test payments make tickets that open doors, so on a public site they are allowed only for a
 * declared demonstration.
 */
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

/** The error of a start when events are sealed with another key. */
export function wrongSecretsKey(events: number): ConfigError {
  return new ConfigError([
    `SECRETS_KEY non è la chiave con cui sono sigillati i segreti dei biglietti (eventi: ${events}): senza quella i biglietti venduti non si possono leggere.`,
  ]);
}
