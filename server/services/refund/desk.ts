/**
 * Refunds in the office: quotes, refunds of tickets or of an amount, decisions about requests,
 * and refunds that failed at Stripe.
 */
import type { Trx } from '#db/engine/dialect.ts';
import { ticketsInside } from '#db/door/admissions.ts';
import { clearAgainst } from '#db/door/against.ts';
import { codesHeldBy, giveUsesBack } from '#db/event/price-codes.ts';
import { linesOf, lockOrder, ordersOnPlaces } from '#db/order/orders.ts';
import {
  findRefund,
  isRefundedByAnother,
  moveRefund,
  noteRefund,
  passRests,
  refundLinesOf,
  setRefundLines,
  sumCounted,
  requireRefund,
} from '#db/payment/refunds.ts';
import { insertParts, partColumns } from '#db/payment/refund-parts.ts';
import type { EventRow, OrderRow, RefundRow, TicketRow } from '#db/rows.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import { reviveTickets } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import { chosenLines, endsAll, refundQuote } from '#server/domain/payment/refund-quote.ts';
import {
  refundUntil,
  type RefundAsk,
  hasFailed,
  type RefundOrigin,
  type RefundState,
} from '#server/domain/payment/refund.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { happened, oweMail, takeDoorTurn } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { requireOrder, orderAndEvent } from '#server/services/order/find-order.ts';
import { withLeaseOrRefuse } from '#server/services/payment/order-lease.ts';
import { longPendingMs } from '#server/services/payment/payment-record.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { clearAttention, recountMoney } from '#server/services/payment/provider-record.ts';
import {
  lineIdsOf,
  lockedFacts,
  quoteInWords,
  factsOfOrder,
} from '#server/services/order/refund-facts.ts';
import { refuseTaken } from './requests.ts';
import { refundsInWords, startRefund, type RefundInWords } from './views.ts';
import { carryOut, requestRefund, settleTickets } from '#server/services/payment/refunds.ts';
import { defaultParts, takeFromTills, type Giver } from '#server/services/payment/drawer.ts';
import {
  handOf,
  kindOf,
  requestAllWays,
  requestRests,
  waysBack,
} from '#server/services/payment/way-back.ts';
import { codeMails } from '#server/services/kit/mail-queue.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

interface OfficeAsk {
  ticket_ids?: readonly string[];
  amount_cents?: number;
  with_fees?: boolean;
  with_money?: boolean;
}

/** `codes`: those whose use may be given back, because all tickets of the order end. */
export async function quoteForOffice(ctx: Ctx, order_id: string, ask: OfficeAsk) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const found = await factsOfOrder(ctx.db, { event, order, now: ctx.now() });
  const wish: RefundAsk = {
    ...ask,
    by: 'office',
    line_ids: lineIdsOf(found.lines, ask.ticket_ids),
  };
  const quote = quoteInWords(found, wish);
  const chosen = quote.lines.flatMap(({ chosen, ticket_id }) => (chosen && ticket_id) || []);
  return {
    ...quote,
    inside: await ticketsInside(ctx.db, chosen),
    codes: endsAll(quote) ? await codesHeldBy(ctx.db, order.id) : [],
    kind: order.paid_by ?? ('free' as const),
    with_fees: ask.with_fees ?? !found.facts.event.keeps_fees,
    until: refundUntil(found.facts),
    ...(await handPartOf(ctx, order, quote.amount_cents)),
  };
}

/** What of this sum goes back by hand, and how unless a person says otherwise. */
async function handPartOf(ctx: Ctx, order: OrderRow, amount_cents: number) {
  const hand_cents = handOf(await waysBack(ctx.db, order, amount_cents))?.amount_cents ?? 0;
  return { hand_cents, ways: await defaultParts(ctx.db, order.id, hand_cents) };
}

export async function refundsOfOrder(ctx: Ctx, order_id: string) {
  await requireOrder(ctx, order_id);
  return { items: await refundsInWords(ctx.db, { order_id }, { limit: 500, after: null }) };
}

interface RefundListAsk extends ListAsk {
  state?: RefundState;
  origin?: RefundOrigin;
  run_id?: string;
  event_id?: string;
  open?: boolean;
}

/** The refunds, newest first. */
export async function refundList(ctx: Ctx, { limit, cursor, q, open, ...filter }: RefundListAsk) {
  const waitingSince = open === true ? ctx.now() - longPendingMs : undefined;
  const { rows, next_cursor } = await listPage(
    { limit, cursor, q },
    (page) => refundsInWords(ctx.db, { ...filter, waitingSince }, page),
    {
      timeOf: (row) => row.created_at,
      textsOf: (row) => [row.number, row.buyer_name, row.event_title, row.receipt_number],
    },
  );
  return { items: rows, next_cursor };
}

