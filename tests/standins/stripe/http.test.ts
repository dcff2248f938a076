/** The wire itself: keys, parameters, methods, and errors in Stripe's shape whatever happens. */
import { connect } from 'node:net';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { refusalOf, startShop, type Shop } from './shop.ts';

async function ask(
  shop: Shop,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<{
  status: number;
  headers: Headers;
  body: { error?: { type: string; code?: string; message: string; param?: string }; id?: string };
}> {
  const answer = await fetch(`${shop.running.url}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${shop.running.secretKey}`, ...init.headers },
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as { error?: { type: string; message: string } },
  };
}

test('an unknown address is an error to the SDK, never a success', async () => {
  await using shop = await startShop();
  const refusal = await refusalOf(shop.stripe.rawRequest('GET', '/v1/nonsense'));
  expect(refusal).toMatchObject({
    statusCode: 404,
    type: 'StripeInvalidRequestError',
    message: expect.stringContaining('GET: /v1/nonsense'),
  });
  expect(await refusalOf(shop.stripe.coupons.create({ percent_off: 10 }))).toMatchObject({
    statusCode: 501,
    type: 'StripeAPIError',
    code: 'not_built',
  });
  expect(await refusalOf(shop.stripe.subscriptions.list())).toMatchObject({ statusCode: 501 });
});

test('every refusal has the shape a client looks for', async () => {
  await using shop = await startShop();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const json = { 'Content-Type': 'application/json' };
  const cases: [string, RequestInit & { headers?: Record<string, string> }, number][] = [
    ['/', {}, 404],
    ['/v1/products', { method: 'PUT', body: 'name=x', headers: form }, 404],
    ['/v1/products', { method: 'POST', body: 'name=%E0%A4%A', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'name[=x', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'name=x&name[a]=y', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'name[a]=y', headers: form }, 400],
    [
      '/v1/products',
      { method: 'POST', body: `${'a'.repeat(20)}${'[b]'.repeat(30)}=1`, headers: form },
      400,
    ],
    ['/v1/products', { method: 'POST', body: '__proto__[x]=1&name=x', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: '{"name":"x"}', headers: json }, 400],
    ['/v1/products', { method: 'POST', body: 'name=a%00b', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'na%00me=a', headers: form }, 400],
    [
      '/v1/products',
      {
        method: 'POST',
        body: Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x3d, 0xff, 0xfe]),
        headers: form,
      },
      400,
    ],
    ['/v1/products', { method: 'POST', body: `${'a[]=1&'.repeat(6000)}`, headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'name=x&metadata=1', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'name=x&metadata[a][b]=1', headers: form }, 400],
    ['/v1/products', { method: 'PATCH', body: 'name=x', headers: form }, 404],
    ['/v1/products/', {}, 404],
    ['/v1//products', {}, 404],
    ['/v1/products/x/y', {}, 404],
    ['/_standin/faults', {}, 404],
    [
      '/v1/payment_pages/cs_1/confirm',
      { method: 'POST', body: '{"expected_amount":', headers: json },
      400,
    ],
    ['/v1/payment_pages/cs_1/confirm', { method: 'POST', body: '[1]', headers: json }, 400],
    [
      '/v1/payment_pages/cs_1/confirm',
      { method: 'POST', body: '{"expected_amount":"\\ud800"}', headers: json },
      400,
    ],
    [
      '/v1/products',
      { method: 'POST', body: '<x/>', headers: { 'Content-Type': 'text/xml' } },
      400,
    ],
    ['/v1/products/%E0%A4%A', {}, 400],
    ['/v1/products', { headers: { 'Stripe-Version': 'yesterday' } }, 400],
    [
      '/v1/products',
      { method: 'POST', body: 'name=x', headers: { ...form, 'Idempotency-Key': 'k'.repeat(256) } },
      400,
    ],
    ['/v1/products?limit=0', {}, 400],
    ['/v1/products?created[near]=1', {}, 400],
    ['/v1/products', { method: 'POST', body: `name=${'x'.repeat(1_100_000)}`, headers: form }, 413],
    ['/v1/checkout/sessions/cs_none', {}, 404],
    ['/v1/payment_pages/cs_none', { headers: { Authorization: '' } }, 404],
  ];
  for (const [path, init, status] of cases) {
    const answer = await ask(shop, path, init);
    expect({ path, body: String(init.body).slice(0, 40), status: answer.status }).toEqual({
      path,
      body: String(init.body).slice(0, 40),
      status,
    });
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
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const refused = async (path: string, body?: string): Promise<unknown> =>
    (await ask(shop, path, body === undefined ? {} : { method: 'POST', body, headers: form })).body
      .error;
  const explained = (code: string): { code: string; doc_url: string } => ({
    code,
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
  });
  expect(await refused('/v1/products', 'nome=Platea&name=x')).toMatchObject({
    type: 'invalid_request_error',
    param: 'nome',
    ...explained('parameter_unknown'),
  });
  expect(await refused('/v1/products', 'name=x&package_dimension[height]=1')).toMatchObject({
    param: 'package_dimension',
    ...explained('parameter_unknown'),
  });
  expect(await refused('/v1/products', '')).toMatchObject({
    param: 'name',
    ...explained('parameter_missing'),
  });
  expect(await refused('/v1/products', 'name=')).toMatchObject({
    param: 'name',
    ...explained('parameter_invalid_empty'),
  });
  expect(await refused('/v1/prices', 'currency=eur&unit_amount=ten&product=x')).toMatchObject({
    param: 'unit_amount',
    ...explained('parameter_invalid_integer'),
  });
  expect(await refused('/v1/products?limit=101')).toMatchObject({
    param: 'limit',
    ...explained('parameter_invalid_integer'),
  });
  expect(await refused('/v1/products/prod_x')).toMatchObject({
    param: 'id',
    message: "No such product: 'prod_x'",
    ...explained('resource_missing'),
  });
  expect(await refused('/v1/coupons')).not.toHaveProperty('doc_url');
});

