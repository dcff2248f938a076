/** Random requests against every address: never a breakdown, errors always in Stripe's shape, and what is given out always as the SDK's types say. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { routes, type Route } from '#server/standins/stripe/routes.ts';
import { openShapes } from './shapes.ts';
import { startShop, type Shop } from './shop.ts';

const kinds = {
  product: 'Product',
  price: 'Price',
  'checkout.session': 'Checkout.Session',
  payment_intent: 'PaymentIntent',
  charge: 'Charge',
  refund: 'Refund',
  dispute: 'Dispute',
  customer: 'Customer',
  payment_method: 'PaymentMethod',
  balance_transaction: 'BalanceTransaction',
  payout: 'Payout',
  event: 'Event',
  webhook_endpoint: 'WebhookEndpoint',
  item: 'LineItem',
} as const;

/** One of everything, so that a random call often meets something real. */
async function furnish(shop: Shop): Promise<string[]> {
  const { stripe } = shop;
  const session = await shop.open();
  const paid = await shop.open();
  await shop.confirm(paid, {
    payment_method: 'pm_card_visa',
    expected_amount: 5000,
    email: 'anna@example.it',
    name: 'Anna',
  });
  await shop.running.tick();
  const [charge] = (await stripe.charges.list()).data;
  const refund = await stripe.refunds.create({ charge: charge!.id, amount: 100 });
  const disputed = await shop.open();
  await shop.confirm(disputed, {
    payment_method: 'pm_card_createDispute',
    expected_amount: 5000,
    email: 'anna@example.it',
    name: 'Anna',
  });
  shop.clock.now += 60_000;
  await shop.running.tick();
  const [dispute] = (await stripe.disputes.list()).data;
  const customer = await stripe.customers.create({ name: 'Anna' });
  const [price] = (await stripe.prices.list()).data;
  const [endpoint] = (await stripe.webhookEndpoints.list()).data;
  const [event] = (await stripe.events.list()).data;
  return [
    session.id,
    paid.id,
    charge!.id,
    charge!.payment_intent as string,
    refund.id,
    dispute?.id ?? 'du_none',
    customer.id,
    price!.id,
    price!.product as string,
    endpoint!.id,
    event!.id,
    charge!.payment_method as string,
    charge!.balance_transaction as string,
  ];
}

const words = [
  'name',
  'active',
  'metadata',
  'expand',
  'limit',
  'starting_after',
  'ending_before',
  'created',
  'product',
  'currency',
  'unit_amount',
  'unit_amount_decimal',
  'price',
  'quantity',
  'line_items',
  'mode',
  'success_url',
  'cancel_url',
  'client_reference_id',
  'expires_at',
  'custom_fields',
  'payment_intent',
  'payment_intent_data',
  'charge',
  'amount',
  'reason',
  'status',
  'customer',
  'customer_email',
  'email',
  'phone',
  'expected_amount',
  'payment_method',
  'payment_method_data',
  'card',
  'number',
  'exp_month',
  'exp_year',
  'cvc',
  'type',
  'types',
  'delivery_success',
  'url',
  'enabled_events',
  'api_version',
  'disabled',
  'evidence',
  'submit',
  'lookup_keys',
  'lookup_key',
  'query',
  'page',
  'description',
  'images',
  'default_price',
  'active',
  'capture_method',
  'confirm',
  'amount_to_capture',
  'cancellation_reason',
  'key',
  'label',
  'optional',
  'text',
  'maximum_length',
  'product_data',
  'price_data',
  'gte',
  'lt',
  'locale',
  'ui_mode',
  'submit_type',
  'allowed_payment_method_types',
  'payment_method_types',
  'billing_details',
  'address',
  'country',
  'source',
  'payout',
  'instructions_email',
  'return_url',
  'data',
  '0',
  '1',
  '',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
];

