/** Builds every long-lived object once. A vendor without keys gets our stand-in. */
import { requireValue } from '#server/domain/require-value.ts';
import { mkdirSync } from 'node:fs';
import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { takeChartOver } from '#db/engine/chart-tables.ts';
import { connect, isPostgresAddress } from '#db/engine/connect.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { isPostgres } from '#db/engine/dialect.ts';
import { dropLeases } from '#db/order/orders.ts';
import { dropClaims } from '#db/outbox.ts';
import { connectCharts } from './adapters/charts.ts';
import { lockHouse, type HouseLock } from './adapters/house-lock.ts';
import { connectMail } from './adapters/mail.ts';
import { observeProvider } from './adapters/provider-health.ts';
import { connectPrograms } from './adapters/program-line.ts';
import { connectPayments, isLiveKey, type StripeOptions } from './adapters/stripe.ts';
import { connectSeats } from './adapters/seatsio.ts';
import type { OwnCertificate } from './certificate.ts';
import { ConfigError, type Config } from './config.ts';
import { stripeWebhookPath } from './contract/webhooks.ts';
import { BackupFault, copyComesFirst } from './domain/backup.ts';
import { belowFloorWords } from './domain/office/version.ts';
import type { StandinAddresses } from './http/standin-door.ts';
import { makeLog, makeQuietLog } from './log.ts';
import type { Ctx, KeyInUse, Settings } from './services/context.ts';
import { houseId } from './services/kit/house.ts';
import { joinProcesses, leaveProcesses } from './services/kit/processes.ts';
import { product } from './services/kit/version.ts';
import { backupSettings } from './services/backup/settings.ts';
import { certificateFolder } from './services/backup/house-files.ts';
import { tellMoved } from './services/backup/moved.ts';
import { backupBeforeChange } from './services/backup/before-change.ts';
import { faultOfHouse } from './services/backup/whole-house.ts';
import { useSealingKey } from './services/kit/sealing.ts';
import type { RunningStandins, StandinOptions } from './standins/start.ts';
import type { RunningStripe } from './standins/stripe/server.ts';
import { folderInUse, StartError, starting, tellFile, tellPostgres } from './start-faults.ts';

export interface BuiltContext {
  ctx: Ctx;
  standins: RunningStandins | null;
  /** The stand-ins' addresses for http/standin-door.ts. */
  addresses: StandinAddresses;
  /** Null if the server speaks plain HTTP or a proxy in front ends TLS. */
  certificate: OwnCertificate | null;
  close: () => Promise<void>;
}

export type Overrides = Partial<
  Pick<
    Ctx,
    | 'now'
    | 'elapsed'
    | 'newId'
    | 'fault'
    | 'log'
    | 'seats'
    | 'payments'
    | 'mail'
    | 'programs'
    | 'version'
  >
>;

/**
 * `beside`: for commands, while the server may be running on the same files. The command then
 * leaves the schema, leases, stand-ins and certificates to the server.
 */
interface ContextOptions extends Overrides {
  beside?: boolean;
}

export async function createContext(
  config: Config,
  { beside = false, ...overrides }: ContextOptions = {},
): Promise<BuiltContext> {
  const parts = partsOf(overrides);
  const { now, elapsed } = parts;
  const log = overrides.log ?? (beside ? makeQuietLog() : makeLog(config));
  for (const key of [config.secretsKey ?? [], config.secretsKeysBefore].flat()) useSealingKey(key);
  // Closes everything that was opened, in reverse order: at the end, or here if a step fails.
  await using opened = new AsyncDisposableStack();
  const folder = beside ? null : await takeFolder(config);
  opened.defer(() => folder?.release());
  if (!beside) await requireWholeHouse(config);
  const certificate = beside ? null : await findCertificate(config, { now, log });
  opened.defer(() => certificate?.close());
  const db = await openDatabase(config, { now, beside, opened });
  const own = { db, ...parts };
  if (!beside) await joinHouse(own, opened);
  const { standins, seatsio, stripe } = beside
    ? findOutsideProviders(config)
    : await findProviders(config, { db, now });
  opened.defer(async () => standins?.close());
  const house = () => houseId(own);
  const ctx: Ctx = {
    ...own,
    log,
    settings: {
      ...config,
      keys: keysOf(config, { seatsio, stripe }),
      timeSources: timeSourcesOf(config),
    },
    secretsKey: config.secretsKey,
    publicUrl: config.publicUrl,
    standins: { stripe: stripe.host !== null, seatsio: seatsio.url !== null },
    dataDir: config.dataDir,
    backups: backupSettings(config),
    seats: observeProvider(overrides.seats ?? connectSeats(seatsio), now),
    charts: connectCharts({ ...seatsio, regionUrl: config.seatsioRegionUrl }),
    payments: observeProvider(overrides.payments ?? connectPayments({ ...stripe, house }), now),
    mail: observeProvider(overrides.mail ?? connectMail({ now: elapsed, ...config.mail }), now),
    programs: overrides.programs ?? connectPrograms({ allowed: config.webhookNetworks }),
    chart: chartOf(seatsio),
    pause,
    fault: overrides.fault ?? (() => {}),
  };
  const closing = opened.move();
  return {
    ctx,
    standins,
    certificate,
    addresses: { seatsio: doorTo(seatsio), stripe: stripe.host },
    close: () => closing.disposeAsync(),
  };
}

