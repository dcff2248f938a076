/**
 * Removes people from rows that no longer need them: names, addresses and texts are deleted;
 * amounts, states, numbers and ids stay.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Knex } from 'knex';
import { isOwnWord, partsOfDetail, type AuditDetail } from '#server/domain/audit/audit.ts';
import { readTrouble, reminderMailKinds } from '#server/domain/mail/kinds.ts';
import type { TypedPlace } from '#server/domain/person/held.ts';
import { excerptOf, namePattern, termsOf, withoutPerson } from '#server/domain/person/words.ts';
import { addressSpellings } from '#server/domain/text/mail-address.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { whereAbout } from '#db/audit/audit-seals.ts';
import { correctionsNaming } from './personal.ts';
import type {
  AuditRow,
  CodeUseRow,
  DeclineRow,
  MailRow,
  OrderNoteRow,
  OrderRow,
  RefundRow,
  SealedAuditRow,
  TicketRow,
} from '#db/rows.ts';

/**
 * Orders of events that were over before this, ordered by id, after one of them. Orders that wait
 * for a person or a bank are left out, because the buyer's data are still needed.
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

/** Returns false if another process has done it, or if the order waits for a person. */
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
      stripe_params: withoutAddress(order.stripe_params),
      search_text: searchTextOf(order.number),
      buyer_forgotten_at: at,
    });
  await trx<TicketRow>('tickets')
    .where({ order_id: id })
    .update({ holder: null, holder_email: null, door_note: null });
  await trx<CodeUseRow>('code_uses').where({ order_id: id }).update({ address: null });
  await trx<DeclineRow>('declines').where({ order_id: id }).update({ buyer_email: null });
  // The buyer's reason for a refund is personal; the office's reason explains its books and
  // stays.
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

/** What was sent to open the payment page, without the address that a code asked for. */
function withoutAddress(stripe_params: string | null): string | null {
  if (stripe_params === null || !stripe_params.includes('"customer_email"')) return stripe_params;
  const { customer_email: _, ...params } = JSON.parse(stripe_params) as Record<string, unknown>;
  return JSON.stringify(params);
}

/** The texts by which the buyer and the ticket holders of an order are found in typed words. */
async function knownOf(db: Db, order: OrderRow): Promise<string[]> {
  const tickets = await db<TicketRow>('tickets')
    .where({ order_id: order.id })
    .select('holder', 'holder_email');
  const facts = [
    order.buyer_name,
    order.buyer_email,
    order.buyer_phone,
    order.buyer_contact,
    ...tickets.flatMap(({ holder, holder_email }) => [holder, holder_email]),
  ];
  return facts.flatMap((fact) => addressSpellings(fact ?? ''));
}

/**
 * Removes what the buyer wrote about refunds. The audit log keeps the request and its amount. The
 * office's words stay, unless they contain the person.
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

/**
 * Entries about an event that contain one of these texts or a word of one, read page by page
 * because there may be thousands.
 */
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

/** Removes the personal part of these entries, and its salt. */
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

/** Rows of the shifts that received the order's money. */
function ofShifts(column: string): TypedWords['among'] {
  return (query, { id }) => {
    const shifts = query.client.queryBuilder().from('payments').where({ order_id: id });
    query.whereIn(column, shifts.whereNotNull('shift_id').select('shift_id'));
  };
}

/** Columns in which the office or a provider may have written about a person. */
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
    table: 'price_codes',
    columns: ['holder'],
    among: (query, { id }) =>
      query.whereIn(
        'id',
        query.client.queryBuilder().from('code_uses').where({ order_id: id }).select('code_id'),
      ),
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
    table: 'heads',
    columns: ['words'],
    among: (query, { event_id }) => query.where({ event_id }),
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
  // A sheet is about all orders of its day, and there is one for each day.
  { table: 'day_sheets', columns: ['difference_reason'], among: () => {} },
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
 * The texts that an erasure leaves although they contain a word of a name. Mails are not among
 * them, because they are emptied completely.
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

/** Removes the names of the person from typed words. */
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

/** Empties mails about no order that are older than this; returns their number. */
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

/** Deletes whole rows, because even the hash of an address would confirm a guess. */
export async function dropReminderLetters(db: Db, created_before: number): Promise<void> {
  await db<MailRow>('mails')
    .whereIn('kind', [...reminderMailKinds])
    .whereNot({ state: 'waiting' })
    .where('created_at', '<', created_before)
    .delete();
}

/**
 * Empties mails; their kind and times stay. The mail server's answer is shortened, because it may
 * contain the address.
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
 * Removes the text of mails about orders that are older than this, but not the recipient. Returns
 * their number.
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
 * Removes texts that were scanned at the door and are not our tickets, because they may be
 * anything. Returns their number.
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

/** Deletes rows of a table that are older than this, and returns their number. */
export async function dropOld(
  trx: Trx,
  { table, key, time, before, limit }: OldRows,
): Promise<number> {
  const old = trx(table).where(time, '<', before).limit(limit);
  // Unfinished requests are still needed.
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

/** Drops unsent mails about an order. */
export async function stopLetters(trx: Trx, order_id: string): Promise<void> {
  await trx<MailRow>('mails').where({ order_id, state: 'waiting' }).update({ state: 'dropped' });
}

/** Removes a person from one ticket of another person's order, and from texts about it. */
export async function eraseHolder(
  trx: Trx,
  order: Pick<OrderRow, 'id' | 'event_id'>,
  ticket_id: string,
): Promise<void> {
  const found = await trx<TicketRow>('tickets').where({ id: ticket_id }).first();
  const ticket = requireValue(found, `ticket ${ticket_id}`);
  const known = [ticket.holder, ...addressSpellings(ticket.holder_email ?? '')];
  const terms = termsOf(known);
  await trx<TicketRow>('tickets')
    .where({ id: ticket_id })
    .update({ holder: null, holder_email: null, door_note: null });
  await blankWords(trx, order, terms);
  const entries = [
    ...(await entriesOf(trx, [order.id, ticket_id])),
    ...(await entriesNaming(trx, order.event_id, known)),
  ];
  await forgetEntries(trx, entries, ({ personal }) => names(personal, terms));
}

interface Loose {
  address: string;
  /** The key of mails about reminders. */
  reminder_key: string;
  /** The address's own orders, whose rows are erased with them. */
  own: readonly string[];
  at: number;
}

/** Erases the rows with the address that belong to none of its orders. */
export async function eraseLoose(
  trx: Trx,
  { address, reminder_key, own, at }: Loose,
): Promise<void> {
  await trx('reminders').whereRaw('LOWER(email) = ?', [address]).delete();
  await trx('queue_places')
    .whereRaw('LOWER(email) = ?', [address])
    .whereNotNull('email')
    .update({ email: null });
  // Only recent rows are searched, because the daily work has deleted older ones.
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
  const terms = termsOf(addressSpellings(address));
  const corrections = (await correctionsNaming(trx, address)).filter(
    ({ subject }) => !own.includes(subject),
  );
  await forgetEntries(trx, corrections, ({ personal }) => names(personal, terms));
}
