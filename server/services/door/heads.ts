/**
 * Stores people without a ticket who were counted at the door or at the desk, each count once, and
 * takes counts back (RULES A15).
 */
import {
  annulHeads,
  doubtUndoOfHeads,
  findHeads,
  headSums,
  headsBySeq,
  insertHeads,
  knownHeads,
  listHeads,
  undosOfHeads,
  type NamedHeads,
} from '#db/door/heads.ts';
import { doorDayOf } from '#db/door/scans.ts';
import { isUniqueViolation, type Db, type Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { findEvent, listEventIds } from '#db/event/events.ts';
import { findPhone } from '#db/door/phones.ts';
import type { HeadsRow, PhoneRow } from '#db/rows.ts';
import { doubtOf, doubtOfUndo } from '#server/domain/door/doubt.ts';
import {
  beyondInside,
  mayUndoHeads,
  sumHeads,
  type HeadFigures,
  type HeadReason,
  type ListedHeads,
} from '#server/domain/door/heads.ts';
import type { Direction } from '#server/domain/door/admission.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { delivererOf } from './judging.ts';
import { byOf } from './views.ts';

/** A count as the phone sent it; times in milliseconds. */
export interface SentHeads {
  head_id: string;
  event_id: string;
  direction: Direction;
  people: number;
  reason: HeadReason;
  words: string | null;
  gate: string | null;
  scanned_at: number;
  corrected_at: number;
  annuls: string | null;
}

interface Batch {
  phone: PhoneRow;
  /** The batch comes from an old handset of this phone; another one has replaced it. */
  replaced: boolean;
  events: ReadonlySet<string>;
  items: readonly unknown[];
  readHeads: (item: unknown) => SentHeads | null;
  /** The ISO time of the phone's own clock. */
  sent_at?: unknown;
}

const mostAttempts = 6;
/** Counts of a file per transaction. */
const batchSize = 500;

/** An unreadable item does not affect the others; the same batch again changes nothing. */
export async function takeHeads(ctx: Ctx, { sent_at, ...batch }: Batch) {
  const sent = typeof sent_at === 'string' ? Date.parse(sent_at) : Number.NaN;
  const clock_offset_ms = Number.isNaN(sent) ? batch.phone.clock_offset_ms : ctx.now() - sent;
  const results = await storeBatch(ctx, { ...batch, phone: { ...batch.phone, clock_offset_ms } });
  return { results, server_time: ctx.now() };
}

async function storeBatch(ctx: Ctx, { items, events, readHeads, ...delivery }: Batch) {
  const asked = items.map((item) => {
    const heads = readHeads(item);
    return heads !== null && events.has(heads.event_id)
      ? { heads, named: heads.head_id }
      : { heads: null, named: nameOf(item) };
  });
  const sent = [
    ...new Map(asked.flatMap(({ heads }) => (heads ? [[heads.head_id, heads] as const] : []))),
  ].map(([, heads]) => heads);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const rows = await storeFresh(ctx, delivery, sent);
      return asked.map(({ heads, named }, index) => ({
        head_id: named,
        index,
        result: resultOf(heads, rows.get(named ?? '')),
      }));
    } catch (error) {
      // A concurrent request has stored a count of this id.
      if (!isUniqueViolation(error)) throw error;
      if (attempt === mostAttempts) throw new Refusal('try_again');
    }
  }
}

function nameOf(item: unknown): string | null {
  const named = (item as { head_id?: unknown } | null | undefined)?.head_id;
  return typeof named === 'string' ? named : null;
}

/** If another count has this id, this one is unreadable, so that a person looks at it. */
function resultOf(heads: SentHeads | null, row: HeadsRow | undefined) {
  if (heads === null || row === undefined || !isSame(row, heads)) return 'unreadable' as const;
  return row.doubt === null ? ('stored' as const) : ('doubted' as const);
}

function isSame(row: HeadsRow, heads: SentHeads): boolean {
  return (
    row.event_id === heads.event_id &&
    row.direction === heads.direction &&
    row.people === heads.people &&
    row.scanned_at === heads.scanned_at &&
    row.annuls === heads.annuls
  );
}