test('lists are paged by cursors that must exist', async () => {
  await using shop = await startShop();
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1)
    made.unshift((await shop.stripe.products.create({ name: `Fila ${count}` })).id);
  const page = async (params: Stripe.ProductListParams): Promise<[string[], boolean]> => {
    const list = await shop.stripe.products.list(params);
    return [list.data.map(({ id }) => id), list.has_more];
  };
  expect(await page({ limit: 2 })).toEqual([made.slice(0, 2), true]);
  expect(await page({ limit: 2, starting_after: made[1]! })).toEqual([made.slice(2, 4), true]);
  expect(await page({ limit: 2, starting_after: made[3]! })).toEqual([made.slice(4), false]);
  expect(await page({ limit: 2, ending_before: made[4]! })).toEqual([made.slice(2, 4), true]);
  expect(await page({ limit: 2, ending_before: made[0]! })).toEqual([[], false]);
  for (const [params, param] of [
    [{ starting_after: 'prod_x' }, 'starting_after'],
    [{ ending_before: 'price_x' }, 'ending_before'],
  ] as const) {
    expect(await refusalOf(page(params))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param,
    });
  }
  expect(
    await refusalOf(page({ starting_after: made[1]!, ending_before: made[3]! })),
  ).toMatchObject({ statusCode: 400 });
});

test('what can be expanded is expanded, four levels deep; what cannot is refused, even where there is nothing to expand', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  expect(await refusalOf(sessions.list({ expand: ['data.nonsense'] }))).toMatchObject({
    statusCode: 400,
    param: 'expand',
  });
  const session = await shop.open({ expand: ['line_items.data.price.product'] });
  expect(session.line_items!.data[0]!.price).toMatchObject({ product: { object: 'product' } });
  for (const path of [
    'nonsense',
    'payment_intent.nonsense',
    'payment_intent.latest_charge.nonsense',
    'data.payment_intent',
    'status',
    '',
    'payment_intent.',
    'line_items.price',
    '__proto__',
    'payment_intent.latest_charge.payment_intent.latest_charge.payment_intent',
  ]) {
    expect([
      path,
      (await refusalOf(sessions.retrieve(session.id, { expand: [path] }))).statusCode,
    ]).toEqual([path, 400]);
  }
  await shop.confirm(session, {
    payment_method: 'pm_card_visa',
    expected_amount: 5000,
    email: 'anna@example.it',
    name: 'Anna',
  });
  const paid = await sessions.list({ expand: ['data.payment_intent.latest_charge'] });
  expect(paid.data[0]!.payment_intent).toMatchObject({
    object: 'payment_intent',
    latest_charge: { object: 'charge', paid: true },
  });
  expect(
    await sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge.payment_intent.latest_charge'],
    }),
  ).toMatchObject({
    payment_intent: { latest_charge: { payment_intent: { latest_charge: { object: 'charge' } } } },
  });
});

