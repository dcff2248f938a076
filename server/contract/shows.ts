/**
 * Shows and their dates on the wire: the list, the fields that all dates share, and new dates by
 * a rule (RULES E1, E2).
 */
import * as v from 'valibot';
import { eventStatuses } from '#server/domain/event/event.ts';
import { longestSeriesDays } from '#server/domain/event/series.ts';
import {
  mostDates,
  mostNewDates,
  sharedFields,
  type SharedField,
} from '#server/domain/event/show.ts';
import { dayIn, endpoint, listAsk, pageOf, text, timeIn, timeOut } from './endpoint.ts';
import {
  askNamesBy,
  formIn,
  formOut,
  metTickets,
  savingShow,
  version,
  versionAsked,
} from './event-desk.ts';
import { adminEvent } from './events.ts';

const shared = sharedFields as [SharedField, ...SharedField[]];
const sharedIn = v.pick(formIn, shared);
export type ShowForm = v.InferOutput<typeof sharedIn>;

/**
 * `own_fields`: the fields that this date has set for itself. `needs_day`: a copy that still has
 * its original's day. `postponed_from`: the original start, if the date was moved.
 */
const date = v.object({
  id: v.string(),
  title: v.string(),
  starts_at: timeOut,
  status: v.picklist(eventStatuses),
  sales: adminEvent.entries.sales,
  counts: adminEvent.entries.counts,
  demo: v.boolean(),
  version: v.number(),
  own_fields: v.array(v.picklist(shared)),
  needs_day: v.boolean(),
  postponed_from: v.nullable(timeOut),
});

const show = {
  id: v.string(),
  title: v.string(),
  event_ball_image: v.nullable(v.string()),
  version: v.number(),
};

export const listShows = endpoint('GET', '/api/admin/shows/', {
  who: 'see_events',
  summary: 'Shows, the one with the next date first, each with its next dates',
  /** `q`: title, place, address. */
  query: v.object(listAsk),
  reply: v.object(
    pageOf(
      v.object({
        ...show,
        venue_title: v.string(),
        /** The next dates; if none is coming, the last one that is over. */
        dates: v.array(date),
        /** How many dates are coming, and how many are over. */
        coming: v.number(),
        past: v.number(),
      }),
    ),
  ),
});

const desk = v.object({
  ...show,
  form: v.pick(formOut, shared),
  updated_at: timeOut,
  /** All dates, the earliest first. */
  dates: v.array(date),
});

export const readShow = endpoint('GET', '/api/admin/shows/:showId', {
  who: 'see_events',
  refusals: ['show_not_found'],
  summary: 'One show with what its dates share, and all its dates',
  reply: desk,
});

/**
 * Dates that are over or cancelled do not change. `changes`: the fields that the date would take
 * over; `keeps`: fields that change in the show but are the date's own. `sold`: valid tickets,
 * which keep their terms. `buyers`: the buyers who would get a mail, because the place changes.
 */
export const previewShow = endpoint('POST', '/api/admin/shows/:showId/preview', {
  who: 'edit_events',
  limit: 'form',
  refusals: ['show_not_found', 'text_too_long', 'event_times_wrong'],
  summary: 'What saving this would change, date by date; nothing is stored',
  body: sharedIn,
  reply: v.object({
    fields: v.array(v.picklist(shared)),
    dates: v.array(
      v.object({
        id: v.string(),
        starts_at: timeOut,
        status: v.picklist(eventStatuses),
        version: v.number(),
        sold: v.number(),
        changes: v.array(v.picklist(shared)),
        keeps: v.array(v.picklist(shared)),
        buyers: v.number(),
      }),
    ),
    ...metTickets,
    /** Dates that are over or cancelled. */
    untouched: v.number(),
    buyers: v.number(),
  }),
});

/**
 * Changes all dates or none. Send the versions of the show and of all its dates, and the preview's
 * `buyers` as `tell_buyers`; if they differ by now, 409 show_changed or buyers_to_tell.
 */
export const changeShow = endpoint('PUT', '/api/admin/shows/:showId', {
  who: 'edit_events',
  limit: 'form',
  refusals: savingShow,
  summary: 'Change a show and all its dates to come',
  body: v.object({
    version,
    dates: v.pipe(v.array(v.object({ id: text(100, 1), version })), v.maxLength(mostDates)),
    tell_buyers: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
    ask_names_by: askNamesBy,
    form: sharedIn,
  }),
  reply: desk,
});

/** 409 show_has_dates while the show has dates in any state. */
export const deleteShow = endpoint('DELETE', '/api/admin/shows/:showId', {
  who: 'edit_events',
  refusals: ['show_not_found', 'show_changed', 'show_has_dates'],
  summary: 'Delete a show without dates',
  query: versionAsked,
});

/** Why a date of a series cannot be created. */
const obstacles = v.picklist(['past', 'exists']);

/**
 * `rules`: Monday is 1; times are local times of Rome, across summer time too. Days are from
 * `from` to `until` inclusive, without `except`. 422 too_many_dates above the limit of one call.
 */
export const previewDates = endpoint('POST', '/api/admin/shows/:showId/series', {
  who: 'edit_events',
  refusals: ['show_not_found', 'too_many_dates'],
  summary: 'The dates that a rule would make; nothing is stored',
  body: v.pipe(
    v.object({
      rules: v.pipe(
        v.array(
          v.object({
            weekdays: v.pipe(
              v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))),
              v.minLength(1),
              v.maxLength(7),
            ),
            time: v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
          }),
        ),
        v.minLength(1),
        v.maxLength(10),
      ),
      from: dayIn,
      until: dayIn,
      except: v.optional(v.pipe(v.array(dayIn), v.maxLength(longestSeriesDays)), []),
    }),
    v.check(({ from, until }) => from <= until, 'from before until'),
  ),
  reply: v.object({
    items: v.array(v.object({ starts_at: timeOut, obstacle: v.nullable(obstacles) })),
    most: v.number(),
  }),
});

/**
 * Creates drafts that take everything from the show. They have the chart of the date `like`, and
 * doors, end and other times as far from the start as its own. Starts that the show has already
 * are left out.
 */
export const makeDates = endpoint('POST', '/api/admin/shows/:showId/dates', {
  who: 'edit_events',
  work: 'new_dates',
  limit: 'form',
  refusals: [
    'show_not_found',
    'event_not_found',
    'too_many_dates',
    'older_process_runs',
    'event_times_wrong',
    'chart_not_found',
    'seat_event_not_found',
    'seat_event_taken',
    'slug_taken',
    'object_unknown',
    'category_unknown',
    'image_unknown',
    'text_too_long',
    'provider_silent',
  ],
  summary: 'Make dates of a show',
  body: v.object({
    like: text(100, 1),
    starts: v.pipe(v.array(timeIn), v.minLength(1), v.maxLength(mostNewDates)),
  }),
  reply: v.object({ made: v.array(v.string()), show: desk }),
});
