/** Takes the demo out of the house, and orders a fresh one. */
import { listDemo } from '#db/event/events.ts';
import {
  hasLiveMoney,
  phonesOnlyOf,
  removeEmptyShows,
  removeEvent,
  removeIdleShifts,
  removePhones,
} from '#db/office/removal.ts';
import { transact } from '#db/engine/transact.ts';
import { putSetting } from '#db/settings.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { demoGoneKey } from '#server/services/event/demo.ts';
import { pricesIn } from '#server/services/event/chart.ts';
import { queueRetirement } from '#server/services/event/made-prices.ts';
import { pricedOf } from '#server/domain/price/phase.ts';
import { happened } from '#server/services/kit/happened.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { dropDemoSeller } from '#server/services/site/site.ts';
import type { Actor, Ctx } from '#server/services/context.ts';

/**
 * Removes every date of the demo with its orders, tickets and phones, and its seller. The running
 * server, or the next start, makes a fresh one if wished. Registry and other events stay.
 * @throws Refusal demo_has_money if real money was paid for it
 */
export async function resetDemo(
  ctx: Ctx,
  { fresh, actor }: { fresh: boolean; actor: Actor },
): Promise<{ events: string[]; phones: number }> {
  const { live } = ctx.payments;
  return transact(ctx.db, async (trx) => {
    const dates = await listDemo(trx);
    const ids = dates.map(({ id }) => id);
    if (await hasLiveMoney(trx, ids)) throw new Refusal('demo_has_money');
    // The phones of a live house are at its own door, too.
    const phones = live ? [] : await phonesOnlyOf(trx, ids);
    for (const date of dates) {
      await removeEvent(trx, date.id);
      await queueRetirement(ctx, trx, pricesIn(pricedOf(date)));
      if (date.rehearsal === 0)
        await queueTask(ctx, trx, { task: 'drop_hall', subject: date.seatsio_event_key });
    }
    await removeEmptyShows(
      trx,
      dates.flatMap(({ show_id }) => show_id ?? []),
    );
    await removePhones(trx, phones);
    if (!live) await removeIdleShifts(trx);
    await dropDemoSeller(ctx, trx, actor);
    await putSetting(trx, demoGoneKey, String(ctx.now()));
    if (fresh) await queueTask(ctx, trx, { task: 'make_demo', subject: 'demo' });
    await happened(ctx, trx, {
      actor,
      action: 'demo_removed',
      subject: 'demo',
      detail: { events: ids, phones: phones.length, fresh },
    });
    return { events: dates.map(({ title }) => title), phones: phones.length };
  });
}
