/** Refunds: money given back, in whole or in part; card refunds succeed at once. */
import { insertBalanceTransaction } from './balance.ts';
import { seconds, type Call, type Reply } from './call.ts';
import type { Charge } from './charges.ts';
import { missingObject, refuse } from './errors.ts';
import { changesOf, emit } from './events.ts';
import { replyWith } from './expand.ts';
import { newId } from './ids.ts';
import { createdRange, findObject, getObject, insertObject, listObjects, paging, saveObject, type StoredObject } from './objects.ts';
import type { PaymentIntent } from './payment-intents.ts';
import { flag, integer, listOf, metadata, oneOf, patched, readParams, text, unbuilt } from './rules.ts';

export interface Refund extends StoredObject {
  object: 'refund';
  amount: number;
  balance_transaction: string;
  charge: string;
  currency: string;
  customer: null; customer_account: null;
  destination_details: { type: 'card'; card: { reference_status: 'pending'; reference_type: 'acquirer_reference_number'; type: 'refund' } };
  metadata: Record<string, string>;
  payment_intent: string;
  payment_method: string;
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
  receipt_number: string | null;
  source_transfer_reversal: null;
  status: 'succeeded';
  transfer_reversal: null;
}

const expand = listOf(text(), 20);

/** POST /v1/refunds {charge | payment_intent, amount? (cents, default all that is left), reason?, metadata?} */
export function createRefund(call: Call): Reply {
  const params = readParams(call.form, {
    amount: integer({ min: 1 }), charge: text(), currency: unbuilt(), customer: unbuilt(), expand, instructions_email: text(), metadata: metadata(),
    origin: unbuilt(), payment_intent: text(), reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']), refund_application_fee: flag(), reverse_transfer: flag(),
  });
  const before = chargeToRefund(call, params);
  const left = before.amount_captured - before.amount_refunded;
  if (left === 0) throw refuse(`Charge ${before.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (before.disputed) throw refuse(`Charge ${before.id} has been charged back; it cannot be refunded.`, { code: 'charge_disputed' });
  const amount = params.amount ?? left;
  if (amount > left) throw refuse(`Refund amount (${amount}) is greater than the unrefunded amount on the charge (${left}).`, { param: 'amount' });
  const id = newId('re');
  const refund: Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: insertBalanceTransaction(call, {
      type: 'refund', source: id, amount, currency: before.currency, description: before.description,
    }).id,
    charge: before.id,
    created: seconds(call),
    currency: before.currency,
    customer: null, customer_account: null,
    destination_details: { type: 'card', card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' } },
    metadata: patched({}, params.metadata),
    payment_intent: before.payment_intent,
    payment_method: before.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  insertObject(call.store, refund);
  const after: Charge = { ...before, amount_refunded: before.amount_refunded + amount, refunded: amount === left };
  saveObject(call.store, after);
  emit(call, call, { type: 'refund.created', object: refund });
  emit(call, call, { type: 'charge.refunded', object: after, previous: changesOf(before, after) });
  return replyWith(call, refund, params.expand);
}

/** GET /v1/refunds/:id */
export function retrieveRefund(call: Call): Reply {
  const { expand: paths } = readParams(call.form, { expand });
  return replyWith(call, getObject<Refund>(call.store, 'refund', call.id), paths);
}

/** GET /v1/refunds?charge&payment_intent&created */
export function listRefunds(call: Call): Reply {
  const { expand: paths, charge, payment_intent, created, ...page } = readParams(call.form, {
    ...paging, expand, charge: text(), payment_intent: text(), created: createdRange(),
  });
  const where = [{ path: 'charge', is: charge }, { path: 'payment_intent', is: payment_intent }];
  return replyWith(call, listObjects<Refund>(call.store, 'refund', { url: '/v1/refunds', page, created, where }), paths);
}

/** POST /v1/refunds/:id {metadata} */
export function updateRefund(call: Call): Reply {
  const before = getObject<Refund>(call.store, 'refund', call.id);
  const { expand: paths, metadata: patch } = readParams(call.form, { expand, metadata: metadata() });
  const after: Refund = { ...before, metadata: patched(before.metadata, patch) };
  saveObject(call.store, after);
  emit(call, call, { type: 'refund.updated', object: after, previous: changesOf(before, after) });
  return replyWith(call, after, paths);
}

/** POST /v1/refunds/:id/cancel: only a refund that waits for the customer could be, and card refunds never wait. */
export function cancelRefund(call: Call): Reply {
  const refund = getObject<Refund>(call.store, 'refund', call.id);
  throw refuse(`Only refunds with the status requires_action can be canceled; ${refund.id} is ${refund.status}.`);
}

function chargeToRefund(call: Call, params: { charge?: string; payment_intent?: string }): Charge {
  if ((params.charge === undefined) === (params.payment_intent === undefined)) {
    throw refuse('Give exactly one of charge and payment_intent.', { code: 'parameter_missing', param: 'payment_intent' });
  }
  const intent = params.payment_intent === undefined ? undefined : findObject<PaymentIntent>(call.store, 'payment_intent', params.payment_intent);
  if (params.payment_intent !== undefined && !intent) {
    throw missingObject('payment_intent', params.payment_intent, { param: 'payment_intent', status: 404 });
  }
  const chargeId = params.charge ?? intent?.latest_charge;
  const charge = chargeId ? findObject<Charge>(call.store, 'charge', chargeId) : undefined;
  if (params.charge !== undefined && !charge) throw missingObject('charge', params.charge, { param: 'charge', status: 404 });
  if (!charge?.paid) throw refuse('There is no successful charge to refund.', { param: params.charge === undefined ? 'payment_intent' : 'charge' });
  return charge;
}