/** `expected_left_cents`: needed only without named tickets, whose sum is checked anyway. */
interface OfficeRefund extends OfficeAsk, Giver {
  expected_cents: number;
  expected_left_cents?: number;
  reason: string;
  voids_tickets?: boolean;
  frees_seats?: boolean;
  handed_back?: boolean;
  gives_codes_back?: boolean;
}

/** Refunds tickets or an amount, if the sums are still those that the person saw. */
export async function refundByOffice(
  ctx: Ctx,
  order_id: string,
  ask: OfficeRefund,
): Promise<RefundInWords> {
  const { event } = await orderAndEvent(ctx, order_id);
  const id = await transact(ctx.db, (trx) => refundInTrx(ctx, trx, { order_id, event, ask })).catch(
    refuseTaken,
  );
  return startRefund(ctx, id);
}

async function refundInTrx(
  ctx: Ctx,
  trx: Trx,
  { order_id, event, ask }: { order_id: string; event: EventRow; ask: OfficeRefund },
): Promise<string> {
  const order = await lockOrder(trx, order_id);
  const found = await lockedFacts(trx, { event, order, now: ctx.now() });
  const { ticket_ids, amount_cents, with_fees, with_money } = ask;
  if (ticket_ids !== undefined && amount_cents !== undefined)
    throw new Refusal('bad_request', { fields: ['amount_cents'] });
  const quote = refundQuote(found.facts, {
    by: 'office',
    line_ids: lineIdsOf(found.lines, ticket_ids),
    amount_cents,
    with_fees,
    with_money,
  });
  const { expected_cents, expected_left_cents = quote.left_cents } = ask;
  if (quote.amount_cents !== expected_cents || quote.left_cents !== expected_left_cents)
    throw new Refusal('refund_changed', {
      amount_cents: quote.amount_cents,
      left_cents: quote.left_cents,
    });
  if (quote.obstacle !== null) throw new Refusal('refund_refused', { reason: quote.obstacle });
  const lines = chosenLines(quote);
  const voids_tickets = lines.length > 0 && (ask.voids_tickets ?? true);
  const ways = await waysBack(trx, order, quote.amount_cents);
  if (ask.handed_back === true && handOf(ways) === undefined)
    throw new Refusal('bad_request', { fields: ['handed_back'] });
  if (ask.gives_codes_back === true && !(voids_tickets && endsAll(quote)))
    throw new Refusal('bad_request', { fields: ['gives_codes_back'] });
  const codes = ask.gives_codes_back === true ? await codesHeldBy(trx, order.id) : [];
  await giveUsesBack(trx, codes.length > 0 ? [order.id] : [], ctx.now());
  const draft = {
    order,
    codes,
    origin: 'office' as const,
    actor: `user:${ask.user_id}` as const,
    amount_cents: quote.amount_cents,
    lines,
    voids_tickets,
    // The seat of a valid ticket is not sold again.
    frees_seats: voids_tickets && (ask.frees_seats ?? true),
    reason: ask.reason.trim(),
  };
  const giver = ask.handed_back === true ? ask : undefined;
  const refund = await requestAllWays(ctx, trx, draft, { ways, giver });
  return refund.id;
}

interface Opened {
  trx: Trx;
  order: OrderRow;
  refund: RefundRow;
}

/** Locks the order, reads the refund, and calls `run` with both. */
async function withRefund(
  ctx: Ctx,
  refund_id: string,
  run: (opened: Opened) => Promise<string | void>,
): Promise<RefundInWords> {
  const known = await findRefund(ctx.db, refund_id);
  if (!known) throw new Refusal('refund_not_found');
  const id = await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, known.order_id);
    return run({ trx, order, refund: await requireRefund(trx, refund_id) });
  }).catch(refuseTaken);
  return startRefund(ctx, id ?? refund_id);
}

interface Decision<T extends string> {
  user_id: string;
  decision: T;
  note?: string;
}

/**
 * Decides a request: an approved one becomes a refund; for a refused one the buyer is told the
 * reason. The same decision again changes nothing.
 */
