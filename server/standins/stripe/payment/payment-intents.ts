/** Payment intents: one payment with any number of attempts, and its states. */
import { seconds, type Call, type Desk, type ReadDesk } from '#server/standins/stripe/call.ts';
import { newId, randomText } from '#server/standins/stripe/ids.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import {
  getObject,
  insertObject,
  readPrivate,
  saveObject,
  savePrivate,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { StripeError, type ErrorBody } from '#server/standins/stripe/transport/errors.ts';
import { emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import type { Behaviour, Decline } from './cards.ts';
import { insertCharge, refusalOf, type Charge } from './charges.ts';
import { intentOptionsOf, type MethodType } from './method-types.ts';
import {
  holdPaymentMethod,
  spendPaymentMethod,
  type BillingDetails,
  type PaymentMethod,
} from './payment-methods.ts';

export interface PaymentIntent extends StoredObject {
  object: 'payment_intent';
  allowed_payment_method_types: null;
  amount: number;
  amount_capturable: 0;
  amount_details: { tip: object };
  amount_received: number;
  application: null;
  application_fee_amount: null;
  automatic_payment_methods: { allow_redirects: 'never'; enabled: true } | null;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: 'automatic_async';
  client_secret: string;
  confirmation_method: 'automatic';
  currency: string;
  customer: null;
  customer_account: null;
  description: string | null;
  excluded_payment_method_types: null;
  last_payment_error: object | null;
  latest_charge: string | null;
  livemode: false;
  managed_payments: null;
  metadata: Record<string, string>;
  next_action: {
    type: 'redirect_to_url';
    redirect_to_url: { return_url: null; url: string };
  } | null;
  on_behalf_of: null;
  payment_method: string | null;
  payment_method_configuration_details: null;
  payment_method_options: object;
  payment_method_types: MethodType[];
  payment_record: null;
  processing: null;
  receipt_email: null;
  review: null;
  setup_future_usage: null;
  shipping: null;
  source: null;
  statement_descriptor: null;
  statement_descriptor_suffix: null;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  transfer_data: null;
  transfer_group: null;
}

type IntentFacts = Pick<
  PaymentIntent,
  'amount' | 'currency' | 'description' | 'metadata' | 'payment_method_types'
>;

/** A question that waits for the buyer: from the bank (3-D Secure) or the wallet. */
export interface Step {
  id: string;
  type: 'authenticate' | 'redirect';
  method: string;
  behaviour: Behaviour;
  billing: BillingDetails;
}

/** `page`: the address at which the buyer answers questions. */
interface HiddenIntent {
  page: string;
  step: Step | null;
}

export type Attempt =
  | { state: 'paid'; intent: PaymentIntent }
  | { state: 'step'; intent: PaymentIntent }
  | { state: 'refused'; intent: PaymentIntent; refusal: StripeError };

/** `page`: the address where the buyer answers questions; empty if no buyer can be asked. */
export async function insertPaymentIntent(
  call: Call,
  facts: IntentFacts,
  page: string,
): Promise<PaymentIntent> {
  const id = newId('pi');
  const intent: PaymentIntent = {
    ...facts,
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: page === '' ? { allow_redirects: 'never', enabled: true } : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: seconds(call),
    customer: null,
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: intentOptionsOf(facts.payment_method_types),
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
  await insertObject(call.store, intent, { page, step: null } satisfies HiddenIntent);
  await emit(call, call, { type: 'payment_intent.created', object: intent });
  return intent;
}

interface PaidBy {
  method: PaymentMethod;
  behaviour: Behaviour;
  billing: BillingDetails;
}

/** Pays or first asks the buyer; drops an earlier question. Stores and emits every outcome. */
export async function attemptPayment(
  call: Call,
  intent: PaymentIntent,
  by: PaidBy,
): Promise<Attempt> {
  if (!by.behaviour.challenge) {
    await keepStep(call, intent.id, null);
    return chargeIntent(call, intent, { ...by, authenticated: false });
  }
  const { method, behaviour, billing } = by;
  const type = method.type === 'card' ? 'authenticate' : 'redirect';
  const step: Step = { id: newId('step'), type, method: method.id, behaviour, billing };
  const { page } = await keepStep(call, intent.id, step);
  await holdPaymentMethod(call, method.id);
  const after: PaymentIntent = {
    ...intent,
    status: 'requires_action',
    payment_method: method.id,
    last_payment_error: null,
    next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: null, url: page } },
  };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'payment_intent.requires_action', object: after });
  return { state: 'step', intent: after };
}

