/** Scans in SQL: rows are only added, and a second admission of a ticket is marked. */
import type { Knex } from 'knex';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { samePlaceAs, seatColumns } from '#db/joins.ts';
import type { Truth } from '#db/migrations/table.ts';
import type { AdmissionRow } from '#db/rows.ts';
import type { PlaceCode } from '#server/domain/door/moved-code.ts';
import { countRows } from '#db/engine/statements.ts';

export async function findAdmission(db: Db, id: string): Promise<AdmissionRow | undefined> {
  return db<AdmissionRow>('admissions').where({ id }).first();
}

/** What one phone read by its corrected clock; `until` is exclusive. */
export interface PhoneSpan {
  phone_id: string;
  from: number;
  until: number;
}

/** Scans that still count. */
export function passagesInSpan(db: Db, span: PhoneSpan): Knex.QueryBuilder<AdmissionRow> {
  return inSpan(db, span).where({ counts: 1 }).whereNull('annulled_by');
}

/** Scans in doubt that are undecided. */
export function doubtsInSpan(db: Db, span: PhoneSpan): Knex.QueryBuilder<AdmissionRow> {
  return inSpan(db, span).whereNotNull('doubt').whereNull('settled_at');
}

function inSpan(db: Db, { phone_id, from, until }: PhoneSpan) {
  return db<AdmissionRow>('admissions')
    .where({ phone_id })
    .where('corrected_at', '>=', from)
    .where('corrected_at', '<', until);
}

export async function updateAdmission(
  trx: Trx,
  id: string,
  changes: Partial<AdmissionRow>,
): Promise<void> {
  await trx<AdmissionRow>('admissions').where({ id }).update(changes);
}

export interface NamedAdmission extends AdmissionRow {
  phone_name: string | null;
  user_name: string | null;
  supervisor_name: string | null;
}

function named(db: Db): Knex.QueryBuilder {
  return db('admissions')
    .leftJoin('phones', 'phones.id', 'admissions.phone_id')
    .leftJoin('users', 'users.id', 'admissions.user_id')
    .leftJoin('phones as supervisors', 'supervisors.id', 'admissions.approved_by')
    .select(
      'admissions.*',
      'phones.name as phone_name',
      'users.name as user_name',
      'supervisors.name as supervisor_name',
    );
}

/** All scans of one ticket that let a guest in or out, by any of its codes. */
export async function passagesOfTicket(
  db: Db,
  event_id: string,
  { ticket_id, codes }: { ticket_id: string; codes: readonly PlaceCode[] },
): Promise<NamedAdmission[]> {
  return named(db)
    .where({ event_id, counts: 1 })
    .where((either) => {
      either.where({ ticket_id });
      for (const { place, revision } of codes) either.orWhere({ place, revision });
    });
}

export interface ListedAdmission extends NamedAdmission {
  event_title: string;
  event_starts_at: number;
  rehearsal: Truth;
  kind: string | null;
  category: string | null;
  section: string | null;
  row: string | null;
  seat: string | null;
  type_label: string | null;
  order_id: string | null;
  order_number: string | null;
}

/** Scans of all phones and of the desk, the latest arrival first. */
export async function listAdmissions(
  db: Db,
  filter: {
    event_id?: string;
    rehearsal?: boolean;
    /** Those of a ticket, and of all tickets of its place. */
    of?: { ticket_id: string; place: string };
    limit: number;
  },
): Promise<ListedAdmission[]> {
  const query = named(db)
    .join('events', 'events.id', 'admissions.event_id')
    .leftJoin('places', samePlaceAs('admissions'))
    .leftJoin('tickets', 'tickets.id', 'admissions.ticket_id')
    .leftJoin('orders', 'orders.id', 'tickets.order_id')
    .select(
      'events.title as event_title',
      'events.starts_at as event_starts_at',
      'events.rehearsal',
      'places.category',
      ...seatColumns,
      'tickets.type_label',
      'tickets.order_id',
      'orders.number as order_number',
    )
    .orderBy([
      { column: 'admissions.received_at', order: 'desc' },
      { column: 'admissions.corrected_at', order: 'desc' },
      { column: 'admissions.id' },
    ])
    .limit(filter.limit);
  if (filter.event_id !== undefined) query.where('admissions.event_id', filter.event_id);
  if (filter.rehearsal !== undefined) query.where('events.rehearsal', filter.rehearsal ? 1 : 0);
  const { of } = filter;
  if (of !== undefined)
    query.where((either) =>
      either.where('admissions.place', of.place).orWhere('admissions.ticket_id', of.ticket_id),
    );
  return query;
}

/** The first admission of each ticket, without scans that were taken back. */
export async function firstEntries(
  db: Db,
  ticket_ids: readonly string[],
): Promise<Map<string, number>> {
  const rows: { ticket_id: string; at: number }[] = await db('admissions')
    .whereIn('ticket_id', ticket_ids as string[])
    .where({ counts: 1, direction: 'in' })
    .whereNull('annulled_by')
    .groupBy('ticket_id')
    .select('ticket_id')
    .min({ at: 'corrected_at' });
  return new Map(rows.map((row) => [row.ticket_id, row.at]));
}

/** Counts the scans that let a guest in. */
export async function countEntries(db: Db, event_id: string): Promise<number> {
  return countRows(
    db('admissions').where({ event_id, direction: 'in', counts: 1 }).whereNull('annulled_by'),
  );
}

/**
 * Every way in or out of a ticket in the order of time, without repeated scans and those that
 * were taken back.
 */
export async function listPassages(db: Db, event_id: string): Promise<TicketPassage[]> {
  return passages(db).where({ event_id }).whereNotNull('ticket_id');
}

interface TicketPassage {
  ticket_id: string;
  direction: AdmissionRow['direction'];
  corrected_at: number;
}

function passages(db: Db) {
  return db('admissions')
    .where({ counts: 1 })
    .whereNull('conflict_with')
    .whereNull('annulled_by')
    .orderBy(['corrected_at', 'received_at', 'id'])
    .select<TicketPassage[]>('ticket_id', 'direction', 'corrected_at');
}

/** Those of these tickets whose guest is inside. */
export async function ticketsInside(db: Db, ticket_ids: readonly string[]): Promise<string[]> {
  const last = new Map<string, AdmissionRow['direction']>();
  for (const { ticket_id, direction } of await passages(db).whereIn('ticket_id', [...ticket_ids]))
    last.set(ticket_id, direction);
  return [...last.keys()].filter((id) => last.get(id) === 'in');
}
