/** A price with amounts in further currencies: kept, told to who expands them, and charged where a session names the currency. */
import { expect, test } from 'vitest';
import { openRecorder, startRecordedShop } from './record.ts';
import { refusalOf, startShop } from './shop.ts';

const FACTS = { currency: 'eur', unit_amount: 2500, product_data: { name: 'Platea' } };

test('further currencies are told only when asked for, and the price’s own is among them', async () => {
  const recorder = openRecorder();
  await using shop = await startRecordedShop(recorder);
  const { prices } = shop.stripe;
  const expand = ['currency_options'];
  const made = await prices.create({
    ...FACTS,
    currency_options: { chf: { unit_amount: 2400, tax_behavior: 'inclusive' } },
  });
  expect(made.currency_options).toBeUndefined();
  const amounts = (price: typeof made) =>
    Object.fromEntries(
      Object.entries(price.currency_options!).map(([code, option]) => [code, option.unit_amount]),
    );
  expect(amounts(await prices.retrieve(made.id, { expand }))).toEqual({ eur: 2500, chf: 2400 });
  const more = { currency_options: { usd: { unit_amount: 2900 } }, expand };
  expect(amounts(await prices.update(made.id, more))).toEqual({ eur: 2500, chf: 2400, usd: 2900 });
  const [listed] = (await prices.list({ expand: ['data.currency_options'] })).data;
  expect(listed!.currency_options!['chf']).toEqual({
    custom_unit_amount: null,
    tax_behavior: 'inclusive',
    unit_amount: 2400,
    unit_amount_decimal: '2400',
  });
  expect(recorder.complaints).toEqual([]);
});

test('a session in such a currency is paid in it, and one in a currency without an amount is refused', async () => {
  await using shop = await startShop();
  const { checkout, prices } = shop.stripe;
  const { id } = await prices.create({
    ...FACTS,
    currency_options: { chf: { unit_amount: 2400 } },
  });
  const line_items = [{ price: id, quantity: 2 }];
  const session = await shop.open({ line_items, currency: 'chf' });
  expect(session).toMatchObject({ currency: 'chf', amount_total: 4800 });
  const page = await fetch(`${shop.running.url}/v1/payment_pages/${session.id}`);
  expect(await page.json()).toMatchObject({
    line_items: [{ quantity: 2, unit_amount: 2400, amount_total: 4800 }],
  });
  await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 4800 });
  const paid = await checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent', 'line_items'],
  });
  expect(paid).toMatchObject({
    payment_status: 'paid',
    payment_intent: { amount: 4800, currency: 'chf' },
    line_items: { data: [{ currency: 'chf', price: { currency: 'eur', unit_amount: 2500 } }] },
  });
  expect(await shop.open({ line_items })).toMatchObject({ currency: 'eur', amount_total: 5000 });
  expect(await refusalOf(shop.open({ line_items, currency: 'gbp' }))).toMatchObject({
    statusCode: 400,
    param: 'line_items',
  });
});

test('an option that cannot be makes no price', async () => {
  await using shop = await startShop();
  const { prices } = shop.stripe;
  for (const [currency_options, param] of [
    [{ eur: { unit_amount: 100 } }, 'currency_options[eur]'],
    [{ zzz: { unit_amount: 100 } }, 'currency_options[zzz]'],
    [{ chf: { tax_behavior: 'inclusive' } }, 'currency_options[chf][unit_amount]'],
    [{ chf: { unit_amount: -1 } }, 'currency_options[chf][unit_amount]'],
  ] as const)
    expect(await refusalOf(prices.create({ ...FACTS, currency_options }))).toMatchObject({
      statusCode: 400,
      param,
    });
  expect((await prices.list()).data).toEqual([]);
});
