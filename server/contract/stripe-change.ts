/**
 * The step after the Stripe keys have changed, on the wire: prices that the present account lacks,
 * and orders that only test money has paid.
 */
import { leastCents, mostCents } from '#server/domain/price/price-bounds.ts';
import * as v from 'valibot';
import { endpoint, timeOut } from './endpoint.ts';
import { priceId } from './event-desk.ts';

/**
 * `mode`: of the key in use. Amounts in cents; `cents` is null where a person must say it. `dates`
 * is the number of coming dates. `test_orders` is empty in a house without real money; `places` are
 * those that they hold, `cents` what test money paid. `demo`: dates of the demo in a live house.
 */
export const readStripeChange = endpoint('GET', '/api/admin/stripe-change', {
  who: 'change_site',
  refusals: ['provider_silent'],
  summary: 'What a change of the Stripe keys left to do',
  reply: v.object({
    mode: v.picklist(['live', 'test', 'stand_in']),
    shows: v.array(
      v.object({
        id: v.string(),
        title: v.string(),
        dates: v.number(),
        prices: v.array(
          v.object({ price_id: v.string(), name: v.string(), cents: v.nullable(v.number()) }),
        ),
      }),
    ),
    test_orders: v.array(
      v.object({
        event_id: v.string(),
        title: v.string(),
        starts_at: timeOut,
        orders: v.number(),
        places: v.number(),
        cents: v.number(),
      }),
    ),
    demo: v.number(),
  }),
});

const amount = v.union([
  v.picklist([0]),
  v.pipe(v.number(), v.integer(), v.minValue(leastCents), v.maxValue(mostCents)),
]);

/** Repeated, it makes no price twice. `amounts`: in cents, of prices that have no `cents`. */
export const renewPrices = endpoint('POST', '/api/admin/stripe-change/prices', {
  who: 'change_site',
  refusals: ['price_amount_missing', 'provider_silent'],
  summary: 'Make the lost prices at the present Stripe account, and sell with them',
  body: v.object({
    amounts: v.pipe(v.array(v.object({ price_id: priceId, cents: amount })), v.maxLength(500)),
  }),
});

/** `orders`: how many the person has seen. Their tickets go, and their seats are free again. */
export const removeTestOrders = endpoint('POST', '/api/admin/stripe-change/test-orders', {
  who: 'change_site',
  refusals: ['not_live', 'test_orders_changed', 'provider_silent'],
  summary: 'Take the orders of test money out of a live house',
  body: v.object({ orders: v.number() }),
});
