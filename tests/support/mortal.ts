/** A product that dies and comes back on the same data, beside vendors that live on; both go by one clock, which the test moves. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startStandins, type RunningStandins } from '#server/standins/start.ts';
import type { Order } from './mortal-child.ts';
import { spawnMortal, type MortalProcess } from './mortal-process.ts';
import { freePort } from './port.ts';

export interface Mortal extends AsyncDisposable {
  url: string;
  invite: string;
  standins: RunningStandins;
  /** Where its files lie. */
  folder: string;
  /** How often it died, by a test's order or by itself. */
  deaths: () => number;
  isDead: () => boolean;
  /** What the kernel said about its end. */
  ending: MortalProcess['ending'];
  tell: <T>(order: Order) => Promise<T>;
  /** The product's clock and the vendors'. */
  advance: (ms: number) => Promise<void>;
  /** Starts it again after its death. */
  revive: () => Promise<void>;
  kill: (signal?: NodeJS.Signals) => Promise<void>;
  /** Does it, and does it again after each death until it is done: what a visitor, a browser or Stripe would do. */
  persist: <T>(act: () => Promise<T>) => Promise<T>;
}

interface MortalOptions {
  env?: Record<string, string>;
  /** So long a dead one lies before persist() starts it again. */ downMs?: number;
  /** No file may grow beyond so many kilobytes, from the next start on. */ largestFileKb?: () =>
    | number
    | null;
}

export async function startMortal(options: MortalOptions = {}): Promise<Mortal> {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let ahead = 0;
  const standins = await startStandins({
    file: join(folder, 'standins.sqlite'),
    now: () => Date.now() + ahead,
    chartFolder: folder,
    stripePublicUrl: `${url}/standins/stripe`,
    seatsioPort: 0,
    stripePort: 0,
    webhookUrl: `http://127.0.0.1:${port}/api/webhooks/stripe`,
  });
  const { seatsio, stripe } = standins;
  const env = {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    SEATSIO_URL: seatsio!.url,
    SEATSIO_SECRET_KEY: seatsio!.secretKey,
    SEATSIO_WORKSPACE_KEY: seatsio!.workspaceKey,
    STRIPE_URL: stripe!.url,
    STRIPE_SECRET_KEY: stripe!.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe!.webhookSecret!,
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
    tell: (order) => current.tell(order),
    kill: (signal) => current.kill(signal),
    get invite() {
      return invite;
    },
    deaths: () => deaths,
    isDead: () => current.isDead(),
    ending: () => current.ending(),
    async advance(ms) {
      ahead += ms;
      await current.tell({ kind: 'advance', ms });
    },
    revive: start,
    async persist(act) {
      for (let tries = 1; ; tries += 1) {
        if (current.isDead()) {
          ahead += options.downMs ?? 0;
          await start();
        }
        try {
          return await act();
        } catch (error) {
          // The line breaks before the kernel tells of the end, on a busy machine long before.
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
