/**
 * The actions of people and machines in a history, through the product's services and the
 * vendors' pages.
 */
import { awaitsClick, confirmByClick } from '#server/services/payment/click.ts';
import { reconcile, cancelOrder } from '#server/services/payment/settle.ts';
import type { Ctx } from '#server/services/context.ts';
import { cancelEvent, previewCancellation } from '#server/services/refund/cancelled-event.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import {
  decideRefund,
  quoteForOffice,
  refundByOffice,
  refundList,
  retryRefund,
  settleRefund,
} from '#server/services/refund/desk.ts';
import { askRefund, quoteForBuyer, withdrawRefund } from '#server/services/refund/requests.ts';
import { confirmByOffice, settleAttention } from '#server/services/office/decide-order.ts';
import { orderPage, orderStatus } from '#server/services/refund/orders.ts';
import { takeWebhook } from '#server/services/payment/webhooks.ts';
import { findOrder } from '#db/order/orders.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import { decisionsFor } from '#server/domain/order/order.ts';
import { runDue } from '#server/jobs/runner.ts';
import { watchClock } from '#server/services/kit/clock.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isDatabaseBusy } from '#db/engine/dialect.ts';
import { hearOf, one, type Act } from './act.ts';
import { blockDeeds } from './block-deeds.ts';
import { contingentDeeds, withCode } from './contingent-deeds.ts';
import { counterDeeds } from './counter-deeds.ts';
import { depositDeeds } from './deposit-deeds.ts';
import { exchangeDeeds } from './exchange-deeds.ts';
import { moveDeeds } from './move-deeds.ts';
import { rehousingDeeds } from './rehousing-deeds.ts';
import { swapDeeds } from './swap-deeds.ts';
import { book, cartOf } from './cart.ts';
import type { Deed, Op } from './history.ts';
import { inShort } from './hunt.ts';
import { operationNow } from './scheduler.ts';
import type { KnownSession, StripeEvent } from './stripe-double.ts';
import { eveningOf, type World } from './world.ts';

/** Actions on our server. */
const served: Partial<Record<Deed, Act>> = {
  ...counterDeeds,
  ...blockDeeds,
  ...moveDeeds,
  ...contingentDeeds,
  ...rehousingDeeds,
  ...exchangeDeeds,
  ...swapDeeds,
  ...depositDeeds,
  async 'book with code'(world, ctx, { which, how }) {
    await book(world, ctx, cartOf(world, which, { nth: which, ...(await withCode(ctx, how)) }));
  },
  async book(world, ctx, { which, how }) {
    await book(world, ctx, cartOf(world, which, { nth: how, evening: which + how }));
  },
  async 'book again'(world, ctx, { which }) {
    const { ask } = world.visitors[which % world.visitors.length]!;
    if (ask) await book(world, ctx, ask);
  },
  async cancel(world, ctx, { which }) {
    const order = one(world.orders, which);
    if (order !== undefined) await cancelOrder(ctx, order);
  },
  async webhook(world, ctx, { which, how }) {
    const event = one(world.stripe.events, which * 16 + how);
    if (!event) return;
    for (let times = how % 2; times >= 0; times -= 1)
      await deliver(world, ctx, event, how === 15 ? 'forged' : 'signed by stripe');
  },
  async look(world, ctx, { which, how }) {
    const order = one(world.orders, which);
    if (order !== undefined) await look(world, ctx, { order, page: how % 2 === 0 });
  },
  async work(_, ctx) {
    const done = await runDue(ctx);
    await keepFigures(ctx, new AbortController().signal);
    return done;
  },
  reconcile: (_, ctx) => reconcile(ctx, new AbortController().signal),
  async 'office confirms'(world, ctx, { which, how }) {
    const order = one(world.orders, which);
    const row = order === undefined ? undefined : await findOrder(ctx.db, order);
    if (row)
      await confirmByOffice(ctx, row.id, {
        user_id: 'office',
        reason: 'pagato in cassa',
        method: how % 4 === 0 ? 'guest' : 'cash',
        expected_cents: row.total_cents,
      });
  },
  async 'office refunds'(world, ctx, { which, how }) {
    const order = paidOrder(world, which);
    if (order === undefined) return;
    await look(world, ctx, { order, page: true });
    const giver = { user_id: 'office', role: 'office' as const };
    const tickets = (await ticketsOfOrder(ctx.db, order)).map((ticket) => ticket.id);
    const ask = [
      { ticket_ids: tickets.slice(0, 1) },
      {},
      { amount_cents: 300 },
      { ticket_ids: tickets.slice(0, 1), with_fees: true },
      { with_fees: true },
      { with_money: false },
    ][how % 6]!;
    const quote = await quoteForOffice(ctx, order, ask);
    await refundByOffice(ctx, order, {
      ...ask,
      ...giver,
      expected_cents: quote.amount_cents,
      expected_left_cents: quote.left_cents,
      reason: 'richiesta',
      ...(how > 11 ? { frees_seats: false } : {}),
      ...(how === 7 ? { voids_tickets: false } : {}),
    });
  },
  async 'office decides'(world, ctx, { which, how }) {
    const refund = one((await refundList(ctx, { open: true })).items, which);
    const answer = { user_id: 'office', note: 'deciso' };
    if (refund?.state === 'asked')
      await decideRefund(ctx, refund.refund_id, {
        ...answer,
        decision: how % 3 === 0 ? 'refuse' : 'approve',
      });
    else if (refund && how % 2 === 0) await retryRefund(ctx, refund.refund_id, 'office');
    else if (refund)
      await settleRefund(ctx, refund.refund_id, {
        ...answer,
        role: 'office',
        decision: (['handed_back', 'restore', 'void', 'keep'] as const)[which % 4]!,
      });
    else {
      const order = one(world.orders, which);
      const row = order === undefined ? undefined : await findOrder(ctx.db, order);
      const decision = one(decisionsFor(row?.needs_attention ?? null), how);
      if (row && decision !== undefined)
        await settleAttention(ctx, row.id, { ...answer, decision });
    }
  },
  async 'buyer asks refund'(world, ctx, { which, how }) {
    const order = paidOrder(world, which);
    if (order === undefined) return;
    await look(world, ctx, { order, page: true });
    const tickets = (await ticketsOfOrder(ctx.db, order)).map((ticket) => ticket.id);
    const ticket_ids = how % 2 === 0 ? tickets : tickets.slice(0, 1);
    if (ticket_ids.length === 0) return;
    const { amount_cents } = await quoteForBuyer(ctx, order, ticket_ids);
    const { refund_id } = await askRefund(ctx, order, { ticket_ids, expected_cents: amount_cents });
    if (how > 12) await withdrawRefund(ctx, order, refund_id);
  },
  async 'event cancelled'(world, ctx, { which, how }) {
    const evening = eveningOf(world, which);
    const preview = await previewCancellation(ctx, evening, how % 2 === 0);
    await cancelEvent(ctx, evening, {
      user_id: 'office',
      reason: 'malattia',
      with_fees: how % 2 === 0,
      expected_cents: preview.sum_cents,
      expected_orders: preview.orders,
    });
  },
  'compare books': (_, ctx) => compareBooks(ctx, new AbortController().signal),
};

