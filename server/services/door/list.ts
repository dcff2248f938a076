/**
 * The door's list for phones: the whole list as one block, which all callers share for a minute,
 * or only the rows that changed since a cursor.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { hopsOf } from '#db/door/scans.ts';
import {
  conventionLines,
  passagesBySeq,
  placesByName,
  placesBySeq,
  type DoorPlaceRow,
} from '#db/door/door.ts';
import { findEvent } from '#db/event/events.ts';
import { givenRevisions } from '#db/order/kept-tickets.ts';
import type { EventRow } from '#db/rows.ts';
import { endedCodesOf } from '#db/seat/ended-codes.ts';
import { findsBuyers } from '#server/domain/door/buyer-search.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import { startAnswer } from '#server/domain/door/door-block.ts';
import type { EndedCode } from '#server/domain/door/ended-code.ts';
import type { ListedAdmission, ListedPlace, ListedTicket } from '#server/domain/door/door-list.ts';
import { codesOf, type PlaceCode } from '#server/domain/door/moved-code.ts';
import { wipeAfterMs } from '#server/domain/event/event.ts';
import { conventionsOf } from '#server/domain/order/priced-order.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { houseOf } from '#server/services/kit/house.ts';
import { gateFinder } from '#server/domain/door/gate.ts';
import { memo } from '#server/services/kit/memo.ts';
import { spoken, wires, type Wire } from '#server/domain/door/wire.ts';
import { headsForPhones } from './heads.ts';
import { blockWriter } from './block-writer.ts';
import { doorMemory, isWiped, type DoorState, type PhoneInCall } from './state.ts';
import { endedForDoor } from './ended.ts';
import { admissionForPhone, placeForPhone } from './views.ts';

/** To which phones an answer goes: those that know names or not, by the number that they speak. */
export interface Addressee {
  names: boolean;
  wire: Wire;
}

/** The whole list, as a gzip file. @throws Refusal event_not_found, resync_required */
export async function listFor(
  ctx: Ctx,
  caller: PhoneInCall,
  { event_id, wire }: { event_id: string; wire: Wire },
): Promise<Uint8Array> {
  const state = await doorFor(ctx, caller, event_id);
  const to = { names: knowsNames(caller), wire };
  return sharedLists.get(ctx.memory, {
    now: ctx.now,
    key: keyOf(state, to),
    ask: () => makeList(ctx, state, to),
  });
}

/** @throws Refusal event_not_found, resync_required */
export async function changesFor(
  ctx: Ctx,
  caller: PhoneInCall,
  { event_id, since, wire }: { event_id: string; since: string; wire: Wire },
): Promise<DoorChanges> {
  const state = await doorFor(ctx, caller, event_id);
  const names = knowsNames(caller);
  const from = readCursor(state, since, names);
  const changes = await changesAfter(ctx, state, { from, names, wire });
  if (changes) return changes;
  // The shared list may be as old as this cursor, so the next caller gets a new one.
  for (const one of wires) sharedLists.forget(ctx.memory, keyOf(state, { names, wire: one }));
  throw new Refusal('resync_required');
}

export function knowsNames({ phone }: PhoneInCall): boolean {
  return phone.role === 'supervisor';
}

/**
 * The door's state if nothing has changed since this cursor. Undefined: something has, or the
 * memory cannot tell without a read.
 */
export function stillAt(
  ctx: Ctx,
  caller: PhoneInCall,
  { event_id, since }: { event_id: string; since: string },
): DoorState | undefined {
  if (!caller.events.has(event_id)) return undefined;
  const state = doorMemory(ctx).events.atOnce(event_id);
  if (state === undefined || isWiped(state, ctx.now())) return undefined;
  return since === cursorOf(state, state.event.feed_seq, knowsNames(caller)) ? state : undefined;
}

async function doorFor(ctx: Ctx, { events }: PhoneInCall, event_id: string): Promise<DoorState> {
  const state = events.has(event_id) ? await doorMemory(ctx).events.read(event_id) : null;
  if (state === null || isWiped(state, ctx.now())) throw new Refusal('event_not_found');
  return state;
}

/**
 * The cursor is `<epoch>.<number>`. On a supervisor's phone `.n` (names) or `.o` (only order
 * numbers) follows, so that a phone whose role changes takes the whole list again.
 */
