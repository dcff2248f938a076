/** Payments at Stripe or at our stand-in through the SDK: Checkout Sessions, webhooks, prices. */
import { Stripe } from 'stripe';
import { checkoutStatuses, type CheckoutStatus } from '#server/domain/order/order.ts';
import { spellAddress } from '#server/domain/text/mail-address.ts';
import { oneLine } from '#server/domain/text/plain-text.ts';
import { faultOf, type Price } from '#server/domain/price/pricing.ts';
import { eachBy, ProviderRefused } from './provider.ts';
import { askingStripe, clientInTime, inOurErrors } from './stripe-call.ts';
import { connectCatalog, type Catalog } from './stripe-catalog.ts';
import { connectPayouts, type PayoutBooks } from './stripe-payouts.ts';
import { hasOurMark, ourField, withMark, type HouseId } from './stripe-mark.ts';
import { connectMoney, type Money } from './stripe-money.ts';

/** A session as it is now; times in milliseconds. */
export interface Session {
  id: string;
  status: CheckoutStatus;
  paid: boolean;
  /** True: completed with a slow method, and then the payment failed. */ failed: boolean;
  payment_status: string;
  amount_total: number;
  currency: string;
  url: string | null;
  expires_at: number;
  /** Null without our mark: a session of another shop on the same account. */
  order_id: string | null;
  /** The secret of the buyer's link, from the address to which Stripe sends the buyer back. */
  link_key: string | null;
  payment_intent: string | null;
  receipt_number: string | null;
  buyer_name: string | null;
  buyer_email: string | null;
  buyer_phone: string | null;
  /** All metadata that Stripe stores for us; empty without our mark. */ metadata?: Readonly<
    Record<string, string>
  >;
}

/** All parameters of a session. */
export interface SessionParams extends StoredParams {
  /** The secret of the buyer's link, which is stored in its own column only. */
  link_key: string;
}

/** A price at Stripe, or one that is made for this session: a lowered one, or a surcharge. */
export type CheckoutItem = { quantity: number } & (
  | { price_id: string; lowered?: { product_id: string; unit_amount: number } }
  | { surcharge: { name: string; unit_amount: number } }
);

/** Stored before the call, so that a repeated call is identical. */
export interface StoredParams {
  order_id: string;
  description: string;
  /** Date and seats, which the buyer reads before paying. */ summary: string;
  public_url: string;
  expires_at: number;
  items: CheckoutItem[];
  /** The buyer's mail, which the hosted page then does not ask; left out: it asks. */
  customer_email?: string;
  /** True: the hosted page asks for a telephone number, which its buyer must tell. */
  asks_phone?: boolean;
  /** More metadata for Stripe, see domain/order/order-record.ts. */ record?: Readonly<
    Record<string, string>
  >;
}

/** A verified event; it only says which order or payment must be read again. */
export interface WebhookHint {
  id: string;
  type: string;
  /** Null without our mark. */ order_id: string | null;
  session_id: string | null;
  payment_intent: string | null;
  /** The payout, if the event is about one. */ payout_id?: string | null;
  livemode: boolean;
  /** When Stripe made the event. */ created_at?: number;
}

export interface Payments extends Money, Catalog, PayoutBooks {
  live: boolean;
  /** Those of these prices that are active, in EUR, with an amount and an active product. */
  prices(ids: readonly string[]): Promise<Price[]>;
  open(params: SessionParams, idempotencyKey: string): Promise<Session>;
  read(sessionId: string): Promise<Session>;
  /** Asks Stripe to close the session and returns it: expired, or complete if just paid. */
  expire(sessionId: string): Promise<Session>;
  /** Sessions made since then, newest first, page by page. */
  sessions(since: number): AsyncIterable<Session>;
  /** Events since then that Stripe could not deliver to a webhook endpoint, oldest first. */
  undelivered(since: number): Promise<WebhookHint[]>;
  verify(body: Buffer, signature: string): Promise<WebhookHint>;
  /** For the demo: finds a price by its lookup key or makes it; returns its id. */
  ensurePrice(ask: { lookup_key: string; product: string; unit_amount: number }): Promise<string>;
}

export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  host: { hostname: string; port: number } | null;
  house: HouseId;
}

/** Restricted keys (`rk`) can be live too. */
export function isLiveKey(secretKey: string): boolean {
  return /^(sk|rk)_live_/.test(secretKey);
}

/**
 * `host`: null for the real Stripe. A try may take ten seconds, because a booking must not wait
 * for the SDK's eighty.
 */
