/** The API calls of payment intents: read, make, confirm, capture and cancel. */
import { answerList, expand } from '#server/standins/stripe/read-calls.ts';
import { shipping, wholeShipping } from './shipping.ts';
import { checkAmount } from '#server/standins/stripe/money/amounts.ts';
import type { Call, Reply, ReadCall } from '#server/standins/stripe/call.ts';
import { findCustomer } from './customers.ts';
import {
  missingObject,
  refuse,
  refuseState,
  StripeError,
} from '#server/standins/stripe/transport/errors.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import {
  factsOf as factsOfMethod,
  futureUsages,
  isOffered,
  METHOD_TYPES,
  type MethodType,
} from './method-types.ts';
import { createdRange } from '#server/standins/stripe/lists.ts';
import {
  getObject,
  readPrivate,
  saveObject,
  savePrivate,
} from '#server/standins/stripe/statements/objects.ts';
import {
  attemptPayment,
  cancelIntent,
  captureIntent,
  insertPaymentIntent,
  type HiddenIntent,
  type IntentFacts,
  type PaymentIntent,
} from './payment-intents.ts';
import { insertPaymentMethod, paymentMethodFields, takePaymentMethod } from './payment-methods.ts';
import { STRIPE_METHOD_TYPES } from '#server/standins/stripe/checkout/session-params.ts';
import {
  builtOf,
  clearable,
  currency,
  email,
  flag,
  group,
  integer,
  listOf,
  metadata,
  need,
  nothing,
  oneOf,
  patched,
  readParams,
  text,
  unbuilt,
  webAddress,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';

export const intentAmount = integer({ min: 1 });
export const captureMethod = oneOf(['automatic', 'automatic_async', 'manual']);
const options = group({
  card: group({ request_three_d_secure: oneOf(['any', 'automatic', 'challenge']) }),
  klarna: group({}),
  link: group({}),
  paypal: group({}),
  satispay: group({}),
  sepa_debit: group({}),
});

/** Known to Stripe wherever an intent is made, changed or confirmed, and not built. */
export const unbuiltFields = {
  amount_details: unbuilt(),
  application_fee_amount: unbuilt(),
  excluded_payment_method_types: unbuilt(),
  hooks: unbuilt(),
  payment_details: unbuilt(),
};

const confirmFields = {
  ...unbuiltFields,
  error_on_requires_action: flag(),
  expand,
  // The buyer's consent to a direct debit is taken as given.
  mandate_data: group({ customer_acceptance: nothing() }),
  off_session: flag(),
  payment_method: text(),
  payment_method_data: group(paymentMethodFields),
  payment_method_options: options,
  receipt_email: clearable(email()),
  return_url: webAddress(),
  use_stripe_sdk: flag(),
  amount_to_confirm: unbuilt(),
  capture_method: captureMethod,
  confirmation_token: unbuilt(),
  mandate: unbuilt(),
  radar_options: unbuilt(),
  setup_future_usage: clearable(oneOf(futureUsages)),
  shipping,
};
type Confirm = Read<typeof confirmFields>;

/** GET /v1/payment_intents/:id */
export async function retrievePaymentIntent(call: ReadCall): Promise<Reply> {
  const { expand: paths, client_secret } = readParams(call.form, { expand, client_secret: text() });
  const intent = await getObject<PaymentIntent>(call.store, 'payment_intent', call.id);
  if (client_secret !== undefined && client_secret !== intent.client_secret)
    throw refuse('The client_secret provided does not match this PaymentIntent.', {
      code: 'payment_intent_invalid_parameter',
      param: 'client_secret',
    });
  return replyWith(call, intent, paths);
}

/** GET /v1/payment_intents?created&customer */
export function listPaymentIntents(call: ReadCall): Promise<Reply> {
  return answerList(call, 'payment_intent', {
    url: '/v1/payment_intents',
    filters: { created: createdRange(), customer: text(), customer_account: unbuilt() },
  });
}

const createFields = {
  ...confirmFields,
  amount: need(intentAmount),
  currency: need(currency()),
  allowed_payment_method_types: listOf(oneOf(METHOD_TYPES), 60),
  automatic_payment_methods: group({
    enabled: need(flag()),
    allow_redirects: oneOf(['always', 'never']),
  }),
  capture_method: captureMethod,
  confirm: flag(),
  confirmation_method: oneOf(['automatic', 'manual']),
  customer: text(),
  customer_account: unbuilt(),
  description: text({ max: 1000 }),
  metadata: metadata(),
  on_behalf_of: unbuilt(),
  payment_method_configuration: unbuilt(),
  payment_method_types: listOf(builtOf(METHOD_TYPES, STRIPE_METHOD_TYPES), 60),
  statement_descriptor: text({ max: 22 }),
  statement_descriptor_suffix: text({ max: 22 }),
  transfer_data: unbuilt(),
  transfer_group: text(),
};
type Create = Read<typeof createFields>;

/** POST /v1/payment_intents {amount, currency, payment_method?, confirm?, capture_method?, …} */
export async function createPaymentIntent(call: Call): Promise<Reply> {
  const params = readParams(call.form, createFields);
  const { customer } = params;
  checkIntent(params);
  if (customer !== undefined && !(await findCustomer(call, customer)))
    throw missingObject('customer', customer, { param: 'customer', status: 400 });
  const intent = await makeIntent(call, params);
  if (params.confirm) return confirmWith(call, intent, params);
  if (params.payment_method === undefined && params.payment_method_data === undefined)
    return replyWith(call, intent, params.expand);
  const { method } = await methodOf(call, intent, params);
  const after: PaymentIntent = {
    ...intent,
    payment_method: method.id,
    status: 'requires_confirmation',
  };
  await saveObject(call.store, after);
  return replyWith(call, after, params.expand);
}

/** Stored and announced; its page needs the secret that is made with it. */
async function makeIntent(call: Call, params: Create): Promise<PaymentIntent> {
  const made = await insertPaymentIntent(
    call,
    { amount: params.amount, currency: params.currency, types: methodTypesOf(params) },
    factsOf(params),
    {
      session: null,
      page: '',
      three_d_secure: params.payment_method_options?.card?.request_three_d_secure ?? 'automatic',
    },
  );
  await savePrivate(call.store, made.id, {
    ...(await readPrivate<HiddenIntent>(call.store, made.id)),
    page: `${call.publicUrl}/c/pay/${made.client_secret}`,
  } satisfies HiddenIntent);
  if (params.payment_method_types) return made;
  const automatic: PaymentIntent = {
    ...made,
    automatic_payment_methods: {
      enabled: true,
      allow_redirects: params.automatic_payment_methods?.allow_redirects ?? 'always',
    },
  };
  await saveObject(call.store, automatic);
  return automatic;
}

function factsOf(params: Create): IntentFacts {
  return {
    capture_method: params.capture_method,
    confirmation_method: params.confirmation_method,
    customer: params.customer,
    description: params.description,
    metadata: patched({}, params.metadata),
    receipt_email: params.receipt_email ?? undefined,
    setup_future_usage: params.setup_future_usage ?? undefined,
    shipping: params.shipping && wholeShipping(params.shipping),
    statement_descriptor: params.statement_descriptor,
    statement_descriptor_suffix: params.statement_descriptor_suffix,
    transfer_group: params.transfer_group,
  };
}

function checkIntent(
  params: Pick<
    Create,
    'amount' | 'automatic_payment_methods' | 'currency' | 'payment_method_types'
  >,
): void {
  checkAmount(params.amount, params.currency);
  if (params.automatic_payment_methods?.enabled && params.payment_method_types)
    throw refuse(
      'You may only specify one of these parameters: automatic_payment_methods, payment_method_types.',
      { code: 'parameters_exclusive', param: 'payment_method_types' },
    );
}

/** What the shop names, else all that the account offers in the currency. */
export function methodTypesOf(
  params: Pick<
    Create,
    | 'allowed_payment_method_types'
    | 'automatic_payment_methods'
    | 'currency'
    | 'payment_method_types'
  >,
): MethodType[] {
  const mayRedirect = params.automatic_payment_methods?.allow_redirects !== 'never';
  const types =
    params.payment_method_types ??
    METHOD_TYPES.filter(
      (type) =>
        isOffered(type, params.currency) &&
        (mayRedirect || factsOfMethod(type).flow !== 'redirect') &&
        (params.allowed_payment_method_types?.includes(type) ?? true),
    );
  const foreign = types.find((type) => !isOffered(type, params.currency));
  if (foreign !== undefined || types.length === 0)
    throw refuse(
      `The payment method type "${foreign ?? ''}" is not offered in ${params.currency}.`,
      { param: 'payment_method_types' },
    );
  return types;
}

/** POST /v1/payment_intents/:id/confirm {payment_method?, return_url?, off_session?, …}: 402 card_error on a refused card. */
export async function confirmPaymentIntent(call: Call): Promise<Reply> {
  const intent = await ownIntent(call);
  const params = readParams(call.form, {
    ...confirmFields,
    allowed_payment_method_types: unbuilt(),
  });
  if (
    !['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)
  )
    throw unexpected(intent, 'confirm');
  return confirmWith(call, intent, params);
}

/** POST /v1/payment_intents/:id/capture {amount_to_capture?} */
export async function capturePaymentIntent(call: Call): Promise<Reply> {
  const intent = await ownIntent(call);
  const params = readParams(call.form, {
    amount_to_capture: intentAmount,
    expand,
    metadata: metadata(),
    statement_descriptor: text({ max: 22 }),
    statement_descriptor_suffix: text({ max: 22 }),
    amount_details: unbuilt(),
    application_fee_amount: unbuilt(),
    final_capture: flag(),
    hooks: unbuilt(),
    payment_details: unbuilt(),
    transfer_data: unbuilt(),
  });
  if (intent.status !== 'requires_capture') throw unexpected(intent, 'capture');
  const wanted = params.amount_to_capture ?? intent.amount_capturable;
  if (wanted > intent.amount_capturable)
    throw refuse(
      `The amount to capture (${wanted}) is greater than the amount that can be captured (${intent.amount_capturable}).`,
      { code: 'amount_too_large', param: 'amount_to_capture' },
    );
  return replyWith(
    call,
    await captureIntent(
      call,
      { ...intent, metadata: patched(intent.metadata, params.metadata) },
      wanted,
    ),
    params.expand,
  );
}

/** POST /v1/payment_intents/:id/cancel {cancellation_reason?}; a session's intent ends with its session. */
export async function cancelPaymentIntent(call: Call): Promise<Reply> {
  const intent = await ownIntent(call);
  const params = readParams(call.form, {
    cancellation_reason: oneOf(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']),
    expand,
  });
  if (['succeeded', 'canceled', 'processing'].includes(intent.status))
    throw unexpected(intent, 'cancel');
  return replyWith(
    call,
    await cancelIntent(call, call, { id: intent.id, reason: params.cancellation_reason ?? null }),
    params.expand,
  );
}

async function confirmWith(call: Call, intent: PaymentIntent, params: Confirm): Promise<Reply> {
  const { method, behaviour } = await methodOf(call, intent, params);
  const hidden = await readPrivate<HiddenIntent>(call.store, intent.id);
  await savePrivate(call.store, intent.id, {
    ...hidden,
    return_url: params.return_url ?? hidden.return_url,
  } satisfies HiddenIntent);
  if (behaviour.challenge === 'always' && (params.off_session || params.error_on_requires_action)) {
    const error = {
      type: 'card_error' as const,
      code: 'authentication_required',
      message: 'This payment requires the customer to authenticate.',
    };
    const after: PaymentIntent = {
      ...intent,
      status: 'requires_payment_method',
      last_payment_error: { ...error, payment_method: method },
    };
    await saveObject(call.store, after);
    return { status: 402, body: { error: { ...error, payment_intent: after } } };
  }
  if (
    behaviour.challenge === 'always' &&
    method.type !== 'card' &&
    (params.return_url ?? hidden.return_url) === null
  ) {
    throw refuse('This PaymentIntent leads to another page: a return_url must be specified.', {
      code: 'parameter_missing',
      param: 'return_url',
    });
  }
  const { capture_method, receipt_email, setup_future_usage } = { ...intent, ...params };
  const base: PaymentIntent = {
    ...intent,
    capture_method,
    receipt_email,
    setup_future_usage,
    shipping: params.shipping ? wholeShipping(params.shipping) : intent.shipping,
  };
  const attempt = await attemptPayment(call, base, {
    method,
    behaviour,
    billing: method.billing_details,
  });
  if (attempt.state === 'refused')
    return {
      status: attempt.refusal.status,
      body: { error: { ...attempt.refusal.body, payment_intent: attempt.intent } },
    };
  return replyWith(call, attempt.intent, params.expand);
}

export async function methodOf(
  call: Call,
  intent: PaymentIntent,
  params: Pick<Confirm, 'payment_method' | 'payment_method_data'>,
): Promise<ReturnType<typeof takePaymentMethod>> {
  const id = params.payment_method_data
    ? (await insertPaymentMethod(call, params.payment_method_data)).id
    : (params.payment_method ?? intent.payment_method);
  if (id === null)
    throw refuseState(
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      { code: 'payment_intent_unexpected_state' },
    );
  const taken = await takePaymentMethod(call, id);
  if (taken.method.customer !== null && taken.method.customer !== intent.customer)
    throw refuse(
      'This PaymentMethod belongs to a customer: the PaymentIntent must be the same customer’s.',
      { param: 'payment_method' },
    );
  const types: MethodType[] = intent.payment_method_types;
  if (!types.includes(taken.method.type))
    throw refuse(
      `The PaymentMethod's type (${taken.method.type}) is not one of this PaymentIntent's: ${types.join(', ')}.`,
      { code: 'payment_intent_incompatible_payment_method', param: 'payment_method' },
    );
  return taken;
}

export async function ownIntent(call: ReadCall): Promise<PaymentIntent> {
  const intent = await getObject<PaymentIntent>(call.store, 'payment_intent', call.id);
  const { session } = await readPrivate<HiddenIntent>(call.store, intent.id);
  if (session !== null)
    throw refuseState(
      `This PaymentIntent belongs to the Checkout Session ${session}: only its page can pay it, and expiring the session cancels it.`,
      { code: 'payment_intent_unexpected_state' },
    );
  return intent;
}

export function unexpected(intent: PaymentIntent, what: string): StripeError {
  return new StripeError(
    400,
    {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: `You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`,
      payment_intent: intent,
    },
    true,
  );
}
