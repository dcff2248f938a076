/**
 * Seals of fiscal titles in SQL: the tickets of an import, its seals, its undoing, and tickets
 * without a seal.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { insertMany } from '#db/engine/statements.ts';
import type { SeatParts } from '#server/domain/seat/seat-name.ts';
import { samePlaceAs, sealsOfTickets, seatColumns } from '#db/joins.ts';
import type {
  EventRow,
  OrderRow,
  PlaceRow,
  SealImportRow,
  TicketRow,
  TicketSealRow,
} from '#db/rows.ts';

type SealWords = Pick<TicketSealRow, 'seal' | 'progressive' | 'card'>;

/** A valid ticket with its seal, if any, and the columns by which a file of seals may name it. */
export interface SealableTicket
  extends
    SeatParts,
    Pick<TicketRow, 'id' | 'order_id' | 'place' | 'revision' | 'type_label'>,
    Pick<PlaceRow, 'earlier_codes'> {
  order_number: OrderRow['number'];
  seal: string | null;
  progressive: string | null;
  card: string | null;
}

function validTickets(db: Db, event_id: string) {
  return db('tickets')
    .where('tickets.event_id', event_id)
    .where('tickets.state', 'valid')
    .leftJoin('ticket_seals', sealsOfTickets);
}

export async function sealableTickets(db: Db, event_id: string): Promise<SealableTicket[]> {
  return validTickets(db, event_id)
    .join('places', samePlaceAs('tickets'))
    .join('orders', 'orders.id', 'tickets.order_id')
    .select(
      'tickets.id',
      'tickets.order_id',
      'tickets.place',
      'tickets.revision',
      'tickets.type_label',
      'places.earlier_codes',
      ...seatColumns,
      'orders.number as order_number',
      'ticket_seals.seal',
      'ticket_seals.progressive',
      'ticket_seals.card',
    );
}

/** Counts the valid tickets of an event, and those with a seal that counts. */
export async function countSeals(
  db: Db,
  event_id: string,
): Promise<{ tickets: number; sealed: number }> {
  const row = await validTickets(db, event_id)
    .count({ tickets: 'tickets.id', sealed: 'ticket_seals.ticket_id' })
    .first();
  return { tickets: Number(row?.['tickets'] ?? 0), sealed: Number(row?.['sealed'] ?? 0) };
}

/** The tickets of these seals, of all events; a ticket that has ended keeps its seal. */
export async function ownersOfSeals(
  db: Db,
  seals: readonly string[],
): Promise<Map<string, string>> {
  const rows = await inSlices(seals, (some) =>
    db<TicketSealRow>('ticket_seals')
      .whereIn('seal', some as string[])
      .whereNull('replaced_by')
      .select('seal', 'ticket_id'),
  );
  return new Map(rows.map(({ seal, ticket_id }) => [seal, ticket_id]));
}

/** Inserts seals; earlier seals of the same tickets no longer count. */
export async function insertSeals(
  trx: Trx,
  made: SealImportRow,
  seals: readonly TicketSealRow[],
): Promise<void> {
  await trx<SealImportRow>('seal_imports').insert(made);
  await inSlices(
    seals.map(({ ticket_id }) => ticket_id),
    async (some) => {
      await trx<TicketSealRow>('ticket_seals')
        .whereIn('ticket_id', some as string[])
        .whereNull('replaced_by')
        .update({ replaced_by: made.id });
      return [];
    },
  );
  await insertMany(trx, 'ticket_seals', seals);
}

/** Lists the newest imports first. */
export async function sealImportsOf(db: Db, event_id: string): Promise<SealImportRow[]> {
  return db<SealImportRow>('seal_imports')
    .where({ event_id })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
}

/**
 * Takes an import back. Returns false if that was done before, or if a later import replaced one
 * of its seals and must be taken back first.
 */
export async function undoSealImport(
  trx: Trx,
  { id, event_id }: Pick<SealImportRow, 'id' | 'event_id'>,
  undone: { undone_at: number; undone_by: string },
): Promise<boolean> {
  const marked = await trx<SealImportRow>('seal_imports')
    .where({ id, event_id })
    .whereNull('undone_at')
    .update(undone);
  if (marked === 0) return false;
  const replaced = await trx<TicketSealRow>('ticket_seals')
    .where({ import_id: id })
    .whereNotNull('replaced_by')
    .first('ticket_id');
  if (replaced !== undefined) return false;
  await trx<TicketSealRow>('ticket_seals').where({ import_id: id }).delete();
  await trx<TicketSealRow>('ticket_seals').where({ replaced_by: id }).update({ replaced_by: null });
  return true;
}

export async function findSealImport(
  db: Db,
  { id, event_id }: Pick<SealImportRow, 'id' | 'event_id'>,
): Promise<SealImportRow | undefined> {
  return db<SealImportRow>('seal_imports').where({ id, event_id }).first();
}

/** The seals of an order's tickets, by ticket; tickets without a seal have no entry. */
export async function sealsOfOrder(db: Db, order_id: string): Promise<Map<string, SealWords>> {
  const rows: (SealWords & { ticket_id: string })[] = await db('tickets')
    .where('tickets.order_id', order_id)
    .join('ticket_seals', sealsOfTickets)
    .select(
      'ticket_seals.ticket_id',
      'ticket_seals.seal',
      'ticket_seals.progressive',
      'ticket_seals.card',
    );
  return new Map(
    rows.map(({ ticket_id, seal, progressive, card }) => [ticket_id, { seal, progressive, card }]),
  );
}

/** The seals of these orders, for the file of orders. */
export async function sealsOfOrders(
  db: Db,
  order_ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows: { order_id: string; seal: string }[] = await db('tickets')
    .whereIn('tickets.order_id', order_ids as string[])
    .join('ticket_seals', sealsOfTickets)
    .orderBy(['tickets.order_id', 'tickets.place'])
    .select('tickets.order_id', 'ticket_seals.seal');
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
  return new Map([...byOrder].map(([id, own]) => [id, own.map(({ seal }) => seal)]));
}

/**
 * Published events within this span that use a recognised ticketing system and have a valid
 * ticket without a seal.
 */
export function eveningsWithoutSeals(db: Db, { from, to }: { from: number; to: number }) {
  return db<EventRow>('events')
    .where({ regime: 'external', status: 'published', rehearsal: 0 })
    .where('events.starts_at', '>', from)
    .where('events.starts_at', '<', to)
    .whereExists(
      db('tickets')
        .whereRaw('tickets.event_id = events.id')
        .where('tickets.state', 'valid')
        .leftJoin('ticket_seals', sealsOfTickets)
        .whereNull('ticket_seals.ticket_id')
        .select(db.raw('1')),
    );
}

/** A statement accepts a limited number of values; other work runs between two. */
const atOnce = 500;

async function inSlices<T, R>(
  values: readonly T[],
  work: (some: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const found: R[] = [];
  for (let from = 0; from < values.length; from += atOnce) {
    found.push(...(await work(values.slice(from, from + atOnce))));
    await yieldToLoop();
  }
  return found;
}
