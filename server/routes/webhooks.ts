/** Stripe's webhook. The signature covers the raw bytes, so no parser may touch them. */
import type { Context } from 'koa';
import { stripeWebhookPath } from '#server/contract/webhooks.ts';
import { readRawBody } from '#server/http/raw-body.ts';
import type { Routing } from '#server/http/serve.ts';
import { takeWebhook } from '#server/services/payment/webhooks.ts';

/** The form of Stripe's header; only the whole body can prove it. */
const signed = /^t=\d{1,12},(?:.*,)?v1=[\da-f]{64}(?:,|$)/;
const signedBytes = 512 * 1024;
const unsignedBytes = 64 * 1024;

export function webhookRoutes({ router, ctx }: Routing): void {
  router.post(stripeWebhookPath, async (http: Context) => {
    const signature = http.get('stripe-signature');
    const maxBytes = signed.test(signature) ? signedBytes : unsignedBytes;
    const body = await readRawBody(http, { maxBytes, sender: 'webhook' });
    await takeWebhook(ctx, body, signature);
    http.status = 204;
  });
}
