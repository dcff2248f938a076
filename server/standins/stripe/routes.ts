/** Every address this stand-in answers, and which of them the hosted page may use without the secret key. */
import { openRouter } from '#server/standins/kit/router.ts';
import { retrieveAccount } from './money/account.ts';
import {
  listBalanceTransactions,
  retrieveBalance,
  retrieveBalanceTransaction,
} from './money/balance.ts';
import type { Call, ReadCall, Reply } from './call.ts';
import {
  captureOwnCharge,
  createCharge,
  expireCharge,
  listCharges,
  retrieveCharge,
  updateCharge,
} from './payment/charge-calls.ts';
import {
  attachPaymentMethod,
  createCustomer,
  deleteCustomer,
  detachPaymentMethod,
  listCustomerPaymentMethods,
  listCustomers,
  retrieveCustomer,
  updateCustomer,
} from './payment/customers.ts';
import { closeDispute, listDisputes, retrieveDispute, updateDispute } from './money/disputes.ts';
import { listEvents, retrieveEvent } from './webhook/events.ts';
import {
  cancelPaymentIntent,
  capturePaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  listPaymentIntents,
  retrievePaymentIntent,
} from './payment/payment-intent-calls.ts';
import {
  createPaymentMethod,
  listPaymentMethods,
  retrievePaymentMethod,
  updatePaymentMethod,
} from './payment/payment-methods.ts';
import { updatePaymentIntent } from './payment/intent-changes.ts';
import { confirmPaymentPage, retrievePaymentPage } from './checkout/payment-pages.ts';
import {
  cancelPayout,
  createPayout,
  listPayouts,
  retrievePayout,
  updatePayout,
} from './money/payouts.ts';
import { retrieveBalanceSettings, updateBalanceSettings } from './money/payout-schedule.ts';
import { createPrice, listPrices, retrievePrice, updatePrice } from './catalog/prices.ts';
import { createProduct } from './catalog/new-products.ts';
import { deleteProduct, listProducts, retrieveProduct, updateProduct } from './catalog/products.ts';
import {
  cancelRefund,
  createRefund,
  listRefunds,
  listRefundsOfCharge,
  retrieveRefund,
  updateRefund,
} from './money/refunds.ts';
import { searching } from './search.ts';
import {
  createSession,
  expireSession,
  listSessionLineItems,
  listSessions,
  retrieveSession,
  updateSession,
} from './checkout/sessions.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  retrieveWebhookEndpoint,
  updateWebhookEndpoint,
} from './webhook/webhook-endpoints.ts';

interface Address {
  /** `/v1/refunds/:id` */
  path: string;
  /** `page`: works without the secret key, for whoever knows the session's id. */
  door: 'key' | 'page';
}

export type Route = Address &
  (
    | { method: 'GET'; handle: (call: ReadCall) => Promise<Reply> }
    | { method: 'POST' | 'DELETE'; handle: (call: Call) => Promise<Reply> }
  );

export const routes: readonly Route[] = [
  writing('POST /v1/products', createProduct),
  reading('/v1/products', listProducts),
  reading('/v1/products/search', await searching('product', '/v1/products/search')),
  reading('/v1/products/:id', retrieveProduct),
  writing('POST /v1/products/:id', updateProduct),
  writing('DELETE /v1/products/:id', deleteProduct),
  writing('POST /v1/prices', createPrice),
  reading('/v1/prices', listPrices),
  reading('/v1/prices/search', await searching('price', '/v1/prices/search')),
  reading('/v1/prices/:id', retrievePrice),
  writing('POST /v1/prices/:id', updatePrice),
  writing('POST /v1/checkout/sessions', createSession),
  reading('/v1/checkout/sessions', listSessions),
  reading('/v1/checkout/sessions/:id', retrieveSession),
  writing('POST /v1/checkout/sessions/:id', updateSession),
  writing('POST /v1/checkout/sessions/:id/expire', expireSession),
  reading('/v1/checkout/sessions/:id/line_items', listSessionLineItems),
  reading('/v1/payment_pages/:id', retrievePaymentPage, 'page'),
  writing('POST /v1/payment_pages/:id/confirm', confirmPaymentPage, 'page'),
  writing('POST /v1/payment_methods', createPaymentMethod, 'page'),
  reading('/v1/payment_methods', listPaymentMethods),
  reading('/v1/payment_methods/:id', retrievePaymentMethod),
  writing('POST /v1/payment_methods/:id', updatePaymentMethod),
  writing('POST /v1/payment_methods/:id/attach', attachPaymentMethod),
  writing('POST /v1/payment_methods/:id/detach', detachPaymentMethod),
  writing('POST /v1/customers', createCustomer),
  reading('/v1/customers', listCustomers),
  reading('/v1/customers/search', await searching('customer', '/v1/customers/search')),
  reading('/v1/customers/:id', retrieveCustomer),
  writing('POST /v1/customers/:id', updateCustomer),
  writing('DELETE /v1/customers/:id', deleteCustomer),
  reading('/v1/customers/:id/payment_methods', listCustomerPaymentMethods),
  writing('POST /v1/payment_intents', createPaymentIntent),
  reading('/v1/payment_intents', listPaymentIntents),
  reading(
    '/v1/payment_intents/search',
    await searching('payment_intent', '/v1/payment_intents/search'),
  ),
  reading('/v1/payment_intents/:id', retrievePaymentIntent),
  writing('POST /v1/payment_intents/:id', updatePaymentIntent),
  writing('POST /v1/payment_intents/:id/confirm', confirmPaymentIntent),
  writing('POST /v1/payment_intents/:id/capture', capturePaymentIntent),
  writing('POST /v1/payment_intents/:id/cancel', cancelPaymentIntent),
  writing('POST /v1/charges', createCharge),
  reading('/v1/charges', listCharges),
  reading('/v1/charges/search', await searching('charge', '/v1/charges/search')),
  reading('/v1/charges/:id', retrieveCharge),
  reading('/v1/charges/:id/refunds', listRefundsOfCharge),
  writing('POST /v1/charges/:id', updateCharge),
  writing('POST /v1/charges/:id/capture', captureOwnCharge),
  writing('POST /v1/test_helpers/charges/:id/expire', expireCharge),
  writing('POST /v1/refunds', createRefund),
  reading('/v1/refunds', listRefunds),
  reading('/v1/refunds/:id', retrieveRefund),
  writing('POST /v1/refunds/:id', updateRefund),
  writing('POST /v1/refunds/:id/cancel', cancelRefund),
  reading('/v1/disputes', listDisputes),
  reading('/v1/disputes/:id', retrieveDispute),
  writing('POST /v1/disputes/:id', updateDispute),
  writing('POST /v1/disputes/:id/close', closeDispute),
  reading('/v1/account', retrieveAccount),
  reading('/v1/balance', retrieveBalance),
  reading('/v1/balance_settings', retrieveBalanceSettings),
  writing('POST /v1/balance_settings', updateBalanceSettings),
  writing('POST /v1/payouts', createPayout),
  reading('/v1/payouts', listPayouts),
  reading('/v1/payouts/:id', retrievePayout),
  writing('POST /v1/payouts/:id', updatePayout),
  writing('POST /v1/payouts/:id/cancel', cancelPayout),
  reading('/v1/balance_transactions', listBalanceTransactions),
  reading('/v1/balance_transactions/:id', retrieveBalanceTransaction),
  reading('/v1/events', listEvents),
  reading('/v1/events/:id', retrieveEvent),
  writing('POST /v1/webhook_endpoints', createWebhookEndpoint),
  reading('/v1/webhook_endpoints', listWebhookEndpoints),
  reading('/v1/webhook_endpoints/:id', retrieveWebhookEndpoint),
  writing('POST /v1/webhook_endpoints/:id', updateWebhookEndpoint),
  writing('DELETE /v1/webhook_endpoints/:id', deleteWebhookEndpoint),
];

