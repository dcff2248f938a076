/** Payouts: money transferred from the account's balance to the shop's bank. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { availableIn, insertBalanceTransaction } from './balance.ts';
import {
  seconds,
  type Call,
  type Desk,
  type Reply,
  type ReadCall,
} from '#server/standins/stripe/call.ts';
import { notBuilt, refuseState } from '#server/standins/stripe/transport/errors.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import { createdRange } from '#server/standins/stripe/lists.ts';
import {
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import {
  currency,
  integer,
  metadata,
  need,
  oneOf,
  patched,
  readParams,
  text,
  unbuilt,
} from '#server/standins/stripe/transport/rules.ts';

export interface Payout extends StoredObject {
  object: 'payout';
  amount: number;
  application_fee: null;
  application_fee_amount: null;
  arrival_date: number;
  automatic: false;
  balance_transaction: string;
  currency: string;
  description: string | null;
  destination: null;
  failure_balance_transaction: string | null;
  failure_code: null;
  failure_message: null;
  livemode: false;
  metadata: Record<string, string>;
  method: 'standard';
  original_payout: null;
  payout_method: null;
  reconciliation_status: 'not_applicable';
  reversed_by: null;
  source_type: 'card';
  statement_descriptor: string | null;
  status: 'pending' | 'paid' | 'canceled';
  trace_id: null;
  type: 'bank_account';
}

const ARRIVES_AFTER = 2 * 24 * 3600;

const createFields = {
  amount: need(integer({ min: 1 })),
  currency: need(currency()),
  description: text(),
  destination: unbuilt(),
  expand,
  metadata: metadata(),
  method: oneOf(['standard', 'instant']),
  payout_method: unbuilt(),
  source_type: oneOf(['card']),
  statement_descriptor: text({ max: 22 }),
};

/** POST /v1/payouts {amount, currency, description?, metadata?}: 400 balance_insufficient beyond what is available. */
export async function createPayout(call: Call): Promise<Reply> {
  const params = readParams(call.form, createFields);
  if (params.method === 'instant') throw notBuilt('instant payouts', 'method');
  if (params.amount > (await availableIn(call, params.currency)))
    throw refuseState('You have insufficient funds in your Stripe account for this payout.', {
      code: 'balance_insufficient',
      param: 'amount',
    });
  const id = newId('po');
  const payout: Payout = {
    id,
    object: 'payout',
    amount: params.amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: seconds(call) + ARRIVES_AFTER,
    automatic: false,
    balance_transaction: (
      await insertBalanceTransaction(call, {
        type: 'payout',
        reporting_category: 'payout',
        source: id,
        amount: -params.amount,
        currency: params.currency,
        description: params.description ?? null,
        available: true,
      })
    ).id,
    created: seconds(call),
    currency: params.currency,
    description: params.description ?? null,
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: patched({}, params.metadata),
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: params.statement_descriptor ?? null,
    status: 'pending',
    trace_id: null,
    type: 'bank_account',
  };
  await insertObject(call.store, payout);
  await schedule(call.store, payout.arrival_date, { task: 'pay_out', subject: id });
  await emit(call, call, { type: 'payout.created', object: payout });
  return replyWith(call, payout, params.expand);
}

/** GET /v1/payouts/:id */
export function retrievePayout(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'payout');
}

/** GET /v1/payouts?status&created */
export function listPayouts(call: ReadCall): Promise<Reply> {
  return answerList(call, 'payout', {
    url: '/v1/payouts',
    filters: {
      arrival_date: unbuilt(),
      created: createdRange(),
      destination: unbuilt(),
      status: oneOf(['pending', 'paid', 'failed', 'canceled', 'in_transit']),
    },
  });
}

/** POST /v1/payouts/:id {metadata} */
export async function updatePayout(call: Call): Promise<Reply> {
  const before = await getObject<Payout>(call.store, 'payout', call.id);
  const params = readParams(call.form, { expand, metadata: metadata() });
  const after: Payout = { ...before, metadata: patched(before.metadata, params.metadata) };
  await change(call, before, after);
  return replyWith(call, after, params.expand);
}

/** POST /v1/payouts/:id/cancel: only while it is pending; the money is back at once. */
export async function cancelPayout(call: Call): Promise<Reply> {
  const before = await getObject<Payout>(call.store, 'payout', call.id);
  const { expand: paths } = readParams(call.form, { expand });
  if (before.status !== 'pending')
    throw refuseState(
      `Payouts can only be canceled while they are pending; this one is ${before.status}.`,
      { code: 'payouts_not_allowed' },
    );
  const back = await insertBalanceTransaction(call, {
    type: 'payout_cancel',
    reporting_category: 'payout_reversal',
    source: before.id,
    amount: before.amount,
    currency: before.currency,
    description: before.description,
    available: true,
  });
  const after: Payout = { ...before, status: 'canceled', failure_balance_transaction: back.id };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'payout.canceled', object: after });
  return replyWith(call, after, paths);
}

/** The bank has it; by the clock. */
export async function finishPayout(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Payout>(desk.store, 'payout', id);
  if (before?.status !== 'pending') return;
  const after: Payout = { ...before, status: 'paid' };
  await saveObject(desk.store, after);
  await emit(desk, null, { type: 'payout.paid', object: after });
}

async function change(call: Call, before: Payout, after: Payout): Promise<void> {
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'payout.updated',
    object: after,
    previous: changesOf(before, after),
  });
}
