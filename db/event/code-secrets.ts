/**
 * The secrets of ticket codes in SQL, and the tickets whose codes were made with an earlier one
 * (RULES C4).
 */
import type { Knex } from 'knex';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { samePlaceAs } from '#db/joins.ts';
import { newestOut } from '#db/seat/lost-revisions.ts';
import type { EventRow, OrderRow, PlaceRow, TicketRow } from '#db/rows.ts';

const columns = ['code_secret', 'earlier_secret'] as const;

/** A secret as the database has it. */
interface StoredSecret {
  id: string;
  column: (typeof columns)[number];
  secret: string;
}

/** The secrets of all events. */
export async function codeSecrets(db: Db): Promise<StoredSecret[]> {
  const events = await db<EventRow>('events').select('id', ...columns);
  return events.flatMap((event) =>
    columns.flatMap((column) => {
      const secret = event[column];
      return secret === null ? [] : [{ id: event.id, column, secret }];
    }),
  );
}

/** Stores the same secret in another form, unless another process has changed it meanwhile. */
export async function replaceSecret(
  db: Db,
  { id, column, secret }: StoredSecret,
  to: string,
): Promise<void> {
  await db<EventRow>('events')
    .where({ id, [column]: secret })
    .update({ [column]: to });
}

/**
 * Replaces the secret; codes issued so far, or perhaps lost, keep the earlier one. The caller has
 * locked the event's row.
 */
export async function beginSecret(
  trx: Trx,
  { id, code_secret }: Pick<EventRow, 'id' | 'code_secret'>,
  next: Pick<EventRow, 'code_secret' | 'feed_epoch'>,
): Promise<void> {
  await trx<EventRow>('events')
    .where({ id })
    .update({ ...next, earlier_secret: code_secret });
  await trx<PlaceRow>('places')
    .where({ event_id: id })
    .whereRaw(`${newestOut} > 0`)
    .update({ earlier_codes: trx.raw(newestOut) as never });
}

/**
 * Ends the earlier secret. Its codes cannot be made any more, so the stored ends of codes are
 * removed, and scans of them cannot be checked. The caller has locked the event's row.
 */
export async function endSecret(trx: Trx, id: string, feed_epoch: string): Promise<void> {
  await trx('tickets')
    .where({ event_id: id })
    .whereExists(
      trx('places')
        .select(trx.raw('1'))
        .whereRaw(
          'places.event_id = tickets.event_id AND places.place = tickets.place AND tickets.revision <= places.earlier_codes',
        ),
    )
    .update({ code_end: null });
  await trx<PlaceRow>('places')
    .where({ event_id: id })
    .where('earlier_codes', '>', 0)
    .update({ lost_codes: trx.ref('earlier_codes') as never, earlier_codes: 0 });
  await trx<EventRow>('events').where({ id }).update({ earlier_secret: null, feed_epoch });
}

/** Valid tickets with a code of the earlier secret. */
function earlierTickets(db: Db, event_id: string): Knex.QueryBuilder {
  return db('tickets')
    .join('places', samePlaceAs('tickets'))
    .where('tickets.event_id', event_id)
    .whereIn('tickets.state', ['valid', 'unpaid'])
    .whereRaw('tickets.revision <= places.earlier_codes');
}

/** Admissions that count. */
function entered(db: Db): Knex.QueryBuilder {
  return db('admissions')
    .select(db.raw('1'))
    .whereRaw('admissions.ticket_id = tickets.id')
    .where({ counts: 1, direction: 'in' })
    .whereNull('annulled_by');
}

/**
 * Counts an event's tickets with earlier codes; `entered` are those whose holders were admitted.
 */
export async function countEarlier(
  db: Db,
  event_id: string,
): Promise<{ tickets: number; entered: number }> {
  const count = async (query: Knex.QueryBuilder): Promise<number> =>
    Number((await query.count({ n: '*' }).first()).n);
  return {
    tickets: await count(earlierTickets(db, event_id)),
    entered: await count(earlierTickets(db, event_id).whereExists(entered(db))),
  };
}

type EarlierTicket = Pick<
  TicketRow,
  'id' | 'order_id' | 'place' | 'holder' | 'holder_email' | 'holder_changes'
>;

/** Tickets of one order with earlier codes whose holders were not admitted. */
export async function earlierOfOrder(
  trx: Trx,
  { event_id, order_id }: { event_id: string; order_id: string },
): Promise<EarlierTicket[]> {
  return earlierTickets(trx, event_id)
    .where('tickets.order_id', order_id)
    .whereNotExists(entered(trx))
    .select(
      'tickets.id',
      'tickets.order_id',
      'tickets.place',
      'tickets.holder',
      'tickets.holder_email',
      'tickets.holder_changes',
    );
}

/**
 * Orders that have tickets with codes of the earlier secret whose holders were not admitted,
 * ordered by number.
 */
export async function ordersWithEarlier(
  db: Db,
  event_id: string,
): Promise<Pick<OrderRow, 'id' | 'number' | 'buyer_email'>[]> {
  return db('orders')
    .whereIn(
      'orders.id',
      earlierTickets(db, event_id).whereNotExists(entered(db)).select('tickets.order_id'),
    )
    .orderBy('number')
    .select('id', 'number', 'buyer_email');
}
