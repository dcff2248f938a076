/**
 * Codes that no longer open the door, in SQL: why each ended, and whose it was. A ticket that was
 * changed before version 1.3.0 has no rows here.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { among, listed, selectRows } from '#db/engine/statements.ts';
import type { EndedCodeRow, PlaceRow } from '#db/rows.ts';
import type { EndedWhy } from '#server/domain/door/ended-code.ts';

interface Ending {
  places: readonly string[];
  why: EndedWhy;
  now: number;
  feed_seq: number;
  /** The date for which its ticket was exchanged; left out: it was not. */
  to_event_id?: string | null;
}

/**
 * Writes down that the newest code of each of these places ends, and with it the codes that its
 * ticket had before it moved (RULES M4), of which phones hear. Call it while the ticket has that
 * code. The code of a ticket that is good is not resold.
 */
export async function endCodes(
  trx: Trx,
  event_id: string,
  { places, why, now, feed_seq, to_event_id = null }: Ending,
): Promise<void> {
  if (places.length === 0) return;
  const ended = why === 'resold' ? "AND t.state IN ('void', 'refunded')" : '';
  const theirs = `FROM tickets t WHERE t.event_id = ? AND ${among(trx, 't.place', 'text')} ${ended}
    AND t.revision = (SELECT MAX(n.revision) FROM tickets n WHERE n.event_id = t.event_id AND n.place = t.place)`;
  await selectRows(
    trx,
    `INSERT INTO ended_codes (event_id, place, revision, why, ended_at, ticket_id, to_event_id)
      SELECT t.event_id, t.place, t.revision, CAST(? AS text), CAST(? AS bigint), t.id, CAST(? AS text) ${theirs}
      ON CONFLICT DO NOTHING`,
    [why, now, to_event_id, event_id, listed(trx, places)],
  );
  // Since a move the earlier codes lead to the new one.
  if (why === 'moved') return;
  const led = await selectRows<Pick<EndedCodeRow, 'place'>>(
    trx,
    `UPDATE ended_codes SET why = ?, ended_at = ?, to_event_id = CAST(? AS text) WHERE why = 'moved' AND ticket_id IN (SELECT t.id ${theirs}) RETURNING place`,
    [why, now, to_event_id, event_id, listed(trx, places)],
  );
  if (led.length === 0) return;
  await trx<PlaceRow>('places')
    .where({ event_id })
    .whereIn(
      'place',
      led.map(({ place }) => place),
    )
    .update({ feed_seq });
}

/** A code that has ended, and the order that had it. */
export interface EndedCode extends Omit<EndedCodeRow, 'event_id'> {
  order_number: string | null;
  /** When the other date begins. */
  to_starts_at: number | null;
  /** True: its ticket had no code after this one. */
  is_last: 0 | 1;
}

/**
 * What has ended on these places, or on all of an event; without the codes that lead to a ticket
 * since it moved.
 */
export async function endedCodesOn(
  db: Db,
  event_id: string,
  places?: readonly string[],
): Promise<EndedCode[]> {
  if (places?.length === 0) return [];
  return selectRows(
    db,
    `SELECT c.place, c.revision, c.why, c.ended_at, c.ticket_id, c.to_event_id, o.number AS order_number, d.starts_at AS to_starts_at,
        CASE WHEN t.place = c.place AND t.revision = c.revision THEN 1 ELSE 0 END AS is_last
      FROM ended_codes c LEFT JOIN tickets t ON t.id = c.ticket_id LEFT JOIN orders o ON o.id = t.order_id LEFT JOIN events d ON d.id = c.to_event_id
      WHERE c.event_id = ? ${places ? `AND ${among(db, 'c.place', 'text')}` : ''}
        AND c.why <> 'moved' ORDER BY c.place, c.revision`,
    places ? [event_id, listed(db, places)] : [event_id],
  );
}

/** The codes that tickets had and that ended, by ticket; of all of an event, or of these. */
export async function endedCodesOf(
  db: Db,
  event_id: string,
  ticket_ids?: readonly string[],
): Promise<Map<string, Pick<EndedCodeRow, 'place' | 'revision' | 'ticket_id'>[]>> {
  if (ticket_ids?.length === 0) return new Map();
  const rows = await selectRows<Pick<EndedCodeRow, 'place' | 'revision' | 'ticket_id'>>(
    db,
    `SELECT place, revision, ticket_id FROM ended_codes WHERE ${ticket_ids ? among(db, 'ticket_id', 'text') : 'event_id = ?'} ORDER BY place, revision`,
    [ticket_ids ? listed(db, ticket_ids) : event_id],
  );
  return Map.groupBy(rows, ({ ticket_id }) => ticket_id);
}
