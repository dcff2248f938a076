/** Seasons: events that are sold together, whole or in part. */
import * as v from 'valibot';
import { findChart, findEvent, loadRow, NEW_REVISION } from './catalog.ts';
import { newChannel } from './channels.ts';
import { transact } from '#server/standins/seatsio/context.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import {
  createEvent,
  eventCount,
  eventKey,
  eventKeys,
  newEvent,
  tellFamily,
} from './event-writes.ts';
import { describeEvent, describeFully } from './events.ts';
import { forSaleConfig } from './for-sale-routes.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { findDoubleBooking } from './season-check.ts';
import type { EventRow } from './catalog.ts';
import type { Seatsio, Workspace } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

const { name, tableBookingConfig, objectCategories, categories } = newEvent.entries;
const which = { numberOfEvents: v.nullish(eventCount), eventKeys: v.nullish(eventKeys) };
const seasonBody = v.object({
  chartKey: v.string(),
  key: v.nullish(eventKey),
  name,
  tableBookingConfig,
  objectCategories,
  categories,
  channels: v.nullish(v.array(newChannel)),
  forSaleConfig: v.nullish(forSaleConfig),
  forSalePropagated: v.nullish(v.boolean()),
  ...which,
});
const eventsBody = v.object(which);
const partialBody = v.object({ key: v.nullish(eventKey), name, eventKeys: v.nullish(eventKeys) });
const addBody = v.object({
  eventKeys: v.pipe(eventKeys, v.minLength(1, 'expected minimum item count: 1, found: 0')),
});

/** @throws ApiError 404 EVENT_NOT_FOUND; 400 when it is no season of that kind */
function findSeason(
  ctx: Seatsio,
  workspace: Workspace,
  { key, kind }: { key: string; kind: 'season' | 'partial' },
): EventRow {
  const row = findEvent(ctx, workspace, key);
  if (row.kind !== kind)
    throw badRequest(`${key} is not a ${kind === 'season' ? 'top-level' : 'partial'} season`);
  return row;
}

function findPartial(
  ctx: Seatsio,
  workspace: Workspace,
  { season, key }: { season: EventRow; key: string },
): EventRow {
  const row = findSeason(ctx, workspace, { key, kind: 'partial' });
  if (row.season_id !== season.id)
    throw badRequest(`${key} is not a partial season of ${season.key}`);
  return row;
}

function keysOf({
  numberOfEvents,
  eventKeys: keys,
}: v.InferOutput<typeof eventsBody>): (string | undefined)[] {
  if (typeof numberOfEvents === 'number' && keys)
    throw badRequest('#: either numberOfEvents or eventKeys, not both');
  return keys ?? Array.from({ length: numberOfEvents ?? 0 }, () => undefined);
}

/** What a season says about its tables and categories holds for everything in it. */
function inherited(season: EventRow) {
  const read = (text: string | null) => (text === null ? undefined : (JSON.parse(text) as unknown));
  return {
    tableBookingConfig: read(season.table_booking_config),
    objectCategories: read(season.object_categories),
    categories: read(season.categories),
  } as Pick<
    v.InferOutput<typeof newEvent>,
    'tableBookingConfig' | 'objectCategories' | 'categories'
  >;
}

function createInSeason(
  ctx: Seatsio,
  workspace: Workspace,
  {
    season,
    key,
    kind,
    ...more
  }: {
    season: EventRow;
    key: string | null | undefined;
    kind: 'event' | 'partial';
    name?: string | null;
  },
): EventRow {
  const chart = loadRow(ctx, season).chart;
  return createEvent(ctx, workspace, {
    chart,
    ask: { ...more, eventKey: key, ...inherited(season) },
    standing: { kind, seasonId: season.id },
  });
}

function touch(ctx: Seatsio, season: EventRow): void {
  ctx.sql.run(
    `UPDATE seatsio_events SET revision = ${NEW_REVISION}, updated_at = ? WHERE id = ?`,
    ctx.now(),
    season.id,
  );
}

/** @throws ApiError 404 for an unknown event; 400 when it is not in the season, or when a place would be sold twice */
function addToPartial(
  ctx: Seatsio,
  workspace: Workspace,
  { season, partial, keys }: { season: EventRow; partial: EventRow; keys: string[] },
): void {
  for (const key of keys) {
    const event = findEvent(ctx, workspace, key);
    if (event.kind !== 'event' || event.season_id !== season.id)
      throw badRequest(`#/eventKeys: ${key} is not an event of season ${season.key}`);
    ctx.sql.run(
      'INSERT OR IGNORE INTO seatsio_season_events (partial_id, event_id) VALUES (?, ?)',
      partial.id,
      event.id,
    );
    const twice = findDoubleBooking(ctx, loadRow(ctx, event));
    if (twice !== null)
      throw new ApiError(400, 'ILLEGAL_STATUS_CHANGE', {
        message: `${key} cannot be added to ${partial.key}: ${twice} is taken in both`,
        data: { object: twice, event: key },
      });
  }
}

