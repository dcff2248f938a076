/** The wire itself has key, version, parameters and methods, and every error has Stripe's shape. */
import { connect } from 'node:net';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { VERSION } from '#server/standins/stripe/call.ts';
import { ask, madeProducts, refusalOf, refuses, sdkAt, startShop } from './shop.ts';

test('every refusal has the shape a client looks for', async () => {
  await using shop = await startShop();
  const json = { 'Content-Type': 'application/json' };
  const cases: [string, string | Buffer | undefined, number, Record<string, string>?][] = [
    ['GET /', undefined, 404],
    ['PUT /v1/products', 'name=x', 404],
    ['PATCH /v1/products', 'name=x', 404],
    ['GET /v1/prices/', undefined, 404],
    ['GET /v1//prices', undefined, 404],
    ['GET /v1/products/x/y', undefined, 404],
    ['GET /_standin/faults', undefined, 404],
    ['GET /v1/checkout/sessions/cs_none', undefined, 404],
    ['GET /v1/payment_pages/cs_none', undefined, 404, { Authorization: '' }],
    ['GET /v1/products/%E0%A4%A', undefined, 400],
    ['GET /v1/prices', undefined, 400, { 'Stripe-Version': 'yesterday' }],
    ['GET /v1/prices?limit=0', undefined, 400],
    ['GET /v1/prices?created[near]=1', undefined, 400],
    ['POST /v1/products', 'name=x', 400, { 'Idempotency-Key': 'k'.repeat(256) }],
    ['POST /v1/products', '<x/>', 400, { 'Content-Type': 'text/xml' }],
    ['POST /v1/products', '{"name":"x"}', 400, json],
    ['POST /v1/payment_pages/cs_1/confirm', '{"expected_amount":', 400, json],
    ['POST /v1/payment_pages/cs_1/confirm', '[1]', 400, json],
    ['POST /v1/payment_pages/cs_1/confirm', '{"expected_amount":"\\ud800"}', 400, json],
    ['POST /v1/products', `name=${'x'.repeat(1_100_000)}`, 413],
    ...[
      ...'name=%E0%A4%A name[=x name=x&name[a]=y name[a]=y __proto__[x]=1&name=x'.split(' '),
      ...'name=a%00b na%00me=a name=x&id=a%20b'.split(' '),
      `${'a'.repeat(20)}${'[b]'.repeat(30)}=1`,
      'a[]=1&'.repeat(6000),
      Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x3d, 0xff, 0xfe]),
    ].map((form): [string, string | Buffer, number] => ['POST /v1/products', form, 400]),
  ];
  for (const [call, form, status, headers] of cases) {
    const answer = await ask(shop, call, { form: form as string, headers });
    const what = [call, String(form).slice(0, 40)];
    expect([...what, answer.status]).toEqual([...what, status]);
    const id = answer.headers.get('request-id')!;
    expect(id).toMatch(/^req_/);
    expect(answer.body.error).toMatchObject({
      type: expect.any(String),
      message: expect.any(String),
      request_log_url: expect.stringContaining(id),
    });
  }
});

test('an error names the parameter, and the page that explains its code', async () => {
  await using shop = await startShop();
  for (const [call, form, code, told] of [
    ['POST /v1/products', 'nome=Platea&name=x', 'parameter_unknown', { param: 'nome' }],
    ['POST /v1/products', 'name=x&description=x', 'parameter_unknown', { param: 'description' }],
    ['POST /v1/products', '', 'parameter_missing', { param: 'name' }],
    ['POST /v1/products', 'name=', 'parameter_invalid_empty', { param: 'name' }],
    [
      'POST /v1/prices',
      'currency=eur&unit_amount=ten&product=x',
      'parameter_invalid_integer',
      { param: 'unit_amount' },
    ],
    ['GET /v1/prices?limit=101', undefined, 'parameter_invalid_integer', { param: 'limit' }],
    [
      'GET /v1/products/prod_x',
      undefined,
      'resource_missing',
      { param: 'id', message: "No such product: 'prod_x'" },
    ],
  ] as const)
    expect((await ask(shop, call, { form })).body.error).toMatchObject({
      ...told,
      type: 'invalid_request_error',
      code,
      doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    });
  await refuses(
    {
      statusCode: 404,
      type: 'StripeInvalidRequestError',
      message: expect.stringContaining('GET: /v1/coupons'),
    },
    shop.stripe.coupons.list(),
  );
});