/** Real addresses of Stripe that are not built: 501, so that nobody takes them for a typing error of his own. */
const NOT_BUILT = [
  /^(GET|POST) \/v1\/products\/[^/]+\/features$/,
  /^(GET|DELETE) \/v1\/products\/[^/]+\/features\/[^/]+$/,
  /^POST \/v1\/payment_intents\/[^/]+\/(apply_customer_balance|increment_authorization|verify_microdeposits)$/,
  /^GET \/v1\/payment_intents\/[^/]+\/amount_details_line_items$/,
  /^POST \/v1\/charges\/[^/]+\/refund$/,
  /^POST \/v1\/payouts\/[^/]+\/reverse$/,
  /^GET \/v1\/balance\/history(\/|$)/,
  /^(GET|POST|DELETE) \/v1\/customers\/[^/]+\/(balance_transactions|cash_balance|cash_balance_transactions|discount|funding_instructions|sources|subscriptions|tax_ids)(\/|$)/,
  /^GET \/v1\/customers\/[^/]+\/payment_methods\/[^/]+$/,
  new RegExp(
    `^(GET|POST|DELETE) /v1/(${`
    account_links account_sessions accounts apple_pay apps application_fees billing billing_portal climate confirmation_tokens country_specs coupons credit_notes
    customer_sessions entitlements ephemeral_keys exchange_rates external_accounts file_links files financial_connections forwarding identity invoice_payments invoice_rendering_templates
    invoiceitems invoices issuing linked_accounts mandates payment_attempt_records payment_links payment_method_configurations payment_method_domains payment_records plans promotion_codes quotes
    radar reporting reviews setup_attempts setup_intents shipping_rates sigma sources subscription_items subscription_schedules subscriptions tax tax_codes tax_ids tax_rates terminal test_helpers
    tokens topups transfers treasury`
      .trim()
      .split(/\s+/)
      .join('|')})(/|$)`,
  ),
];

const find = openRouter(routes);

/** `allowed`: the methods that the address takes where the asked one is not among them; none for one that there is not. */
export function findRoute(
  method: string,
  path: string,
): { route: Route; id: string } | 'not_built' | { allowed: string[] } {
  // Stripe takes no empty segment, and none at the end.
  const found = /\/(\/|$)/.test(path) ? { allowed: [] } : find(method, path);
  if ('route' in found) return { route: found.route, id: found.params['id'] ?? '' };
  return NOT_BUILT.some((pattern) => pattern.test(`${method} ${path}`)) ? 'not_built' : found;
}

function reading(
  path: string,
  handle: (call: ReadCall) => Promise<Reply>,
  door: Route['door'] = 'key',
): Route {
  return { method: 'GET', path, door, handle };
}

function writing(
  address: `${'POST' | 'DELETE'} ${string}`,
  handle: (call: Call) => Promise<Reply>,
  door: Route['door'] = 'key',
): Route {
  const [method, path] = address.split(' ') as ['POST' | 'DELETE', string];
  return { method, path, door, handle };
}
