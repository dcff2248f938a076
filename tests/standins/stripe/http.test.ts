/** The wire itself: keys, parameters, methods, and errors in Stripe's shape whatever happens. */
import { connect } from 'node:net';
import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { ask, CARD, refusalOf, refuses, sdkAt, startShop } from './shop.ts';

test('every refusal has the shape a client looks for', async () => {
  await using shop = await startShop();
  const json = { 'Content-Type': 'application/json' };
  const cases: [string, string | Buffer | undefined, number, Record<string, string>?][] = [
    ['GET /', undefined, 404],
    ['PUT /v1/products', 'name=x', 404],
    ['PATCH /v1/products', 'name=x', 404],
    ['GET /v1/products/', undefined, 404],
    ['GET /v1//products', undefined, 404],
    ['GET /v1/products/x/y', undefined, 404],
    ['GET /_standin/faults', undefined, 404],
    ['GET /v1/checkout/sessions/cs_none', undefined, 404],
    ['GET /v1/payment_pages/cs_none', undefined, 404, { Authorization: '' }],
    ['GET /v1/products/%E0%A4%A', undefined, 400],
    ['GET /v1/products', undefined, 400, { 'Stripe-Version': 'yesterday' }],
    ['GET /v1/products?limit=0', undefined, 400],
    ['GET /v1/products?created[near]=1', undefined, 400],
    ['POST /v1/products', 'name=x', 400, { 'Idempotency-Key': 'k'.repeat(256) }],
    ['POST /v1/products', '<x/>', 400, { 'Content-Type': 'text/xml' }],
    ['POST /v1/products', '{"name":"x"}', 400, json],
    ['POST /v1/payment_pages/cs_1/confirm', '{"expected_amount":', 400, json],
    ['POST /v1/payment_pages/cs_1/confirm', '[1]', 400, json],
    ['POST /v1/payment_pages/cs_1/confirm', '{"expected_amount":"\\ud800"}', 400, json],
    ['POST /v1/products', `name=${'x'.repeat(1_100_000)}`, 413],
    ...[
      ...'name=%E0%A4%A name[=x name=x&name[a]=y name[a]=y __proto__[x]=1&name=x'.split(' '),
      ...'name=a%00b na%00me=a name=x&metadata=1 name=x&metadata[a][b]=1'.split(' '),
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
    [
      'POST /v1/products',
      'name=x&package_dimension[height]=1',
      'parameter_unknown',
      { param: 'package_dimension' },
    ],
    ['POST /v1/products', '', 'parameter_missing', { param: 'name' }],
    ['POST /v1/products', 'name=', 'parameter_invalid_empty', { param: 'name' }],
    [
      'POST /v1/prices',
      'currency=eur&unit_amount=ten&product=x',
      'parameter_invalid_integer',
      { param: 'unit_amount' },
    ],
    ['GET /v1/products?limit=101', undefined, 'parameter_invalid_integer', { param: 'limit' }],
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
  expect((await ask(shop, 'GET /v1/coupons')).body.error).not.toHaveProperty('doc_url');
  await refuses(
    {
      statusCode: 404,
      type: 'StripeInvalidRequestError',
      message: expect.stringContaining('GET: /v1/nonsense'),
    },
    shop.stripe.rawRequest('GET', '/v1/nonsense'),
  );
});

test('lists are paged by cursors that must exist', async () => {
  await using shop = await startShop();
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1)
    made.unshift((await shop.stripe.products.create({ name: `Fila ${count}` })).id);
  const page = async (params: Stripe.ProductListParams) => {
    const list = await shop.stripe.products.list({ limit: 2, ...params });
    return [list.data.map(({ id }) => id), list.has_more];
  };
  expect(await page({})).toEqual([made.slice(0, 2), true]);
  expect(await page({ starting_after: made[1]! })).toEqual([made.slice(2, 4), true]);
  expect(await page({ starting_after: made[3]! })).toEqual([made.slice(4), false]);
  expect(await page({ ending_before: made[4]! })).toEqual([made.slice(2, 4), true]);
  expect(await page({ ending_before: made[0]! })).toEqual([[], false]);
  const missing = { statusCode: 400, code: 'resource_missing' };
  await refuses({ ...missing, param: 'starting_after' }, page({ starting_after: 'prod_x' }));
  await refuses({ ...missing, param: 'ending_before' }, page({ ending_before: 'price_x' }));
  await refuses({ statusCode: 400 }, page({ starting_after: made[1]!, ending_before: made[3]! }));
});

test('what can be expanded is expanded, four levels deep; what cannot is refused, even where there is nothing to expand', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  await refuses({ statusCode: 400, param: 'expand' }, sessions.list({ expand: ['data.nonsense'] }));
  const session = await shop.open({ expand: ['line_items.data.price.product'] });
  expect(session.line_items!.data[0]!.price).toMatchObject({ product: { object: 'product' } });
  await refuses(
    { statusCode: 400 },
    ...[
      'nonsense',
      'payment_intent.nonsense',
      'payment_intent.latest_charge.nonsense',
      '',
      ...'data.payment_intent status payment_intent. line_items.price __proto__'.split(' '),
      'payment_intent.latest_charge.payment_intent.latest_charge.payment_intent',
    ].map((path) => sessions.retrieve(session.id, { expand: [path] })),
  );
  await shop.confirm(session, { payment_method: 'pm_card_visa', email: 'anna@example.it' });
  const paid = await sessions.list({ expand: ['data.payment_intent.latest_charge'] });
  expect(paid.data[0]!.payment_intent).toMatchObject({
    object: 'payment_intent',
    latest_charge: { object: 'charge', paid: true },
  });
  const expand = ['payment_intent.latest_charge.payment_intent.latest_charge'];
  expect(await sessions.retrieve(session.id, { expand })).toMatchObject({
    payment_intent: { latest_charge: { payment_intent: { latest_charge: { object: 'charge' } } } },
  });
});

