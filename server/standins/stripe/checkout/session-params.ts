/** The parameters of a checkout session in each API version; what Stripe has and this stand-in does not is refused with 501. */
import { futureUsages } from '#server/standins/stripe/payment/method-types.ts';
import { shipping } from '#server/standins/stripe/payment/shipping.ts';
import { amount, taxBehavior } from '#server/standins/stripe/money/amounts.ts';
import { isSince, type ReadCall } from '#server/standins/stripe/call.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import {
  clearable,
  currency,
  email,
  flag,
  group,
  integer,
  listOf,
  metadata,
  need,
  oneOf,
  onlyOff,
  readParams,
  text,
  unbuilt,
  webAddress,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';

/** Since this version `payment_method_types` is gone from session creation. */
const WITHOUT_METHOD_TYPES = '2026-09-30';
/** Since this version the hosted page is called `hosted_page`. */
const HOSTED_PAGE = '2026-03-25';

const LOCALES = [
  'auto',
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-GB',
  'es',
  'es-419',
  'et',
  'fi',
  'fil',
  'fr',
  'fr-CA',
  'hi-IN',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'ms',
  'mt',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sv',
  'th',
  'tr',
  'vi',
  'zh',
  'zh-HK',
  'zh-TW',
] as const;
/** All that Stripe has, not only what is offered here. */
export const STRIPE_METHOD_TYPES = [
  'acss_debit',
  'affirm',
  'afterpay_clearpay',
  'alipay',
  'alma',
  'amazon_pay',
  'au_becs_debit',
  'bacs_debit',
  'bancontact',
  'billie',
  'bizum',
  'blik',
  'boleto',
  'card',
  'cashapp',
  'crypto',
  'customer_balance',
  'eps',
  'fpx',
  'giropay',
  'grabpay',
  'ideal',
  'kakao_pay',
  'klarna',
  'konbini',
  'kr_card',
  'link',
  'mb_way',
  'mobilepay',
  'multibanco',
  'naver_pay',
  'nz_bank_account',
  'oxxo',
  'p24',
  'pay_by_bank',
  'payco',
  'paynow',
  'paypal',
  'paypay',
  'payto',
  'pix',
  'promptpay',
  'revolut_pay',
  'samsung_pay',
  'satispay',
  'scalapay',
  'sepa_debit',
  'sequra',
  'sofort',
  'sunbit',
  'swish',
  'twint',
  'upi',
  'us_bank_account',
  'wechat_pay',
  'zip',
] as const;
/** Stripe's schema leaves `link` out of what may be excluded. */
const EXCLUDABLE = STRIPE_METHOD_TYPES.filter((type) => type !== 'link');

const lengths = {
  maximum_length: integer({ min: 1, max: 255 }),
  minimum_length: integer({ min: 1, max: 255 }),
};
const customField = group({
  key: need(text({ max: 200, form: /^[A-Za-z0-9]+$/, says: 'must be alphanumeric' })),
  label: need(group({ type: need(oneOf(['custom'])), custom: need(text({ max: 50 })) })),
  type: need(oneOf(['text', 'numeric', 'dropdown'])),
  optional: flag(),
  text: group({ default_value: text({ max: 255 }), ...lengths }),
  numeric: group({
    default_value: text({ max: 255, form: /^\d+$/, says: 'must be digits' }),
    ...lengths,
  }),
  dropdown: group({
    default_value: text({ max: 100 }),
    options: need(
      listOf(
        group({
          label: need(text({ max: 100 })),
          value: need(text({ max: 100, form: /^[A-Za-z0-9]+$/, says: 'must be alphanumeric' })),
        }),
        200,
      ),
    ),
  }),
});
const priceData = group({
  currency: need(currency()),
  product: text(),
  recurring: unbuilt(),
  tax_behavior: taxBehavior,
  unit_amount: amount,
  unit_amount_decimal: amount,
  product_data: group({
    name: need(text({ max: 1500 })),
    description: text(),
    images: listOf(webAddress(), 8),
    metadata: metadata(),
    tax_code: unbuilt(),
    tax_details: unbuilt(),
    unit_label: text({ max: 12 }),
  }),
});
const message = clearable(group({ message: need(text({ max: 1200 })) }));

