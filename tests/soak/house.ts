/** The house of a soak: processes of the product behind a balancer, which die and come back on the same data, beside a Stripe and a mail server that live on. */
import { setTimeout as pause } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '#db/engine/connect.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { startStandins } from '#server/standins/start.ts';
import type { RunningStripe } from '#server/standins/stripe/server.ts';
import { startBalancer } from '#tests/support/balancer.ts';
import { spawnMortal, type MortalProcess } from '#tests/support/mortal-process.ts';
import { freePort } from '#tests/support/port.ts';
import { startSmtp } from '#tests/support/smtp.ts';

/** What is being written when clocks jump has the time of before: an entry of the Registro that is more than ten minutes late counts as put in by somebody (RULES I4). */
const longestStepMs = 8 * 60_000;

export interface SoakHouse extends AsyncDisposable {
  url: string;
  invite: string;
  /** The tests' own line to the product's database, for reading. */
  db: Pool;
  stripe: RunningStripe;
  processes: readonly MortalProcess[];
  /** The vendors' clock and the product's. */
  now: () => number;
  advance: (ms: number) => Promise<void>;
  /** No mail is taken. */
  refuseMail: (refuses: boolean) => void;
  start: (nth: number) => Promise<void>;
  /** The settings of a process, for a command beside it. */
  settings: (nth: number) => Record<string, string>;
  /** Sets the clocks of the product's computers; the vendors' stay right. */
  setClocks: (ms: number) => Promise<void>;
  /** All processes die with all their data; `refill` may put others there, and they start again. */
  loseDisk: (refill: () => Promise<void>) => Promise<void>;
}

/**
 * `address`: of an empty PostgreSQL database; null: SQLite, which is for one process. `skew`: the
 * milliseconds by which the product's computers are ahead of the vendors'.
 */
export async function startSoakHouse(
  count: number,
  address: string | null,
  more: Record<string, string> = {},
  skew = 0,
): Promise<SoakHouse> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'soak-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const [publicPort, ...ports] = await freePorts(count + 1);
  const url = `http://localhost:${publicPort}`;
  let [ahead, refusesMail] = [0, false];
  const now = () => Date.now() + ahead;
  const smtp = await startSmtp({ mail: () => (refusesMail ? '421 Not now' : null) });
  opened.use(smtp);
  const standins = await startStandins({
    file: join(folder, 'standins.sqlite'),
    now,
    chartFolder: folder,
    stripePublicUrl: `${url}/standins/stripe`,
    stripePort: 0,
    webhookUrl: `${url}/api/webhooks/stripe`,
  });
  opened.defer(() => standins.close());
  const stripe = standins.stripe!;
  const dataOf = (port: number) => join(folder, String(port));
  const processes: MortalProcess[] = [];
  const settings = (nth: number): Record<string, string> => {
    const port = ports[nth]!;
    return {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataOf(port),
      ...(address === null ? {} : { DATABASE_URL: address }),
      PUBLIC_URL: url,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'silent',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'biglietti@teatro.it',
      STRIPE_URL: stripe.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret!,
      ...more,
    };
  };
  const tellAll = async (order: Parameters<MortalProcess['tell']>[0]) => {
    const alive = processes.filter((process) => !process.isDead());
    await Promise.all(alive.map((process) => process.tell(order).catch(() => {})));
  };
  const start = async (nth: number) => {
    const before = ahead + skew;
    const process = await spawnMortal({ env: settings(nth), ahead: before, complaints: 'pipe' });
    // The clock may have been moved while it started.
    if (ahead + skew !== before) await process.tell({ kind: 'advance', ms: ahead + skew - before });
    processes[nth] = process;
  };
  const killAll = async () => {
    await Promise.all(processes.map((process) => process.kill()));
  };
  opened.defer(killAll);
  for (const nth of ports.keys()) await start(nth);
  opened.use(
    await startBalancer({
      port: publicPort!,
      targets: ports,
      // Whoever is slow to answer is busy, not dead.
      isWell: (port) =>
        fetch(`http://127.0.0.1:${port}/readyz?proxy`, { signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => ok,
          (error: Error) => error.name === 'TimeoutError',
        ),
    }),
  );
  // A pooler may stand in between.
  const line = () =>
    connect(address ?? join(dataOf(ports[0]!), 'botteghino.sqlite'), { namedStatements: false });
  let db = line();
  opened.defer(() => db.destroy());
  const closing = opened.move();
  return {
    url,
    invite: processes[0]!.invite,
    get db() {
      return db;
    },
    stripe,
    processes,
    now,
    async advance(ms) {
      for (let left = ms; left > 0; left -= longestStepMs) {
        const step = Math.min(left, longestStepMs);
        ahead += step;
        await tellAll({ kind: 'advance', ms: step });
        if (left > step) await pause(1_000);
      }
    },
    refuseMail(refuses) {
      refusesMail = refuses;
    },
    start,
    settings,
    async setClocks(ms) {
      skew += ms;
      await tellAll({ kind: 'set_clock', ms });
    },
    async loseDisk(refill) {
      await killAll();
      if (address !== null) await dropAll(db);
      await db.destroy();
      for (const port of ports) await rm(dataOf(port), { recursive: true, force: true });
      await refill();
      for (const nth of ports.keys()) await start(nth);
      db = line();
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** The house's schema and the seat map's. */
async function dropAll(db: Pool): Promise<void> {
  const schemas: string[] = await db('pg_namespace')
    .whereRaw("nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'")
    .pluck('nspname');
  for (const name of schemas) await db.raw('DROP SCHEMA ?? CASCADE', [name]);
  await db.raw('CREATE SCHEMA public');
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}
