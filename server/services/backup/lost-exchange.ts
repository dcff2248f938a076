/** Writes again, as ended unpaid, the exchange of an order that only Stripe has (RULES B2). */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { insertExchange } from '#db/order/exchanges.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { OrderRow, TicketRow } from '#db/rows.ts';
import type { RecordedExchange } from '#server/domain/order/order-record.ts';
import type { Ctx } from '#server/services/context.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';

interface LostExchange {
  told: RecordedExchange;
  tickets: readonly TicketRow[];
}

/** Null: it had none, or the copy lacks an old ticket; then its money goes back (RULES O5). */
export async function findLost(
  db: Db,
  told: RecordedExchange | undefined,
): Promise<LostExchange | null> {
  if (told === undefined) return null;
  const { from_order_id, ticket_ids } = told;
  const tickets = (await ticketsOfOrder(db, from_order_id)).filter(({ id }) =>
    ticket_ids.includes(id),
  );
  return tickets.length === ticket_ids.length ? { told, tickets } : null;
}

/** Its payment makes it, if the old tickets still give what was agreed (RULES M7). */
export async function writeLost(
  ctx: Ctx,
  trx: Trx,
  { order, lost: { told, tickets } }: { order: OrderRow; lost: LostExchange },
): Promise<void> {
  const { from_order_id, credit_cents, back_cents, fee_cents } = told;
  await raiseFloor(ctx, trx, '1.7.0');
  const exchange_id = ctx.newId();
  await insertExchange(
    trx,
    {
      id: exchange_id,
      from_order_id,
      to_order_id: order.id,
      state: 'ended',
      credit_cents,
      back_cents,
      fee_cents,
      ended_why: 'unpaid',
      reason: null,
      question_id: null,
      actor: 'system',
      created_at: order.created_at,
      settled_at: ctx.now(),
      refund_id: null,
      back_refund_id: null,
    },
    tickets.map(({ id: ticket_id, place, revision }) => ({
      exchange_id,
      ticket_id,
      place,
      revision,
    })),
  );
}