export function cursorOf({ event }: DoorState, seq: number, names: boolean): string {
  const mark = event.nominative === 1 ? '.n' : '.o';
  return `${event.feed_epoch}.${seq}${names ? mark : ''}`;
}

/** @throws Refusal resync_required */
function readCursor(state: DoorState, since: string, names: boolean): number {
  const seq = Number(/^[\w-]+\.(\d{1,15})(?:\.[no])?$/.exec(since)?.[1] ?? Number.NaN);
  if (!(seq <= state.event.feed_seq) || since !== cursorOf(state, seq, names))
    throw new Refusal('resync_required');
  return seq;
}

/**
 * A shared list may be a minute old: the phone then fetches the changes after its cursor. At most
 * eight are kept, because each may be megabytes.
 */
const sharedLists = memo<Buffer>({ freshMs: 60_000, most: 8 });

/** Whether a list needs the orders beside the tickets. */
function readsOrders({ event }: DoorState, names: boolean): boolean {
  return names || findsBuyers(event.buyer_search, names);
}

/** The key contains the event's own data, so a change of these data makes a new list. */
function keyOf({ event, about }: DoorState, { names, wire }: Addressee): string {
  return `${event.id} ${names} ${wire} ${about}`;
}

async function makeList(ctx: Ctx, state: DoorState, to: Addressee): Promise<Buffer> {
  const { db } = ctx;
  const { event } = state;
  const { names } = to;
  const view = await placeViewer(ctx, state, to);
  const writer = blockWriter({
    named: names && event.nominative === 1,
    buyers: findsBuyers(event.buyer_search, names),
  });
  for await (const slice of placesByName(db, event.id, readsOrders(state, names))) {
    writer.addPlaces(slice.map(view));
    await yieldToLoop();
  }
  for await (const slice of passagesBySeq(db, event.id, { after: 0, to: event.feed_seq })) {
    writer.addScans(slice.map(admissionForPhone));
    await yieldToLoop();
  }
  const block = writer.finish();
  const heads = await headsIn(ctx, state, 0);
  const head = Buffer.from(JSON.stringify({ ...headOf(state, to), heads }));
  return promisify(gzip)(Buffer.concat([startAnswer(block), block, head]), { level: 6 });
}

/**
 * Returns a function that turns rows, these or all of the event, into places for a phone. Reads the
 * event for its gates and its secret, which `DoorState` lacks.
 * @throws Refusal resync_required
 */
async function placeViewer(
  ctx: Ctx,
  { event: { id, feed_epoch } }: DoorState,
  { names, wire, rows }: Addressee & { rows?: readonly DoorPlaceRow[] },
): Promise<(row: DoorPlaceRow) => ListedPlace> {
  const event: EventRow | undefined = await findEvent(ctx.db, id);
  if (event?.feed_epoch !== feed_epoch) throw new Refusal('resync_required');
  const gateOf = gateFinder(event);
  const house = houseOf(ctx);
  const given = await givenRevisions(ctx.db, id);
  const places = rows?.map(({ place }) => place);
  const ended = await endedForDoor(ctx.db, id, { names, places });
  const former = [...ended.values()].flat().flatMap(({ last_of }) => last_of ?? []);
  const tickets = rows?.flatMap(({ ticket_id }) => ticket_id ?? []);
  const guests = tickets && [...tickets, ...former];
  const hops = await hopsOf(ctx.db, id, guests);
  const had = await endedCodesOf(ctx.db, id, guests);
  const cards = await conventionLines(ctx.db, id, tickets);
  const formerCodes = (ticket_id: string, present: PlaceCode) =>
    codesOf({ hops: hops.get(ticket_id) ?? [], ended: had.get(ticket_id) ?? [], present }).slice(1);
  return (row) => {
    const ticket_id = row.ticket_id ?? '';
    const place = placeForPhone(event, row, {
      gate: gateOf(row),
      names,
      house,
      hops: hops.get(ticket_id) ?? [],
      had: had.get(ticket_id) ?? [],
      given: given.get(row.place) ?? [],
      ended: (ended.get(row.place) ?? []).map(({ last_of, ...code }) => {
        if (last_of === null || code.revision >= row.issued) return code;
        const was = formerCodes(last_of, { place: row.place, revision: code.revision });
        return was.length > 0 ? { ...code, was } : code;
      }),
      cards: conventionsOf({ price_reasons: cards.get(ticket_id) ?? null }),
    });
    return spoken[wire].place(place);
  };
}