test('lists in a form are read by index, by empty brackets and across fields; of a field sent twice the last counts', async () => {
  await using shop = await startShop();
  const price = await shop.price(2500);
  const open = async (items: string): Promise<unknown> => {
    const answer = await ask(shop, '/v1/checkout/sessions', {
      method: 'POST',
      body: `mode=payment&success_url=http://localhost/&expand[]=line_items&${items}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const { line_items, error } = answer.body as {
      line_items?: { data: { quantity: number }[] };
      error?: unknown;
    };
    return line_items?.data.map(({ quantity }) => quantity) ?? error;
  };
  expect(
    await open(
      `line_items[0][price]=${price.id}&line_items[0][quantity]=1&line_items[1][price]=${price.id}&line_items[1][quantity]=2`,
    ),
  ).toEqual([1, 2]);
  expect(
    await open(
      `line_items[][price]=${price.id}&line_items[][quantity]=3&line_items[][price]=${price.id}&line_items[][quantity]=4`,
    ),
  ).toEqual([3, 4]);
  expect(
    await open(
      `line_items%5B0%5D%5Bprice%5D=${price.id}&line_items%5B0%5D%5Bquantity%5D=5&line_items[0][quantity]=6`,
    ),
  ).toEqual([6]);
  expect(await open(`line_items[7][price]=${price.id}&line_items[7][quantity]=7`)).toEqual([7]);
  expect(await open(`line_items[a][price]=${price.id}`)).toMatchObject({ param: 'line_items' });
  expect(await open('line_items=1')).toMatchObject({ param: 'line_items' });
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
  expect([secretKey, restrictedKey, publishableKey]).toEqual([
    expect.stringMatching(/^sk_test_\w{48}$/),
    expect.stringMatching(/^rk_test_\w{48}$/),
    expect.stringMatching(/^pk_test_\w{48}$/),
  ]);
  const client = (key: string): Stripe =>
    new Stripe(key, {
      host: '127.0.0.1',
      port: shop.running.port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    });
  expect(await refusalOf(client('sk_test_wrong').products.list())).toMatchObject({
    statusCode: 401,
    type: 'StripeAuthenticationError',
  });
  for (const key of [
    'sk_live_0123456789abcdef',
    'rk_live_0123456789abcdef',
    'pk_live_0123456789abcdef',
  ]) {
    expect(await refusalOf(client(key).products.list())).toMatchObject({
      statusCode: 401,
      message: expect.not.stringContaining('0123456789'),
    });
  }
  expect((await client(restrictedKey).products.list()).data).toEqual([]);
  expect(await refusalOf(client(restrictedKey).products.create({ name: 'Platea' }))).toMatchObject({
    statusCode: 403,
    type: 'StripePermissionError',
  });
  expect(await refusalOf(client(publishableKey).products.list())).toMatchObject({
    statusCode: 401,
    code: 'secret_key_required',
  });
  expect(
    (
      await client(publishableKey).paymentMethods.create({
        type: 'card',
        card: { number: '4242424242424242', exp_month: 12, exp_year: 34, cvc: '123' },
      })
    ).object,
  ).toBe('payment_method');
  expect(
    await refusalOf(shop.stripe.products.list({}, { stripeAccount: 'acct_other' })),
  ).toMatchObject({ statusCode: 403, code: 'account_invalid' });
  const none = await ask(shop, '/v1/products', { headers: { Authorization: '' } });
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([
    401,
    'Basic realm="Stripe"',
  ]);
  expect((await ask(shop, '/v1/nonsense', { headers: { Authorization: '' } })).status).toBe(404);
  for (const [text, status] of [
    [`${secretKey}:`, 200],
    [secretKey, 200],
    [`${secretKey}:x`, 200],
    [':', 401],
    ['sk_test_x:', 401],
  ] as const) {
    expect([
      text,
      (
        await ask(shop, '/v1/products', {
          headers: { Authorization: `Basic ${Buffer.from(text).toString('base64')}` },
        })
      ).status,
    ]).toEqual([text, status]);
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
    expect([line.slice(0, 60), Number(status) >= 400 && Number(status) < 500]).toEqual([
      line.slice(0, 60),
      true,
    ]);
    expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n')))).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.any(String) },
    });
  }
  expect((await shop.stripe.products.list()).data).toEqual([]);
});

test('lookups, archives and deletions of the catalogue keep to the rules', async () => {
  await using shop = await startShop();
  const { stripe } = shop;
  const price = await shop.price(2500);
  expect(await stripe.prices.retrieve(price.id, { expand: ['product'] })).toMatchObject({
    unit_amount: 2500,
    product: { name: 'Platea intero' },
  });
  expect(
    await refusalOf(stripe.prices.update(price.id, { unit_amount: 1 } as Stripe.PriceUpdateParams)),
  ).toMatchObject({ code: 'parameter_unknown', param: 'unit_amount' });
  await stripe.prices.update(price.id, { lookup_key: 'platea', nickname: 'Intero' });
  expect(
    await refusalOf(
      stripe.prices.create({
        product: price.product as string,
        currency: 'eur',
        unit_amount: 1,
        lookup_key: 'platea',
      }),
    ),
  ).toMatchObject({ param: 'lookup_key' });
  expect(
    (
      await stripe.prices.list({
        lookup_keys: ['platea'],
        active: true,
        currency: 'eur',
        type: 'one_time',
        product: price.product as string,
      })
    ).data,
  ).toMatchObject([{ id: price.id, nickname: 'Intero' }]);
  expect((await stripe.prices.list({ active: false })).data).toEqual([]);
  expect(await refusalOf(stripe.products.del(price.product as string))).toMatchObject({
    statusCode: 400,
  });
  const lonely = await stripe.products.create({ name: 'Solo' });
  expect(await stripe.products.del(lonely.id)).toEqual(
    expect.objectContaining({ id: lonely.id, deleted: true }),
  );
  expect(await refusalOf(stripe.products.retrieve(lonely.id))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  const joint = await stripe.prices.create({
    currency: 'eur',
    unit_amount: 900,
    product_data: { name: 'Ridotto' },
  });
  expect(
    await stripe.products.update(joint.product as string, {
      default_price: joint.id,
      description: 'Under 26',
    }),
  ).toMatchObject({ default_price: joint.id });
});