/** @throws StartError if this version is too old for what the house has used */
async function joinHouse(
  own: Parameters<typeof joinProcesses>[0],
  opened: AsyncDisposableStack,
): Promise<void> {
  const floor = await joinProcesses(own);
  if (floor !== null) throw new StartError(belowFloorWords(floor));
  // Without the database the row stays, and another process sweeps it.
  opened.defer(() => leaveProcesses(own).catch(() => {}));
}

/**
 * Takes the folder's lock, because only one process may use a house's files. Null: with
 * PostgreSQL and the real Stripe there are no such files, so several processes may share the
 * folder.
 */
async function takeFolder(config: Config): Promise<HouseLock | null> {
  const { dataDir } = config;
  const isMapOutside = config.seatsio !== null || config.chartInDatabase;
  const hasOwnFiles =
    !isPostgresAddress(config.database) || !isMapOutside || config.stripe === null;
  return starting(tellFile(dataDir), () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!hasOwnFiles) return null;
    const lock = lockHouse(dataDir);
    if (lock === null) throw folderInUse(dataDir);
    return lock;
  });
}

/** The keys' last characters, which are enough to compare them with the vendor's page. */
function keysOf(
  config: Config,
  {
    seatsio,
    stripe,
  }: { seatsio: { secretKey: string }; stripe: Omit<StripeOptions, 'host' | 'house'> },
): KeyInUse[] {
  const endOf = (key: string) => (key.length >= 16 ? key.slice(-4) : null);
  const stripeMode = isLiveKey(stripe.secretKey) ? 'live' : 'test';
  const mode = config.stripe ? stripeMode : 'stand_in';
  const smtp = config.mail.url === null ? null : new URL(config.mail.url).password;
  return [
    { name: 'stripe', mode, end: endOf(stripe.secretKey) },
    { name: 'stripe_webhook', mode, end: endOf(stripe.webhookSecret.replace(/,.*/s, '').trim()) },
    { name: 'seatsio', mode: config.seatsio ? 'live' : 'stand_in', end: endOf(seatsio.secretKey) },
    ...(smtp === null ? [] : [{ name: 'smtp', mode: 'live', end: endOf(smtp) } as const]),
  ];
}

/** The providers whose clock is compared with ours; a stand-in in this process has ours. */
function timeSourcesOf({ stripe, seatsio }: Config): Settings['timeSources'] {
  const stripeUrl = stripe?.host
    ? `http://${stripe.host.hostname}:${stripe.host.port}`
    : 'https://api.stripe.com';
  return [
    ...(stripe ? [{ name: 'Stripe', url: stripeUrl }] : []),
    ...(seatsio ? [{ name: 'seats.io', url: seatsio.url ?? 'https://api-eu.seatsio.net' }] : []),
  ];
}

async function findCertificate(
  { httpsPort, dataDir, port, publicUrl }: Config,
  { now, log }: Pick<Ctx, 'now' | 'log'>,
): Promise<OwnCertificate | null> {
  if (httpsPort === null) return null;
  const { keepCertificate } = await import('./certificate.ts');
  return keepCertificate({
    folder: join(dataDir, certificateFolder),
    port,
    httpsPort,
    publicUrl,
    now,
    log,
  });
}

async function openDatabase(
  config: Config,
  { now, beside, opened }: { now: () => number; beside: boolean; opened: AsyncDisposableStack },
): Promise<Ctx['db']> {
  return starting(tellDatabase(config), async () => {
    const db = connect(config.database, { namedStatements: config.namedStatements });
    opened.defer(() => db.destroy());
    if (beside) return db;
    await backupBeforeChange(db, backupSettings(config), {
      now: now(),
      ownsStandins: ownsStandins(config),
      ownsSeatMap: config.seatsio === null,
    }).catch((error: unknown) => {
      throw error instanceof BackupFault ? new StartError(copyComesFirst(error), error) : error;
    });
    await migrate(db);
    // The house's lock proves that no other process uses the file: tasks of a dead one are free.
    if (!isPostgres(db)) {
      await dropLeases(db);
      await dropClaims(db, now());
    }
    return db;
  });
}

function tellDatabase({ database }: Config) {
  return isPostgresAddress(database) ? tellPostgres(database) : tellFile(database);
}

function ownsStandins({ seatsio, stripe }: Config): boolean {
  return seatsio === null || stripe === null;
}