test('lists in a form are read by index, by empty brackets and across fields; of a field sent twice the last counts', async () => {
  await using shop = await startShop();
  const price = (await shop.price(2500)).id;
  const open = async (items: string): Promise<unknown> => {
    const form = `mode=payment&success_url=http://localhost/&expand[]=line_items&${items}`;
    const { body } = await ask(shop, 'POST /v1/checkout/sessions', { form });
    const { line_items, error } = body as {
      line_items?: { data: { quantity: number }[] };
      error?: unknown;
    };
    return line_items?.data.map(({ quantity }) => quantity) ?? error;
  };
  const line = (at: string, quantity: number) =>
    `line_items[${at}][price]=${price}&line_items[${at}][quantity]=${quantity}`;
  expect(await open(`${line('0', 1)}&${line('1', 2)}`)).toEqual([1, 2]);
  expect(await open(`${line('', 3)}&${line('', 4)}`)).toEqual([3, 4]);
  const escaped = line('0', 5).replaceAll('[', '%5B').replaceAll(']', '%5D');
  expect(await open(`${escaped}&line_items[0][quantity]=6`)).toEqual([6]);
  expect(await open(line('7', 7))).toEqual([7]);
  for (const wrong of [`line_items[a][price]=${price}`, 'line_items=1'])
    expect(await open(wrong)).toMatchObject({ param: 'line_items' });
});

test('HEAD answers like GET without a body, OPTIONS says what an address takes', async () => {
  await using shop = await startShop();
  const send = (method: string, path: string): Promise<Response> =>
    fetch(`${shop.running.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${shop.running.secretKey}` },
    });
  const head = await send('HEAD', '/v1/products');
  expect([head.status, await head.text(), head.headers.get('stripe-version')]).toEqual([
    200,
    '',
    '2025-03-31.basil',
  ]);
  expect((await send('HEAD', '/v1/products/prod_x')).status).toBe(404);
  const options = await send('OPTIONS', '/v1/products/prod_x');
  expect([options.status, options.headers.get('allow')]).toEqual([
    204,
    'GET, POST, DELETE, OPTIONS',
  ]);
  expect((await send('OPTIONS', '/v1/nonsense')).status).toBe(404);
});