export async function decideRefund(
  ctx: Ctx,
  refund_id: string,
  { user_id, decision, note: words }: Decision<'approve' | 'refuse'>,
): Promise<RefundInWords> {
  return withRefund(ctx, refund_id, async ({ trx, order, refund }) => {
    if (refund.origin !== 'buyer') throw new Refusal('refund_not_open');
    if (refund.state !== 'asked') {
      if ((decision === 'refuse') === (refund.state === 'refused') && refund.decided_at !== null)
        return;
      throw new Refusal('refund_not_open', { state: refund.state });
    }
    const actor: Actor = `user:${user_id}`;
    const decided = { decided_at: ctx.now(), actor };
    if (decision === 'refuse') {
      await moveRefund(trx, refund.id, ['asked'], {
        ...decided,
        state: 'refused',
        settled_at: ctx.now(),
        failure: words?.trim().slice(0, 200) || null,
      });
      await setRefundLines(trx, refund.id, { live: 0 });
      await happened(ctx, trx, {
        actor,
        action: 'refund_refused',
        subject: order.id,
        detail: { refund_id: refund.id, amount_cents: refund.amount_cents, note: words },
        mails: [{ order_id: order.id, kind: 'refund_refused', key: refund.id }],
      });
    } else {
      if (refund.amount_cents > order.paid_cents - (await sumCounted(trx, order.id)))
        throw new Refusal('refund_changed', { reason: 'too_much' });
      await approve(ctx, { trx, order, refund }, { ...decided, note: words });
    }
  });
}

/** A wish of an order that was paid in several ways becomes a refund of each. */
async function approve(
  ctx: Ctx,
  { trx, order, refund }: Opened,
  { note, ...decided }: { decided_at: number; actor: Actor; note: string | undefined },
): Promise<void> {
  const [own, ...rests] = await waysBack(trx, order, refund.amount_cents);
  const news = { ...own, kind: kindOf(own) };
  await moveRefund(trx, refund.id, ['asked'], { ...decided, ...news, state: 'requested' });
  await carryOut(ctx, trx, {
    order,
    refund: { ...refund, ...news, state: 'requested' },
    act: 'refund_approved',
    actor: decided.actor,
    detail: { note },
  });
  const { origin, reason } = refund;
  const draft = { order, origin, reason, actor: decided.actor };
  await requestRests(ctx, trx, { refund, draft, rests });
}

/**
 * Makes a new refund instead of the failed one. Its key is made from the old refund's, so that
 * pressing twice makes one refund.
 */
export async function retryRefund(
  ctx: Ctx,
  refund_id: string,
  user_id: string,
): Promise<RefundInWords> {
  return withRefund(ctx, refund_id, async ({ trx, order, refund }) => {
    const idempotency_key = `refund:${refund.id}:again`;
    if (!isOpenFailure(refund) && refund.failure !== 'tried_again')
      throw new Refusal('refund_not_open', { state: refund.state });
    const again = await requestRefund(ctx, trx, {
      order,
      origin: refund.origin === 'stripe' ? 'office' : refund.origin,
      actor: `user:${user_id}`,
      payment_intent: refund.payment_intent,
      amount_cents: refund.amount_cents,
      reason: refund.reason,
      lines: (await refundLinesOf(trx, refund.id)).map(
        ({ line_id, price_cents, fee_cents, service_cents }) => ({
          line_id,
          price_cents,
          fee_cents,
          service_cents,
        }),
      ),
      voids_tickets: refund.voids_tickets === 1,
      frees_seats: refund.frees_seats === 1,
      again: true,
      idempotency_key,
      ...(refund.run_id === null ? {} : { run_id: refund.run_id }),
      ...(refund.rest_of === null ? {} : { rest_of: refund.rest_of }),
    });
    await noteRefund(trx, refund.id, {
      settled_at: refund.settled_at ?? ctx.now(),
      failure: 'tried_again',
    });
    await passRests(trx, refund.id, again.id);
    await clearAttention(trx, order, ['refund_failed']);
    return again.id;
  });
}

/** True if the refund has failed and nobody has decided about its money yet. */
function isOpenFailure({ state, settled_at }: RefundRow): boolean {
  return hasFailed(state) && settled_at === null;
}

type Settlement = 'handed_back' | 'restore' | 'void' | 'keep';

export async function settleRefund(
  ctx: Ctx,
  refund_id: string,
  answer: Decision<Settlement> & Giver,
): Promise<RefundInWords> {
  if (answer.decision !== 'restore') return settleNow(ctx, refund_id, answer);
  const known = await findRefund(ctx.db, refund_id);
  if (!known) throw new Refusal('refund_not_found');
  // While the tickets are restored, the order's lease keeps a task from releasing their seats.
  return withLeaseOrRefuse(ctx, known.order_id, (leased) => settleNow(leased, refund_id, answer));
}

