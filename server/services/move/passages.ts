/**
 * Keeps a guest inside when the ticket gets another code: stores two scans, one out by the old code
 * and one in by the new one, in the name of the person who moved or reissued it (RULES M5).
 */
import type { Trx } from '#db/engine/dialect.ts';
import type { AdmissionRow } from '#db/rows.ts';
import type { CountedScan, Direction } from '#server/domain/door/admission.ts';
import type { CarriedWords } from '#server/domain/door/carried.ts';
import type { PlaceCode } from '#server/domain/door/moved-code.ts';
import type { Ctx } from '#server/services/context.ts';
import { addRows, bareScan, timeAfter } from '#server/services/door/passages.ts';

export interface Passage {
  ticket_id: string;
  from: PlaceCode;
  to: PlaceCode;
  /** The scan since which the holder is inside. */ last: CountedScan;
}

/**
 * Adds two scans for each guest who is inside; the scans of the old code stay, and every phone
 * gets the new ones.
 */
export async function carryOver(
  ctx: Ctx,
  trx: Trx,
  {
    event_id,
    user_id,
    why,
    passages,
  }: { event_id: string; user_id: string; why: CarriedWords; passages: Passage[] },
): Promise<void> {
  if (passages.length === 0) return;
  // All leave before one of them comes, because a guest may take the seat of another.
  const places = passages.flatMap(({ from, to }) => [from.place, to.place]);
  const after = await timeAfter(trx, { event_id, places, now: ctx.now() });
  const at = Math.max(after, ...passages.map(({ last }) => last.corrected_at + 1));
  const rows = passages.flatMap(({ ticket_id, from, to }) => {
    const scan = (code: PlaceCode, direction: Direction, when: number): AdmissionRow => ({
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
      note: why,
      scanned_at: when,
      corrected_at: when,
      received_at: ctx.now(),
    });
    return [scan(from, 'out', at), scan(to, 'in', at + 1)];
  });
  await addRows(trx, event_id, { rows, supervisor: true });
}
