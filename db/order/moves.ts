/**
 * Moves of tickets to other seats, in SQL: one row per move, and one per ticket with its old and
 * its new place.
 */
import type { MoveState } from '#server/domain/seat/move.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { LineKey, MovedTicketRow, MoveRow, OrderLineRow, TicketRow } from '#db/rows.ts';
import { insertMany } from '#db/engine/statements.ts';

export async function insertTicketMove(
  trx: Trx,
  move: MoveRow,
  tickets: readonly MovedTicketRow[],
): Promise<void> {
  await trx<MoveRow>('moves').insert(move);
  await insertMany(trx, 'moved_tickets', tickets);
}

/** Inserts the moves of many orders. */
export async function insertTicketMoves(
  trx: Trx,
  moves: readonly { move: MoveRow; tickets: readonly MovedTicketRow[] }[],
): Promise<void> {
  await insertMany(
    trx,
    'moves',
    moves.map(({ move }) => move),
  );
  await insertMany(
    trx,
    'moved_tickets',
    moves.flatMap(({ tickets }) => tickets),
  );
}

export async function findMove(db: Db, id: string): Promise<MoveRow | undefined> {
  return db<MoveRow>('moves').where({ id }).first();
}

/** What a change of hall has moved of an order. */
export async function moveOfRun(
  db: Db,
  run: Pick<MoveRow, 'order_id' | 'of_rehousing'>,
): Promise<MoveRow | undefined> {
  return db<MoveRow>('moves').where(run).first();
}

/** Lists the tickets in the order of the request. */
export async function movedTicketsOf(db: Db, move_id: string): Promise<MovedTicketRow[]> {
  return db<MovedTicketRow>('moved_tickets').where({ move_id }).orderBy('position');
}

/** Returns false if another process was faster. */
export async function turnMove(
  trx: Trx,
  id: string,
  from: MoveState,
  changes: Partial<MoveRow> & { state: MoveState },
): Promise<boolean> {
  return (await trx<MoveRow>('moves').where({ id, state: from }).update(changes)) === 1;
}

/**
 * Unfinished moves of an order, during which the seat map has more seats for the order than our
 * rows.
 */
export async function openMovesOf(db: Db, order_id: string): Promise<MoveRow[]> {
  return db<MoveRow>('moves')
    .where({ order_id })
    .whereIn('state', ['taking', 'moved'])
    .orderBy(['created_at', 'id']);
}

/** The newest move that brought a ticket to this seat. */
export async function lastMoveTo(
  db: Db,
  ticket_id: string,
  to_object: string,
): Promise<MoveRow | undefined> {
  return db<MoveRow>('moves')
    .join('moved_tickets', 'moved_tickets.move_id', 'moves.id')
    .where({ 'moved_tickets.ticket_id': ticket_id, 'moved_tickets.to_object': to_object })
    .whereIn('moves.state', ['moved', 'done'])
    .orderBy('moves.moved_at', 'desc')
    .first('moves.*');
}

/** Notes the ticket's new place and revision. */
export async function noteArrival(
  trx: Trx,
  { move_id, ticket_id }: Pick<MovedTicketRow, 'move_id' | 'ticket_id'>,
  changes: Pick<MovedTicketRow, 'to_place' | 'to_revision'>,
): Promise<void> {
  await trx<MovedTicketRow>('moved_tickets').where({ move_id, ticket_id }).update(changes);
}

/** Gives a ticket another place and its next revision; the caller has locked the event's row. */
export async function placeTicket(
  trx: Trx,
  id: string,
  changes: Pick<TicketRow, 'place' | 'revision' | 'price_cents' | 'code_end'> &
    Partial<Pick<TicketRow, 'ticket_type' | 'type_label'>>,
): Promise<void> {
  await trx<TicketRow>('tickets').where({ id }).update(changes);
}

/** Gives a line another place; a unique index refuses a place that is taken. */
export async function placeLine(
  trx: Trx,
  { order_id, id }: LineKey,
  changes: Pick<
    OrderLineRow,
    | 'place'
    | 'object_label'
    | 'whole_size'
    | 'category'
    | 'price_id'
    | 'price_cents'
    | 'list_cents'
    | 'entry_kind'
    | 'type_label'
  >,
): Promise<void> {
  await trx<OrderLineRow>('order_lines').where({ order_id, id }).update(changes);
}

/** Gives a line another ticket type and its price. */
export async function retypeLine(
  trx: Trx,
  { order_id, id }: LineKey,
  changes: Pick<
    OrderLineRow,
    | 'ticket_type'
    | 'type_label'
    | 'booked_type'
    | 'price_id'
    | 'price_cents'
    | 'list_cents'
    | 'entry_kind'
  >,
): Promise<void> {
  await trx<OrderLineRow>('order_lines').where({ order_id, id }).update(changes);
}

/**
 * The ticket that had this place and revision before it moved, perhaps with a later revision of the
 * place, but one before `until`.
 */
export async function ticketMovedFrom(
  db: Db,
  event_id: string,
  { place, revision, until }: { place: string; revision: number; until: number },
): Promise<string | null> {
  const row = await db<MovedTicketRow>('moved_tickets')
    .where({ event_id, from_place: place })
    .whereBetween('from_revision', [revision, until - 1])
    .whereNotNull('to_place')
    .orderBy('from_revision')
    .first('ticket_id');
  return row?.ticket_id ?? null;
}

export async function countMovesOf(db: Db, ticket_id: string): Promise<number> {
  const rows = await db<MovedTicketRow>('moved_tickets')
    .where({ ticket_id })
    .whereNotNull('to_place')
    .select('move_id');
  return rows.length;
}
