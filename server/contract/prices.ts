/** Prices at Stripe: the office looks one up before using it in an event. */
import { priceFaults } from '#server/domain/price/price-bounds.ts';
import * as v from 'valibot';
import { endpoint, text, timeOut } from './endpoint.ts';

/**
 * `unit_amount` in cents, null where Stripe has no fixed amount. `why_not` is null when the price
 * can be sold.
 */
const price = v.object({
  id: v.string(),
  unit_amount: v.nullable(v.number()),
  currency: v.string(),
  active: v.boolean(),
  type: v.string(),
  nickname: v.nullable(v.string()),
  lookup_key: v.nullable(v.string()),
  created_at: timeOut,
  product: v.object({ id: v.string(), name: v.nullable(v.string()), active: v.boolean() }),
  sellable: v.boolean(),
  why_not: v.nullable(v.picklist(priceFaults)),
});

export const readPrice = endpoint('GET', '/api/admin/stripe/price/:priceId', {
  who: 'see_prices',
  refusals: ['price_not_found', 'provider_silent'],
  summary: 'One price, read at Stripe now, and whether it can be sold',
  reply: price,
});

/** The most prices of one call, because each is a call to Stripe. */
export const mostPrices = 50;

/**
 * `priceIds` separated by commas, each returned once, in the order of the call; `unknown` has
 * those that Stripe does not know. More than 50: bad_request.
 */
export const readPrices = endpoint('GET', '/api/admin/stripe/prices/:priceIds', {
  who: 'see_prices',
  longestParam: mostPrices * 110,
  refusals: ['provider_silent'],
  summary: 'Several prices, read at Stripe now',
  reply: v.object({ items: v.array(price), unknown: v.array(v.string()) }),
});

/** The most prices in one answer; with more the user searches. */
export const mostFound = 50;

/**
 * Our own call: prices that may be sold, newest first. `search`: words of the product, the
 * nickname, the lookup key, the code or the amount («32,00»). `more`: there are further ones.
 */
export const findPrices = endpoint('GET', '/api/admin/stripe/prices/', {
  who: 'see_prices',
  refusals: ['provider_silent'],
  summary: 'Prices that can be sold, to choose from',
  query: v.object({ search: v.optional(text(100)) }),
  reply: v.object({ items: v.array(price), more: v.boolean() }),
});
