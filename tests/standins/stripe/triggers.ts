/**
 * What Stripe's command-line tool asks for when it is told to trigger an event: the calls of its public fixtures that concern a ticket shop, in our
 * own words. `${name:path}` is a value of an earlier answer.
 */

export interface Step {
  name: string;
  /** Method and path. */
  call: string;
  params?: Record<string, unknown>;
  /** The `type` of the error that the tool expects here. */
  refused?: string;
}

interface Trigger {
  /** The event that is to be there afterwards. */
  event: string;
  steps: Step[];
}

const address = {
  line1: 'Via Roma 1',
  postal_code: '57100',
  city: 'Livorno',
  state: 'LI',
  country: 'IT',
};
const shipping = { name: 'Anna Bianchi', address };
const urls = { success_url: 'https://teatro.example/ok', cancel_url: 'https://teatro.example/no' };
const customer: Step = {
  name: 'customer',
  call: 'POST /v1/customers',
  params: { description: 'of the tool' },
};
const product: Step = {
  name: 'product',
  call: 'POST /v1/products',
  params: { name: 'Platea', description: 'of the tool' },
};

const post = (name: string, path: string, params?: Step['params']): Step => ({
  name,
  call: `POST ${path}`,
  params,
});
const tagged = (name: string, path: string) => post(name, path, { metadata: { foo: 'bar' } });
const price = (more: object) =>
  post('price', '/v1/prices', {
    product: '${product:id}',
    unit_amount: '1500',
    currency: 'eur',
    ...more,
  });
const intent = (more: object) =>
  post('payment_intent', '/v1/payment_intents', {
    amount: 2000,
    currency: 'usd',
    description: 'of the tool',
    ...more,
  });
const paid = (payment_method: string, more: object = {}) =>
  intent({ payment_method, confirm: true, payment_method_types: ['card'], ...more });
const charge = (more: object = {}) =>
  post('charge', '/v1/charges', { source: 'tok_visa', amount: 100, currency: 'usd', ...more });
const refund = post('refund', '/v1/refunds', { payment_intent: '${payment_intent:id}' });
const disputes: Step = {
  name: 'disputes',
  call: 'GET /v1/disputes',
  params: { payment_intent: '${payment_intent:id}' },
};
const session = (more: object) =>
  post('session', '/v1/checkout/sessions', {
    ...urls,
    mode: 'payment',
    line_items: [{ price: '${price:id}', quantity: 2 }],
    ...more,
  });
const page: Step = { name: 'page', call: 'GET /v1/payment_pages/${session:id}' };
const confirmed = post('confirmed', '/v1/payment_pages/${page:id}/confirm', {
  payment_method: '${method:id}',
  expected_amount: 3000,
});
const billing_details = { email: 'anna@example.it', name: 'Anna Bianchi' };
const account = (iban: string) =>
  post('method', '/v1/payment_methods', {
    type: 'sepa_debit',
    sepa_debit: { iban },
    billing_details,
  });
const byDebit = session({
  payment_method_types: ['sepa_debit'],
  payment_intent_data: { setup_future_usage: 'off_session', shipping },
});
const attached = post('method', '/v1/payment_methods/pm_card_visa/attach', {
  customer: '${customer:id}',
});

