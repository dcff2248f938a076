/** Who came to an event, row by row, for whoever counts it: valid tickets, and scans that let in or out or were about to. */
import type { Direction } from '#server/domain/door/admission.ts';
import type { Db } from '#db/engine/dialect.ts';
import { readRows } from '#db/engine/statements.ts';

interface ValidTicket {
  id: string;
  place: string;
  revision: number;
  category: string;
  confirmed_at: number;
}
/** `counts` 0: it is a conflict that the office has decided against, or takes another one back. */
export interface CountedScan {
  ticket_id: string | null;
  place: string | null;
  revision: number | null;
  direction: Direction;
  gate: string | null;
  corrected_at: number;
  counts: number;
  override: string | null;
  conflict_with: string | null;
  annulled_by: string | null;
}
export interface DoorRows {
  tickets: ValidTicket[];
  scans: CountedScan[];
}

export async function doorRows(db: Db, event_id: string): Promise<DoorRows> {
  return {
    tickets: await readRows<ValidTicket>(
      db,
      `SELECT t.id, t.place, t.revision, p.category, o.confirmed_at FROM tickets t
      JOIN places p ON p.event_id = t.event_id AND p.place = t.place
      JOIN orders o ON o.id = t.order_id
      WHERE t.event_id = ? AND t.state = 'valid'`,
      [event_id],
    ),
    scans: await readRows<CountedScan>(
      db,
      `SELECT ticket_id, place, revision, direction, gate, corrected_at, counts, override, conflict_with, annulled_by
      FROM admissions WHERE event_id = ? AND (counts = 1 OR conflict_with IS NOT NULL)
      ORDER BY corrected_at, received_at, id`,
      [event_id],
    ),
  };
}
