/** Charges: one attempt to take money from a card or a wallet, and its outcome. */
import { randomInt } from 'node:crypto';
import {
  insertBalanceTransaction,
  processingFee,
} from '#server/standins/stripe/balance/movements.ts';
import {
  seconds,
  type Call,
  type Desk,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { answerList } from '#server/standins/stripe/read-calls.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import {
  findObject,
  getObject,
  insertObject,
  readPrivate,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { StripeError } from '#server/standins/stripe/transport/errors.ts';
import { email, need, readParams, text } from '#server/standins/stripe/transport/rules.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';
import type { Behaviour, Decline } from './cards.ts';
import { chargeDetailsOf, outcomeOf, type ChargeDetails, type PaidHow } from './charge-details.ts';
import type { BillingDetails } from './payment-methods.ts';
import { receiptAddress } from './receipt-address.ts';

export interface Charge extends StoredObject {
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  application: null;
  application_fee: null;
  application_fee_amount: null;
  balance_transaction: string | null;
  billing_details: BillingDetails;
  calculated_statement_descriptor: string;
  captured: boolean;
  currency: string;
  customer: null;
  description: string | null;
  disputed: boolean;
  failure_balance_transaction: null;
  failure_code: string | null;
  failure_message: string | null;
  fraud_details: object;
  livemode: false;
  metadata: Record<string, string>;
  on_behalf_of: null;
  outcome: object;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: ChargeDetails;
  radar_options: object;
  receipt_email: string | null;
  receipt_number: string | null;
  receipt_url: string | null;
  refunded: boolean;
  review: null;
  shipping: null;
  source: null;
  source_transfer: null;
  statement_descriptor: null;
  statement_descriptor_suffix: null;
  status: 'succeeded' | 'failed';
  transfer_data: null;
  transfer_group: null;
}

type ChargeFacts = Pick<
  Charge,
  'amount' | 'currency' | 'payment_intent' | 'description' | 'metadata'
>;

/** The private part of a charge, which the API does not show. */
interface HiddenCharge {
  behaviour: Behaviour;
}

/** Seconds from a charge to its fees and its receipt number. */
const SETTLED_AFTER = 1;

/** Stores an attempt; the card or wallet decides its outcome. The caller emits the events. */
export async function insertCharge(call: Call, facts: ChargeFacts, how: PaidHow): Promise<Charge> {
  const { behaviour, method } = how;
  const { decline } = behaviour;
  const isPaid = !decline;
  const id = newId(method.type === 'card' ? 'ch' : 'py');
  const charge: Charge = {
    ...facts,
    id,
    object: 'charge',
    amount_captured: isPaid ? facts.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: how.billing,
    calculated_statement_descriptor: 'PROVA',
    captured: isPaid,
    created: seconds(call),
    customer: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    on_behalf_of: null,
    outcome: outcomeOf(how),
    paid: isPaid,
    payment_method: method.id,
    payment_method_details: chargeDetailsOf(how, facts.amount),
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: isPaid ? receiptAddress(call, id) : null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
  await insertObject(call.store, charge, { behaviour } satisfies HiddenCharge);
  if (isPaid) await scheduleSettling(call, charge);
  return charge;
}

/** The behaviour of the card or wallet that paid, for later disputes and refunds. */
export async function behaviourOf(desk: ReadDesk, charge: string): Promise<Behaviour> {
  return (await readPrivate<HiddenCharge>(desk.store, charge)).behaviour;
}

/** GET /v1/charges?payment_intent&created */
export function listCharges(call: ReadCall): Promise<Reply> {
  return answerList(call, 'charge', { url: '/v1/charges', filters: { payment_intent: text() } });
}

/** POST /v1/charges/:id {receipt_email}: with an address the charge gets its receipt number. */
export async function updateCharge(call: Call): Promise<Reply> {
  const before = await getObject<Charge>(call.store, 'charge', call.id);
  const after: Charge = { ...before, ...readParams(call.form, { receipt_email: need(email()) }) };
  await saveObject(call.store, after);
  if (after.paid) await scheduleSettling(call, after);
  await emit(call, call, {
    type: 'charge.updated',
    object: after,
    previous: changesOf(before, after),
  });
  return ok(after);
}

/** The error that the buyer gets for a refused card. */
export function refusalOf(charge: Charge, decline: Decline): StripeError {
  return new StripeError(402, {
    type: 'card_error',
    ...decline,
    advice_code: 'try_again_later',
    charge: charge.id,
  });
}

/**
 * Completes a charge a moment later, as asynchronous capture does: adds the balance transaction,
 * and the receipt number once there is an e-mail address; emits charge.updated.
 */
export async function settleCharge(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Charge>(desk.store, 'charge', id);
  if (!before?.captured || before.status !== 'succeeded') return;
  const isCard = id.startsWith('ch_');
  const transaction =
    before.balance_transaction ??
    (
      await insertBalanceTransaction(desk, {
        type: isCard ? 'charge' : 'payment',
        reporting_category: 'charge',
        source: id,
        amount: before.amount_captured,
        currency: before.currency,
        description: before.description,
        fee: processingFee(before.amount_captured),
        available: (await behaviourOf(desk, id)).available === true,
      })
    ).id;
  const mailed = (before.receipt_email ?? before.billing_details.email) !== null;
  const after: Charge = {
    ...before,
    balance_transaction: transaction,
    receipt_number: before.receipt_number ?? (mailed ? newReceiptNumber() : null),
  };
  const previous = changesOf(before, after);
  if (Object.keys(previous).length === 0) return;
  await saveObject(desk.store, after);
  await emit(desk, null, { type: 'charge.updated', object: after, previous });
}

/** `NNNN-NNNN`; refunds get one too. */
export function newReceiptNumber(): string {
  const digits = String(randomInt(1_0000_0000)).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

async function scheduleSettling(desk: Desk, charge: Charge): Promise<void> {
  await schedule(desk.store, seconds(desk) + SETTLED_AFTER, {
    task: 'settle_charge',
    subject: charge.id,
  });
}
