/**
 * More tickets of one order than a test could buy: copies of its first ticket, each with a seat
 * of its own.
 */
import type { TicketRow } from '#db/rows.ts';
import { demoEvent } from './make.ts';
import type { TestServer } from './server.ts';

/** Returns the ids of all of its tickets. */
export async function addTicketsTo(
  { house }: TestServer,
  order_id: string,
  count: number,
): Promise<string[]> {
  const { db } = house.ctx;
  const [ticket] = await db<TicketRow>('tickets').where({ order_id });
  const free: string[] = await db('places')
    .where({ event_id: demoEvent, kind: 'seat' })
    .whereNotIn('place', db('tickets').select('place').where({ event_id: demoEvent }))
    .limit(count)
    .pluck('place');
  const more = free.map((place, nth) => ({ ...ticket!, id: `more-${nth}`, place }));
  for (const row of more) await db<TicketRow>('tickets').insert(row);
  return db<TicketRow>('tickets').where({ order_id }).pluck('id');
}