/** Actions elsewhere, done immediately or after a step at the bank. */
const elsewhere: Partial<Record<Deed, (world: World, op: Op) => Promise<void> | void>> = {
  async pay(world, { which, how }) {
    const session = one(payable(world, how % 5 !== 0), which);
    if (!session) return;
    // A tax that depends on the buyer.
    if (how === 7) session.extra = 100;
    if (how % 4 === 3) await world.scheduler.park(world.street, 2 * 60_000);
    world.tell(`${session.id} is ${world.stripe.pay(session.id, 'card') ? 'paid' : 'not payable'}`);
  },
  'pay slowly'(world, { which }) {
    const session = one(payable(world, true), which);
    if (session)
      world.tell(
        `${session.id} is ${world.stripe.pay(session.id, 'slow') ? 'completed, unpaid' : 'not payable'}`,
      );
  },
  'end slow payment'(world, { which, how }) {
    const payment = one(paymentsOf(world, 'processing'), which);
    if (payment) world.stripe.endSlowPayment(payment, how % 2 === 0);
  },
  'dashboard refund'(world, { which, how }) {
    const undisputed = paymentsOf(world, 'succeeded').filter(
      (known) => known.disputes.length === 0,
    );
    const payment = one(undisputed, which);
    if (!payment) return;
    world.stripe.refundInDashboard(payment, how % 2 === 0 ? payment.amount : 500);
  },
  'refund moves'(world, { which, how }) {
    const refund = one(
      world.stripe.payments
        .flatMap((payment) => payment.refunds)
        .filter((known) => known.status === 'pending'),
      which,
    );
    if (refund) world.stripe.moveRefund(refund, how % 3 === 0 ? 'failed' : 'succeeded');
  },
  dispute(world, { which, how }) {
    const payment = one(paymentsOf(world, 'succeeded'), which);
    if (!payment) return;
    if (payment.disputes.length === 0) world.stripe.dispute(payment);
    else world.stripe.closeDispute(payment, how % 2 === 0 ? 'won' : 'lost');
  },
  account(world, { which }) {
    const payment = one(paymentsOf(world, 'succeeded'), which);
    if (payment) world.stripe.account(payment);
  },
  'seat freed by hand'(world, { which, how }) {
    const isTable = world.tables && how % 4 > 0;
    world.seats.freeByHand(isTable ? `T${(which % 2) + 1}` : `A${(which % 3) + 1}`);
  },
};

