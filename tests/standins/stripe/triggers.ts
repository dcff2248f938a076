/**
 * What Stripe's command-line tool asks for when it is told to trigger an event: the calls of its public fixtures that concern a ticket shop, in our
 * own words. `{0.id}` is a value of the first answer, and what stands behind `!` the type of the error that the tool expects.
 */

const urls = 'success_url=https://teatro.example/ok&cancel_url=https://teatro.example/no';
const shipping =
  'shipping[name]=Anna Bianchi&shipping[address][line1]=Via Roma 1&shipping[address][postal_code]=57100&shipping[address][city]=Livorno&shipping[address][country]=IT';
const customer = 'POST customers description=of the tool';
const product = 'POST products name=Platea&description=of the tool';
const tagged = (path: string) => `POST ${path} metadata[foo]=bar`;
const priced = (more: string) => `POST prices product={0.id}&unit_amount=1500&${more}`;
const monthly = priced('currency=usd&recurring[interval]=month');
const intent = (more: string) =>
  `POST payment_intents amount=2000&currency=usd&description=of the tool&${more}`;
const paid = (method: string, more = '') =>
  intent(`payment_method=${method}&confirm=true&payment_method_types[0]=card&${more}`);
const charge = (more = 'source=tok_visa') => `POST charges amount=100&currency=usd&${more}`;
const held = charge('source=tok_visa&capture=false');
const refund = 'POST refunds payment_intent={0.id}';
const disputes = 'GET disputes payment_intent={0.id}';
const session = (more: string) =>
  `POST checkout/sessions ${urls}&mode=payment&line_items[0][price]={1.id}&line_items[0][quantity]=2&${more}`;
const page = 'GET payment_pages/{2.id}';
const billed = 'billing_details[email]=anna@example.it&billing_details[name]=Anna Bianchi';
const account = (iban: string) =>
  `POST payment_methods type=sepa_debit&sepa_debit[iban]=${iban}&${billed}`;
const confirmed = 'POST payment_pages/{3.id}/confirm payment_method={4.id}&expected_amount=3000';
const inside = shipping.replaceAll('shipping[', 'payment_intent_data[shipping][');
const byDebit = session(
  `payment_method_types[0]=sepa_debit&payment_intent_data[setup_future_usage]=off_session&${inside}`,
);
const attached = 'POST payment_methods/pm_card_visa/attach customer={0.id}';

/** The event that is to be there afterwards, and the calls. */
export const TRIGGERS: [event: string, ...steps: string[]][] = [
  ['charge.succeeded', charge()],
  ['charge.succeeded', paid('pm_card_visa')],
  ['charge.captured', held, 'POST charges/{0.id}/capture'],
  ['charge.failed', `${paid('pm_card_visa_chargeDeclined')} !card_error`],
  ['charge.failed', `${charge('source=tok_chargeDeclined')} !card_error`],
  [
    'charge.expired',
    paid('pm_card_visa', 'capture_method=manual'),
    'GET charges payment_intent={0.id}',
    'POST test_helpers/charges/{1.data.0.id}/expire',
  ],
  ['charge.expired', held, 'POST test_helpers/charges/{0.id}/expire'],
  ['charge.refunded', paid('pm_card_visa'), refund],
  ['charge.refund.updated', charge(), 'POST refunds charge={0.id}', tagged('refunds/{1.id}')],
  ['charge.updated', paid('pm_card_visa'), tagged('charges/{0.latest_charge}')],
  ['charge.dispute.created', paid('pm_card_createDisputeInquiry')],
  [
    'charge.dispute.updated',
    paid('pm_card_createDisputeInquiry'),
    disputes,
    tagged('disputes/{1.data.0.id}'),
  ],
  [
    'charge.dispute.closed',
    paid('pm_card_createDisputeInquiry'),
    disputes,
    'POST disputes/{1.data.0.id}/close',
  ],
  ['charge.dispute.funds_withdrawn', paid('pm_card_createDispute')],
  ['charge.dispute.created', charge('source=tok_createDispute')],
  ['refund.created', paid('pm_card_visa'), refund],
  ['refund.updated', paid('pm_card_visa'), refund, tagged('refunds/{1.id}')],
  [
    'payment_intent.succeeded',
    paid('pm_card_visa'),
    `${refund}&amount=2001 !invalid_request_error`,
  ],
  ['payment_intent.created', intent('payment_method_types[0]=card')],
  ['payment_intent.succeeded', paid('pm_card_visa', shipping)],
  ['payment_intent.canceled', intent(''), 'POST payment_intents/{0.id}/cancel'],
  ['payment_intent.payment_failed', `${paid('pm_card_chargeDeclined')} !card_error`],
  [
    'payment_intent.amount_capturable_updated',
    paid('pm_card_visa', 'capture_method=manual&confirmation_method=manual'),
  ],
  [
    'payment_intent.processing',
    account('AT321904300235473204'),
    'POST payment_intents amount=2000&currency=eur&payment_method={0.id}&payment_method_types[0]=sepa_debit&confirm=true&mandate_data[customer_acceptance][accepted_at]=1590590577&mandate_data[customer_acceptance][type]=offline',
  ],
  [
    'payment_intent.requires_action',
    paid('pm_card_authenticationRequired', 'return_url=https://teatro.example'),
  ],
  [
    'checkout.session.completed',
    product,
    priced('currency=eur'),
    session(`payment_method_types[0]=card&${inside}`),
    page,
    `POST payment_methods type=card&card[token]=tok_visa&${billed}`,
    confirmed,
  ],
  [
    'checkout.session.expired',
    product,
    priced('currency=usd'),
    session(''),
    'POST checkout/sessions/{2.id}/expire',
  ],
  ...[
    ['checkout.session.async_payment_succeeded', 'AT611904300234573201'],
    ['checkout.session.async_payment_failed', 'AT861904300235473202'],
  ].map(([event, iban]): [string, ...string[]] => [
    ...([event!, product, priced('currency=eur'), byDebit] as const),
    page,
    account(iban!),
    confirmed,
  ]),
  ['customer.created', customer],
  ['payment_method.attached', customer, attached],
  ['product.created', product],
  ['price.created', product, monthly],
];

/** What the tool can trigger, or a shop ask for, and this stand-in will never do: the first call that it refuses. */
export const NEVER: string[] = [
  'POST payment_methods type=us_bank_account&us_bank_account[routing_number]=110000000&us_bank_account[account_number]=000123456789',
  'POST customers/cus_1/sources source=tok_visa',
  'POST subscriptions customer=cus_1',
  'POST setup_intents payment_method_types[]=card',
  'POST invoices customer=cus_1',
  'POST test_helpers/customers/cus_1/fund_cash_balance amount=1000&currency=eur',
  'POST shipping_rates display_name=Poste',
  intent('payment_method_types[]=customer_balance'),
  intent('confirm=true&payment_method_data[type]=us_bank_account'),
  intent(
    'confirm=true&payment_method_data[type]=customer_balance&payment_method_options[customer_balance][funding_type]=bank_transfer',
  ),
  `POST checkout/sessions ${urls}&mode=subscription`,
  `POST checkout/sessions ${urls}&mode=payment&shipping_options[0][shipping_rate]=shr_1`,
  'POST prices currency=eur&unit_amount=500&product_data[name]=Platea&currency_options[usd][custom_unit_amount][enabled]=true',
];
