/**
 * Several processes of the product on one PostgreSQL with shared vendors, as behind a proxy; each
 * is a real process that can be replaced.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSeats } from '#server/adapters/seatsio.ts';
import { until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { startProduct, type Product } from '#tests/support/product.ts';
import { settingsOf, startBoth } from '#tests/support/vendors.ts';

export type Houses = Awaited<ReturnType<typeof startHouses>>;

export async function startHouses(
  postgresUrl: string,
  { count = 2, env = {} }: { count?: number; env?: Record<string, string> } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const database = await makeDatabase(postgresUrl);
  const publicPort = await freePort();
  const publicUrl = `https://localhost:${publicPort}`;
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  const standins = await startBoth(
    folder,
    { port: ports.at(-1)!, url: publicUrl, now: Date.now },
    join(import.meta.dirname, '../../../dist/chart'),
  );
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
        ...settingsOf(standins),
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
    seats: connectSeats(standins.seatsio!),
    folder,
    invite: running.at(-1)!.invite,
    /**
     * Stops the process gracefully, starts another one, and waits until the proxy has sent it a
     * visitor.
     */
    async replace(nth: number) {
      await running[nth]![Symbol.asyncDispose]();
      const { lines } = (running[nth] = await start(ports[nth]!));
      await until(async () => lines.some((line) => line.includes(`"path":"/event/`)), 30_000);
    },
    /** Kills the process, as when the power fails. */
    kill: (nth: number) => running[nth]!.kill(),
    async [Symbol.asyncDispose]() {
      for (const product of running) await product[Symbol.asyncDispose]();
      await standins.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