export const TRIGGERS: Trigger[] = [
  { event: 'charge.succeeded', steps: [charge()] },
  { event: 'charge.succeeded', steps: [paid('pm_card_visa')] },
  {
    event: 'charge.captured',
    steps: [charge({ capture: false }), post('', '/v1/charges/${charge:id}/capture')],
  },
  {
    event: 'charge.failed',
    steps: [{ ...paid('pm_card_visa_chargeDeclined'), refused: 'card_error' }],
  },
  {
    event: 'charge.failed',
    steps: [{ ...charge({ source: 'tok_chargeDeclined' }), refused: 'card_error' }],
  },
  {
    event: 'charge.expired',
    steps: [
      paid('pm_card_visa', { capture_method: 'manual' }),
      {
        name: 'charges',
        call: 'GET /v1/charges',
        params: { payment_intent: '${payment_intent:id}' },
      },
      post('', '/v1/test_helpers/charges/${charges:data.0.id}/expire'),
    ],
  },
  {
    event: 'charge.expired',
    steps: [charge({ capture: false }), post('', '/v1/test_helpers/charges/${charge:id}/expire')],
  },
  { event: 'charge.refunded', steps: [paid('pm_card_visa'), refund] },
  {
    event: 'charge.refund.updated',
    steps: [
      charge(),
      post('refund', '/v1/refunds', { charge: '${charge:id}' }),
      tagged('', '/v1/refunds/${refund:id}'),
    ],
  },
  {
    event: 'charge.updated',
    steps: [paid('pm_card_visa'), tagged('', '/v1/charges/${payment_intent:latest_charge}')],
  },
  { event: 'charge.dispute.created', steps: [paid('pm_card_createDisputeInquiry')] },
  {
    event: 'charge.dispute.updated',
    steps: [
      paid('pm_card_createDisputeInquiry'),
      disputes,
      tagged('', '/v1/disputes/${disputes:data.0.id}'),
    ],
  },
  {
    event: 'charge.dispute.closed',
    steps: [
      paid('pm_card_createDisputeInquiry'),
      disputes,
      post('', '/v1/disputes/${disputes:data.0.id}/close'),
    ],
  },
  { event: 'charge.dispute.funds_withdrawn', steps: [paid('pm_card_createDispute')] },
  { event: 'charge.dispute.created', steps: [charge({ source: 'tok_createDispute' })] },
  { event: 'refund.created', steps: [paid('pm_card_visa'), refund] },
  {
    event: 'refund.updated',
    steps: [paid('pm_card_visa'), refund, tagged('', '/v1/refunds/${refund:id}')],
  },
  {
    event: 'payment_intent.succeeded',
    steps: [
      paid('pm_card_visa', { amount: 100 }),
      {
        ...post('', '/v1/refunds', { payment_intent: '${payment_intent:id}', amount: 200 }),
        refused: 'invalid_request_error',
      },
    ],
  },
  { event: 'payment_intent.created', steps: [intent({ payment_method_types: ['card'] })] },
  { event: 'payment_intent.succeeded', steps: [paid('pm_card_visa', { shipping })] },
  {
    event: 'payment_intent.canceled',
    steps: [intent({}), post('', '/v1/payment_intents/${payment_intent:id}/cancel')],
  },
  {
    event: 'payment_intent.payment_failed',
    steps: [{ ...paid('pm_card_chargeDeclined', { confirm: 'true' }), refused: 'card_error' }],
  },
  {
    event: 'payment_intent.amount_capturable_updated',
    steps: [
      intent({
        payment_method: 'pm_card_visa',
        confirm: true,
        capture_method: 'manual',
        confirmation_method: 'manual',
        return_url: 'https://teatro.example',
      }),
    ],
  },
  {
    event: 'payment_intent.processing',
    steps: [
      account('AT321904300235473204'),
      intent({
        currency: 'eur',
        payment_method: '${method:id}',
        payment_method_types: ['sepa_debit'],
        confirm: true,
        mandate_data: { customer_acceptance: { accepted_at: '1590590577', type: 'offline' } },
      }),
    ],
  },
  {
    event: 'payment_intent.requires_action',
    steps: [paid('pm_card_authenticationRequired', { return_url: 'https://teatro.example' })],
  },
  {
    event: 'checkout.session.completed',
    steps: [
      product,
      price({}),
      session({ payment_method_types: ['card'], payment_intent_data: { shipping } }),
      page,
      post('method', '/v1/payment_methods', {
        type: 'card',
        card: { token: 'tok_visa' },
        billing_details,
      }),
      confirmed,
    ],
  },
  {
    event: 'checkout.session.expired',
    steps: [
      product,
      price({ currency: 'usd' }),
      session({}),
      post('', '/v1/checkout/sessions/${session:id}/expire'),
    ],
  },
  {
    event: 'checkout.session.async_payment_succeeded',
    steps: [product, price({}), byDebit, page, account('AT611904300234573201'), confirmed],
  },
  {
    event: 'checkout.session.async_payment_failed',
    steps: [product, price({}), byDebit, page, account('AT861904300235473202'), confirmed],
  },
  { event: 'customer.created', steps: [customer] },
  { event: 'customer.updated', steps: [customer, tagged('', '/v1/customers/${customer:id}')] },
  {
    event: 'customer.deleted',
    steps: [customer, { name: '', call: 'DELETE /v1/customers/${customer:id}' }],
  },
  { event: 'payment_method.attached', steps: [customer, attached] },
  {
    event: 'payment_method.detached',
    steps: [customer, attached, post('', '/v1/payment_methods/${method:id}/detach')],
  },
  {
    event: 'payment_method.updated',
    steps: [customer, attached, tagged('', '/v1/payment_methods/${method:id}')],
  },
  { event: 'product.created', steps: [product] },
  { event: 'product.updated', steps: [product, tagged('', '/v1/products/${product:id}')] },
  {
    event: 'product.deleted',
    steps: [product, { name: '', call: 'DELETE /v1/products/${product:id}' }],
  },
  { event: 'price.created', steps: [product, price({ 'recurring[interval]': 'month' })] },
  {
    event: 'price.updated',
    steps: [
      product,
      price({ 'recurring[interval]': 'month' }),
      tagged('', '/v1/prices/${price:id}'),
    ],
  },
];

/** What the tool can trigger and this stand-in will never do: the first call that it refuses. */
export const NEVER: (Step & { event: string })[] = [
  {
    event: 'charge.pending',
    ...post('', '/v1/payment_methods', {
      type: 'us_bank_account',
      us_bank_account: { routing_number: '110000000', account_number: '000123456789' },
    }),
  },
  {
    event: 'customer.source.deleted',
    ...post('', '/v1/customers/cus_1/sources', { source: 'tok_visa' }),
  },
  {
    event: 'customer.subscription.created',
    ...post('', '/v1/subscriptions', { customer: 'cus_1' }),
  },
  {
    event: 'setup_intent.created',
    ...post('', '/v1/setup_intents', { 'payment_method_types[]': 'card' }),
  },
  { event: 'invoice.paid', ...post('', '/v1/invoices', { customer: 'cus_1' }) },
  {
    event: 'payment_intent.partially_funded',
    ...intent({
      'payment_method_types[]': 'customer_balance',
      'payment_method_data[type]': 'customer_balance',
      'payment_method_options[customer_balance][funding_type]': 'bank_transfer',
      'payment_method_options[customer_balance][bank_transfer][type]': 'eu_bank_transfer',
      confirm: 'true',
    }),
  },
  {
    event: 'cash_balance.funds_available',
    ...post('', '/v1/test_helpers/customers/cus_1/fund_cash_balance', {
      amount: 1000,
      currency: 'eur',
    }),
  },
  {
    event: 'a parcel',
    ...post('', '/v1/checkout/sessions', {
      ...urls,
      mode: 'payment',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': 100,
      'line_items[0][price_data][product_data][name]': 'Platea',
      'line_items[0][quantity]': 1,
      shipping_options: [{ shipping_rate: 'shr_1' }],
    }),
  },
  { event: 'a parcel', ...post('', '/v1/shipping_rates', { display_name: 'Poste' }) },
];
