/**
 * Confirms a paid order: its state, payment and tickets, the door's changes and the mail are
 * stored in one transaction, whoever noticed the payment.
 */
import { noFees } from '#server/domain/price/fees.ts';
import type { Session } from '#server/adapters/stripe.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { ticketsOfAddress } from '#db/order/order-list.ts';
import { giveLines, linesOf, moveOrder, noteOrder, noteSession } from '#db/order/orders.ts';
import { insertPayment, sumPaid } from '#db/payment/payments.ts';
import type { EventRow, New, OrderLineRow, OrderRow, TicketRow } from '#db/rows.ts';
import { issueLost } from '#db/seat/lost-revisions.ts';
import { issueRevisions } from '#db/seat/seats.ts';
import { insertTickets } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import { isOverLimit, openStates } from '#server/domain/order/order.ts';
import { recoveredToken } from '#server/domain/order/order-record.ts';
import { minutesKept } from '#server/domain/door/kept.ts';
import { isFreeBooking } from '#server/domain/payment/give-back.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { readRestored } from '#server/services/kit/restored.ts';
import { sessionFacts } from './checkout.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import type { Giver } from './drawer.ts';
import { openExchange, settleExchange, takeCredit } from './exchange.ts';
import { endLetGo } from './let-go.ts';
import { leaseGiven, type LeasedCtx } from './order-lease.ts';
import { codeEndOf } from '#server/services/order/tickets.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

/** How the order was paid: Stripe's session, money taken by a person, or nothing to pay. */
export type Paid =
  | { kind: 'stripe'; session: Session }
  | { kind: 'manual'; payments: readonly HandPayment[]; note: string | null }
  | { kind: 'free'; note?: string }
  /** What tickets of another date give pays for all of it. */
  | { kind: 'exchange' };
/** A payment that a person took; `shift_id`: the shift whose drawer has the money. */
interface HandPayment {
  method: string;
  amount_cents: number;
  given_cents?: number | null;
  receipt_number?: string | null;
  shift_id?: string | null;
}
export interface Confirmation {
  paid: Paid;
  actor: Actor;
  /** Takes the places of an ended order again, in the same transaction. */
  retake?: (trx: Trx) => Promise<void>;
  /** The revisions of tickets that are out already, by place (RULES B3). */
  out?: ReadonlyMap<string, number | 'first'> | undefined;
  /** Also gives back the order's lease in the same commit. */
  givesLease?: boolean;
  /** Who may hand back what an exchange gives beyond the total. */
  giver?: Giver;
  /** Runs in the same transaction, after the order's confirmation. */
  alongside?: (trx: Trx) => Promise<void>;
}

/**
 * False: another process has changed the order first.
 * @throws Refusal exchange_changed
 */
export async function confirmOrder(
  ctx: LeasedCtx,
  order: OrderRow,
  confirmation: Confirmation,
): Promise<boolean> {
  const { paid, actor, retake, alongside } = confirmation;
  const amount = amountOf(paid) + (order.exchange_credit_cents ?? 0);
  // A guest's tickets are stored at price 0, so that the sums of the order stay true.
  const gift = paid.kind === 'free' && order.total_cents > 0;
  const changes = {
    ...columnsOf(ctx, order, confirmation),
    ...(gift ? { total_cents: 0, ...noFees } : {}),
    paid_cents: amount,
  };
  const confirmed = await transact(ctx.db, async (trx) => {
    const exchange = await openExchange(ctx, trx, order, retake !== undefined);
    if (!(await moveOrder(trx, order.id, retake ? ['deleted'] : openStates, 'confirmed', changes)))
      return false;
    const out = confirmation.out ?? (paid.kind === 'stripe' ? await lostOf(trx, order) : undefined);
    await retake?.(trx);
    if (gift) await giveLines(trx, order.id);
    // Locks the event's row: of two orders of an address at a time, the later counts both.
    await takeDoorTurn(trx, { act: 'order_confirmed', event_id: order.event_id });
    const event = await requireEventRow(trx, order.event_id);
    const test_money = exchange?.test_money ?? false;
    await issueTickets(ctx, trx, { event, order, paid, out, test_money });
    await markOverLimit(trx, { event, order, paid });
    await takeMoney(ctx, trx, order, confirmation);
    if (exchange) await takeCredit(ctx, trx, { exchange: exchange.exchange, actor });
    // An order that had ended may have earlier payments, which count too.
    const paid_cents = await sumPaid(trx, order.id);
    if (paid_cents !== amount) await noteOrder(trx, order.id, { paid_cents });
    await happened(ctx, trx, {
      actor,
      action: 'order_confirmed',
      subject: order.id,
      detail: {
        paid_by: paid.kind,
        amount_cents: amount,
        ...('note' in paid ? { reason: paid.note } : {}),
      },
      // A buyer at the counter without an address gets the tickets on paper.
      mails:
        order.channel === 'counter' && order.buyer_email === null
          ? []
          : [{ order_id: order.id, kind: 'tickets' }],
    });
    if (exchange) {
      const { giver } = confirmation;
      await settleExchange(ctx, trx, { open: exchange, order, actor, giver });
    }
    await alongside?.(trx);
    return true;
  });
  ctx.fault('confirmed');
  return confirmed;
}

