/**
 * Several processes of the product on one PostgreSQL with shared vendors, as behind a proxy; each
 * is a real process that can be replaced.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectSeats } from '#server/adapters/seatsio.ts';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { startProduct, type Product } from '#tests/support/product.ts';
import { settingsOf, startBoth } from '#tests/support/vendors.ts';

const today = join(import.meta.dirname, '../../..');

const mostStarts = 3;

export type Houses = Awaited<ReturnType<typeof startHouses>>;

export async function startHouses(
  postgresUrl: string,
  {
    count = 2,
    env = {},
    root,
  }: { count?: number; env?: Record<string, string>; /** Of the program. */ root?: string } = {},
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
  const start = (port: number, from?: string) => {
    const settings = {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, String(port)),
      DATABASE_URL: database.address,
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'info',
      ...settingsOf(standins),
      ...env,
    };
    return startProduct({ env: settings, clean: async () => {} }, [], from);
  };
  /** A start that fails is repeated, as systemd does (Restart=on-failure). */
  const startAgain = async (port: number): Promise<Product> => {
    for (let tries = 1; ; tries += 1)
      try {
        return await start(port);
      } catch (error) {
        if (tries === mostStarts) throw error;
        console.log(`start ${tries} failed: ${String(error)}`);
      }
  };
  /** Each process resolves once it has printed its lines. */
  const running: Promise<Product>[] = [];
  for (const port of ports) {
    running.push(start(port, root));
    await running.at(-1);
  }
  return {
    publicPort,
    ports,
    database: database.address,
    standins,
    seats: connectSeats(standins.seatsio!),
    folder,
    invite: (await running[0]!).invite,
    /**
     * Stops the process gracefully and starts today's program instead, as `systemctl restart`
     * does: only ExecStartPost waits, `by` is its program.
     */
    async replace(nth: number, by = 'server/wait-ready.ts') {
      const port = ports[nth]!;
      await (await running[nth]!)[Symbol.asyncDispose]();
      running[nth] = startAgain(port);
      const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1' };
      await promisify(execFile)(process.execPath, [by], { cwd: today, env });
    },
    /** Kills the process, as when the power fails. */
    kill: async (nth: number) => (await running[nth]!).kill(),
    async [Symbol.asyncDispose]() {
      for (const product of running) await (await product)[Symbol.asyncDispose]();
      await standins.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