/** Sessions whose address was given out; `open` limits them to those that can still be paid. */
function payable({ stripe }: World, open: boolean): KnownSession[] {
  return stripe.sessions.filter((session) => session.seen && (!open || session.status === 'open'));
}

function paymentsOf({ stripe }: World, status: 'processing' | 'succeeded') {
  return stripe.payments.filter((payment) => payment.status === status);
}

/** A paid order, or any order if none is paid. */
function paidOrder(world: World, which: number): string | undefined {
  // An order may be paid by the tickets of another one.
  if (world.exchanges) return one(world.orders, which);
  const paid = new Set(paymentsOf(world, 'succeeded').map((payment) => payment.order_id));
  return one([...paid], which) ?? one(world.orders, which);
}

/**
 * A change of hall, exchanges and swaps are played with few other actions, because among many they
 * rarely complete.
 */
export function deedsOf({
  rehouses = false,
  exchanges = false,
  swaps = false,
  deposits = false,
}: Partial<Record<'rehouses' | 'exchanges' | 'swaps' | 'deposits', boolean>>): Deed[] {
  const all = [...Object.keys(served), ...Object.keys(elsewhere)] as Deed[];
  const left = [
    ...(rehouses ? [] : ['office rehouses']),
    ...(exchanges ? [] : Object.keys(exchangeDeeds)),
    ...(swaps ? [] : Object.keys(swapDeeds)),
    ...(deposits ? [] : Object.keys(depositDeeds)),
  ];
  return all.filter((deed) => !left.includes(deed));
}

/** Begins the action, which continues at each of its turns. */
export async function begin(world: World, op: Op, number: number): Promise<void> {
  const words = `${number}. ${op.deed}`;
  const seen = { call: 0, statement: 0, point: 0 };
  const away = elsewhere[op.deed];
  if (away) {
    world.scheduler.start(
      { machine: world.street, words, faults: [], seen, over: false },
      async () => {
        await world.scheduler.park(world.street);
        await away(world, op);
      },
    );
    return;
  }
  const { machine, ctx } = await world.server(op.how);
  world.scheduler.start({ machine, words, faults: op.faults, seen, over: false }, async () => {
    try {
      await served[op.deed]!(world, ctx, op);
    } catch (error) {
      if (machine.dead) return;
      if (error instanceof Refusal) {
        world.tell(
          `${words}: refused, ${error.code}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`,
        );
        world.count(`refused ${op.deed}: ${error.code}`);
      } else if (isDatabaseBusy(error)) world.tell(`${words}: the database is busy`);
      else world.wrong(`${words}: ${inShort(error)}`);
    }
  });
}

/** What the schedule of each living process does every second. */
export function watchClocks(world: World): void {
  for (const { machine, ctx } of world.machines.filter(Boolean)) {
    if (machine.dead) continue;
    const seen = { call: 0, statement: 0, point: 0 };
    const words = 'the clock is looked at';
    world.scheduler.start({ machine, words, faults: [], seen, over: false }, async () => {
      await world.scheduler.park(machine);
      await watchClock(ctx).catch((error: unknown) => {
        if (!machine.dead && !isDatabaseBusy(error)) world.wrong(`${words}: ${inShort(error)}`);
      });
    });
  }
}

export async function look(
  world: World,
  ctx: Ctx,
  { order, page }: { order: string; page: boolean },
): Promise<void> {
  // Answers may overtake each other, so only a request sent after the confirmation must see it.
  const wasTold = world.toldConfirmed.has(order);
  const status = page ? await orderPage(ctx, order) : await orderStatus(ctx, order);
  hearOf(world, order, status.checkout_url);
  if (page) await clickInMail(ctx, order);
  if (status.order_confirmed_at !== null) world.toldConfirmed.add(order);
  else if (wasTold) world.wrong(`${order} was confirmed, and is not any more`);
}

/** A visitor who opens the page of a free booking also presses the link in its mail. */
async function clickInMail(ctx: Ctx, order_id: string): Promise<void> {
  const order = await findOrder(ctx.db, order_id);
  if (!order || !awaitsClick(order)) return;
  await confirmByClick(ctx, order_id, order.click_key ?? '').catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

export async function deliver(
  world: World,
  ctx: Ctx,
  event: StripeEvent,
  signature: string,
): Promise<void> {
  world.tell(`${event.id} ${event.type} is delivered`);
  await takeWebhook(ctx, Buffer.from(JSON.stringify(event)), signature);
  if (!operationNow()?.machine.dead) event.delivered = true;
}
