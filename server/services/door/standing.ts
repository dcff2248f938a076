/** Whether a ticket's guest is inside, by the scans of all codes that the ticket has had. */
import { passagesOfTicket, type NamedAdmission } from '#db/door/admissions.ts';
import { hopsOf } from '#db/door/scans.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { TicketRow } from '#db/rows.ts';
import { endedCodesOf } from '#db/seat/ended-codes.ts';
import { standingOf, type CountedScan } from '#server/domain/door/admission.ts';
import { codesOf } from '#server/domain/door/moved-code.ts';

export type StandingScan = CountedScan & { row: NamedAdmission };

/** The scan that says whether the guest is inside, and the one that another entry would meet. */
export async function standingOfTicket(
  db: Db,
  { id, event_id, place, revision }: Pick<TicketRow, 'id' | 'event_id' | 'place' | 'revision'>,
): Promise<{ last: StandingScan | null; first: StandingScan | null }> {
  const hops = (await hopsOf(db, event_id, [id])).get(id) ?? [];
  const ended = (await endedCodesOf(db, event_id, [id])).get(id) ?? [];
  const codes = codesOf({ hops, ended, present: { place, revision } });
  const rows = await passagesOfTicket(db, event_id, { ticket_id: id, codes });
  return standingOf(
    rows.map((row) => ({
      admission_id: row.id,
      direction: row.direction,
      corrected_at: row.corrected_at,
      undone: row.annulled_by !== null,
      row,
    })),
  );
}
