/** The whole product in a test: real HTTP, real SQL, both stand-ins, and a clock of the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '#server/config.ts';
import { runDue } from '#server/jobs/runner.ts';
import { openProduct, type OpenProduct, type OpenOptions } from '#server/open.ts';
import { copyFirstStart } from './first-start.ts';
import { freePort } from './port.ts';
import { makeDatabase } from './postgres.ts';

export type DatabaseKind = 'sqlite' | 'postgres';
export const databaseKinds: readonly DatabaseKind[] = ['sqlite', 'postgres'];

export type Clock = ReturnType<typeof makeClock>;

/** The clock starts at the real time and runs with it; a test may move it forward. */
export function makeClock() {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(ms: number) {
      ahead += ms;
    },
  };
}

export interface TestServer extends AsyncDisposable {
  url: string;
  house: OpenProduct;
  /** The configuration, for another program on the same data. */
  settings: Record<string, string>;
  clock: Clock;
  /** Errors that the server logged; a test may expect none. */
  logged: string[];
  /** Does the due work, as the worker would. */
  runDue: () => Promise<number>;
  /** Stops this server and starts another on the same data. */
  restart: (env?: Record<string, string>, meanwhile?: () => Promise<void>) => Promise<TestServer>;
  close: () => Promise<void>;
}

export interface StartOptions extends OpenOptions {
  database?: DatabaseKind;
  /** Needed for 'postgres': the server that makeDatabase() uses. */
  postgresUrl?: string;
  env?: Record<string, string>;
}

/** Without `worker: true` only runDue() does waiting work. */
export async function startServer({
  database = 'sqlite',
  postgresUrl,
  env = {},
  ...options
}: StartOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const server = database === 'postgres' ? postgresUrl! : null;
  const made = isOrdinary(env, options)
    ? await copyFirstStart(dataDir, server, lastingOf(env))
    : await (server === null ? null : makeDatabase(server));
  const port = await freePort();
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    // The seat map uses a file, which is faster; its own tests cover PostgreSQL.
    ...(made ? { DATABASE_URL: made.address, CHART_DATABASE: 'file' } : {}),
    ...env,
  };
  return openServer(settings, options, makeClock(), async () => {
    await made?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
}

/** Settings that do not affect a first start. */
const harmless = [
  'ALERT_MAIL',
  'HEARTBEAT_URL',
  'HOST',
  'LOG_LEVEL',
  'MAIL_FROM',
  'METRICS_TOKEN',
  'RUM_HOST',
  'SMTP_URL',
  'TRUST_PROXY',
];

/** Settings that a first start stores; each combination has a copy of its own. */
const lasting = ['ORGANISER_NAME', 'SUPPORT_EMAIL'];

function lastingOf(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(lasting.flatMap((key) => (key in env ? [[key, env[key]!]] : [])));
}

/** Whether its first start stores the same data as that of other tests. */
function isOrdinary(env: Record<string, string>, { seats, payments, now }: OpenOptions): boolean {
  const known = [...harmless, ...lasting];
  return Object.keys(env).every((key) => known.includes(key)) && !seats && !payments && !now;
}

/** Opens a server with its own settings; `clean` runs when it is closed for good. */
export async function openServer(
  settings: Record<string, string>,
  options: OpenOptions,
  clock: Clock,
  clean: () => Promise<void>,
): Promise<TestServer> {
  const logged: string[] = [];
  const log = pino(
    { level: 'error' },
    {
      write: (line: string) => {
        logged.push(line);
      },
    },
  );
  const config = { ...readConfig(settings, []), strictRefusals: true };
  const house = await openProduct(config, {
    now: clock.now,
    worker: false,
    log,
    ...options,
  });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await house.close();
    await clean();
  };
  return {
    url: house.url,
    house,
    settings,
    clock,
    logged,
    close,
    runDue: () => runDue(house.ctx),
    async restart(env = {}, meanwhile) {
      closed = true;
      await house.close();
      await meanwhile?.();
      return openServer({ ...settings, ...env }, options, clock, clean);
    },
    [Symbol.asyncDispose]: close,
  };
}
