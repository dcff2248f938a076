/** Turns the parameters of a new session into the session itself, under every rule Stripe applies to prices, sums, times and addresses. */
import { seconds, type Call } from './call.ts';
import { missingObject, notBuilt, refuse } from './errors.ts';
import { newId, randomText } from './ids.ts';
import { findObject, type StoredObject } from './objects.ts';
import type { IntentFacts } from './payment-intents.ts';
import type { Address } from './payment-methods.ts';
import { MAX_AMOUNT, type Price } from './prices.ts';
import type { Product } from './products.ts';
import { patched } from './rules.ts';
import type { CustomFieldParams, SessionParams } from './session-params.ts';
import { settingOf } from '#server/standins/store.ts';

type Message = { message: string } | null;
interface TypedField { default_value: string | null; maximum_length: number | null; minimum_length: number | null; value: string | null }

export interface CustomField {
  key: string;
  label: { type: 'custom'; custom: string };
  optional: boolean;
  type: 'text' | 'numeric' | 'dropdown';
  text?: TypedField;
  numeric?: TypedField;
  dropdown?: { default_value: string | null; options: { label: string; value: string }[]; value: string | null };
}

export interface LineItem {
  id: string; object: 'item'; adjustable_quantity: null;
  amount_discount: 0; amount_subtotal: number; amount_tax: 0; amount_total: number;
  currency: string; description: string; discounts: []; metadata: Record<string, string>; price: Price; quantity: number; taxes: [];
}

export interface CustomerDetails {
  address: Address | null; business_name: null; email: string | null; individual_name: null; name: string | null; phone: string | null;
  tax_exempt: 'none'; tax_ids: [] | null;
}