test('only its own test keys open the stand-in, each as far as it reaches', async () => {
  await using shop = await startShop();
  const { secretKey, restrictedKey, publishableKey } = shop.running;
  for (const [kind, key] of Object.entries({
    sk: secretKey,
    rk: restrictedKey,
    pk: publishableKey,
  }))
    expect(key).toMatch(new RegExp(`^${kind}_test_\\w{48}$`));
  const client = (key: string): Stripe => sdkAt(shop.running.port, key);
  await refuses(
    { statusCode: 401, type: 'StripeAuthenticationError' },
    client('sk_test_wrong').products.list(),
  );
  await refuses(
    { statusCode: 401, message: expect.not.stringContaining('0123456789') },
    ...['sk', 'rk', 'pk'].map((kind) => client(`${kind}_live_0123456789abcdef`).products.list()),
  );
  expect((await client(restrictedKey).products.list()).data).toEqual([]);
  await refuses(
    { statusCode: 403, type: 'StripePermissionError' },
    client(restrictedKey).products.create({ name: 'Platea' }),
  );
  await refuses(
    { statusCode: 401, code: 'secret_key_required' },
    client(publishableKey).products.list(),
  );
  const card = { ...CARD, number: '4242424242424242' };
  const made = await client(publishableKey).paymentMethods.create({ type: 'card', card });
  expect(made.object).toBe('payment_method');
  await refuses(
    { statusCode: 403, code: 'account_invalid' },
    shop.stripe.products.list({}, { stripeAccount: 'acct_other' }),
  );
  const none = await ask(shop, 'GET /v1/products', { headers: { Authorization: '' } });
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
    const answer = await ask(shop, 'GET /v1/products', { headers: { Authorization } });
    expect([text, answer.status]).toEqual([text, status]);
  }
});

test('whatever comes over the raw line is answered with an error that a client can read, or cut', async () => {
  await using shop = await startShop();
  const lines = [
    'nonsense\r\n\r\n',
    'GET /v1/products HTTP/1.1\r\n\r\n',
    `GET /v1/products HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    'POST /v1/products HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'GET /v1/products HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET /v1/products HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n',
    'TRACE /v1/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET http://evil.example/v1/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  ];
  for (const line of lines) {
    const said = await new Promise<string>((resolve) => {
      const socket = connect(shop.running.port, '127.0.0.1', () => socket.write(line));
      let text = '';
      // An answer is whole when its JSON is; nobody waits for the line to be closed.
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
  expect((await shop.stripe.products.list()).data).toEqual([]);
});

test('lookups, archives and deletions of the catalogue keep to the rules', async () => {
  await using shop = await startShop();
  const { prices, products } = shop.stripe;
  const { id, product: inside } = await shop.price(2500);
  const product = inside as string;
  expect(await prices.retrieve(id, { expand: ['product'] })).toMatchObject({
    unit_amount: 2500,
    product: { name: 'Platea intero' },
  });
  await refuses(
    { code: 'parameter_unknown', param: 'unit_amount' },
    prices.update(id, { unit_amount: 1 } as Stripe.PriceUpdateParams),
  );
  await prices.update(id, { lookup_key: 'platea', nickname: 'Intero' });
  await refuses(
    { param: 'lookup_key' },
    prices.create({ product, currency: 'eur', unit_amount: 1, lookup_key: 'platea' }),
  );
  const asked = { active: true, currency: 'eur', type: 'one_time', product } as const;
  expect((await prices.list({ lookup_keys: ['platea'], ...asked })).data).toMatchObject([
    { id, nickname: 'Intero' },
  ]);
  expect((await prices.list({ active: false })).data).toEqual([]);
  expect((await refusalOf(products.del(product))).statusCode).toBe(400);
  const lonely = (await products.create({ name: 'Solo' })).id;
  expect(await products.del(lonely)).toMatchObject({ id: lonely, deleted: true });
  await refuses({ statusCode: 404, code: 'resource_missing' }, products.retrieve(lonely));
  const product_data = { name: 'Ridotto' };
  const joint = await prices.create({ currency: 'eur', unit_amount: 900, product_data });
  const change = { default_price: joint.id, description: 'Under 26' };
  expect(await products.update(joint.product as string, change)).toMatchObject(change);
});
