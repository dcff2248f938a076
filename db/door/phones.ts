/** Phones in SQL; only the hash of a secret is stored. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { Truth } from '#db/migrations/table.ts';
import type { New, PhoneRow } from '#db/rows.ts';
import { selectRows } from '#db/engine/statements.ts';
import type { ArrivedScans } from '#server/domain/door/presence.ts';

export async function findPhone(db: Db, id: string): Promise<PhoneRow | undefined> {
  return db<PhoneRow>('phones').where({ id }).first();
}

/** Lists the newest first; without `revoked` all. */
export async function listPhones(
  db: Db,
  { revoked }: { revoked?: boolean },
  page: Page,
): Promise<PhoneRow[]> {
  const query = db<PhoneRow>('phones').select('*');
  if (revoked === true) query.whereNotNull('revoked_at');
  if (revoked === false) query.whereNull('revoked_at');
  newestFirst(query, { table: 'phones', time: 'created_at' }, page);
  return query;
}

/**
 * Names of phones that reported unsent scans and have not been in contact since, without revoked
 * phones and those of rehearsals.
 */
export async function phonesWithUnsent(db: Db, not_since: number): Promise<string[]> {
  return db<PhoneRow>('phones')
    .whereNull('revoked_at')
    .where('last_seen_at', '<', not_since)
    .where((b) => b.where('queue_length', '>', 0).orWhere('shelf_length', '>', 0))
    .orderBy('name')
    .limit(50)
    .pluck('name');
}

/**
 * `ended_at` is when the phone lost the event; `others` are its other events, also former ones. The
 * rest is what it told of this event at its last contact.
 */
export interface PhoneOfEvent extends PhoneRow {
  ended_at: number | null;
  unsent_entries: number | null;
  heads_told: number | null;
  others: number;
}

/** Phones that have or had this event, by name. */
export async function phonesOfEvent(db: Db, event_id: string): Promise<PhoneOfEvent[]> {
  const others = db('phone_events as o')
    .whereRaw('o.phone_id = phones.id')
    .whereNot('o.event_id', event_id)
    .count('*')
    .as('others');
  const rows: PhoneOfEvent[] = await db('phones')
    .join('phone_events', 'phone_events.phone_id', 'phones.id')
    .where('phone_events.event_id', event_id)
    .select('phones.*', 'phone_events.ended_at')
    .select('phone_events.unsent_entries', 'phone_events.heads_told', others)
    .orderBy(['phones.name', 'phones.id']);
  return rows.map((row) => ({ ...row, others: Number(row.others) }));
}

/** What a phone has told of its events; null: its app tells nothing of single events. */
export async function noteQueues(
  trx: Trx,
  phone_id: string,
  events: readonly { event_id: string; unsent_entries: number; heads_told: number }[] | null,
): Promise<void> {
  if (events === null)
    await trx('phone_events')
      .where({ phone_id })
      .whereNotNull('unsent_entries')
      .update({ unsent_entries: null });
  for (const { event_id, ...told } of events ?? [])
    await trx('phone_events').where({ phone_id, event_id }).update(told);
}

export async function insertPhone(
  trx: Trx,
  phone: New<PhoneRow>,
  event_ids: readonly string[],
): Promise<void> {
  await trx<PhoneRow>('phones').insert(phone);
  await trx('phone_events').insert(event_ids.map((event_id) => ({ phone_id: phone.id, event_id })));
}

/** Replaces the phone's events; scans that it made for its former events are still accepted. */
export async function replaceEvents(
  trx: Trx,
  phone_id: string,
  { event_ids, now }: { event_ids: readonly string[]; now: number },
): Promise<void> {
  await trx('phone_events')
    .where({ phone_id })
    .whereNull('ended_at')
    .whereNotIn('event_id', event_ids as string[])
    .update({ ended_at: now });
  await trx('phone_events')
    .insert(event_ids.map((event_id) => ({ phone_id, event_id, ended_at: null })))
    .onConflict(['phone_id', 'event_id'])
    .merge(['ended_at']);
}

/**
 * Lets a phone send the scans that it made under its former identity, which then counts as having
 * nothing to send.
 */
export async function inheritScans(
  trx: Trx,
  phone_id: string,
  { from_token_hash, now }: { from_token_hash: string; now: number },
): Promise<void> {
  const before = await trx<PhoneRow>('phones')
    .where({ token_hash: from_token_hash })
    .orWhere({ ended_token_hash: from_token_hash })
    .first('id');
  if (before === undefined || before.id === phone_id) return;
  await updatePhone(trx, phone_id, { previous_id: before.id });
  const event_ids: string[] = await trx('phone_events')
    .where({ phone_id: before.id })
    .pluck('event_id');
  await trx('phones')
    .where({ token_hash: from_token_hash })
    .update({ queue_length: 0, next_seq: null });
  await trx('phone_events')
    .where({ phone_id: before.id })
    .update({ unsent_entries: null, heads_told: null });
  if (event_ids.length > 0)
    await trx('phone_events')
      .insert(event_ids.map((event_id) => ({ phone_id, event_id, ended_at: now })))
      .onConflict(['phone_id', 'event_id'])
      .ignore();
}

/** The phone's id and the handset's earlier ids, the latest first. */
export async function namesOfHandset(
  db: Db,
  { id, previous_id }: Pick<PhoneRow, 'id' | 'previous_id'>,
): Promise<string[]> {
  const ids = [id];
  for (let next = previous_id; next !== null && !ids.includes(next);) {
    ids.push(next);
    next = (await findPhone(db, next))?.previous_id ?? null;
  }
  return ids;
}

export async function updatePhone(db: Db, id: string, changes: Partial<PhoneRow>): Promise<void> {
  await db<PhoneRow>('phones').where({ id }).update(changes);
}

