/**
 * Removes people from rows whose purpose is fulfilled: names, addresses and their words go;
 * amounts, states, numbers and ids stay.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Knex } from 'knex';
import { isOwnWord, partsOfDetail, type AuditDetail } from '#server/domain/audit/audit.ts';
import { readTrouble, reminderMailKinds } from '#server/domain/mail/kinds.ts';
import type { TypedPlace } from '#server/domain/person/held.ts';
import { excerptOf, namePattern, termsOf, withoutPerson } from '#server/domain/person/words.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { whereAbout } from '#db/audit/audit-seals.ts';
import { correctionsNaming } from './personal.ts';
import type {
  AuditRow,
  DeclineRow,
  MailRow,
  OrderNoteRow,
  OrderRow,
  RefundRow,
  SealedAuditRow,
  TicketRow,
} from '#db/rows.ts';

/**
 * Ended orders of events that were over before this, of which nothing is open: what waits for a
 * person or a bank still needs its buyer. In the order of their ids, after one of them.
 */
export async function ordersToForget(
  db: Db,
  { over_before, after, limit }: { over_before: number; after: string; limit: number },
): Promise<string[]> {
  const about = (table: string) =>
    db(table).select(db.raw('1')).whereRaw('??.order_id = orders.id', [table]);
  return db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .whereRaw('COALESCE(events.ends_at, events.starts_at) < ?', [over_before])
    .whereNull('orders.buyer_forgotten_at')
    .where('orders.id', '>', after)
    .whereIn('orders.state', ['confirmed', 'deleted'])
    .whereNull('orders.needs_attention')
    .whereNotExists(
      about('refunds').whereIn('refunds.state', [
        'asked',
        'requested',
        'pending',
        'requires_action',
      ]),
    )
    .whereNotExists(about('disputes').whereNull('disputes.closed_at'))
    .whereNotExists(about('mails').where('mails.state', 'waiting'))
    .orderBy('orders.id')
    .limit(limit)
    .pluck('orders.id');
}

/** False: another process has done it, or a person must decide about it meanwhile. */
export async function forgetBuyer(trx: Trx, id: string, at: number): Promise<boolean> {
  const order = await trx<OrderRow>('orders')
    .where({ id })
    .whereNull('buyer_forgotten_at')
    .whereNull('needs_attention')
    .forUpdate()
    .first();
  if (!order) return false;
  const known = await knownOf(trx, order);
  const terms = termsOf(known);
  await trx<OrderRow>('orders')
    .where({ id })
    .update({
      buyer_name: null,
      buyer_email: null,
      buyer_phone: null,
      buyer_contact: null,
      buyer_language: null,
      search_text: searchTextOf(order.number),
      buyer_forgotten_at: at,
    });
  await trx<TicketRow>('tickets')
    .where({ order_id: id })
    .update({ holder: null, holder_email: null });
  await trx<DeclineRow>('declines').where({ order_id: id }).update({ buyer_email: null });
  // The buyer's reason for a refund is personal; the office's explains its books.
  await forgetWishes(trx, id, terms);
  await forgetEntries(trx, await entriesNaming(trx, order.event_id, known), ({ personal }) =>
    names(personal, terms),
  );
  await blankWords(trx, order, terms);
  await trx<OrderNoteRow>('order_notes').where({ order_id: id }).delete();
  await forgetLetters(
    trx,
    await trx<MailRow>('mails')
      .where({ order_id: id })
      .whereNull('forgotten_at')
      .select('id', 'last_error'),
    at,
  );
  return true;
}

/** The texts by which a buyer and the holders of an order's tickets are found in typed words. */
async function knownOf(db: Db, order: OrderRow): Promise<(string | null)[]> {
  const tickets = await db<TicketRow>('tickets')
    .where({ order_id: order.id })
    .select('holder', 'holder_email');
  return [
    order.buyer_name,
    order.buyer_email,
    order.buyer_phone,
    order.buyer_contact,
    ...tickets.flatMap(({ holder, holder_email }) => [holder, holder_email]),
  ];
}

/**
 * The audit log keeps that they asked, and for how much; the salt of its seal goes with the rest.
 * Words of the office explain its books and stay, unless they contain the person.
 */
