/** The API's calls that make, show, change, list and delete events and seasons. */
import * as v from 'valibot';
import {
  pageOfEvents,
  removeEvent,
  setMostHeld,
  setOnlyAdmitted,
} from '#server/standins/seatsio/statements/events.ts';
import { admitTokenTo } from '#server/standins/seatsio/statements/hold-tokens.ts';
import { findLiveToken } from '#server/standins/seatsio/status/hold-tokens.ts';
import { findEvent, loadRow } from '#server/standins/seatsio/catalog/catalog.ts';
import { describeEvent, describeFully } from '#server/standins/seatsio/catalog/describe-event.ts';
import { badRequest } from '#server/standins/seatsio/errors.ts';
import {
  createBody,
  createMultipleBody,
  createOnChart,
  moveToChartCopy,
  tellDependents,
  updateBody,
  updateEvent,
} from './event-writes.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import type { Route } from '#server/standins/seatsio/router.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

const limitBody = v.object({
  places: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
});

export const eventRoutes: Route[] = [
  /**
   * {chartKey, eventKey?, name?, date?, tableBookingConfig?, objectCategories?, categories?,
   * channels?, forSaleConfig?} -> Event
   */
  keyRoute('POST', '/events', async (ctx, call, workspace) => {
    const { chartKey, ...ask } = readJson(call, createBody);
    const made = await createOnChart(ctx, workspace, { chartKey, asks: [ask] });
    return describeEvent(ctx, entryAt(made, 0));
  }),
  /** {chartKey, events:[the same without chartKey]} -> {events}; all or none */
  keyRoute('POST', '/events/actions/create-multiple', async (ctx, call, workspace) => {
    const { chartKey, events } = readJson(call, createMultipleBody);
    const rows = await createOnChart(ctx, workspace, { chartKey, asks: events });
    return { events: await Array.fromAsync(rows, (row) => describeEvent(ctx, row)) };
  }),
  /** -> page of Event and Season, newest first */
  keyRoute('GET', '/events', async (ctx, call, workspace) => {
    const page = await pageOfEvents(ctx.sql, call.query, workspace.id);
    return { ...page, items: await Array.fromAsync(page.items, (row) => describeEvent(ctx, row)) };
  }),
  keyRoute('GET', '/events/:event', async (ctx, call, workspace) =>
    describeFully(ctx, await findEvent(ctx, workspace, call.params.event)),
  ),
  /** Changes only the named fields; the chart cannot change. */
  keyRoute('POST', '/events/:event', async (ctx, call, workspace) => {
    const ask = readJson(call, updateBody);
    await updateEvent(ctx, workspace, {
      row: await findEvent(ctx, workspace, call.params.event),
      ask,
    });
    return undefined;
  }),
  /** -> Event, which now has its own copy of the chart; a season moves with all its members */
  keyRoute(
    'POST',
    '/events/:event/actions/move-to-new-chart-copy',
    async (ctx, call, workspace) => {
      const row = await findEvent(ctx, workspace, call.params.event);
      if (row.season_id !== null)
        throw badRequest(`${row.key} belongs to a season, which has one chart for all its events`);
      await moveToChartCopy(ctx, workspace, { row });
      return describeFully(ctx, await findEvent(ctx, workspace, row.key));
    },
  ),
  /**
   * {places: 1…100, or null for the usual number} -> 204. Ours: how many places of this event one
   * hold token may hold with calls without a key.
   */
  keyRoute('POST', '/events/:event/actions/limit-holds', async (ctx, call, workspace) => {
    const { places } = readJson(call, limitBody);
    const row = await findEvent(ctx, workspace, call.params.event);
    await setMostHeld(ctx.sql, row.id, places);
    return undefined;
  }),
  /** {required} -> 204. Ours: if true, calls without a key can hold only with admitted tokens. */
  keyRoute('POST', '/events/:event/actions/require-admission', async (ctx, call, workspace) => {
    const { required } = readJson(call, v.object({ required: v.boolean() }));
    const row = await findEvent(ctx, workspace, call.params.event);
    await setOnlyAdmitted(ctx.sql, row.id, required);
    return undefined;
  }),
  /** {holdToken} -> 204. Ours: admits the token to this event; its earlier admission ends. */
  keyRoute('POST', '/events/:event/actions/admit', async (ctx, call, workspace) => {
    const { holdToken } = readJson(call, v.object({ holdToken: v.string() }));
    const row = await findEvent(ctx, workspace, call.params.event);
    await findLiveToken(ctx, workspace, { token: holdToken, status: 400 });
    await admitTokenTo(ctx.sql, holdToken, row.id);
    return undefined;
  }),
  /** A top-level season is deleted with all its members, a partial season alone. */
  keyRoute('DELETE', '/events/:event', async (ctx, call, workspace) => {
    const row = await findEvent(ctx, workspace, call.params.event);
    tellDependents(ctx, await loadRow(ctx, row));
    await removeEvent(ctx.sql, row.id);
    return undefined;
  }),
];
