/** The office's notes about orders, in SQL. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { OrderNoteRow } from '#db/rows.ts';

/** Lists the pinned note first, then the newest. */
export async function notesOfOrder(db: Db, order_id: string): Promise<OrderNoteRow[]> {
  return db<OrderNoteRow>('order_notes')
    .where({ order_id })
    .orderBy([
      { column: 'pinned', order: 'desc' },
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
}

export async function findNote(
  db: Db,
  { id, order_id }: Pick<OrderNoteRow, 'id' | 'order_id'>,
): Promise<OrderNoteRow | undefined> {
  return db<OrderNoteRow>('order_notes').where({ id, order_id }).first();
}

export async function insertNote(trx: Trx, note: OrderNoteRow): Promise<void> {
  await trx<OrderNoteRow>('order_notes').insert(note);
}

/** Pins one note of the order, or none if `id` is null. */
export async function pinNote(trx: Trx, order_id: string, id: string | null): Promise<void> {
  await trx<OrderNoteRow>('order_notes').where({ order_id, pinned: 1 }).update({ pinned: 0 });
  if (id !== null)
    await trx<OrderNoteRow>('order_notes').where({ order_id, id }).update({ pinned: 1 });
}

export async function deleteNote(trx: Trx, id: string): Promise<void> {
  await trx<OrderNoteRow>('order_notes').where({ id }).delete();
}
