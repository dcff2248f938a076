/** The account's money: every movement with what it cost, and the sum of them all. */
import { ok, seconds, type Call, type Desk, type Reply } from '#server/standins/stripe/call.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import {
  createdRange,
  getObject,
  insertObject,
  listObjects,
  paging,
  type StoredObject,
} from '#server/standins/stripe/objects.ts';
import { currency, listOf, readParams, text } from '#server/standins/stripe/transport/rules.ts';

export type Movement =
  | 'charge'
  | 'payment'
  | 'refund'
  | 'payment_refund'
  | 'refund_failure'
  | 'adjustment'
  | 'payout'
  | 'payout_cancel';

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

export interface MovementFacts {
  type: Movement;
  reporting_category: BalanceTransaction['reporting_category'];
  source: string;
  /** Signed: what leaves the account is negative. */
  amount: number;
  currency: string;
  description: string | null;
  fee?: number;
  /** The money moves at once instead of after a week. */
  available?: boolean;
}

/** Example figures of the right shape: 1.5 % and 25 cents a charge, nothing on a refund, and nothing given back. */
const FEE_RATE = 0.015;
const FEE_FIXED = 25;
const AVAILABLE_AFTER = 7 * 24 * 3600;

export function processingFee(amount: number): number {
  return Math.round(amount * FEE_RATE) + FEE_FIXED;
}

export function insertBalanceTransaction(desk: Desk, facts: MovementFacts): BalanceTransaction {
  const at = seconds(desk);
  const { fee = 0, available = false, ...rest } = facts;
  const transaction: BalanceTransaction = {
    ...rest,
    id: newId('txn'),
    object: 'balance_transaction',
    available_on: available ? at : at + AVAILABLE_AFTER,
    balance_type: 'payments',
    created: at,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: facts.currency,
              description:
                facts.reporting_category === 'dispute' ? 'Dispute fee' : 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: facts.amount - fee,
    status: available ? 'available' : 'pending',
  };
  insertObject(desk.store, transaction);
  return transaction;
}

/** GET /v1/balance_transactions/:id */
export function retrieveBalanceTransaction(call: Call): Reply {
  const { expand } = readParams(call.form, { expand: listOf(text(), 20) });
  return replyWith(
    call,
    shown(call, getObject<BalanceTransaction>(call.store, 'balance_transaction', call.id)),
    expand,
  );
}

/** GET /v1/balance_transactions?created&currency&payout&source&type */
export function listBalanceTransactions(call: Call): Reply {
  const {
    expand,
    created,
    currency: code,
    payout,
    source,
    type,
    ...page
  } = readParams(call.form, {
    ...paging,
    expand: listOf(text(), 20),
    created: createdRange(),
    currency: currency(),
    payout: text(),
    source: text(),
    type: text(),
  });
  // Only automatic payouts know their transactions, and here all are made by hand: none belongs to one.
  const where = [
    { path: 'currency', is: code },
    { path: 'source', is: source },
    { path: 'type', is: type },
    { path: 'automatic_payout', is: payout },
  ];
  const list = listObjects<BalanceTransaction>(call.store, 'balance_transaction', {
    url: '/v1/balance_transactions',
    page,
    created,
    where,
  });
  return replyWith(call, { ...list, data: list.data.map((each) => shown(call, each)) }, expand);
}

/** GET /v1/balance: what can be used now and what is still on its way, per currency. */
export function retrieveBalance(call: Call): Reply {
  readParams(call.form, { expand: listOf(text(), 20) });
  const sums = sumsOf(call);
  const part = (amount: number, code: string) => ({
    amount,
    currency: code,
    source_types: { card: amount },
  });
  return ok({
    object: 'balance',
    available: sums.map((sum) => part(sum.available, sum.currency)),
    livemode: false,
    pending: sums.map((sum) => part(sum.pending, sum.currency)),
  });
}

/** What can be used now, in cents. */
export function availableIn(desk: Desk, code: string): number {
  return sumsOf(desk).find((sum) => sum.currency === code)?.available ?? 0;
}

/** What has moved in this currency at all, before fees: those are Stripe's matter and never keep a refund waiting. */
export function grossIn(desk: Desk, code: string): number {
  const row = desk.store
    .prepare<[string], { sum: number | null }>(
      "SELECT sum(body ->> '$.amount') AS sum FROM stripe_objects WHERE kind = 'balance_transaction' AND body ->> '$.currency' = ?",
    )
    .get(code);
  return row?.sum ?? 0;
}

function sumsOf(desk: Desk): { currency: string; available: number; pending: number }[] {
  const rows = desk.store
    .prepare<{ now: number }, { currency: string; available: number; pending: number }>(`
    SELECT body ->> '$.currency' AS currency,
      sum(CASE WHEN body ->> '$.available_on' <= @now THEN body ->> '$.net' ELSE 0 END) AS available,
      sum(CASE WHEN body ->> '$.available_on' <= @now THEN 0 ELSE body ->> '$.net' END) AS pending
    FROM stripe_objects WHERE kind = 'balance_transaction' GROUP BY 1 ORDER BY 1
  `)
    .all({ now: seconds(desk) });
  return rows.length > 0 ? rows : [{ currency: 'eur', available: 0, pending: 0 }];
}

/** Money becomes available by the mere passing of days. */
function shown(desk: Desk, transaction: BalanceTransaction): BalanceTransaction {
  return seconds(desk) >= transaction.available_on
    ? { ...transaction, status: 'available' }
    : transaction;
}
