/** Conflicts: two entries with one ticket. Both scans stay, and a person says what happened. */
import { findAdmission } from '#db/door/admissions.ts';
import { listUnsettled, settleScan, type ScanSide, type UnsettledRow } from '#db/door/unsettled.ts';
import { transact } from '#db/engine/transact.ts';
import { conflictAnswers, type ConflictAnswer } from '#server/domain/door/admission.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';
import { settledOf, unsettledPage, type UnsettledAsk } from './unsettled.ts';
import { byOf } from './views.ts';

export async function conflictsForOffice(ctx: Ctx, ask: UnsettledAsk) {
  return unsettledPage(ctx, 'conflict_with', ask, inWords);
}

/**
 * A later answer replaces an earlier one; the audit keeps all of them.
 * @throws Refusal admission_not_found, conflict_gone
 */
export async function settleConflict(
  ctx: Ctx,
  id: string,
  { as, words, user_id }: { as: ConflictAnswer; words: string | null; user_id: string },
) {
  const actor = `user:${user_id}`;
  await transact(ctx.db, async (trx) => {
    const scan = await findAdmission(trx, id);
    if (!scan) throw new Refusal('admission_not_found');
    const settled = await settleScan(trx, 'conflict_with', id, {
      settled_at: ctx.now(),
      settled_by: actor,
      settled_as: as,
      settled_note: words,
    });
    if (!settled) throw new Refusal('conflict_gone');
    await happened(ctx, trx, {
      actor,
      action: 'conflict_settled',
      subject: id,
      detail: { as, note: words, before: scan.settled_as },
    });
  });
  const page = { limit: 1, after: null };
  const [row] = await listUnsettled(ctx.db, 'conflict_with', { id, open: false }, page);
  if (!row) throw new Refusal('conflict_gone');
  return inWords(row, await namesOf(ctx.db, [actor]));
}

function answerOf({ settled_as }: UnsettledRow): ConflictAnswer {
  return requireValue(
    conflictAnswers.find((as) => as === settled_as),
    'answer',
  );
}

function sideInWords(side: ScanSide) {
  return {
    ...side,
    admission_id: side.id,
    at: side.corrected_at,
    by: byOf(side),
    offline: side.offline === 1,
  };
}

function inWords(row: UnsettledRow, nameOf: NameOf) {
  const first = requireValue(row.other, 'scan');
  const settled = settledOf(row, nameOf);
  return {
    ...row,
    admission_id: row.id,
    seat: seatName(row),
    first: sideInWords(first),
    second: sideInWords(row),
    minutes_apart: Math.round((row.corrected_at - first.corrected_at) / 60_000),
    settled: settled && { ...settled, as: answerOf(row) },
  };
}