async function forgetWishes(trx: Trx, order_id: string, terms: RegExp | null): Promise<void> {
  const refunds = () => trx<RefundRow>('refunds').where({ order_id });
  const wishes = new Set<string>(await refunds().where({ origin: 'buyer' }).pluck('id'));
  await refunds().where({ origin: 'buyer' }).whereNotNull('reason').update({ reason: null });
  const tickets: string[] = await trx('tickets').where({ order_id }).pluck('id');
  const own = [order_id, ...(await refunds().pluck('id')), ...tickets];
  await forgetEntries(trx, await entriesOf(trx, own), (entry) =>
    isTheirs(entry, { wishes, terms }),
  );
}

interface Entry {
  action: string;
  plain: AuditDetail;
  personal: AuditDetail;
}

function isTheirs(
  { plain, personal, action }: Entry,
  { wishes, terms }: { wishes: ReadonlySet<string>; terms: RegExp | null },
): boolean {
  const isWish = wishes.has(String(plain['refund_id']));
  return (
    Object.keys(personal).some(
      (name) => isOwnWord(action, name) && (name !== 'reason' || isWish),
    ) || names(personal, terms)
  );
}

function names(personal: AuditDetail, terms: RegExp | null): boolean {
  const text = JSON.stringify(personal);
  return withoutPerson(text, terms) !== text;
}

type FoundEntry = Pick<AuditRow, 'at' | 'id' | 'action' | 'detail'>;

async function entriesOf(db: Db, subjects: readonly string[]): Promise<FoundEntry[]> {
  return whereAbout(db('audit'), db, subjects)
    .whereNotNull('detail')
    .select('at', 'id', 'action', 'detail');
}

/** Of an event, which may have thousands: entries that contain one of these, or a word of it. */
async function entriesNaming(
  db: Db,
  subject: string,
  known: readonly (string | null)[],
): Promise<FoundEntry[]> {
  const words = known.flatMap((text) => text?.toLowerCase().match(/[a-z0-9.@_-]{4,}/g) ?? []);
  if (words.length === 0) return [];
  return whereAbout(db('audit'), db, [subject])
    .where((any) => {
      for (const word of new Set(words))
        any.orWhereRaw(`LOWER(detail) LIKE ? ESCAPE '!'`, [`%${word.replaceAll('_', '!_')}%`]);
    })
    .select('at', 'id', 'action', 'detail');
}

/** Removes the personal part of these entries, with its salt. */
async function forgetEntries(
  trx: Trx,
  entries: readonly FoundEntry[],
  isMeant: (entry: Entry) => boolean,
): Promise<void> {
  for (const { at, id, action, detail } of entries) {
    const { plain, personal } = partsOfDetail(action, JSON.parse(detail ?? 'null') as AuditDetail);
    if (personal === null || !isMeant({ action, plain, personal })) continue;
    await trx<SealedAuditRow>('audit')
      .where({ at, id })
      .update({ detail: JSON.stringify(plain), personal_salt: null });
  }
}

interface TypedWords {
  table: TypedPlace;
  columns: readonly string[];
  among: (query: Knex.QueryBuilder, order: Pick<OrderRow, 'id' | 'event_id'>) => void;
}

function ofOrder(query: Knex.QueryBuilder, { id }: Pick<OrderRow, 'id'>): void {
  query.where({ order_id: id });
}

/** The drawers that received its money. */
function ofShifts(column: string): TypedWords['among'] {
  return (query, { id }) => {
    const shifts = query.client.queryBuilder().from('payments').where({ order_id: id });
    query.whereIn(column, shifts.whereNotNull('shift_id').select('shift_id'));
  };
}

/** Columns in which the office, or a provider, may have written about a person. */
const typedWords: readonly TypedWords[] = [
  { table: 'orders', columns: ['gift_reason'], among: (query, { id }) => query.where({ id }) },
  { table: 'payments', columns: ['note'], among: ofOrder },
  { table: 'refunds', columns: ['reason', 'failure'], among: ofOrder },
  { table: 'breaks', columns: ['detail', 'note'], among: ofOrder },
  { table: 'moves', columns: ['keep_reason'], among: ofOrder },
  {
    table: 'blocks',
    columns: ['reason'],
    among: (query, { event_id }) => query.where({ event_id }),
  },
  {
    table: 'contingents',
    columns: ['name'],
    among: (query, { event_id }) => query.where({ event_id }),
  },
  {
    table: 'admissions',
    columns: ['override', 'note', 'settled_note'],
    among: (query, { id }) =>
      query.whereIn(
        'ticket_id',
        query.client.queryBuilder().from('tickets').where({ order_id: id }).select('id'),
      ),
  },
  {
    table: 'messages',
    columns: ['subject', 'body'],
    among: (query, { id }) =>
      query.whereIn(
        'id',
        query.client
          .queryBuilder()
          .from('message_orders')
          .where({ order_id: id })
          .select('message_id'),
      ),
  },
  { table: 'shift_moves', columns: ['reason'], among: ofShifts('shift_id') },
  { table: 'shifts', columns: ['difference_reason'], among: ofShifts('id') },
  {
    table: 'mails',
    columns: ['subject', 'text', 'html'],
    among: ofOrder,
  },
  {
    table: 'outbox',
    columns: ['last_error'],
    among: (query, { id }) => query.where({ subject: id }),
  },
];

