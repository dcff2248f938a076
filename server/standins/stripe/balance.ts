/** Balance transactions: what reached the account and what the processing cost; a charge gets its own a moment after it succeeded. */
import { seconds, type Call, type Desk, type Reply } from './call.ts';
import { replyWith } from './expand.ts';
import { newId } from './ids.ts';
import { createdRange, getObject, insertObject, listObjects, paging, type StoredObject } from './objects.ts';
import { currency, listOf, readParams, text } from './rules.ts';

export interface BalanceTransaction extends StoredObject {
  object: 'balance_transaction';
  amount: number;
  available_on: number;
  balance_type: 'payments';
  currency: string;
  description: string | null;
  exchange_rate: null;
  fee: number;
  fee_details: { amount: number; application: null; currency: string; description: string; type: 'stripe_fee' }[];
  net: number;
  reporting_category: 'charge' | 'refund';
  source: string;
  status: 'pending' | 'available';
  type: 'charge' | 'refund';
}

/** Example figures of the right shape: 1.5 % and 25 cents a charge, nothing on a refund, and nothing given back. */
const FEE_RATE = 0.015;
const FEE_FIXED = 25;
const AVAILABLE_AFTER = 7 * 24 * 3600;

export function insertBalanceTransaction(desk: Desk, facts: { type: 'charge' | 'refund'; source: string; amount: number; currency: string; description: string | null }): BalanceTransaction {
  const at = seconds(desk);
  const fee = facts.type === 'charge' ? Math.round(facts.amount * FEE_RATE) + FEE_FIXED : 0;
  const signed = facts.type === 'charge' ? facts.amount : -facts.amount;
  const transaction: BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: signed,
    available_on: at + AVAILABLE_AFTER,
    balance_type: 'payments',
    created: at,
    currency: facts.currency,
    description: facts.description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{ amount: fee, application: null, currency: facts.currency, description: 'Stripe processing fees', type: 'stripe_fee' }],
    net: signed - fee,
    reporting_category: facts.type,
    source: facts.source,
    status: 'pending',
    type: facts.type,
  };
  insertObject(desk.store, transaction);
  return transaction;
}

/** GET /v1/balance_transactions/:id */
export function retrieveBalanceTransaction(call: Call): Reply {
  const { expand } = readParams(call.form, { expand: listOf(text(), 20) });
  return replyWith(call, shown(call, getObject<BalanceTransaction>(call.store, 'balance_transaction', call.id)), expand);
}

/** GET /v1/balance_transactions?created&currency&source&type */
export function listBalanceTransactions(call: Call): Reply {
  const { expand, created, currency: code, source, type, ...page } = readParams(call.form, {
    ...paging, expand: listOf(text(), 20), created: createdRange(), currency: currency(), payout: text(), source: text(), type: text(),
  });
  const where = [{ path: 'currency', is: code }, { path: 'source', is: source }, { path: 'type', is: type }];
  const list = listObjects<BalanceTransaction>(call.store, 'balance_transaction', { url: '/v1/balance_transactions', page, created, where });
  return replyWith(call, { ...list, data: list.data.map((each) => shown(call, each)) }, expand);
}

/** Money becomes available by the mere passing of days. */
function shown(desk: Desk, transaction: BalanceTransaction): BalanceTransaction {
  return seconds(desk) >= transaction.available_on ? { ...transaction, status: 'available' } : transaction;
}
