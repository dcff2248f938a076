/**
 * A product that dies and restarts on the same data, beside vendors that stay alive; the test
 * moves the clock of both.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Order } from './mortal-child.ts';
import { spawnMortal, type MortalProcess } from './mortal-process.ts';
import { freePort } from './port.ts';
import { settingsOf, startBoth } from './vendors.ts';

export type Mortal = Awaited<ReturnType<typeof startMortal>>;

interface MortalOptions {
  env?: Record<string, string>;
  /** The time after which persist() restarts a dead process. */ downMs?: number;
  /** No file may grow beyond so many kilobytes, from the next start on. */ largestFileKb?: () =>
    | number
    | null;
}

export async function startMortal(options: MortalOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let ahead = 0;
  const standins = await startBoth(folder, { port, now: () => Date.now() + ahead });
  const env = {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    ...settingsOf(standins),
    ...options.env,
  };
  let current: MortalProcess;
  let deaths = 0;
  let invite = '';

  async function start(): Promise<void> {
    current = await spawnMortal({ env, ahead, largestFileKb: options.largestFileKb?.() ?? null });
    void current.gone.then(() => {
      deaths += 1;
    });
    if (current.invite !== '') invite = current.invite;
  }

  await start();
  return {
    url,
    folder,
    standins,
    tell: <T>(order: Order) => current.tell<T>(order),
    kill: (signal?: NodeJS.Signals) => current.kill(signal),
    get invite() {
      return invite;
    },
    /** The number of its deaths, by a test's order or by itself. */
    deaths: () => deaths,
    isDead: () => current.isDead(),
    /** The exit status from the kernel. */
    ending: () => current.ending(),
    /** The clock of the product and of the vendors. */
    async advance(ms: number) {
      ahead += ms;
      await current.tell({ kind: 'advance', ms });
    },
    /** Restarts it after its death. */
    revive: start,
    /**
     * Repeats an action after each death until it succeeds, as a visitor, a browser or Stripe
     * would.
     */
    async persist<T>(act: () => Promise<T>): Promise<T> {
      for (let tries = 1; ; tries += 1) {
        if (current.isDead()) {
          ahead += options.downMs ?? 0;
          await start();
        }
        try {
          return await act();
        } catch (error) {
          // The connection breaks before the exit status arrives; on a busy machine long before.
          await Promise.race([current.gone, pause(error instanceof TypeError ? 10_000 : 250)]);
          if (!current.isDead() || tries === 10) throw error;
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await current.kill();
      await standins.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
