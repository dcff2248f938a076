/**
 * Finds the ticket types that Stripe no longer sells, after Stripe has refused a checkout. The
 * office is told once, however many visitors were refused.
 */
import { requireEventRow } from '#db/event/events.ts';
import { linesOf } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { memo } from '#server/services/kit/memo.ts';
import { withdrawnAmong } from '#server/services/event/prices.ts';

/** Bookings that are refused within a second share one reading of the prices. */
const shared = memo<string[]>({ freshMs: 1_000 });

/**
 * The names of the withdrawn ticket types with their categories. Empty if Stripe sells all of
 * them, if only the fee is withdrawn, or if Stripe does not answer.
 */
export async function withdrawnTypes(ctx: Ctx, { id, event_id }: OrderRow): Promise<string[]> {
  const lines = await linesOf(ctx.db, id);
  const { fee_price_id } = await requireEventRow(ctx.db, event_id);
  const ids = lines.map(({ price_id }) => price_id);
  if (fee_price_id !== null) ids.push(fee_price_id);
  const asked = [...new Set(ids)].toSorted();
  const withdrawn = await shared
    .get(ctx.memory, {
      key: [event_id, ...asked].join(),
      now: ctx.now,
      ask: () => findWithdrawn(ctx, event_id, asked),
    })
    .catch((error: unknown): string[] => {
      ctx.log.warn({ err: error, order_id: id }, 'nobody says whether the prices are sold');
      return [];
    });
  const named = lines.filter(({ price_id }) => withdrawn.includes(price_id));
  return [...new Set(named.map(({ type_label, category }) => `${type_label} (${category})`))];
}

async function findWithdrawn(ctx: Ctx, event_id: string, ids: string[]): Promise<string[]> {
  const withdrawn = await withdrawnAmong(ctx, ids);
  if (withdrawn.length === 0) return [];
  await transact(ctx.db, (trx) => queueTask(ctx, trx, { task: 'watch_prices', subject: event_id }));
  return withdrawn;
}
