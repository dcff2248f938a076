/** Several processes of the product on one PostgreSQL beside one pair of vendors, as behind a proxy: each a real process that can be replaced. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSeats, type Seats } from '#server/adapters/seatsio.ts';
import { startStandins, type RunningStandins } from '#server/standins/start.ts';
import { until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { startProduct, type Product } from '#tests/support/product.ts';

export interface Houses extends AsyncDisposable {
  /** Where the proxy listens. */
  publicPort: number;
  ports: number[];
  database: string;
  standins: RunningStandins;
  seats: Seats;
  folder: string;
  /** One-time link for the first admin. */
  invite: string;
  /** Ends the process kindly, starts another in its place, and waits until the proxy has sent it a visitor. */
  replace: (nth: number) => Promise<void>;
  /** As when the power goes. */
  kill: (nth: number) => Promise<void>;
}

export async function startHouses(
  postgresUrl: string,
  { count = 2, env = {} }: { count?: number; env?: Record<string, string> } = {},
): Promise<Houses> {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const database = await makeDatabase(postgresUrl);
  const publicPort = await freePort();
  const publicUrl = `https://localhost:${publicPort}`;
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  const standins = await startStandins({
    file: join(folder, 'standins.sqlite'),
    now: Date.now,
    chartFolder: join(import.meta.dirname, '../../../dist/chart'),
    stripePublicUrl: `${publicUrl}/standins/stripe`,
    seatsioPort: 0,
    stripePort: 0,
    webhookUrl: `http://127.0.0.1:${ports.at(-1)}/api/webhooks/stripe`,
  });
  const { seatsio, stripe } = standins;
  const start = (port: number) =>
    startProduct({
      env: {
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: join(folder, String(port)),
        DATABASE_URL: database.address,
        PUBLIC_URL: publicUrl,
        TRUST_PROXY: '1',
        LOG_LEVEL: 'info',
        SEATSIO_URL: seatsio!.url,
        SEATSIO_SECRET_KEY: seatsio!.secretKey,
        SEATSIO_WORKSPACE_KEY: seatsio!.workspaceKey,
        STRIPE_URL: stripe!.url,
        STRIPE_SECRET_KEY: stripe!.secretKey,
        STRIPE_WEBHOOK_SECRET: stripe!.webhookSecret!,
        ...env,
      },
      clean: async () => {},
    });
  const running: Product[] = [];
  for (const port of ports) running.push(await start(port));
  return {
    publicPort,
    ports,
    database: database.address,
    standins,
    seats: connectSeats(seatsio!),
    folder,
    invite: running.at(-1)!.invite,
    async replace(nth) {
      await running[nth]![Symbol.asyncDispose]();
      const { lines } = (running[nth] = await start(ports[nth]!));
      await until(async () => lines.some((line) => line.includes(`"path":"/event/`)), 30_000);
    },
    kill: (nth) => running[nth]!.kill(),
    async [Symbol.asyncDispose]() {
      for (const product of running) await product[Symbol.asyncDispose]();
      await standins.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