async function rowsOf(
  db: Db,
  order: Pick<OrderRow, 'id' | 'event_id'>,
  { table, columns, among }: TypedWords,
): Promise<Record<string, string | null>[]> {
  const query = db(table).select('id', ...columns);
  among(query, order);
  return query.where((any) => {
    for (const column of columns) any.orWhereNotNull(column);
  });
}

/**
 * What an erasure leaves because it contains only a word of a name. Letters are removed as a
 * whole.
 */
export async function mentionsOf(
  db: Db,
  order: OrderRow,
): Promise<{ place: TypedPlace; id: string; text: string }[]> {
  const known = await knownOf(db, order);
  const tickets = await db<TicketRow>('tickets').where({ order_id: order.id }).pluck('holder');
  const words = namePattern([order.buyer_name, ...tickets]);
  if (words === null) return [];
  const found = [];
  for (const typed of typedWords.filter(({ table }) => table !== 'mails' && table !== 'outbox'))
    for (const row of await rowsOf(db, order, typed))
      for (const column of typed.columns) {
        const text = excerptOf(withoutPerson(row[column] ?? '', termsOf(known)), words);
        if (text !== null) found.push({ place: typed.table, id: row['id'] ?? '', text });
      }
  return found;
}

/** Typed words stay, without the names of the person. */
async function blankWords(
  trx: Trx,
  order: Pick<OrderRow, 'id' | 'event_id'>,
  terms: RegExp | null,
): Promise<void> {
  if (terms === null) return;
  for (const typed of typedWords) {
    const { table, columns } = typed;
    for (const row of await rowsOf(trx, order, typed)) {
      const changed = columns.flatMap((column) => {
        const before = row[column] ?? '';
        const after = withoutPerson(before, terms);
        return after === before ? [] : [[column, after] as const];
      });
      if (changed.length > 0)
        await trx(table).where({ id: row['id'] }).update(Object.fromEntries(changed));
    }
  }
}

/** Letters about no order in particular that are older than this; returns how many. */
export async function forgetLooseLetters(
  trx: Trx,
  { created_before, at, limit }: { created_before: number; at: number; limit: number },
): Promise<number> {
  const mails = await trx<MailRow>('mails')
    .whereNull('order_id')
    .whereNull('forgotten_at')
    .whereNot({ state: 'waiting' })
    .where('created_at', '<', created_before)
    .limit(limit)
    .select('id', 'last_error');
  await forgetLetters(trx, mails, at);
  return mails.length;
}

/**
 * Even the hash of an address that waited for a sale would confirm a guess, so the whole row
 * goes.
 */
export async function dropReminderLetters(db: Db, created_before: number): Promise<void> {
  await db<MailRow>('mails')
    .whereIn('kind', [...reminderMailKinds])
    .whereNot({ state: 'waiting' })
    .where('created_at', '<', created_before)
    .delete();
}

/**
 * That it was sent, when, and of which kind stays; what a mail server says may contain the
 * address.
 */
async function forgetLetters(
  trx: Trx,
  mails: readonly Pick<MailRow, 'id' | 'last_error'>[],
  forgotten_at: number,
): Promise<void> {
  const blank = { to_address: null, text: null, html: null, attachments: null, forgotten_at };
  for (const [trouble, same] of Map.groupBy(
    mails,
    (mail) => readTrouble(mail.last_error)?.trouble ?? null,
  )) {
    await trx<MailRow>('mails')
      .whereIn(
        'id',
        same.map((mail) => mail.id),
      )
      .update({ ...blank, last_error: trouble });
  }
}

/**
 * Removes the text of letters about orders that are older than this; the recipient stays with the
 * order. Returns how many.
 */
export async function forgetTexts(
  trx: Trx,
  { created_before, limit }: { created_before: number; limit: number },
): Promise<number> {
  const ids: string[] = await trx<MailRow>('mails')
    .whereNotNull('text')
    .whereNotNull('order_id')
    .whereNot({ state: 'waiting' })
    .where('created_at', '<', created_before)
    .limit(limit)
    .pluck('id');
  return trx<MailRow>('mails')
    .whereIn('id', ids)
    .update({ text: null, html: null, attachments: null });
}

