/** What every call of the stand-in may hold, and the one transaction that tells the streams afterwards. */
import type { Sql } from './database.ts';
import type { Plan } from './chart/plan.ts';
import type { WireChart } from './wire.ts';
import type { Store } from '#server/standins/store.ts';

export interface Seatsio {
  store: Store;
  sql: Sql;
  now: () => number;
  chartFolder: string;
  systemSecret?: string;
  plans: Kept<Plan>;
  wireCharts: Kept<WireChart>;
  /** Event id -> when its for-sale configuration was edited lately. */
  forSaleEdits: Kept<number[]>;
  /** Told after commit; `labels` null when everything may have changed. */
  onChange: (eventId: number, sequence: number, labels: string[] | null) => void;
}

export interface Workspace {
  id: number;
  company_id: number;
  key: string;
  name: string;
  is_test: number;
  is_default: number;
  is_active: number;
}

/** A small memory of what is dear to compute: the least recently used leaves first. */
export class Kept<T> {
  static #now = 0;
  readonly #values = new Map<string, T>();
  readonly #size: number;
  #age = Kept.#now;

  /** After a commit that failed: ids and versions that were read before it come again and mean something else. */
  static forgetAll(): void {
    Kept.#now += 1;
  }

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string, make: () => T): T {
    if (this.#age !== Kept.#now) this.#values.clear();
    this.#age = Kept.#now;
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#size) this.#values.delete(this.#values.keys().next().value!);
    return value;
  }
}

/** How many changes a stream can catch up with; more means reading everything anew. */
const STREAM_KEPT = 500;
const STREAM_LABELS = 2000;

/** Notes which objects of an event look different from now on; null: all of them. */
export type Tell = (eventId: number, labels: string[] | null) => void;

type Heard = Parameters<Seatsio['onChange']>;

/** What was told inside of a transaction that is still open. */
const untold = new WeakMap<Seatsio, Heard[]>();

/** All or nothing; what was told is heard by the streams only once it is on the disk. Inside of another one it shares that one's end. */
export function transact<T>(ctx: Seatsio, work: (tell: Tell) => T): T {
  const isInner = ctx.store.inTransaction;
  const told = new Map<number, Set<string> | null>();
  const heard: Heard[] = [];
  const result = ctx.store
    .transaction(() => {
      const answer = work((eventId, labels) => {
        const known = told.get(eventId);
        told.set(
          eventId,
          labels === null || known === null ? null : new Set([...(known ?? []), ...labels]),
        );
      });
      for (const [eventId, labels] of told) {
        if (labels?.size === 0) continue;
        const event = ctx.sql.one<{ sequence: number }>(
          'UPDATE seatsio_events SET sequence = sequence + 1 WHERE id = ? RETURNING sequence',
          eventId,
        );
        if (!event) continue;
        const list = labels === null || labels.size > STREAM_LABELS ? null : [...labels];
        ctx.sql.run(
          'INSERT INTO seatsio_stream (event_id, sequence, labels) VALUES (?, ?, ?)',
          eventId,
          event.sequence,
          list && JSON.stringify(list),
        );
        ctx.sql.run(
          'DELETE FROM seatsio_stream WHERE event_id = ? AND sequence <= ?',
          eventId,
          event.sequence - STREAM_KEPT,
        );
        heard.push([eventId, event.sequence, list]);
      }
      return answer;
    })
    .immediate();
  if (isInner) untold.set(ctx, [...(untold.get(ctx) ?? []), ...heard]);
  else tell(ctx, heard);
  return result;
}

/** Several pieces of work, each all or nothing by itself, that reach the disk together; none of them may throw. */
export function transactTogether(ctx: Seatsio, works: (() => void)[]): void {
  try {
    ctx.store
      .transaction(() => {
        for (const work of works) {
          // After a full disk SQLite may have ended the transaction by itself: the rest would be written one by one.
          if (!ctx.store.inTransaction) throw new Error('The transaction ended early');
          work();
        }
      })
      .immediate();
  } catch (error) {
    untold.delete(ctx);
    Kept.forgetAll();
    throw error;
  }
  tell(ctx, []);
}

function tell(ctx: Seatsio, heard: Heard[]): void {
  const all = [...(untold.get(ctx) ?? []), ...heard];
  untold.delete(ctx);
  for (const change of all) ctx.onChange(...change);
}
