/** Notes about an order: written, pinned, deleted; only the office sees them (RULES O16). */
import type { Trx } from '#db/engine/dialect.ts';
import { deleteNote, findNote, insertNote, pinNote } from '#db/order/order-notes.ts';
import { lockOrder } from '#db/order/orders.ts';
import type { OrderNoteRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import type { Viewer } from '#server/services/order/order-scope.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';

interface NoteName {
  order_id: string;
  note_id: string;
}

/** @throws Refusal order_not_found, buyer_forgotten */
export async function addNote(
  ctx: Ctx,
  writer: Viewer,
  { order_id, text, pinned = false }: { order_id: string; text: string; pinned?: boolean },
): Promise<{ note_id: string }> {
  await requireOrder(ctx, order_id);
  const note_id = ctx.newId();
  await transact(ctx.db, async (trx) => {
    // A note written after an erasure would stay for ever, because an order is erased only once.
    if ((await lockOrder(trx, order_id)).buyer_forgotten_at !== null)
      throw new Refusal('buyer_forgotten');
    await insertNote(trx, {
      id: note_id,
      order_id,
      text,
      author_id: writer.id,
      created_at: ctx.now(),
      pinned: 0,
    });
    if (pinned) await pinNote(trx, order_id, note_id);
    await tell(ctx, trx, { writer, action: 'note_added', order_id, detail: { note_id, pinned } });
  });
  return { note_id };
}

/** @throws Refusal order_not_found, note_not_found */
export async function setPinned(
  ctx: Ctx,
  writer: Viewer,
  { order_id, note_id, pinned }: NoteName & { pinned: boolean },
): Promise<void> {
  await requireOrder(ctx, order_id);
  await transact(ctx.db, async (trx) => {
    const found = await lockNote(trx, { order_id, note_id });
    if ((found.pinned === 1) === pinned) return;
    await pinNote(trx, order_id, pinned ? note_id : null);
    const action = pinned ? 'note_pinned' : 'note_unpinned';
    await tell(ctx, trx, { writer, action, order_id, detail: { note_id } });
  });
}

/** @throws Refusal order_not_found, note_not_found, note_of_another */
export async function dropNote(ctx: Ctx, writer: Viewer, name: NoteName): Promise<void> {
  const { order_id, note_id } = name;
  await requireOrder(ctx, order_id);
  await transact(ctx.db, async (trx) => {
    const found = await lockNote(trx, name);
    if (found.author_id !== writer.id && writer.role !== 'admin')
      throw new Refusal('note_of_another');
    await deleteNote(trx, note_id);
    await tell(ctx, trx, { writer, action: 'note_deleted', order_id, detail: { note_id } });
  });
}

/** Locks the order's row first: if two people pin a note at the same time, the later one wins. */
async function lockNote(trx: Trx, { order_id, note_id }: NoteName): Promise<OrderNoteRow> {
  await lockOrder(trx, order_id);
  const found = await findNote(trx, { id: note_id, order_id });
  if (!found) throw new Refusal('note_not_found');
  return found;
}

interface Deed {
  writer: Viewer;
  action: AuditAction;
  order_id: string;
  detail: object;
}

/** Writes the act into the registry without the note's text, so that a deleted note is gone. */
async function tell(ctx: Ctx, trx: Trx, { writer, action, order_id, detail }: Deed): Promise<void> {
  await happened(ctx, trx, { actor: `user:${writer.id}`, action, subject: order_id, detail });
}