export function connectPayments(options: StripeOptions): Payments {
  const { secretKey, webhookSecret, host, house } = options;
  const stripe = new Stripe(secretKey, {
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    httpClient: clientInTime(),
    ...(host ? { host: host.hostname, port: host.port, protocol: 'http' as const } : {}),
  });
  const money = connectMoney(stripe, house);
  return {
    live: isLiveKey(secretKey),
    ...money,
    ...connectCatalog(stripe, house),
    ...connectPayouts(stripe, house),
    ...connectSessions(stripe, house),
    verify: async (body, signature) => {
      const ours = await house();
      return inOurErrors(async () =>
        hintOf(ours, await verifyEvent(stripe, body, signature, webhookSecret.split(','))),
      );
    },
    prices: async (ids) =>
      (await money.priceFacts(ids)).flatMap((price) =>
        faultOf(price) === null && price.unit_amount !== null
          ? [{ id: price.id, unit_amount: price.unit_amount, product_id: price.product.id }]
          : [],
      ),
    ...eachBy<Pick<Payments, 'undelivered' | 'ensurePrice'>>(askingStripe, {
      async undelivered(since) {
        const created = { gte: Math.floor(since / 1000) };
        const events = await stripe.events
          .list({ created, delivery_success: false, limit: 100 })
          .autoPagingToArray({ limit: 1_000 });
        const ours = await house();
        return events.reverse().map((event) => hintOf(ours, event));
      },
      ensurePrice: async (ask) => ensurePrice(stripe, await house(), ask),
    }),
  };
}

function connectSessions(
  stripe: Stripe,
  house: HouseId,
): Pick<Payments, 'sessions' | 'open' | 'read' | 'expire'> {
  const { sessions } = stripe.checkout;
  const read = async (id: string) =>
    sessionOf(
      await house(),
      await sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }),
    );
  return {
    sessions: (since) => listSessions(stripe, house, since),
    ...eachBy<Pick<Payments, 'open' | 'read' | 'expire'>>(askingStripe, {
      async open(params, idempotencyKey) {
        const ours = await house();
        const ask = createParams(ours, params);
        return sessionOf(ours, await sessions.create(ask, { idempotencyKey }));
      },
      read,
      async expire(id) {
        try {
          return sessionOf(await house(), await sessions.expire(id));
        } catch (error) {
          // Only an open session can be expired; after a refusal it is not, so it is read again.
          if (error instanceof Stripe.errors.StripeInvalidRequestError) return read(id);
          throw error;
        }
      },
    }),
  };
}

async function ensurePrice(
  stripe: Stripe,
  house: string,
  { lookup_key, product, unit_amount }: Parameters<Payments['ensurePrice']>[0],
): Promise<string> {
  const known = await stripe.prices.list({ lookup_keys: [lookup_key], active: true, limit: 1 });
  if (known.data[0]) return known.data[0].id;
  const metadata = withMark(house);
  const made = await stripe.products.create({ name: product, metadata });
  const price = await stripe.prices.create({
    product: made.id,
    currency: 'eur',
    unit_amount,
    lookup_key,
    metadata,
  });
  return price.id;
}

/** Each page is a separate call, so that a failure does not lose the pages before it. */
async function* listSessions(
  stripe: Stripe,
  house: HouseId,
  since: number,
): AsyncGenerator<Session> {
  const ours = await house();
  for (let starting_after: string | undefined; ;) {
    const page = await askingStripe(() =>
      stripe.checkout.sessions.list({
        created: { gte: Math.floor(since / 1000) },
        limit: 100,
        expand: ['data.payment_intent'],
        ...(starting_after === undefined ? {} : { starting_after }),
      }),
    );
    yield* page.data.map((session) => sessionOf(ours, session));
    starting_after = page.data.at(-1)?.id;
    if (!page.has_more || starting_after === undefined) return;
  }
}

