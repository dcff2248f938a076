/** Lists the webhooks that Stripe sent, so that the office sees whether they still arrive. */
import { listWebhooks } from '#db/audit/audit.ts';
import type { Ctx } from '#server/services/context.ts';
import { readPage } from '#server/services/kit/page.ts';

/** The webhooks, newest first. */
export async function webhookList(
  ctx: Ctx,
  { limit = 20, cursor }: { limit?: number; cursor?: string },
) {
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => listWebhooks(ctx.db, page),
    (row) => row.received_at,
  );
  return { items: rows, next_cursor };
}
