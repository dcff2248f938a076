/** The office takes orders of a moved or cancelled evening to another date (RULES E7). */
import { silentOn } from '#db/event/date-answers.ts';
import { lockEvent } from '#db/event/events.ts';
import { findTransfer, insertTransfer, lastTransfer } from '#db/event/transfers.ts';
import type { Db } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import type { EventRow, OrderRow, TransferOrderRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { announce } from '#server/services/event/announcements.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { happened } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { datesOnSale } from '#server/services/order/dates-on-sale.ts';
import { questionOfEvent, type EventQuestion } from '#server/services/refund/date-answers.ts';
import { outlookOf, type Outlook } from './plan.ts';

interface TransferAsk {
  to_event_id: string;
  /** Left out: all orders that have not answered. */
  order_ids?: readonly string[] | undefined;
}

interface Proposed {
  event: EventRow;
  question: EventQuestion;
  outlook: Outlook;
}

async function proposed(ctx: Ctx, event_id: string, ask: TransferAsk): Promise<Proposed> {
  const event = await knownEvent(ctx, event_id);
  const question = await questionOfEvent(ctx.db, event, ctx.now());
  if (question?.open !== true) throw new Refusal('question_over');
  const dates = await datesOnSale(ctx.db, event, ctx.now());
  if (!dates.some((date) => date.event_id === ask.to_event_id)) throw new Refusal('sale_closed');
  const to = await knownEvent(ctx, ask.to_event_id);
  const orders = await silentOrdersIn(ctx.db, question, ask.order_ids);
  if (orders.length === 0) throw new Refusal('nobody_to_move');
  return { event, question, outlook: await outlookOf(ctx, { from: event, to, orders }) };
}

async function silentOrdersIn(
  db: Db,
  question: EventQuestion,
  order_ids: readonly string[] | undefined,
): Promise<OrderRow[]> {
  const rows: OrderRow[] = await silentOn(db, question).orderBy('orders.id').select('orders.*');
  return order_ids === undefined ? rows : rows.filter(({ id }) => order_ids.includes(id));
}

/** Refuses as the contract of previewTransfer says. */
export async function previewTransfer(ctx: Ctx, event_id: string, ask: TransferAsk) {
  const { outlook } = await proposed(ctx, event_id, ask);
  return sumsOf(outlook);
}

function sumsOf({ ready, staying }: Outlook) {
  const sum = (of: (one: Outlook['ready'][number]) => number) =>
    ready.reduce((total, one) => total + of(one), 0);
  return {
    orders: ready.length,
    tickets: sum(({ ticket_ids }) => ticket_ids.length),
    same_seats: sum(({ same }) => same),
    back_orders: sum(({ back_cents }) => (back_cents > 0 ? 1 : 0)),
    back_cents: sum(({ back_cents }) => back_cents),
    staying: staying.map(({ order: { id: order_id, number, buyer_name }, obstacle }) => ({
      order_id,
      number,
      buyer_name,
      obstacle,
    })),
  };
}

function rowsOf(transfer_id: string, { ready, staying }: Outlook): TransferOrderRow[] {
  const untried = { transfer_id, sale_key: null, tries: 0, to_order_id: null };
  const waiting = { state: 'waiting', obstacle: null } as const;
  return [
    ...ready.map(({ order }) => ({ ...untried, ...waiting, order_id: order.id })),
    ...staying.map(({ order, obstacle }) => {
      const state = 'left' as const;
      return { ...untried, order_id: order.id, state, obstacle };
    }),
  ];
}

interface Start extends TransferAsk {
  transfer_key: string;
  expected_orders: number;
  expected_back_cents: number;
  actor: Actor;
}

/** Begins after a minute (RULES N4). Refuses as the contract of startTransfer says. */
export async function startTransfer(ctx: Ctx, event_id: string, ask: Start) {
  const { transfer_key: id, actor } = ask;
  const known = await findTransfer(ctx.db, id);
  if (known?.event_id === event_id) return { transfer_id: id };
  const { question, outlook } = await proposed(ctx, event_id, ask);
  const { orders, tickets, back_cents, staying } = sumsOf(outlook);
  if (orders !== ask.expected_orders || back_cents !== ask.expected_back_cents)
    throw new Refusal('transfer_changed');
  if (orders === 0) throw new Refusal('nobody_to_move');
  await transact(ctx.db, async (trx) => {
    await lockEvent(trx, event_id);
    const last = await lastTransfer(trx, event_id);
    if (last !== undefined && last.finished_at === null) throw new Refusal('transfer_running');
    // An earlier version would leave the orders waiting.
    await raiseFloor(ctx, trx, '1.8.0');
    const { to_event_id } = ask;
    const begun = { created_at: ctx.now(), finished_at: null };
    const row = { id, event_id, to_event_id, question_id: question.id, actor, ...begun };
    await insertTransfer(trx, row, rowsOf(id, outlook));
    await announce(ctx, trx, {
      id,
      event_id,
      act: 'orders_transferred',
      task: 'transfer_orders',
      subject: id,
      buyers: orders,
      moved: { event: {} },
      actor,
    });
    await happened(ctx, trx, {
      actor,
      action: 'orders_transferred',
      subject: event_id,
      detail: { transfer_id: id, to_event_id, orders, tickets, back_cents, left: staying.length },
    });
  });
  return { transfer_id: id };
}
