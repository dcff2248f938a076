/** Balance transactions: every movement of the account's money with its fee, and the balance that they add up to. */
import { expand } from '#server/standins/stripe/read-calls.ts';
import {
  ok,
  seconds,
  type Desk,
  type Reply,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { createdRange, listObjects, paging } from '#server/standins/stripe/lists.ts';
import { scheduleOnce } from '#server/standins/stripe/statements/later.ts';
import {
  findObject,
  getObject,
  insertObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { sumsByCurrency, type CurrencySum } from '#server/standins/stripe/statements/balance.ts';
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
  | 'payout_cancel'
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
  /** Signed: what leaves the account is negative. */
  amount: number;
  currency: string;
  description: string | null;
  fee?: number;
  /** The money moves at once instead of after a week. */
  available?: boolean;
  /** The automatic payout that it is the other side of. */
  payout?: string;
}

/** Example figures of the right shape: 1.5 % and 25 cents a charge, nothing on a refund, and nothing given back. */
const FEE_RATE = 0.015;
const FEE_FIXED = 25;
/** Seconds. */
export const AVAILABLE_AFTER = 7 * 24 * 3600;

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
  await insertObject(desk.store, transaction, payout === undefined ? {} : { payout });
  if (payout === undefined)
    await scheduleOnce(desk.store, nextMidnight(transaction.available_on), {
      task: 'pay_out_balance',
      subject: facts.currency,
    });
  return transaction;
}

const DAY = 24 * 3600;

/** Payouts leave at the beginning of a day. */
export function nextMidnight(at: number): number {
  return Math.ceil(at / DAY) * DAY;
}

/** GET /v1/balance_transactions/:id */
export async function retrieveBalanceTransaction(call: ReadCall): Promise<Reply> {
  const { expand: paths } = readParams(call.form, { expand });
  return replyWith(
    call,
    shown(call, await getObject<BalanceTransaction>(call.store, 'balance_transaction', call.id)),
    paths,
  );
}

/** GET /v1/balance_transactions?created&currency&payout&source&type: with `payout` what an automatic payout is made of, and its own movement. */
export async function listBalanceTransactions(call: ReadCall): Promise<Reply> {
  const {
    expand: paths,
    created,
    currency: code,
    payout,
    source,
    type,
    ...page
  } = readParams(call.form, {
    ...paging,
    expand,
    created: createdRange(),
    currency: currency(),
    payout: text(),
    source: text(),
    type: text(),
  });
  const asked =
    payout === undefined
      ? undefined
      : await findObject<StoredObject & { object: 'payout'; automatic: boolean }>(
          call.store,
          'payout',
          payout,
        );
  if (asked?.automatic === false)
    throw refuse('Only automatic payouts know the balance transactions that they are made of.', {
      param: 'payout',
    });
  const where = [
    { path: 'currency', is: code },
    { path: 'source', is: source },
    { path: 'type', is: type },
    { hidden: 'payout', is: payout },
  ];
  const list = await listObjects<BalanceTransaction>(call.store, 'balance_transaction', {
    url: '/v1/balance_transactions',
    page,
    created,
    where,
  });
  return replyWith(call, { ...list, data: list.data.map((each) => shown(call, each)) }, paths);
}

/** GET /v1/balance: what can be used now and what is still on its way, per currency. */
export async function retrieveBalance(call: ReadCall): Promise<Reply> {
  readParams(call.form, { expand });
  const sums = await sumsOf(call);
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
export async function availableIn(desk: ReadDesk, code: string): Promise<number> {
  const sums = await sumsOf(desk);
  return sums.find((sum) => sum.currency === code)?.available ?? 0;
}

async function sumsOf(desk: ReadDesk): Promise<CurrencySum[]> {
  const sums = await sumsByCurrency(desk.store, seconds(desk));
  return sums.length > 0 ? sums : [{ currency: 'eur', available: 0, pending: 0 }];
}

/** Money becomes available by the mere passing of days. */
function shown(desk: ReadDesk, transaction: BalanceTransaction): BalanceTransaction {
  return seconds(desk) >= transaction.available_on
    ? { ...transaction, status: 'available' }
    : transaction;
}
