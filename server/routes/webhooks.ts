/** Stripe's call to us: the raw bytes are what is signed, so no parser touches them. */
import type { Context } from 'koa';
import { stripeWebhookPath } from '#server/contract/webhooks.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { House } from '#server/http/serve.ts';
import { takeWebhook } from '#server/services/payments.ts';

const maxBytes = 512 * 1024;

export function webhookRoutes({ router, ctx: app }: House): void {
  router.post(stripeWebhookPath, async (ctx: Context) => {
    await takeWebhook(app, await rawBody(ctx), ctx.get('stripe-signature'));
    ctx.status = 204;
  });
}

async function rawBody(ctx: Context): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Refusal('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