/** The question that waits for the buyer; null if there is none. */
export async function stepOf(desk: ReadDesk, intent: PaymentIntent): Promise<Step | null> {
  if (intent.status !== 'requires_action') return null;
  return (await readPrivate<Partial<HiddenIntent>>(desk.store, intent.id)).step ?? null;
}

/** The buyer's answer: an approval charges; after a refusal another attempt is possible. */
export async function answerStep(
  call: Call,
  intent: PaymentIntent,
  { step, isApproved }: { step: Step; isApproved: boolean },
): Promise<Attempt> {
  await keepStep(call, intent.id, null);
  const method = await getObject<PaymentMethod>(call.store, 'payment_method', step.method);
  const isBank = step.type === 'authenticate';
  if (isApproved) {
    const { behaviour, billing } = step;
    return chargeIntent(call, intent, { method, behaviour, billing, authenticated: isBank });
  }
  const error: ErrorBody = isBank
    ? {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message:
          'The provided PaymentMethod has failed authentication. Try again, or with another PaymentMethod.',
      }
    : {
        type: 'invalid_request_error',
        code: 'payment_method_customer_decline',
        message: `The customer declined the payment with ${method.type}. Try again, or with another PaymentMethod.`,
      };
  const after = failed(intent, error, method);
  await saveObject(call.store, after);
  await emit(call, call, { type: 'payment_intent.payment_failed', object: after });
  return { state: 'refused', intent: after, refusal: new StripeError(402, error) };
}

/** Cancels the intent of an expired session, so that it cannot be charged any more. */
export async function cancelIntent(desk: Desk, cause: Cause, id: string): Promise<void> {
  const before = await getObject<PaymentIntent>(desk.store, 'payment_intent', id);
  await keepStep(desk, id, null);
  const after: PaymentIntent = {
    ...before,
    status: 'canceled',
    canceled_at: seconds(desk),
    cancellation_reason: 'expired',
    next_action: null,
  };
  await saveObject(desk.store, after);
  await emit(desk, cause, { type: 'payment_intent.canceled', object: after });
}

async function keepStep(desk: Desk, id: string, step: Step | null): Promise<HiddenIntent> {
  const hidden: HiddenIntent = { ...(await readPrivate<HiddenIntent>(desk.store, id)), step };
  await savePrivate(desk.store, id, hidden);
  return hidden;
}

async function chargeIntent(
  call: Call,
  intent: PaymentIntent,
  by: PaidBy & { authenticated: boolean },
): Promise<Attempt> {
  const { amount, currency, description, metadata } = intent;
  const charge = await insertCharge(
    call,
    { amount, currency, description, metadata, payment_intent: intent.id },
    by,
  );
  const { decline, dispute } = by.behaviour;
  if (decline) return refuseIntent(call, intent, { method: by.method, decline, charge });
  await spendPaymentMethod(call, by.method.id);
  const after: PaymentIntent = {
    ...intent,
    amount_received: amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: by.method.id,
    status: 'succeeded',
  };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'charge.succeeded', object: charge });
  await emit(call, call, { type: 'payment_intent.succeeded', object: after });
  if (dispute)
    await schedule(call.store, seconds(call), { task: 'open_dispute', subject: charge.id });
  return { state: 'paid', intent: after };
}

async function refuseIntent(
  call: Call,
  intent: PaymentIntent,
  { method, decline, charge }: { method: PaymentMethod; decline: Decline; charge: Charge },
): Promise<Attempt> {
  const refusal = refusalOf(charge, decline);
  const after = { ...failed(intent, refusal.body, method), latest_charge: charge.id };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'charge.failed', object: charge });
  await emit(call, call, { type: 'payment_intent.payment_failed', object: after });
  return { state: 'refused', intent: after, refusal };
}

function failed(intent: PaymentIntent, error: ErrorBody, method: PaymentMethod): PaymentIntent {
  return {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: { ...error, payment_method: method },
  };
}
