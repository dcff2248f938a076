/** A house in which little is left: every place but so many is in somebody's order. */
import { demoEvent, makeOrder } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

export async function keepPlaces(server: TestServer, keep: number): Promise<void> {
  const { db } = server.house.ctx;
  const { order_id } = await makeOrder(server);
  const lines = await db('order_lines').where({ order_id });
  const taken = lines.map(({ place }: { place: string }) => place);
  const others: string[] = await db('places')
    .where({ event_id: demoEvent })
    .whereNotIn('place', taken)
    .orderBy('place')
    .pluck('place');
  await db.batchInsert(
    'order_lines',
    others
      .slice(keep)
      .map((place, index) => ({ ...lines[0], id: `line-${index}`, place, position: index + 3 })),
    30,
  );
  // What all are told may be two seconds old.
  server.clock.advance(2_000);
}