/** Comes before any file is made, so that a part of an old house does not become a new one. */
async function requireWholeHouse(config: Config): Promise<void> {
  const moved = await starting(tellDatabase(config), () => tellMoved(config.database));
  if (moved !== null) throw new ConfigError([moved]);
  const { folder } = backupSettings(config);
  const fault = await starting(tellDatabase(config), () =>
    faultOfHouse({ ...config, backupFolder: folder, ownsStandins: ownsStandins(config) }),
  );
  if (fault !== null) throw new StartError(fault);
}

/** For a command, which cannot reach a stand-in in the server's process: such calls fail. */
function findOutsideProviders(config: Config) {
  const nobody = { hostname: '127.0.0.1', port: 9 };
  return {
    standins: null,
    seatsio: config.seatsio ?? {
      url: `http://${nobody.hostname}:${nobody.port}`,
      secretKey: 'none',
      workspaceKey: 'none',
    },
    stripe: config.stripe ?? { host: nobody, secretKey: 'sk_test_none', webhookSecret: 'none' },
  };
}

/** The configured vendors, and our stand-in for each one that is not configured. */
async function findProviders(config: Config, { db, now }: Pick<Ctx, 'db' | 'now'>) {
  const file = join(config.dataDir, 'standins.sqlite');
  // If both vendors have keys, the code of the stand-ins is never loaded.
  const standins =
    config.seatsio && config.stripe
      ? null
      : await startOurs(file, {
          now,
          ...(config.chartInDatabase
            ? {
                chartDatabase: config.database,
                namedStatements: config.namedStatements,
                onChartTables: () => takeChartOver(db, file),
              }
            : {}),
          chartFolder: join(config.dist, config.dev ? 'chart-dev' : 'chart'),
          stripePublicUrl: `${config.publicUrl}/standins/stripe`,
          ...(config.seatsio ? {} : { seatsioPort: 0 }),
          ...(config.stripe
            ? {}
            : { stripePort: 0, webhookUrl: `http://127.0.0.1:${config.port}${stripeWebhookPath}` }),
        });
  return {
    standins,
    seatsio: config.seatsio ?? requireValue(standins?.seatsio, 'seat map of ours'),
    stripe: config.stripe ?? ownStripe(requireValue(standins?.stripe, 'Stripe of ours')),
  };
}

function ownStripe({ port, secretKey, webhookSecret }: RunningStripe) {
  return {
    host: { hostname: '127.0.0.1', port },
    secretKey,
    webhookSecret: requireValue(webhookSecret, 'webhook secret of our Stripe'),
  };
}

async function startOurs(
  file: string,
  options: Omit<StandinOptions, 'file'>,
): Promise<RunningStandins> {
  const { startStandins } = await import('./standins/start.ts');
  return starting(tellFile(file), () => startStandins({ file, ...options }));
}

/**
 * Our own chart has an address without a host, so that it loads at whichever address the site was
 * opened, such as one in the theatre's network.
 */
function chartOf({ url }: { url: string | null }): Ctx['chart'] {
  const script_url =
    url === null ? 'https://cdn-{region}.seatsio.net/chart.js' : '/standins/seatsio/chart.js';
  return { script_url, region: 'eu' };
}

/**
 * Makes ids: eight characters of milliseconds, which sort by time, then 128 random bits. Rows
 * that are written together are then close together in every index, which makes a booking's
 * writes much cheaper.
 */
function makeIds(now: () => number): () => string {
  const chance = Buffer.alloc(256 * 16);
  let next = chance.length;
  return () => {
    if (next === chance.length) {
      randomFillSync(chance);
      next = 0;
    }
    const time = now().toString(36).padStart(8, '0');
    return time + chance.toString('base64url', next, (next += 16));
  };
}

/** The clocks, the memory and the names of this process. */
function partsOf({ now = Date.now, elapsed, newId, version }: Overrides) {
  return {
    now,
    elapsed: elapsed ?? (now === Date.now ? () => performance.now() : forwardOf(now)),
    memory: {},
    newId: newId ?? makeIds(now),
    version: version ?? product.version,
  };
}

/** What a steered clock has gone forward in all, for tests: a step back counts nothing. */
function forwardOf(now: () => number): () => number {
  let [last, sum] = [now(), 0];
  return () => {
    const at = now();
    sum += Math.max(0, at - last);
    last = at;
    return sum;
  };
}

async function pause(ms: number): Promise<number> {
  const began = performance.now();
  await setTimeout(ms);
  return performance.now() - began;
}

function doorTo({
  url,
  secretKey,
}: {
  url: string | null;
  secretKey: string;
}): StandinAddresses['seatsio'] {
  return url === null ? null : { ...addressOf(url), secretKey };
}

function addressOf(url: string): { hostname: string; port: number } {
  const { hostname, port } = new URL(url);
  return { hostname, port: Number(port || 80) };
}
