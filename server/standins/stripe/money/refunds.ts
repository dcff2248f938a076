/** Refunds: money given back, in whole or in part; most succeed at once, some wait for the bank or for money, a few fail later. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { payoutInterval } from './payout-schedule.ts';
import { insertBalanceTransaction } from './balance.ts';
import { grossOf } from '#server/standins/stripe/statements/balance.ts';
import {
  seconds,
  type Call,
  type Desk,
  type Reply,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import {
  behaviourOf,
  newReceiptNumber,
  type Charge,
} from '#server/standins/stripe/payment/charges.ts';
import { missingObject, refuse, refuseState } from '#server/standins/stripe/transport/errors.ts';
import { changesOf, emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import { destinationOf, type MethodType } from '#server/standins/stripe/payment/method-types.ts';
import { createdRange } from '#server/standins/stripe/lists.ts';
import {
  allObjects,
  findObject,
  getObject,
  hasObjects,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import type { PaymentIntent } from '#server/standins/stripe/payment/payment-intents.ts';
import {
  email,
  flag,
  integer,
  metadata,
  oneOf,
  patched,
  readParams,
  text,
  unbuilt,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';

export interface Refund extends StoredObject {
  object: 'refund';
  amount: number;
  /** Null while nothing has left the balance. */
  balance_transaction: string | null;
  charge: string;
  currency: string;
  customer: string | null;
  customer_account: null;
  destination_details?: object;
  failure_balance_transaction?: string;
  failure_reason?: FailureReason;
  metadata: Record<string, string>;
  payment_intent: string | null;
  payment_method: string;
  pending_reason?: 'processing' | 'insufficient_funds' | 'charge_pending';
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
  receipt_number: string | null;
  source_transfer_reversal: null;
  status: 'pending' | 'succeeded' | 'failed';
  transfer_reversal: null;
}

type FailureReason =
  | 'expired_or_canceled_card'
  | 'insufficient_funds'
  | 'declined'
  | 'charge_for_pending_refund_disputed';

/** Seconds until a slow refund arrives, and until a refund that will fail has failed. */
const SLOW = 5;
/** How often a refund looks again whether there is money for it, and when it gives up. */
const LOOK_AGAIN = 60;
const GIVE_UP_AFTER = 30 * 24 * 3600;

const createFields = {
  amount: integer({ min: 1 }),
  charge: text(),
  currency: unbuilt(),
  customer: unbuilt(),
  expand,
  instructions_email: email(),
  metadata: metadata(),
  origin: unbuilt(),
  payment_intent: text(),
  reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']),
  refund_application_fee: flag(),
  reverse_transfer: flag(),
};

