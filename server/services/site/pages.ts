/**
 * Tells whether a cached page of the public site may still be used, by a mark that changes with
 * the page's data, and a time at which the page expires.
 */
import { findEvent, listEvents } from '#db/event/events.ts';
import { findEventMark, turnsOfRules } from '#db/event/price-rules.ts';
import type { EventRow } from '#db/rows.ts';
import { countWrites } from '#db/engine/sqlite.ts';
import { phaseEnds } from '#server/domain/price/phase.ts';
import { surchargesOf } from '#server/domain/price/surcharge.ts';
import { surchargeTurns } from '#server/domain/price/surcharge-times.ts';
import type { Ctx } from '#server/services/context.ts';
import { maintenanceSince } from './maintenance.ts';

export type PageSubject = { kind: 'home' } | { kind: 'event'; id: string };

/**
 * While this number stays the same, nothing was written, and no mark need be read; null if writes
 * cannot be counted.
 */
export function writesOf(ctx: Ctx): number | null {
  return countWrites(ctx.db);
}

/**
 * The mark, read for every answer, so that a change by any process shows immediately; null if the
 * public must not see the page.
 */
export async function markOf(ctx: Ctx, subject: PageSubject): Promise<string | null> {
  if ((await maintenanceSince(ctx)) !== null) return null;
  if (subject.kind === 'home') return JSON.stringify((await listEvents(ctx.db)).map(withoutFeed));
  const event = await findEventMark(ctx.db, subject.id);
  return event === undefined || event.status === 'draft'
    ? null
    : JSON.stringify(withoutFeed(event));
}

/** `feed_seq` changes with every ticket and is not on any page. */
function withoutFeed(event: EventRow): Omit<EventRow, 'feed_seq'> {
  return { ...event, feed_seq: undefined } as Omit<EventRow, 'feed_seq'>;
}

/**
 * When the page expires: seats and prices change without the event's row, and a sale, its price
 * rules, phases and surcharges begin and end by the clock.
 */
export async function goodUntil(ctx: Ctx, subject: PageSubject): Promise<number> {
  const now = ctx.now();
  const turns = subject.kind === 'home' ? await turnsOfHome(ctx) : await turnsOf(ctx, subject.id);
  return Math.min(now + longestMs, ...turns.filter((at) => at > now));
}

async function turnsOfHome(ctx: Ctx): Promise<number[]> {
  return (await listEvents(ctx.db)).flatMap(turnsOfSale);
}

async function turnsOf(ctx: Ctx, id: string): Promise<number[]> {
  const event = await findEvent(ctx.db, id);
  return event === undefined ? [] : [...turnsOfSale(event), ...(await turnsOfRules(ctx.db, event))];
}

function turnsOfSale(event: EventRow): number[] {
  const { sales_opens_at, sales_closes_at, starts_at } = event;
  const surcharges = surchargeTurns(surchargesOf(event), starts_at);
  const turns = [sales_opens_at, sales_closes_at, starts_at, ...phaseEnds(event), ...surcharges];
  return turns.filter((at) => at !== null);
}

/** How old the number of free seats on a page may become. */
const longestMs = 1_000;