/** The columns of a confirmed order, but for its sums. */
function columnsOf(ctx: Ctx, order: OrderRow, { paid, givesLease }: Confirmation) {
  return {
    ...sessionNews(order, paid),
    confirmed_at: ctx.now(),
    deleted_at: null,
    end_reason: null,
    checkout_url: null,
    needs_attention: null,
    paid_by: paid.kind,
    ...(givesLease && leaseGiven),
  };
}

/** Nothing is asked of the buyer: the order is free, or what it replaces pays for it. */
export function nothingDue({ total_cents }: Pick<OrderRow, 'total_cents'>): Paid {
  return { kind: total_cents === 0 ? 'free' : 'exchange' };
}

function amountOf(paid: Paid): number {
  if (paid.kind === 'stripe') return paid.session.amount_total;
  if (paid.kind === 'free' || paid.kind === 'exchange') return 0;
  return paid.payments.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** The columns about the session: paid, or closed because the order was paid another way. */
function sessionNews(order: OrderRow, paid: Paid): Partial<OrderRow> {
  if (paid.kind === 'stripe') return buyerOf(order, paid.session);
  return order.session_id === null ? {} : { session_status: 'expired' };
}

async function takeMoney(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { paid, actor }: Confirmation,
): Promise<void> {
  if (paid.kind === 'stripe') await takeSessionMoney(ctx, trx, { order, session: paid.session });
  if (paid.kind !== 'manual') return;
  for (const payment of paid.payments)
    await insertPayment(trx, {
      ...newPayment(ctx, order),
      ...payment,
      kind: 'manual',
      note: paid.note,
      actor,
    });
}

/** What the session says about payment and buyer, as columns of the order. */
export function buyerOf(order: OrderRow, session: Session): Partial<OrderRow> {
  const money = {
    session_status: session.status,
    payment_intent: session.payment_intent,
    receipt_number: session.receipt_number ?? order.receipt_number,
  };
  if (order.buyer_forgotten_at !== null) return money;
  // The office may have typed a name, address or phone that Stripe does not have.
  const buyer = {
    buyer_name: session.buyer_name?.slice(0, 200) ?? order.buyer_name,
    buyer_email: session.buyer_email?.slice(0, 254) ?? order.buyer_email,
    buyer_phone: session.buyer_phone?.slice(0, 40) ?? order.buyer_phone,
  };
  return {
    ...money,
    ...buyer,
    search_text: searchTextOf(order.number, buyer.buyer_name, buyer.buyer_email, buyer.buyer_phone),
  };
}

/**
 * Records the money of a paid session once, whatever happens to its order; `read_payment` adds
 * fee and receipt later.
 */
export async function takeSessionMoney(
  ctx: Ctx,
  trx: Trx,
  { order, session }: { order: OrderRow; session: Session },
): Promise<void> {
  await noteSession(trx, { id: session.id, order_id: order.id }, sessionFacts(ctx, session));
  if (session.payment_intent === null) return;
  await insertPayment(trx, {
    ...newPayment(ctx, order),
    kind: 'stripe',
    payment_intent: session.payment_intent,
    amount_cents: session.amount_total,
    actor: 'stripe',
  });
  await queueTask(ctx, trx, { task: 'read_payment', subject: session.payment_intent });
}

/** The columns that are the same for every new payment. */
function newPayment(ctx: Ctx, order: OrderRow) {
  return { id: ctx.newId(), order_id: order.id, disputed: 0, paid_at: ctx.now() } as const;
}

interface Issuing {
  event: EventRow;
  order: OrderRow;
  paid: Paid;
  out: Confirmation['out'];
  /** Test money paid for tickets that these replace. */
  test_money: boolean;
}

/** One ticket per line, each with the next revision of its place or the one that is out. */
async function issueTickets(
  ctx: Ctx,
  trx: Trx,
  { event, order, paid, out, test_money }: Issuing,
): Promise<void> {
  const lines = await linesOf(trx, order.id);
  const known = await issueAgain(trx, { event, out }, lines);
  await endLetGo(
    ctx,
    trx,
    { event, feed_seq: event.feed_seq },
    lines.map(({ place }) => place),
  );
  const places = lines.flatMap(({ place }) => (known.has(place) ? [] : [place]));
  const revisions =
    places.length === 0
      ? new Map<string, number>()
      : await issueRevisions(trx, event.id, {
          places,
          feed_seq: event.feed_seq,
          why: 'resold',
          now: ctx.now(),
        });
  const tickets = lines.map((line): New<TicketRow> => {
    const { place } = line;
    const again = known.get(place);
    const revision = again?.revision ?? requireValue(revisions.get(place), 'revision');
    const earlier_codes = again?.earlier_codes ?? 0;
    return {
      id: ctx.newId(),
      order_id: order.id,
      event_id: order.event_id,
      place: line.place,
      revision,
      code_end: codeEndOf(event, { place, revision, earlier_codes }),
      state: 'valid',
      ticket_type: line.ticket_type,
      type_label: line.type_label,
      price_cents: line.price_cents,
      test_money: test_money || (paid.kind === 'stripe' && !ctx.payments.live) ? 1 : 0,
      holder: null,
      holder_email: null,
      holder_changes: 0,
      reentry: order.reentry,
      issued_at: again?.issued_at ?? ctx.now(),
      ended_at: null,
      let_go_minutes:
        paid.kind === 'free' && isFreeBooking(order) ? minutesKept(event, ctx.now()) : null,
    };
  });
  await insertTickets(trx, tickets);
}

/**
 * An order that only Stripe had was most likely the first to have its places after the backup. One
 * that the backup has unpaid kept its places, so what was issued first on them is its own.
 */
async function lostOf(
  trx: Trx,
  { id, hold_token, created_at, state }: OrderRow,
): Promise<Confirmation['out']> {
  const restored = await readRestored(trx);
  const isInCopy = state !== 'deleted' && restored !== null && created_at < restored.restored_at;
  if (!isInCopy && hold_token !== recoveredToken(id)) return undefined;
  return new Map((await linesOf(trx, id)).map(({ place }) => [place, 'first']));
}

/**
 * The tickets of this order that a restored house has issued before, in the time that its backup
 * lacks: they get the same codes and date from the backup, so that no scan is older than they are.
 */
async function issueAgain(
  trx: Trx,
  { event: { id: event_id, feed_seq }, out }: Pick<Issuing, 'event' | 'out'>,
  lines: readonly OrderLineRow[],
) {
  const wanted = new Map(
    lines.flatMap(({ place }) => {
      const revision = out?.get(place);
      return revision === undefined ? [] : [[place, revision] as const];
    }),
  );
  if (wanted.size === 0) return new Map<string, never>();
  const known = await issueLost(trx, { event_id, feed_seq }, wanted);
  const issued_at = (await readRestored(trx))?.copied_at;
  return new Map([...known].map(([place, again]) => [place, { ...again, issued_at }]));
}

/**
 * Marks an order for the office if its buyer now has more tickets than the event allows; the
 * buyer keeps them, because Stripe tells the address only with the payment (RULES S3). Orders
 * that the office confirms are not marked.
 */
async function markOverLimit(
  trx: Trx,
  {
    event: { id: event_id, max_per_email },
    order,
    paid,
  }: { event: EventRow; order: OrderRow; paid: Paid },
): Promise<void> {
  if (paid.kind !== 'stripe' || paid.session.buyer_email === null || max_per_email === null) return;
  const orders = await ticketsOfAddress(trx, { event_id, email: paid.session.buyer_email });
  if (isOverLimit(orders, max_per_email))
    await noteOrder(trx, order.id, { needs_attention: 'too_many_for_address' });
}
