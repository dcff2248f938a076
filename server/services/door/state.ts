/** What the door needs at every call, kept in memory and read again after any write. */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import {
  doorEventRows,
  phonesOfTokens,
  ticketedEvents,
  type DoorEventRow,
  type OtherEventRow,
} from '#db/door/door.ts';
import { countWrites } from '#db/engine/sqlite.ts';
import type { PhoneRow } from '#db/rows.ts';
import { wipeAfterMs } from '#server/domain/event/event.ts';
import type { Ctx } from '#server/services/context.ts';

export interface PhoneInCall {
  phone: PhoneRow;
  events: ReadonlySet<string>;
  /** Also events that the phone had earlier: it may still send scans made there. */
  ever: ReadonlySet<string>;
  /** The caller is an old handset of this phone; another one has replaced it or will. */
  ended: boolean;
}

/**
 * An event that phones may ask for. `about`: the event's part of every answer, as one text, to
 * compare for changes.
 */
export interface DoorState {
  event: DoorEventRow;
  others: readonly OtherEventRow[];
  about: string;
}

/** Keeps rows until the next write; calls in the same round of the event loop share one read. */
interface Memory<T> {
  /** A value at least as new as the call; null if there is none. */
  read: (key: string) => Promise<T | null>;
  /** The same from memory; undefined if it must be read. */
  atOnce: (key: string) => T | undefined;
}

const mostKept = 5_000;

function remember<T>(
  ctx: Ctx,
  find: (keys: readonly string[]) => Promise<Map<string, T>>,
): Memory<T> {
  const kept = new Map<string, { value: T; writes: number | null }>();
  let asked: { keys: Set<string>; found: Promise<Map<string, T>> } | null = null;
  const readAll = (): { keys: Set<string>; found: Promise<Map<string, T>> } => {
    const keys = new Set<string>();
    const found = yieldToLoop().then(async () => {
      asked = null;
      const writes = countWrites(ctx.db);
      const values = await find([...keys]);
      for (const key of keys) kept.delete(key);
      for (const [key, value] of values) kept.set(key, { value, writes });
      while (kept.size > mostKept) kept.delete(kept.keys().next().value!);
      return values;
    });
    return { keys, found };
  };
  const atOnce = (key: string): T | undefined => {
    const known = kept.get(key);
    if (known === undefined || known.writes === null) return undefined;
    return known.writes === countWrites(ctx.db) ? known.value : undefined;
  };
  return {
    atOnce,
    async read(key) {
      const known = atOnce(key);
      if (known !== undefined) return known;
      asked ??= readAll();
      asked.keys.add(key);
      return (await asked.found).get(key) ?? null;
    },
  };
}

interface DoorMemory {
  /** By the hash of the device token. */
  phones: Memory<PhoneInCall>;
  /** By event id. */
  events: Memory<DoorState>;
}

const memories = new WeakMap<Ctx['memory'], DoorMemory>();

export function doorMemory(ctx: Ctx): DoorMemory {
  const known = memories.get(ctx.memory);
  if (known) return known;
  const othersOf = readOthers(ctx);
  const aboutOf = (event: DoorEventRow, others: readonly OtherEventRow[]): string =>
    JSON.stringify([{ ...event, feed_seq: 0 }, others]);
  const made: DoorMemory = {
    phones: remember(
      ctx,
      async (hashes) =>
        new Map((await phonesOfTokens(ctx.db, hashes)).map(({ hash, ...known }) => [hash, known])),
    ),
    events: remember(ctx, async (ids) => {
      const [rows, others] = await Promise.all([doorEventRows(ctx.db, ids), othersOf()]);
      return new Map(
        rows.filter(isOpen).map((event) => {
          const rest = others.filter(({ id }) => id !== event.id);
          return [event.id, { event, others: rest, about: aboutOf(event, rest) }];
        }),
      );
    }),
  };
  memories.set(ctx.memory, made);
  return made;
}

/** After this time no phone gets the event, and phones have wiped it. */
export function isWiped({ event }: DoorState, now: number): boolean {
  return event.starts_at + wipeAfterMs <= now;
}

/** A rehearsal is open until it is closed, any other event from its publication on. */
function isOpen(event: DoorEventRow): boolean {
  return event.rehearsal === 1 ? event.cancelled_at === null : event.status !== 'draft';
}

/** PostgreSQL does not count writes, so there the other events' names may be this old. */
const othersFreshMs = 1_000;
const mostOthers = 200;

function readOthers(ctx: Ctx): () => Promise<OtherEventRow[]> {
  let last: { at: number; writes: number | null; rows: Promise<OtherEventRow[]> } | null = null;
  return () => {
    const writes = countWrites(ctx.db);
    if (
      last !== null &&
      (writes === null ? Math.abs(ctx.now() - last.at) < othersFreshMs : writes === last.writes)
    )
      return last.rows;
    const reading = { at: ctx.now(), writes, rows: ticketedEvents(ctx.db, mostOthers) };
    last = reading;
    // The caller gets the failure; here it only makes the next call read again.
    reading.rows.catch(() => {
      if (last === reading) last = null;
    });
    return reading.rows;
  };
}
