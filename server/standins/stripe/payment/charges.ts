/** Charges: one attempt to take money from a card or an account, and its outcome. */
import { randomInt } from 'node:crypto';
import { insertBalanceTransaction, processingFee } from '#server/standins/stripe/money/balance.ts';
import { seconds, type Call, type Desk, type ReadDesk } from '#server/standins/stripe/call.ts';
import type { Behaviour, Decline } from './cards.ts';
import { chargeDetailsOf, outcomeOf, type PaidHow } from './charge-details.ts';
import { changesOf, emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import {
  findObject,
  insertObject,
  readPrivate,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import type { BillingDetails } from './payment-methods.ts';
import type { Shipping } from './shipping.ts';
import { receiptAddress } from './receipt-address.ts';
import { StripeError } from '#server/standins/stripe/transport/errors.ts';

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
  customer: string | null;
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
  payment_intent: string | null;
  payment_method: string;
  payment_method_details: object;
  radar_options: object;
  receipt_email: string | null;
  receipt_number: string | null;
  receipt_url: string | null;
  refunded: boolean;
  review: null;
  shipping: Shipping | null;
  /** Of a charge that was made without an intent: its card, as older shops read it. */
  source: object | null;
  source_transfer: null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status: 'succeeded' | 'pending' | 'failed';
  transfer_data: null;
  transfer_group: string | null;
}

interface ChargeFacts {
  amount: number;
  currency: string;
  customer: string | null;
  payment_intent: string | null;
  description: string | null;
  metadata: Record<string, string>;
  receipt_email: string | null;
  shipping: Shipping | null;
  source?: object;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  transfer_group: string | null;
}

/** What a charge remembers for later and never tells; files from before this was kept have nothing. */
interface HiddenCharge {
  behaviour?: Behaviour;
}

/** Seconds between a charge and its fees and receipt number. */
const SETTLED_AFTER = 1;

/** Stores the try; its outcome is the instrument's. The events are the caller's, who knows their order. */
export async function insertCharge(call: Call, facts: ChargeFacts, how: PaidHow): Promise<Charge> {
  const { behaviour, method } = how;
  const pending = behaviour.delay !== undefined;
  const undeclined = pending ? 'pending' : 'succeeded';
  const decline = pending ? undefined : behaviour.decline;
  const captured = !decline && how.captureBefore === null;
  const id = newId(method.type === 'card' ? 'ch' : 'py');
  const charge: Charge = {
    ...facts,
    id,
    object: 'charge',
    amount_captured: captured ? facts.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: how.billing,
    calculated_statement_descriptor: facts.statement_descriptor ?? 'PROVA',
    captured,
    created: seconds(call),
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    on_behalf_of: null,
    outcome: outcomeOf(how, decline),
    paid: !decline && !pending,
    payment_method: method.id,
    payment_method_details: chargeDetailsOf(how, facts.amount, decline),
    radar_options: {},
    receipt_number: null,
    receipt_url: decline ? null : receiptAddress(call, id),
    refunded: false,
    review: null,
    source: facts.source ?? null,
    source_transfer: null,
    status: decline ? 'failed' : undeclined,
    transfer_data: null,
  };
  await insertObject(call.store, charge, { behaviour } satisfies HiddenCharge);
  if (charge.paid && charge.captured) await scheduleSettling(call, charge);
  return charge;
}

/** How the instrument that paid goes on: disputed, slow to refund, … */
export async function behaviourOf(desk: ReadDesk, charge: string): Promise<Behaviour> {
  return (await readPrivate<HiddenCharge>(desk.store, charge)).behaviour ?? {};
}

/** The money of a pending charge arrived, or did not. */
export async function decideCharge(
  desk: Desk,
  before: Charge,
  decline: Decline | undefined,
): Promise<Charge> {
  const after: Charge = decline
    ? {
        ...before,
        status: 'failed',
        paid: false,
        captured: false,
        amount_captured: 0,
        failure_code: decline.code,
        failure_message: decline.message,
        receipt_url: null,
      }
    : { ...before, status: 'succeeded', paid: true };
  await saveObject(desk.store, after);
  await emit(desk, null, { type: decline ? 'charge.failed' : 'charge.succeeded', object: after });
  if (!decline) await scheduleSettling(desk, after);
  return after;
}

/** Takes money that was set aside, or the part of it that is wanted; the rest is given back. */
export async function captureCharge(call: Call, before: Charge, amount: number): Promise<Charge> {
  const after: Charge = {
    ...before,
    captured: true,
    amount_captured: amount,
    amount_refunded: before.amount - amount,
  };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'charge.captured',
    object: after,
    previous: changesOf(before, after),
  });
  await scheduleSettling(call, after);
  return after;
}

/** Gives up money that was set aside, or that was set aside for too long. */
export async function releaseCharge(
  desk: Desk,
  cause: Cause,
  { charge, type }: { charge: Charge; type: 'charge.expired' | 'charge.refunded' },
): Promise<Charge> {
  const after: Charge = { ...charge, amount_refunded: charge.amount, refunded: true };
  await saveObject(desk.store, after);
  await emit(desk, cause, { type, object: after, previous: changesOf(charge, after) });
  return after;
}

/** What the buyer is told about a refused card. */
export function refusalOf(charge: Charge, decline: Decline): StripeError {
  return new StripeError(402, {
    type: 'card_error',
    ...decline,
    advice_code: 'try_again_later',
    charge: charge.id,
  });
}

/**
 * The later half of a charge, as asynchronous capture brings it: the balance transaction, and the receipt number once an
 * e-mail address is known; announced by charge.updated.
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

/** `NNNN-NNNN`; a refund gets one too. */
export function newReceiptNumber(): string {
  const digits = String(randomInt(1_0000_0000)).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

export async function scheduleSettling(desk: Desk, charge: Charge): Promise<void> {
  await schedule(desk.store, seconds(desk) + SETTLED_AFTER, {
    task: 'settle_charge',
    subject: charge.id,
  });
}
