/**
 * Random requests to every address never break the server: errors have Stripe's shape and answers
 * fit the SDK's types.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { routes, type Route } from '#server/standins/stripe/routes.ts';
import { openRecorder } from './record.ts';
import { ask, madeProducts, startShop, type Shop } from './shop.ts';

/** One of everything, so that a random call often meets something real. */
async function furnish(shop: Shop): Promise<string[]> {
  const { stripe } = shop;
  const session = await shop.open();
  const charge = await shop.pay();
  const payment_intent = charge.payment_intent as string;
  const refund = await stripe.refunds.create({ payment_intent, amount: 100 });
  await shop.pay('pm_card_createDispute');
  const lists = [
    stripe.disputes.list(),
    stripe.checkout.sessions.list(),
    stripe.prices.list(),
    stripe.balanceTransactions.list(),
    stripe.events.list(),
  ];
  const firsts = (await Promise.all(lists)).map(({ data }) => data[0]!.id);
  const [product] = await madeProducts(stripe);
  return [
    session.id,
    charge.id,
    refund.id,
    payment_intent,
    charge.payment_method!,
    product!.id,
    ...firsts,
  ];
}

const words = [
  '',
  ...`
  name active metadata expand limit starting_after ending_before created product currency
  unit_amount price quantity line_items mode success_url cancel_url client_reference_id expires_at
  custom_fields payment_intent payment_intent_data amount reason email expected_amount
  payment_method card number exp_month exp_year cvc type delivery_success evidence
  uncategorized_text lookup_keys lookup_key nickname description confirm key label optional gte
  locale submit_type allowed_payment_method_types billing_details source payout payments payouts
  schedule interval receipt_email next_action outcome data 0 1 __proto__ constructor toString
  hasOwnProperty length
`
    .trim()
    .split(/\s+/),
];

function valuesOf(ids: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        '',
        ...'true false 0 1 -1 100 5000 2500 999999999999999999999 eur usd payment card it'.split(
          ' ',
        ),
        ...'pm_card_visa pm_card_chargeDeclined 4242424242424242 a@b.it https://x.example/'.split(
          ' ',
        ),
        ...'http://localhost/ok pay open requested_by_customer data.product'.split(' '),
        ...'payment_intent.latest_charge daily winning_evidence *'.split(' '),
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
  events: 'evt_',
  payment_methods: 'pm_',
  balance_transactions: 'txn_',
};

/** Sound calls, so that what is random meets code behind the first check. */
const sound: Record<string, string> = {
  'POST /v1/products': 'name=Platea',
  'POST /v1/prices': 'currency=eur&unit_amount=2500&product=PRODUCT',
  'POST /v1/checkout/sessions':
    'mode=payment&success_url=http://localhost/ok&line_items[0][quantity]=2&line_items[0][price]=PRICE',
  'POST /v1/refunds': 'payment_intent=INTENT&amount=10',
  'POST /v1/payment_intents': 'amount=2500&currency=eur&payment_method=pm_card_visa&confirm=true',
  'POST /v1/disputes/:id': 'evidence[uncategorized_text]=winning_evidence',
  'POST /v1/balance_settings': 'payments[payouts][schedule][interval]=daily',
  'POST /v1/payment_methods':
    'type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=34&card[cvc]=123',
  'POST /v1/payment_pages/:id/confirm': 'payment_method=pm_card_visa&expected_amount=5000',
  'POST /v1/payouts': 'amount=100&currency=eur',
};

/** So many times the one for each of the other. */
function mostly<A, B>(weight: number, often: fc.Arbitrary<A>, rarely: fc.Arbitrary<B>) {
  return fc.oneof({ weight, arbitrary: often }, { weight: 1, arbitrary: rarely });
}

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
      isSound: mostly(3, fc.constant(true), fc.constant(false)),
      twist: fc.option(fc.tuple(fc.nat(20), valuesOf(ids))),
      pairs: mostly(
        2,
        fc.constant([]),
        fc.array(fc.tuple(mostly(12, name, fc.string({ maxLength: 12 })), valuesOf(ids)), {
          maxLength: 5,
        }),
      ),
      version: mostly(
        8,
        fc.constant('2026-10-28.endive'),
        fc.constantFrom(null, '2020-08-27', 'nonsense'),
      ),
      key: mostly(8, fc.constant(null), fc.constantFrom('a', 'b', 'c'.repeat(300))),
    })
    .map(({ address: [route, id], isSound, twist, pairs, ...rest }) => {
      const one = (prefix: string) => ids.find((each) => each.startsWith(prefix))!;
      const text = (isSound ? (sound[`${route.method} ${route.path}`] ?? '') : '')
        .replace('PRICE', one('price_'))
        .replace('PRODUCT', one('prod_'))
        .replace('INTENT', one('pi_'));
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

/** Random parameters; gives back which methods were answered by which statuses. */
export async function askAtRandom(numRuns: number): Promise<Set<string>> {
  await using shop = await startShop({ checked: false });
  const ids = await furnish(shop);
  const met = new Set<string>();
  const recorder = openRecorder();
  await fc.assert(
    fc.asyncProperty(requestsOf(ids), async ({ method, path, pairs, version, key }) => {
      const form = pairs
        .map(
          ([name, value]) =>
            `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
        )
        .join('&');
      const isPost = method === 'POST';
      const { status, headers, body } = await ask(
        shop,
        `${method} ${path}${isPost ? '' : `?${form}`}`,
        {
          headers: {
            ...(version === null ? {} : { 'Stripe-Version': version }),
            ...(key === null ? {} : { 'Idempotency-Key': key }),
          },
          ...(isPost ? { form } : {}),
        },
      );
      met.add(`${method} ${status}`);
      expect(headers.get('request-id')).toMatch(/^req_/);
      if (status >= 400) {
        expect([400, 402, 404, 409, 429]).toContain(status);
        expect(body.error).toMatchObject({
          type: expect.stringMatching(
            /^(invalid_request_error|card_error|idempotency_error|api_error)$/,
          ),
          message: expect.any(String),
          request_log_url: expect.any(String),
        });
        return;
      }
      expect([status, typeof body['object']]).toEqual([200, 'string']);
      if (path.startsWith('/v1/payment_pages')) return;
      recorder.check(body);
      expect(recorder.complaints).toEqual([]);
    }),
    { numRuns },
  );
  return met;
}

export async function sendBytes(numRuns: number): Promise<void> {
  await using shop = await startShop({ checked: false });
  const pathsOfOurs = ['products', 'checkout/sessions', 'payment_methods', 'refunds'];
  const form = 'application/x-www-form-urlencoded';
  const requests = fc.record({
    path: fc.oneof(
      fc.constantFrom(
        ...pathsOfOurs.map((path) => `/v1/${path}`),
        '/v1/payment_pages/cs_1/confirm',
      ),
      fc.string({ maxLength: 40 }).map((text) => `/${encodeURI(text.toWellFormed())}`),
    ),
    type: fc.constantFrom(
      form,
      `${form}; charset=latin1`,
      'application/json',
      'multipart/form-data',
      'text/plain',
      '',
    ),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .string({ unit: fc.constantFrom(...'a[]=&%+0.\0é'), maxLength: 60 })
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
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400)
        expect(JSON.parse(text)).toMatchObject({
          error: { type: expect.any(String), message: expect.any(String) },
        });
    }),
    { numRuns },
  );
}