/** Stores what is not known yet; returns all rows of these ids. */
async function storeFresh(
  ctx: Ctx,
  delivery: Pick<Batch, 'phone' | 'replaced'>,
  sent: readonly SentHeads[],
): Promise<Map<string, HeadsRow>> {
  const ids = sent.map(({ head_id }) => head_id);
  const known = new Map((await knownHeads(ctx.db, ids)).map((row) => [row.id, row]));
  const fresh = sent.filter(({ head_id }) => !known.has(head_id));
  if (fresh.length === 0) return known;
  return transact(ctx.db, async (trx) => {
    const rows = new Map(known);
    // The events come in a fixed order, so that two batches never wait for each other.
    const byEvent = [...Map.groupBy(fresh, ({ event_id }) => event_id)];
    for (const [event_id, heads] of byEvent.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const { phone } = delivery;
      const day = await doorDayOf(trx, event_id, phone.id);
      const deliverer = delivererOf(day, delivery);
      const made = heads.map(({ head_id, ...count }): HeadsRow => {
        const times = { ...count, words: count.words || null, received_at: ctx.now() };
        const doubt = doubtOf(times, { ...day, rehearsal: day.rehearsal === 1 }, deliverer);
        return { ...bareHeads, ...times, id: head_id, phone_id: phone.id, doubt };
      });
      for (const row of await addHeads(trx, event_id, made, phone.role === 'supervisor'))
        rows.set(row.id, row);
    }
    return rows;
  });
}

/**
 * Counts from the file that a phone exported. A file has no token, so it cannot show that a
 * supervisor's phone made it.
 * @throws Refusal phone_not_found
 */
export async function importHeads(
  ctx: Ctx,
  {
    phone_id,
    heads,
    readHeads,
  }: { phone_id: string; heads: readonly unknown[] } & Pick<Batch, 'readHeads'>,
) {
  const phone = await findPhone(ctx.db, phone_id);
  if (!phone) throw new Refusal('phone_not_found');
  const events = new Set(await listEventIds(ctx.db));
  const results: Awaited<ReturnType<typeof storeBatch>> = [];
  for (let start = 0; start < heads.length; start += batchSize)
    results.push(
      ...(await storeBatch(ctx, {
        phone: { ...phone, role: 'steward' },
        replaced: false,
        events,
        items: heads.slice(start, start + batchSize),
        readHeads,
      })),
    );
  const unreadable_heads = results.filter(({ result }) => result === 'unreadable').length;
  return { heads: results.length - unreadable_heads, unreadable_heads };
}

/** The empty columns of a count. */
const bareHeads = {
  phone_id: null,
  user_id: null,
  gate: null,
  words: null,
  doubt: null,
  annuls: null,
  annulled_by: null,
  feed_seq: 0,
} as const;

/** Stores counts and takes back what they take back; a count may arrive after its undo. */
async function addHeads(
  trx: Trx,
  event_id: string,
  rows: readonly HeadsRow[],
  supervisor: boolean,
): Promise<readonly HeadsRow[]> {
  const { feed_seq } = await takeDoorTurn(trx, { act: 'heads_counted', event_id });
  const made = new Map(rows.map((row) => [row.id, { ...row, feed_seq }]));
  const all = [...made.values()];
  const taken = new Map(
    (
      await knownHeads(
        trx,
        all.flatMap(({ annuls }) => annuls ?? []),
      )
    ).map((row) => [row.id, row]),
  );
  for (const undo of all.filter(({ annuls }) => annuls !== null)) {
    const count = made.get(undo.annuls ?? '') ?? taken.get(undo.annuls ?? '');
    if (!count || undo.doubt !== null) continue;
    undo.doubt = doubtAbout(undo, count, supervisor);
    if (undo.doubt !== null || count.annulled_by !== null) continue;
    count.annulled_by = undo.id;
    if (!made.has(count.id)) await annulHeads(trx, { ...count, feed_seq });
  }
  const counts = all.filter(({ annuls }) => annuls === null).map(({ id }) => id);
  for (const undo of await undosOfHeads(trx, counts)) {
    const count = requireValue(made.get(undo.annuls ?? ''), 'count');
    const doubt = doubtAbout(undo, count, undo.role !== 'steward');
    if (doubt !== null) await doubtUndoOfHeads(trx, { id: undo.id, doubt });
    else count.annulled_by ??= undo.id;
  }
  await insertHeads(trx, all);
  return all;
}

/** The phone's own rule for taking a count back, checked again; the two must be of one event. */
function doubtAbout(undo: HeadsRow, count: HeadsRow, supervisor: boolean) {
  const isOfSame =
    count.event_id === undo.event_id &&
    count.direction === undo.direction &&
    count.people === undo.people &&
    count.annuls === null;
  if (!isOfSame) return 'not_its_scan';
  return doubtOfUndo(
    { phone_id: undo.phone_id, supervisor, at: undo.corrected_at },
    { phone_id: count.phone_id, at: count.corrected_at },
  );
}

