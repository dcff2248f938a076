/** Payouts: money transferred from the account's balance to the shop's bank. */
import { seconds, type Call, type Desk, type ReadCall } from '#server/standins/stripe/call.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { answerList, answerObject } from '#server/standins/stripe/read-calls.ts';
import { assignUnpaid, availableAt, unpaidAt } from '#server/standins/stripe/statements/balance.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import {
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { refuseState } from '#server/standins/stripe/transport/errors.ts';
import { currency, integer, need, readParams } from '#server/standins/stripe/transport/rules.ts';
import { emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import { insertBalanceTransaction } from './movements.ts';
import { payoutInterval } from './payout-schedule.ts';

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
  metadata: object;
  method: 'standard';
  original_payout: null;
  payout_method: null;
  reconciliation_status: 'not_applicable' | 'in_progress' | 'completed';
  reversed_by: null;
  source_type: 'card';
  statement_descriptor: null;
  /** A paid payout can still fail later. */
  status: 'pending' | 'in_transit' | 'paid' | 'failed';
  trace_id: null;
  type: 'bank_account';
}

/** Why a bank returns the money. */
export const FAILURES = {
  account_closed: 'The bank account has been closed.',
  no_account: 'The bank account could not be found.',
  could_not_process: 'The bank could not process this payout.',
} as const;
export type FailureCode = keyof typeof FAILURES;

const ARRIVES_AFTER = 2 * 24 * 3600;
const RECONCILED_AFTER = 60;

/** POST /v1/payouts {amount, currency}. @throws StripeError 400 balance_insufficient */
export async function createPayout(call: Call): Promise<Reply> {
  const params = readParams(call.form, {
    amount: need(integer({ min: 1 })),
    currency: need(currency()),
  });
  if (params.amount > (await availableAt(call.store, params.currency, seconds(call))))
    throw refuseState('You have insufficient funds in your Stripe account for this payout.', {
      code: 'balance_insufficient',
      param: 'amount',
    });
  return ok(await insertPayout(call, call, { ...params, automatic: false, description: null }));
}

/**
 * Called by the clock: pays out all available money once a day, if payouts are automatic. A
 * negative balance reduces the next payouts.
 */
export async function payOutBalance(desk: Desk, code: string): Promise<void> {
  if ((await payoutInterval(desk.store)) !== 'daily') return;
  const amount = await unpaidAt(desk.store, code, seconds(desk));
  if (amount <= 0) return;
  const payout = await insertPayout(desk, null, {
    amount,
    automatic: true,
    currency: code,
    description: 'STRIPE PAYOUT',
  });
  await assignUnpaid(desk.store, payout.id, { currency: code, at: seconds(desk) });
  await schedule(desk.store, seconds(desk) + RECONCILED_AFTER, {
    task: 'reconcile_payout',
    subject: payout.id,
  });
}

type PayoutFacts = Pick<Payout, 'amount' | 'automatic' | 'currency' | 'description'>;

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
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: facts.automatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
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

/** GET /v1/payouts?created */
export function listPayouts(call: ReadCall): Promise<Reply> {
  return answerList(call, 'payout', { url: '/v1/payouts', filters: {} });
}

/** The money has arrived at the bank; called by the clock. */
export async function finishPayout(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Payout>(desk.store, 'payout', id);
  if (before?.status !== 'pending' && before?.status !== 'in_transit') return;
  const after: Payout = { ...before, status: 'paid' };
  await saveObject(desk.store, after);
  await emit(desk, null, { type: 'payout.paid', object: after });
}

/** The movements of an automatic payout can be listed from now on; called by the clock. */
export async function reconcilePayout(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Payout>(desk.store, 'payout', id);
  if (before?.reconciliation_status !== 'in_progress') return;
  const after: Payout = { ...before, reconciliation_status: 'completed' };
  await saveObject(desk.store, after);
  await emit(desk, null, { type: 'payout.reconciliation_completed', object: after });
}

/** The bank returns the money to the balance, perhaps days later; called by steering. */
export async function failPayout(desk: Desk, id: string, code: FailureCode): Promise<void> {
  const before = await getObject<Payout>(desk.store, 'payout', id);
  if (before.status === 'failed') throw refuseState('This payout is failed already.');
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
