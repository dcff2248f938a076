/** Events and seasons: shown, made, changed, deleted, listed. */
import { findEvent, loadRow } from './catalog.ts';
import { transact } from '#server/standins/seatsio/context.ts';
import { badRequest } from '#server/standins/seatsio/errors.ts';
import {
  createBody,
  createMultipleBody,
  createOnChart,
  moveToChartCopy,
  tellFamily,
  updateBody,
  updateEvent,
} from './event-writes.ts';
import { readPage } from '#server/standins/seatsio/paging.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { eventsOf } from './season-view.ts';
import type { EventRow } from './catalog.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';
import type { Family } from './season-view.ts';

/** Event as the API shows it in lists; a season alone shows what is in it. */
export function describeEvent(ctx: Seatsio, row: EventRow) {
  const event = loadRow(ctx, row);
  const { family } = event;
  return {
    id: row.id,
    key: row.key,
    chartKey: event.chart.key,
    name: row.name ?? undefined,
    date: row.date ?? undefined,
    tableBookingConfig: event.plan.tables,
    supportsBestAvailable: event.plan.hasFocalPoint,
    forSaleConfig: event.forSaleConfig,
    channels: event.channels.length > 0 ? event.channels : undefined,
    categories: [
      ...event.plan.drawing.drawnCategories,
      ...event.categories.slice(event.plan.categories.length),
    ],
    objectCategories: event.objectCategories ?? undefined,
    createdOn: new Date(row.created_at).toISOString(),
    updatedOn: row.updated_at === null ? null : new Date(row.updated_at).toISOString(),
    isInThePast: row.is_in_the_past === 1,
    isSeason: row.kind !== 'event',
    isTopLevelSeason: row.kind === 'season',
    isPartialSeason: row.kind === 'partial',
    isEventInSeason: row.kind === 'event' && family !== null,
    ...(family && row.kind !== 'season' ? { topLevelSeasonKey: keysOf(ctx, [family.top])[0] } : {}),
    ...(family && row.kind === 'event'
      ? { partialSeasonKeysForEvent: keysOf(ctx, family.partialsOf.get(row.id) ?? []) }
      : {}),
    ...(row.kind === 'season' ? { forSalePropagated: row.for_sale_propagated === 1 } : {}),
  };
}

/** Event, or Season with its events and, for a whole season, the keys of its partial seasons. */
export function describeFully(ctx: Seatsio, row: EventRow) {
  const event = describeEvent(ctx, row);
  const { family } = loadRow(ctx, row);
  return family && row.kind !== 'event' ? { ...event, ...describeMembers(ctx, family) } : event;
}

function describeMembers(ctx: Seatsio, family: Family) {
  const events = eventsOf(family, family.self.id).map(({ id }) =>
    describeEvent(ctx, ctx.sql.one<EventRow>('SELECT * FROM seatsio_events WHERE id = ?', id)!),
  );
  return {
    events,
    ...(family.self.kind === 'season'
      ? {
          partialSeasonKeys: keysOf(
            ctx,
            family.partials.map(({ id }) => id),
          ),
        }
      : {}),
  };
}

function keysOf(ctx: Seatsio, ids: number[]): string[] {
  return ids.map(
    (id) => ctx.sql.one<{ key: string }>('SELECT key FROM seatsio_events WHERE id = ?', id)!.key,
  );
}

export const eventRoutes: Route[] = [
  /** {chartKey, eventKey?, name?, date?, tableBookingConfig?, objectCategories?, categories?, channels?, forSaleConfig?} -> Event */
  keyRoute('POST', '/events', (ctx, call, workspace) => {
    const { chartKey, ...ask } = readJson(call, createBody);
    return describeEvent(
      ctx,
      transact(ctx, () => createOnChart(ctx, workspace, { chartKey, asks: [ask] }))[0]!,
    );
  }),
  /** {chartKey, events:[the same without chartKey]} -> {events}; all or none */
  keyRoute('POST', '/events/actions/create-multiple', (ctx, call, workspace) => {
    const { chartKey, events } = readJson(call, createMultipleBody);
    const rows = transact(ctx, () => createOnChart(ctx, workspace, { chartKey, asks: events }));
    return { events: rows.map((row) => describeEvent(ctx, row)) };
  }),
  /** -> page of Event and Season, newest first */
  keyRoute('GET', '/events', (ctx, call, workspace) => {
    const page = readPage<EventRow>(ctx.sql, call.query, {
      select: 'SELECT * FROM seatsio_events',
      where: 'workspace_id = ?',
      values: [workspace.id],
    });
    return { ...page, items: page.items.map((row) => describeEvent(ctx, row)) };
  }),
  keyRoute('GET', '/events/:event', (ctx, call, workspace) =>
    describeFully(ctx, findEvent(ctx, workspace, call.params.event!)),
  ),
  /** Only what is named changes; the chart cannot. */
  keyRoute('POST', '/events/:event', (ctx, call, workspace) => {
    const ask = readJson(call, updateBody);
    transact(ctx, (tell) =>
      updateEvent(ctx, workspace, {
        row: findEvent(ctx, workspace, call.params.event!),
        ask,
        tell,
      }),
    );
    return undefined;
  }),
  /** -> Event, on a chart of its own from now on; a season moves with everything in it */
  keyRoute('POST', '/events/:event/actions/move-to-new-chart-copy', (ctx, call, workspace) =>
    describeFully(
      ctx,
      transact(ctx, (tell) => {
        const row = findEvent(ctx, workspace, call.params.event!);
        if (row.season_id !== null)
          throw badRequest(
            `${row.key} belongs to a season, which has one chart for all its events`,
          );
        moveToChartCopy(ctx, workspace, { row, tell });
        return findEvent(ctx, workspace, row.key);
      }),
    ),
  ),
  /** A whole season goes with everything in it, a partial season alone. */
  keyRoute('DELETE', '/events/:event', (ctx, call, workspace) => {
    transact(ctx, (tell) => {
      const row = findEvent(ctx, workspace, call.params.event!);
      tellFamily(loadRow(ctx, row), tell);
      ctx.sql.run('DELETE FROM seatsio_events WHERE id = ?', row.id);
    });
    return undefined;
  }),
];
