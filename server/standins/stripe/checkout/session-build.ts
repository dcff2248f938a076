/** Turns the parameters of a new session into the session itself, under every rule Stripe applies to prices, sums, times and addresses. */
import { wholeShipping } from '#server/standins/stripe/payment/shipping.ts';
import { leastOf, MAX_AMOUNT } from '#server/standins/stripe/money/amounts.ts';
import { seconds, type Call, type ReadCall } from '#server/standins/stripe/call.ts';
import { notBuilt, refuse, missingParam } from '#server/standins/stripe/transport/errors.ts';
import { randomText } from '#server/standins/stripe/ids.ts';
import type { StoredObject } from '#server/standins/stripe/statements/objects.ts';
import {
  isOffered,
  METHOD_TYPES,
  type MethodType,
} from '#server/standins/stripe/payment/method-types.ts';
import type { IntentFacts } from '#server/standins/stripe/payment/payment-intents.ts';
import type { Address } from '#server/standins/stripe/payment/address.ts';
import { patched } from '#server/standins/stripe/transport/rules.ts';
import { linesOf, type LineItem } from './session-lines.ts';
import type { CustomFieldParams, SessionParams } from './session-params.ts';

type Message = { message: string } | null;
interface TypedField {
  default_value: string | null;
  maximum_length: number | null;
  minimum_length: number | null;
  value: string | null;
}

export interface CustomField {
  key: string;
  label: { type: 'custom'; custom: string };
  optional: boolean;
  type: 'text' | 'numeric' | 'dropdown';
  text?: TypedField;
  numeric?: TypedField;
  dropdown?: {
    default_value: string | null;
    options: { label: string; value: string }[];
    value: string | null;
  };
}

interface CustomerDetails {
  address: Address | null;
  business_name: null;
  email: string | null;
  individual_name: null;
  name: string | null;
  phone: string | null;
  tax_exempt: 'none';
  tax_ids: [] | null;
}

export interface Session extends StoredObject {
  object: 'checkout.session';
  adaptive_pricing: { enabled: boolean };
  after_expiration: null;
  allow_promotion_codes: boolean | null;
  allowed_payment_method_types: string[] | null;
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
    after_submit: Message;
    shipping_address: Message;
    submit: Message;
    terms_of_service_acceptance: Message;
  };
  customer: string | null;
  customer_account: null;
  customer_creation: 'always' | 'if_required' | null;
  customer_details: CustomerDetails | null;
  customer_email: string | null;
  discounts: [];
  excluded_payment_method_types?: string[];
  expires_at: number;
  integration_identifier: string | null;
  invoice: null;
  invoice_creation: { enabled: false; invoice_data: object };
  livemode: false;
  locale: string | null;
  managed_payments: null;
  metadata: Record<string, string>;
  mode: 'payment';
  origin_context: 'mobile_app' | 'web' | null;
  payment_intent: string | null;
  payment_link: null;
  payment_method_collection: 'if_required';
  payment_method_configuration_details: { id: string; parent: null } | null;
  payment_method_options: { card?: { request_three_d_secure: string } };
  payment_method_types: MethodType[];
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  permissions: null;
  phone_number_collection: { enabled: boolean };
  recovered_from: null;
  saved_payment_method_options: null;
  setup_intent: null;
  shipping_address_collection: null;
  shipping_cost: null;
  shipping_options: [];
  status: 'open' | 'complete' | 'expired';
  submit_type: string | null;
  subscription: null;
  success_url: string;
  total_details: { amount_discount: 0; amount_shipping: 0; amount_tax: 0 };
  ui_mode: 'hosted_page';
  url: string | null;
  wallet_options: null;
}

/** What the session keeps to itself: its lines, what its payment intent is to look like, and what the buyer last wrote into the shop's own fields. */
export interface HiddenSession {
  line_items: LineItem[];
  intent: IntentFacts;
  tries: number;
  filled?: CustomField[];
}

const SHORTEST_LIFE = 30 * 60;
const LONGEST_LIFE = 24 * 3600;

const NO_TEXT: Session['custom_text'] = {
  after_submit: null,
  shipping_address: null,
  submit: null,
  terms_of_service_acceptance: null,
};

