/** Every object the stand-in answers with, held against the types that Stripe publishes for the pinned version. */
import { beforeAll, expect, test } from 'vitest';
import { openShapes } from './stripe-shapes.ts';
import { startShop, type Shop } from './stripe-shop.ts';

const NAMES = [
  'Product', 'Price', 'Checkout.Session', 'LineItem', 'PaymentIntent', 'Charge', 'Refund', 'BalanceTransaction', 'PaymentMethod', 'WebhookEndpoint', 'Event',
  'CheckoutSessionCompletedEvent', 'ChargeSucceededEvent', 'RefundCreatedEvent',
] as const;
let complaintsOf: (value: unknown, name: typeof NAMES[number]) => string[];

beforeAll(() => {
  complaintsOf = openShapes(NAMES);
});

async function wire(shop: Shop, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${shop.running.url}/v1/${path}`, { headers: { Authorization: `Bearer ${shop.running.secretKey}`, 'Stripe-Version': '2026-10-28.endive' } });
  return await answer.json() as Record<string, unknown>;
}

async function newest(shop: Shop, path: string): Promise<Record<string, unknown>> {
  return ((await wire(shop, path)) as { data: Record<string, unknown>[] }).data[0]!;
}

test('the check itself finds what is missing, superfluous and out of range', () => {
  const product = { id: 'prod_1', object: 'product', active: 'yes', colour: 1 };
  const found = complaintsOf(product, 'Product');
  expect(found).toEqual(expect.arrayContaining(['Product.colour: not in the type', 'Product.name: missing']));
  expect(found.some((line) => line.startsWith('Product.active'))).toBe(true);
  expect(complaintsOf({ status: 'half_open' }, 'Checkout.Session').filter((line) => line.startsWith('Checkout.Session.status: "half_open" is not'))).toHaveLength(1);
  expect(complaintsOf({ status: 'open' }, 'Checkout.Session').filter((line) => line.startsWith('Checkout.Session.status'))).toEqual([]);
});

test('each object is complete and holds nothing that its type does not know', async () => {
  await using shop = await startShop();
  const session = await shop.open({
    locale: 'it', submit_type: 'book', allowed_payment_method_types: ['card'], phone_number_collection: { enabled: true }, origin_context: 'web',
    custom_fields: [
      { key: 'nome', label: { type: 'custom', custom: 'Nome' }, type: 'text' }, { key: 'anni', label: { type: 'custom', custom: 'Età' }, type: 'numeric', optional: true },
      { key: 'canale', label: { type: 'custom', custom: 'Come ci conosci' }, type: 'dropdown', dropdown: { options: [{ label: 'Amici', value: 'amici' }] } },
    ],
    custom_text: { submit: { message: 'Grazie' } },
  });
  expect(complaintsOf(await wire(shop, `checkout/sessions/${session.id}`), 'Checkout.Session')).toEqual([]);

  await shop.confirm(session, { payment_method: 'pm_card_chargeDeclined', expected_amount: 5000 });
  expect(complaintsOf(await newest(shop, 'charges'), 'Charge')).toEqual([]);
  expect(complaintsOf(await newest(shop, 'payment_intents'), 'PaymentIntent')).toEqual([]);

  await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 5000, email: 'anna@example.it', name: 'Anna', phone: '3331234567', custom_fields: { nome: 'Anna' } });
  const expand = 'expand[0]=line_items&expand[1]=payment_intent.latest_charge&expand[2]=payment_intent.payment_method';
  const paid = await wire(shop, `checkout/sessions/${session.id}?${expand}`);
  expect(paid['status']).toBe('complete');
  expect(complaintsOf(paid, 'Checkout.Session')).toEqual([]);
  await shop.running.tick();
  const charge = await newest(shop, 'charges?expand[0]=data.balance_transaction');
  expect(charge['balance_transaction']).toBeTypeOf('object');
  expect(complaintsOf(charge, 'Charge')).toEqual([]);

  await shop.stripe.refunds.create({ charge: String(charge['id']), amount: 1000, reason: 'requested_by_customer' });
  expect(complaintsOf(await newest(shop, 'refunds'), 'Refund')).toEqual([]);
  expect(complaintsOf(await newest(shop, 'balance_transactions'), 'BalanceTransaction')).toEqual([]);
  expect(complaintsOf(await wire(shop, `payment_methods/${String(charge['payment_method'])}`), 'PaymentMethod')).toEqual([]);
  expect(complaintsOf(await newest(shop, `checkout/sessions/${session.id}/line_items`), 'LineItem')).toEqual([]);
  expect(complaintsOf(await newest(shop, 'products'), 'Product')).toEqual([]);
  expect(complaintsOf(await newest(shop, 'prices?expand[0]=data.product'), 'Price')).toEqual([]);
  expect(complaintsOf(await newest(shop, 'webhook_endpoints'), 'WebhookEndpoint')).toEqual([]);
  expect(complaintsOf(await newest(shop, 'events?type=checkout.session.completed'), 'CheckoutSessionCompletedEvent')).toEqual([]);
  expect(complaintsOf(await newest(shop, 'events?type=charge.succeeded'), 'ChargeSucceededEvent')).toEqual([]);
  expect(complaintsOf(await newest(shop, 'events?type=refund.created'), 'RefundCreatedEvent')).toEqual([]);
});

test('an expired session is complete too', async () => {
  await using shop = await startShop();
  const session = await shop.open({ customer_email: 'anna@example.it' });
  await shop.stripe.checkout.sessions.expire(session.id);
  expect(complaintsOf(await wire(shop, `checkout/sessions/${session.id}`), 'Checkout.Session')).toEqual([]);
});
