/** Extends a visitor's seat hold, up to a limit. */
import { countProlongation, purgeProlongations, timesProlonged } from '#db/seat/holds.ts';
import { prolongPass } from '#db/queue/queue-places.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { salesStateOf } from '#server/domain/event/event.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { roomOf } from '#server/services/queue/rooms.ts';

/** WCAG 2.2.1 asks for ten extensions; two do not block a hall that sells out. */
const mostTimes = 2;
const minutesMore = 10;
/** A hold with more time left than this is not extended. */
const enoughSeconds = 5 * 60;
/** A hold is certainly over after this time, so its count may be deleted. */
const rememberedMs = 24 * 3_600_000;

/**
 * @throws Refusal event_not_found, sale_closed, event_cancelled, hold_expired, provider_silent
 */
export async function prolongHold(
  ctx: Ctx,
  eventId: string,
  hold_token: string,
): Promise<{ expires_in_seconds: number; may_prolong: boolean }> {
  const event = await publishedEvent(ctx, eventId);
  const state = salesStateOf(event, ctx.now());
  if (state !== 'open')
    throw new Refusal(state === 'cancelled' ? 'event_cancelled' : 'sale_closed');
  const left = await ctx.seats.holdLeft(hold_token).catch(over);
  if (left <= 0) throw new Refusal('hold_expired');
  const before = await timesProlonged(ctx.db, hold_token);
  if (before >= mostTimes || left > enoughSeconds)
    return { expires_in_seconds: left, may_prolong: before < mostTimes };
  // Counted before the call to the seat map, so that two tabs use two extensions.
  const time = await countProlongation(ctx.db, hold_token, { most: mostTimes, now: ctx.now() });
  if (time === null) return { expires_in_seconds: left, may_prolong: false };
  const more = await ctx.seats.prolongHold(hold_token, minutesMore).catch(over);
  if ((await roomOf(ctx, eventId)) !== null)
    await prolongPass(ctx.db, { event_id: eventId, hold_token, until: ctx.now() + more * 1000 });
  return {
    expires_in_seconds: more,
    may_prolong: time < mostTimes,
  };
}

export async function forgetOldHolds(ctx: Ctx): Promise<void> {
  await purgeProlongations(ctx.db, ctx.now() - rememberedMs);
}

function over(error: unknown): never {
  if (error instanceof ProviderRefused && error.status !== null && error.status < 500)
    throw new Refusal('hold_expired');
  throw error;
}
