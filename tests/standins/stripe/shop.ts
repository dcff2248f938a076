/** A shop for the Stripe stand-in's tests: the stand-in, the real SDK, a clock that moves by hand, and a receiver of webhooks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { openStore } from '#server/standins/kit/store.ts';
import {
  startStripe,
  type RunningStripe,
  type StripeOptions,
} from '#server/standins/stripe/server.ts';
import { stripeSchema } from '#server/standins/stripe/statements/schema.ts';

interface Delivered {
  raw: string;
  signature: string;
  type: string;
  status: number;
}

interface Receiver {
  url: string;
  got: Delivered[];
  /** What the next deliveries are answered; 200 when empty. */
  answers: number[];
  /** Resolves once so many deliveries have arrived. */
  reached: (count: number) => Promise<void>;
  close: () => Promise<void>;
}

export interface Shop extends AsyncDisposable {
  stripe: Stripe;
  running: RunningStripe;
  receiver: Receiver;
  clock: { now: number };
  /** A price of a new product. */
  price: (cents: number, name?: string) => Promise<Stripe.Price>;
  open: (params?: Partial<Stripe.Checkout.SessionCreateParams>) => Promise<Stripe.Checkout.Session>;
  /** The two calls of the hosted page, without the secret key. */
  confirm: (
    session: { id: string },
    body: Record<string, unknown>,
  ) => Promise<{ status: number; body: PageAnswer }>;
}

export interface PageAnswer {
  status?: string;
  success_url?: string;
  amount_total?: number;
  id?: string;
  payment_status?: string;
  payment_method_types?: string[];
  next_action?: { id: string; type: string; payment_method_type: string } | null;
  error?: { type: string; code?: string; decline_code?: string; message: string; param?: string };
}

export const CARD = { number: '4242 4242 4242 4242', exp_month: 12, exp_year: 34, cvc: '123' };

export async function startReceiver(port = 0): Promise<Receiver> {
  const got: Delivered[] = [];
  const answers: number[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const status = answers.shift() ?? 200;
      got.push({
        raw,
        signature: String(request.headers['stripe-signature']),
        type: (JSON.parse(raw) as { type: string }).type,
        status,
      });
      response.writeHead(status).end();
      waiting = waiting.filter(({ count, resolve }) => {
        if (got.length >= count) resolve();
        return got.length < count;
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    got,
    answers,
    reached: (count) =>
      got.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The clock starts at a whole second of the present, so that the SDK's own check of signatures holds. */
export async function startShop(
  options: { file?: string; webhooks?: boolean } & Partial<
    Omit<StripeOptions, 'store' | 'now' | 'webhookUrl'>
  > = {},
): Promise<Shop> {
  const clock = { now: Math.floor(Date.now() / 1000) * 1000 };
  const receiver = await startReceiver();
  const store = openStore(options.file ?? ':memory:', stripeSchema);
  const { file: _file, webhooks: _webhooks, ...more } = options;
  const running = await startStripe({
    port: 0,
    publicUrl: 'http://localhost:3000/standins/stripe',
    ...more,
    store,
    now: () => clock.now,
    webhookUrl: options.webhooks === false ? undefined : receiver.url,
  });
  const stripe = new Stripe(running.secretKey, {
    host: '127.0.0.1',
    port: running.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });

  async function price(cents: number, name = 'Platea intero'): Promise<Stripe.Price> {
    const product = await stripe.products.create({ name });
    return stripe.prices.create({ product: product.id, currency: 'eur', unit_amount: cents });
  }

  return {
    stripe,
    running,
    receiver,
    clock,
    price,
    async open(params = {}) {
      const line_items = params.line_items ?? [{ price: (await price(2500)).id, quantity: 2 }];
      return stripe.checkout.sessions.create({
        mode: 'payment',
        success_url: 'http://localhost:3000/ok?cs={CHECKOUT_SESSION_ID}',
        cancel_url: 'http://localhost:3000/indietro',
        ...params,
        line_items,
      });
    },
    async confirm({ id }, body) {
      const answer = await fetch(`${running.url}/v1/payment_pages/${id}/confirm`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as PageAnswer };
    },
    async [Symbol.asyncDispose]() {
      await running.close();
      await receiver.close();
      await store.close();
    },
  };
}

/** As an account whose money moves only when somebody says so. */
export async function payOutByHand(stripe: Stripe): Promise<void> {
  await stripe.balanceSettings.update({
    payments: { payouts: { schedule: { interval: 'manual' } } },
  });
}

/** What a call was refused with; fails the test when it was not. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof Stripe.errors.StripeError) return outcome;
  throw new Error('The call was not refused by Stripe.', { cause: outcome });
}
