/** Payment intents: one payment over as many attempts as it takes; its states and the changes between them. */
import { seconds, type Call, type Desk } from '#server/standins/stripe/call.ts';
import type { Behaviour } from './cards.ts';
import {
  behaviourOf,
  captureCharge,
  decideCharge,
  insertCharge,
  refusalOf,
  releaseCharge,
  type Charge,
} from './charges.ts';
import { StripeError, type ErrorBody } from '#server/standins/stripe/transport/errors.ts';
import { emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import { newId, randomText } from '#server/standins/stripe/ids.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import { factsOf, intentOptionsOf, type MethodType, type FutureUsage } from './method-types.ts';
import {
  findObject,
  getObject,
  insertObject,
  readPrivate,
  saveObject,
  savePrivate,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import type { Shipping } from './shipping.ts';
import {
  holdPaymentMethod,
  keepPaymentMethod,
  spendPaymentMethod,
  type BillingDetails,
  type PaymentMethod,
} from './payment-methods.ts';

export interface PaymentIntent extends StoredObject {
  object: 'payment_intent';
  allowed_payment_method_types: string[] | null;
  amount: number;
  amount_capturable: number;
  amount_details: { tip: object };
  amount_received: number;
  application: null;
  application_fee_amount: null;
  automatic_payment_methods: { allow_redirects: 'always' | 'never'; enabled: true } | null;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: 'automatic' | 'automatic_async' | 'manual';
  client_secret: string;
  confirmation_method: 'automatic' | 'manual';
  currency: string;
  customer: string | null;
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
    redirect_to_url: { return_url: string | null; url: string };
  } | null;
  on_behalf_of: null;
  payment_method: string | null;
  payment_method_configuration_details: null;
  payment_method_options: object;
  payment_method_types: MethodType[];
  payment_record: null;
  processing: null;
  receipt_email: string | null;
  review: null;
  setup_future_usage: FutureUsage | null;
  shipping: Shipping | null;
  source: null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'requires_capture'
    | 'succeeded'
    | 'canceled';
  transfer_data: null;
  transfer_group: string | null;
}

/** What a shop may set on an intent, its own or a session's. */
export interface IntentFacts {
  capture_method?: PaymentIntent['capture_method'];
  confirmation_method?: PaymentIntent['confirmation_method'];
  customer?: string;
  description?: string;
  metadata?: Record<string, string>;
  receipt_email?: string;
  setup_future_usage?: FutureUsage;
  shipping?: Shipping;
  statement_descriptor?: string;
  statement_descriptor_suffix?: string;
  transfer_group?: string;
}

/** A question that the buyer has still to answer: the bank's (3-D Secure) or the wallet's. */
interface Step {
  id: string;
  type: 'authenticate' | 'redirect';
  method: string;
  behaviour: Behaviour;
  billing: BillingDetails;
}

/** `session`: the checkout session it belongs to; `page`: where the buyer answers steps. */
export interface HiddenIntent {
  session: string | null;
  page: string;
  return_url: string | null;
  step: Step | null;
  three_d_secure: string;
  /** The method whose bank has said yes, where the shop confirms once more by hand. */
  authenticated?: string;
}

export type Attempt =
  | { state: 'paid' | 'capturable' | 'processing'; intent: PaymentIntent }
  | { state: 'confirmable'; intent: PaymentIntent }
  | { state: 'step'; intent: PaymentIntent; step: Step }
  | { state: 'refused'; intent: PaymentIntent; refusal: StripeError };

/** Days that money may stay set aside. */
export const HELD_FOR = 7 * 24 * 3600;

export async function insertPaymentIntent(
  call: Call,
  money: { amount: number; currency: string; types: MethodType[] },
  facts: IntentFacts,
  hidden: Pick<HiddenIntent, 'session' | 'page' | 'three_d_secure'>,
): Promise<PaymentIntent> {
  const id = newId('pi');
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: money.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: facts.capture_method ?? 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: facts.confirmation_method ?? 'automatic',
    created: seconds(call),
    currency: money.currency,
    customer: facts.customer ?? null,
    customer_account: null,
    description: facts.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: facts.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: intentOptionsOf(money.types, hidden.three_d_secure),
    payment_method_types: money.types,
    payment_record: null,
    processing: null,
    receipt_email: facts.receipt_email ?? null,
    review: null,
    setup_future_usage: facts.setup_future_usage ?? null,
    shipping: facts.shipping ?? null,
    source: null,
    statement_descriptor: facts.statement_descriptor ?? null,
    statement_descriptor_suffix: facts.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: facts.transfer_group ?? null,
  };
  const kept: HiddenIntent = { return_url: null, step: null, ...hidden };
  await insertObject(call.store, intent, kept);
  await emit(call, call, { type: 'payment_intent.created', object: intent });
  return intent;
}