test('its version is the SDK’s, and any other is refused, whatever is asked', async () => {
  expect(VERSION).toBe(Stripe.API_VERSION);
  await using shop = await startShop();
  for (const wrong of ['yesterday', '2026-10-28', '2025-03-31.basil', '2026-10-29.endive', '']) {
    const headers = { 'Stripe-Version': wrong };
    const { status, body } = await ask(shop, 'GET /v1/prices', { headers });
    expect([wrong, status, body.error?.param]).toEqual([wrong, 400, 'Stripe-Version']);
  }
  const { headers } = await ask(shop, 'GET /v1/prices');
  expect(headers.get('stripe-version')).toBe(VERSION);
});

test('lists are paged by cursors that must exist, and filtered', async () => {
  await using shop = await startShop();
  const { prices, products } = shop.stripe;
  const product = (await products.create({ name: 'Fila' })).id;
  const made: string[] = [];
  for (let unit_amount = 100; unit_amount < 600; unit_amount += 100)
    made.unshift((await prices.create({ product, currency: 'eur', unit_amount })).id);
  const page = async (params: Stripe.PriceListParams) => {
    const list = await prices.list({ limit: 2, ...params });
    return [list.data.map(({ id }) => id), list.has_more];
  };
  expect(await page({})).toEqual([made.slice(0, 2), true]);
  expect(await page({ starting_after: made[1]! })).toEqual([made.slice(2, 4), true]);
  expect(await page({ starting_after: made[3]! })).toEqual([made.slice(4), false]);
  await refuses(
    { statusCode: 400, code: 'resource_missing', param: 'starting_after' },
    page({ starting_after: 'prod_x' }),
  );
  await prices.update(made[0]!, { active: false });
  const second = { gte: Math.floor(shop.clock.now / 1000) };
  for (const [asked, found] of [
    [{ active: false }, made.slice(0, 1)],
    [{ currency: 'usd' }, []],
    [{ product: 'prod_x' }, []],
    [{ product, type: 'one_time', created: second, limit: 5 }, made],
    [{ created: { gte: second.gte + 1 } }, []],
  ] as [Stripe.PriceListParams, string[]][])
    expect([asked, (await page(asked))[0]]).toEqual([asked, found]);
});

test('what is linked is expanded along its path; a path that leads nowhere is refused, even where there is nothing to expand', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  await refuses({ statusCode: 400, param: 'expand' }, sessions.list({ expand: ['data.nonsense'] }));
  await refuses(
    { statusCode: 400, param: 'expand' },
    sessions.list({ expand: ['payment_intent'] }),
  );
  const session = await shop.open();
  await refuses(
    { statusCode: 400 },
    ...[
      'nonsense',
      'payment_intent.nonsense',
      'payment_intent.latest_charge.nonsense',
      '',
      ...'data.payment_intent status payment_intent. line_items __proto__ constructor'.split(' '),
    ].map((path) => sessions.retrieve(session.id, { expand: [path] })),
  );
  await shop.confirm(session, { payment_method: 'pm_card_visa', email: 'anna@example.it' });
  await shop.running.tick();
  const expand = ['payment_intent.latest_charge.balance_transaction'];
  const paid = await sessions.list({ expand: expand.map((path) => `data.${path}`) });
  for (const read of [paid.data[0], await sessions.retrieve(session.id, { expand })])
    expect(read).toMatchObject({
      payment_intent: {
        object: 'payment_intent',
        latest_charge: { paid: true, balance_transaction: { net: 4900 } },
      },
    });
});

