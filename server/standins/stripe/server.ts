/**
 * Starts the Stripe stand-in for the demo and for tests: an HTTP server on loopback that stores
 * its state in the stand-ins' file and sends webhooks to the shop.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseNoise } from '#server/standins/kit/noise.ts';
import { settingOf } from '#server/standins/kit/settings.ts';
import { StoreBusyError, type Store, type Writer } from '#server/standins/kit/store.ts';
import { failPayout, type FailureCode } from './balance/payouts.ts';
import { seconds, within, type OpenDesk, type Settings } from './call.ts';
import { settle } from './clock.ts';
import { openFaults, type Faults } from './faults/faults.ts';
import { answering, type Front } from './front/http.ts';
import { steering } from './front/steering.ts';
import { newId, randomText } from './ids.ts';
import { letAllGo } from './statements/deliveries.ts';
import { adoptWaiting } from './statements/later.ts';
import { startDeliverer, type Deliverer } from './webhook/deliveries.ts';
import type { DeliveryOptions } from './webhook/delivery-tries.ts';
import { forgetOldEvents } from './webhook/events.ts';
import { ensureEndpoint } from './webhook/webhook-endpoints.ts';

export interface StripeOptions {
  /** A store that has the tables of `stripeSteps`. */
  store: Store;
  /** Epoch milliseconds; a test may move this clock. */
  now: () => number;
  /** 0 for any free port. */
  port: number;
  /** The hosted page's public address without a trailing slash; empty for the server's own. */
  publicUrl: string;
  /** The address to which signed events are sent. */
  webhookUrl?: string;
  /** The secret `whsec_…` of the endpoint at `webhookUrl`; made here if left out. */
  webhookSecret?: string;
  /** The key `sk_test_…`; made here if left out. */
  secretKey?: string;
  /** Opens `/_standin/…`, with which tests in other processes add faults and move the clock. */
  faults?: boolean;
  /** By default retries follow within seconds, because the receiver is on the same machine. */
  deliveries?: Partial<DeliveryOptions>;
}

export interface RunningStripe {
  url: string;
  port: number;
  secretKey: string;
  /** The secret of the endpoint at `webhookUrl`; null without an endpoint. */
  webhookSecret: string | null;
  faults: Faults;
  deliveries: Pick<Deliverer, 'list' | 'retry' | 'replayAll' | 'pause' | 'resume'>;
  /** The bank returns the money of a payout to the balance. */
  failPayout: (id: string, code?: FailureCode) => Promise<void>;
  /** Moves the stand-in's own clock forward, in addition to `now`, and runs what is then due. */
  advance: (ms: number) => Promise<void>;
  /** Runs everything that is due within two seconds, and sends what is to be delivered. */
  tick: () => Promise<void>;
  close: () => Promise<void>;
}

const TICK_EVERY = 1000;
/** How many seconds a tick looks ahead. */
const AHEAD = 2;
/** With this scale the waits are 0.25, 1.5, 6, 15, 30, then 36 seconds. */
const DELIVERIES: DeliveryOptions = { retryScale: 1 / 1200, inFlight: 16, timeoutMs: 10_000 };

export async function startStripe(options: StripeOptions): Promise<RunningStripe> {
  const { store } = options;
  let ahead = 0;
  const now = () => options.now() + ahead;
  const { secretKey, settings, webhookSecret } = await store.write((writer) =>
    prepare(writer, options),
  );
  const faults = openFaults(now);
  const desk = { store, now, publicUrl: options.publicUrl.replace(/\/+$/, ''), settings };
  const deliverer = startDeliverer({ ...desk, faults }, { ...DELIVERIES, ...options.deliveries });

  async function tick(): Promise<void> {
    await settle(desk, seconds(desk) + AHEAD);
    await forgetOldEvents(desk);
    await deliverer.settle();
  }

  async function advance(ms: number): Promise<void> {
    ahead += ms;
    await tick();
  }

  const sendBack = sendingBack(desk, tick);

  const front: Front = {
    ...desk,
    secretKey,
    faults,
    changed: deliverer.wake,
    steering: options.faults
      ? steering({ desk, faults, deliverer, advance, failPayout: sendBack })
      : null,
  };
  const server = await listen(front, options.port);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  if (options.publicUrl === '') front.publicUrl = url;

  const stopClock = startClock(desk, deliverer);

  return {
    url,
    port,
    secretKey,
    webhookSecret,
    faults,
    deliveries: deliverer,
    failPayout: sendBack,
    advance,
    tick,
    async close() {
      const stopped = stopClock();
      await hangUp(server);
      await stopped;
      await deliverer.close();
    },
  };
}

function sendingBack(desk: OpenDesk, tick: () => Promise<void>): RunningStripe['failPayout'] {
  return async (id, code = 'account_closed') => {
    await desk.store.write((writer) => failPayout(within(desk, writer), id, code));
    await tick();
  };
}

/** Returns a function that stops the clock and waits for the running turn. */
function startClock(desk: OpenDesk, deliverer: Deliverer): () => Promise<void> {
  let turning: Promise<void> = Promise.resolve();
  const turn = async (): Promise<void> => {
    try {
      await settle(desk);
      await forgetOldEvents(desk);
    } catch (error) {
      // Another process holds the file; the next turn of the clock comes in a second.
      if (!(error instanceof StoreBusyError)) console.error('stripe stand-in:', error);
    }
    deliverer.wake();
  };
  const timer = setInterval(() => {
    turning = turn();
  }, TICK_EVERY);
  timer.unref();
  deliverer.wake();
  return async () => {
    clearInterval(timer);
    await turning;
  };
}

async function listen(front: Front, port: number): Promise<Server> {
  const answer = answering(front);
  // Requests without a Host header or with an unknown Expect are also answered in Stripe's form.
  const server = createServer(
    { requestTimeout: 30_000, keepAliveTimeout: 60_000, requireHostHeader: false },
    answer,
  );
  server.on('checkExpectation', answer);
  server.on(
    'clientError',
    refuseNoise((_status, message) => ({ error: { type: 'invalid_request_error', message } })),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

async function hangUp(server: Server): Promise<void> {
  const closed = new Promise((resolve) => {
    server.close(resolve);
  });
  server.closeAllConnections();
  await closed;
}

/** Keys and secrets are made at the first start and stored. */
async function prepare(
  writer: Writer,
  options: StripeOptions,
): Promise<{ secretKey: string; settings: Settings; webhookSecret: string | null }> {
  const kept = (key: string, make: () => string) => settingOf(writer, `stripe_${key}`, make);
  await letAllGo(writer);
  await adoptWaiting(writer);
  const secretKey =
    options.secretKey ?? (await kept('secret_key', () => `sk_test_${randomText(48)}`));
  const settings: Settings = {
    receiptSecret: await kept('receipt_secret', () => randomText(43)),
    fingerprintSalt: await kept('fingerprint_salt', () => randomText(32)),
    methodConfiguration: await kept('payment_method_configuration', () => newId('pmc')),
  };
  const { webhookUrl, webhookSecret, now } = options;
  if (webhookUrl === undefined) return { secretKey, settings, webhookSecret: null };
  const given = { url: webhookUrl, secret: webhookSecret };
  return {
    secretKey,
    settings,
    webhookSecret: await ensureEndpoint({ store: writer, now }, given),
  };
}
