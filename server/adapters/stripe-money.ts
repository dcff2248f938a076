/** Reads charges (with fees and receipts), refunds, disputes and prices at Stripe. */
import { requireValue } from '#server/domain/require-value.ts';
import type { Stripe } from 'stripe';
import { refundStates, type RefundState } from '#server/domain/payment/refund.ts';
import { spellAddress } from '#server/domain/text/mail-address.ts';
import { eachBy } from './provider.ts';
import { askingStripe, orNull } from './stripe-call.ts';
import { isOfAnotherHouse, ourField, withMark, type HouseId } from './stripe-mark.ts';

/**
 * A refund at Stripe; amounts in cents, times in milliseconds. `refund_id`: the id of our row;
 * null without our mark, for a refund from Stripe's dashboard.
 */
export interface StripeRefund {
  id: string;
  status: RefundState;
  amount: number;
  payment_intent: string | null;
  refund_id: string | null;
  receipt_number: string | null;
  failure: string | null;
  created_at: number;
}

export interface StripeDispute {
  id: string;
  charge_id: string;
  payment_intent: string | null;
  amount: number;
  reason: string;
  status: string;
  due_by: number | null;
  created_at: number;
}

/**
 * A payment now, with its refunds and disputes. `order_id`: null without our mark. `stripe_fee`:
 * null until Stripe knows it.
 */
export interface StripePayment {
  payment_intent: string;
  order_id: string | null;
  charge: {
    id: string;
    method: string | null;
    amount: number;
    refunded: number;
    stripe_fee: number | null;
    receipt_number: string | null;
    receipt_url: string | null;
    paid_at: number;
  } | null;
  refunds: StripeRefund[];
  disputes: StripeDispute[];
  /** The declined attempts, oldest first; empty after an attempt has succeeded. */
  declines: StripeDecline[];
}

/**
 * An attempt that the bank or the card declined. `id`: the charge's id, or one made from the
 * payment's id if there was no charge.
 */
interface StripeDecline {
  id: string;
  method: string | null;
  amount: number;
  code: string;
  buyer_email: string | null;
  at: number;
}

/** A price as the office sees it, even if it is not for sale. */
export interface StripePrice {
  id: string;
  active: boolean;
  currency: string;
  unit_amount: number | null;
  type: string;
  nickname: string | null;
  lookup_key: string | null;
  created_at: number;
  product: { id: string; name: string | null; active: boolean };
}

export interface RefundAsk {
  payment_intent: string;
  amount: number;
  refund_id: string;
  order_id: string;
}

/** The receipt number of a charge, or of a refund of it. */
interface StripeReceipt {
  receipt_number: string;
  payment_intent: string | null;
  stripe_refund_id: string | null;
}

export interface Money {
  /** @throws ProviderRefused for an unknown payment */
  payment(payment_intent: string): Promise<StripePayment>;
  /** Refunds money; the same key makes only one refund. */
  refund(ask: RefundAsk, idempotencyKey: string): Promise<StripeRefund>;
  /** Receipt numbers of charges and refunds since then, newest first, page by page. */
  receipts(since: number): AsyncIterable<StripeReceipt[]>;
  /** Those of these prices that exist, active or not, in the order of `ids`. */
  priceFacts(ids: readonly string[]): Promise<StripePrice[]>;
  /**
   * Active one-time prices in EUR, newest first, without those of another house; `more`: there are
   * others, found only by id.
   */
  activePrices(): Promise<{ prices: StripePrice[]; more: boolean }>;
}

const most = 100;

export function connectMoney(stripe: Stripe, house: HouseId): Money {
  return {
    receipts: (since) => listReceipts(stripe, since),
    async priceFacts(ids) {
      const prices = await Promise.all(
        ids.map((id) =>
          askingStripe(() => orNull(() => stripe.prices.retrieve(id, { expand: ['product'] }))),
        ),
      );
      return prices.filter((price) => price !== null).map(priceOf);
    },
    ...eachBy<Omit<Money, 'receipts' | 'priceFacts'>>(askingStripe, {
      payment: async (id) => readPayment(stripe, await house(), id),
      refund: async ({ payment_intent, amount, refund_id, order_id }, idempotencyKey) => {
        const id = await house();
        const metadata = withMark(id, { order_id, refund_id });
        return refundOf(
          id,
          await stripe.refunds.create(
            { payment_intent, amount, reason: 'requested_by_customer', metadata },
            { idempotencyKey },
          ),
        );
      },
      activePrices: async () => listPrices(stripe, await house()),
    }),
  };
}

async function readPayment(stripe: Stripe, house: string, id: string): Promise<StripePayment> {
  const intent = await stripe.paymentIntents.retrieve(id, {
    expand: ['latest_charge.balance_transaction'],
  });
  const latest = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const charge = latest?.status === 'failed' ? null : latest;
  const ask = { payment_intent: id, limit: most };
  const refunds = charge ? await stripe.refunds.list(ask).autoPagingToArray({ limit: 1_000 }) : [];
  const disputes = charge?.disputed
    ? await stripe.disputes.list(ask).autoPagingToArray({ limit: 1_000 })
    : [];
  return {
    payment_intent: id,
    order_id: ourField(house, intent.metadata, 'order_id'),
    charge: charge && chargeOf(charge),
    refunds: refunds.map((refund) => refundOf(house, refund)),
    disputes: disputes.map(disputeOf),
    declines: intent.last_payment_error ? await listDeclines(stripe, intent) : [],
  };
}

