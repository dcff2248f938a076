/** A product that dies and comes back on the same data, beside vendors that live on; both go by one clock, which the test moves. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startStandins, type RunningStandins } from '#server/standins/start.ts';
import type { Order } from './mortal-child.ts';
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
  ending: () => { code: number | null; signal: string | null };
  tell: <T>(order: Order) => Promise<T>;
  /** The product's clock and the vendors'. */
  advance: (ms: number) => Promise<void>;
  /** Starts it again after its death. */
  revive: () => Promise<void>;
  kill: (signal?: NodeJS.Signals) => Promise<void>;
  /** Does it, and does it again after each death until it is done: what a visitor, a browser or Stripe would do. */
  persist: <T>(act: () => Promise<T>) => Promise<T>;
}

export interface MortalOptions {
  env?: Record<string, string>;
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
  let child: ChildProcess;
  let dead = true;
  let gone = Promise.resolve();
  let deaths = 0;
  let ending: { code: number | null; signal: string | null } = { code: null, signal: null };
  let ids = 0;
  let invite = '';

  async function start(): Promise<void> {
    const limit = options.largestFileKb?.() ?? null;
    const run = limit === null ? 'exec "$0" "$@"' : `ulimit -f ${limit}; exec "$0" "$@"`;
    child = spawn(
      'bash',
      ['-c', run, process.execPath, join(import.meta.dirname, 'mortal-child.ts'), String(ahead)],
      {
        cwd: join(import.meta.dirname, '../..'),
        env: { ...process.env, NODE_ENV: '', ...env },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    dead = false;
    const mine = child;
    gone = new Promise((resolve) => {
      mine.once('exit', (code, signal) => {
        [dead, ending] = [true, { code, signal }];
        deaths += 1;
        resolve();
      });
    });
    const [message] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => {
        throw new Error('it does not start');
      }),
    ])) as [{ ready: string }];
    if (message.ready !== '') invite = message.ready;
  }

  async function tell<T>(order: Order): Promise<T> {
    const id = (ids += 1);
    const mine = child;
    return new Promise<T>((resolve, reject) => {
      const leave = () => reject(new Error('it died'));
      const hear = (message: { id?: number; answer?: T; error?: string }) => {
        if (message.id !== id) return;
        mine.off('message', hear);
        mine.off('exit', leave);
        if (message.error === undefined) resolve(message.answer as T);
        else reject(new Error(message.error));
      };
      mine.on('message', hear);
      mine.once('exit', leave);
      mine.send({ id, order }, (error) => {
        if (error) leave();
      });
    });
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (dead) return;
    child.kill(signal);
    await gone;
  }

  await start();
  return {
    url,
    folder,
    standins,
    tell,
    kill,
    get invite() {
      return invite;
    },
    deaths: () => deaths,
    isDead: () => dead,
    ending: () => ending,
    async advance(ms) {
      ahead += ms;
      await tell({ kind: 'advance', ms });
    },
    revive: start,
    async persist(act) {
      for (let tries = 1; ; tries += 1) {
        if (dead) await start();
        try {
          return await act();
        } catch (error) {
          // The line breaks before the kernel tells of the end.
          await Promise.race([gone, pause(250)]);
          if (!dead || tries === 10) throw error;
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await kill();
      await standins.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
