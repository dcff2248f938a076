/** The programme as a calendar to subscribe to: all of it, or one show. */
import { makeProgramme } from '#server/adapters/calendar.ts';
import { listEvents } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import { formatTime } from '#server/domain/time/dates.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { plainText } from '#server/domain/text/plain-text.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { siteForAll } from './site.ts';

/** An event leaves the calendar this long after it is over. */
const keptMs = 30 * 86_400_000;
const longestDescription = 500;

/**
 * The calendar; `show_id` null: of all shows.
 * @throws Refusal not_found for a show without a published date
 */
export async function programmeCalendar(ctx: Ctx, show_id: string | null): Promise<string> {
  const announced = (await listEvents(ctx.db)).filter(
    (event) => event.status !== 'draft' && (show_id === null || event.show_id === show_id),
  );
  if (show_id !== null && announced.length === 0) throw new Refusal('not_found');
  const { name } = await siteForAll(ctx);
  const entries = announced
    .filter(({ starts_at }) => starts_at > ctx.now() - keptMs)
    .map((event) => entryOf(ctx, event));
  const title = show_id === null ? name : `${announced[0]!.title} · ${name}`;
  // The time of the last change, so that the text stays the same until something changes (for a
  // 304).
  const changed = Math.max(0, ...announced.map((event) => event.updated_at || event.created_at));
  return makeProgramme(title, entries, changed);
}

/** A calendar replaces its entry when `sequence` is higher. */
function entryOf(ctx: Ctx, event: EventRow) {
  const url = `${ctx.publicUrl}/event/${encodeURIComponent(event.id)}`;
  const doors =
    event.doors_at === null ? [] : [`Apertura porte alle ${formatTime(event.doors_at)}.`];
  const words = plainText(event.description).slice(0, longestDescription);
  return {
    uid: `${event.id}@${new URL(ctx.publicUrl).hostname}`,
    sequence: event.version,
    title: event.title,
    starts_at: event.starts_at,
    ends_at: event.ends_at,
    venue: venueWords(event),
    description: [...doors, words, `Biglietti: ${url}`].filter(Boolean).join('\n'),
    url,
    cancelled: event.status === 'cancelled',
  };
}
