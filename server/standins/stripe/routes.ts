/** Every address this stand-in answers, and which of them the hosted page may use without the secret key. */
import { listBalanceTransactions, retrieveBalanceTransaction } from './balance.ts';
import type { Call, Reply } from './call.ts';
import { listCharges, retrieveCharge, updateCharge } from './charges.ts';
import { listEvents, retrieveEvent } from './events.ts';
import { listPaymentIntents, retrievePaymentIntent, updatePaymentIntent } from './payment-intents.ts';
import { createPaymentMethod, retrievePaymentMethod } from './payment-methods.ts';
import { confirmPaymentPage, retrievePaymentPage } from './payment-pages.ts';
import { createPrice, listPrices, retrievePrice, updatePrice } from './prices.ts';
import { createProduct, deleteProduct, listProducts, retrieveProduct, updateProduct } from './products.ts';
import { cancelRefund, createRefund, listRefunds, retrieveRefund, updateRefund } from './refunds.ts';
import { createSession, expireSession, listSessionLineItems, listSessions, retrieveSession, updateSession } from './sessions.ts';
import {
  createWebhookEndpoint, deleteWebhookEndpoint, listWebhookEndpoints, retrieveWebhookEndpoint, updateWebhookEndpoint,
} from './webhook-endpoints.ts';

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  pattern: RegExp;
  /** `page`: works without the secret key, for whoever knows the session's id. */
  door: 'key' | 'page';
  handle: (call: Call) => Reply;
}

const routes: Route[] = [
  route('POST /v1/products', createProduct),
  route('GET /v1/products', listProducts),
  route('GET /v1/products/:id', retrieveProduct),
  route('POST /v1/products/:id', updateProduct),
  route('DELETE /v1/products/:id', deleteProduct),
  route('POST /v1/prices', createPrice),
  route('GET /v1/prices', listPrices),
  route('GET /v1/prices/:id', retrievePrice),
  route('POST /v1/prices/:id', updatePrice),
  route('POST /v1/checkout/sessions', createSession),
  route('GET /v1/checkout/sessions', listSessions),
  route('GET /v1/checkout/sessions/:id', retrieveSession),
  route('POST /v1/checkout/sessions/:id', updateSession),
  route('POST /v1/checkout/sessions/:id/expire', expireSession),
  route('GET /v1/checkout/sessions/:id/line_items', listSessionLineItems),
  route('GET /v1/payment_pages/:id', retrievePaymentPage, 'page'),
  route('POST /v1/payment_pages/:id/confirm', confirmPaymentPage, 'page'),
  route('POST /v1/payment_methods', createPaymentMethod, 'page'),
  route('GET /v1/payment_methods/:id', retrievePaymentMethod),
  route('GET /v1/payment_intents', listPaymentIntents),
  route('GET /v1/payment_intents/:id', retrievePaymentIntent),
  route('POST /v1/payment_intents/:id', updatePaymentIntent),
  route('GET /v1/charges', listCharges),
  route('GET /v1/charges/:id', retrieveCharge),
  route('POST /v1/charges/:id', updateCharge),
  route('POST /v1/refunds', createRefund),
  route('GET /v1/refunds', listRefunds),
  route('GET /v1/refunds/:id', retrieveRefund),
  route('POST /v1/refunds/:id', updateRefund),
  route('POST /v1/refunds/:id/cancel', cancelRefund),
  route('GET /v1/balance_transactions', listBalanceTransactions),
  route('GET /v1/balance_transactions/:id', retrieveBalanceTransaction),
  route('GET /v1/events', listEvents),
  route('GET /v1/events/:id', retrieveEvent),
  route('POST /v1/webhook_endpoints', createWebhookEndpoint),
  route('GET /v1/webhook_endpoints', listWebhookEndpoints),
  route('GET /v1/webhook_endpoints/:id', retrieveWebhookEndpoint),
  route('POST /v1/webhook_endpoints/:id', updateWebhookEndpoint),
  route('DELETE /v1/webhook_endpoints/:id', deleteWebhookEndpoint),
];

/** Real addresses of Stripe that are not built yet: 501, so that nobody takes them for a typing error of his own. */
const NOT_BUILT = [
  /^(GET|POST) \/v1\/disputes(\/|$)/, /^POST \/v1\/payment_intents(\/[^/]+\/(confirm|capture|cancel))?$/, /^(GET|POST|DELETE) \/v1\/customers(\/|$)/,
  /^GET \/v1\/(charges|payment_intents|prices|products)\/search$/, /^GET \/v1\/payment_methods$/, /^POST \/v1\/payment_methods\/[^/]+/,
  /^POST \/v1\/charges(\/[^/]+\/capture)?$/, /^GET \/v1\/balance$/, /^(GET|POST|DELETE) \/v1\/(account|coupons|promotion_codes|payment_links|invoices|payouts|tax_rates|setup_intents|subscriptions)(\/|$)/,
];

export function findRoute(method: string, path: string): { route: Route; id: string } | 'not_built' | undefined {
  if (NOT_BUILT.some((pattern) => pattern.test(`${method} ${path}`))) return 'not_built';
  for (const each of routes) {
    const match = each.method === method ? each.pattern.exec(path) : null;
    if (match) return { route: each, id: match[1] ?? '' };
  }
  return undefined;
}

function route(address: string, handle: Route['handle'], door: Route['door'] = 'key'): Route {
  const [method, path] = address.split(' ') as [Route['method'], string];
  return { method, pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`), door, handle };
}