/** POST /v1/refunds {charge | payment_intent, amount? (cents, default all that is left), reason?, metadata?} */
export async function createRefund(call: Call): Promise<Reply> {
  const params = readParams(call.form, createFields);
  refuseTransfers(params);
  const charge = await chargeToRefund(call, params);
  const left = charge.amount - charge.amount_refunded;
  const amount = params.amount ?? left;
  await checkRefundable(call, charge, { amount, left });
  const behaviour = await behaviourOf(call, charge.id);
  const { type } = charge.payment_method_details as { type: MethodType };
  const waits = await pendingReasonOf(call, charge, { amount, slow: behaviour.refund === 'slow' });
  const draft: Refund = {
    id: newId(type === 'card' ? 're' : 'pyr'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: seconds(call),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    ...destinationDetails(type),
    metadata: patched({}, params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(waits ? { pending_reason: waits } : {}),
    reason: params.reason ?? null,
    receipt_number:
      (charge.receipt_email ?? charge.billing_details.email) === null ? null : newReceiptNumber(),
    source_transfer_reversal: null,
    status: waits ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  const refund =
    waits === undefined || waits === 'processing'
      ? { ...draft, balance_transaction: await takeMoney(call, draft) }
      : draft;
  await insertObject(call.store, refund);
  const after: Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  };
  await saveObject(call.store, after);
  if (waits === 'processing')
    await schedule(call.store, seconds(call) + SLOW, { task: 'finish_refund', subject: refund.id });
  if (waits === 'insufficient_funds')
    await schedule(call.store, seconds(call) + LOOK_AGAIN, {
      task: 'finish_refund',
      subject: refund.id,
    });
  if (waits === undefined && behaviour.refund === 'fails')
    await schedule(call.store, seconds(call) + SLOW, { task: 'fail_refund', subject: refund.id });
  await emit(call, call, { type: 'refund.created', object: refund });
  await emit(call, call, {
    type: 'charge.refunded',
    object: after,
    previous: changesOf(charge, after),
  });
  return replyWith(call, refund, params.expand);
}

function destinationDetails(type: MethodType): { destination_details?: object } {
  const destination = destinationOf(type);
  return destination ? { destination_details: destination } : {};
}

/** Only with a charge of a connected account, and there are none here. */
function refuseTransfers(params: Read<typeof createFields>): void {
  for (const param of ['refund_application_fee', 'reverse_transfer'] as const) {
    if (params[param] === true)
      throw refuse(
        `${param} can only be used with a charge that has a transfer or an application fee.`,
        { param },
      );
  }
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

/** What the refund has to wait for; undefined: nothing. */
async function pendingReasonOf(
  call: ReadCall,
  charge: Charge,
  asked: { amount: number; slow: boolean },
): Promise<Refund['pending_reason']> {
  if (charge.status === 'pending') return 'charge_pending';
  if (!(await isCovered(call, charge, asked.amount))) return 'insufficient_funds';
  return asked.slow ? 'processing' : undefined;
}

/** GET /v1/refunds/:id */
export function retrieveRefund(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'refund');
}

/** GET /v1/refunds?charge&payment_intent&created */
export function listRefunds(call: ReadCall): Promise<Reply> {
  return answerList(call, 'refund', {
    url: '/v1/refunds',
    filters: { charge: text(), payment_intent: text(), created: createdRange() },
  });
}

/** GET /v1/charges/:id/refunds: where the `refunds` of a charge say that they go on. */
export async function listRefundsOfCharge(call: ReadCall): Promise<Reply> {
  const { id } = await getObject<Charge>(call.store, 'charge', call.id);
  return answerList(call, 'refund', {
    url: `/v1/charges/${id}/refunds`,
    filters: { created: createdRange() },
    where: () => [{ path: 'charge', is: id }],
  });
}

/** POST /v1/refunds/:id {metadata} */
export async function updateRefund(call: Call): Promise<Reply> {
  const before = await getObject<Refund>(call.store, 'refund', call.id);
  const { expand: paths, metadata: patch } = readParams(call.form, {
    expand,
    metadata: metadata(),
  });
  const after: Refund = { ...before, metadata: patched(before.metadata, patch) };
  await announce(call, { before, after, cause: call });
  return replyWith(call, after, paths);
}

/** POST /v1/refunds/:id/cancel: only a refund that waits for the customer could be, and with the methods offered here none ever does. */
export async function cancelRefund(call: ReadCall): Promise<Reply> {
  const refund = await getObject<Refund>(call.store, 'refund', call.id);
  readParams(call.form, { expand });
  throw refuseState(
    `Only refunds with the status requires_action can be canceled; ${refund.id} is ${refund.status}.`,
  );
}

/** A waiting refund moves on if what it waited for is there; by the clock. */
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
  await announce(desk, {
    before: refund,
    after: {
      ...rest,
      status: 'succeeded',
      balance_transaction: refund.balance_transaction ?? (await takeMoney(desk, refund)),
    },
    cause: null,
  });
}

/** The money comes back to the account, and the charge is as if this refund had not been. */
export async function failRefund(
  desk: Desk,
  id: string,
  reason: FailureReason = 'expired_or_canceled_card',
): Promise<void> {
  const before = await findObject<Refund>(desk.store, 'refund', id);
  if (!before || before.status === 'failed') return;
  const { pending_reason: _, ...rest } = before;
  const charge = await getObject<Charge>(desk.store, 'charge', before.charge);
  const back =
    before.balance_transaction === null
      ? {}
      : {
          failure_balance_transaction: (
            await insertBalanceTransaction(desk, {
              type: 'refund_failure',
              reporting_category: 'refund_failure',
              source: id,
              amount: before.amount,
              currency: before.currency,
              description: charge.description,
            })
          ).id,
        };
  const after: Refund = { ...rest, ...back, status: 'failed', failure_reason: reason };
  await saveObject(desk.store, {
    ...charge,
    amount_refunded: charge.amount_refunded - before.amount,
    refunded: false,
  } as Charge);
  await announce(desk, { before, after, cause: null });
  await emit(desk, null, { type: 'refund.failed', object: after });
}

/** What waited for the charge itself goes the charge's way. */
export async function decideWaitingRefunds(
  desk: Desk,
  charge: string,
  paid: boolean,
): Promise<void> {
  for (const refund of await allObjects<Refund>(desk.store, 'refund', [
    { path: 'charge', is: charge },
    { path: 'pending_reason', is: 'charge_pending' },
  ])) {
    if (paid) await finishRefund(desk, refund.id);
    else await failRefund(desk, refund.id, 'declined');
  }
}

async function announce(
  desk: Desk,
  change: { before: Refund; after: Refund; cause: Cause },
): Promise<void> {
  const { before, after, cause } = change;
  await saveObject(desk.store, after);
  const previous = changesOf(before, after);
  await emit(desk, cause, { type: 'refund.updated', object: after, previous });
  await emit(desk, cause, { type: 'charge.refund.updated', object: after, previous });
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

/** Only what was paid out by hand or charged back can be missing; the fees never are. Where payouts are automatic, what is missing is collected from the bank. */
async function isCovered(desk: ReadDesk, charge: Charge, amount: number): Promise<boolean> {
  if ((await payoutInterval(desk.store)) === 'daily') return true;
  if (!(await hasObjects(desk.store, 'payout'))) return true;
  const unsettled = charge.balance_transaction === null ? charge.amount_captured : 0;
  return (await grossOf(desk.store, charge.currency)) + unsettled >= amount;
}

/** An inquiry has taken no money yet: refunding is the way out of it. */
async function isRefundableDispute(call: ReadCall, charge: Charge): Promise<boolean> {
  const disputes = await allObjects<
    StoredObject & { object: 'dispute'; is_charge_refundable: boolean }
  >(call.store, 'dispute', [{ path: 'charge', is: charge.id }]);
  return disputes.every((dispute) => dispute.is_charge_refundable);
}

async function chargeToRefund(
  call: ReadCall,
  params: { charge?: string; payment_intent?: string },
): Promise<Charge> {
  if ((params.charge === undefined) === (params.payment_intent === undefined)) {
    throw refuse('Give exactly one of charge and payment_intent.', {
      code: 'parameter_missing',
      param: 'payment_intent',
    });
  }
  const intent =
    params.payment_intent === undefined
      ? undefined
      : await findObject<PaymentIntent>(call.store, 'payment_intent', params.payment_intent);
  if (params.payment_intent !== undefined && !intent) {
    throw missingObject('payment_intent', params.payment_intent, {
      param: 'payment_intent',
      status: 404,
    });
  }
  const chargeId = params.charge ?? intent?.latest_charge;
  const charge = chargeId ? await findObject<Charge>(call.store, 'charge', chargeId) : undefined;
  const param = params.charge === undefined ? 'payment_intent' : 'charge';
  if (params.charge !== undefined && !charge)
    throw missingObject('charge', params.charge, { param: 'charge', status: 404 });
  if (!charge || charge.status === 'failed')
    throw refuseState('There is no successful charge to refund.', { param });
  if (!charge.captured)
    throw refuseState(
      'This charge has not been captured: capture it, or cancel its PaymentIntent, instead.',
      {
        code: 'charge_not_refundable',
        param,
      },
    );
  return charge;
}
