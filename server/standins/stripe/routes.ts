/** Every address this stand-in answers, and which of them the hosted page may use without the secret key. */
import {
  listBalanceTransactions,
  retrieveBalance,
  retrieveBalanceTransaction,
} from './money/balance.ts';
import type { Call, Reply } from './call.ts';
import { listCharges, retrieveCharge, updateCharge } from './payment/charges.ts';
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
  updatePaymentIntent,
} from './payment/payment-intent-calls.ts';
import {
  createPaymentMethod,
  listPaymentMethods,
  retrievePaymentMethod,
  updatePaymentMethod,
} from './payment/payment-methods.ts';
import { confirmPaymentPage, retrievePaymentPage } from './checkout/payment-pages.ts';
import {
  cancelPayout,
  createPayout,
  listPayouts,
  retrievePayout,
  updatePayout,
} from './money/payouts.ts';
import { createPrice, listPrices, retrievePrice, updatePrice } from './catalog/prices.ts';
import {
  createProduct,
  deleteProduct,
  listProducts,
  retrieveProduct,
  updateProduct,
} from './catalog/products.ts';
import {
  cancelRefund,
  createRefund,
  listRefunds,
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

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** `/v1/refunds/:id` */
  address: string;
  pattern: RegExp;
  /** `page`: works without the secret key, for whoever knows the session's id. */
  door: 'key' | 'page';
  handle: (call: Call) => Reply;
}

export const routes: readonly Route[] = [
  route('POST /v1/products', createProduct),
  route('GET /v1/products', listProducts),
  route('GET /v1/products/search', searching('product', '/v1/products/search')),
  route('GET /v1/products/:id', retrieveProduct),
  route('POST /v1/products/:id', updateProduct),
  route('DELETE /v1/products/:id', deleteProduct),
  route('POST /v1/prices', createPrice),
  route('GET /v1/prices', listPrices),
  route('GET /v1/prices/search', searching('price', '/v1/prices/search')),
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
  route('GET /v1/payment_methods', listPaymentMethods),
  route('GET /v1/payment_methods/:id', retrievePaymentMethod),
  route('POST /v1/payment_methods/:id', updatePaymentMethod),
  route('POST /v1/payment_methods/:id/attach', attachPaymentMethod),
  route('POST /v1/payment_methods/:id/detach', detachPaymentMethod),
  route('POST /v1/customers', createCustomer),
  route('GET /v1/customers', listCustomers),
  route('GET /v1/customers/search', searching('customer', '/v1/customers/search')),
  route('GET /v1/customers/:id', retrieveCustomer),
  route('POST /v1/customers/:id', updateCustomer),
  route('DELETE /v1/customers/:id', deleteCustomer),
  route('GET /v1/customers/:id/payment_methods', listCustomerPaymentMethods),
  route('POST /v1/payment_intents', createPaymentIntent),
  route('GET /v1/payment_intents', listPaymentIntents),
  route(
    'GET /v1/payment_intents/search',
    searching('payment_intent', '/v1/payment_intents/search'),
  ),
  route('GET /v1/payment_intents/:id', retrievePaymentIntent),
  route('POST /v1/payment_intents/:id', updatePaymentIntent),
  route('POST /v1/payment_intents/:id/confirm', confirmPaymentIntent),
  route('POST /v1/payment_intents/:id/capture', capturePaymentIntent),
  route('POST /v1/payment_intents/:id/cancel', cancelPaymentIntent),
  route('GET /v1/charges', listCharges),
  route('GET /v1/charges/search', searching('charge', '/v1/charges/search')),
  route('GET /v1/charges/:id', retrieveCharge),
  route('POST /v1/charges/:id', updateCharge),
  route('POST /v1/refunds', createRefund),
  route('GET /v1/refunds', listRefunds),
  route('GET /v1/refunds/:id', retrieveRefund),
  route('POST /v1/refunds/:id', updateRefund),
  route('POST /v1/refunds/:id/cancel', cancelRefund),
  route('GET /v1/disputes', listDisputes),
  route('GET /v1/disputes/:id', retrieveDispute),
  route('POST /v1/disputes/:id', updateDispute),
  route('POST /v1/disputes/:id/close', closeDispute),
  route('GET /v1/balance', retrieveBalance),
  route('POST /v1/payouts', createPayout),
  route('GET /v1/payouts', listPayouts),
  route('GET /v1/payouts/:id', retrievePayout),
  route('POST /v1/payouts/:id', updatePayout),
  route('POST /v1/payouts/:id/cancel', cancelPayout),
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

/** Real addresses of Stripe that are not built: 501, so that nobody takes them for a typing error of his own. */
const NOT_BUILT = [
  /^(GET|POST) \/v1\/products\/[^/]+\/features$/,
  /^(GET|DELETE) \/v1\/products\/[^/]+\/features\/[^/]+$/,
  /^POST \/v1\/payment_intents\/[^/]+\/(apply_customer_balance|increment_authorization|verify_microdeposits)$/,
  /^GET \/v1\/payment_intents\/[^/]+\/amount_details_line_items$/,
  /^POST \/v1\/charges$/,
  /^POST \/v1\/charges\/[^/]+\/(capture|refund)$/,
  /^POST \/v1\/payouts\/[^/]+\/reverse$/,
  /^GET \/v1\/balance\/history(\/|$)/,
  /^(GET|POST|DELETE) \/v1\/customers\/[^/]+\/(balance_transactions|cash_balance|cash_balance_transactions|discount|funding_instructions|sources|subscriptions|tax_ids)(\/|$)/,
  /^GET \/v1\/customers\/[^/]+\/payment_methods\/[^/]+$/,
  new RegExp(
    `^(GET|POST|DELETE) /v1/(${`
    account account_links account_sessions accounts apple_pay apps application_fees balance_settings billing billing_portal climate confirmation_tokens country_specs coupons credit_notes
    customer_sessions entitlements ephemeral_keys exchange_rates external_accounts file_links files financial_connections forwarding identity invoice_payments invoice_rendering_templates
    invoiceitems invoices issuing linked_accounts mandates payment_attempt_records payment_links payment_method_configurations payment_method_domains payment_records plans promotion_codes quotes
    radar reporting reviews setup_attempts setup_intents shipping_rates sigma sources subscription_items subscription_schedules subscriptions tax tax_codes tax_ids tax_rates terminal test_helpers
    tokens topups transfers treasury`
      .trim()
      .split(/\s+/)
      .join('|')})(/|$)`,
  ),
];

export function findRoute(
  method: string,
  path: string,
): { route: Route; id: string } | 'not_built' | undefined {
  for (const each of routes) {
    const match = each.method === method ? each.pattern.exec(path) : null;
    if (match) return { route: each, id: match[1] ?? '' };
  }
  return NOT_BUILT.some((pattern) => pattern.test(`${method} ${path}`)) ? 'not_built' : undefined;
}

/** The methods that an address takes; none for one that there is not. */
export function methodsOf(path: string): string[] {
  return routes.filter((each) => each.pattern.test(path)).map((each) => each.method);
}

function route(address: string, handle: Route['handle'], door: Route['door'] = 'key'): Route {
  const [method, path] = address.split(' ') as [Route['method'], string];
  return {
    method,
    address: path,
    pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
    door,
    handle,
  };
}