/** Pays, or asks the buyer first; a step that waited is given up. Everything is saved and announced whatever comes of it. */
export async function attemptPayment(
  call: Call,
  intent: PaymentIntent,
  by: { method: PaymentMethod; behaviour: Behaviour; billing: BillingDetails },
): Promise<Attempt> {
  const hidden = await readPrivate<HiddenIntent>(call.store, intent.id);
  const { challenge } = by.behaviour;
  if (hidden.authenticated === by.method.id)
    return chargeIntent(call, intent, { ...by, authenticated: true });
  if (
    challenge !== 'always' &&
    !(challenge === 'optional' && hidden.three_d_secure !== 'automatic')
  ) {
    await savePrivate(call.store, intent.id, { ...hidden, step: null } satisfies HiddenIntent);
    return chargeIntent(call, intent, { ...by, authenticated: false });
  }
  const type = factsOf(by.method.type).flow === 'redirect' ? 'redirect' : 'authenticate';
  const step: Step = {
    id: newId('step'),
    type,
    method: by.method.id,
    behaviour: by.behaviour,
    billing: by.billing,
  };
  await savePrivate(call.store, intent.id, { ...hidden, step } satisfies HiddenIntent);
  await holdPaymentMethod(call, by.method.id);
  const after: PaymentIntent = {
    ...intent,
    status: 'requires_action',
    payment_method: by.method.id,
    last_payment_error: null,
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: { return_url: hidden.return_url, url: hidden.page },
    },
  };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'payment_intent.requires_action', object: after });
  return { state: 'step', intent: after, step };
}

/** The buyer answered the step: approved goes on to the charge, refused leaves the intent to be paid another way. */
export async function answerStep(
  call: Call,
  intent: PaymentIntent,
  answer: { step: Step; approved: boolean },
): Promise<Attempt> {
  const { step, approved } = answer;
  await savePrivate(call.store, intent.id, {
    ...(await readPrivate<HiddenIntent>(call.store, intent.id)),
    step: null,
  } satisfies HiddenIntent);
  const method = await getObject<PaymentMethod>(call.store, 'payment_method', step.method);
  if (approved && intent.confirmation_method === 'manual' && step.type === 'authenticate')
    return waitForShop(call, intent, method);
  if (approved)
    return chargeIntent(
      call,
      { ...intent, next_action: null },
      {
        method,
        behaviour: step.behaviour,
        billing: step.billing,
        authenticated: step.type === 'authenticate',
      },
    );
  const error: ErrorBody =
    step.type === 'authenticate'
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

/** The bank has said yes; the shop's own server has the last word. */
async function waitForShop(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
): Promise<Attempt> {
  await savePrivate(call.store, intent.id, {
    ...(await readPrivate<HiddenIntent>(call.store, intent.id)),
    authenticated: method.id,
  } satisfies HiddenIntent);
  const after: PaymentIntent = { ...intent, status: 'requires_confirmation', next_action: null };
  await saveObject(call.store, after);
  return { state: 'confirmable', intent: after };
}

/** A pending payment has come to its end; null: it already had, or it was cancelled. */
export async function finishIntent(
  desk: Desk,
  id: string,
): Promise<{ intent: PaymentIntent; paid: boolean } | null> {
  const intent = await findObject<PaymentIntent>(desk.store, 'payment_intent', id);
  if (intent?.status !== 'processing' || intent.latest_charge === null) return null;
  const charge = await getObject<Charge>(desk.store, 'charge', intent.latest_charge);
  const { decline, dispute } = await behaviourOf(desk, charge.id);
  const decided = await decideCharge(desk, charge, decline);
  if (dispute)
    await schedule(desk.store, seconds(desk), { task: 'open_dispute', subject: charge.id });
  const after: PaymentIntent = decline
    ? failed(
        intent,
        { type: 'card_error', ...decline, charge: charge.id },
        await getObject<PaymentMethod>(desk.store, 'payment_method', charge.payment_method),
      )
    : { ...intent, status: 'succeeded', amount_received: decided.amount };
  await saveObject(desk.store, after);
  await emit(desk, null, {
    type: decline ? 'payment_intent.payment_failed' : 'payment_intent.succeeded',
    object: after,
  });
  return { intent: after, paid: !decline };
}

/** Nothing is left that could still be charged; money set aside goes back, with the reason `automatic` because it was so for too long. */
export async function cancelIntent(
  desk: Desk,
  cause: Cause,
  facts: { id: string; reason: string | null },
): Promise<PaymentIntent> {
  const before = await getObject<PaymentIntent>(desk.store, 'payment_intent', facts.id);
  await savePrivate(desk.store, before.id, {
    ...(await readPrivate<HiddenIntent>(desk.store, before.id)),
    step: null,
  } satisfies HiddenIntent);
  if (before.status === 'requires_capture' && before.latest_charge !== null)
    await releaseCharge(desk, cause, {
      charge: await getObject<Charge>(desk.store, 'charge', before.latest_charge),
      type: facts.reason === 'automatic' ? 'charge.expired' : 'charge.refunded',
    });
  const after: PaymentIntent = {
    ...before,
    status: 'canceled',
    amount_capturable: 0,
    canceled_at: seconds(desk),
    cancellation_reason: facts.reason,
    next_action: null,
  };
  await saveObject(desk.store, after);
  await emit(desk, cause, { type: 'payment_intent.canceled', object: after });
  return after;
}

export async function captureIntent(
  call: Call,
  before: PaymentIntent,
  amount: number,
): Promise<PaymentIntent> {
  const charge = await captureCharge(
    call,
    await getObject<Charge>(call.store, 'charge', before.latest_charge!),
    amount,
  );
  const after: PaymentIntent = {
    ...before,
    status: 'succeeded',
    amount_capturable: 0,
    amount_received: charge.amount_captured,
  };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'payment_intent.succeeded', object: after });
  return after;
}