function valuesOf(ids: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'true',
        'false',
        '',
        '0',
        '1',
        '-1',
        '100',
        '5000',
        '2500',
        '999999999999999999999',
        'eur',
        'usd',
        'payment',
        'card',
        'it',
        'pm_card_visa',
        'pm_card_chargeDeclined',
        '4242424242424242',
        'a@b.it',
        'https://x.example/',
        'http://localhost/ok',
        'book',
        'open',
        'requested_by_customer',
        'data.price',
        'line_items.data.price.product',
        'charge.succeeded',
        '*',
        'status:"succeeded"',
        "amount>100 AND currency:'eur'",
        '2026-10-28.endive',
        '1e3',
        'NaN',
        'null',
        '[object Object]',
        "'; DROP TABLE stripe_objects; --",
        '../../etc/passwd',
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  );
}

const prefixes: Record<string, string> = {
  products: 'prod_',
  prices: 'price_',
  payment_intents: 'pi_',
  charges: 'ch_',
  refunds: 're_',
  disputes: 'du_',
  customers: 'cus_',
  events: 'evt_',
  webhook_endpoints: 'we_',
  payment_methods: 'pm_',
  balance_transactions: 'txn_',
};

/** Sound calls, so that what is random meets code behind the first check. */
const sound: Record<string, string> = {
  'POST /v1/products': 'name=Platea',
  'POST /v1/prices': 'currency=eur&unit_amount=2500&product_data[name]=Platea',
  'POST /v1/checkout/sessions':
    'mode=payment&success_url=http://localhost/ok&line_items[0][quantity]=2&line_items[0][price]=PRICE',
  'POST /v1/refunds': 'charge=CHARGE&amount=10',
  'POST /v1/webhook_endpoints': 'url=http://localhost:1/&enabled_events[]=charge.succeeded',
  'POST /v1/customers': 'name=Anna',
  'POST /v1/payment_intents': 'amount=2500&currency=eur',
  'POST /v1/payment_methods':
    'type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=34&card[cvc]=123',
  'POST /v1/payment_pages/:id/confirm': 'payment_method=pm_card_visa&expected_amount=5000',
  'GET /v1/charges/search': 'query=amount>100',
  'GET /v1/customers/search': 'query=name:"Anna"',
  'POST /v1/payouts': 'amount=100&currency=eur',
};

