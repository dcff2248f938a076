/**
 * Both vendors as servers that outlive the product, and product servers that use them one after
 * the other.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandins, type RunningStandins } from '#server/standins/start.ts';
import { freePort } from './port.ts';
import { makeDatabase } from './postgres.ts';
import { makeClock, openServer, type DatabaseKind, type TestServer } from './server.ts';

/** The settings of both vendors: the product is at `port`, visitors use `url`. */
export function startBoth(
  folder: string,
  {
    port,
    url = `http://localhost:${port}`,
    now,
  }: { port: number; url?: string; now: () => number },
  chartFolder = folder,
): Promise<RunningStandins> {
  return startStandins({
    file: join(folder, 'standins.sqlite'),
    now,
    chartFolder,
    stripePublicUrl: `${url}/standins/stripe`,
    seatsioPort: 0,
    stripePort: 0,
    webhookUrl: `http://127.0.0.1:${port}/api/webhooks/stripe`,
  });
}

/** The settings that tell the product their addresses. */
export function settingsOf({ seatsio, stripe }: RunningStandins): Record<string, string> {
  return {
    SEATSIO_URL: seatsio!.url,
    SEATSIO_SECRET_KEY: seatsio!.secretKey,
    SEATSIO_WORKSPACE_KEY: seatsio!.workspaceKey,
    STRIPE_URL: stripe!.url,
    STRIPE_SECRET_KEY: stripe!.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe!.webhookSecret!,
  };
}

export async function startVendors() {
  const folder = await mkdtemp(join(tmpdir(), 'fornitori-'));
  const port = await freePort();
  const clock = makeClock();
  const drops: (() => Promise<void>)[] = [];
  const standins = await startBoth(folder, { port, now: clock.now });
  return {
    standins,
    clock,
    /**
     * A house's settings with an empty folder, and for PostgreSQL an empty database; the port is
     * the same each time.
     */
    async emptyPlace(database: DatabaseKind, postgresUrl: string): Promise<Record<string, string>> {
      const made = database === 'postgres' ? await makeDatabase(postgresUrl) : null;
      if (made) drops.push(made.drop);
      return {
        PORT: String(port),
        DATA_DIR: await mkdtemp(join(folder, 'casa-')),
        ...(made ? { DATABASE_URL: made.address } : {}),
        ...settingsOf(standins),
      };
    },
    async open(settings: Record<string, string>): Promise<TestServer> {
      const server = await openServer(settings, {}, clock, async () => {});
      // Visitors in tests ask the vendors for their tokens, wherever the vendors run.
      return { ...server, house: { ...server.house, standins } };
    },
    async [Symbol.asyncDispose]() {
      await standins.close();
      for (const drop of drops) await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
