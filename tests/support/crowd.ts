/**
 * Many confirmed orders of one seat each, inserted as rows, because selling a whole hall would
 * take too long.
 */
import type { Pool } from '#db/engine/dialect.ts';
import type { RefundState } from '#server/domain/payment/refund.ts';

/**
 * Paid at the till. `refund`: the state of a refund of its line; after a failed one the line can
 * be refunded again.
 */
export interface SoldSeat {
  price_cents?: number;
  ticket?: 'valid' | 'refunded' | 'void';
  refund?: RefundState | null;
}

/**
 * The ids are `${prefix}0000`, `${prefix}0001` …, in the order of the seats, on free seats of the
 * event.
 */
export async function sellSeats(
  db: Pool,
  event_id: string,
  prefix: string,
  sold: readonly SoldSeat[],
): Promise<string[]> {
  const places: string[] = await db('places')
    .where({ event_id, kind: 'seat' })
    .whereNotIn('place', db('order_lines').where({ event_id }).select('place'))
    .orderBy('place')
    .limit(sold.length)
    .pluck('place');
  if (places.length < sold.length) throw new Error('the hall is too small');
  const orders = sold.map((seat, index) => ({
    ...seat,
    id: `${prefix}${String(index).padStart(4, '0')}`,
    place: places[index]!,
  }));
  for (const order of orders) await sellSeat(db, event_id, order);
  return orders.map((order) => order.id);
}

async function sellSeat(
  db: Pool,
  event_id: string,
  {
    id,
    place,
    price_cents = 3_200,
    ticket = 'valid',
    refund = null,
  }: SoldSeat & { id: string; place: string },
): Promise<void> {
  const at = 1_000;
  const isFree = price_cents === 0;
  const counts = refund === 'requested' || refund === 'succeeded';
  const line_id = `${id}-line`;
  await db('orders').insert({
    id,
    number: id,
    link_key: id,
    event_id,
    state: 'confirmed',
    hold_token: id,
    selection: '[]',
    total_cents: price_cents,
    created_at: at,
    pay_by: at,
    confirmed_at: at,
    idempotency_key: id,
    search_text: id,
    paid_by: isFree ? 'free' : 'manual',
    paid_cents: price_cents,
    refunded_cents: counts ? price_cents : 0,
  });
  await db('order_lines').insert({
    id: line_id,
    order_id: id,
    event_id,
    place,
    object_label: place,
    category: 'Platea',
    ticket_type: 'intero',
    type_label: 'Intero',
    price_id: 'p',
    price_cents,
    position: 0,
    released_at: null,
  });
  await db('places').where({ event_id, place }).update({ issued: 1 });
  await db('tickets').insert({
    id: `${id}-ticket`,
    order_id: id,
    event_id,
    place,
    revision: 1,
    state: ticket,
    ticket_type: 'intero',
    type_label: 'Intero',
    price_cents,
    issued_at: at,
  });
  if (!isFree)
    await db('payments').insert({
      id: `${id}-payment`,
      order_id: id,
      kind: 'manual',
      method: 'cash',
      amount_cents: price_cents,
      actor: 'user:ada',
      disputed: 0,
      paid_at: at,
    });
  if (refund === null) return;
  await db('refunds').insert({
    id: `${id}-refund`,
    order_id: id,
    state: refund,
    origin: 'office',
    kind: 'manual',
    amount_cents: price_cents,
    fee_cents: 0,
    voids_tickets: 1,
    frees_seats: 0,
    idempotency_key: `refund:${id}`,
    actor: 'user:ada',
    created_at: at,
    settled_at: at,
  });
  await db('refund_lines').insert({
    refund_id: `${id}-refund`,
    order_id: id,
    line_id,
    price_cents,
    fee_cents: 0,
    live: refund === 'asked' || counts ? 1 : 0,
  });
}
