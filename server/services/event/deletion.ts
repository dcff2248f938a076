/** Deletes what was never on sale: a draft with its seat map event, or a show without dates. */
import { countSince } from '#db/audit/audit.ts';
import { dropBlocks } from '#db/seat/blocks.ts';
import { dropContingents } from '#db/seat/contingents.ts';
import { isReferenceViolation } from '#db/engine/dialect.ts';
import {
  countOrders,
  deleteEvent as removeEvent,
  hasSeatKey,
  lockEvent,
} from '#db/event/events.ts';
import { deleteRulesOf } from '#db/event/rule-desk.ts';
import { datesOf, deleteShow as removeShow, lockShow } from '#db/event/shows.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';
import { pricesIn } from './chart.ts';
import { pricedOf } from '#server/domain/price/phase.ts';
import { queueRetirement } from './made-prices.ts';

interface Deletion {
  version: number;
  actor: Actor;
}

/** After this time any other request to make an event with this key is stored or failed. */
const dropAfterMs = 60_000;

/**
 * Deletes a draft; forgetUnusedImages() deletes its pictures later. Refuses as the contract of
 * deleteEvent says.
 */
export async function deleteEvent(
  ctx: Ctx,
  id: string,
  { version, actor }: Deletion,
): Promise<void> {
  try {
    await transact(ctx.db, async (trx) => {
      const event = await lockEvent(trx, id);
      if (!event || event.rehearsal === 1) throw new Refusal('event_not_found');
      if (event.version !== version) throw new Refusal('event_changed', { version: event.version });
      const published = { action: 'event_published', subject: id, since: event.created_at - 1 };
      if (event.status !== 'draft' || (await countSince(trx, published)) > 0)
        throw new Refusal('event_not_draft');
      if ((await countOrders(trx, id)).orders > 0) throw new Refusal('event_has_orders');
      await dropBlocks(trx, id);
      await dropContingents(trx, id);
      await deleteRulesOf(trx, { event_id: id });
      await removeEvent(trx, id);
      await queueRetirement(ctx, trx, pricesIn(pricedOf(event)));
      await queueTask(ctx, trx, {
        task: 'drop_hall',
        subject: event.seatsio_event_key,
        run_at: ctx.now() + dropAfterMs,
      });
      await happened(ctx, trx, {
        actor,
        action: 'event_deleted',
        subject: id,
        detail: { title: event.title, starts_at: event.starts_at, show_id: event.show_id },
      });
    });
  } catch (error) {
    if (isReferenceViolation(error)) throw new Refusal('event_has_orders', undefined, error);
    throw error;
  }
}

/** Deletes the event at the seat map, unless another of our events has this key by now. */
export async function dropHall(ctx: Ctx, seatsio_event_key: string): Promise<null> {
  if (!(await hasSeatKey(ctx.db, seatsio_event_key, '')))
    await ctx.seats.dropEvent(seatsio_event_key);
  return null;
}

/** Refuses as the contract of deleteShow says. */
export async function deleteShow(
  ctx: Ctx,
  id: string,
  { version, actor }: Deletion,
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const show = await lockShow(trx, id);
    if (!show) throw new Refusal('show_not_found');
    if (show.version !== version) throw new Refusal('show_changed');
    if ((await datesOf(trx, [id])).length > 0) throw new Refusal('show_has_dates');
    await deleteRulesOf(trx, { show_id: id });
    await removeShow(trx, id);
    await queueRetirement(ctx, trx, pricesIn(pricedOf(show)));
    await happened(ctx, trx, {
      actor,
      action: 'show_deleted',
      subject: id,
      detail: { title: show.title },
    });
  });
}