/** The part that every answer contains; times as ISO text. */
function headOf(state: DoorState, { names, wire }: Addressee) {
  const { event, others } = state;
  return {
    cursor: cursorOf(state, event.feed_seq, names),
    event: spoken[wire].event({
      id: event.id,
      title: event.title,
      starts_at: isoOf(event.starts_at),
      admits_from: event.admits_from === null ? null : isoOf(event.admits_from),
      admits_until: event.admits_until === null ? null : isoOf(event.admits_until),
      wipe_at: isoOf(event.starts_at + wipeAfterMs),
      cancelled: event.status === 'cancelled',
      tag: event.code_tag,
      salt: event.code_salt,
      verify_policy: event.verify_policy,
      moved_policy: event.moved_policy,
      reentry: event.reentry === 1,
      rehearsal: event.rehearsal === 1,
      licensed: event.licensed,
    }),
    other_events: others.map(({ code_tag, title, starts_at }) => ({
      tag: code_tag,
      title,
      starts_at: isoOf(starts_at),
    })),
  };
}

/** Counts of people without a ticket after a number of the door. */
async function headsIn({ db }: Ctx, { event }: DoorState, after: number) {
  const heads = await headsForPhones(db, event.id, { after, to: event.feed_seq });
  return heads.map((count) => ({ ...count, at: isoOf(count.at) }));
}

/** The rows that changed after a cursor. */
export interface DoorChanges extends ReturnType<typeof headOf> {
  heads: Awaited<ReturnType<typeof headsIn>>;
  from: string;
  server_time: string;
  places: ReturnType<typeof placeOnWire>[];
  admissions: (Omit<ListedAdmission, 'at'> & { at: string })[];
}

/** The answer to a phone that has everything. */
export function noChanges(
  state: DoorState,
  { from = state.event.feed_seq, ...to }: Addressee & { from?: number },
): Omit<DoorChanges, 'server_time'> {
  return {
    from: cursorOf(state, from, to.names),
    ...headOf(state, to),
    heads: [],
    places: [],
    admissions: [],
  };
}

/** With more rows than this, the whole list is cheaper. */
const mostRows = 10_000;

/** Null if more than `mostRows` rows changed. @throws Refusal resync_required */
export async function changesAfter(
  ctx: Ctx,
  state: DoorState,
  { from, ...to }: Addressee & { from: number },
): Promise<DoorChanges | null> {
  const { event } = state;
  const names = readsOrders(state, to.names);
  const answer = { ...noChanges(state, { from, ...to }), server_time: isoOf(ctx.now()) };
  if (from === event.feed_seq) return answer;
  const range = { after: from, to: event.feed_seq };
  const rows = await collect(placesBySeq(ctx.db, event.id, { ...range, names }));
  const scans = await collect(passagesBySeq(ctx.db, event.id, range));
  if (!rows || !scans) return null;
  const view = rows.length > 0 ? await placeViewer(ctx, state, { ...to, rows }) : null;
  return {
    ...answer,
    heads: await headsIn(ctx, state, from),
    places: rows.map((row) => placeOnWire(view!(row))),
    admissions: scans.map((row) => {
      const scan = admissionForPhone(row);
      return { ...scan, at: isoOf(scan.at) };
    }),
  };
}

/** All rows in one list; null if there are more than `mostRows`. */
async function collect<T>(slices: AsyncIterable<T[]>): Promise<T[] | null> {
  const rows: T[] = [];
  for await (const slice of slices) {
    rows.push(...slice);
    if (rows.length > mostRows) return null;
  }
  return rows;
}

/** Its moments as ISO text. */
export function placeOnWire({ hashes, ticket, given, ended, marks, ...place }: ListedPlace) {
  return {
    ...place,
    ...(marks && { marks: [...marks] }),
    ...(given && { given: [...given] }),
    ...(ended && { ended: ended.map(endedOnWire) }),
    hashes: [...hashes],
    ticket: ticket && changedTicket(ticket),
  };
}

function endedOnWire({ was, ...code }: EndedCode) {
  return { ...code, at: isoOf(code.at), ...(was && { was: [...was] }) };
}

function changedTicket({ was, ...ticket }: ListedTicket) {
  return {
    ...ticket,
    gates: [...ticket.gates],
    moved_from: [...ticket.moved_from],
    ...(was && { was: [...was] }),
  };
}
