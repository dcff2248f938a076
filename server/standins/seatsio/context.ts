/**
 * What a call of the stand-in works with: a consistent read, or a transaction whose changes are
 * sent to the streams after the commit.
 */
import { ApiError } from './errors.ts';
import { addToStream } from './statements/stream.ts';
import type { Reader, Store, Writer } from '#server/standins/kit/store.ts';

/** The opened stand-in; `read` and `change` make calls on it. */
export interface State {
  store: Store;
  now: () => number;
  chartFolder: string;
  systemSecret?: string;
  /** Called after commit; `labels` null when everything may have changed. */
  onChange: (eventId: number, sequence: number, labels: string[] | null) => void;
}

/** What every call gets. */
export interface Seatsio extends Pick<State, 'now' | 'chartFolder' | 'systemSecret'> {
  sql: Reader;
  /** The key of `Cache`: cached values belong to one database. */
  database: object;
}

/** Notes which objects of an event have changed; null: all of them. */
type Tell = (eventId: number, labels: readonly string[] | null) => void;

/** The same in a transaction, which a throw rolls back. */
export interface Writing extends Seatsio {
  sql: Writer;
  tell: Tell;
}

/** A cache of values that are slow to compute; it drops the least recently used one first. */
export class Cache<T> {
  static #now = 0;
  readonly #byDatabase = new WeakMap<object, { age: number; values: Map<string, T> }>();
  readonly #size: number;

  /** Called after a failed transaction, whose ids and versions will be used again. */
  static forgetAll(): void {
    Cache.#now += 1;
  }

  constructor(size: number) {
    this.#size = size;
  }

  async get(
    { database }: Pick<Seatsio, 'database'>,
    key: string,
    make: () => T | Promise<T>,
  ): Promise<T> {
    let kept = this.#byDatabase.get(database);
    if (kept?.age !== Cache.#now) {
      kept = { age: Cache.#now, values: new Map<string, T>() };
      this.#byDatabase.set(database, kept);
    }
    const { values } = kept;
    const value = values.get(key) ?? (await make());
    values.delete(key);
    values.set(key, value);
    if (values.size > this.#size) {
      const [oldest = key] = values.keys();
      values.delete(oldest);
    }
    return value;
  }
}

/** The most objects in one entry of the stream; with more, pages read everything anew. */
const STREAM_LABELS = 2000;

export function read<T>(state: State, work: (ctx: Seatsio) => Promise<T>): Promise<T> {
  return state.store.read((sql) => work(callOf(state, sql)));
}

/** Runs a change, all or nothing; the streams get its changes after the commit. */
export async function change<T>(state: State, work: (ctx: Writing) => Promise<T>): Promise<T> {
  try {
    const { answer, heard } = await state.store.write(async (sql) => {
      const told = new Map<number, Set<string> | null>();
      const tell: Tell = (eventId, labels) => {
        const known = told.get(eventId);
        const isAll = labels === null || known === null;
        told.set(eventId, isAll ? null : new Set([...(known ?? []), ...labels]));
      };
      const answer = await work({ ...callOf(state, sql), sql, tell });
      return { answer, heard: await writeTold(sql, told) };
    });
    for (const one of heard) state.onChange(...one);
    return answer;
  } catch (error) {
    if (!(error instanceof ApiError)) Cache.forgetAll();
    throw error;
  }
}

function callOf(state: State, sql: Reader): Seatsio {
  const { store: database, now, chartFolder, systemSecret } = state;
  return { sql, database, now, chartFolder, systemSecret };
}

async function writeTold(
  sql: Writer,
  told: ReadonlyMap<number, ReadonlySet<string> | null>,
): Promise<Parameters<State['onChange']>[]> {
  const heard: Parameters<State['onChange']>[] = [];
  for (const [eventId, labels] of told) {
    if (labels?.size === 0) continue;
    const list = labels === null || labels.size > STREAM_LABELS ? null : [...labels];
    const sequence = await addToStream(sql, eventId, list);
    if (sequence !== undefined) heard.push([eventId, sequence, list]);
  }
  return heard;
}
