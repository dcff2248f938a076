/** Tells buyers of a new day or venue: one mail per order and change, sent in the background. */
import { findEvent, ordersWithTickets } from '#db/event/events.ts';
import { addressedTickets } from '#db/order/tickets.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { keyForHolder } from '#server/domain/mail/kinds.ts';
import { holdersBeside } from '#server/domain/order/holder.ts';
import type { Ctx } from '#server/services/context.ts';
import { oweMail } from '#server/services/kit/happened.ts';
import { noteForWorker } from '#server/services/kit/started-work.ts';
import { announce, isToldLater, turnOf, type Announcing } from './announcements.ts';

const pageSize = 100;

type News = Omit<Announcing, 'id' | 'task' | 'subject'>;

/** Call it in the transaction that changes the event; a task sends the mails. */
export async function queueEventNews(
  ctx: Ctx,
  trx: Trx,
  { version, ...news }: News & { version: number },
): Promise<void> {
  const { actor, event_id } = news;
  const id = ctx.newId();
  await noteForWorker(ctx, trx, { id, work: 'event_news', actor, event_id, version });
  const subject = `${event_id}#${version}`;
  await announce(ctx, trx, { ...news, id, task: 'tell_buyers', subject });
}

/** Idempotent by order and version: a repeat after a crash sends no mail twice. */
export async function tellBuyers(ctx: Ctx, subject: string): Promise<number | null> {
  const turn = await turnOf(ctx, 'tell_buyers', subject);
  if (turn !== 'now') return turn;
  if (await isToldLater(ctx, 'tell_buyers', subject)) return null;
  const [event_id = '', version = ''] = subject.split('#');
  if ((await findEvent(ctx.db, event_id))?.status !== 'published') return null;
  const key = `v${version}`;
  return writeToHolders(ctx, event_id, { act: 'event_saved', kind: 'event_changed', key });
}

/**
 * Sends one mail to each order with valid tickets, and one to each other address of a holder;
 * reads the orders page by page.
 */
export async function writeToHolders(
  ctx: Ctx,
  event_id: string,
  mail:
    | { act: 'event_saved'; kind: 'event_changed'; key: string }
    | { act: 'event_cancelled'; kind: 'event_cancelled'; key: string }
    | { act: 'event_postponed'; kind: 'event_postponed'; key: string },
): Promise<null> {
  for (let after = ''; ;) {
    const orders = await ordersWithTickets(ctx.db, event_id, { after, limit: pageSize });
    await transact(ctx.db, async (trx) => {
      const holders = Map.groupBy(
        await addressedTickets(trx, { order_ids: orders }),
        ({ order_id }) => order_id,
      );
      for (const order_id of orders) {
        await oweMail(ctx, trx, { order_id, ...mail });
        const own = holders.get(order_id) ?? [];
        for (const { id, holder_email } of holdersBeside(own[0]?.buyer_email ?? null, own)) {
          const key = keyForHolder(mail.key, id);
          await oweMail(ctx, trx, { order_id, ...mail, key, to_address: holder_email });
        }
      }
    });
    if (orders.length < pageSize) return null;
    after = orders.at(-1) ?? after;
  }
}
