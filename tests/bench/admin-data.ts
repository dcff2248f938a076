/**
 * A theatre that has sold for years: events, seats and orders by the hundred thousand, copied
 * from one real order under other names.
 */
import { randomInt } from 'node:crypto';
import { isPostgres, type Pool } from '#db/engine/dialect.ts';
import { codeEndOf } from '#server/services/order/tickets.ts';
import { searchTextOf } from '#server/domain/text/search.ts';

const first = ['Anna', 'Bruno', 'Carla', 'Dario', 'Elsa', 'Fabio', 'Giulia', 'Mirandolina', 'Otto'];
const last = ['Rossi', 'Ferrari', 'Esposito', 'Bianchi', 'Romano', 'Colombo', 'Ricci', 'Marino'];
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const dayMs = 24 * 3_600_000;

interface Size {
  events: number;
  seats: number;
  /** The number of events that exist from an earlier call. */
  from?: number;
}

/** One order for each seat of each event; half of the evenings are over. `event_id` and `order_id` are those that are copied. */
export async function fillTheatre(
  db: Pool,
  { events, seats, from = 0 }: Size,
  { event_id, order_id, now }: { event_id: string; order_id: string; now: number },
): Promise<void> {
  const event = await db('events').where({ id: event_id }).first();
  const order = await db('orders').where({ id: order_id }).first();
  const line = await db('order_lines').where({ order_id }).first();
  const place = await db('places').where({ event_id, place: line.place }).first();
  const ticket = await db('tickets').where({ order_id }).first();
  for (let nth = from; nth < events; nth += 1) {
    const id = `sera-${nth}`;
    const starts_at = now + (nth - events / 2) * dayMs;
    const code_tag = tagOf(nth);
    await db('events').insert({
      ...event,
      id,
      title: `La sera ${nth}`,
      starts_at,
      doors_at: starts_at - 3_600_000,
      seatsio_event_key: id,
      code_tag,
    });
    const rows = Array.from({ length: seats }, (_, seat) => {
      const key = `${nth}-${seat}`;
      const label = `Platea-${letters[10 + (seat % 20)]}-${Math.floor(seat / 20) + 1}`;
      const number = numberOf(nth * seats + seat);
      const name = `${first[randomInt(first.length)]} ${last[randomInt(last.length)]}`;
      const mail = `${name.toLowerCase().replace(' ', '.')}.${key}@example.it`;
      const phone = `+39 333 ${randomInt(1_000_000, 10_000_000)}`;
      const at = starts_at - randomInt(1, 60) * dayMs;
      return { key, label, number, name, mail, phone, at };
    });
    await insertAll(
      db,
      'places',
      rows.map(({ label }) => ({ ...place, event_id: id, place: label })),
    );
    await insertAll(
      db,
      'orders',
      rows.map(({ key, number, name, mail, phone, at }) => ({
        ...order,
        id: `order-${key}`,
        number,
        link_key: `link-${key}`,
        event_id: id,
        hold_token: `hold-${key}`,
        idempotency_key: `key-${key}`,
        session_id: `cs_${key}`,
        payment_intent: `pi_${key}`,
        receipt_number: `${key}-0001`,
        buyer_name: name,
        buyer_email: mail,
        buyer_phone: phone,
        search_text: searchTextOf(number, name, mail, phone),
        created_at: at > now ? now - randomInt(1, 300) * dayMs : at,
      })),
    );
    const copies = rows.map(({ key, label }) => ({
      id: `line-${key}`,
      order_id: `order-${key}`,
      event_id: id,
      place: label,
    }));
    await insertAll(
      db,
      'order_lines',
      copies.map((copy) => ({ ...line, ...copy, object_label: copy.place })),
    );
    await insertAll(
      db,
      'tickets',
      copies.map((copy) => ({
        ...ticket,
        ...copy,
        revision: 1,
        code_end: codeEndOf(
          { ...event, code_tag },
          { place: copy.place, revision: 1, earlier_codes: 0 },
        ),
      })),
    );
  }
  // Does what the database does by itself over years of sales.
  await db.raw(isPostgres(db) ? 'VACUUM ANALYZE' : 'ANALYZE');
}

/** Inserts in chunks, because a statement has a limited number of parameters. */
async function insertAll(db: Pool, table: string, rows: object[]): Promise<void> {
  const chunk = Math.floor(30_000 / Object.keys(rows[0]!).length);
  for (let from = 0; from < rows.length; from += chunk)
    await db(table).insert(rows.slice(from, from + chunk));
}

function spelled(n: number, length: number): string {
  let text = '';
  for (let rest = n, at = 0; at < length; at += 1, rest = Math.floor(rest / 32))
    text = letters[rest % 32]! + text;
  return text;
}

function tagOf(nth: number): string {
  return `Z${spelled(nth, 3)}`;
}

/** Spreads the numbers, so that neighbours have nothing in common. */
function numberOf(n: number): string {
  const text = spelled((n * 2_654_435_761) % 2 ** 40, 8);
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}
