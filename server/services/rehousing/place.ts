/**
 * The place to which a change of hall moves the evening: written with the book, together with the
 * question to the buyers (RULES H3, E3).
 */
import { closePostponementsOf, insertPostponement } from '#db/event/postponements.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { EventRow, RehousingRow } from '#db/rows.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { isAnswerTimeWrong } from '#server/domain/event/postponement.ts';
import { Refusal } from '#server/domain/refusal.ts';
import {
  isOtherPlace,
  newsFaults,
  readNews,
  venueThere,
  type NewPlace,
  type RehousingNews,
  type Venue,
} from '#server/domain/seat/rehousing-place.ts';
import type { Ctx } from '#server/services/context.ts';
import { saveInShow } from '#server/services/event/show-rows.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

/** What the office sends: the start of the event is known here. */
export interface NewsAsk {
  reason: string | null;
  place: Omit<NewPlace, 'starts_at'> | null;
}

/**
 * The news as they are stored; null: there are none.
 * @throws Refusal bad_request, event_times_wrong, each with `detail.fields`
 */
export function checkedNews(ctx: Ctx, event: EventRow, { reason, place }: NewsAsk): string | null {
  const { starts_at } = event;
  const news: RehousingNews = {
    reason: reason || null,
    place: place && { ...place, venue_address: place.venue_address || null, starts_at },
  };
  const { fields, times } = newsFaults(event, news, ctx.now());
  if (fields.length > 0) throw new Refusal('bad_request', { fields });
  requireTimes(times);
  return news.reason === null && news.place === null ? null : JSON.stringify(news);
}

function requireTimes(fields: readonly string[]): void {
  if (fields.length > 0) throw new Refusal('event_times_wrong', { fields });
}

/** @throws Refusal event_times_wrong if the buyers' time to answer has passed meanwhile */
export function requireTimeToAnswer(ctx: Ctx, event: EventRow, row: RehousingRow): void {
  const news = readNews(row);
  if (news !== null) requireTimes(newsFaults(event, news, ctx.now()).times);
}

/** Where an event goes. `asks`: it is on sale and goes to another place, so buyers are asked. */
export interface Going extends Pick<RehousingNews, 'reason'> {
  venue: Venue;
  place: NewPlace;
  asks: boolean;
}

/** Null: the event stays in its place. */
export function goingOf(event: EventRow, row: Pick<RehousingRow, 'news'>): Going | null {
  const news = readNews(row);
  if (!news?.place) return null;
  const venue = venueThere(event, news.place);
  const asks = event.status === 'published' && isOtherPlace(event, venue);
  return { reason: news.reason, place: news.place, venue, asks };
}

/** True if the buyers would have no time to answer. */
export function isAnswerLate(ctx: Ctx, event: EventRow, going: Going | null): boolean {
  if (going?.asks !== true) return false;
  const { answer_by } = going.place;
  return isAnswerTimeWrong({ starts_at: event.starts_at, answer_by, now: ctx.now() });
}

/** The columns of an event that has moved: only this date of its show is elsewhere. */
export async function columnsThere(
  ctx: Ctx,
  trx: Trx,
  event: EventRow,
  going: Going | null,
): Promise<Partial<EventRow>> {
  if (going === null) return {};
  const { venue } = going;
  const { own_fields = event.own_fields } = await saveInShow(ctx, trx, event, {
    ...event,
    ...venue,
  });
  return { ...venue, own_fields };
}

/**
 * Asks the buyers as after a new day; the question's mail tells them their seats too, so that no
 * other one leaves. Call it in the transaction that moves the book.
 */
export async function askAboutPlace(
  ctx: Ctx,
  trx: Trx,
  { event, row, going }: { event: EventRow; row: RehousingRow; going: Going },
): Promise<void> {
  const id = ctx.newId();
  const created_at = ctx.now();
  const { answer_by, if_silent } = going.place;
  await closePostponementsOf(trx, event.id, created_at);
  await insertPostponement(trx, {
    id,
    event_id: event.id,
    from_starts_at: event.starts_at,
    to_starts_at: event.starts_at,
    from_venue: venueWords(event),
    of_rehousing: row.id,
    answer_by,
    if_silent,
    reason: going.reason,
    actor: row.actor,
    created_at,
    closed_at: null,
  });
  await queueTask(ctx, trx, { task: 'tell_postponed', subject: id });
  await queueTask(ctx, trx, { task: 'close_postponement', subject: id, run_at: answer_by + 1 });
}
