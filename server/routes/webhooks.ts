/** Stripe's webhook. The signature covers the raw bytes, so no parser may touch them. */
import type { Context } from 'koa';
import { stripeWebhookPath } from '#server/contract/webhooks.ts';
import { readRawBody } from '#server/http/raw-body.ts';
import type { Routing } from '#server/http/serve.ts';
import { takeWebhook } from '#server/services/payment/webhooks.ts';

const maxBytes = 512 * 1024;

export function webhookRoutes({ router, ctx }: Routing): void {
  router.post(stripeWebhookPath, async (http: Context) => {
    await takeWebhook(ctx, await readRawBody(http.req, maxBytes), http.get('stripe-signature'));
    http.status = 204;
  });
}
