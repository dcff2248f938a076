/**
 * What a planned change of hall will tell the buyers: the office's sentence, and the place to
 * which the evening goes (RULES H1).
 */
import { lastEventOn } from '#db/event/events.ts';
import { turnRehousing } from '#db/seat/rehousings.ts';
import { transact } from '#db/engine/transact.ts';
import { moveWith } from '#server/domain/event/series.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isOtherPlace } from '#server/domain/seat/rehousing-place.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { readWhole } from './house.ts';
import { checkedNews, type NewsAsk } from './place.ts';
import { plannedRehousing } from './plan.ts';
import { rehousingInWords } from './words.ts';

/**
 * The place of the newest other event on this chart, or else the event's own; the doors open as
 * long before the start as there.
 * @throws Refusal event_not_found
 */
export async function suggestPlace(ctx: Ctx, event_id: string, chart_key: string) {
  const event = await knownEvent(ctx, event_id);
  const { starts_at } = event;
  const other = await lastEventOn(ctx.db, chart_key, event_id);
  const { venue_title, venue_address, venue_href, ...like } = other ?? event;
  const way = { from: like.starts_at, to: starts_at };
  const doors_at = like.doors_at === null ? null : moveWith(like.doors_at, way);
  return {
    venue_title,
    venue_address,
    venue_href,
    doors_at,
    /** Null: no other event has this chart, so that nothing is known about its place. */
    is_other: other ? isOtherPlace(event, other) : null,
  };
}

interface NewsWish extends NewsAsk {
  version: number;
  actor: Actor;
}

/** Keeps all seats of the plan. Refuses as the contract of changeRehousingNews says. */
export async function changeNews(ctx: Ctx, event_id: string, { version, actor, ...ask }: NewsWish) {
  const row = await plannedRehousing(ctx, event_id, version);
  const news = checkedNews(ctx, await knownEvent(ctx, event_id), ask);
  await transact(ctx.db, async (trx) => {
    // An earlier version would leave the evening in its old place.
    if (news !== null) await raiseFloor(ctx, trx, '1.8.0');
    if (!(await turnRehousing(trx, row, { news, actor }))) throw new Refusal('rehousing_changed');
  });
  return rehousingInWords(ctx, row.id, await readWhole(ctx, row));
}
