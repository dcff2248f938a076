/** Payouts: money transferred from the account's balance to the shop's bank. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { assignUnpaid, unpaidOf } from '#server/standins/stripe/statements/balance.ts';
import { availableIn, insertBalanceTransaction } from './balance.ts';
import { payoutInterval } from './payout-schedule.ts';
import {
  seconds,
  type Call,
  type Desk,
  type Reply,
  type ReadCall,
} from '#server/standins/stripe/call.ts';
import { notBuilt, refuseState } from '#server/standins/stripe/transport/errors.ts';
import { changesOf, emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
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

interface Payout extends StoredObject {
  object: 'payout';
  amount: number;
  application_fee: null;
  application_fee_amount: null;
  arrival_date: number;
  automatic: boolean;
  balance_transaction: string;
  currency: string;
  description: string | null;
  destination: null;
  failure_balance_transaction: string | null;
  failure_code: FailureCode | null;
  failure_message: string | null;
  livemode: false;
  metadata: Record<string, string>;
  method: 'standard';
  original_payout: null;
  payout_method: null;
  reconciliation_status: 'not_applicable' | 'in_progress' | 'completed';
  reversed_by: null;
  source_type: 'card';
  statement_descriptor: string | null;
  /** A payout that was paid can still come back. */
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  trace_id: null;
  type: 'bank_account';
}

/** Why a bank sends the money back. */
export const FAILURES = {
  account_closed: 'The bank account has been closed.',
  no_account: 'The bank account could not be found.',
  could_not_process: 'The bank could not process this payout.',
} as const;
export type FailureCode = keyof typeof FAILURES;

const ARRIVES_AFTER = 2 * 24 * 3600;
const RECONCILED_AFTER = 60;

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
  const payout = await insertPayout(call, call, {
    amount: params.amount,
    automatic: false,
    currency: params.currency,
    description: params.description ?? null,
    metadata: patched({}, params.metadata),
    statement_descriptor: params.statement_descriptor ?? null,
  });
  return replyWith(call, payout, params.expand);
}

/** All that is available, once a day: by the clock, where payouts are automatic. What the shop owes is taken from what comes in next. */
export async function payOutBalance(desk: Desk, code: string): Promise<void> {
  if ((await payoutInterval(desk.store)) !== 'daily') return;
  const amount = await unpaidOf(desk.store, code, seconds(desk));
  if (amount <= 0) return;
  const payout = await insertPayout(desk, null, {
    amount,
    automatic: true,
    currency: code,
    description: 'STRIPE PAYOUT',
    metadata: {},
    statement_descriptor: null,
  });
  await assignUnpaid(desk.store, payout.id, { currency: code, at: seconds(desk) });
  await schedule(desk.store, seconds(desk) + RECONCILED_AFTER, {
    task: 'reconcile_payout',
    subject: payout.id,
  });
}

type PayoutFacts = Pick<
  Payout,
  'amount' | 'automatic' | 'currency' | 'description' | 'metadata' | 'statement_descriptor'
>;

async function insertPayout(desk: Desk, cause: Cause, facts: PayoutFacts): Promise<Payout> {
  const id = newId('po');
  const movement = await insertBalanceTransaction(desk, {
    type: 'payout',
    reporting_category: 'payout',
    source: id,
    amount: -facts.amount,
    currency: facts.currency,
    description: facts.description,
    available: true,
    ...(facts.automatic ? { payout: id } : {}),
  });
  const payout: Payout = {
    ...facts,
    id,
    object: 'payout',
    application_fee: null,
    application_fee_amount: null,
    arrival_date: seconds(desk) + ARRIVES_AFTER,
    balance_transaction: movement.id,
    created: seconds(desk),
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: facts.automatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    status: facts.automatic ? 'in_transit' : 'pending',
    trace_id: null,
    type: 'bank_account',
  };
  await insertObject(desk.store, payout);
  await schedule(desk.store, payout.arrival_date, { task: 'pay_out', subject: id });
  await emit(desk, cause, { type: 'payout.created', object: payout });
  return payout;
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

/** POST /v1/payouts/:id/cancel: only one made by hand, while it is pending; the money is back at once. */
export async function cancelPayout(call: Call): Promise<Reply> {
  const before = await getObject<Payout>(call.store, 'payout', call.id);
  const { expand: paths } = readParams(call.form, { expand });
  if (before.automatic) throw refuseState('Automatic payouts cannot be canceled.');
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
  if (before?.status !== 'pending' && before?.status !== 'in_transit') return;
  const after: Payout = { ...before, status: 'paid' };
  await saveObject(desk.store, after);
  await emit(desk, null, { type: 'payout.paid', object: after });
}

/** From now on it can be asked what an automatic payout is made of; by the clock. */
export async function reconcilePayout(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Payout>(desk.store, 'payout', id);
  if (before?.reconciliation_status !== 'in_progress') return;
  const after: Payout = { ...before, reconciliation_status: 'completed' };
  await saveObject(desk.store, after);
  await emit(desk, null, { type: 'payout.reconciliation_completed', object: after });
}

/** The bank sends it back, also days after it had said yes; the money is in the balance again. Only by steering. */
export async function failPayout(desk: Desk, id: string, code: FailureCode): Promise<void> {
  const before = await getObject<Payout>(desk.store, 'payout', id);
  if (before.status === 'failed' || before.status === 'canceled')
    throw refuseState(`This payout is ${before.status} already.`);
  const back = await insertBalanceTransaction(desk, {
    type: 'payout_failure',
    reporting_category: 'payout_reversal',
    source: before.id,
    amount: before.amount,
    currency: before.currency,
    description: before.description,
    available: true,
  });
  const after: Payout = {
    ...before,
    status: 'failed',
    failure_balance_transaction: back.id,
    failure_code: code,
    failure_message: FAILURES[code],
  };
  await saveObject(desk.store, after);
  await emit(desk, null, { type: 'payout.failed', object: after });
}

async function change(call: Call, before: Payout, after: Payout): Promise<void> {
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'payout.updated',
    object: after,
    previous: changesOf(before, after),
  });
}
