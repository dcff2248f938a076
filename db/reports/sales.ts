/** What was sold, counted in SQL. */
import type { Db } from '#db/engine/dialect.ts';
import { withoutRehearsals } from '#db/events.ts';

interface SoldDay {
  day: string;
  paid_cents: number;
  orders: number;
}

export async function soldByDay(
  db: Db,
  { event_id, show_id }: { event_id: string | null; show_id: string | null },
): Promise<SoldDay[]> {
  const query = withoutRehearsals(db, db('orders'), 'orders.event_id').where(
    'orders.state',
    'confirmed',
  );
  if (event_id !== null) query.where('orders.event_id', event_id);
  else if (show_id !== null)
    query.whereIn('orders.event_id', db('events').where({ show_id }).select('id'));
  const rows: { confirmed_at: number; paid_cents: number }[] = await query.select(
    'orders.confirmed_at',
    'orders.paid_cents',
  );
  const days = Map.groupBy(rows, ({ confirmed_at }) =>
    new Date(confirmed_at).toISOString().slice(0, 10),
  );
  return [...days]
    .map(([day, those]) => ({
      day,
      paid_cents: those.reduce((sum, { paid_cents }) => sum + paid_cents, 0),
      orders: those.length,
    }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
}