const fields = {
  adaptive_pricing: group({ enabled: flag() }),
  after_expiration: unbuilt(),
  allow_promotion_codes: flag(),
  allowed_payment_method_types: listOf(oneOf(STRIPE_METHOD_TYPES), 60),
  automatic_tax: onlyOff(),
  billing_address_collection: oneOf(['auto', 'required']),
  branding_settings: unbuilt(),
  cancel_url: webAddress(),
  client_reference_id: text({ max: 200 }),
  consent_collection: unbuilt(),
  currency: currency(),
  custom_fields: listOf(customField, 3),
  custom_text: group({
    after_submit: message,
    shipping_address: message,
    submit: message,
    terms_of_service_acceptance: message,
  }),
  customer: text(),
  customer_account: unbuilt(),
  customer_creation: oneOf(['always', 'if_required']),
  customer_email: email(),
  customer_update: unbuilt(),
  discounts: unbuilt(),
  excluded_payment_method_types: listOf(oneOf(EXCLUDABLE), 60),
  expand: listOf(text(), 20),
  expires_at: integer(),
  integration_identifier: text({ max: 500 }),
  invoice_creation: onlyOff(),
  line_items: listOf(
    group({
      adjustable_quantity: onlyOff(),
      metadata: metadata(),
      price: text(),
      price_data: priceData,
      quantity: integer({ min: 1, max: 999_999 }),
      tax_rates: unbuilt(),
    }),
    100,
  ),
  locale: oneOf(LOCALES),
  managed_payments: onlyOff(),
  metadata: metadata(),
  mode: oneOf(['payment', 'setup', 'subscription']),
  name_collection: unbuilt(),
  optional_items: unbuilt(),
  origin_context: oneOf(['mobile_app', 'web']),
  payment_intent_data: group({
    application_fee_amount: unbuilt(),
    capture_method: oneOf(['automatic', 'automatic_async', 'manual']),
    description: text({ max: 1000 }),
    metadata: metadata(),
    on_behalf_of: unbuilt(),
    receipt_email: email(),
    setup_future_usage: oneOf(futureUsages),
    shipping,
    statement_descriptor: text({ max: 22 }),
    statement_descriptor_suffix: text({ max: 22 }),
    transfer_data: unbuilt(),
    transfer_group: text(),
  }),
  payment_method_collection: oneOf(['always', 'if_required']),
  payment_method_configuration: unbuilt(),
  payment_method_data: unbuilt(),
  payment_method_options: group({
    card: group({ request_three_d_secure: oneOf(['any', 'automatic', 'challenge']) }),
    klarna: group({}),
    link: group({}),
    paypal: group({}),
    satispay: group({}),
    sepa_debit: group({}),
  }),
  payment_method_types: listOf(oneOf(STRIPE_METHOD_TYPES), 60),
  permissions: unbuilt(),
  phone_number_collection: group({ enabled: need(flag()) }),
  redirect_on_completion: oneOf(['always', 'if_required', 'never']),
  return_url: webAddress(),
  saved_payment_method_options: unbuilt(),
  setup_intent_data: unbuilt(),
  shipping_address_collection: unbuilt(),
  shipping_options: unbuilt(),
  submit_type: oneOf(['auto', 'book', 'donate', 'pay', 'subscribe']),
  subscription_data: unbuilt(),
  success_url: webAddress(),
  tax_id_collection: onlyOff(),
  ui_mode: oneOf([
    'hosted',
    'embedded',
    'custom',
    'hosted_page',
    'embedded_page',
    'elements',
    'form',
  ]),
  wallet_options: unbuilt(),
};

export type SessionParams = Read<typeof fields>;
export type SessionLine = NonNullable<SessionParams['line_items']>[number];
export type CustomFieldParams = NonNullable<SessionParams['custom_fields']>[number];

/** Reads the parameters of POST /v1/checkout/sessions under the caller's API version. */
export function readSessionParams(call: ReadCall): SessionParams {
  const params = readParams(call.form, fields);
  if (params.payment_method_types !== undefined && isSince(call, WITHOUT_METHOD_TYPES)) {
    throw refuse(
      'Received unknown parameter: payment_method_types. Use allowed_payment_method_types or excluded_payment_method_types.',
      {
        code: 'parameter_unknown',
        param: 'payment_method_types',
      },
    );
  }
  if (params.allowed_payment_method_types !== undefined && !isSince(call, WITHOUT_METHOD_TYPES)) {
    throw refuse('Received unknown parameter: allowed_payment_method_types', {
      code: 'parameter_unknown',
      param: 'allowed_payment_method_types',
    });
  }
  const newNames = ['hosted_page', 'embedded_page', 'elements', 'form'];
  if (
    params.ui_mode !== undefined &&
    newNames.includes(params.ui_mode) !== isSince(call, HOSTED_PAGE)
  ) {
    throw refuse(`Invalid ui_mode: ${params.ui_mode} is not one of this API version's values.`, {
      param: 'ui_mode',
    });
  }
  return params;
}

/** The hosted page's name in the caller's version. */
export function hostedName(version: string): 'hosted_page' | 'hosted' {
  return version.slice(0, 10) >= HOSTED_PAGE ? 'hosted_page' : 'hosted';
}
