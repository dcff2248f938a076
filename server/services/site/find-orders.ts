/** "I miei biglietti": mails an address the links to its orders. */
import { createHash } from 'node:crypto';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';

/**
 * Always only queues the mail: neither the answer nor its time tells whether there are orders.
 */
export async function askForLinks(ctx: Ctx, email: string): Promise<void> {
  const key = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  await transact(ctx.db, (trx) =>
    storeMail(ctx, trx, { order_id: null, kind: 'order_links', key, to_address: email }),
  );
}
