/** Which order a buyer's link opens, and the links that a newer one has replaced. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { selectRows } from '#db/engine/statements.ts';
import type { OrderRow, ReplacedLinkRow } from '#db/rows.ts';

/** The id of the order that this link opens now. */
export async function orderOfLink(db: Db, link_key: string): Promise<string | undefined> {
  const sql = 'SELECT id FROM orders WHERE link_key = ?';
  const [order] = await selectRows<Pick<OrderRow, 'id'>>(db, sql, [link_key]);
  return order?.id;
}

export async function isLinkReplaced(db: Db, link_hash: string): Promise<boolean> {
  return (await db<ReplacedLinkRow>('replaced_links').where({ link_hash }).first()) !== undefined;
}

/** Whether the order's link has replaced another. */
export async function isLinkNew(db: Db, order_id: string): Promise<boolean> {
  return (await db<ReplacedLinkRow>('replaced_links').where({ order_id }).first()) !== undefined;
}

/** Gives the order another link; of the old one only a hash stays. */
export async function replaceLink(
  trx: Trx,
  { link_key, ...old }: ReplacedLinkRow & { link_key: string },
): Promise<void> {
  await trx<OrderRow>('orders').where({ id: old.order_id }).update({ link_key });
  await trx<ReplacedLinkRow>('replaced_links').insert(old);
}