test('only its own secret test key opens the stand-in', async () => {
  await using shop = await startShop();
  const { secretKey } = shop.running;
  expect(secretKey).toMatch(/^sk_test_\w{48}$/);
  const client = (key: string): Stripe => sdkAt(shop.running.port, key);
  await refuses(
    { statusCode: 401, type: 'StripeAuthenticationError' },
    client('sk_test_wrong').prices.list(),
  );
  await refuses(
    { statusCode: 401, message: expect.not.stringContaining('0123456789') },
    ...['sk', 'rk', 'pk'].map((kind) => client(`${kind}_live_0123456789abcdef`).prices.list()),
  );
  const none = await ask(shop, 'GET /v1/prices', { headers: { Authorization: '' } });
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([
    401,
    'Basic realm="Stripe"',
  ]);
  for (const [text, status] of [
    [`${secretKey}:`, 200],
    [secretKey, 200],
    [`${secretKey}:x`, 200],
    [':', 401],
    ['sk_test_x:', 401],
  ] as const) {
    const Authorization = `Basic ${Buffer.from(text).toString('base64')}`;
    const answer = await ask(shop, 'GET /v1/prices', { headers: { Authorization } });
    expect([text, answer.status]).toEqual([text, status]);
  }
});

test('whatever comes over the raw line is answered with an error that a client can read, or cut', async () => {
  await using shop = await startShop();
  const lines = [
    'nonsense\r\n\r\n',
    'GET /v1/prices HTTP/1.1\r\n\r\n',
    `GET /v1/prices HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    'POST /v1/products HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'GET /v1/prices HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET /v1/prices HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n',
    'TRACE /v1/prices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET http://evil.example/v1/prices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  ];
  for (const line of lines) {
    const said = await new Promise<string>((resolve) => {
      const socket = connect(shop.running.port, '127.0.0.1', () => socket.write(line));
      let text = '';
      // An answer is whole when its JSON is; the line may stay open.
      socket.on('data', (part) => {
        text += part.toString();
        if (text.trimEnd().endsWith('}')) socket.destroy();
      });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve(text));
    });
    if (said === '') continue;
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(said)!;
    expect([line.slice(0, 60), status![0]]).toEqual([line.slice(0, 60), '4']);
    expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n')))).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.any(String) },
    });
  }
  expect(await madeProducts(shop.stripe)).toEqual([]);
});

test('lookups and archives of the catalogue keep to the rules', async () => {
  await using shop = await startShop();
  const { prices, products } = shop.stripe;
  const product = (await products.create({ id: 'ours_1', name: 'Platea' })).id;
  await refuses(
    { code: 'resource_already_exists', param: 'id' },
    products.create({ id: product, name: 'Platea' }),
  );
  const facts = { product, currency: 'eur', unit_amount: 2500, lookup_key: 'platea' };
  const { id } = await prices.create({ ...facts, nickname: 'Intero' });
  expect(await prices.retrieve(id, { expand: ['product'] })).toMatchObject({
    unit_amount: 2500,
    nickname: 'Intero',
    product: { name: 'Platea' },
  });
  await refuses(
    { code: 'parameter_unknown', param: 'unit_amount' },
    prices.update(id, { unit_amount: 1 } as Stripe.PriceUpdateParams),
  );
  await refuses({ param: 'lookup_key' }, prices.create(facts));
  const found = async () => (await prices.list({ lookup_keys: ['platea'] })).data;
  expect(await found()).toMatchObject([{ id }]);
  await prices.update(id, { active: false });
  const next = await prices.create(facts);
  expect(await found()).toMatchObject([{ id: next.id, active: true }]);
  await refuses({ code: 'resource_missing' }, prices.create({ ...facts, product: 'prod_x' }));
  await products.update(product, { name: 'Galleria', active: false });
  expect(await products.retrieve(product)).toMatchObject({ name: 'Galleria', active: false });
  expect((await refusalOf(products.retrieve('prod_x'))).statusCode).toBe(404);
});
