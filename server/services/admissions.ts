/** The door on the server: what phones download, the scans they hand in, and the desk's own admissions. */
import { countedScans, findAdmission, hasSeq, insertAdmission, listAdmissions, listAdmissionsSince, markConflict, type ListedAdmission, type NamedAdmission } from '#db/admissions.ts';
import { isUniqueViolation, type Db, type Trx } from '#db/dialect.ts';
import { findEvent, listEvents, nextFeedSeq } from '#db/events.ts';
import { updatePhone } from '#db/phones.ts';
import type { AdmissionRow, EventRow, PhoneRow, PlaceRow, TicketRow, Truth } from '#db/rows.ts';
import { findPlace, listPlacesSince } from '#db/seats.ts';
import { newestTickets, ticketByRevision, ticketOnPlace, type TicketWithPlace } from '#db/tickets.ts';
import { transact } from '#db/transact.ts';
import { conflictsOf, decideAdmission, type AdmissionAsk, type AdmissionFacts, type Direction, type Verdict } from '#server/domain/admission.ts';
import { wipeAfterMs } from '#server/domain/event.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName, type SeatParts } from '#server/domain/seat-name.ts';
import { note } from './audit.ts';
import type { Ctx } from './context.ts';
import { gateFinder, publishedEvent } from './events.ts';
import { codeOf, findTicketByIdOrCode, hashOf, sealName } from './tickets.ts';

/** How many revisions ahead of those issued a phone can recognise (decisions §6). */
const revisionsAhead = 2;

/** A hall that is larger comes in several pages. */
const mostPlaces = 60_000;

/** `since` is `<epoch>.<sequence>`: another epoch means that the phone's copy belongs to another database. */
export async function changes(ctx: Ctx, event_id: string, { since, limit = mostPlaces }: { since?: string | undefined; limit?: number | undefined }) {
  const event = await publishedEvent(ctx, event_id);
  const from = readCursor(event, since);
  // The event's number was read before the rows: what changes meanwhile comes again with the next call.
  const found = await listPlacesSince(ctx.db, event_id, from ?? 0, limit + 1);
  const range = { after: from ?? 0, to: found.length > limit ? endOfPage(found, limit) : event.feed_seq };
  const places = found.filter((place) => place.feed_seq <= range.to);
  const tickets = new Map((await newestTickets(ctx.db, event_id, range)).map((ticket) => [ticket.place, ticket]));
  const admissions = await listAdmissionsSince(ctx.db, event_id, range);
  const gateOf = gateFinder(event);
  const others = (await listEvents(ctx.db)).filter((other) => other.id !== event_id && other.status !== 'draft');
  return {
    kind: from === null ? 'snapshot' as const : 'delta' as const, cursor: `${event.feed_epoch}.${range.to}`, more: range.to < event.feed_seq, server_time: ctx.now(),
    event: {
      id: event.id, title: event.title, starts_at: event.starts_at, admits_from: event.admits_from, wipe_at: event.starts_at + wipeAfterMs,
      cancelled: event.status === 'cancelled', tag: event.code_tag, salt: event.code_salt, verify_policy: event.verify_policy, reentry: event.reentry === 1,
    },
    other_events: others.map((other) => ({ tag: other.code_tag, title: other.title, starts_at: other.starts_at })),
    places: places.map((place) => placeForPhone(event, place, { ticket: tickets.get(place.place), gate: gateOf(place) })),
    admissions: admissions.map(admissionForPhone),
  };
}

/** Places with one number were sold together and travel together: a page, always larger than an order, ends before the number that it would cut. */
function endOfPage(found: readonly PlaceRow[], limit: number): number {
  const cut = found[limit]!.feed_seq;
  return found.findLast((place) => place.feed_seq < cut)!.feed_seq;
}

function readCursor(event: EventRow, since: string | undefined): number | null {
  if (since === undefined) return null;
  const [epoch, sequence] = since.split('.');
  const from = Number(sequence);
  if (epoch !== event.feed_epoch || !Number.isSafeInteger(from) || from < 0 || from > event.feed_seq) throw new Refusal('resync_required');
  return from;
}