function requestsOf(ids: string[]): fc.Arbitrary<{
  method: string;
  path: string;
  pairs: [string, string][];
  version: string | null;
  key: string | null;
}> {
  const name = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 })
    .map(([first, ...rest]) => `${first!}${rest.map((part) => `[${part}]`).join('')}`);
  const fitting = (route: Route): string[] =>
    ids.filter((id) => id.startsWith(prefixes[route.path.split('/')[2]!] ?? 'cs_'));
  const address = fc.constantFrom(...routes).chain((route) =>
    fc.tuple(
      fc.constant(route),
      fc.oneof(
        { weight: 7, arbitrary: fc.constantFrom('none', ...fitting(route)) },
        { weight: 2, arbitrary: fc.constantFrom(...ids) },
        {
          weight: 1,
          arbitrary: fc
            .string({ unit: 'binary', minLength: 1, maxLength: 20 })
            .filter((text) => text.isWellFormed()),
        },
      ),
    ),
  );
  return fc
    .record({
      address,
      isSound: fc.oneof(
        { weight: 3, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      twist: fc.option(fc.tuple(fc.nat(20), valuesOf(ids))),
      pairs: fc.oneof(
        { weight: 4, arbitrary: fc.constant<[string, string][]>([]) },
        {
          weight: 2,
          arbitrary: fc.array(
            fc.tuple(
              fc.oneof(
                { weight: 12, arbitrary: name },
                { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
              ),
              valuesOf(ids),
            ),
            { maxLength: 5 },
          ),
        },
      ),
      version: fc.oneof(
        { weight: 8, arbitrary: fc.constant('2026-10-28.endive') },
        { weight: 1, arbitrary: fc.constantFrom(null, '2020-08-27', 'nonsense') },
      ),
      key: fc.oneof(
        { weight: 8, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c'.repeat(300)) },
      ),
    })
    .map(({ address: [route, id], isSound, twist, pairs, ...rest }) => {
      const text = (isSound ? (sound[`${route.method} ${route.path}`] ?? '') : '')
        .replace(
          'PRICE',
          ids.find((each) => each.startsWith('price_'))!,
        )
        .replace(
          'CHARGE',
          ids.find((each) => each.startsWith('ch_'))!,
        );
      const fields = [...new URLSearchParams(text)] as [string, string][];
      const twisted = fields.map(([field, value], index): [string, string] =>
        twist && index === twist[0] % fields.length ? [field, twist[1]] : [field, value],
      );
      return {
        method: route.method,
        path: route.path.replace(':id', encodeURIComponent(id)),
        pairs: [...twisted, ...pairs],
        ...rest,
      };
    });
}

test('no request breaks it, whatever its parameters; its objects are always whole', async () => {
  const check = openShapes(Object.values(kinds));
  await using shop = await startShop();
  const ids = await furnish(shop);
  const met = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(requestsOf(ids), async ({ method, path, pairs, version, key }) => {
      const form = pairs
        .map(
          ([name, value]) =>
            `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
        )
        .join('&');
      const answer = await fetch(
        `${shop.running.url}${path}${method === 'POST' ? '' : `?${form}`}`,
        {
          method,
          headers: {
            Authorization: `Bearer ${shop.running.secretKey}`,
            ...(version === null ? {} : { 'Stripe-Version': version }),
            ...(key === null ? {} : { 'Idempotency-Key': key }),
            ...(method === 'POST' ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
          },
          ...(method === 'POST' ? { body: form } : {}),
        },
      );
      const body = (await answer.json()) as {
        object?: string;
        deleted?: boolean;
        error?: object;
        data?: object[];
      };
      met.set(`${method} ${answer.status}`, (met.get(`${method} ${answer.status}`) ?? 0) + 1);
      expect(answer.headers.get('request-id')).toMatch(/^req_/);
      if (answer.status >= 400) {
        expect([400, 402, 404, 409, 429, 501]).toContain(answer.status);
        expect(body.error).toMatchObject({
          type: expect.stringMatching(
            /^(invalid_request_error|card_error|idempotency_error|api_error)$/,
          ),
          message: expect.any(String),
          request_log_url: expect.any(String),
        });
        return;
      }
      expect([answer.status, typeof body.object]).toEqual([200, 'string']);
      if (version !== '2026-10-28.endive' || body.deleted) return;
      const listed =
        body.object === 'list' || body.object === 'search_result' ? body.data! : [body];
      for (const each of listed as { object: string }[]) {
        const kind = Object.hasOwn(kinds, each.object)
          ? kinds[each.object as keyof typeof kinds]
          : undefined;
        if (kind !== undefined && !path.startsWith('/v1/payment_pages'))
          expect(check(each, kind)).toEqual([]);
      }
    }),
    { numRuns: 2500 },
  );
  // Random calls that all fail early would prove nothing.
  expect([...met.keys()]).toEqual(
    expect.arrayContaining(['GET 200', 'POST 200', 'POST 400', 'GET 404']),
  );
}, 180_000);

test('no bytes break it, whatever they are', async () => {
  await using shop = await startShop();
  const types = [
    'application/x-www-form-urlencoded',
    'application/json',
    'application/x-www-form-urlencoded; charset=latin1',
    'multipart/form-data',
    'text/plain',
    '',
  ];
  const requests = fc.record({
    path: fc.oneof(
      fc.constantFrom(
        '/v1/products',
        '/v1/checkout/sessions',
        '/v1/payment_pages/cs_1/confirm',
        '/v1/payment_methods',
        '/v1/refunds',
      ),
      fc.string({ maxLength: 40 }).map((text) => `/${encodeURI(text.toWellFormed())}`),
    ),
    type: fc.constantFrom(...types),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .string({
          unit: fc.constantFrom('a', '[', ']', '=', '&', '%', '+', '0', '.', '\0', 'é'),
          maxLength: 60,
        })
        .map((text) => Buffer.from(text)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ path, type, method, body }) => {
      const answer = await fetch(`${shop.running.url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${shop.running.secretKey}`, 'Content-Type': type },
        ...(method === 'GET' ? {} : { body: Buffer.from(body) }),
      });
      const text = await answer.text();
      expect(answer.status).toBeLessThan(500 + Number(answer.status === 501) * 2);
      if (answer.status >= 400)
        expect(JSON.parse(text)).toMatchObject({
          error: { type: expect.any(String), message: expect.any(String) },
        });
    }),
    { numRuns: 1500 },
  );
}, 120_000);
