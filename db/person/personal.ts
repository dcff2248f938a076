/**
 * Finds a person by their mail address in all tables, each by its own index, and stores requests
 * for erasure.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { insertMany } from '#db/engine/statements.ts';
import type { ErasureFacts } from '#server/domain/person/erasure.ts';
import type {
  AuditRow,
  DeclineRow,
  ErasureRow,
  ErasureWaitRow,
  InvoiceRow,
  MailRow,
  OrderRow,
  QueuePlaceRow,
  ReminderRow,
  TicketRow,
  UserRow,
} from '#db/rows.ts';

/** More orders than one person has; a list of this length is marked as cut. */
const mostOrders = 500;

export interface PersonOrder
  extends
    ErasureFacts,
    Pick<OrderRow, 'id' | 'number' | 'event_id' | 'total_cents' | 'created_at'> {
  event_title: string;
  starts_at: number;
  places: number;
}

/** The orders of an address that were made by `asked_at`. */
export async function ordersOfAddress(
  db: Db,
  address: string,
  asked_at: number = Number.MAX_SAFE_INTEGER,
): Promise<PersonOrder[]> {
  const ids: string[] = await db('orders')
    .whereRaw('LOWER(buyer_email) = ?', [address])
    .whereNotNull('buyer_email')
    .where('created_at', '<=', asked_at)
    .orderBy('created_at', 'desc')
    .limit(mostOrders)
    .pluck('id');
  return personOrders(db, ids);
}

/** Reads orders, the newest first. */
export async function personOrders(db: Db, ids: readonly string[]): Promise<PersonOrder[]> {
  const about = (table: string) => db(table).whereRaw('??.order_id = orders.id', [table]);
  const rows: PersonOrder[] = await db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .whereIn('orders.id', ids as string[])
    .orderBy([
      { column: 'orders.created_at', order: 'desc' },
      { column: 'orders.id', order: 'desc' },
    ])
    .select(
      'orders.id',
      'orders.number',
      'orders.event_id',
      'orders.state',
      'orders.total_cents',
      'orders.created_at',
      'orders.needs_attention',
      'events.title as event_title',
      'events.starts_at',
      db.raw('COALESCE(events.ends_at, events.starts_at) AS over_at'),
      about('order_lines').count('*').as('places'),
      about('tickets').whereIn('tickets.state', ['valid', 'unpaid']).count('*').as('valid_tickets'),
      about('refunds')
        .whereIn('refunds.state', ['asked', 'requested', 'pending', 'requires_action'])
        .count('*')
        .as('open_refunds'),
      about('disputes').whereNull('disputes.closed_at').count('*').as('open_disputes'),
    );
  const counts = ['over_at', 'places', 'valid_tickets', 'open_refunds', 'open_disputes'] as const;
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(counts.map((name) => [name, Number(row[name])])),
  }));
}

/** Tickets that an address holds, in its own orders and in other people's. */
export async function ticketsOfHolder(
  db: Db,
  address: string,
): Promise<Pick<TicketRow, 'id' | 'order_id' | 'holder' | 'issued_at'>[]> {
  return db('tickets')
    .whereRaw('LOWER(holder_email) = ?', [address])
    .whereNotNull('holder_email')
    .orderBy(['issued_at', 'id'])
    .limit(mostOrders)
    .select('id', 'order_id', 'holder', 'issued_at');
}

/** Mails to this address or about one of these orders, the oldest first. */
export async function mailsOfPerson(
  db: Db,
  address: string,
  order_ids: readonly string[],
): Promise<MailRow[]> {
  const to: MailRow[] = await db<MailRow>('mails')
    .whereRaw('LOWER(to_address) = ?', [address])
    .whereNotNull('to_address');
  const about: MailRow[] = await db<MailRow>('mails')
    .whereIn('order_id', order_ids as string[])
    .whereNull('forgotten_at');
  const all = new Map([...to, ...about].map((mail) => [mail.id, mail]));
  return [...all.values()].toSorted((a, b) => a.created_at - b.created_at);
}

export async function remindersOf(db: Db, address: string): Promise<ReminderRow[]> {
  return db<ReminderRow>('reminders').whereRaw('LOWER(email) = ?', [address]);
}

/** Entrants of waiting rooms who want a mail at this address when the turn is near. */
export async function turnMailsOf(
  db: Db,
  address: string,
): Promise<Pick<QueuePlaceRow, 'event_id' | 'email' | 'arrival'>[]> {
  return db<QueuePlaceRow>('queue_places')
    .whereRaw('LOWER(email) = ?', [address])
    .whereNotNull('email')
    .orderBy('arrival')
    .select('event_id', 'email', 'arrival');
}

export async function declinesOf(db: Db, address: string): Promise<DeclineRow[]> {
  return db<DeclineRow>('declines')
    .whereRaw('LOWER(buyer_email) = ?', [address])
    .whereNotNull('buyer_email')
    .orderBy('at');
}

interface PersonMessage {
  id: string;
  subject: string | null;
  body: string | null;
  created_at: number;
}

/** Messages to many buyers that were sent to these orders. */
export async function messagesOf(db: Db, order_ids: readonly string[]): Promise<PersonMessage[]> {
  return db('messages')
    .whereIn(
      'id',
      db('message_orders')
        .whereIn('order_id', order_ids as string[])
        .select('message_id'),
    )
    .orderBy('created_at')
    .select('id', 'subject', 'body', 'created_at');
}