/** The button says `pay`, not `book`, because it must name the duty to pay (RULES L4). */
function createParams(house: string, params: SessionParams): Stripe.Checkout.SessionCreateParams {
  const { order_id, link_key, public_url, customer_email } = params;
  const back = `${public_url}/orders/${link_key}/from_stripe_cs`;
  return {
    // Only methods that pay immediately: a seat cannot wait days for a bank.
    allowed_payment_method_types: ['card', 'link', 'satispay', 'klarna', 'paypal'],
    mode: 'payment',
    client_reference_id: order_id,
    ...(customer_email !== undefined && { customer_email }),
    locale: 'it',
    submit_type: 'pay',
    line_items: params.items.map(lineItemOf),
    customer_creation: 'if_required',
    billing_address_collection: 'auto',
    adaptive_pricing: { enabled: false },
    ...(params.asks_phone === true && { phone_number_collection: { enabled: true } }),
    custom_fields: [
      {
        key: 'nome',
        label: { type: 'custom', custom: 'Nome e cognome' },
        type: 'text',
        optional: false,
      },
    ],
    success_url: `${back}/complete`,
    cancel_url: `${back}/open`,
    expires_at: Math.floor(params.expires_at / 1000),
    metadata: withMark(house, { ...params.record, order_id }),
    custom_text: { submit: { message: params.summary } },
    // Stripe copies this metadata, not the session's, to the charge.
    payment_intent_data: {
      metadata: withMark(house, { order_id }),
      description: params.description,
    },
  };
}

function lineItemOf(item: CheckoutItem): Stripe.Checkout.SessionCreateParams.LineItem {
  const { quantity } = item;
  const currency = 'eur';
  if ('surcharge' in item) {
    const { name, unit_amount } = item.surcharge;
    return { price_data: { currency, product_data: { name }, unit_amount }, quantity };
  }
  if (item.lowered === undefined) return { price: item.price_id, quantity };
  const { product_id: product, unit_amount } = item.lowered;
  return { price_data: { currency, product, unit_amount }, quantity };
}

function sessionOf(house: string, session: Stripe.Checkout.Session): Session {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null;
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null;
  const name =
    session.custom_fields.find((field) => field.key === 'nome')?.text?.value ??
    session.customer_details?.name ??
    null;
  return {
    id: session.id,
    status: checkoutStatuses.find((status) => status === session.status) ?? 'open',
    paid: session.payment_status !== 'unpaid',
    failed:
      session.status === 'complete' &&
      session.payment_status === 'unpaid' &&
      (intent?.status === 'requires_payment_method' || intent?.status === 'canceled'),
    payment_status: session.payment_status,
    amount_total: session.amount_total ?? -1,
    currency: session.currency ?? '',
    url: session.url,
    expires_at: session.expires_at * 1000,
    order_id: ourField(house, session.metadata, 'order_id'),
    link_key: /\/orders\/([\w-]{22})\//.exec(session.success_url ?? '')?.[1] ?? null,
    payment_intent:
      intent?.id ?? (typeof session.payment_intent === 'string' ? session.payment_intent : null),
    receipt_number: charge?.receipt_number ?? null,
    buyer_name: name === null ? null : oneLine(name),
    buyer_email: spellAddress(session.customer_details?.email ?? '') || null,
    buyer_phone: session.customer_details?.phone ?? null,
    metadata: hasOurMark(house, session.metadata) ? (session.metadata ?? {}) : {},
  };
}

/** A signed event may still be malformed, so only short plain text from it may reach a query. */
function hintOf(house: string, event: Stripe.Event): WebhookHint {
  const object = event.data?.object as
    | {
        id?: unknown;
        object?: unknown;
        payment_intent?: unknown;
        metadata?: Record<string, unknown> | null;
      }
    | undefined;
  const [id, type] = [plainText(event.id), plainText(event.type)];
  if (id === null || type === null)
    throw new ProviderRefused('Stripe', 'malformed', 'an event without id or type');
  return {
    id,
    type,
    livemode: event.livemode === true,
    ...(Number.isFinite(event.created) ? { created_at: event.created * 1000 } : {}),
    order_id: plainText(ourField(house, object?.metadata, 'order_id')),
    payout_id: object?.object === 'payout' ? plainText(object.id) : null,
    session_id: object?.object === 'checkout.session' ? plainText(object.id) : null,
    payment_intent: plainText(
      object?.object === 'payment_intent' ? object.id : object?.payment_intent,
    ),
  };
}

function plainText(value: unknown): string | null {
  return typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value) ? value : null;
}

/** While a secret is being replaced, the old one is accepted too. */
async function verifyEvent(
  stripe: Stripe,
  body: string | Buffer,
  signature: string,
  [secret = '', ...others]: string[],
): Promise<Stripe.Event> {
  try {
    return await stripe.webhooks.constructEventAsync(body, signature, secret.trim());
  } catch (error) {
    if (others.length === 0) throw error;
    return verifyEvent(stripe, body, signature, others);
  }
}
