/**
 * Refunds of a whole payment or of a part: most succeed immediately, some wait for the bank or
 * for money, a few fail later.
 */
import { insertBalanceTransaction } from '#server/standins/stripe/balance/movements.ts';
import { payoutInterval } from '#server/standins/stripe/balance/payout-schedule.ts';
import {
  seconds,
  type Call,
  type Desk,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import {
  behaviourOf,
  newReceiptNumber,
  type Charge,
} from '#server/standins/stripe/payment/charges.ts';
import { destinationOf } from '#server/standins/stripe/payment/method-types.ts';
import type { PaymentIntent } from '#server/standins/stripe/payment/payment-intents.ts';
import { answerList } from '#server/standins/stripe/read-calls.ts';
import { grossOf } from '#server/standins/stripe/statements/balance.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import {
  allObjects,
  findObject,
  getObject,
  hasObjects,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { missingObject, refuseState } from '#server/standins/stripe/transport/errors.ts';
import {
  integer,
  metadata,
  need,
  oneOf,
  readParams,
  text,
} from '#server/standins/stripe/transport/rules.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';

export interface Refund extends StoredObject {
  object: 'refund';
  amount: number;
  /** Null until money has left the balance. */
  balance_transaction: string | null;
  charge: string;
  currency: string;
  customer: null;
  customer_account: null;
  destination_details?: object;
  failure_balance_transaction?: string;
  failure_reason?: FailureReason;
  metadata: Record<string, string>;
  payment_intent: string;
  payment_method: string;
  pending_reason?: 'processing' | 'insufficient_funds';
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
  receipt_number: string | null;
  source_transfer_reversal: null;
  status: 'pending' | 'succeeded' | 'failed';
  transfer_reversal: null;
}

type FailureReason = 'expired_or_canceled_card' | 'insufficient_funds';

/** Seconds until a slow refund arrives, or until a failing one fails. */
const SLOW = 5;
/** Seconds between two checks whether there is enough money for a refund, and until it fails. */
const LOOK_AGAIN = 60;
const GIVE_UP_AFTER = 30 * 24 * 3600;

const createFields = {
  amount: integer({ min: 1 }),
  metadata: metadata(),
  payment_intent: need(text()),
  reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']),
};

/**
 * POST /v1/refunds {payment_intent, amount? (cents, default all that is left), reason?,
 * metadata?}
 */
export async function createRefund(call: Call): Promise<Reply> {
  const params = readParams(call.form, createFields);
  const charge = await chargeToRefund(call, params.payment_intent);
  const left = charge.amount - charge.amount_refunded;
  const { amount = left, reason = null } = params;
  await checkRefundable(call, charge, { amount, left });
  const behaviour = await behaviourOf(call, charge.id);
  const { type } = charge.payment_method_details;
  const waits = await pendingReasonOf(call, charge, {
    amount,
    isSlow: behaviour.refund === 'slow',
  });
  const draft: Refund = {
    id: newId(type === 'card' ? 're' : 'pyr'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: seconds(call),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    ...destinationDetails(charge),
    metadata: params.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(waits ? { pending_reason: waits } : {}),
    reason,
    receipt_number:
      (charge.receipt_email ?? charge.billing_details.email) === null ? null : newReceiptNumber(),
    source_transfer_reversal: null,
    status: waits ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  const refund =
    waits === 'insufficient_funds'
      ? draft
      : { ...draft, balance_transaction: await takeMoney(call, draft) };
  await insertObject(call.store, refund);
  const after: Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  };
  await saveObject(call.store, after);
  await scheduleNext(call, refund, behaviour.refund === 'fails');
  await emit(call, call, { type: 'refund.created', object: refund });
  await emit(call, call, {
    type: 'charge.refunded',
    object: after,
    previous: changesOf(charge, after),
  });
  return ok(refund);
}

/** Schedules the later steps of a new refund. */
async function scheduleNext(desk: Desk, refund: Refund, isFailing: boolean): Promise<void> {
  const at = seconds(desk);
  const next = { task: 'finish_refund', subject: refund.id } as const;
  if (refund.pending_reason === 'processing') await schedule(desk.store, at + SLOW, next);
  else if (refund.pending_reason !== undefined) await schedule(desk.store, at + LOOK_AGAIN, next);
  else if (isFailing)
    await schedule(desk.store, at + SLOW, { task: 'fail_refund', subject: refund.id });
}

function destinationDetails({ payment_method_details: { type } }: Charge): object {
  const destination = destinationOf(type);
  return destination ? { destination_details: destination } : {};
}

async function checkRefundable(
  call: ReadCall,
  charge: Charge,
  { amount, left }: { amount: number; left: number },
): Promise<void> {
  if (left === 0)
    throw refuseState(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  if (charge.disputed && !(await isRefundableDispute(call, charge)))
    throw refuseState(`Charge ${charge.id} has been charged back; it cannot be refunded.`, {
      code: 'charge_disputed',
    });
  if (amount > left)
    throw refuseState(
      `Refund amount (${amount}) is greater than the unrefunded amount on the charge (${left}).`,
      { param: 'amount' },
    );
}

/** Why the refund waits; undefined if it does not. */
async function pendingReasonOf(
  call: ReadCall,
  charge: Charge,
  asked: { amount: number; isSlow: boolean },
): Promise<Refund['pending_reason']> {
  if (!(await isCovered(call, charge, asked.amount))) return 'insufficient_funds';
  return asked.isSlow ? 'processing' : undefined;
}

/** GET /v1/refunds?payment_intent&created */
export function listRefunds(call: ReadCall): Promise<Reply> {
  return answerList(call, 'refund', { url: '/v1/refunds', filters: { payment_intent: text() } });
}

/** Finishes a pending refund if it no longer has to wait; called by the clock. */
export async function finishRefund(desk: Desk, id: string): Promise<void> {
  const refund = await findObject<Refund>(desk.store, 'refund', id);
  if (refund?.status !== 'pending') return;
  const charge = await getObject<Charge>(desk.store, 'charge', refund.charge);
  if (
    refund.pending_reason === 'insufficient_funds' &&
    !(await isCovered(desk, charge, refund.amount))
  ) {
    if (seconds(desk) - refund.created > GIVE_UP_AFTER)
      await failRefund(desk, id, 'insufficient_funds');
    else
      await schedule(desk.store, seconds(desk) + LOOK_AGAIN, {
        task: 'finish_refund',
        subject: id,
      });
    return;
  }
  const { pending_reason: _, ...rest } = refund;
  await announce(desk, refund, {
    ...rest,
    status: 'succeeded',
    balance_transaction: refund.balance_transaction ?? (await takeMoney(desk, refund)),
  });
}

/** Returns the money to the account and undoes the refund on the charge. */
export async function failRefund(
  desk: Desk,
  id: string,
  reason: FailureReason = 'expired_or_canceled_card',
): Promise<void> {
  const before = await findObject<Refund>(desk.store, 'refund', id);
  if (!before || before.status === 'failed') return;
  const { pending_reason: _, ...rest } = before;
  const charge = await getObject<Charge>(desk.store, 'charge', before.charge);
  const after: Refund = { ...rest, status: 'failed', failure_reason: reason };
  if (before.balance_transaction !== null) {
    const back = await insertBalanceTransaction(desk, {
      type: 'refund_failure',
      reporting_category: 'refund_failure',
      source: id,
      amount: before.amount,
      currency: before.currency,
      description: charge.description,
    });
    after.failure_balance_transaction = back.id;
  }
  const without: Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded - before.amount,
    refunded: false,
  };
  await saveObject(desk.store, without);
  await announce(desk, before, after);
  await emit(desk, null, { type: 'refund.failed', object: after });
}

async function announce(desk: Desk, before: Refund, after: Refund): Promise<void> {
  await saveObject(desk.store, after);
  const previous = changesOf(before, after);
  await emit(desk, null, { type: 'refund.updated', object: after, previous });
  await emit(desk, null, { type: 'charge.refund.updated', object: after, previous });
}

async function takeMoney(desk: Desk, refund: Refund): Promise<string> {
  const isCard = refund.charge.startsWith('ch_');
  const { description } = await getObject<Charge>(desk.store, 'charge', refund.charge);
  return (
    await insertBalanceTransaction(desk, {
      type: isCard ? 'refund' : 'payment_refund',
      reporting_category: 'refund',
      source: refund.id,
      amount: -refund.amount,
      currency: refund.currency,
      description,
    })
  ).id;
}

/**
 * Only payouts by hand or disputes can leave too little money, never fees. With automatic payouts
 * Stripe collects missing money from the bank.
 */
async function isCovered(desk: ReadDesk, charge: Charge, amount: number): Promise<boolean> {
  if ((await payoutInterval(desk.store)) === 'daily') return true;
  if (!(await hasObjects(desk.store, 'payout'))) return true;
  const unsettled = charge.balance_transaction === null ? charge.amount_captured : 0;
  return (await grossOf(desk.store, charge.currency)) + unsettled >= amount;
}

/** A charge with an inquiry can be refunded, because no money has been taken yet. */
async function isRefundableDispute(call: ReadCall, charge: Charge): Promise<boolean> {
  const disputes = await allObjects<
    StoredObject & { object: 'dispute'; is_charge_refundable: boolean }
  >(call.store, 'dispute', [{ path: 'charge', is: charge.id }]);
  return disputes.every((dispute) => dispute.is_charge_refundable);
}

/** @throws StripeError 404 for an unknown payment, 400 for an unpaid one */
async function chargeToRefund(call: ReadCall, payment: string): Promise<Charge> {
  const param = 'payment_intent';
  const intent = await findObject<PaymentIntent>(call.store, 'payment_intent', payment);
  if (!intent) throw missingObject('payment_intent', payment, { param });
  const { latest_charge } = intent;
  const charge =
    latest_charge === null
      ? undefined
      : await findObject<Charge>(call.store, 'charge', latest_charge);
  if (!charge?.paid) throw refuseState('There is no successful charge to refund.', { param });
  return charge;
}
