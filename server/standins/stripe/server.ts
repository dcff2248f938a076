/** Starts the Stripe stand-in: an HTTP server on loopback that keeps its state in the stand-ins' file and tells the shop what happens. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { patiently, settingOf, type Store } from '#server/standins/store.ts';
import { isBusy, openWriteQueue } from '#server/standins/write-queue.ts';
import { seconds, type Desk } from './call.ts';
import { settleDue } from './clock.ts';
import { startDeliverer, type Deliverer, type DeliveryOptions } from './webhook/deliveries.ts';
import { prepareDeliveries } from './webhook/delivery-queue.ts';
import { StripeError } from './transport/errors.ts';
import { forgetOldEvents } from './webhook/events.ts';
import { openFaults, type Faults } from './faults/faults.ts';
import { answering, type Front } from './transport/http.ts';
import { prepareIdempotency } from './transport/idempotency.ts';
import { randomText } from './ids.ts';
import type { Keys } from './transport/keys.ts';
import { prepareLater } from './later.ts';
import { prepareObjects } from './objects.ts';
import { steering } from './faults/steering.ts';
import { ensureEndpoint } from './webhook/webhook-endpoints.ts';

export interface StripeOptions {
  store: Store;
  /** Epoch milliseconds; a test moves it. */
  now: () => number;
  /** 0: any free port. */
  port: number;
  /** Where a browser reaches the hosted page, without a trailing slash; empty: at the server's own address. */
  publicUrl: string;
  /** Where signed events are sent from the start. */
  webhookUrl?: string | undefined;
  /** `whsec_…` of the endpoint at `webhookUrl`, instead of one made here. */
  webhookSecret?: string | undefined;
  /** `sk_test_…`, instead of one made here. */
  secretKey?: string | undefined;
  /** Opens `/_standin/…`, with which other processes order faults and move the clock. Never for anybody but tests. */
  faults?: boolean | undefined;
  /** Left out: retries within seconds, because the receiver is a program on the same desk. */
  deliveries?: Partial<DeliveryOptions> | undefined;
}

export interface RunningStripe {
  url: string;
  port: number;
  secretKey: string;
  /** Reads everything, writes nothing. */
  restrictedKey: string;
  publishableKey: string;
  /** Of the endpoint at `webhookUrl`; null without one. */
  webhookSecret: string | null;
  faults: Faults;
  deliveries: Pick<Deliverer, 'list' | 'retry' | 'replayAll' | 'pause' | 'resume'>;
  /** Moves the stand-in's own clock on, on top of `now`, and does what is due by then. */
  advance: (ms: number) => Promise<void>;
  /** Does at once what the clock would do within two seconds, and waits until every delivery that is due has been tried. */
  tick: () => Promise<void>;
  close: () => Promise<void>;
}

const TICK_EVERY = 1000;
/** Seconds that a tick looks ahead. */
const AHEAD = 2;
/** Steps of 0.25, 1.5, 6, 15, 30, then 36 seconds. */
const DELIVERIES: DeliveryOptions = { retryScale: 1 / 1200, inFlight: 16, timeoutMs: 10_000 };

export async function startStripe(options: StripeOptions): Promise<RunningStripe> {
  const { store } = options;
  let ahead = 0;
  const desk: Desk = {
    store,
    now: () => options.now() + ahead,
    publicUrl: options.publicUrl.replace(/\/+$/, ''),
  };
  const { keys, webhookSecret } = patiently(store, () => prepare(desk, options));
  const write = openWriteQueue({
    transact: (works) =>
      store
        .transaction(() => {
          for (const work of works) {
            // After a full disk SQLite may have ended the transaction by itself: the rest would be written one by one.
            if (!store.inTransaction) throw new Error('The transaction ended early');
            work();
          }
        })
        .immediate(),
    locked: () =>
      new StripeError(409, {
        type: 'invalid_request_error',
        code: 'lock_timeout',
        message: 'The object is being worked on by another process; try again.',
      }),
  });
  const faults = openFaults(desk.now);
  const deliverer = startDeliverer(
    { ...desk, faults, write },
    { ...DELIVERIES, ...options.deliveries },
  );

  async function tick(): Promise<void> {
    await write(() => {
      settleDue(desk, seconds(desk) + AHEAD);
      forgetOldEvents(desk);
    });
    await deliverer.settle();
  }

  async function advance(ms: number): Promise<void> {
    ahead += ms;
    await tick();
  }

  const front: Front = {
    ...desk,
    keys,
    faults,
    write,
    settle: () => settleDue(desk),
    changed: deliverer.wake,
    steering: options.faults ? steering({ desk, faults, deliverer, write, advance }) : null,
  };
  const answer = answering(front);
  // Without a Host header, or expecting what we do not know, a request is still answered in Stripe's shape.
  const server = createServer(
    { requestTimeout: 30_000, keepAliveTimeout: 60_000, requireHostHeader: false },
    answer,
  );
  server.on('checkExpectation', answer);
  server.on('clientError', refuseNoise);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  if (options.publicUrl === '') front.publicUrl = url;

  const timer = setInterval(() => {
    try {
      settleDue(desk);
      forgetOldEvents(desk);
    } catch (error) {
      // Another process holds the file: the next turn is a second away.
      if (!isBusy(error)) console.error('stripe stand-in:', error);
    }
    deliverer.wake();
  }, TICK_EVERY);
  timer.unref();
  deliverer.wake();

  return {
    url,
    port,
    secretKey: keys.secret,
    restrictedKey: keys.restricted,
    publishableKey: keys.publishable,
    webhookSecret,
    faults,
    deliveries: deliverer,
    advance,
    tick,
    async close() {
      clearInterval(timer);
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
      await deliverer.close();
    },
  };
}

/** Keys and secrets are made at the first start and stay in the file. */
function prepare(desk: Desk, options: StripeOptions): { keys: Keys; webhookSecret: string | null } {
  const { store } = desk;
  const { webhookUrl } = options;
  return store
    .transaction(() => {
      prepareObjects(store);
      prepareDeliveries(store);
      prepareIdempotency(store);
      prepareLater(store);
      const keys: Keys = {
        secret:
          options.secretKey ??
          settingOf(store, 'stripe_secret_key', () => `sk_test_${randomText(48)}`),
        restricted: settingOf(store, 'stripe_restricted_key', () => `rk_test_${randomText(48)}`),
        publishable: settingOf(store, 'stripe_publishable_key', () => `pk_test_${randomText(48)}`),
        account: settingOf(store, 'stripe_account', () => `acct_${randomText(16)}`),
      };
      return {
        keys,
        webhookSecret:
          webhookUrl === undefined
            ? null
            : ensureEndpoint(desk, { url: webhookUrl, secret: options.webhookSecret }),
      };
    })
    .immediate();
}

/** What is no HTTP, or too slow, or has too long headers, gets an error that a client can read, too. */
function refuseNoise(error: Error, socket: Duplex): void {
  const code = 'code' in error ? String(error.code) : '';
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status =
    {
      HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
      ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
    }[code] ?? '400 Bad Request';
  const body = JSON.stringify({
    error: { type: 'invalid_request_error', message: `The request could not be read: ${status}.` },
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