function settleNow(
  ctx: Ctx,
  refund_id: string,
  answer: Decision<Settlement> & Giver,
): Promise<RefundInWords> {
  return withRefund(ctx, refund_id, async (opened) => {
    const { trx, order, refund } = opened;
    const { user_id, decision, note: words } = answer;
    let revived: TicketRow[] = [];
    if (refund.origin === 'stripe' && !isOpenFailure(refund)) {
      if (refund.settled_at !== null || (decision !== 'void' && decision !== 'keep'))
        throw new Refusal('refund_not_open');
      await settleTickets(ctx, trx, order, { user_id, decision, note: words ?? '' });
    } else {
      revived = await settleInTrx(ctx, opened, answer);
      await clearAttention(trx, order, ['refund_failed']);
    }
    const ticket_ids = revived.map(({ id }) => id);
    const { buyer_email } = order;
    await happened(ctx, trx, {
      actor: `user:${user_id}`,
      action: `refund_${decision}`,
      subject: order.id,
      detail: {
        refund_id,
        amount_cents: refund.amount_cents,
        note: words,
        drawer_reason: answer.drawer_reason,
        ...(ticket_ids.length > 0 && { ticket_ids }),
      },
      // They were told that the tickets had ended.
      mails: [
        ...(revived.length > 0 && buyer_email !== null
          ? [{ order_id: order.id, kind: 'tickets' as const, key: `#${refund_id}` }]
          : []),
        ...codeMails(
          revived.map((ticket) => ({ ...ticket, buyer_email })),
          `#${refund_id}`,
        ),
      ],
    });
  });
}

async function settleInTrx(
  ctx: Ctx,
  { trx, order, refund }: Opened,
  { decision, ...giver }: Decision<Settlement> & Giver,
): Promise<TicketRow[]> {
  const waitsForCash = refund.kind === 'manual' && refund.state === 'requested';
  if (!isOpenFailure(refund) && !(waitsForCash && decision === 'handed_back'))
    throw new Refusal('refund_not_open', { state: refund.state });
  if (decision === 'handed_back') {
    await handBack(ctx, { trx, order, refund }, giver);
    return [];
  }
  if (decision === 'void') throw new Refusal('refund_not_open');
  const revived = decision === 'restore' ? await restoreTickets(trx, order, refund) : [];
  await noteRefund(trx, refund.id, { settled_at: ctx.now() });
  return revived;
}

/** The money was handed back in cash or by transfer, so the refund no longer follows Stripe. */
async function handBack(ctx: Ctx, { trx, order, refund }: Opened, giver: Giver): Promise<void> {
  const counted =
    (await sumCounted(trx, order.id)) - (refund.state === 'requested' ? refund.amount_cents : 0);
  if (refund.amount_cents > order.paid_cents - counted)
    throw new Refusal('refund_changed', { reason: 'too_much' });
  const { amount_cents } = refund;
  const parts = await takeFromTills({ trx, order, amount_cents, giver });
  await insertParts(trx, refund.id, parts);
  await moveRefund(trx, refund.id, [refund.state], {
    ...partColumns(parts),
    state: 'succeeded',
    kind: 'manual',
    settled_at: ctx.now(),
    actor: `user:${giver.user_id}`,
  });
  await setRefundLines(trx, refund.id, { live: 1 });
  await recountMoney(trx, order.id);
  const mail = { order_id: order.id, kind: 'refunded', key: refund.id } as const;
  await oweMail(ctx, trx, { act: 'refund_handed_back', ...mail });
  if (refund.frees_seats === 1)
    await queueTask(ctx, trx, { task: 'run_refund', subject: refund.id });
}

/** Gives the buyer the seats back, if no other order has them. */
async function restoreTickets(trx: Trx, order: OrderRow, refund: RefundRow): Promise<TicketRow[]> {
  const lines = new Set((await refundLinesOf(trx, refund.id)).map((line) => line.line_id));
  const own = (await linesOf(trx, order.id)).filter((line) => lines.has(line.id));
  if (refund.voids_tickets === 0 || own.length === 0)
    throw new Refusal('refund_not_open', { reason: 'no_tickets' });
  // Another refund covers these seats, so a restored guest would have none.
  if (await isRefundedByAnother(trx, refund.id, [...lines]))
    throw new Refusal('refund_not_open', { reason: 'refunded_again' });
  const released = own.filter((line) => line.released_at !== null).map((line) => line.place);
  if (released.length > 0)
    throw new Refusal('seats_sold_again', {
      orders: await ordersOnPlaces(trx, order.event_id, released),
    });
  const { event_id } = order;
  const { feed_seq } = await takeDoorTurn(trx, { act: 'refund_restore', event_id });
  const revived = await reviveTickets(
    trx,
    order.id,
    own.map((line) => line.place),
  );
  await clearAgainst(
    trx,
    event_id,
    revived.map(({ place }) => place),
  );
  await touchPlaces(trx, event_id, { places: revived.map(({ place }) => place), feed_seq });
  return revived;
}

/** In cents; 0 if there is no such refund. */
export async function amountOf(ctx: Ctx, refund_id: string): Promise<number> {
  return (await findRefund(ctx.db, refund_id))?.amount_cents ?? 0;
}
