/** "I miei biglietti": mails the links of an address’s orders to that address. */
import { createHash } from 'node:crypto';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';

/**
 * Only queues the mail, whether or not the address is known, so that neither the answer nor its
 * time reveals it.
 */
export async function askForLinks(ctx: Ctx, email: string): Promise<void> {
  const key = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  await transact(ctx.db, (trx) =>
    storeMail(ctx, trx, { order_id: null, kind: 'order_links', key, to_address: email }),
  );
}
