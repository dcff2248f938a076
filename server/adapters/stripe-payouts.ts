/** Reads Stripe's payouts to the bank, and the balance transactions in them. */
import type { Stripe } from 'stripe';
import { payoutStates, type PayoutState } from '#server/domain/payment/payout.ts';
import { askingStripe } from './stripe-call.ts';
import { ourField, type HouseId } from './stripe-mark.ts';

/**
 * Amounts in cents, times in milliseconds. `listed`: whether its movements can be read; never for
 * a manual payout.
 */
export interface StripePayout {
  id: string;
  amount: number;
  state: PayoutState;
  automatic: boolean;
  listed: boolean;
  failure: string | null;
  bank_reference: string | null;
  created_at: number;
  arrives_at: number;
}

/** A balance transaction. `order_mark`: our order's id on its charge or refund, with our mark. */
export interface StripeMovement {
  id: string;
  type: string;
  category: string;
  gross: number;
  fee: number;
  net: number;
  created_at: number;
  available_at: number;
  source_id: string | null;
  charge_id: string | null;
  payment_intent: string | null;
  order_mark: string | null;
  description: string | null;
}

/** Reads only movements in euros, because our books have no other currency. */
export interface PayoutBooks {
  /** Payouts made since then, newest first, page by page. */
  payouts(since: number): AsyncIterable<StripePayout[]>;
  /** @throws ProviderRefused for an unknown payout */
  payout(id: string): Promise<StripePayout>;
  /** The movements in an automatic payout, and the payout's own. */
  movementsOfPayout(payout: string): AsyncIterable<StripeMovement[]>;
  /** The movements of one charge, refund or dispute. */
  movementsOfSource(source: string): AsyncIterable<StripeMovement[]>;
  /** Movements made since then, newest first, page by page. */
  movements(since: number): AsyncIterable<StripeMovement[]>;
}

const currency = 'eur';
const limit = 100;

export function connectPayouts(stripe: Stripe, house: HouseId): PayoutBooks {
  const movements = (filter: Stripe.BalanceTransactionListParams) =>
    pages((page) =>
      stripe.balanceTransactions.list({
        ...filter,
        currency,
        limit,
        expand: ['data.source'],
        ...page,
      }),
    );
  return {
    async *payouts(since) {
      for await (const page of pages((start) =>
        stripe.payouts.list({ created: madeSince(since), limit, ...start }),
      ))
        yield page.filter((payout) => payout.currency === currency).map(payoutOf);
    },
    payout: (id) => askingStripe(async () => payoutOf(await stripe.payouts.retrieve(id))),
    movementsOfPayout: (payout) => mapped(house, movements({ payout })),
    movementsOfSource: (source) => mapped(house, movements({ source })),
    movements: (since) => mapped(house, movements({ created: madeSince(since) })),
  };
}

function madeSince(since: number): { gte: number } {
  return { gte: Math.floor(since / 1000) };
}

/** Each page is a separate call, so that a failure does not lose the pages before it. */
async function* pages<T extends { id: string }>(
  ask: (start: { starting_after?: string }) => Promise<{ data: T[]; has_more: boolean }>,
): AsyncGenerator<T[]> {
  for (let starting_after: string | undefined; ;) {
    const start = starting_after === undefined ? {} : { starting_after };
    const page = await askingStripe(() => ask(start));
    yield page.data;
    starting_after = page.data.at(-1)?.id;
    if (!page.has_more || starting_after === undefined) return;
  }
}

async function* mapped(
  house: HouseId,
  found: AsyncIterable<Stripe.BalanceTransaction[]>,
): AsyncGenerator<StripeMovement[]> {
  const ours = await house();
  for await (const page of found) yield page.map((movement) => movementOf(ours, movement));
}

function payoutOf(payout: Stripe.Payout): StripePayout {
  return {
    id: payout.id,
    amount: payout.amount,
    state: payoutStates.find((state) => state === payout.status) ?? 'pending',
    automatic: payout.automatic,
    listed: payout.automatic && payout.reconciliation_status === 'completed',
    failure: payout.failure_code,
    bank_reference: payout.trace_id?.value ?? null,
    created_at: payout.created * 1000,
    arrives_at: payout.arrival_date * 1000,
  };
}

/** The fields that we read of a charge, a refund or a dispute. */
interface Source {
  id: string;
  object: string;
  charge?: string | { id: string } | null;
  payment_intent?: string | { id: string } | null;
  metadata?: Record<string, string> | null;
}

function movementOf(house: string, movement: Stripe.BalanceTransaction): StripeMovement {
  const source = typeof movement.source === 'object' ? (movement.source as Source | null) : null;
  const source_id = source?.id ?? (movement.source as string | null);
  return {
    id: movement.id,
    type: movement.type,
    category: movement.reporting_category,
    gross: movement.amount,
    fee: movement.fee,
    net: movement.net,
    created_at: movement.created * 1000,
    available_at: movement.available_on * 1000,
    source_id,
    charge_id: source?.object === 'charge' ? source.id : idOf(source?.charge),
    payment_intent: idOf(source?.payment_intent),
    order_mark: ourField(house, source?.metadata, 'order_id')?.slice(0, 100) ?? null,
    description: movement.description?.slice(0, 500) ?? null,
  };
}

function idOf(link: string | { id: string } | null | undefined): string | null {
  return typeof link === 'object' ? (link?.id ?? null) : (link ?? null);
}