/** What every session begins with, whatever was asked for. */
const NEW_SESSION = {
  after_expiration: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  client_secret: null,
  collected_information: { business_name: null, individual_name: null, shipping_details: null },
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  customer_account: null,
  customer_details: null,
  discounts: [],
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

/** `email`: of the customer it is for. */
export async function buildSession(
  call: Call,
  params: SessionParams,
  email: string | null,
): Promise<{ session: Session; hidden: HiddenSession }> {
  refuseOtherModes(params);
  if (params.success_url === undefined) throw missingParam('success_url');
  const lines = await linesOf(call, params);
  const { currency } = lines[0]!;
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0);
  checkTotal(total, currency);
  const types = methodTypesOf(params, currency);
  const id = `cs_test_a1${randomText(58)}`;
  const session: Session = {
    ...NEW_SESSION,
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? false },
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    billing_address_collection: params.billing_address_collection === undefined ? null : 'auto',
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: seconds(call),
    currency,
    custom_fields: customFieldsOf(params.custom_fields ?? []),
    custom_text: { ...NO_TEXT, ...params.custom_text },
    customer: params.customer ?? null,
    customer_creation:
      params.customer === undefined ? (params.customer_creation ?? 'if_required') : null,
    customer_email: params.customer_email ?? email,
    ...(params.excluded_payment_method_types === undefined
      ? {}
      : { excluded_payment_method_types: params.excluded_payment_method_types }),
    expires_at: expiryOf(call, params.expires_at),
    integration_identifier: params.integration_identifier ?? null,
    locale: params.locale ?? null,
    metadata: patched({}, params.metadata),
    origin_context: params.origin_context ?? null,
    payment_method_configuration_details:
      params.payment_method_types === undefined
        ? { id: call.settings.methodConfiguration, parent: null }
        : null,
    payment_method_options: methodOptionsOf(params, types),
    payment_method_types: types,
    phone_number_collection: { enabled: params.phone_number_collection?.enabled ?? false },
    submit_type: params.submit_type ?? null,
    success_url: params.success_url,
    // Stripe's page reads nothing of ours there, but its addresses are as long, and must come through whole.
    url: `${call.publicUrl}/c/pay/${id}#fid${randomText(120)}`,
  };
  return { session, hidden: { line_items: lines, intent: intentOf(params), tries: 0 } };
}

function methodOptionsOf(
  params: SessionParams,
  types: readonly MethodType[],
): Session['payment_method_options'] {
  if (!types.includes('card')) return {};
  const asked = params.payment_method_options?.card?.request_three_d_secure;
  return { card: { request_three_d_secure: asked ?? 'automatic' } };
}

function refuseOtherModes(params: SessionParams): void {
  if (params.mode === undefined) throw missingParam('mode');
  if (params.mode !== 'payment') throw notBuilt(`checkout in ${params.mode} mode`, 'mode');
  if (params.ui_mode !== undefined && !params.ui_mode.startsWith('hosted'))
    throw notBuilt(`the ui_mode ${params.ui_mode}`, 'ui_mode');
  for (const param of ['return_url', 'redirect_on_completion'] as const) {
    if (params[param] !== undefined)
      throw refuse(`${param} can only be used with an embedded page.`, { param });
  }
  if (params.payment_method_collection !== undefined)
    throw refuse('payment_method_collection can only be set in subscription mode.', {
      param: 'payment_method_collection',
    });
  if (params.submit_type === 'subscribe')
    throw refuse('submit_type subscribe can only be used in subscription mode.', {
      param: 'submit_type',
    });
  if (params.customer !== undefined && params.customer_email !== undefined)
    throw refuse('You may only specify one of these parameters: customer, customer_email.', {
      code: 'parameters_exclusive',
      param: 'customer_email',
    });
  if (params.customer !== undefined && params.customer_creation !== undefined)
    throw refuse('customer_creation cannot be used together with customer.', {
      code: 'parameters_exclusive',
      param: 'customer_creation',
    });
  if (params.billing_address_collection === 'required')
    throw notBuilt('address collection', 'billing_address_collection');
  if (params.allow_promotion_codes === true)
    throw notBuilt('promotion codes', 'allow_promotion_codes');
  if (params.payment_intent_data?.capture_method === 'manual')
    throw notBuilt('manual capture', 'payment_intent_data[capture_method]');
}

