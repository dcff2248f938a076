/** Changes of a payment intent before it is paid: what is bought, by whom, and with what. */
import { checkAmount } from '#server/standins/stripe/money/amounts.ts';
import { expand } from '#server/standins/stripe/read-calls.ts';
import type { Call, Reply } from '#server/standins/stripe/call.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { changesOf } from '#server/standins/stripe/webhook/events.ts';
import { getObject, saveObject } from '#server/standins/stripe/statements/objects.ts';
import { missingObject } from '#server/standins/stripe/transport/errors.ts';
import {
  builtOf,
  clearable,
  currency,
  email,
  listOf,
  metadata,
  oneOf,
  patched,
  readParams,
  text,
  unbuilt,
  group,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';
import { STRIPE_METHOD_TYPES } from '#server/standins/stripe/checkout/session-params.ts';
import { findCustomer } from './customers.ts';
import { futureUsages, METHOD_TYPES } from './method-types.ts';
import {
  captureMethod,
  intentAmount,
  methodOf,
  methodTypesOf,
  ownIntent,
  unbuiltFields,
  unexpected,
} from './payment-intent-calls.ts';
import type { PaymentIntent } from './payment-intents.ts';
import { paymentMethodFields } from './payment-methods.ts';
import { shipping, wholeShipping } from './shipping.ts';

const descriptor = text({ max: 22 });

/** What may be said of a payment at any time. */
const wordFields = {
  description: clearable(text({ max: 1000 })),
  expand,
  metadata: metadata(),
  receipt_email: clearable(email()),
  setup_future_usage: clearable(oneOf(futureUsages)),
  shipping,
};
/** What is paid and how: only as long as it is not. */
const moneyFields = {
  amount: intentAmount,
  capture_method: captureMethod,
  currency: currency(),
  customer: clearable(text()),
  payment_method: clearable(text()),
  payment_method_data: group(paymentMethodFields),
  payment_method_types: listOf(builtOf(METHOD_TYPES, STRIPE_METHOD_TYPES), 60),
  statement_descriptor: descriptor,
  statement_descriptor_suffix: descriptor,
  transfer_group: text(),
};
type Money = Read<typeof moneyFields>;
const moneyNames = Object.keys(moneyFields);

const open = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** POST /v1/payment_intents/:id {amount?, currency?, customer?, payment_method?, description?, metadata?, …} */
export async function updatePaymentIntent(call: Call): Promise<Reply> {
  const before = await getObject<PaymentIntent>(call.store, 'payment_intent', call.id);
  const params = readParams(call.form, {
    ...wordFields,
    ...moneyFields,
    ...unbuiltFields,
    allowed_payment_method_types: unbuilt(),
    customer_account: unbuilt(),
    payment_method_configuration: unbuilt(),
    payment_method_options: unbuilt(),
    transfer_data: unbuilt(),
  });
  const changesMoney = moneyNames.some((name) => name in params);
  const priced = changesMoney ? await withMoney(call, before, params) : before;
  const { description, receipt_email, setup_future_usage } = { ...before, ...params };
  const after: PaymentIntent = {
    ...priced,
    shipping: params.shipping ? wholeShipping(params.shipping) : before.shipping,
    description,
    metadata: patched(before.metadata, params.metadata),
    receipt_email,
    setup_future_usage,
  };
  if (Object.keys(changesOf(before, after)).length > 0) await saveObject(call.store, after);
  return replyWith(call, after, params.expand);
}

async function withMoney(
  call: Call,
  before: PaymentIntent,
  { payment_method, payment_method_data, payment_method_types, ...params }: Money,
): Promise<PaymentIntent> {
  const intent = await ownIntent(call);
  if (!open.includes(intent.status)) throw unexpected(intent, 'update');
  if (params.customer && !(await findCustomer(call, params.customer)))
    throw missingObject('customer', params.customer, { param: 'customer', status: 400 });
  const { amount, capture_method, currency: money, customer } = { ...before, ...params };
  const { statement_descriptor, statement_descriptor_suffix, transfer_group } = {
    ...before,
    ...params,
  };
  checkAmount(amount, money);
  const after: PaymentIntent = {
    ...intent,
    amount,
    capture_method,
    currency: money,
    customer,
    payment_method_types: payment_method_types
      ? methodTypesOf({ currency: money, payment_method_types })
      : intent.payment_method_types,
    statement_descriptor,
    statement_descriptor_suffix,
    transfer_group,
  };
  if (payment_method === null)
    return { ...after, payment_method: null, status: 'requires_payment_method' };
  if (payment_method === undefined && payment_method_data === undefined) return after;
  const { method } = await methodOf(call, after, { payment_method, payment_method_data });
  return { ...after, payment_method: method.id, status: 'requires_confirmation' };
}