/**
 * Corrections of buyers whose earlier or later values contain the address; an earlier address is
 * found only here.
 */
export async function correctionsNaming(db: Db, address: string): Promise<AuditRow[]> {
  const rows: AuditRow[] = await db<AuditRow>('audit')
    .where({ action: 'buyer_changed' })
    .whereRaw('LOWER(detail) LIKE ?', [`%${address.replace(/[%_]/g, '_')}%`])
    .orderBy(['at', 'id'])
    .limit(mostOrders);
  return rows;
}

/** Invoices requested for these orders, which the law requires us to keep. */
export async function invoicesOf(db: Db, order_ids: readonly string[]): Promise<InvoiceRow[]> {
  return db<InvoiceRow>('invoices')
    .whereIn('order_id', order_ids as string[])
    .orderBy('asked_at');
}

export async function userOfAddress(
  db: Db,
  address: string,
): Promise<Pick<UserRow, 'name' | 'role'> | undefined> {
  return db<UserRow>('users')
    .whereRaw('LOWER(email) = ?', [address])
    .whereNull('removed_at')
    .first('name', 'role');
}

export async function insertErasure(trx: Trx, erasure: ErasureRow): Promise<void> {
  await trx<ErasureRow>('erasures').insert(erasure);
}

export async function insertWaits(trx: Trx, waits: readonly ErasureWaitRow[]): Promise<void> {
  await insertMany(trx, 'erasure_waits', waits);
}

export async function waitsOf(db: Db, erasure_id: string): Promise<ErasureWaitRow[]> {
  return db<ErasureWaitRow>('erasure_waits').where({ erasure_id }).orderBy('id');
}

/** Returns false if another process has done it. */
export async function endWait(trx: Trx, wait: ErasureWaitRow): Promise<boolean> {
  const { id, erasure_id } = wait;
  if ((await trx<ErasureWaitRow>('erasure_waits').where({ id }).delete()) === 0) return false;
  await trx<ErasureRow>('erasures').where({ id: erasure_id }).increment('erased', 1);
  return true;
}

export async function endErasure(db: Db, id: string, done_at: number): Promise<void> {
  await db<ErasureRow>('erasures')
    .where({ id })
    .whereNull('done_at')
    .whereNotExists(db('erasure_waits').whereRaw('erasure_waits.erasure_id = erasures.id'))
    .update({ done_at });
}

export async function openErasures(db: Db): Promise<ErasureRow[]> {
  return db<ErasureRow>('erasures').whereNull('done_at').where({ repeats: 0 }).orderBy('asked_at');
}

/** Requests that came from a file beside a backup and have not been repeated yet. */
export async function erasuresToRepeat(db: Db): Promise<ErasureRow[]> {
  return db<ErasureRow>('erasures').where({ repeats: 1 });
}

/** Notes that these requests were repeated after a restore; from now on they wait like others. */
export async function noteRepeated(db: Db, ids: readonly string[]): Promise<void> {
  await db<ErasureRow>('erasures')
    .whereIn('id', ids as string[])
    .update({ repeats: 0 });
}

interface ListedErasure extends ErasureRow {
  waiting: number;
}

/** Lists the newest first. */
export async function listErasures(db: Db, limit: number): Promise<ListedErasure[]> {
  const rows: ListedErasure[] = await db('erasures')
    .orderBy('asked_at', 'desc')
    .limit(limit)
    .select(
      'erasures.*',
      db('erasure_waits')
        .whereRaw('erasure_waits.erasure_id = erasures.id')
        .count('*')
        .as('waiting'),
    );
  return rows.map((row) => ({ ...row, waiting: Number(row.waiting) }));
}

export async function everyErasure(
  db: Db,
): Promise<Pick<ErasureRow, 'id' | 'address_hash' | 'asked_at'>[]> {
  return db<ErasureRow>('erasures').orderBy('asked_at').select('id', 'address_hash', 'asked_at');
}

/** Adds requests that this database does not have, to be repeated. */
export async function addErasures(
  db: Db,
  rows: readonly Pick<ErasureRow, 'id' | 'address_hash' | 'asked_at'>[],
): Promise<void> {
  for (const row of rows)
    await db<ErasureRow>('erasures')
      .insert({ ...row, actor: 'system', erased: 0, done_at: null, repeats: 1 })
      .onConflict('id')
      .ignore();
}

/** The addresses of all tables, page by page and without repetition within a table. */
export async function* everyAddress(db: Db): AsyncGenerator<string[]> {
  for (const [table, column] of [
    ['orders', 'buyer_email'],
    ['tickets', 'holder_email'],
    ['mails', 'to_address'],
    ['declines', 'buyer_email'],
    ['reminders', 'email'],
    ['queue_places', 'email'],
  ] as const) {
    for (let beyond = ''; ;) {
      const rows: { address: string }[] = await db(table)
        .whereRaw('LOWER(??) > ?', [column, beyond])
        .whereNotNull(column)
        .groupByRaw('LOWER(??)', [column])
        .orderByRaw('LOWER(??)', [column])
        .limit(500)
        .select(db.raw('LOWER(??) AS address', [column]));
      const last = rows.at(-1);
      if (last === undefined) break;
      yield rows.map(({ address }) => address);
      beyond = last.address;
    }
  }
}
