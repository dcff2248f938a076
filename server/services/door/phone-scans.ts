/** Takes back at once everything that one phone read in a span of time (RULES A13). */
import { doubtsInSpan, passagesInSpan, type PhoneSpan } from '#db/door/admissions.ts';
import { findPhone } from '#db/door/phones.ts';
import type { Db } from '#db/engine/dialect.ts';
import { countRows } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import type { AdmissionRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { settlePlaces } from '#server/services/payment/against.ts';
import { tellPassages } from '#server/services/kit/tell-programs.ts';
import { addRows, takingBack } from './passages.ts';

/** `passages` still count; `doubts` are undecided. */
interface Figures {
  passages: number;
  doubts: number;
}

/** @throws Refusal phone_not_found */
export async function countPhoneScans(ctx: Ctx, span: PhoneSpan): Promise<Figures> {
  if (!(await findPhone(ctx.db, span.phone_id))) throw new Refusal('phone_not_found');
  return figuresOf(ctx.db, span);
}

async function figuresOf(db: Db, span: PhoneSpan): Promise<Figures> {
  return {
    passages: await countRows(passagesInSpan(db, span)),
    doubts: await countRows(doubtsInSpan(db, span)),
  };
}

/** Doubts need one statement and do not count for it; the refusal's words name this number. */
const mostScans = 2_000;

/**
 * One act in one transaction: `seen` is what the person was shown before.
 * @throws Refusal phone_not_found, scans_changed, too_many_scans, undo_not_possible
 */
export async function undoPhoneScans(
  ctx: Ctx,
  span: PhoneSpan,
  { seen, reason, user_id }: { seen: Figures; reason: string; user_id: string },
): Promise<Figures> {
  const { passages, doubts } = await countPhoneScans(ctx, span);
  if (passages > mostScans) throw new Refusal('too_many_scans');
  if (passages + doubts === 0) throw new Refusal('undo_not_possible');
  const actor = `user:${user_id}`;
  return transact(ctx.db, async (trx) => {
    // The doors' turns come first, so that the scans do not change after they were read.
    const events: string[] = await passagesInSpan(trx, span).distinct().pluck('event_id');
    for (const event_id of events.toSorted())
      await takeDoorTurn(trx, { act: 'phone_scans_undone', event_id });
    const taken: AdmissionRow[] = await passagesInSpan(trx, span).select();
    const settled = { settled_at: ctx.now(), settled_by: actor, settled_note: reason };
    const found = { passages: taken.length, doubts: await doubtsInSpan(trx, span).update(settled) };
    if (found.passages !== seen.passages || found.doubts !== seen.doubts)
      throw new Refusal('scans_changed');
    for (const [event_id, scans] of Map.groupBy(taken, (scan) => scan.event_id)) {
      const rows = scans.map((scan) => takingBack(ctx, scan, { reason, user_id }));
      const passed = await addRows(trx, event_id, { rows, supervisor: true });
      await tellPassages(ctx, trx, event_id, passed);
      await settlePlaces(ctx, trx, event_id, passed);
    }
    const { phone_id, from, until } = span;
    await happened(ctx, trx, {
      actor,
      action: 'phone_scans_undone',
      subject: phone_id,
      detail: { ...found, from: isoOf(from), until: isoOf(until), reason },
    });
    return found;
  });
}