async function chargeIntent(
  call: Call,
  intent: PaymentIntent,
  by: {
    method: PaymentMethod;
    behaviour: Behaviour;
    billing: BillingDetails;
    authenticated: boolean;
  },
): Promise<Attempt> {
  const {
    amount,
    currency,
    customer,
    description,
    metadata,
    receipt_email,
    shipping,
    statement_descriptor,
    statement_descriptor_suffix,
    transfer_group,
  } = intent;
  const charge = await insertCharge(
    call,
    {
      amount,
      currency,
      customer,
      description,
      metadata,
      receipt_email,
      shipping,
      statement_descriptor,
      statement_descriptor_suffix,
      transfer_group,
      payment_intent: intent.id,
    },
    { ...by, captureBefore: intent.capture_method === 'manual' ? seconds(call) + HELD_FOR : null },
  );
  if (charge.status === 'failed') return refuseIntent(call, intent, { ...by, charge });
  await spendPaymentMethod(call, by.method.id);
  if (intent.setup_future_usage !== null && customer !== null)
    await keepPaymentMethod(call, by.method.id, customer);
  const paid: PaymentIntent = {
    ...intent,
    latest_charge: charge.id,
    payment_method: by.method.id,
    last_payment_error: null,
    next_action: null,
  };
  if (charge.status === 'pending')
    return waitForMoney(call, paid, { charge, delay: by.behaviour.delay! });
  return takeMoney(call, paid, { charge, dispute: by.behaviour.dispute });
}

async function refuseIntent(
  call: Call,
  intent: PaymentIntent,
  by: { method: PaymentMethod; behaviour: Behaviour; charge: Charge },
): Promise<Attempt> {
  const { charge } = by;
  const refusal = refusalOf(charge, by.behaviour.decline!);
  const after = { ...failed(intent, refusal.body, by.method), latest_charge: charge.id };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'charge.failed', object: charge });
  await emit(call, call, { type: 'payment_intent.payment_failed', object: after });
  return { state: 'refused', intent: after, refusal };
}

async function waitForMoney(
  call: Call,
  paid: PaymentIntent,
  { charge, delay }: { charge: Charge; delay: number },
): Promise<Attempt> {
  const after: PaymentIntent = { ...paid, status: 'processing' };
  await saveObject(call.store, after);
  const task = { task: 'finish_payment', subject: paid.id } as const;
  await schedule(call.store, seconds(call) + delay, task);
  await emit(call, call, { type: 'charge.pending', object: charge });
  await emit(call, call, { type: 'payment_intent.processing', object: after });
  return { state: 'processing', intent: after };
}

/** At once, or it is set aside to be captured. */
async function takeMoney(
  call: Call,
  paid: PaymentIntent,
  { charge, dispute }: { charge: Charge; dispute: Behaviour['dispute'] },
): Promise<Attempt> {
  const { amount } = paid;
  const after: PaymentIntent = charge.captured
    ? { ...paid, status: 'succeeded', amount_received: amount }
    : { ...paid, status: 'requires_capture', amount_capturable: amount };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'charge.succeeded', object: charge });
  await emit(call, call, {
    type: charge.captured ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated',
    object: after,
  });
  if (dispute)
    await schedule(call.store, seconds(call), { task: 'open_dispute', subject: charge.id });
  return { state: charge.captured ? 'paid' : 'capturable', intent: after };
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