function checkTotal(total: number, currency: string): void {
  const least = leastOf(currency);
  if (total > 0 && total < least) {
    throw refuse(
      `The Checkout Session's total amount must be at least ${least} in the smallest unit of ${currency}.`,
      { code: 'amount_too_small', param: 'line_items' },
    );
  }
  if (total > MAX_AMOUNT)
    throw refuse(`The Checkout Session's total amount must be at most ${MAX_AMOUNT}.`, {
      code: 'amount_too_large',
      param: 'line_items',
    });
}

/** Milliseconds count: exactly 30 minutes, worked out a moment ago by the caller, is already too short. */
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

/** What this account offers in the currency; the shop may narrow that, not widen it. Since the older parameter is a list and not a filter, what is not offered is an error there. */
function methodTypesOf(params: SessionParams, currency: string): MethodType[] {
  const {
    payment_method_types: asked,
    allowed_payment_method_types: allowed,
    excluded_payment_method_types: excluded = [],
  } = params;
  const foreign = asked?.find((type) => !isOffered(type, currency));
  if (foreign !== undefined)
    throw refuse(
      `The payment method type "${foreign}" is invalid: it is not activated on this account, or not in ${currency}.`,
      { param: 'payment_method_types' },
    );
  if (asked) return asked as MethodType[];
  const offered = METHOD_TYPES.filter(
    (type) =>
      isOffered(type, currency) &&
      (allowed?.includes(type) ?? true) &&
      !excluded.some((each) => each === type),
  );
  if (offered.length === 0) {
    throw refuse(
      'No valid payment method types for this Checkout Session: all that this account offers are filtered out.',
      { param: allowed ? 'allowed_payment_method_types' : 'excluded_payment_method_types' },
    );
  }
  return offered;
}

function customFieldsOf(asked: CustomFieldParams[]): CustomField[] {
  const keys = new Set(asked.map((field) => field.key));
  if (keys.size < asked.length)
    throw refuse('Each custom field needs a key of its own.', { param: 'custom_fields' });
  return asked.map((field, index) => {
    for (const other of ['text', 'numeric', 'dropdown'] as const) {
      if (other !== field.type && field[other] !== undefined)
        throw refuse(`${other} does not fit a custom field of the type ${field.type}.`, {
          param: `custom_fields[${index}][${other}]`,
        });
    }
    const { key, label, type } = field;
    const base = { key, label, optional: field.optional ?? false, type };
    if (type === 'dropdown') {
      if (!field.dropdown || field.dropdown.options.length === 0)
        throw missingParam(`custom_fields[${index}][dropdown]`);
      const fallback = field.dropdown.default_value;
      if (fallback !== undefined && !field.dropdown.options.some(({ value }) => value === fallback))
        throw refuse('The default must be one of the options.', {
          param: `custom_fields[${index}][dropdown][default_value]`,
        });
      return {
        ...base,
        dropdown: {
          default_value: field.dropdown.default_value ?? null,
          options: field.dropdown.options,
          value: null,
        },
      };
    }
    const given = field[type];
    if ((given?.minimum_length ?? 0) > (given?.maximum_length ?? 255))
      throw refuse('minimum_length is greater than maximum_length.', {
        param: `custom_fields[${index}][${type}][minimum_length]`,
      });
    return {
      ...base,
      [type]: {
        default_value: given?.default_value ?? null,
        maximum_length: given?.maximum_length ?? null,
        minimum_length: given?.minimum_length ?? null,
        value: null,
      },
    };
  });
}

function intentOf(params: SessionParams): IntentFacts {
  const { metadata, capture_method, shipping, ...rest } = params.payment_intent_data ?? {};
  return {
    ...rest,
    shipping: shipping && wholeShipping(shipping),
    metadata: patched({}, metadata),
    capture_method: capture_method === 'automatic' ? 'automatic' : 'automatic_async',
  };
}
