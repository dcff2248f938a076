/** The result of an event's last change of hall: new places, refunds, and mails sent. */
import { requireEventRow } from '#db/event/events.ts';
import { questionOfRun } from '#db/event/postponements.ts';
import { refundedByRun } from '#db/seat/left-out.ts';
import { lastRehousing, mailStatesOf, rehousedTickets } from '#db/seat/rehousings.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { seatNamer } from '#server/services/order/seat-names.ts';

/** Null if the event's hall was never changed. */
export async function lastInWords(ctx: Ctx, event_id: string) {
  const row = await lastRehousing(ctx.db, event_id);
  if (!row) return null;
  const event = await requireEventRow(ctx.db, event_id);
  const tickets = await rehousedTickets(ctx.db, row);
  const used = tickets.flatMap(({ from_place, to_place }) => [from_place, to_place]);
  const nameOf = await seatNamer(ctx.db, event_id, used);
  const question = await questionOfRun(ctx.db, row.id);
  const mails = await mailStatesOf(ctx.db, row, question?.id ?? null);
  const moves = Map.groupBy(tickets, ({ move_id }) => move_id);
  return {
    rehousing_id: row.id,
    chart_key: row.chart_key,
    done_at: requireValue(row.done_at, 'end'),
    sale_paused: event.sale_paused === 1,
    asks: question !== undefined,
    kept_seats: row.fault === 'kept_seats',
    mails: mails.length,
    mails_sent: mails.filter((state) => state === 'sent').length,
    refunded: await refundedByRun(ctx.db, row),
    orders: [...moves.values()].map((moved) => ({
      ...requireValue(moved[0], 'ticket'),
      tickets: moved.map(({ from_place, to_place }) => ({
        from: nameOf(from_place),
        to: nameOf(to_place),
      })),
    })),
  };
}
