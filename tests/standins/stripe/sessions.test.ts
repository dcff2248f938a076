/** Checkout sessions with what Stripe would refuse, and the ways to pay. */
import { expect } from 'vitest';
import type Stripe from 'stripe';
import { refusalOf, testShop as test } from './shop.ts';

test('parameters that Stripe would refuse are refused with its code and the name of the parameter', async (shop) => {
  const { checkout, prices, products } = shop.stripe;
  const { id } = await shop.price(2500);
  const { id: product } = await products.create({ name: 'Estero' });
  const inDollars = { currency: 'usd', unit_amount: 2500, product };
  const [dollars, cheap] = [(await prices.create(inDollars)).id, (await shop.price(10)).id];
  const good = {
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price: id, quantity: 1 }],
  };
  const at = Math.floor(shop.clock.now / 1000);
  const line = (more: object) => ({ line_items: [{ price: id, quantity: 1, ...more }] });
  const { id: old } = await products.create({ name: 'Vecchio' });
  await products.update(old, { active: false });
  const data = (more: object = {}) => ({ currency: 'eur', product, unit_amount: 1_867, ...more });
  const made = (more: object) => line({ price: undefined, price_data: data(more) });
  const field = (key: string) => ({ key, label: { type: 'custom', custom: 'x' }, type: 'text' });
  /** The change to a good call, the code (or the status, without a code) and the parameter. */
  const cases: [Record<string, unknown>, string | number, string?][] = [
    [{ colour: 'red' }, 'parameter_unknown', 'colour'],
    [line({ seat: 'A1' }), 'parameter_unknown', 'line_items[0][seat]'],
    [{ payment_method_types: ['card'] }, 'parameter_unknown', 'payment_method_types'],
    [{ discounts: [{ coupon: 'c' }] }, 'parameter_unknown', 'discounts'],
    [{ mode: undefined }, 'parameter_missing', 'mode'],
    [{ mode: 'subscription' }, 400, 'mode'],
    [{ success_url: undefined }, 'parameter_missing', 'success_url'],
    [{ success_url: 'javascript:alert(1)' }, 'url_invalid', 'success_url'],
    [{ line_items: undefined }, 'parameter_missing', 'line_items'],
    [line({ price: 'price_none' }), 'resource_missing', 'line_items[0][price]'],
    [line({ quantity: undefined }), 'parameter_missing', 'line_items[0][quantity]'],
    [line({ quantity: 0 }), 'parameter_invalid_integer', 'line_items[0][quantity]'],
    [line({ quantity: 'two' }), 'parameter_invalid_integer'],
    [{ line_items: Array.from({ length: 101 }, () => good.line_items[0]) }, 400, 'line_items'],
    [{ line_items: [id, dollars].map((price) => ({ price, quantity: 1 })) }, 400, 'line_items'],
    [line({ price: cheap, quantity: 4 }), 'amount_too_small'],
    [line({ quantity: 40_000 }), 'amount_too_large'],
    [line({ price: undefined }), 400, 'line_items[0]'],
    [line({ price_data: data() }), 400, 'line_items[0]'],
    [made({ product: 'prod_none' }), 'resource_missing', 'line_items[0][price_data][product]'],
    [made({ product: old }), 400, 'line_items[0][price_data][product]'],
    [made({ product: undefined }), 400, 'line_items[0][price_data]'],
    [made({ unit_amount: -1 }), 'parameter_invalid_integer'],
    [made({ tax_behavior: 'inclusive' }), 'parameter_unknown'],
    [{ expires_at: at + 30 * 60 - 1 }, 400, 'expires_at'],
    [{ expires_at: at + 24 * 3600 + 1 }, 400, 'expires_at'],
    [{ client_reference_id: 'x'.repeat(201) }, 400, 'client_reference_id'],
    [{ metadata: Object.fromEntries([...Array(51).keys()].map((n) => [n, 'v'])) }, 400, 'metadata'],
    [{ metadata: { ['k'.repeat(41)]: 'v' } }, 400, 'metadata'],
    [{ metadata: { key: 'v'.repeat(501) } }, 400, 'metadata[key]'],
    [{ locale: 'xx' }, 400, 'locale'],
    [{ allowed_payment_method_types: ['ideal'] }, 400, 'allowed_payment_method_types[0]'],
    [{ custom_fields: ['a', 'b', 'c', 'd'].map(field) }, 400, 'custom_fields'],
    [{ custom_fields: [field('non va')] }, 400, 'custom_fields[0][key]'],
    [{ custom_fields: [field('a'), field('a')] }, 400, 'custom_fields'],
    [{ submit_type: 'book' }, 400, 'submit_type'],
  ];
  for (const [change, why, param] of cases) {
    const params = { ...good, ...change } as Stripe.Checkout.SessionCreateParams;
    const { statusCode, code, param: told } = await refusalOf(checkout.sessions.create(params));
    expect([change, statusCode, told]).toEqual([
      change,
      typeof why === 'number' ? why : 400,
      param ?? told,
    ]);
    if (typeof why === 'string') expect([change, code]).toEqual([change, why]);
  }
  expect((await checkout.sessions.list()).data).toEqual([]);
});

test('a price that is made for one session shows its product’s name, and nothing else is sold by it', async (shop) => {
  const { id: product } = await shop.stripe.products.create({ name: 'Platea, intero' });
  const price_data = { currency: 'eur', product, unit_amount: 1_867 };
  const session = await shop.open({ line_items: [{ price_data, quantity: 3 }] });
  expect(session.amount_total).toBe(5_601);
  expect(await shop.page(session)).toMatchObject({
    line_items: [
      { description: 'Platea, intero', quantity: 3, unit_amount: 1_867, amount_total: 5_601 },
    ],
  });
  const { data } = await shop.stripe.prices.list({ product });
  expect(data).toMatchObject([{ active: false, unit_amount: 1_867, lookup_key: null }]);
  const again = shop.open({ line_items: [{ price: data[0]!.id, quantity: 1 }] });
  expect(await refusalOf(again)).toMatchObject({ param: 'line_items[0][price]' });
});

test('a shop narrows the ways to pay', async (shop) => {
  expect((await shop.open()).payment_method_types).toEqual([
    'card',
    'satispay',
    'paypal',
    'klarna',
    'link',
  ]);
  const session = await shop.open({ allowed_payment_method_types: ['card'] });
  expect(session.payment_method_types).toEqual(['card']);
  const wallet = await shop.method({ type: 'satispay' });
  expect(await shop.confirm(session, { payment_method: wallet.body.id })).toMatchObject({
    status: 400,
    body: { error: { param: 'payment_method' } },
  });
});
