/** Both vendors as servers of their own that live on when a house is lost, and houses that use them, one after the other. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandins, type RunningStandins } from '#server/standins/start.ts';
import { freePort } from './port.ts';
import { makeDatabase } from './postgres.ts';
import { makeClock, openServer, type Clock, type DatabaseKind, type TestServer } from './server.ts';

interface Vendors extends AsyncDisposable {
  standins: RunningStandins;
  clock: Clock;
  /** A house's settings on an empty folder, and for PostgreSQL an empty database; the same port each time. */
  emptyPlace: (database: DatabaseKind, postgresUrl: string) => Promise<Record<string, string>>;
  open: (settings: Record<string, string>) => Promise<TestServer>;
}

export async function startVendors(): Promise<Vendors> {
  const folder = await mkdtemp(join(tmpdir(), 'fornitori-'));
  const port = await freePort();
  const clock = makeClock();
  const drops: (() => Promise<void>)[] = [];
  const standins = await startStandins({
    file: join(folder, 'standins.sqlite'),
    now: clock.now,
    chartFolder: folder,
    stripePublicUrl: `http://localhost:${port}/standins/stripe`,
    seatsioPort: 0,
    stripePort: 0,
    webhookUrl: `http://127.0.0.1:${port}/api/webhooks/stripe`,
  });
  const { seatsio, stripe } = standins;
  return {
    standins,
    clock,
    async emptyPlace(database, postgresUrl) {
      const made = database === 'postgres' ? await makeDatabase(postgresUrl) : null;
      if (made) drops.push(made.drop);
      return {
        PORT: String(port),
        DATA_DIR: await mkdtemp(join(folder, 'casa-')),
        ...(made ? { DATABASE_URL: made.address } : {}),
        SEATSIO_URL: seatsio!.url,
        SEATSIO_SECRET_KEY: seatsio!.secretKey,
        SEATSIO_WORKSPACE_KEY: seatsio!.workspaceKey,
        STRIPE_URL: stripe!.url,
        STRIPE_SECRET_KEY: stripe!.secretKey,
        STRIPE_WEBHOOK_SECRET: stripe!.webhookSecret!,
      };
    },
    async open(settings) {
      const server = await openServer(settings, {}, clock, async () => {});
      // Visitors of tests ask the vendors for their tokens, wherever those run.
      return { ...server, house: { ...server.house, standins } };
    },
    async [Symbol.asyncDispose]() {
      await standins.close();
      for (const drop of drops) await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
