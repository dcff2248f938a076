/** Two ways in with one ticket: both scans stay, and a person says what it was. */
import { findAdmission } from '#db/admissions.ts';
import {
  countUnsettled,
  listConflicts,
  settleScan,
  type ConflictRow,
  type ConflictSide,
} from '#db/conflicts.ts';
import { transact } from '#db/transact.ts';
import type { ConflictAnswer } from '#server/domain/admission.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat-name.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import { note } from '#server/services/user/audit.ts';
import type { Ctx } from '#server/services/context.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { byOf } from './views.ts';

export async function conflictsForOffice(
  ctx: Ctx,
  { event_id, open, ...ask }: ListAsk & { event_id?: string | undefined; open: boolean },
) {
  const { rows, next_cursor } = await listPage(
    ask,
    (page) => listConflicts(ctx.db, { open, event_id }, page),
    { timeOf: (row) => row.received_at, textsOf },
  );
  const settlers = rows.flatMap(({ settled_by }) => settled_by ?? []);
  const nameOf = await namesOf(ctx.db, settlers);
  return {
    items: rows.map((row) => inWords(row, nameOf)),
    next_cursor,
    open: await countUnsettled(ctx.db, 'conflict_with', event_id),
  };
}

/** The last word holds; each is in the audit. @throws Refusal admission_not_found, conflict_gone */
export async function settleConflict(
  ctx: Ctx,
  id: string,
  { as, words, user_id }: { as: ConflictAnswer; words: string | null; user_id: string },
) {
  const actor = `user:${user_id}`;
  await transact(ctx.db, async (trx) => {
    const scan = await findAdmission(trx, id);
    if (!scan) throw new Refusal('admission_not_found');
    const settled = await settleScan(trx, id, {
      settled_at: ctx.now(),
      settled_by: actor,
      settled_as: as,
      settled_note: words,
    });
    if (!settled) throw new Refusal('conflict_gone');
    await note(ctx, trx, {
      actor,
      action: 'conflict_settled',
      subject: id,
      detail: { as, note: words, before: scan.settled_as },
    });
  });
  const [row] = await listConflicts(ctx.db, { id, open: false }, { limit: 1, after: null });
  if (!row) throw new Refusal('conflict_gone');
  return inWords(row, await namesOf(ctx.db, [actor]));
}

function textsOf({ first, ...row }: ConflictRow): (string | null)[] {
  const sides = [first, row].flatMap((side) => [side.gate, byOf(side)]);
  return [row.place, seatName(row), row.event_title, ...sides];
}

function sideInWords(side: ConflictSide) {
  return {
    ...side,
    admission_id: side.id,
    at: side.corrected_at,
    by: byOf(side),
    offline: side.offline === 1,
  };
}

function inWords({ first, ...row }: ConflictRow, nameOf: NameOf) {
  return {
    ...row,
    admission_id: row.id,
    seat: seatName(row),
    first: sideInWords(first),
    second: sideInWords(row),
    minutes_apart: Math.round((row.corrected_at - first.corrected_at) / 60_000),
    settled:
      row.settled_at === null
        ? null
        : {
            at: row.settled_at,
            by: nameOf(row.settled_by!),
            as: row.settled_as!,
            note: row.settled_note,
          },
  };
}
