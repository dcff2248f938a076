/** Balance transactions: every movement of the account's money, with its fee. */
import { seconds, type Desk, type ReadCall, type ReadDesk } from '#server/standins/stripe/call.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { answerPage, listFields, listObjects } from '#server/standins/stripe/read-calls.ts';
import { scheduleOnce } from '#server/standins/stripe/statements/later.ts';
import {
  findObject,
  insertObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import type { Reply } from '#server/standins/stripe/transport/answers.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import { currency, readParams, text } from '#server/standins/stripe/transport/rules.ts';

type Movement =
  | 'charge'
  | 'payment'
  | 'refund'
  | 'payment_refund'
  | 'refund_failure'
  | 'adjustment'
  | 'payout'
  | 'payout_failure';

export interface BalanceTransaction extends StoredObject {
  object: 'balance_transaction';
  amount: number;
  available_on: number;
  balance_type: 'payments';
  currency: string;
  description: string | null;
  exchange_rate: null;
  fee: number;
  fee_details: {
    amount: number;
    application: null;
    currency: string;
    description: string;
    type: 'stripe_fee';
  }[];
  net: number;
  reporting_category:
    | 'charge'
    | 'refund'
    | 'refund_failure'
    | 'dispute'
    | 'dispute_reversal'
    | 'payout'
    | 'payout_reversal';
  source: string;
  status: 'pending' | 'available';
  type: Movement;
}

interface MovementFacts {
  type: Movement;
  reporting_category: BalanceTransaction['reporting_category'];
  source: string;
  /** Negative when money leaves the account. */
  amount: number;
  currency: string;
  description: string | null;
  fee?: number;
  /** True if the money can be used immediately instead of after a week. */
  available?: boolean;
  /** The automatic payout, if this is its own movement. */
  payout?: string;
}

/** Realistic example fees; a refund costs nothing and returns no fee. */
const FEE_RATE = 0.015;
const FEE_FIXED = 25;
const DAY = 24 * 3600;
/** Seconds. */
export const AVAILABLE_AFTER = 7 * DAY;

export function processingFee(amount: number): number {
  return Math.round(amount * FEE_RATE) + FEE_FIXED;
}

export async function insertBalanceTransaction(
  desk: Desk,
  facts: MovementFacts,
): Promise<BalanceTransaction> {
  const at = seconds(desk);
  const { fee = 0, available = false, payout, ...rest } = facts;
  const transaction: BalanceTransaction = {
    ...rest,
    id: newId('txn'),
    object: 'balance_transaction',
    available_on: available ? at : at + AVAILABLE_AFTER,
    balance_type: 'payments',
    created: at,
    exchange_rate: null,
    fee,
    fee_details: feeDetailsOf(facts, fee),
    net: facts.amount - fee,
    status: available ? 'available' : 'pending',
  };
  await insertObject(desk.store, transaction, payout === undefined ? {} : { payout });
  if (payout === undefined)
    await scheduleOnce(desk.store, nextMidnight(transaction.available_on), {
      task: 'pay_out_balance',
      subject: facts.currency,
    });
  return transaction;
}

function feeDetailsOf(
  { currency: code, reporting_category }: MovementFacts,
  fee: number,
): BalanceTransaction['fee_details'] {
  if (fee === 0) return [];
  const description = reporting_category === 'dispute' ? 'Dispute fee' : 'Stripe processing fees';
  return [{ amount: fee, application: null, currency: code, description, type: 'stripe_fee' }];
}

/** Payouts start at midnight UTC. */
export function nextMidnight(at: number): number {
  return Math.ceil(at / DAY) * DAY;
}

/**
 * GET /v1/balance_transactions?created&currency&payout&source: `payout` lists the movements in an
 * automatic payout and the payout's own movement.
 */
export async function listBalanceTransactions(call: ReadCall): Promise<Reply> {
  const asked = readParams(call.form, {
    ...listFields,
    currency: currency(),
    payout: text(),
    source: text(),
  });
  if (asked.payout !== undefined) await checkAutomatic(call, asked.payout);
  const list = await listObjects<BalanceTransaction>(call.store, 'balance_transaction', {
    url: '/v1/balance_transactions',
    asked,
    conditions: [
      { path: 'currency', is: asked.currency },
      { path: 'source', is: asked.source },
      { hidden: 'payout', is: asked.payout },
    ],
  });
  const data = list.data.map((each) => shown(call, each));
  return answerPage(call, 'balance_transaction', { ...list, data }, asked.expand);
}

async function checkAutomatic(call: ReadCall, id: string): Promise<void> {
  type Payout = StoredObject & { object: 'payout'; automatic: boolean };
  const payout = await findObject<Payout>(call.store, 'payout', id);
  if (payout?.automatic === false)
    throw refuse('Only automatic payouts know the balance transactions that they are made of.', {
      param: 'payout',
    });
}

/** The status is computed, because money becomes available after some days without any call. */
function shown(desk: ReadDesk, transaction: BalanceTransaction): BalanceTransaction {
  return seconds(desk) >= transaction.available_on
    ? { ...transaction, status: 'available' }
    : transaction;
}
