/** Scans that a phone was not allowed to make (RULES A9): the office says whether they count. */
import { findAdmission, updateAdmission } from '#db/door/admissions.ts';
import { settleScan, type UnsettledRow } from '#db/door/unsettled.ts';
import type { AdmissionRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { Doubt, DoubtAnswer } from '#server/domain/door/doubt.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import type { NameOf } from '#server/services/user/actors.ts';
import { settlePlaces } from '#server/services/payment/against.ts';
import { tellPassages } from '#server/services/kit/tell-programs.ts';
import { happened } from '#server/services/kit/happened.ts';
import { placeRows } from './passages.ts';
import { settledOf, unsettledPage, type UnsettledAsk } from './unsettled.ts';
import { byOf } from './views.ts';

export async function doubtsForOffice(ctx: Ctx, ask: UnsettledAsk) {
  return unsettledPage(ctx, 'doubt', ask, inWords);
}

function inWords(row: UnsettledRow, nameOf: NameOf) {
  return {
    ...row,
    doubt: requireValue(row.doubt, 'doubt'),
    admission_id: row.id,
    seat: seatName(row),
    at: row.corrected_at,
    by: byOf(row),
    annuls: row.other && { at: row.other.corrected_at, by: byOf(row.other) },
    settled: settledOf(row, nameOf),
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
    // Another person has settled this doubt meanwhile.
    if (!(await settleScan(trx, 'doubt', id, changes))) throw new Refusal('doubt_gone');
    if (as === 'counts') {
      const row = { ...scan, ...changes };
      const passed = await placeRows(trx, scan.event_id, {
        passing: row.annuls === null ? [row] : [],
        undoing: row.annuls === null ? [] : [row],
        supervisor: true,
      });
      await tellPassages(ctx, trx, scan.event_id, passed);
      await updateAdmission(trx, id, { ...placedOf(row), counts: row.annuls === null ? 1 : 0 });
      await settlePlaces(ctx, trx, scan.event_id, passed);
    }
    await happened(ctx, trx, {
      actor,
      action: 'doubt_settled',
      subject: id,
      detail: { as, doubt: scan.doubt, note: words },
    });
    return { admission_id: id, counts: as === 'counts' };
  });
}

/**
 * The doubts that leave a scan's time unsure: if the office counts such a scan, its time of
 * arrival replaces the phone's time.
 */
const aboutTime: readonly Doubt[] = [
  'before_doors',
  'after_end',
  'not_yet_past',
  'before_ticket',
  'no_proof',
];

/** The columns of the scan once it counts without doubt. */
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
