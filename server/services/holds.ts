/** More time for a visitor who is still reading, without letting anybody keep seats for ever. */
import { ProviderRefused } from '#server/adapters/provider.ts';
import { salesStateOf } from '#server/domain/event.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from './context.ts';
import { publishedEvent } from './events.ts';
import { silent } from './silent.ts';

/** WCAG 2.2.1 asks for ten times the time; a hall that is selling out cannot give it, two times it can. */
const mostTimes = 2;
const minutesMore = 10;
/** With more than this left nobody needs more. */
const enoughSeconds = 5 * 60;
/** Tokens of the last hours; the oldest fall out, and the seat map's own limit remains. */
const mostRemembered = 10_000;

const prolonged = new WeakMap<Ctx, Map<string, number>>();

/** @throws Refusal event_not_found, sale_closed, event_cancelled, hold_expired, provider_silent */
export async function prolongHold(ctx: Ctx, eventId: string, hold_token: string): Promise<{ expires_in_seconds: number; may_prolong: boolean }> {
  const event = await publishedEvent(ctx, eventId);
  const state = salesStateOf(event, ctx.now());
  if (state !== 'open') throw new Refusal(state === 'cancelled' ? 'event_cancelled' : 'sale_closed');
  const left = await ctx.seats.holdLeft(hold_token).catch(over);
  if (left <= 0) throw new Refusal('hold_expired');
  const times = timesOf(ctx);
  const before = times.get(hold_token) ?? 0;
  if (before >= mostTimes || left > enoughSeconds) return { expires_in_seconds: left, may_prolong: before < mostTimes };
  // Counted before the answer: two tabs that ask at once are two times.
  times.delete(hold_token);
  times.set(hold_token, before + 1);
  if (times.size > mostRemembered) times.delete(times.keys().next().value!);
  return { expires_in_seconds: await ctx.seats.prolongHold(hold_token, minutesMore).catch(over), may_prolong: before + 1 < mostTimes };
}

function timesOf(ctx: Ctx): Map<string, number> {
  const times = prolonged.get(ctx) ?? new Map<string, number>();
  prolonged.set(ctx, times);
  return times;
}

function over(error: unknown): never {
  if (error instanceof ProviderRefused && error.status !== null && error.status < 500) throw new Refusal('hold_expired');
  return silent(error);
}
