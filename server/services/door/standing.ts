/** Whether a ticket's guest is inside, by the scans of all codes that the ticket has had. */
import { passagesOfTicket, type NamedAdmission } from '#db/door/admissions.ts';
import { codesOfTickets, countedOn, hopsOf } from '#db/door/scans.ts';
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

type KeyedTicket = Pick<TicketRow, 'id' | 'place' | 'revision'>;

/** Of these tickets of one event those whose guests are inside, each with the scan since which. */
export async function guestsInside(
  db: Db,
  event_id: string,
  tickets: readonly KeyedTicket[],
): Promise<Map<string, CountedScan>> {
  const ids = tickets.map(({ id }) => id);
  const codes = await codesOfTickets(db, ids);
  const earlier = [...codes.values()].flat().map(({ place }) => place);
  const places = [...new Set([...tickets.map(({ place }) => place), ...earlier])];
  const scans = await countedOn(db, event_id, places);
  const inside = new Map<string, CountedScan>();
  for (const { id, ...present } of tickets) {
    const theirs = [present, ...(codes.get(id) ?? [])];
    const own = scans.filter(
      ({ ticket_id, place, revision }) =>
        ticket_id === id || theirs.some((one) => one.place === place && one.revision === revision),
    );
    const { last } = standingOf(
      own.map((scan): CountedScan => ({
        admission_id: scan.id,
        direction: scan.direction,
        corrected_at: scan.corrected_at,
        undone: scan.annulled_by !== null,
      })),
    );
    if (last?.direction === 'in') inside.set(id, last);
  }
  return inside;
}
