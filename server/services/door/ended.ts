/** How codes of an event ended, for phones and the desk (RULES M4). */
import type { Db } from '#db/engine/dialect.ts';
import { endedCodesOn } from '#db/seat/ended-codes.ts';
import type { EndedCode } from '#server/domain/door/ended-code.ts';
import type { PlaceCode } from '#server/domain/door/moved-code.ts';
import { formatShortDate } from '#server/domain/time/dates.ts';

/** `last_of`: the ticket that had this code last; null: it had another one after it. */
interface EndedOnPlace extends EndedCode {
  last_of: string | null;
}

/**
 * By place; of these places, or of all. `names`: for a phone that may know the number of the order
 * that had the code.
 */
export async function endedForDoor(
  db: Db,
  event_id: string,
  { names, places }: { names: boolean; places?: readonly string[] | undefined },
): Promise<Map<string, EndedOnPlace[]>> {
  const codes = new Map<string, EndedOnPlace[]>();
  for (const row of await endedCodesOn(db, event_id, places)) {
    const known = codes.get(row.place) ?? [];
    codes.set(row.place, known);
    known.push({
      revision: row.revision,
      why: row.why,
      at: row.ended_at,
      note: row.to_starts_at === null ? null : formatShortDate(row.to_starts_at),
      order_number: names ? row.order_number : null,
      last_of: row.is_last === 1 ? row.ticket_id : null,
    });
  }
  return codes;
}

/** How this code ended; null: it has not, or no reason is known. */
export async function endedCode(
  db: Db,
  event_id: string,
  { place, revision }: PlaceCode,
): Promise<EndedCode | null> {
  const codes = await endedForDoor(db, event_id, { names: false, places: [place] });
  return codes.get(place)?.find((code) => code.revision === revision) ?? null;
}