/**
 * Takes over the gate that a phone's person has chosen. False if the office has changed it since,
 * or allows no choice.
 */
export async function chooseGate(
  db: Db,
  id: string,
  { gate, over }: { gate: string | null; over: string | null },
): Promise<boolean> {
  const changed = await db<PhoneRow>('phones')
    .where({ id, gate: over, chooses_gate: 1 })
    .whereNull('revoked_at')
    .update({ gate });
  return changed > 0;
}

/**
 * Lets another handset take over the phone; the present handset becomes the former one. Returns
 * false if the phone is revoked.
 */
export async function renewPairing(
  trx: Trx,
  id: string,
  link: { pairing_hash: string; pairing_expires_at: number },
): Promise<boolean> {
  const before = await trx<PhoneRow>('phones')
    .where({ id })
    .whereNotNull('token_hash')
    .first('token_hash');
  const ended = before ? { ended_token_hash: before.token_hash, ended_told_at: null } : {};
  return (
    (await trx<PhoneRow>('phones')
      .where({ id })
      .whereNull('revoked_at')
      .update({ ...link, ...ended, token_hash: null, paired_at: null })) === 1
  );
}

/**
 * Pairs a phone and uses the link up. Returns undefined if the link was used, has expired or is
 * revoked.
 */
export async function takePairing(
  trx: Trx,
  pairing_hash: string,
  now: number,
  changes: Partial<PhoneRow>,
): Promise<PhoneRow | undefined> {
  const phone = await trx<PhoneRow>('phones')
    .where({ pairing_hash })
    .whereNull('revoked_at')
    .where('pairing_expires_at', '>', now)
    .first();
  if (!phone) return undefined;
  const taken = await trx<PhoneRow>('phones')
    .where({ id: phone.id, pairing_hash })
    .update({ ...changes, pairing_hash: null, pairing_expires_at: null });
  return taken === 1 ? { ...phone, ...changes } : undefined;
}

interface PhoneEvent {
  phone_id: string;
  id: string;
  title: string;
  starts_at: number;
  rehearsal: Truth;
  /** Only without drafts. */
  seat_pricing?: string;
}

/**
 * The events that phones have, without rehearsals that are over. `drafts` adds unpublished
 * events, whose lists phones do not get yet.
 */
export async function eventsOfPhones(
  db: Db,
  phone_ids: readonly string[],
  { drafts }: { drafts: boolean },
): Promise<PhoneEvent[]> {
  const query = db('phone_events')
    .join('events', 'events.id', 'phone_events.event_id')
    .whereIn('phone_id', phone_ids as string[])
    .whereNull('phone_events.ended_at')
    .whereNot((event) => event.where('events.rehearsal', 1).whereNotNull('events.cancelled_at'))
    .select(
      'phone_events.phone_id',
      'events.id',
      'events.title',
      'events.starts_at',
      'events.rehearsal',
    )
    .orderBy(['events.starts_at', 'events.id']);
  // This is a function because knex would negate each field of an object separately.
  if (!drafts)
    query
      .select('events.seat_pricing')
      .whereNot((event) => event.where({ 'events.status': 'draft', 'events.rehearsal': 0 }));
  return query;
}

/**
 * No phone makes so many scans: a greater number is an error or a fraud, and the next handset
 * must not continue from it.
 */
const mostScans = 1_000_000_000;

/** The numbers of each phone's scans that have arrived; a phone without any has no entry. */
export async function arrivedScans(
  db: Db,
  phone_ids: readonly string[],
): Promise<Map<string, ArrivedScans>> {
  const rows: { phone_id: string; top: number; n: number }[] = await db('admissions')
    .whereIn('phone_id', phone_ids as string[])
    .where('seq', '<', mostScans)
    .groupBy('phone_id')
    .select('phone_id')
    .max({ top: 'seq' })
    .count({ n: '*' });
  return new Map(
    rows.map(({ phone_id, top, n }) => [phone_id, { top: Number(top), count: Number(n) }]),
  );
}

/**
 * Of each phone, how many numbers have not arrived between or before scans of this event: a gap
 * between two scans of another event is none of this one's.
 */
export async function gapsBesideEvent(
  db: Db,
  event_id: string,
  phone_ids: readonly string[],
): Promise<Map<string, number>> {
  if (phone_ids.length === 0) return new Map();
  const rows = await selectRows<{ phone_id: string; n: number | string }>(
    db,
    `SELECT phone_id, SUM(seq - before_seq - 1) AS n FROM (
      SELECT phone_id, event_id, seq, COALESCE(LAG(seq) OVER numbers, -1) AS before_seq, LAG(event_id) OVER numbers AS before_event
      FROM admissions WHERE phone_id IN (${phone_ids.map(() => '?').join(', ')}) AND seq < ?
      WINDOW numbers AS (PARTITION BY phone_id ORDER BY seq)) AS neighbours
    WHERE seq > before_seq + 1 AND (event_id = ? OR before_event = ?) GROUP BY phone_id`,
    [...phone_ids, mostScans, event_id, event_id],
  );
  return new Map(rows.map(({ phone_id, n }) => [phone_id, Number(n)]));
}

/** The highest scan number of this phone that has arrived, or -1. */
export async function topSeq(db: Db, phone_id: string): Promise<number> {
  const [row]: { top?: number | null }[] = await db('admissions')
    .where({ phone_id })
    .where('seq', '<', mostScans)
    .max({ top: 'seq' });
  return row?.top ?? -1;
}

export async function phoneNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows: Pick<PhoneRow, 'id' | 'name'>[] = await db<PhoneRow>('phones')
    .whereIn('id', ids as string[])
    .select('id', 'name');
  return new Map(rows.map((row) => [row.id, row.name]));
}
