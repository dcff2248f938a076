/** Makes a new session from its parameters, under Stripe's rules for amounts and times. */
import { checkAmount } from '#server/standins/stripe/balance/amounts.ts';
import { seconds, type Call, type ReadCall } from '#server/standins/stripe/call.ts';
import { randomText } from '#server/standins/stripe/ids.ts';
import { METHOD_TYPES, type MethodType } from '#server/standins/stripe/payment/method-types.ts';
import type { BillingDetails } from '#server/standins/stripe/payment/payment-methods.ts';
import type { StoredObject } from '#server/standins/stripe/statements/objects.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import { linesOf, type LineItem } from './session-lines.ts';
import type { SessionParams } from './session-params.ts';

export interface CustomField {
  key: string;
  label: { type: 'custom'; custom: string };
  optional: boolean;
  type: 'text';
  text: { default_value: null; maximum_length: null; minimum_length: null; value: string | null };
}

export interface Session extends StoredObject {
  object: 'checkout.session';
  adaptive_pricing: { enabled: false };
  after_expiration: null;
  allow_promotion_codes: null;
  allowed_payment_method_types: MethodType[] | null;
  amount_subtotal: number;
  amount_total: number;
  automatic_tax: { enabled: false; liability: null; provider: null; status: null };
  billing_address_collection: 'auto' | null;
  cancel_url: string | null;
  client_reference_id: string | null;
  client_secret: null;
  collected_information: { business_name: null; individual_name: null; shipping_details: null };
  consent: null;
  consent_collection: null;
  currency: string;
  currency_conversion: null;
  custom_fields: CustomField[];
  custom_text: {
    after_submit: null;
    shipping_address: null;
    submit: { message: string } | null;
    terms_of_service_acceptance: null;
  };
  customer: null;
  customer_account: null;
  customer_creation: 'if_required';
  customer_details: {
    address: BillingDetails['address'];
    business_name: null;
    email: string | null;
    individual_name: null;
    name: string | null;
    phone: string | null;
    tax_exempt: 'none';
    tax_ids: [];
  } | null;
  customer_email: string | null;
  discounts: [];
  expires_at: number;
  integration_identifier: null;
  invoice: null;
  invoice_creation: { enabled: false; invoice_data: object };
  livemode: false;
  locale: 'it' | null;
  managed_payments: null;
  metadata: Record<string, string>;
  mode: 'payment';
  origin_context: null;
  payment_intent: string | null;
  payment_link: null;
  payment_method_collection: 'if_required';
  payment_method_configuration_details: { id: string; parent: null };
  payment_method_options: { card?: { request_three_d_secure: 'automatic' } };
  payment_method_types: MethodType[];
  payment_status: 'unpaid' | 'paid';
  permissions: null;
  phone_number_collection: { enabled: boolean };
  recovered_from: null;
  saved_payment_method_options: null;
  setup_intent: null;
  shipping_address_collection: null;
  shipping_cost: null;
  shipping_options: [];
  status: 'open' | 'complete' | 'expired';
  submit_type: 'pay' | null;
  subscription: null;
  success_url: string;
  total_details: { amount_discount: 0; amount_shipping: 0; amount_tax: 0 };
  ui_mode: 'hosted_page';
  url: string | null;
  wallet_options: null;
}

/**
 * What the API does not show of a session: its lines, the description of its payment, and the
 * number of attempts.
 */
export interface HiddenSession {
  line_items: LineItem[];
  intent: { description: string | null; metadata: Record<string, string> };
  tries: number;
  /** The buyer's last entries in the shop's own fields. */
  filled?: CustomField[];
}

const SHORTEST_LIFE = 30 * 60;
const LONGEST_LIFE = 24 * 3600;

const NEW_SESSION = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  client_secret: null,
  collected_information: { business_name: null, individual_name: null, shipping_details: null },
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  customer: null,
  customer_account: null,
  customer_creation: 'if_required',
  customer_details: null,
  customer_email: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: {
    enabled: false,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: null,
      metadata: {},
      rendering_options: null,
    },
  },
  livemode: false,
  managed_payments: null,
  mode: 'payment',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_status: 'unpaid',
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
} as const satisfies Partial<Session>;

/** @throws StripeError 400 for lines, an amount or a time that Stripe refuses */
export async function buildSession(
  call: Call,
  params: SessionParams,
): Promise<{ session: Session; hidden: HiddenSession }> {
  const { lines, currency } = await linesOf(call, params.line_items);
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0);
  checkAmount(total, 'line_items');
  const { allowed_payment_method_types: allowed = null, payment_intent_data: payment } = params;
  const types = METHOD_TYPES.filter((type) => allowed?.includes(type) ?? true);
  const id = `cs_test_a1${randomText(58)}`;
  const session: Session = {
    ...NEW_SESSION,
    id,
    object: 'checkout.session',
    allowed_payment_method_types: allowed,
    amount_subtotal: total,
    amount_total: total,
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: seconds(call),
    customer_email: params.customer_email ?? null,
    currency,
    custom_fields: customFieldsOf(params.custom_fields ?? []),
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: params.custom_text?.submit ?? null,
      terms_of_service_acceptance: null,
    },
    expires_at: expiryOf(call, params.expires_at),
    locale: params.locale ?? null,
    metadata: params.metadata ?? {},
    payment_method_configuration_details: {
      id: call.settings.methodConfiguration,
      parent: null,
    },
    payment_method_options: types.includes('card')
      ? { card: { request_three_d_secure: 'automatic' } }
      : {},
    payment_method_types: types,
    phone_number_collection: { enabled: params.phone_number_collection?.enabled ?? false },
    submit_type: params.submit_type ?? null,
    success_url: params.success_url,
    // As long as Stripe's addresses, which shops must not shorten; our page ignores the rest.
    url: `${call.publicUrl}/c/pay/${id}#fid${randomText(120)}`,
  };
  const intent = { description: payment?.description ?? null, metadata: payment?.metadata ?? {} };
  return { session, hidden: { line_items: lines, intent, tries: 0 } };
}

/** Compares milliseconds: 30 minutes from the caller's time are too short on arrival. */
function expiryOf(call: ReadCall, asked: number | undefined): number {
  if (asked === undefined) return seconds(call) + LONGEST_LIFE;
  const life = asked * 1000 - call.now();
  if (life < SHORTEST_LIFE * 1000)
    throw refuse(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      { param: 'expires_at' },
    );
  if (life > LONGEST_LIFE * 1000)
    throw refuse(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  return asked;
}

function customFieldsOf(asked: NonNullable<SessionParams['custom_fields']>): CustomField[] {
  const keys = new Set(asked.map((field) => field.key));
  if (keys.size < asked.length)
    throw refuse('Each custom field needs a key of its own.', { param: 'custom_fields' });
  const empty = { default_value: null, maximum_length: null, minimum_length: null, value: null };
  return asked.map(({ key, label, optional = false, type }) => ({
    key,
    label,
    optional,
    type,
    text: empty,
  }));
}
