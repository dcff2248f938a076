/** A move in words: which ticket moved from where to where, and whether it can be undone. */
import type { Db } from '#db/engine/dialect.ts';
import { lastMoveTo, movedTicketsOf } from '#db/order/moves.ts';
import type { MoveRow } from '#db/rows.ts';
import { mayUndoMove } from '#server/domain/seat/move.ts';
import type { Ctx } from '#server/services/context.ts';
import { movedInWords } from '#server/services/order/seat-names.ts';
import type { MoveWish } from './steps.ts';

export async function moveInWords(ctx: Ctx, move: MoveRow, { replayed }: { replayed: boolean }) {
  const tickets = await movedInWords(ctx.db, move);
  return { ...move, move_id: move.id, may_undo: mayUndoMove(move), replayed, tickets };
}

/** The one move that brought all these tickets to their present seats; null if there is none. */
export async function lastMoveOf(db: Db, wishes: readonly MoveWish[]): Promise<MoveRow | null> {
  const [first] = wishes;
  if (first === undefined) return null;
  const move = await lastMoveTo(db, first.ticket_id, first.object);
  if (!move) return null;
  const moved = new Set((await movedTicketsOf(db, move.id)).map(({ ticket_id }) => ticket_id));
  return wishes.every(({ ticket_id }) => moved.has(ticket_id)) ? move : null;
}
