/** Exchanges of tickets for another date, in SQL: a row each, and one for each old ticket. */
import type { ExchangeState } from '#server/domain/order/exchange.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { samePlaceAs, seatColumns } from '#db/joins.ts';
import { insertMany } from '#db/engine/statements.ts';
import type { ExchangeRow, ExchangeTicketRow, OrderRow } from '#db/rows.ts';
import type { SeatParts } from '#server/domain/seat/seat-name.ts';

export async function insertExchange(
  trx: Trx,
  exchange: ExchangeRow,
  tickets: readonly ExchangeTicketRow[],
): Promise<void> {
  await trx<ExchangeRow>('exchanges').insert(exchange);
  await insertMany(trx, 'exchange_tickets', tickets);
}

/** The exchange by which this order came. */
export async function exchangeInto(db: Db, to_order_id: string): Promise<ExchangeRow | undefined> {
  return db<ExchangeRow>('exchanges').where({ to_order_id }).first();
}

/** True if an exchange that answers this question waits or is done. */
export async function isAnsweredByExchange(db: Db, question_id: string): Promise<boolean> {
  const answers = db<ExchangeRow>('exchanges').where({ question_id }).whereNot({ state: 'ended' });
  return (await answers.first('id')) !== undefined;
}

/** The orders that tickets of this one have paid for, and those that theirs have. */
export async function exchangedInto(db: Db, from_order_id: string): Promise<string[]> {
  const next: string[] = await db<ExchangeRow>('exchanges')
    .where({ from_order_id, state: 'done' })
    .orderBy('settled_at')
    .pluck('to_order_id');
  const later = await Promise.all(next.map((id) => exchangedInto(db, id)));
  return [...next, ...later.flat()];
}

export async function exchangeTicketsOf(db: Db, exchange_id: string): Promise<ExchangeTicketRow[]> {
  return db<ExchangeTicketRow>('exchange_tickets').where({ exchange_id }).orderBy('ticket_id');
}

/** Those of an order's tickets that wait for another order to be paid, but for one exchange. */
export async function ticketsInExchange(
  db: Db,
  from_order_id: string,
  except: string | null = null,
): Promise<Set<string>> {
  const query = db('exchange_tickets')
    .join('exchanges', 'exchanges.id', 'exchange_tickets.exchange_id')
    .where({ from_order_id, state: 'open' });
  if (except !== null) query.whereNot('exchanges.id', except);
  return new Set(await query.pluck('exchange_tickets.ticket_id'));
}

/** Returns false if another process was faster. */
export async function turnExchange(
  trx: Trx,
  id: string,
  from: readonly ExchangeState[],
  changes: Partial<ExchangeRow> & { state: ExchangeState },
): Promise<boolean> {
  const turned = await trx<ExchangeRow>('exchanges')
    .where({ id })
    .whereIn('state', from as ExchangeState[])
    .update(changes);
  return turned === 1;
}

type OtherSide = {
  other_id: string;
  other_link: string;
  other_email: string | null;
  number: string;
  event_title: string;
  starts_at: number;
};
/** An exchange of an order, and the order on its other side. */
export interface SidedExchange extends ExchangeRow, OtherSide {
  side: 'given' | 'got';
}

/** The exchanges of an order's tickets and the one by which it came, the newest first. */
export async function exchangesOf(db: Db, order_id: string): Promise<SidedExchange[]> {
  const sided = async (side: SidedExchange['side']): Promise<SidedExchange[]> => {
    const [own, other] =
      side === 'given' ? ['from_order_id', 'to_order_id'] : ['to_order_id', 'from_order_id'];
    const rows = await db('exchanges')
      .where(`exchanges.${own}`, order_id)
      .join('orders', 'orders.id', `exchanges.${other}`)
      .join('events', 'events.id', 'orders.event_id')
      .select(
        'exchanges.*',
        'orders.id as other_id',
        'orders.link_key as other_link',
        'orders.buyer_email as other_email',
        'orders.number',
        'events.title as event_title',
        'events.starts_at',
      );
    return rows.map((row) => ({ ...row, side }));
  };
  const all = [...(await sided('given')), ...(await sided('got'))];
  return all.toSorted((a, b) => b.created_at - a.created_at || (b.id > a.id ? 1 : -1));
}

/** The names of the seats that the old tickets of these exchanges have, or had. */
export async function seatsOfExchanges(
  db: Db,
  ids: readonly string[],
): Promise<({ exchange_id: string; place: string } & SeatParts)[]> {
  return db('exchange_tickets')
    .whereIn('exchange_tickets.exchange_id', ids as string[])
    .join('tickets', 'tickets.id', 'exchange_tickets.ticket_id')
    .join('places', samePlaceAs('tickets'))
    .orderBy(['tickets.place', 'tickets.id'])
    .select('exchange_tickets.exchange_id', 'tickets.place', ...seatColumns);
}

/** Locks both orders in the order of their ids, so that two exchanges never wait for each other. */
export async function lockOrders(trx: Trx, ids: readonly string[]): Promise<OrderRow[]> {
  const locked: OrderRow[] = [];
  for (const id of ids.toSorted()) {
    const order = await trx<OrderRow>('orders').where({ id }).forUpdate().first();
    if (order) locked.push(order);
  }
  return locked;
}
