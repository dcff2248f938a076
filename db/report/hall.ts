/** The places of an event's hall with the state of each, for reports. */
import type { PlaceKind } from '#server/domain/seat/seat-name.ts';
import { hasPlace, isClosed } from '#db/joins.ts';
import type { OrderState } from '#server/domain/order/order.ts';
import { isPostgres, type Db } from '#db/engine/dialect.ts';
import { marksFor, readRows } from '#db/engine/statements.ts';

/**
 * `price_cents` includes fees and is null for a free place; `ticket` is a valid one;
 * `order_state` is that of the order that has the place; `blocked`: the house keeps it back, or
 * its object is sold whole to fewer people.
 */
interface HallPlace {
  place: string;
  object_label: string;
  kind: PlaceKind;
  in_whole: 0 | 1;
  category: string;
  price_cents: number | null;
  ticket: string | null;
  order_state: OrderState | null;
  blocked: string | null;
}

export async function hallPlaces(db: Db, event_id: string): Promise<HallPlace[]> {
  return readRows<HallPlace>(
    db,
    `SELECT p.place, p.object_label, p.kind, p.in_whole, p.category, l.price_cents + l.fee_cents AS price_cents,
      t.id AS ticket, o.state AS order_state,
      COALESCE(b.place, CASE WHEN ${isClosed('p')} THEN p.place END) AS blocked
    FROM places p
    LEFT JOIN order_lines l ON l.event_id = p.event_id AND l.place = p.place AND ${hasPlace('l')}
    LEFT JOIN orders o ON o.id = l.order_id
    LEFT JOIN tickets t ON t.event_id = p.event_id AND t.place = p.place AND t.state = 'valid'
    LEFT JOIN blocked_places b ON b.event_id = p.event_id AND b.place = p.place AND b.state = 'live'
    WHERE p.event_id = ? AND p.in_hall = 1`,
    [event_id],
  );
}

interface KeptBack {
  event_id: string;
  category: string;
  places: number;
}

/**
 * Counts blocked seats, blocked places of standing areas, and empty places of objects sold whole,
 * by event and category.
 */
export async function keptBack(db: Db, event_ids: readonly string[]): Promise<KeptBack[]> {
  const ids = isPostgres(db) ? event_ids : JSON.stringify(event_ids);
  const among = isPostgres(db) ? '= ANY(?::text[])' : 'IN (SELECT value FROM json_each(?))';
  return readRows<KeptBack>(
    db,
    `SELECT b.event_id, p.category, count(*) AS places FROM blocked_places b
      JOIN places p ON p.event_id = b.event_id AND p.place = b.place
      WHERE b.event_id ${among} AND b.state = 'live' GROUP BY b.event_id, p.category
    UNION ALL SELECT a.event_id, p.category, sum(a.places) AS places FROM blocked_areas a
      JOIN places p ON p.event_id = a.event_id AND p.object_label = a.object AND p.position = 1
      WHERE a.event_id ${among} AND a.state = 'live' GROUP BY a.event_id, p.category
    UNION ALL SELECT p.event_id, p.category, count(*) AS places FROM places p
      WHERE p.event_id ${among} AND p.in_hall = 1 AND ${isClosed('p')} GROUP BY p.event_id, p.category`,
    [ids, ids, ids],
  );
}

/**
 * Seats and objects sold whole in the last event's hall for which none of these events has a valid
 * ticket.
 */
export async function seatsNeverSold(
  db: Db,
  event_ids: readonly string[],
): Promise<{ object_label: string; category: string }[]> {
  return readRows(
    db,
    `SELECT p.object_label, p.category FROM places p
    WHERE p.event_id = ? AND p.in_hall = 1 AND p.position = 1 AND (p.place = p.object_label OR p.in_whole = 1)
      AND p.object_label NOT IN (SELECT l.object_label FROM tickets t JOIN order_lines l ON l.order_id = t.order_id AND l.place = t.place
        WHERE t.event_id IN (${marksFor(event_ids)}) AND t.state = 'valid')
    ORDER BY p.object_label`,
    [event_ids.at(-1), ...event_ids],
  );
}
