/** A chart was published anew: its coming events get the places, names and categories of the new drawing, and their phones hear of it. */
import { eventsOnCharts, findEvent, lockEvent, nextFeedSeq } from '#db/events.ts';
import type { EventRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { replaceHall } from '#db/rehousings.ts';
import { placesInUse, touchPlaces } from '#db/seats.ts';
import type { Ctx } from '#server/services/context.ts';
import { placesForBook } from '#server/services/event/places.ts';

/** An evening may still be on long after it began. */
const overAfterMs = 24 * 3_600_000;

/** Idempotent: it brings the book to what the seat map says now. */
export async function followChart(ctx: Ctx, chart_key: string): Promise<null> {
  const events = await eventsOnCharts(ctx.db, [chart_key], {
    starts_after: ctx.now() - overAfterMs,
  });
  for (const { id, status } of events) {
    const event = status === 'cancelled' ? undefined : await findEvent(ctx.db, id);
    if (event) await followEvent(ctx, event);
  }
  return null;
}

async function followEvent(ctx: Ctx, { id, seatsio_event_key }: EventRow): Promise<void> {
  const hall = placesForBook(ctx, id, await ctx.seats.objects(seatsio_event_key));
  await transact(ctx.db, async (trx) => {
    const event = await lockEvent(trx, id);
    // The office has chosen another chart, or the evening has moved, meanwhile.
    if (event?.seatsio_event_key !== seatsio_event_key) return;
    const drawn = new Set(hall.map(({ place }) => place));
    const missing = (await placesInUse(trx, id)).filter(({ place }) => !drawn.has(place));
    // The seat map refuses such a drawing; whoever bought in that moment keeps his place.
    if (missing.length > 0)
      ctx.log.error(
        { event_id: id, places: missing.map(({ place }) => place) },
        'places that are sold are not drawn any more',
      );
    const kept = missing.map((row) => {
      const { feed_seq: _, ...place } = row;
      return place;
    });
    const places = await replaceHall(trx, id, [...hall, ...kept]);
    if (places.length > 0)
      await touchPlaces(trx, id, { places, feed_seq: await nextFeedSeq(trx, id) });
  });
}
