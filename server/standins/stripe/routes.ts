/** Every address of this stand-in, and which of them need no secret key. */
import { openRouter } from '#server/standins/kit/router.ts';
import { listBalanceTransactions } from './balance/movements.ts';
import { updateBalanceSettings } from './balance/payout-schedule.ts';
import { createPayout, listPayouts, retrievePayout } from './balance/payouts.ts';
import type { Call, ReadCall } from './call.ts';
import { createPrice, listPrices, retrievePrice, updatePrice } from './catalog/prices.ts';
import { createProduct, retrieveProduct, updateProduct } from './catalog/products.ts';
import { confirmPaymentPage, retrievePaymentPage } from './checkout/payment-pages.ts';
import {
  createSession,
  expireSession,
  listSessions,
  retrieveSession,
} from './checkout/sessions.ts';
import { closeDispute, listDisputes, updateDispute } from './money/disputes.ts';
import { createRefund, listRefunds } from './money/refunds.ts';
import { listCharges, updateCharge } from './payment/charges.ts';
import { createPaymentIntent, retrievePaymentIntent } from './payment/payment-intent-calls.ts';
import { createPaymentMethod } from './payment/payment-methods.ts';
import type { Reply } from './transport/answers.ts';
import { listEvents } from './webhook/events.ts';

interface Address {
  /** `/v1/disputes/:id` */
  path: string;
  /** `page` needs no secret key; the browser knows the session's id. */
  door: 'key' | 'page';
}

export type Route = Address &
  (
    | { method: 'GET'; handle: (call: ReadCall) => Promise<Reply> }
    | { method: 'POST'; handle: (call: Call) => Promise<Reply> }
  );

/** The calls of our adapters. */
const adapters: readonly Route[] = [
  writing('/v1/products', createProduct),
  reading('/v1/products/:id', retrieveProduct),
  writing('/v1/products/:id', updateProduct),
  writing('/v1/prices', createPrice),
  reading('/v1/prices', listPrices),
  reading('/v1/prices/:id', retrievePrice),
  writing('/v1/prices/:id', updatePrice),
  writing('/v1/checkout/sessions', createSession),
  reading('/v1/checkout/sessions', listSessions),
  reading('/v1/checkout/sessions/:id', retrieveSession),
  writing('/v1/checkout/sessions/:id/expire', expireSession),
  reading('/v1/payment_intents/:id', retrievePaymentIntent),
  reading('/v1/charges', listCharges),
  writing('/v1/refunds', createRefund),
  reading('/v1/refunds', listRefunds),
  reading('/v1/disputes', listDisputes),
  reading('/v1/payouts', listPayouts),
  reading('/v1/payouts/:id', retrievePayout),
  reading('/v1/balance_transactions', listBalanceTransactions),
  reading('/v1/events', listEvents),
];

/** The calls of the hosted page. */
const page: readonly Route[] = [
  reading('/v1/payment_pages/:id', retrievePaymentPage, 'page'),
  writing('/v1/payment_pages/:id/confirm', confirmPaymentPage, 'page'),
  writing('/v1/payment_methods', createPaymentMethod, 'page'),
];

/** The calls of the account's owner in the dashboard, or of another shop on the account. */
const owner: readonly Route[] = [
  writing('/v1/payment_intents', createPaymentIntent),
  writing('/v1/charges/:id', updateCharge),
  writing('/v1/disputes/:id', updateDispute),
  writing('/v1/disputes/:id/close', closeDispute),
  writing('/v1/balance_settings', updateBalanceSettings),
  writing('/v1/payouts', createPayout),
];

export const routes: readonly Route[] = [...adapters, ...page, ...owner];

const find = openRouter(routes);

/**
 * `allowed`: the methods of the address, if the requested one is not among them; empty if there
 * is no such address.
 */
export function findRoute(
  method: string,
  path: string,
): { route: Route; id: string } | { allowed: string[] } {
  // Stripe accepts no empty segment and no slash at the end.
  const found = /\/(\/|$)/.test(path) ? { allowed: [] } : find(method, path);
  return 'route' in found ? { route: found.route, id: found.params['id'] ?? '' } : found;
}

function reading(
  path: string,
  handle: (call: ReadCall) => Promise<Reply>,
  door: Route['door'] = 'key',
): Route {
  return { method: 'GET', path, door, handle };
}

function writing(
  path: string,
  handle: (call: Call) => Promise<Reply>,
  door: Route['door'] = 'key',
): Route {
  return { method: 'POST', path, door, handle };
}