export interface Session extends StoredObject {
  object: 'checkout.session';
  adaptive_pricing: { enabled: boolean };
  after_expiration: null;
  allow_promotion_codes: boolean | null;
  allowed_payment_method_types: string[] | null;
  amount_subtotal: number; amount_total: number;
  automatic_tax: { enabled: false; liability: null; provider: null; status: null };
  billing_address_collection: 'auto' | null;
  cancel_url: string | null;
  client_reference_id: string | null;
  client_secret: null;
  collected_information: { business_name: null; individual_name: null; shipping_details: null };
  consent: null; consent_collection: null;
  currency: string; currency_conversion: null;
  custom_fields: CustomField[];
  custom_text: { after_submit: Message; shipping_address: Message; submit: Message; terms_of_service_acceptance: Message };
  customer: null; customer_account: null; customer_creation: 'if_required';
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
  payment_method_options: { card: { request_three_d_secure: string } };
  payment_method_types: string[];
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  permissions: null;
  phone_number_collection: { enabled: boolean };
  recovered_from: null; saved_payment_method_options: null; setup_intent: null; shipping_address_collection: null; shipping_cost: null;
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

/** What the session keeps to itself: its lines, and what its payment intent is to look like. */
export interface HiddenSession { line_items: LineItem[]; intent: IntentFacts; tries: number }

const SHORTEST_LIFE = 30 * 60;
const LONGEST_LIFE = 24 * 3600;
/** The least that can be charged, about half a euro; currencies not named here: 50 of their smallest unit. */
const LEAST: Record<string, number> = { eur: 50, usd: 50, chf: 50, gbp: 30, jpy: 50, sek: 300, nok: 300, dkk: 250, pln: 200, czk: 1500, huf: 17500 };

export function buildSession(call: Call, params: SessionParams): { session: Session; hidden: HiddenSession } {
  refuseOtherModes(params);
  if (params.success_url === undefined) throw refuse('Missing required param: success_url.', { code: 'parameter_missing', param: 'success_url' });
  const lines = linesOf(call, params);
  const { currency } = lines[0]!;
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0);
  checkTotal(total, currency);
  const id = `cs_test_a1${randomText(58)}`;
  const session: Session = {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? false },
    after_expiration: null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: total, amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection === undefined ? null : 'auto',
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: { business_name: null, individual_name: null, shipping_details: null },
    consent: null, consent_collection: null,
    created: seconds(call),
    currency, currency_conversion: null,
    custom_fields: customFieldsOf(params.custom_fields ?? []),
    custom_text: {
      after_submit: params.custom_text?.after_submit ?? null, shipping_address: params.custom_text?.shipping_address ?? null,
      submit: params.custom_text?.submit ?? null, terms_of_service_acceptance: params.custom_text?.terms_of_service_acceptance ?? null,
    },
    customer: null, customer_account: null, customer_creation: 'if_required',
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: [],
    ...(params.excluded_payment_method_types === undefined ? {} : { excluded_payment_method_types: params.excluded_payment_method_types }),
    expires_at: expiryOf(call, params.expires_at),
    integration_identifier: params.integration_identifier ?? null,
    invoice: null,
    invoice_creation: {
      enabled: false,
      invoice_data: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: null, metadata: {}, rendering_options: null },
    },
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: null,
    metadata: patched({}, params.metadata),
    mode: 'payment',
    origin_context: params.origin_context ?? null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: params.payment_method_types === undefined
      ? { id: settingOf(call.store, 'stripe_payment_method_configuration', () => newId('pmc')), parent: null }
      : null,
    payment_method_options: { card: { request_three_d_secure: params.payment_method_options?.card?.request_three_d_secure ?? 'automatic' } },
    payment_method_types: methodTypesOf(params),
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: params.phone_number_collection?.enabled ?? false },
    recovered_from: null, saved_payment_method_options: null, setup_intent: null, shipping_address_collection: null, shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: params.submit_type ?? null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${call.publicUrl}/c/pay/${id}`,
    wallet_options: null,
  };
  return { session, hidden: { line_items: lines, intent: intentOf(params), tries: 0 } };
}

function refuseOtherModes(params: SessionParams): void {
  if (params.mode === undefined) throw refuse('Missing required param: mode.', { code: 'parameter_missing', param: 'mode' });
  if (params.mode !== 'payment') throw notBuilt(`checkout in ${params.mode} mode`, 'mode');
  if (params.ui_mode !== undefined && !params.ui_mode.startsWith('hosted')) throw notBuilt(`the ui_mode ${params.ui_mode}`, 'ui_mode');
  for (const param of ['return_url', 'redirect_on_completion'] as const) {
    if (params[param] !== undefined) throw refuse(`${param} can only be used with an embedded page.`, { param });
  }
  if (params.payment_method_collection !== undefined) throw refuse('payment_method_collection can only be set in subscription mode.', { param: 'payment_method_collection' });
  if (params.submit_type === 'subscribe') throw refuse('submit_type subscribe can only be used in subscription mode.', { param: 'submit_type' });
  if (params.customer !== undefined) throw missingObject('customer', params.customer, { param: 'customer', status: 400 });
  if (params.customer_creation === 'always') throw notBuilt('customers', 'customer_creation');
  if (params.billing_address_collection === 'required') throw notBuilt('address collection', 'billing_address_collection');
  if (params.allow_promotion_codes === true) throw notBuilt('promotion codes', 'allow_promotion_codes');
  if (params.payment_intent_data?.capture_method === 'manual') throw notBuilt('manual capture', 'payment_intent_data[capture_method]');
}

function linesOf(call: Call, params: SessionParams): LineItem[] {
  const asked = params.line_items ?? [];
  if (asked.length === 0) throw refuse('Missing required param: line_items.', { code: 'parameter_missing', param: 'line_items' });
  const lines = asked.map((line, index): LineItem => {
    const at = `line_items[${index}]`;
    if (line.price === undefined) throw refuse(`Missing required param: ${at}[price].`, { code: 'parameter_missing', param: `${at}[price]` });
    if (line.quantity === undefined) throw refuse(`Missing required param: ${at}[quantity].`, { code: 'parameter_missing', param: `${at}[quantity]` });
    const price = findObject<Price>(call.store, 'price', line.price);
    if (!price) throw missingObject('price', line.price, { param: `${at}[price]`, status: 400 });
    if (!price.active) throw refuse(`The price specified is inactive (${price.id}). This field only accepts active prices.`, { param: `${at}[price]` });
    const product = findObject<Product>(call.store, 'product', price.product);
    if (!product?.active) throw refuse(`The product of the price ${price.id} is not active, so it cannot be purchased.`, { param: `${at}[price]` });
    const amount = price.unit_amount * line.quantity;
    return {
      id: newId('li'), object: 'item', adjustable_quantity: null,
      amount_discount: 0, amount_subtotal: amount, amount_tax: 0, amount_total: amount,
      currency: price.currency, description: product.name, discounts: [], metadata: patched({}, line.metadata), price, quantity: line.quantity, taxes: [],
    };
  });
  const currencies = new Set([...lines.map((line) => line.currency), ...(params.currency === undefined ? [] : [params.currency])]);
  if (currencies.size > 1) throw refuse(`All prices in a Checkout Session must have the same currency; found ${[...currencies].join(', ')}.`, { param: 'line_items' });
  return lines;
}

function checkTotal(total: number, currency: string): void {
  const least = LEAST[currency] ?? 50;
  if (total > 0 && total < least) {
    throw refuse(`The Checkout Session's total amount must be at least ${least} in the smallest unit of ${currency}.`, { code: 'amount_too_small', param: 'line_items' });
  }
  if (total > MAX_AMOUNT) throw refuse(`The Checkout Session's total amount must be at most ${MAX_AMOUNT}.`, { code: 'amount_too_large', param: 'line_items' });
}

