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
}

/** `address`: of an empty PostgreSQL database; null: SQLite, which is for one process. */
export async function startSoakHouse(
  count: number,
  address: string | null,
  more: Record<string, string> = {},
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
  const start = async (nth: number) => {
    const port = ports[nth]!;
    const env = {
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
    const before = ahead;
    const process = await spawnMortal({ env, ahead, complaints: 'pipe' });
    // The clock may have been moved while it started.
    if (ahead !== before) await process.tell({ kind: 'advance', ms: ahead - before });
    processes[nth] = process;
  };
  opened.defer(async () => {
    await Promise.all(processes.map((process) => process.kill()));
  });
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
  const plain = { namedStatements: false };
  const db = connect(address ?? join(dataOf(ports[0]!), 'botteghino.sqlite'), plain);
  opened.defer(() => db.destroy());
  const closing = opened.move();
  return {
    url,
    invite: processes[0]!.invite,
    db,
    stripe,
    processes,
    now,
    async advance(ms) {
      for (let left = ms; left > 0; left -= longestStepMs) {
        const step = Math.min(left, longestStepMs);
        ahead += step;
        await Promise.all(
          processes
            .filter((process) => !process.isDead())
            .map((process) => process.tell({ kind: 'advance', ms: step }).catch(() => {})),
        );
        if (left > step) await pause(1_000);
      }
    },
    refuseMail(refuses) {
      refusesMail = refuses;
    },
    start,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}
