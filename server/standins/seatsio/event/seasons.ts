/** Seasons: events that are sold together, whole or in part. */
import { touchEvent, type EventRow } from '#server/standins/seatsio/statements/events.ts';
import { addMember, removeMember } from '#server/standins/seatsio/statements/seasons.ts';
import * as v from 'valibot';
import { findChart, findEvent, loadRow } from '#server/standins/seatsio/catalog/catalog.ts';
import { newChannel } from './channels.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import {
  createEvent,
  eventCount,
  eventKey,
  eventKeys,
  newEvent,
  tellDependents,
} from './event-writes.ts';
import { describeEvent, describeFully } from '#server/standins/seatsio/catalog/describe-event.ts';
import { forSaleConfig } from './for-sale-routes.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { findDoubleBooking } from './season-check.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
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

/** @throws ApiError 404 EVENT_NOT_FOUND; 400 when it is not a season of that kind */
async function findSeason(
  ctx: Seatsio,
  workspace: Workspace,
  { key, kind }: { key: string; kind: 'season' | 'partial' },
): Promise<EventRow> {
  const row = await findEvent(ctx, workspace, key);
  if (row.kind !== kind)
    throw badRequest(`${key} is not a ${kind === 'season' ? 'top-level' : 'partial'} season`);
  return row;
}

async function findPartial(
  ctx: Seatsio,
  workspace: Workspace,
  { season, key }: { season: EventRow; key: string },
): Promise<EventRow> {
  const row = await findSeason(ctx, workspace, { key, kind: 'partial' });
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

/** A season's tables and categories apply to all its members. */
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

async function createInSeason(
  ctx: Writing,
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
): Promise<EventRow> {
  const chart = (await loadRow(ctx, season)).chart;
  return createEvent(ctx, workspace, {
    chart,
    ask: { ...more, eventKey: key, ...inherited(season) },
    standing: { kind, seasonId: season.id },
  });
}

/**
 * @throws ApiError 404 for an unknown event; 400 when it is not in the season, or when a place
 * would be sold twice
 */
async function addToPartial(
  ctx: Writing,
  workspace: Workspace,
  { season, partial, keys }: { season: EventRow; partial: EventRow; keys: string[] },
): Promise<void> {
  for (const key of keys) {
    const event = await findEvent(ctx, workspace, key);
    if (event.kind !== 'event' || event.season_id !== season.id)
      throw badRequest(`#/eventKeys: ${key} is not an event of season ${season.key}`);
    await addMember(ctx.sql, partial.id, event.id);
    const twice = await findDoubleBooking(ctx, await loadRow(ctx, event));
    if (twice !== null)
      throw new ApiError(400, 'ILLEGAL_STATUS_CHANGE', {
        message: `${key} cannot be added to ${partial.key}: ${twice} is taken in both`,
      });
  }
}

export const seasonRoutes: Route[] = [
  /**
   * {chartKey, key?, name?, numberOfEvents? or eventKeys?, tableBookingConfig?,
   * objectCategories?, categories?, channels?, forSaleConfig?, forSalePropagated?} -> Season
   */
  keyRoute('POST', '/seasons', async (ctx, call, workspace) => {
    const {
      chartKey,
      key,
      numberOfEvents,
      eventKeys: named,
      forSalePropagated,
      ...ask
    } = readJson(call, seasonBody);
    const keys = keysOf({ numberOfEvents, eventKeys: named });
    const chart = await findChart(ctx, workspace, chartKey);
    const season = await createEvent(ctx, workspace, {
      chart,
      ask: { ...ask, eventKey: key },
      standing: {
        kind: 'season',
        seasonId: null,
        forSalePropagated: forSalePropagated ?? true,
      },
    });
    for (const one of keys)
      await createInSeason(ctx, workspace, { season, key: one, kind: 'event' });
    return describeFully(ctx, season);
  }),
  /** {numberOfEvents} or {eventKeys} -> {events}, the last one first */
  keyRoute('POST', '/seasons/:season/actions/create-events', async (ctx, call, workspace) => {
    const keys = keysOf(readJson(call, eventsBody));
    if (keys.length === 0)
      throw badRequest('#: required key [numberOfEvents] or [eventKeys] not found');
    const season = await findSeason(ctx, workspace, { key: call.params.season, kind: 'season' });
    await touchEvent(ctx.sql, season.id, ctx.now());
    const rows = await Array.fromAsync(keys, (key) =>
      createInSeason(ctx, workspace, { season, key, kind: 'event' }),
    );
    tellDependents(ctx, await loadRow(ctx, season));
    return { events: await Array.fromAsync(rows.reverse(), (row) => describeEvent(ctx, row)) };
  }),
  /** {key?, name?, eventKeys?} -> Season */
  keyRoute('POST', '/seasons/:season/partial-seasons', async (ctx, call, workspace) => {
    const { key, name: called, eventKeys: keys } = readJson(call, partialBody);
    const season = await findSeason(ctx, workspace, { key: call.params.season, kind: 'season' });
    const partial = await createInSeason(ctx, workspace, {
      season,
      key,
      kind: 'partial',
      name: called,
    });
    await addToPartial(ctx, workspace, { season, partial, keys: keys ?? [] });
    return describeFully(ctx, partial);
  }),
  /** {eventKeys}, events of the top-level season -> Season */
  keyRoute(
    'POST',
    '/seasons/:season/partial-seasons/:partial/actions/add-events',
    async (ctx, call, workspace) => {
      const { eventKeys: keys } = readJson(call, addBody);
      const season = await findSeason(ctx, workspace, { key: call.params.season, kind: 'season' });
      const partial = await findPartial(ctx, workspace, { season, key: call.params.partial });
      await addToPartial(ctx, workspace, { season, partial, keys });
      await touchEvent(ctx.sql, partial.id, ctx.now());
      tellDependents(ctx, await loadRow(ctx, partial));
      return describeFully(ctx, await findEvent(ctx, workspace, partial.key));
    },
  ),
  /** -> Season; the event stays in the top-level season */
  keyRoute(
    'DELETE',
    '/seasons/:season/partial-seasons/:partial/events/:event',
    async (ctx, call, workspace) => {
      const season = await findSeason(ctx, workspace, { key: call.params.season, kind: 'season' });
      const partial = await findPartial(ctx, workspace, { season, key: call.params.partial });
      const event = await findEvent(ctx, workspace, call.params.event);
      tellDependents(ctx, await loadRow(ctx, partial));
      if (!(await removeMember(ctx.sql, partial.id, event.id)))
        throw badRequest(`${event.key} is not an event of partial season ${partial.key}`);
      await touchEvent(ctx.sql, partial.id, ctx.now());
      return describeFully(ctx, await findEvent(ctx, workspace, partial.key));
    },
  ),
];
