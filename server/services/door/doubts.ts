/** Scans that a phone was not allowed to make (RULES A9): the office says whether they count. */
import { findAdmission, updateAdmission } from '#db/admissions.ts';
import { countUnsettled } from '#db/conflicts.ts';
import { listDoubts, settleDoubtful, type DoubtRow } from '#db/doubts.ts';
import type { AdmissionRow } from '#db/rows.ts';
import { transact } from '#db/transact.ts';
import type { Doubt, DoubtAnswer } from '#server/domain/doubt.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import { note } from '#server/services/user/audit.ts';
import { placeRows } from './passages.ts';
import { byOf } from './views.ts';

/** More than a person looks through. */
const mostShown = 200;

export async function doubtsForOffice(
  ctx: Ctx,
  {
    event_id,
    open,
    limit = mostShown,
  }: { event_id?: string | undefined; open: boolean; limit?: number | undefined },
) {
  const rows = await listDoubts(ctx.db, { event_id, open, limit });
  const settlers = rows.flatMap(({ settled_by }) => settled_by ?? []);
  const nameOf = await namesOf(ctx.db, settlers);
  return {
    items: rows.map((row) => inWords(row, nameOf)),
    open: await countUnsettled(ctx.db, 'doubt', event_id),
  };
}

function inWords(row: DoubtRow, nameOf: NameOf) {
  return {
    ...row,
    admission_id: row.id,
    seat: seatName(row),
    at: row.corrected_at,
    by: byOf(row),
    annuls:
      row.taken_at === null
        ? null
        : {
            at: row.taken_at,
            by: byOf({ phone_name: row.taken_phone_name, user_name: row.taken_user_name }),
          },
    settled:
      row.settled_at === null
        ? null
        : { at: row.settled_at, by: nameOf(row.settled_by!), note: row.settled_note },
  };
}

/** @throws Refusal admission_not_found, doubt_gone */
export async function settleDoubt(
  ctx: Ctx,
  id: string,
  { as, words, user_id }: { as: DoubtAnswer; words: string | null; user_id: string },
) {
  const actor = `user:${user_id}`;
  return transact(ctx.db, async (trx) => {
    const scan = await findAdmission(trx, id);
    if (!scan) throw new Refusal('admission_not_found');
    if (scan.doubt === null) throw new Refusal('doubt_gone');
    const changes: Partial<AdmissionRow> =
      as === 'counts'
        ? certain(scan, scan.doubt)
        : { settled_at: ctx.now(), settled_by: actor, settled_note: words };
    // Whoever changes the row first has decided; the others find that it is in doubt no more.
    if (!(await settleDoubtful(trx, id, changes))) throw new Refusal('doubt_gone');
    if (as === 'counts') {
      const row = { ...scan, ...changes };
      await placeRows(trx, scan.event_id, {
        passing: row.annuls === null ? [row] : [],
        undoing: row.annuls === null ? [] : [row],
        supervisor: true,
      });
      await updateAdmission(trx, id, { ...placedOf(row), counts: row.annuls === null ? 1 : 0 });
    }
    await note(ctx, trx, {
      actor,
      action: 'doubt_settled',
      subject: id,
      detail: { as, doubt: scan.doubt, note: words },
    });
    return { admission_id: id, counts: as === 'counts' };
  });
}

/** Doubts about when it was: of these the phone's word on the time is not taken. */
const aboutTime: readonly Doubt[] = ['before_doors', 'after_end', 'not_yet_past'];

/** A scan like any other from now on. */
function certain(scan: AdmissionRow, doubt: Doubt): Partial<AdmissionRow> {
  return {
    doubt: null,
    corrected_at: aboutTime.includes(doubt) ? scan.received_at : scan.corrected_at,
    settled_at: null,
    settled_by: null,
    settled_note: null,
  };
}

function placedOf({ feed_seq, conflict_with, annulled_by }: AdmissionRow) {
  return { feed_seq, conflict_with, annulled_by };
}
