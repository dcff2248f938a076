/**
 * New dates of a show: previews the dates that a rule gives, and makes the drafts, each with its
 * own hall (RULES E2).
 */
import { findEvent } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import { datesOf } from '#db/event/shows.ts';
import { transact } from '#db/engine/transact.ts';
import { startsOf, timesAt, type Series } from '#server/domain/event/series.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { dateAddress, mostDates, mostNewDates, sharedOf } from '#server/domain/event/show.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { chartOf, makeHall, type Hall } from './chart.ts';
import { insertDraft } from './desk.ts';
import { columnsOf, formOf } from './form.ts';
import { knownShow, showForOffice } from './shows.ts';

/** @throws Refusal show_not_found, too_many_dates */
export async function previewDates(ctx: Ctx, show_id: string, series: Series) {
  await knownShow(ctx, show_id);
  const starts = startsOf(series);
  const taken = new Set((await datesOf(ctx.db, [show_id])).map((date) => date.starts_at));
  const items = starts.map((starts_at) => ({
    starts_at,
    obstacle: obstacleOf(starts_at, { taken, now: ctx.now() }),
  }));
  if (items.filter(({ obstacle }) => obstacle === null).length > mostNewDates)
    throw new Refusal('too_many_dates', { most: mostNewDates });
  return { items, most: mostNewDates };
}

function obstacleOf(
  starts_at: number,
  { taken, now }: { taken: ReadonlySet<number>; now: number },
): 'past' | 'exists' | null {
  if (taken.has(starts_at)) return 'exists';
  return starts_at <= now ? 'past' : null;
}

interface NewDate {
  id: string;
  columns: ReturnType<typeof columnsOf>;
}

/**
 * Makes all halls first: if the seat map stops answering, no date is stored. Refuses as the
 * contract of makeDates says.
 */
export async function makeDates(
  ctx: Ctx,
  show_id: string,
  { like, starts, actor }: { like: string; starts: readonly number[]; actor: Actor },
) {
  const show = await knownShow(ctx, show_id);
  const dates = await datesOf(ctx.db, [show_id]);
  const model = dates.find((date) => date.id === like);
  if (!model) throw new Refusal('event_not_found');
  const taken = new Set(dates.map((date) => date.starts_at));
  const free = [...new Set(starts)].filter(
    (starts_at) => obstacleOf(starts_at, { taken, now: ctx.now() }) === null,
  );
  if (dates.length + free.length > mostDates)
    throw new Refusal('too_many_dates', { most: mostDates });
  const form = formOf({ ...model, ...sharedOf(show) });
  const ids = new Set<string>();
  const wanted: NewDate[] = [];
  for (const starts_at of free.toSorted((a, b) => a - b)) {
    const id = await freeAddress(ctx, show_id, { day: dayText(romeDay(starts_at)), not: ids });
    ids.add(id);
    wanted.push({ id, columns: columnsOf({ ...form, ...timesAt(form, starts_at) }) });
  }
  const halls = await hallsFor(ctx, model, wanted);
  for (const [index, date] of wanted.entries())
    await insertDraft(ctx, {
      ...date,
      show_id,
      like: model,
      hall: requireValue(halls[index], 'hall'),
      happening: { actor, action: 'event_created', detail: { like } },
    });
  if (wanted.length > 0)
    await transact(ctx.db, (trx) =>
      happened(ctx, trx, {
        actor,
        action: 'dates_made',
        subject: show_id,
        detail: { like, dates: wanted.map(({ id }) => id) },
      }),
    );
  return { made: wanted.map(({ id }) => id), show: await showForOffice(ctx, show_id) };
}

/** An address that no event has and no other new date gets. */
async function freeAddress(
  ctx: Ctx,
  show_id: string,
  { day, not }: { day: string; not: ReadonlySet<string> },
): Promise<string> {
  for (let n = 1; ; n += 1) {
    const id = dateAddress(show_id, day, n);
    if (!not.has(id) && !(await findEvent(ctx.db, id))) return id;
  }
}

/** How many halls are made at the seat map at the same time. */
const atOnce = 4;

async function hallsFor(ctx: Ctx, model: EventRow, dates: readonly NewDate[]): Promise<Hall[]> {
  const chart_key = model.chart_key ?? (await chartOf(ctx, model.seatsio_event_key));
  const halls: Hall[] = [];
  for (let first = 0; first < dates.length; first += atOnce) {
    const some = dates.slice(first, first + atOnce);
    const { title, max_seats } = model;
    const tables = wholeTermsOf(model)?.tables;
    halls.push(
      ...(await Promise.all(
        some.map(({ id }) => makeHall(ctx, { id, title, max_seats, chart_key, tables })),
      )),
    );
  }
  return halls;
}
