/** A test shop has the stand-in, the real SDK, a clock moved by hand and a receiver of webhooks. */
import { testWith } from '#tests/support/test-with.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { expect } from 'vitest';
import { openStore } from '#server/standins/kit/store.ts';
import {
  startStripe,
  type RunningStripe,
  type StripeOptions,
} from '#server/standins/stripe/server.ts';
import { stripeSteps } from '#server/standins/stripe/statements/schema.ts';
import { openRecorder, type Recorder } from './record.ts';

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
  /** Its answers and all webhooks are checked against the SDK's types when the shop ends. */
  stripe: Stripe;
  running: RunningStripe;
  receiver: Receiver;
  recorder: Recorder;
  clock: { now: number };
  /** A price of a new product. */
  price: (cents: number, name?: string) => Promise<Stripe.Price>;
  /** Two places of 25 euros, unless other lines are given. */
  open: (params?: Partial<Stripe.Checkout.SessionCreateParams>) => Promise<Stripe.Checkout.Session>;
  /** The hosted page's last call carries no secret key and pays 50 euros by default. */
  confirm: (
    session: { id: string },
    body: Record<string, unknown>,
  ) => Promise<{ status: number; body: PageAnswer }>;
  /** A payment method as the hosted page makes it, without the secret key. */
  method: (data: Record<string, unknown>) => Promise<{ status: number; body: PageAnswer }>;
  /** A session opened and paid by Anna, with what follows by itself: gives back the charge. */
  pay: (
    payment_method?: string,
    params?: Partial<Stripe.Checkout.SessionCreateParams>,
  ) => Promise<Stripe.Charge>;
  /** What the page of a session shows. */
  page: (session: { id: string }) => Promise<PageAnswer>;
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

/** The SDK at a stand-in, without retries of its own unless told otherwise. */
export function sdkAt(port: number, key: string, more: Stripe.StripeConfig = {}): Stripe {
  const here = { host: '127.0.0.1', port, protocol: 'http', telemetry: false } as const;
  return new Stripe(key, { ...here, maxNetworkRetries: 0, ...more });
}

/** The clock starts at the present whole second, because the SDK checks the age of signatures. */
export async function startShop({
  file = ':memory:',
  webhooks = true,
  checked = true,
  ...more
}: { file?: string; webhooks?: boolean; checked?: boolean } & Partial<
  Omit<StripeOptions, 'store' | 'now'>
> = {}): Promise<Shop> {
  const clock = { now: Math.floor(Date.now() / 1000) * 1000 };
  const receiver = await startReceiver();
  const store = openStore(file, stripeSteps);
  const running = await startStripe({
    port: 0,
    publicUrl: 'http://localhost:3000/standins/stripe',
    webhookUrl: webhooks ? receiver.url : undefined,
    ...more,
    store,
    now: () => clock.now,
  });
  const recorder = openRecorder();
  const httpClient = Stripe.createFetchHttpClient(recorder.fetch);
  const stripe = sdkAt(running.port, running.secretKey, checked ? { httpClient } : {});

  async function price(cents: number, name = 'Platea intero'): Promise<Stripe.Price> {
    const product = await stripe.products.create({ name });
    return stripe.prices.create({ product: product.id, currency: 'eur', unit_amount: cents });
  }

  const open: Shop['open'] = async (params = {}) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'http://localhost:3000/ok?cs={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://localhost:3000/indietro',
      ...params,
      line_items: params.line_items ?? [{ price: (await price(2500)).id, quantity: 2 }],
    });

  const post = async (path: string, body: object) => {
    const answer = await fetch(`${running.url}/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as PageAnswer };
  };
  const confirm: Shop['confirm'] = ({ id }, body) =>
    post(`payment_pages/${id}/confirm`, { expected_amount: 5000, ...body });

  return {
    stripe,
    running,
    receiver,
    recorder,
    clock,
    price,
    open,
    confirm,
    method: (data) => post('payment_methods', data),
    async pay(payment_method = 'pm_card_visa', params = {}) {
      const session = await open(params);
      await confirm(session, { payment_method, email: 'anna@example.it', name: 'Anna' });
      await running.tick();
      return (await stripe.charges.list({ limit: 1 })).data[0]!;
    },
    async page({ id }) {
      const answer = await fetch(`${running.url}/v1/payment_pages/${id}`);
      return (await answer.json()) as PageAnswer;
    },
    async [Symbol.asyncDispose]() {
      await running.close();
      await receiver.close();
      await store.close();
      if (!checked) return;
      for (const { raw } of receiver.got) recorder.checkEvent(raw);
      expect([...new Set(recorder.complaints)]).toEqual([]);
    },
  };
}

export interface Raw {
  status: number;
  headers: Headers;
  body: {
    id?: string;
    error?: { type: string; code?: string; message: string; param?: string };
  } & Record<string, unknown>;
}

/** Asks without the SDK, by default `POST /v1/products` with a form and the secret key. */
export async function ask(
  { running }: Pick<Shop, 'running'>,
  call: string,
  { form, headers }: { form?: BodyInit; headers?: Record<string, string> } = {},
): Promise<Raw> {
  const [method, path] = call.split(' ') as [string, string];
  const answer = await fetch(running.url + path, {
    method,
    body: form,
    headers: {
      Authorization: `Bearer ${running.secretKey}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    },
  });
  const { status } = answer;
  return { status, headers: answer.headers, body: (await answer.json()) as Raw['body'] };
}

/** The last payment's charge, as it is now. */
export async function lastCharge({ stripe }: Pick<Shop, 'stripe'>): Promise<Stripe.Charge> {
  return (await stripe.charges.list({ limit: 1 })).data[0]!;
}

/** The newest refund, as it is now. */
export async function lastRefund({ stripe }: Pick<Shop, 'stripe'>): Promise<Stripe.Refund> {
  return (await stripe.refunds.list({ limit: 1 })).data[0]!;
}

/** Every event so far, the oldest first. */
export async function eventsOf(stripe: Stripe): Promise<Stripe.Event[]> {
  const all = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
  return all.reverse();
}

/** The products that were made, the oldest first. */
export async function madeProducts(stripe: Stripe): Promise<Stripe.Product[]> {
  const events = await eventsOf(stripe);
  return events.flatMap((event) => (event.type === 'product.created' ? event.data.object : []));
}

/** A price of a product of its own, in cents. */
export async function makePrice(
  stripe: Stripe,
  unit_amount: number,
  name = 'Platea',
): Promise<string> {
  const product = (await stripe.products.create({ name })).id;
  return (await stripe.prices.create({ product, currency: 'eur', unit_amount })).id;
}

/** Checks what is true of every session and its money. */
export async function outcomeOf({ stripe }: Shop, id: string): Promise<string> {
  const { status, payment_status, payment_intent } = await stripe.checkout.sessions.retrieve(id);
  const charges =
    payment_intent === null
      ? []
      : (await stripe.charges.list({ payment_intent: payment_intent as string })).data;
  return `${status} ${payment_status}, ${charges.filter(({ paid }) => paid).length} charged`;
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

/** Each of these calls is refused as the object says. */
export async function refuses(refusal: object, ...calls: Promise<unknown>[]): Promise<void> {
  for (const refused of await Promise.all(calls.map(refusalOf)))
    expect(refused).toMatchObject(refusal);
}

/** As an account that pays out by hand. */
export async function payOutByHand(stripe: Stripe): Promise<void> {
  await stripe.balanceSettings.update({
    payments: { payouts: { schedule: { interval: 'manual' } } },
  });
}

/** A test with a shop of its own. */
export const testShop = testWith(() => startShop());
