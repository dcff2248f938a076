/** The calls on payment intents: reading one, and paying without a checkout session. */
import { checkAmount } from '#server/standins/stripe/balance/amounts.ts';
import type { Call, ReadCall } from '#server/standins/stripe/call.ts';
import { answerObject } from '#server/standins/stripe/read-calls.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import {
  currency,
  integer,
  metadata,
  need,
  oneOf,
  readParams,
  text,
} from '#server/standins/stripe/transport/rules.ts';
import { METHOD_TYPES } from './method-types.ts';
import { attemptPayment, insertPaymentIntent } from './payment-intents.ts';
import { takePaymentMethod } from './payment-methods.ts';

/** GET /v1/payment_intents/:id */
export function retrievePaymentIntent(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'payment_intent');
}

/**
 * POST /v1/payment_intents {amount, currency, payment_method, confirm: true, metadata?}: pays
 * immediately, without the buyer.
 * @throws StripeError 400 for a card that first asks the buyer
 */
export async function createPaymentIntent(call: Call): Promise<Reply> {
  const { amount, payment_method, ...params } = readParams(call.form, {
    amount: need(integer({ min: 1 })),
    confirm: need(oneOf(['true'])),
    currency: need(currency()),
    metadata: metadata(),
    payment_method: need(text()),
  });
  checkAmount(amount, 'amount');
  const { method, behaviour } = await takePaymentMethod(call, payment_method);
  if (behaviour.challenge)
    throw refuse('This payment requires the customer to authenticate.', {
      code: 'authentication_required',
      param: 'payment_method',
    });
  const facts = {
    amount,
    currency: params.currency,
    description: null,
    metadata: params.metadata ?? {},
    payment_method_types: METHOD_TYPES,
  };
  const attempt = await attemptPayment(call, await insertPaymentIntent(call, facts, ''), {
    method,
    behaviour,
    billing: method.billing_details,
  });
  if (attempt.state !== 'refused') return ok(attempt.intent);
  const { status, body } = attempt.refusal;
  return { status, body: { error: { ...body, payment_intent: attempt.intent } } };
}