/**
 * A text that was scanned at the door and is no ticket of ours may be anything. Returns how many.
 */
export async function forgetReadings(
  trx: Trx,
  { received_before, limit }: { received_before: number; limit: number },
): Promise<number> {
  const ids: string[] = await trx('admissions')
    .whereNotNull('read')
    .where('received_at', '<', received_before)
    .limit(limit)
    .pluck('id');
  return trx('admissions').whereIn('id', ids).update({ read: null });
}

/** Rows of a table that are older than this, by the column of their time. Returns how many. */
export async function dropOld(
  trx: Trx,
  { table, key, time, before, limit }: OldRows,
): Promise<number> {
  const old = trx(table).where(time, '<', before).limit(limit);
  // Rows that wait for their event are needed until then.
  if (table === 'erasures') old.whereNotNull('done_at');
  const ids: string[] = await old.pluck(key);
  return trx(table).whereIn(key, ids).delete();
}

interface OldRows {
  table: 'webhook_events' | 'known_devices' | 'erasures';
  key: 'id' | 'token_hash';
  time: 'received_at' | 'created_at' | 'asked_at';
  before: number;
  limit: number;
}

/** Letters about an order that have not left yet never leave. */
export async function stopLetters(trx: Trx, order_id: string): Promise<void> {
  await trx<MailRow>('mails').where({ order_id, state: 'waiting' }).update({ state: 'dropped' });
}

/** A person's name on a ticket of another's order, and in its letters. */
export async function eraseHolder(
  trx: Trx,
  order: Pick<OrderRow, 'id' | 'event_id'>,
  ticket_id: string,
): Promise<void> {
  const found = await trx<TicketRow>('tickets').where({ id: ticket_id }).first();
  const ticket = requireValue(found, `ticket ${ticket_id}`);
  const known = [ticket.holder, ticket.holder_email];
  const terms = termsOf(known);
  await trx<TicketRow>('tickets')
    .where({ id: ticket_id })
    .update({ holder: null, holder_email: null });
  await blankWords(trx, order, terms);
  const entries = [
    ...(await entriesOf(trx, [order.id, ticket_id])),
    ...(await entriesNaming(trx, order.event_id, known)),
  ];
  await forgetEntries(trx, entries, ({ personal }) => names(personal, terms));
}

interface Loose {
  address: string;
  /** The key under which letters about reminders are kept. */
  reminder_key: string;
  /** Orders of the address; rows that depend on them go with them. */
  own: readonly string[];
  at: number;
}

/** Rows with an address that depend on none of its orders. */
export async function eraseLoose(
  trx: Trx,
  { address, reminder_key, own, at }: Loose,
): Promise<void> {
  await trx('reminders').whereRaw('LOWER(email) = ?', [address]).delete();
  await trx('queue_places')
    .whereRaw('LOWER(email) = ?', [address])
    .whereNotNull('email')
    .update({ email: null });
  // The daily work has removed older ones.
  await trx<MailRow>('mails')
    .where('created_at', '>', at - 7 * 24 * 3_600_000)
    .whereIn('kind', [...reminderMailKinds])
    .where((either) =>
      either.where({ key: reminder_key }).orWhereRaw('LOWER(to_address) = ?', [address]),
    )
    .delete();
  await trx('declines')
    .whereRaw('LOWER(buyer_email) = ?', [address])
    .whereNotNull('buyer_email')
    .whereNotIn('order_id', own as string[])
    .update({ buyer_email: null });
  const letters: Pick<MailRow, 'id' | 'last_error'>[] = await trx<MailRow>('mails')
    .whereRaw('LOWER(to_address) = ?', [address])
    .whereNotNull('to_address')
    .where((either) => either.whereNull('order_id').orWhereNotIn('order_id', own as string[]))
    .select('id', 'last_error');
  await trx<MailRow>('mails')
    .whereIn(
      'id',
      letters.map(({ id }) => id),
    )
    .where({ state: 'waiting' })
    .update({ state: 'dropped' });
  await forgetLetters(trx, letters, at);
  const terms = termsOf([address]);
  const corrections = (await correctionsNaming(trx, address)).filter(
    ({ subject }) => !own.includes(subject),
  );
  await forgetEntries(trx, corrections, ({ personal }) => names(personal, terms));
}