/** The failed charges, and a decline before any charge (3-D Secure), from the payment itself. */
async function listDeclines(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
): Promise<StripeDecline[]> {
  const charges = await stripe.charges.list({ payment_intent: intent.id, limit: most });
  const declines = charges.data.filter(({ status }) => status === 'failed').map(declineOf);
  const last = intent.last_payment_error;
  if (last !== null && last.charge === undefined)
    declines.unshift(declineWithoutCharge(intent, last));
  return declines.toReversed();
}

function declineOf(charge: Stripe.Charge): StripeDecline {
  return {
    id: charge.id,
    method: charge.payment_method_details?.type ?? null,
    amount: charge.amount,
    code: charge.outcome?.reason ?? charge.failure_code ?? 'card_declined',
    buyer_email: spellAddress(charge.billing_details.email ?? '') || null,
    at: charge.created * 1000,
  };
}

function declineWithoutCharge(
  intent: Stripe.PaymentIntent,
  { code, decline_code, payment_method }: Stripe.PaymentIntent.LastPaymentError,
): StripeDecline {
  const reason = decline_code ?? code ?? 'card_declined';
  return {
    id: `${intent.id} ${payment_method?.id ?? ''} ${reason}`.slice(0, 100),
    method: payment_method?.type ?? null,
    amount: intent.amount,
    code: reason,
    buyer_email: spellAddress(payment_method?.billing_details.email ?? '') || null,
    at: (payment_method?.created ?? intent.created) * 1000,
  };
}

/** A person waits for this list, so its length and time are limited. */
const mostPrices = 1_000;
const pricesTimeoutMs = 4_000;

async function listPrices(
  stripe: Stripe,
  house: string,
): Promise<{ prices: StripePrice[]; more: boolean }> {
  const prices: StripePrice[] = [];
  const until = performance.now() + pricesTimeoutMs;
  for await (const price of stripe.prices.list(
    { active: true, currency: 'eur', type: 'one_time', limit: most, expand: ['data.product'] },
    { timeout: pricesTimeoutMs / 2, maxNetworkRetries: 0 },
  )) {
    if (prices.length === mostPrices || performance.now() > until) return { prices, more: true };
    if (!isOfAnotherHouse(house, price.metadata)) prices.push(priceOf(price));
  }
  return { prices, more: false };
}

async function* listReceipts(stripe: Stripe, since: number): AsyncGenerator<StripeReceipt[]> {
  const created = { gte: Math.floor(since / 1000) };
  for (const kind of ['charges', 'refunds'] as const) {
    for (let starting_after: string | undefined; ;) {
      const ask = {
        created,
        limit: most,
        ...(starting_after === undefined ? {} : { starting_after }),
      };
      const page = await askingStripe<{
        data: (Stripe.Charge | Stripe.Refund)[];
        has_more: boolean;
      }>(() => (kind === 'charges' ? stripe.charges.list(ask) : stripe.refunds.list(ask)));
      yield page.data.flatMap(({ object, id, receipt_number, payment_intent }) =>
        receipt_number === null
          ? []
          : [
              {
                receipt_number,
                payment_intent: idOf(payment_intent),
                stripe_refund_id: object === 'refund' ? id : null,
              },
            ],
      );
      starting_after = page.data.at(-1)?.id;
      if (!page.has_more || starting_after === undefined) break;
    }
  }
}

function chargeOf(charge: Stripe.Charge): NonNullable<StripePayment['charge']> {
  const fees =
    typeof charge.balance_transaction === 'object'
      ? (charge.balance_transaction?.fee ?? null)
      : null;
  return {
    id: charge.id,
    method: charge.payment_method_details?.type ?? null,
    amount: charge.amount_captured,
    refunded: charge.amount_refunded,
    stripe_fee: fees,
    receipt_number: charge.receipt_number,
    receipt_url: charge.receipt_url,
    paid_at: charge.created * 1000,
  };
}

function refundOf(house: string, refund: Stripe.Refund): StripeRefund {
  return {
    id: refund.id,
    status: refundStates.find((state) => state === refund.status) ?? 'pending',
    amount: refund.amount,
    payment_intent: idOf(refund.payment_intent),
    refund_id: ourField(house, refund.metadata, 'refund_id'),
    receipt_number: refund.receipt_number,
    failure: refund.failure_reason ?? refund.pending_reason ?? null,
    created_at: refund.created * 1000,
  };
}

function disputeOf(dispute: Stripe.Dispute): StripeDispute {
  return {
    id: dispute.id,
    charge_id: requireValue(idOf(dispute.charge), 'charge of the dispute'),
    payment_intent: idOf(dispute.payment_intent),
    amount: dispute.amount,
    reason: dispute.reason,
    status: dispute.status,
    due_by:
      dispute.evidence_details.due_by === null ? null : dispute.evidence_details.due_by * 1000,
    created_at: dispute.created * 1000,
  };
}

function priceOf(price: Stripe.Price): StripePrice {
  const product = price.product as Stripe.Product | Stripe.DeletedProduct;
  return {
    id: price.id,
    active: price.active,
    currency: price.currency,
    unit_amount: price.unit_amount,
    type: price.type,
    nickname: price.nickname,
    lookup_key: price.lookup_key,
    created_at: price.created * 1000,
    product: {
      id: product.id,
      name: product.deleted ? null : product.name,
      active: !product.deleted && product.active,
    },
  };
}

function idOf(link: string | { id: string } | null | undefined): string | null {
  return typeof link === 'object' ? (link?.id ?? null) : (link ?? null);
}
