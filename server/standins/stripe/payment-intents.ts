/** Payment intents: the one thing that is paid, whatever number of tries it takes. */
import { seconds, type Call, type Desk, type Reply } from './call.ts';
import { insertCharge, type Charge, type ChargeFacts } from './charges.ts';
import { StripeError } from './errors.ts';
import { changesOf, emit, type Cause } from './events.ts';
import { replyWith } from './expand.ts';
import { newId, randomText } from './ids.ts';
import { createdRange, getObject, insertObject, listObjects, paging, saveObject, type StoredObject } from './objects.ts';
import { spendPaymentMethod, type BillingDetails } from './payment-methods.ts';
import { clearable, email, listOf, metadata, patched, readParams, text, unbuilt } from './rules.ts';

export interface PaymentIntent extends StoredObject {
  object: 'payment_intent';
  allowed_payment_method_types: string[] | null;
  amount: number; amount_capturable: number; amount_details: { tip: object }; amount_received: number;
  application: null; application_fee_amount: null; automatic_payment_methods: null;
  canceled_at: number | null; cancellation_reason: string | null;
  capture_method: 'automatic' | 'automatic_async';
  client_secret: string;
  confirmation_method: 'automatic';
  currency: string;
  customer: null; customer_account: null;
  description: string | null;
  excluded_payment_method_types: null;
  last_payment_error: object | null;
  latest_charge: string | null;
  livemode: false;
  managed_payments: null;
  metadata: Record<string, string>;
  next_action: null; on_behalf_of: null;
  payment_method: string | null;
  payment_method_configuration_details: null;
  payment_method_options: object;
  payment_method_types: string[];
  payment_record: null; processing: null;
  receipt_email: string | null;
  review: null; setup_future_usage: null; shipping: null; source: null;
  statement_descriptor: string | null; statement_descriptor_suffix: string | null;
  status: 'requires_payment_method' | 'succeeded' | 'canceled';
  transfer_data: null; transfer_group: string | null;
}

/** What a shop may set on the intent of a session. */
export interface IntentFacts {
  capture_method?: 'automatic' | 'automatic_async';
  description?: string;
  metadata?: Record<string, string>;
  receipt_email?: string;
  statement_descriptor?: string;
  statement_descriptor_suffix?: string;
  transfer_group?: string;
}

export function insertPaymentIntent(call: Call, money: { amount: number; currency: string; request_three_d_secure: string }, facts: IntentFacts): PaymentIntent {
  const id = newId('pi');
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: money.amount, amount_capturable: 0, amount_details: { tip: {} }, amount_received: 0,
    application: null, application_fee_amount: null, automatic_payment_methods: null,
    canceled_at: null, cancellation_reason: null,
    capture_method: facts.capture_method ?? 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: seconds(call),
    currency: money.currency,
    customer: null, customer_account: null,
    description: facts.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: facts.metadata ?? {},
    next_action: null, on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { installments: null, mandate_options: null, network: null, request_three_d_secure: money.request_three_d_secure } },
    payment_method_types: ['card'],
    payment_record: null, processing: null,
    receipt_email: facts.receipt_email ?? null,
    review: null, setup_future_usage: null, shipping: null, source: null,
    statement_descriptor: facts.statement_descriptor ?? null, statement_descriptor_suffix: facts.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null, transfer_group: facts.transfer_group ?? null,
  };
  insertObject(call.store, intent);
  emit(call, call, { type: 'payment_intent.created', object: intent });
  return intent;
}

/** Tries the card: charge and intent are saved and announced either way; the caller looks at `charge.paid`. */
export function chargeIntent(call: Call, intent: PaymentIntent, by: Pick<ChargeFacts, 'card' | 'method' | 'receipt_url'> & { billing: BillingDetails }): { intent: PaymentIntent; charge: Charge } {
  const { amount, currency, description, metadata: notes, receipt_email, statement_descriptor, statement_descriptor_suffix, transfer_group } = intent;
  const charge = insertCharge(call, {
    ...by, amount, currency, description, metadata: notes, receipt_email, statement_descriptor, statement_descriptor_suffix, transfer_group, payment_intent: intent.id,
  });
  const after: PaymentIntent = charge.paid
    ? { ...intent, status: 'succeeded', amount_received: amount, latest_charge: charge.id, payment_method: by.method.id, last_payment_error: null }
    : { ...intent, latest_charge: charge.id, last_payment_error: { ...declineOf(charge, by.card).body, payment_method: by.method } };
  saveObject(call.store, after);
  emit(call, call, { type: charge.paid ? 'charge.succeeded' : 'charge.failed', object: charge });
  emit(call, call, { type: charge.paid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', object: after });
  if (charge.paid) spendPaymentMethod(call, by.method);
  return { intent: after, charge };
}

/** What the buyer is told about a refused card. */
export function declineOf(charge: Charge, card: ChargeFacts['card']): StripeError {
  const { code, message, decline_code } = card.decline!;
  return new StripeError(402, { type: 'card_error', code, decline_code, advice_code: 'try_again_later', message, charge: charge.id });
}

/** When its session ends unpaid; nothing is left that could still be charged. */
export function cancelIntent(desk: Desk, cause: Cause, id: string): void {
  const before = getObject<PaymentIntent>(desk.store, 'payment_intent', id);
  if (before.status !== 'requires_payment_method') return;
  const after: PaymentIntent = { ...before, status: 'canceled', canceled_at: seconds(desk), cancellation_reason: 'expired' };
  saveObject(desk.store, after);
  emit(desk, cause, { type: 'payment_intent.canceled', object: after });
}

/** GET /v1/payment_intents/:id */
export function retrievePaymentIntent(call: Call): Reply {
  const { expand } = readParams(call.form, { expand: listOf(text(), 20), client_secret: text() });
  return replyWith(call, getObject<PaymentIntent>(call.store, 'payment_intent', call.id), expand);
}

/** GET /v1/payment_intents?created&customer */
export function listPaymentIntents(call: Call): Reply {
  const { expand, created, customer, ...page } = readParams(call.form, {
    ...paging, expand: listOf(text(), 20), created: createdRange(), customer: text(), customer_account: unbuilt(),
  });
  return replyWith(call, listObjects<PaymentIntent>(call.store, 'payment_intent', {
    url: '/v1/payment_intents', page, created, where: [{ path: 'customer', is: customer }],
  }), expand);
}

/** POST /v1/payment_intents/:id {description?, metadata?, receipt_email?} */
export function updatePaymentIntent(call: Call): Reply {
  const before = getObject<PaymentIntent>(call.store, 'payment_intent', call.id);
  const params = readParams(call.form, { description: clearable(text()), expand: listOf(text(), 20), metadata: metadata(), receipt_email: clearable(email()) });
  const after: PaymentIntent = {
    ...before,
    description: params.description === undefined ? before.description : params.description,
    metadata: patched(before.metadata, params.metadata),
    receipt_email: params.receipt_email === undefined ? before.receipt_email : params.receipt_email,
  };
  if (Object.keys(changesOf(before, after)).length > 0) saveObject(call.store, after);
  return replyWith(call, after, params.expand);
}