/** Nothing else about a ticket leaves for a phone (decisions §7). */
function placeForPhone(event: EventRow, place: PlaceRow, { ticket, gate }: { ticket: TicketRow | undefined; gate: string | null }) {
  const hashes = Array.from({ length: place.issued + revisionsAhead }, (_, index) => hashOf(event, codeOf(event, place.place, index + 1)));
  return {
    place: place.place, seat: seatName(place), category: place.category, hashes, issued: place.issued,
    ticket: ticket ? {
      ticket_id: ticket.id, revision: ticket.revision, state: ticket.state, type_label: ticket.type_label,
      order_group: ticket.order_id.slice(0, 8), initials: initialsOf(ticket.holder), sealed_name: sealedNameOf(event, place, ticket), gates: listGate(gate),
    } : null,
  };
}

/** Where the door compares names with documents; other events need none on a phone. */
function sealedNameOf(event: EventRow, place: PlaceRow, ticket: TicketRow): string | null {
  if (event.nominative === 0 || ticket.holder === null || ticket.state !== 'valid') return null;
  return sealName(event, codeOf(event, place.place, ticket.revision), ticket.holder);
}

/** As a list, empty: any gate. */
function listGate(gate: string | null): string[] {
  return gate === null ? [] : [gate];
}

function initialsOf(holder: string | null): string | null {
  return holder === null ? null : holder.split(/\s+/).map((word) => `${word.charAt(0).toUpperCase()}.`).join(' ').slice(0, 12);
}

function admissionForPhone(row: NamedAdmission) {
  return {
    admission_id: row.id, place: row.place!, revision: row.revision!, direction: row.direction, at: row.corrected_at,
    gate: row.gate, phone_id: row.phone_id, by: byOf(row), conflict_with: row.conflict_with,
  };
}

function byOf(row: NamedAdmission): string {
  return row.phone_name ?? row.user_name ?? '—';
}

/** A scan as it came from a phone, times in milliseconds. */
export interface SentScan {
  admission_id: string; seq: number; event_id: string; place: string | null; revision: number | null; read: string | null;
  direction: Direction; gate: string | null; verdict: Verdict; counts: boolean; override: string | null;
  scanned_at: number; corrected_at: number; offline: boolean;
}

export interface ScanResult { admission_id: string | null; index: number; result: 'stored' | 'conflict' | 'unreadable'; verdict: Verdict | null; conflict_with: string | null }

/** Each item is read and stored by itself, in the order of the phone's numbers: a nonsense item does not touch its neighbours. */
export async function takeScans(ctx: Ctx, { phone, events, items, readScan }: { phone: PhoneRow; events: ReadonlySet<string>; items: readonly unknown[]; readScan: (item: unknown) => SentScan | null }) {
  const results: ScanResult[] = [];
  for (const [index, item] of items.entries()) {
    const scan = readScan(item);
    const admission_id = typeof (item as { admission_id?: unknown } | null)?.admission_id === 'string' ? (item as { admission_id: string }).admission_id : null;
    results.push({ index, ...(scan === null || !events.has(scan.event_id) ? unreadable(admission_id) : await storeScan(ctx, phone, scan)) });
  }
  // What a phone had to send is sent: a revoked one will not say so by itself any more.
  if (phone.queue_length !== null) await updatePhone(ctx.db, phone.id, { queue_length: Math.max(0, phone.queue_length - results.length) });
  return { results, server_time: ctx.now() };
}

