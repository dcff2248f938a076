/** Lists the keys in use: what each is for and when it last worked, never the keys themselves. */
import { lastWebhookAt } from '#db/office/figures.ts';
import { providerHealth } from '#server/adapters/provider-health.ts';
import type { Ctx, KeyInUse } from '#server/services/context.ts';

export async function keysInUse(ctx: Ctx) {
  const told_at = await lastWebhookAt(ctx.db);
  const usesOf = (name: KeyInUse['name']) => {
    if (name === 'stripe_webhook') return { used_at: told_at, failed_at: null };
    const port = { stripe: ctx.payments, seatsio: ctx.seats, smtp: ctx.mail }[name];
    const health = providerHealth(port);
    return { used_at: health?.answered_at ?? null, failed_at: health?.silent_at ?? null };
  };
  return { items: ctx.settings.keys.map((key) => ({ ...key, ...usesOf(key.name) })) };
}
