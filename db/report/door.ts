/**
 * The guests of an event for reports, row by row: valid tickets, and those whose free place went to
 * another guest because theirs did not come; scans that let in or out or conflict with another.
 */
import type { DoorScan, DoorTicket } from '#server/domain/report/door-count.ts';
import type { Db } from '#db/engine/dialect.ts';
import { readRows } from '#db/engine/statements.ts';

export async function doorRows(db: Db, event_id: string) {
  return {
    tickets: await readRows<DoorTicket>(
      db,
      `SELECT t.id, t.place, t.revision, p.category, o.confirmed_at FROM tickets t
      JOIN places p ON p.event_id = t.event_id AND p.place = t.place
      JOIN orders o ON o.id = t.order_id
      WHERE t.event_id = ? AND (t.state = 'valid' OR (t.state = 'void' AND t.let_go_at IS NOT NULL))`,
      [event_id],
    ),
    scans: await readRows<DoorScan>(
      db,
      `SELECT ticket_id, place, revision, direction, gate, corrected_at, counts, override, conflict_with, annulled_by
      FROM admissions WHERE event_id = ? AND (counts = 1 OR conflict_with IS NOT NULL)
      ORDER BY corrected_at, received_at, id`,
      [event_id],
    ),
  };
}