/** A scan is a fact: it is stored even when the verdict is no, and a second time it is only acknowledged. */
async function storeScan(ctx: Ctx, phone: PhoneRow, scan: SentScan): Promise<Omit<ScanResult, 'index'>> {
  for (let attempt = 1; ; attempt += 1) {
    const known = await findAdmission(ctx.db, scan.admission_id);
    // An id that names another scan must not swallow this one: a person has to see it.
    if (known && !isSame(known, phone, scan)) return unreadable(scan.admission_id);
    if (known) return resultOf(known);
    try {
      return resultOf(await transact(ctx.db, async (trx) => {
        const ticket = scan.place === null || scan.revision === null ? undefined : await ticketByRevision(trx, scan.event_id, scan.place, scan.revision);
        const place = scan.place === null ? undefined : await findPlace(trx, scan.event_id, scan.place);
        // Further ahead than any phone can recognise: this was never read from a ticket.
        if (place && scan.revision! > place.issued + revisionsAhead) throw new Unreadable();
        const exists = place !== undefined;
        return addScan(trx, {
          id: scan.admission_id, event_id: scan.event_id, place: exists ? scan.place : null, revision: scan.revision, ticket_id: ticket?.id ?? null,
          phone_id: phone.id, user_id: null, seq: await hasSeq(trx, phone.id, scan.seq) ? null : scan.seq,
          direction: scan.direction, verdict: scan.verdict, counts: truth(scan.counts && exists), override: scan.override, read: scan.read, gate: scan.gate,
          offline: truth(scan.offline), scanned_at: scan.scanned_at, corrected_at: scan.corrected_at, received_at: ctx.now(), conflict_with: null, feed_seq: null,
        });
      }));
    } catch (error) {
      if (error instanceof Unreadable) return unreadable(scan.admission_id);
      // The same scan, or the same number, in another request at the same moment.
      if (!isUniqueViolation(error) || attempt === 5) throw error;
    }
  }
}

/** Thrown out of the transaction. */
class Unreadable extends Error {}

function unreadable(admission_id: string | null): Omit<ScanResult, 'index'> {
  return { admission_id, result: 'unreadable', verdict: null, conflict_with: null };
}

function isSame(known: AdmissionRow, phone: PhoneRow, scan: SentScan): boolean {
  return known.phone_id === phone.id && known.event_id === scan.event_id && known.direction === scan.direction && known.scanned_at === scan.scanned_at && known.verdict === scan.verdict;
}

function truth(value: boolean): Truth {
  return value ? 1 : 0;
}

function resultOf(row: AdmissionRow): Omit<ScanResult, 'index'> {
  return { admission_id: row.id, result: row.conflict_with === null ? 'stored' : 'conflict', verdict: row.conflict_with === null ? row.verdict : 'already_in', conflict_with: row.conflict_with };
}

/** Stores the scan and marks anew which scans of its place came second; taking the event's number first keeps two of them apart. */
async function addScan(trx: Trx, row: AdmissionRow): Promise<AdmissionRow> {
  if (row.counts === 0 || row.place === null) {
    await insertAdmission(trx, row);
    return row;
  }
  const feed_seq = await nextFeedSeq(trx, row.event_id);
  await insertAdmission(trx, { ...row, feed_seq });
  const scans = (await countedScans(trx, row.event_id, row.place)).filter((scan) => scan.revision === row.revision);
  const conflicts = conflictsOf(scans.map((scan) => ({ admission_id: scan.id, direction: scan.direction, corrected_at: scan.corrected_at, received: scan.received_at })));
  for (const scan of scans) {
    const conflict_with = conflicts.get(scan.id) ?? null;
    if (conflict_with !== scan.conflict_with) await markConflict(trx, scan.id, conflict_with, feed_seq);
  }
  return { ...row, feed_seq, conflict_with: conflicts.get(row.id) ?? null };
}

/** What the server knows about a ticket now, for the same rule that runs on the phone. */
async function factsOf(db: Db, { event, ticket, revision }: { event: EventRow; ticket: TicketWithPlace; revision: number }): Promise<AdmissionFacts> {
  const live = await ticketOnPlace(db, event.id, ticket.place);
  const scans = (await countedScans(db, event.id, ticket.place)).filter((scan) => scan.revision === revision && scan.conflict_with === null);
  const last = scans.at(-1);
  return {
    reading: { kind: 'place', place: ticket.place, revision },
    event: { cancelled: event.status === 'cancelled', admits_from: event.admits_from, verify_policy: event.verify_policy, reentry: event.reentry === 1 },
    ticket: live ? { revision: live.revision, state: live.state, gates: listGate(gateFinder(event)(live)) } : null,
    newest: live?.revision ?? 0,
    last: last ? { direction: last.direction, at: last.corrected_at, phone_id: last.phone_id } : null,
  };
}

