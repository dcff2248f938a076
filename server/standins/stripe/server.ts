/** Starts the Stripe stand-in: an HTTP server on loopback that keeps its state in the stand-ins' file and tells the shop what happens. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { settingOf, type Store } from '#server/standins/store.ts';
import { seconds, type Desk } from './call.ts';
import { settleCharges } from './charges.ts';
import { prepareDeliveries, startDeliverer } from './deliveries.ts';
import { answering } from './http.ts';
import { prepareIdempotency } from './idempotency.ts';
import { randomText } from './ids.ts';
import { prepareObjects } from './objects.ts';
import { expireDueSessions } from './sessions.ts';
import { ensureEndpoint } from './webhook-endpoints.ts';

export interface StripeOptions {
  store: Store;
  /** Epoch milliseconds; a test moves it. */
  now: () => number;
  /** 0: any free port. */
  port: number;
  /** Where a browser reaches the hosted page, without a trailing slash. */
  publicUrl: string;
  /** Where signed events are sent from the start. */
  webhookUrl?: string;
}

export interface RunningStripe {
  url: string;
  port: number;
  secretKey: string;
  /** Of the endpoint at `webhookUrl`; null without one. */
  webhookSecret: string | null;
  /** Does at once what the clock would do within two seconds, and waits until every delivery that is due has been tried. */
  tick: () => Promise<void>;
  close: () => Promise<void>;
}

const TICK_EVERY = 1000;
/** Seconds between a charge and its fees and receipt number. */
const SETTLED_AFTER = 1;

export async function startStripe(options: StripeOptions): Promise<RunningStripe> {
  const { store, now } = options;
  const desk: Desk = { store, now, publicUrl: options.publicUrl.replace(/\/+$/, '') };
  prepareObjects(store);
  prepareDeliveries(store);
  prepareIdempotency(store);
  const secretKey = settingOf(store, 'stripe_secret_key', () => `sk_test_${randomText(48)}`);
  const { webhookUrl } = options;
  const webhookSecret = webhookUrl === undefined ? null : store.transaction(() => ensureEndpoint(desk, webhookUrl)).immediate();
  const deliverer = startDeliverer(desk);

  const server = createServer(answering({ ...desk, secretKey, changed: deliverer.wake }));
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  function turn(settledUntil = seconds(desk) - SETTLED_AFTER): void {
    try {
      expireDueSessions(desk);
      settleCharges(desk, settledUntil);
      deliverer.wake();
    } catch (error) {
      // Mostly another process holding the file; the next turn is a second away.
      console.error('stripe stand-in:', error);
    }
  }
  turn();
  const timer = setInterval(() => turn(), TICK_EVERY);
  timer.unref();

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    secretKey,
    webhookSecret,
    async tick() {
      turn(seconds(desk));
      await deliverer.settle();
    },
    async close() {
      clearInterval(timer);
      const closed = new Promise((resolve) => { server.close(resolve); });
      server.closeAllConnections();
      await closed;
      await deliverer.close();
    },
  };
}
