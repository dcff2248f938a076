/**
 * The counts of events, which reports add up. A single event is counted when the report is asked
 * for; for several events stored counts are read, and a few outdated ones are made again.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { ReportEvent } from '#db/report/events.ts';
import { reportEvents } from '#db/report/events.ts';
import { countPart, oldCounts, readKept, type EventCount } from '#db/report/kept.ts';
import type { Ctx } from '#server/services/context.ts';

/** If more counts are outdated, none is made again, and the report shows how old they are. */
const mostCounted = 10;

export interface Counted<P extends keyof EventCount> {
  event: ReportEvent;
  count: EventCount[P];
}

/** Reads the counts for one report, and knows how old the oldest is. */
export class Counts {
  readonly #ctx: Ctx;
  /** When the oldest of the counts that were read was made; now if all are current. */
  counted_at: number;

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
    this.counted_at = ctx.now();
  }

  /** The counts of these events, in their order. */
  async of<P extends keyof EventCount>(
    part: P,
    events: readonly ReportEvent[],
  ): Promise<Counted<P>[]> {
    return events.length > 1 ? this.#kept(part, events) : this.#count(part, events);
  }

  /** The counts of every event that had sales or money on these days. */
  async onDays<P extends 'sales' | 'money'>(
    part: P,
    days: { first: number; last: number },
  ): Promise<Counted<P>[]> {
    const events = await reportEvents(this.#ctx.db, { soldWithin: days });
    return this.of(part, events);
  }

  async #kept<P extends keyof EventCount>(
    part: P,
    events: readonly ReportEvent[],
  ): Promise<Counted<P>[]> {
    const { db } = this.#ctx;
    const ids = events.map(({ id }) => id);
    const kept = new Map<string, { counted_at: number; count: EventCount[P] }>();
    for (let from = 0; from < ids.length; from += 50) {
      for (const { event_id, ...row } of await readKept(db, part, ids.slice(from, from + 50)))
        kept.set(event_id, row);
      // Other requests run between two batches.
      await yieldToLoop();
    }
    const old = new Set((await oldCounts(db, ids)).map(({ id }) => id));
    const anew = events.filter(
      ({ id }) => !kept.has(id) || (old.has(id) && old.size <= mostCounted),
    );
    const counted = new Map(
      (await this.#count(part, anew)).map(({ event, count }) => [event.id, count]),
    );
    return events.map((event) => {
      const now = counted.get(event.id);
      if (now !== undefined) return { event, count: now };
      const { counted_at, count } = kept.get(event.id)!;
      if (old.has(event.id)) this.counted_at = Math.min(this.counted_at, counted_at);
      return { event, count };
    });
  }

  async #count<P extends keyof EventCount>(
    part: P,
    events: readonly ReportEvent[],
  ): Promise<Counted<P>[]> {
    const counted: Counted<P>[] = [];
    for (const event of events)
      counted.push({ event, count: await countPart(this.#ctx.db, part, event) });
    return counted;
  }
}