async function foundTicket(ctx: Ctx, text: string) {
  const found = await findTicketByIdOrCode(ctx.db, text);
  if (!found) throw new Refusal('ticket_not_found');
  return { ...found, event: (await findEvent(ctx.db, found.ticket.event_id))! };
}

/** One ticket at the desk: the same rule, decided and stored in one transaction. */
export async function admitTicket(ctx: Ctx, text: string, ask: { user_id: string; direction: Direction; override: string | null }) {
  const found = await foundTicket(ctx, text);
  const { event, ticket, revision } = found;
  return transact(ctx.db, async (trx) => {
    // Two desks, one ticket: the event's number is taken first, so the second decides after the first.
    await nextFeedSeq(trx, event.id);
    const decided: AdmissionAsk = { now: ctx.now(), direction: ask.direction, phone_id: null, gate: null, override: ask.override };
    const facts = await factsOf(trx, found);
    const decision = decideAdmission(facts, decided);
    const row = await addScan(trx, {
      id: ctx.newId(), event_id: event.id, place: ticket.place, revision, ticket_id: ticket.id, phone_id: null, user_id: ask.user_id, seq: null,
      direction: ask.direction, verdict: decision.verdict, counts: truth(decision.counts), override: decision.overridden ? ask.override : null, read: null, gate: null,
      offline: 0, scanned_at: ctx.now(), corrected_at: ctx.now(), received_at: ctx.now(), conflict_with: null, feed_seq: null,
    });
    if (decision.counts) await note(ctx, trx, { actor: `user:${ask.user_id}`, action: ask.direction === 'in' ? 'admitted' : 'let_out', subject: ticket.order_id, detail: { ticket_id: ticket.id, override: ask.override } });
    const scans = await listAdmissions(trx, { event_id: event.id, place: ticket.place, limit: 200 });
    const first = scans.findLast((scan) => scan.counts === 1 && scan.direction === 'in' && scan.revision === revision && scan.conflict_with === null);
    return { admission_id: row.id, verdict: decision.verdict, counts: decision.counts, ticket_id: ticket.id, seat: seatName(ticket), at: row.corrected_at, first: first ? admissionForPhone(first) : null };
  });
}

/** The ticket, the verdict if it were scanned now, and its history; nothing is stored. */
export async function readAdmission(ctx: Ctx, text: string, withOrders: boolean) {
  const found = await foundTicket(ctx, text);
  const { event, ticket } = found;
  const { verdict } = decideAdmission(await factsOf(ctx.db, found), { now: ctx.now(), direction: 'in', phone_id: null, gate: null, override: null });
  const history = (await listAdmissions(ctx.db, { event_id: event.id, place: ticket.place, limit: 200 })).map((row) => admissionForOffice(row, withOrders));
  return {
    ticket_id: ticket.id, event_id: event.id, event_title: event.title, seat: seatName(ticket), category: ticket.category, type_label: ticket.type_label,
    state: ticket.state, holder: ticket.holder, verdict, history,
  };
}

/** Whoever knows an order's id sees its codes: the door is not told it. */
export async function recentAdmissions(ctx: Ctx, { event_id, limit = 50, withOrders }: { event_id?: string | undefined; limit?: number | undefined; withOrders: boolean }) {
  const rows = await listAdmissions(ctx.db, { limit, ...(event_id === undefined ? {} : { event_id }) });
  return { items: rows.map((row) => admissionForOffice(row, withOrders)) };
}

function admissionForOffice(row: ListedAdmission, withOrders: boolean) {
  return {
    ...row, order_id: withOrders ? row.order_id : null, admission_id: row.id, seat: row.kind === null ? null : seatName(row as SeatParts),
    counts: row.counts === 1, offline: row.offline === 1, by: byOf(row),
  };
}
