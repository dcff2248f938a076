/**
 * In random histories of sessions, payments, refunds, disputes and days the books always agree with
 * each other and with the events.
 */
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  record,
  type Arbitrary,
} from 'fast-check';
import type { Stripe } from 'stripe';
import { expect } from 'vitest';
import { payOutByHand, startShop, type Shop } from './shop.ts';

const METHODS = [
  'pm_card_visa',
  'pm_card_chargeDeclined',
  'pm_card_authenticationRequired',
  'pm_card_threeDSecureRequiredChargeDeclined',
  'pm_card_createDispute',
  'pm_card_createDisputeInquiry',
  'pm_card_pendingRefund',
  'pm_card_refundFail',
  'pm_card_bypassPending',
] as const;

const ON_ONE = ['approve', 'refuse', 'expire', 'close', 'win', 'pay_out'] as const;

type Act =
  | { act: 'open' | (typeof ON_ONE)[number]; which: number }
  | { act: 'confirm'; which: number; method: (typeof METHODS)[number] }
  | { act: 'refund'; which: number; cents: number }
  | { act: 'wait'; seconds: number };

const which = integer({ min: 0, max: 4 });
const acts: Arbitrary<Act[]> = array(
  oneof(
    { weight: 3, arbitrary: record({ act: constantFrom('open' as const), which }) },
    {
      weight: 6,
      arbitrary: record({
        act: constantFrom('confirm' as const),
        which,
        method: constantFrom(...METHODS),
      }),
    },
    { weight: 5, arbitrary: record({ act: constantFrom(...ON_ONE), which }) },
    {
      weight: 4,
      arbitrary: record({
        act: constantFrom('refund' as const),
        which,
        cents: constantFrom(1, 1700, 2500, 5000),
      }),
    },
    {
      weight: 4,
      arbitrary: record({
        act: constantFrom('wait' as const),
        seconds: constantFrom(1, 6, 200, 1900, 90_000, 900_000),
      }),
    },
  ),
  { minLength: 5, maxLength: 30 },
);

/** `end`: as long as events are kept. */
async function perform(shop: Shop, about: { price: string; end: number }, act: Act): Promise<void> {
  const { stripe, clock } = shop;
  if (act.act === 'wait') {
    clock.now = Math.min(clock.now + act.seconds * 1000, about.end);
    return;
  }
  if (act.act === 'open') {
    const line_items = [{ price: about.price, quantity: 2 }];
    await shop.open({ line_items, expires_at: clock.now / 1000 + 1860 });
    return;
  }
  const pick = <T>(all: T[]): T | undefined => all[act.which % Math.max(1, all.length)];
  if (act.act === 'pay_out') {
    const { data } = await stripe.balanceTransactions.list({ limit: 100 });
    const amount = sum(data.map(({ status, net }) => (status === 'available' ? net : 0)));
    if (amount > 0) await stripe.payouts.create({ amount, currency: 'eur' });
  } else if (act.act === 'refund') {
    const charge = pick((await stripe.charges.list({ limit: 100 })).data);
    const payment_intent = charge?.payment_intent as string | undefined;
    if (payment_intent)
      await stripe.refunds.create({ payment_intent, amount: act.cents }).catch(() => null);
  } else if (act.act === 'close' || act.act === 'win') {
    const dispute = pick((await stripe.disputes.list({ limit: 100 })).data);
    if (dispute && act.act === 'close') await stripe.disputes.close(dispute.id).catch(() => null);
    else if (dispute)
      await stripe.disputes
        .update(dispute.id, { evidence: { uncategorized_text: 'winning_evidence' } })
        .catch(() => null);
  } else {
    const session = pick((await stripe.checkout.sessions.list({ limit: 100 })).data);
    if (!session) return;
    if (act.act === 'expire') await stripe.checkout.sessions.expire(session.id).catch(() => null);
    else if (act.act === 'confirm')
      await shop.confirm(session, { payment_method: act.method, email: 'anna@example.it' });
    else {
      const { next_action } = await shop.page(session);
      if (next_action)
        await shop.confirm(session, { next_action: next_action.id, outcome: act.act });
    }
  }
}

