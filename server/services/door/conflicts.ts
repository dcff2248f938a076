/** Two ways in with one ticket: both scans stay, and a person says what it was. */
import { findAdmission } from '#db/admissions.ts';
import { countOpenConflicts, listConflicts, settleScan, type ConflictRow } from '#db/conflicts.ts';
import { transact } from '#db/transact.ts';
import type { ConflictAnswer } from '#server/domain/admission.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat-name.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import { note } from '#server/services/user/audit.ts';
import type { Ctx } from '#server/services/context.ts';
import { byOf } from './views.ts';

/** More than a person looks through. */
const mostShown = 500;

export async function conflictsForOffice(
  ctx: Ctx,
  { event_id, open }: { event_id?: string | undefined; open: boolean },
) {
  const rows = await listConflicts(ctx.db, {
    open,
    limit: mostShown,
    ...(event_id === undefined ? {} : { event_id }),
  });
  const nameOf = await namesOf(
    ctx.db,
    rows.flatMap(({ settled_by }) => settled_by ?? []),
  );
  return {
    items: rows.map((row) => inWords(row, nameOf)),
    open: await countOpenConflicts(ctx.db, event_id),
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
  const [row] = await listConflicts(ctx.db, { id, open: false, limit: 1 });
  if (!row) throw new Refusal('conflict_gone');
  return inWords(row, await namesOf(ctx.db, [actor]));
}

function inWords(row: ConflictRow, nameOf: NameOf) {
  return {
    admission_id: row.id,
    event_id: row.event_id,
    event_title: row.event_title,
    ticket_id: row.ticket_id,
    place: row.place,
    seat: seatName(row),
    category: row.category,
    type_label: row.type_label,
    first: {
      admission_id: row.first_id,
      at: row.first_corrected_at,
      received_at: row.first_received_at,
      gate: row.first_gate,
      phone_id: row.first_phone_id,
      by: byOf({ phone_name: row.first_phone_name, user_name: row.first_user_name }),
      offline: row.first_offline === 1,
      means: row.first_means,
      override: row.first_override,
    },
    second: {
      admission_id: row.id,
      at: row.corrected_at,
      received_at: row.received_at,
      gate: row.gate,
      phone_id: row.phone_id,
      by: byOf(row),
      offline: row.offline === 1,
      means: row.means,
      override: row.override,
    },
    minutes_apart: Math.round((row.corrected_at - row.first_corrected_at) / 60_000),
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
