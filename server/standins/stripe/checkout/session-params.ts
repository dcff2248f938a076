/** The parameters of a checkout session that our adapter sends; others are refused. */
import { productName } from '#server/standins/stripe/catalog/products.ts';
import type { ReadCall } from '#server/standins/stripe/call.ts';
import { amount } from '#server/standins/stripe/balance/amounts.ts';
import { METHOD_TYPES } from '#server/standins/stripe/payment/method-types.ts';
import {
  currency,
  flag,
  group,
  integer,
  listOf,
  metadata,
  need,
  oneOf,
  readParams,
  text,
  webAddress,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';

const customField = group({
  key: need(text({ max: 200, form: /^[A-Za-z0-9]+$/, says: 'must be alphanumeric' })),
  label: need(group({ type: need(oneOf(['custom'])), custom: need(text({ max: 50 })) })),
  type: need(oneOf(['text'])),
  optional: flag(),
});

/** One of `price` and `price_data` is given; session-lines.ts checks it. */
const line = group({
  price: text(),
  price_data: group({
    currency: need(currency()),
    product: text(),
    product_data: group({ name: need(productName) }),
    unit_amount: need(amount),
  }),
  quantity: need(integer({ min: 1, max: 999_999 })),
});

const fields = {
  adaptive_pricing: group({ enabled: need(oneOf(['false'])) }),
  allowed_payment_method_types: listOf(oneOf(METHOD_TYPES), 60),
  billing_address_collection: oneOf(['auto']),
  cancel_url: webAddress(),
  client_reference_id: text({ max: 200 }),
  customer_email: text({ max: 512 }),
  custom_fields: listOf(customField, 3),
  custom_text: group({ submit: group({ message: need(text({ max: 1200 })) }) }),
  customer_creation: oneOf(['if_required']),
  expires_at: integer(),
  line_items: need(listOf(line, 100)),
  locale: oneOf(['it']),
  metadata: metadata(),
  mode: need(oneOf(['payment'])),
  payment_intent_data: group({ description: text({ max: 1000 }), metadata: metadata() }),
  phone_number_collection: group({ enabled: need(flag()) }),
  submit_type: oneOf(['pay']),
  success_url: need(webAddress()),
};

export type SessionParams = Read<typeof fields>;
export type SessionLine = SessionParams['line_items'][number];

/** Reads the parameters of POST /v1/checkout/sessions. */
export function readSessionParams(call: ReadCall): SessionParams {
  return readParams(call.form, fields);
}
