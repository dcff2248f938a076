/**
 * Many confirmed orders of one evening without buying each: copies of a paid order, each with a
 * seat of its own.
 */
import type { Db } from '#db/engine/dialect.ts';
import type { OrderRow, TicketRow } from '#db/rows.ts';

/**
 * The addresses are `guest0@example.it` and so on; only data that mails and lists use is right.
 */
export async function copyOrder(db: Db, order_id: string, count: number): Promise<string[]> {
  const order = (await db<OrderRow>('orders').where({ id: order_id }).first())!;
  const ticket = (await db<TicketRow>('tickets').where({ order_id }).first())!;
  const free: string[] = await db('places')
    .where({ event_id: order.event_id, kind: 'seat' })
    .whereNotIn('place', db('tickets').select('place').where({ event_id: order.event_id }))
    .orderBy('place')
    .limit(count)
    .pluck('place');
  for (const [at, place] of free.entries()) {
    const id = `copy-${at}`;
    await db<OrderRow>('orders').insert({
      ...order,
      id,
      number: `COPY-${String(at).padStart(4, '0')}`,
      link_key: id,
      hold_token: id,
      idempotency_key: id,
      session_id: null,
      payment_intent: null,
      buyer_name: `Ospite ${at}`,
      buyer_email: `guest${at}@example.it`,
      search_text: `copy-${at} guest${at}@example.it`,
      created_at: order.created_at + at + 1,
    });
    await db<TicketRow>('tickets').insert({ ...ticket, id: `t-${at}`, order_id: id, place });
  }
  return free.map((_, at) => `copy-${at}`);
}