/** Milliseconds count: exactly 30 minutes, worked out a moment ago by the caller, is already too short. */
function expiryOf(call: Call, asked: number | undefined): number {
  if (asked === undefined) return seconds(call) + LONGEST_LIFE;
  const life = asked * 1000 - call.now();
  if (life < SHORTEST_LIFE * 1000) throw refuse('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', { param: 'expires_at' });
  if (life > LONGEST_LIFE * 1000) throw refuse('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', { param: 'expires_at' });
  return asked;
}

/** This account has cards switched on; the shop may narrow that, not widen it. */
function methodTypesOf(params: SessionParams): string[] {
  const filter = params.allowed_payment_method_types ?? params.payment_method_types;
  const param = params.payment_method_types === undefined ? 'allowed_payment_method_types' : 'payment_method_types';
  const excluded = params.excluded_payment_method_types?.includes('card') ?? false;
  if (excluded || (filter !== undefined && !filter.includes('card'))) {
    throw refuse('No valid payment method types for this Checkout Session: this account offers cards only.', { param: excluded ? 'excluded_payment_method_types' : param });
  }
  return ['card'];
}

function customFieldsOf(asked: CustomFieldParams[]): CustomField[] {
  const keys = new Set(asked.map((field) => field.key));
  if (keys.size < asked.length) throw refuse('Each custom field needs a key of its own.', { param: 'custom_fields' });
  return asked.map((field, index) => {
    for (const other of ['text', 'numeric', 'dropdown'] as const) {
      if (other !== field.type && field[other] !== undefined) throw refuse(`${other} does not fit a custom field of the type ${field.type}.`, { param: `custom_fields[${index}][${other}]` });
    }
    const { key, label, type } = field;
    const base = { key, label, optional: field.optional ?? false, type };
    if (type === 'dropdown') {
      if (!field.dropdown || field.dropdown.options.length === 0) throw refuse(`Missing required param: custom_fields[${index}][dropdown][options].`, { code: 'parameter_missing', param: `custom_fields[${index}][dropdown]` });
      return { ...base, dropdown: { default_value: field.dropdown.default_value ?? null, options: field.dropdown.options, value: null } };
    }
    const given = field[type];
    return { ...base, [type]: {
      default_value: given?.default_value ?? null, maximum_length: given?.maximum_length ?? null, minimum_length: given?.minimum_length ?? null, value: null,
    } };
  });
}

function intentOf(params: SessionParams): IntentFacts {
  const { metadata, capture_method, ...rest } = params.payment_intent_data ?? {};
  return { ...rest, metadata: patched({}, metadata), capture_method: capture_method === 'automatic' ? 'automatic' : 'automatic_async' };
}
