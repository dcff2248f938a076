/** Money and doors for a theatre that has sold for years (admin-data.ts): payments, refunds, and ten scans for each ticket of the evenings, by the million. */
import { randomInt } from 'node:crypto';
import { isPostgres, type Pool } from '#db/engine/dialect.ts';
import { insertAll } from './admin-data.ts';

const dayMs = 24 * 3_600_000;
const datesOfShow = 10;

/** All evenings are moved into the past year, so that a season has them all; ten are dates of one show. */
export async function fillReports(db: Pool, { events, now }: { events: number; now: number }) {
  const { show_id } = await db('events').whereNotNull('show_id').first('show_id');
  const show = await db('shows').where({ id: show_id }).first();
  for (let nth = 0; nth < events; nth += datesOfShow)
    await db('shows').insert({ ...show, id: `spettacolo-${nth / datesOfShow}` });
  for (let nth = 0; nth < events; nth += 1) {
    const starts_at = now - Math.floor(((events - nth) / events) * 300 * dayMs) - dayMs;
    const id = `sera-${nth}`;
    await db('events')
      .where({ id })
      .update({
        starts_at,
        doors_at: starts_at - 3_600_000,
        show_id: `spettacolo-${Math.floor(nth / datesOfShow)}`,
      });
    await fillEvent(db, { id, starts_at });
  }
  await db.raw(isPostgres(db) ? 'VACUUM ANALYZE' : 'ANALYZE');
}

async function fillEvent(db: Pool, { id, starts_at }: { id: string; starts_at: number }) {
  await db('places')
    .where({ event_id: id })
    .update({ object_label: db.raw('place') });
  const orders: { id: string; total_cents: number }[] = await db('orders')
    .where({ event_id: id })
    .select('id', 'total_cents');
  const bought = new Map(
    orders.map((order) => [order.id, starts_at - randomInt(1, 90 * 24) * 3_600_000]),
  );
  await db('orders')
    .where({ event_id: id })
    .update({
      confirmed_at: db.raw('? - (length(number) + created_at % 7776000000)', [starts_at]),
    });
  const payments = orders.map((order) => ({
    id: `pay-${order.id}`,
    order_id: order.id,
    kind: 'stripe',
    method: ['card', 'satispay', 'paypal'][randomInt(3)],
    payment_intent: `pi-${order.id}`,
    amount_cents: order.total_cents,
    actor: 'stripe',
    disputed: 0,
    paid_at: bought.get(order.id)!,
  }));
  await insertAll(db, 'payments', payments);
  const refunds = payments
    .filter((_, nth) => nth % 30 === 0)
    .map(({ order_id, amount_cents, paid_at }) => ({
      id: `back-${order_id}`,
      order_id,
      state: 'succeeded',
      origin: 'office',
      kind: 'stripe',
      amount_cents,
      fee_cents: 0,
      voids_tickets: 0,
      frees_seats: 0,
      idempotency_key: `key-back-${order_id}`,
      actor: 'office',
      created_at: paid_at + dayMs,
    }));
  await insertAll(db, 'refunds', refunds);
  await fillDoor(db, { id, starts_at });
}

/** The first scan lets in; of the nine after it one lets out, one lets in again, and the others are refused. */
async function fillDoor(db: Pool, { id, starts_at }: { id: string; starts_at: number }) {
  const tickets: { id: string; place: string; revision: number }[] = await db('tickets')
    .where({ event_id: id })
    .select('id', 'place', 'revision');
  const scans = tickets.map((ticket, nth) => {
    const at = starts_at - 3_600_000 + randomInt(75 * 60) * 1_000;
    return {
      id: `scan-${ticket.id}`,
      event_id: id,
      place: ticket.place,
      revision: ticket.revision,
      ticket_id: ticket.id,
      direction: 'in',
      verdict: nth % 20 === 0 ? 'not_yet' : 'admit',
      counts: nth % 20 === 0 ? 0 : 1,
      gate: `Varco ${'AB'[nth % 2]}`,
      offline: 0,
      scanned_at: at,
      corrected_at: at,
      received_at: at,
    };
  });
  await insertAll(db, 'admissions', scans);
  await db.raw(
    `INSERT INTO admissions (id, event_id, place, revision, ticket_id, direction, verdict, counts, gate, offline, scanned_at, corrected_at, received_at)
    SELECT s.id || '-' || n.n, s.event_id, s.place, s.revision, s.ticket_id, CASE n.n WHEN 1 THEN 'out' ELSE 'in' END,
      CASE WHEN n.n <= 2 THEN 'admit' ELSE 'already_in' END, CASE WHEN n.n <= 2 THEN s.counts ELSE 0 END, s.gate, 0,
      s.scanned_at + n.n * 600000, s.corrected_at + n.n * 600000, s.received_at + n.n * 600000
    FROM admissions s CROSS JOIN (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5
      UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) n WHERE s.event_id = ?`,
    [id],
  );
}
