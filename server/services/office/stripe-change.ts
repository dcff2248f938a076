/** What a change of the Stripe keys left to do, and the notice of such a change at the start. */
import { listDemo, listEvents } from '#db/event/events.ts';
import { putSetting, readSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { lostPrices } from '#server/services/event/renew-prices.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import type { Ctx, KeyInUse } from '#server/services/context.ts';
import { testOrders } from './test-orders.ts';

function stripeKey({ settings }: Ctx): KeyInUse {
  return requireValue(
    settings.keys.find(({ name }) => name === 'stripe'),
    'Stripe key',
  );
}

export async function stripeChange(ctx: Ctx) {
  return {
    mode: stripeKey(ctx).mode,
    shows: await lostPrices(ctx),
    test_orders: await testOrders(ctx),
    demo: ctx.payments.live ? (await listDemo(ctx.db)).length : 0,
  };
}

const usedKey = 'stripe_key';

/** After a change of the key every price on sale is checked at once, not only at night. */
export async function noteStripeKey(ctx: Ctx): Promise<void> {
  const { mode, end } = stripeKey(ctx);
  const now = `${mode} ${end ?? ''}`;
  const before = await readSetting(ctx.db, usedKey);
  if (before === now) return;
  const events = before === null ? [] : await listEvents(ctx.db);
  await transact(ctx.db, async (trx) => {
    for (const { id, status, starts_at } of events)
      if (status === 'published' && starts_at > ctx.now())
        await queueTask(ctx, trx, { task: 'watch_prices', subject: id });
    await putSetting(trx, usedKey, now);
  });
}
