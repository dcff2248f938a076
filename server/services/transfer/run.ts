/**
 * Takes orders to another date, one after another; after a crash it goes on with the order at
 * which it stopped (RULES E7).
 */
import { requireEventRow } from '#db/event/events.ts';
import {
  findTransfer,
  finishTransfer,
  transferOrdersIn,
  turnTransferOrder,
} from '#db/event/transfers.ts';
import { findOrder, orderOfSale, requireOrderRow } from '#db/order/orders.ts';
import type { OrderRow, TransferOrderRow, TransferRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import type { ExchangeObstacle } from '#server/domain/order/exchange.ts';
import { mostTries, obstacleOfExchange } from '#server/domain/counter/transfer.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { retryAfterMs } from '#server/domain/time/backoff.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { turnOf } from '#server/services/event/announcements.ts';
import { withLease } from '#server/services/payment/order-lease.ts';
import { finishTransferred, moveToDate } from './carry.ts';
import { outlookOf } from './plan.ts';

/** The task lets other tasks run after this time, and continues later. */
const walkMs = 2_000;

/** The task: idempotent by the transfer and the order; returns when to continue. */
export async function transferOrders(ctx: Ctx, id: string): Promise<number | null> {
  const turn = await turnOf(ctx, 'transfer_orders', id);
  if (turn !== 'now') return turn;
  const transfer = await findTransfer(ctx.db, id);
  if (!transfer || transfer.finished_at !== null) return null;
  try {
    return await carryOn(ctx, transfer);
  } catch (error) {
    if (!isPassing(error)) throw error;
    ctx.log.warn({ err: error, transfer_id: id }, 'orders not taken to another date yet');
    return ctx.now() + retryAfterMs;
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof ProviderUnavailable) return true;
  return error instanceof Refusal && ['provider_silent', 'try_again'].includes(error.code);
}

async function carryOn(ctx: Ctx, transfer: TransferRow): Promise<number | null> {
  const until = ctx.now() + walkMs;
  const waiting = await transferOrdersIn(ctx.db, transfer.id, 'waiting');
  if (waiting.length === 0) {
    await transact(ctx.db, (trx) => finishTransfer(trx, transfer.id, ctx.now()));
    return null;
  }
  const fresh: OrderRow[] = [];
  for (const row of waiting)
    if (!(await resume(ctx, transfer, row)))
      fresh.push(await requireOrderRow(ctx.db, row.order_id));
  const from = await requireEventRow(ctx.db, transfer.event_id);
  const to = await requireEventRow(ctx.db, transfer.to_event_id);
  const { ready, staying } = await outlookOf(ctx, { from, to, orders: fresh });
  for (const { order, obstacle } of staying)
    await leave(ctx, { transfer_id: transfer.id, order_id: order.id }, obstacle);
  const tries = new Map(waiting.map((row) => [row.order_id, row.tries]));
  for (const one of ready) {
    if (ctx.now() > until) break;
    const row = { transfer_id: transfer.id, order_id: one.order.id };
    const nth = (tries.get(one.order.id) ?? 0) + 1;
    const sale_key = ctx.newId();
    if (!(await turnTransferOrder(ctx.db, row, { sale_key, tries: nth }))) continue;
    ctx.fault('transfer_tried');
    const actor = transfer.actor as Actor;
    await moveToDate(ctx, { transfer, to, ready: one, sale_key, actor }).catch((error: unknown) =>
      orLeave(ctx, { row, nth, error }),
    );
  }
  return ctx.now();
}

interface Failed {
  row: Pick<TransferOrderRow, 'transfer_id' | 'order_id'>;
  nth: number;
  error: unknown;
}

/** Seats that others took in this moment are chosen anew; what else is refused stays. */
async function orLeave(ctx: Ctx, { row, nth, error }: Failed): Promise<void> {
  if (!(error instanceof Refusal) || isPassing(error)) throw error;
  const { code, detail } = error;
  const reason = (detail as { reason?: ExchangeObstacle | null } | undefined)?.reason;
  if (code === 'exchange_refused' || code === 'exchange_changed')
    return void (await leave(ctx, row, obstacleOfExchange(reason ?? 'not_confirmed')));
  if (code === 'event_cancelled' || code === 'event_not_found')
    return void (await leave(ctx, row, 'date_closed'));
  if (nth >= mostTries) await leave(ctx, row, 'no_room');
}

async function leave(
  ctx: Ctx,
  row: Failed['row'],
  obstacle: NonNullable<TransferOrderRow['obstacle']>,
): Promise<void> {
  await turnTransferOrder(ctx.db, row, { state: 'left', obstacle });
}

/** True if the order of an earlier try is confirmed, or another process works on it. */
async function resume(ctx: Ctx, transfer: TransferRow, row: TransferOrderRow): Promise<boolean> {
  const made = row.sale_key === null ? undefined : await orderOfSale(ctx.db, row.sale_key);
  if (made?.state !== 'booking') return false;
  const run = (leased: Parameters<typeof finishTransferred>[0], order: OrderRow) =>
    finishTransferred(leased, { transfer, order, actor: transfer.actor as Actor });
  const done = await withLease(ctx, made.id, { waitMs: 0, run }).catch((error: unknown) =>
    orLeave(ctx, { row, nth: row.tries, error }),
  );
  if (done === null) throw new Refusal('try_again');
  return (await findOrder(ctx.db, made.id))?.state === 'confirmed';
}