export const seasonRoutes: Route[] = [
  /** {chartKey, key?, name?, numberOfEvents? or eventKeys?, tableBookingConfig?, objectCategories?, categories?, channels?, forSaleConfig?, forSalePropagated?} -> Season */
  keyRoute('POST', '/seasons', (ctx, call, workspace) => {
    const {
      chartKey,
      key,
      numberOfEvents,
      eventKeys: named,
      forSalePropagated,
      ...ask
    } = readJson(call, seasonBody);
    const keys = keysOf({ numberOfEvents, eventKeys: named });
    return describeFully(
      ctx,
      transact(ctx, () => {
        const chart = findChart(ctx, workspace, chartKey);
        const season = createEvent(ctx, workspace, {
          chart,
          ask: { ...ask, eventKey: key },
          standing: {
            kind: 'season',
            seasonId: null,
            forSalePropagated: forSalePropagated ?? true,
          },
        });
        for (const one of keys) createInSeason(ctx, workspace, { season, key: one, kind: 'event' });
        return season;
      }),
    );
  }),
  /** {numberOfEvents} or {eventKeys} -> {events}, the last one first */
  keyRoute('POST', '/seasons/:season/actions/create-events', (ctx, call, workspace) => {
    const keys = keysOf(readJson(call, eventsBody));
    if (keys.length === 0)
      throw badRequest('#: required key [numberOfEvents] or [eventKeys] not found');
    const rows = transact(ctx, (tell) => {
      const season = findSeason(ctx, workspace, { key: call.params.season!, kind: 'season' });
      touch(ctx, season);
      const made = keys.map((key) =>
        createInSeason(ctx, workspace, { season, key, kind: 'event' }),
      );
      tellFamily(loadRow(ctx, season), tell);
      return made;
    });
    return { events: rows.reverse().map((row) => describeEvent(ctx, row)) };
  }),
  /** {key?, name?, eventKeys?} -> Season */
  keyRoute('POST', '/seasons/:season/partial-seasons', (ctx, call, workspace) => {
    const { key, name: called, eventKeys: keys } = readJson(call, partialBody);
    return describeFully(
      ctx,
      transact(ctx, () => {
        const season = findSeason(ctx, workspace, { key: call.params.season!, kind: 'season' });
        const partial = createInSeason(ctx, workspace, {
          season,
          key,
          kind: 'partial',
          name: called,
        });
        addToPartial(ctx, workspace, { season, partial, keys: keys ?? [] });
        return partial;
      }),
    );
  }),
  /** {eventKeys} of the top-level season -> Season */
  keyRoute(
    'POST',
    '/seasons/:season/partial-seasons/:partial/actions/add-events',
    (ctx, call, workspace) => {
      const { eventKeys: keys } = readJson(call, addBody);
      return describeFully(
        ctx,
        transact(ctx, (tell) => {
          const season = findSeason(ctx, workspace, { key: call.params.season!, kind: 'season' });
          const partial = findPartial(ctx, workspace, { season, key: call.params.partial! });
          addToPartial(ctx, workspace, { season, partial, keys });
          touch(ctx, partial);
          tellFamily(loadRow(ctx, partial), tell);
          return findEvent(ctx, workspace, partial.key);
        }),
      );
    },
  ),
  /** -> Season; the event stays in the top-level season */
  keyRoute(
    'DELETE',
    '/seasons/:season/partial-seasons/:partial/events/:event',
    (ctx, call, workspace) =>
      describeFully(
        ctx,
        transact(ctx, (tell) => {
          const season = findSeason(ctx, workspace, { key: call.params.season!, kind: 'season' });
          const partial = findPartial(ctx, workspace, { season, key: call.params.partial! });
          const event = findEvent(ctx, workspace, call.params.event!);
          tellFamily(loadRow(ctx, partial), tell);
          const { changes } = ctx.sql.run(
            'DELETE FROM seatsio_season_events WHERE partial_id = ? AND event_id = ?',
            partial.id,
            event.id,
          );
          if (changes === 0)
            throw badRequest(`${event.key} is not an event of partial season ${partial.key}`);
          ctx.sql.run(
            'DELETE FROM seatsio_overrides WHERE season_id = ? AND event_id = ?',
            partial.id,
            event.id,
          );
          touch(ctx, partial);
          return findEvent(ctx, workspace, partial.key);
        }),
      ),
  ),
];