interface Books {
  sessions: Stripe.Checkout.Session[];
  charges: Stripe.Charge[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
  moves: Stripe.BalanceTransaction[];
  payouts: Stripe.Payout[];
  events: Stripe.Event[];
}

async function readBooks({ stripe }: Shop): Promise<Books> {
  const page = { limit: 100 };
  const expand = ['data.payment_intent'];
  return {
    sessions: (await stripe.checkout.sessions.list({ ...page, expand })).data,
    charges: (await stripe.charges.list(page)).data,
    refunds: (await stripe.refunds.list(page)).data,
    disputes: (await stripe.disputes.list(page)).data,
    moves: (await stripe.balanceTransactions.list(page)).data,
    payouts: (await stripe.payouts.list(page)).data,
    events: await stripe.events.list(page).autoPagingToArray({ limit: 10_000 }),
  };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A session, its intent and its charges tell the same story. */
function checkSession(session: Stripe.Checkout.Session, charges: Stripe.Charge[]): void {
  const intent = session.payment_intent as Stripe.PaymentIntent | null;
  const mine = charges.filter((charge) => charge.payment_intent === intent?.id);
  const story = {
    state: `${session.status} ${session.payment_status}`,
    intent: intent?.status ?? 'none',
    received: intent?.amount_received ?? 0,
    succeeded: mine.filter(({ status }) => status === 'succeeded').length,
  };
  const nothing = { received: 0, succeeded: 0 };
  const unpaid = (...intents: string[]) => intents.map((state) => ({ ...nothing, intent: state }));
  const allowed: Record<string, object[]> = {
    'open unpaid': unpaid('none', 'requires_payment_method', 'requires_action'),
    'expired unpaid': unpaid('none', 'canceled'),
    'complete paid': [{ intent: 'succeeded', received: 5000, succeeded: 1 }],
  };
  expect(
    (allowed[story.state] ?? []).map((each) => ({ state: story.state, ...each })),
  ).toContainEqual(story);
}

function checkMoney({ charges, refunds, disputes, moves }: Books): void {
  for (const charge of charges) {
    const live = refunds.filter(
      (refund) => refund.charge === charge.id && refund.status !== 'failed',
    );
    const given = sum(live.map(({ amount }) => amount));
    expect({ id: charge.id, given, all: charge.refunded }).toEqual({
      id: charge.id,
      given: charge.amount_refunded,
      all: given === charge.amount && given > 0,
    });
    expect(given).toBeLessThanOrEqual(charge.amount);
    expect(charge.disputed).toBe(disputes.some((dispute) => dispute.charge === charge.id));
  }
  for (const refund of refunds) {
    const mine = sum(moves.filter((move) => move.source === refund.id).map(({ amount }) => amount));
    const gone =
      refund.status === 'succeeded' ||
      (refund.status === 'pending' && refund.pending_reason === 'processing');
    expect({ status: refund.status, mine }).toEqual({
      status: refund.status,
      mine: gone ? -refund.amount : 0,
    });
  }
  for (const dispute of disputes) {
    const mine = sum(
      moves.filter((move) => move.source === dispute.id).map(({ amount }) => amount),
    );
    expect({ status: dispute.status, mine }).toEqual({
      status: dispute.status,
      mine: dispute.status === 'won' || dispute.status.startsWith('warning') ? 0 : -dispute.amount,
    });
  }
}

/** A payout is the sum of what it is made of, and nothing is in two of them. */
async function checkPayouts({ stripe }: Shop, { payouts }: Books): Promise<void> {
  const seen = new Set<string>();
  for (const payout of payouts.filter(({ automatic }) => automatic)) {
    const lines = await stripe.balanceTransactions
      .list({ payout: payout.id, limit: 100 })
      .autoPagingToArray({ limit: 1_000 });
    const paid = lines.filter((line) => line.id !== payout.balance_transaction);
    expect(sum(paid.map(({ net }) => net))).toBe(payout.amount);
    expect(lines.length).toBe(paid.length + 1);
    for (const { id } of lines) {
      expect(seen).not.toContain(id);
      seen.add(id);
    }
  }
}

/** The events tell as much as the objects, and tell of an end once. */
function checkAnnouncements({ sessions, refunds, disputes, events }: Books): void {
  const newest = (id: string, kinds: RegExp): unknown =>
    events.find(
      (event) => kinds.test(event.type) && (event.data.object as { id: string }).id === id,
    )?.data.object;
  for (const refund of refunds) expect(newest(refund.id, /refund/)).toEqual(refund);
  for (const dispute of disputes) expect(newest(dispute.id, /dispute/)).toEqual(dispute);
  for (const session of sessions) {
    const intent = session.payment_intent as Stripe.PaymentIntent | null;
    if (intent)
      expect(newest(intent.id, /^payment_intent/)).toMatchObject({
        status: intent.status,
        amount_received: intent.amount_received,
      });
    const ends = events
      .filter(
        (event) =>
          /completed|expired/.test(event.type) &&
          (event.data.object as { id: string }).id === session.id,
      )
      .map(({ type }) => type);
    expect(ends).toEqual(
      session.status === 'open'
        ? []
        : [
            session.status === 'complete'
              ? 'checkout.session.completed'
              : 'checkout.session.expired',
          ],
    );
  }
}

/** Gives back the states that sessions, refunds and disputes came to. */
export async function playHistories(numRuns: number): Promise<Set<string>> {
  const reached = new Set<string>();
  await assert(
    asyncProperty(acts, boolean(), async (history, byHand) => {
      await using shop = await startShop({ webhooks: false, checked: false });
      if (byHand) await payOutByHand(shop.stripe);
      const about = {
        price: (await shop.price(2500)).id,
        end: shop.clock.now + 29 * 24 * 3_600_000,
      };
      for (const act of history) await perform(shop, about, act);
      const books = await readBooks(shop);
      for (const session of books.sessions) {
        checkSession(session, books.charges);
        reached.add(`${session.status} ${session.payment_status}`);
      }
      checkMoney(books);
      await checkPayouts(shop, books);
      checkAnnouncements(books);
      for (const { status } of [...books.refunds, ...books.disputes]) reached.add(status!);
    }),
    { numRuns },
  );
  return reached;
}