/** The list shows at most this many counts. */
const mostListed = 300;

/** @throws Refusal event_not_found */
export async function headsForOffice(ctx: Ctx, event_id: string) {
  await requireEvent(ctx.db, event_id);
  const rows = await listHeads(ctx.db, { event_id, limit: mostListed });
  return {
    ...sumHeads(await headSums(ctx.db, event_id)),
    items: rows.map((row) => ({
      ...row,
      head_id: row.id,
      at: row.corrected_at,
      by: byOf(row),
      undone: row.annulled_by !== null,
    })),
  };
}

async function requireEvent(db: Db, event_id: string): Promise<void> {
  if (!(await findEvent(db, event_id))) throw new Refusal('event_not_found');
}

interface DeskCount {
  head_id: string;
  direction: Direction;
  people: number;
  reason: HeadReason;
  words: string | null;
}

/**
 * Counts at the desk, once by its id.
 * @throws Refusal event_not_found, heads_not_inside, head_taken
 */
export async function countHeads(
  ctx: Ctx,
  event_id: string,
  { user_id, head_id, ...count }: DeskCount & { user_id: string },
): Promise<HeadFigures & { head_id: string }> {
  await requireEvent(ctx.db, event_id);
  return transact(ctx.db, async (trx) => {
    await takeDoorTurn(trx, { act: 'heads_counted', event_id });
    const known = await findHeads(trx, head_id);
    const now = ctx.now();
    const words = count.words === '' ? null : count.words;
    if (known) {
      const isSameCount =
        known.event_id === event_id &&
        known.user_id === user_id &&
        known.direction === count.direction &&
        known.people === count.people;
      if (!isSameCount) throw new Refusal('head_taken');
      return { head_id, ...(await figuresOf(trx, event_id)) };
    }
    const beyond = beyondInside(await figuresOf(trx, event_id), count);
    if (beyond > 0) throw new Refusal('heads_not_inside', { inside: count.people - beyond });
    const times = { scanned_at: now, corrected_at: now, received_at: now };
    const row = { ...bareHeads, ...count, words, ...times, id: head_id, event_id, user_id };
    await addHeads(trx, event_id, [row], true);
    await happened(ctx, trx, {
      actor: `user:${user_id}`,
      action: 'heads_counted',
      subject: event_id,
      detail: { direction: row.direction, people: row.people, reason: row.reason },
    });
    return { head_id, ...(await figuresOf(trx, event_id)) };
  });
}

async function figuresOf(db: Db, event_id: string): Promise<HeadFigures> {
  return sumHeads(await headSums(db, event_id));
}

/** @throws Refusal event_not_found, head_not_found, undo_not_possible */
export async function undoHeads(
  ctx: Ctx,
  { event_id, head_id, user_id }: { event_id: string; head_id: string; user_id: string },
): Promise<HeadFigures> {
  await requireEvent(ctx.db, event_id);
  return transact(ctx.db, async (trx) => {
    await takeDoorTurn(trx, { act: 'heads_undone', event_id });
    const count = await findHeads(trx, head_id);
    if (count?.event_id !== event_id || count.annuls !== null) throw new Refusal('head_not_found');
    const now = ctx.now();
    const about = { undone: count.annulled_by !== null, phone_id: null, at: count.corrected_at };
    const may = mayUndoHeads(about, { phone_id: null, supervisor: true, now });
    if (!may || count.doubt !== null) throw new Refusal('undo_not_possible');
    const { direction, people, reason } = count;
    const times = { scanned_at: now, corrected_at: now, received_at: now };
    const undo = { ...bareHeads, direction, people, reason, ...times, event_id, user_id };
    await addHeads(trx, event_id, [{ ...undo, id: ctx.newId(), annuls: head_id }], true);
    await happened(ctx, trx, {
      actor: `user:${user_id}`,
      action: 'heads_undone',
      subject: event_id,
      detail: { direction, people, reason, head_id },
    });
    return figuresOf(trx, event_id);
  });
}

/** What phones hear of an event's counts between two numbers of its door. */
export async function headsForPhones(
  db: Db,
  event_id: string,
  range: { after: number; to: number },
): Promise<ListedHeads[]> {
  return (await headsBySeq(db, event_id, range)).map(headsForPhone);
}

function headsForPhone(row: NamedHeads): ListedHeads {
  const { id, direction, people, reason, corrected_at, gate, phone_id, annulled_by } = row;
  const undone = annulled_by !== null;
  const about = { direction, people, reason, gate, phone_id, undone };
  return { head_id: id, at: corrected_at, by: byOf(row), ...about };
}
