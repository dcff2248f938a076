/**
 * Keeps a guest inside when the ticket moves: stores two scans, one out of the old place and one
 * into the new place, in the name of the person who moved the ticket (RULES M5).
 */
import { passagesOf } from '#db/door/admissions.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { AdmissionRow } from '#db/rows.ts';
import { standingOf, type CountedScan, type Direction } from '#server/domain/door/admission.ts';
import { movedWords } from '#server/domain/seat/move-words.ts';
import type { Ctx } from '#server/services/context.ts';
import { addRows, bareScan } from '#server/services/door/passages.ts';

interface Code {
  place: string;
  revision: number;
}

/** The last scan that says whether the code's holder is inside; null if the code was not used. */
export async function lastPassage(
  db: Db,
  event_id: string,
  code: Code,
): Promise<CountedScan | null> {
  const scans = (await passagesOf(db, event_id, code)).map((row) => ({
    admission_id: row.id,
    direction: row.direction,
    corrected_at: row.corrected_at,
    undone: row.annulled_by !== null,
  }));
  return standingOf(scans).last;
}

export interface Passage {
  ticket_id: string;
  from: Code;
  to: Code;
  /** The scan since which the holder is inside. */ last: CountedScan;
}

/**
 * Adds two scans for each guest who is inside; the scans of the old code stay, and every phone
 * gets the new ones.
 */
export async function carryOver(
  ctx: Ctx,
  trx: Trx,
  { event_id, user_id, passages }: { event_id: string; user_id: string; passages: Passage[] },
): Promise<void> {
  const rows = passages.flatMap(({ ticket_id, from, to, last }) => {
    // A phone's clock may have been ahead, so the new scans get a later time than the last one.
    const at = Math.max(ctx.now(), last.corrected_at + 1);
    const scan = (code: Code, direction: Direction, when: number): AdmissionRow => ({
      ...bareScan,
      ...code,
      id: ctx.newId(),
      event_id,
      ticket_id,
      user_id,
      direction,
      verdict: direction === 'in' ? 'admit' : 'out',
      counts: 1,
      offline: 0,
      note: movedWords,
      scanned_at: when,
      corrected_at: when,
      received_at: ctx.now(),
    });
    return [scan(from, 'out', at), scan(to, 'in', at + 1)];
  });
  await addRows(trx, event_id, { rows, supervisor: true });
}
