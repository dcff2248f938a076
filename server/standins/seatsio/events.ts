/** Events: made, read, changed, deleted, listed. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { findChart, findEvent, loadEvent, loadRow, planOf } from './catalog.ts';
import { rawCategories } from './charts.ts';
import { makeChannels, newChannel } from './channels.ts';
import { transact } from './context.ts';
import { ApiError, badRequest } from './errors.ts';
import { readPage } from './paging.ts';
import { keyRoute, readJson } from './router.ts';
import type { EventRow } from './catalog.ts';
import type { Seatsio, Workspace } from './context.ts';
import type { Route } from './router.ts';

const categoryKey = v.union([v.string(), v.number()]);
export const labels = v.array(v.string());
export const areaPlaces = v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0)));
const forSaleConfig = v.object({
  forSale: v.boolean(), objects: v.nullish(labels, []), areaPlaces: v.nullish(areaPlaces, {}),
  categories: v.nullish(v.pipe(v.array(categoryKey), v.transform((keys) => keys.map(String))), []),
});
const tableBookingConfig = v.object({
  mode: v.picklist(['INHERIT', 'ALL_BY_TABLE', 'ALL_BY_SEAT', 'CUSTOM']),
  tables: v.optional(v.record(v.string(), v.picklist(['BY_TABLE', 'BY_SEAT']))),
});
const category = v.object({ key: categoryKey, label: v.string(), color: v.string(), accessible: v.nullish(v.boolean(), false) });
const isoDate = v.pipe(v.string(), v.isoDate());

const changeable = {
  eventKey: v.nullish(v.pipe(v.string(), v.nonEmpty(), v.maxLength(500))),
  name: v.nullish(v.string()),
  date: v.nullish(isoDate),
  tableBookingConfig: v.nullish(tableBookingConfig),
  objectCategories: v.nullish(v.record(v.string(), categoryKey)),
  categories: v.nullish(v.array(category)),
};
const newEvent = v.object({ ...changeable, channels: v.nullish(v.array(newChannel)), forSaleConfig: v.nullish(forSaleConfig) });
type NewEvent = v.InferOutput<typeof newEvent>;
const createBody = v.object({ chartKey: v.string(), ...newEvent.entries });
const createMultipleBody = v.object({
  chartKey: v.string(), events: v.pipe(v.array(newEvent), v.minLength(1, 'expected minimum item count: 1, found: 0'), v.maxLength(1000)),
});
const updateBody = v.object({ ...changeable, isInThePast: v.optional(v.boolean()), forSalePropagated: v.optional(v.boolean()) });

/** Event as the API shows it; seasons will add their own fields. */
export function describeEvent(ctx: Seatsio, row: EventRow) {
  const event = loadRow(ctx, row);
  return {
    id: row.id, key: row.key, chartKey: event.chart.key, name: row.name ?? undefined, date: row.date ?? undefined,
    tableBookingConfig: event.plan.tables, supportsBestAvailable: event.plan.hasFocalPoint,
    forSaleConfig: event.forSaleConfig, channels: event.channels.length > 0 ? event.channels : undefined,
    categories: [
      ...rawCategories(ctx, event.chart), ...event.categories.slice(event.plan.categories.length),
    ], objectCategories: event.objectCategories ?? undefined,
    createdOn: new Date(row.created_at).toISOString(), updatedOn: row.updated_at === null ? null : new Date(row.updated_at).toISOString(),
    isInThePast: row.is_in_the_past === 1,
    isSeason: false, isTopLevelSeason: false, isPartialSeason: false, isEventInSeason: false,
  };
}

/** An empty list or record is kept as none. */
function textOrNull(value: object | null | undefined): string | null {
  return value && Object.keys(value).length > 0 ? JSON.stringify(value) : null;
}

function checkKeyIsFree(ctx: Seatsio, workspace: Workspace, key: string): void {
  if (ctx.sql.one('SELECT 1 FROM seatsio_events WHERE workspace_id = ? AND key = ?', workspace.id, key)) throw new ApiError(
    400, 'EVENT_KEY_ALREADY_EXISTS', { message: `An event with key ${key} already exists in workspace ${workspace.key}` },
  );
}

function createEvent(ctx: Seatsio, workspace: Workspace, { chartKey, ask }: { chartKey: string; ask: NewEvent }): EventRow {
  const chart = findChart(ctx, workspace, chartKey);
  const key = ask.eventKey ?? randomUUID();
  checkKeyIsFree(ctx, workspace, key);
  const tables = ask.tableBookingConfig ?? { mode: 'INHERIT' };
  checkCategories({ known: planOf(ctx, { id: chart.id, version: chart.published_version }, tables).categories, ask });
  ctx.sql.run(
    `INSERT INTO seatsio_events (workspace_id, key, chart_id, name, date, table_booking_config, object_categories, categories, channels, for_sale_config, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspace.id, key, chart.id, ask.name ?? null, ask.date ?? null, JSON.stringify(tables), textOrNull(ask.objectCategories), textOrNull(ask.categories),
    JSON.stringify(makeChannels(ask.channels ?? [])), ask.forSaleConfig ? JSON.stringify(ask.forSaleConfig) : null, ctx.now(),
  );
  return findEvent(ctx, workspace, key);
}

function checkCategories({ known, ask }: { known: { key: string | number }[]; ask: Pick<NewEvent, 'categories' | 'objectCategories'> }): void {
  const keys = new Set([...known, ...(ask.categories ?? [])].map(({ key }) => String(key)));
  const unknown = Object.values(ask.objectCategories ?? {}).find((key) => !keys.has(String(key)));
  if (unknown !== undefined) throw new ApiError(400, 'CATEGORY_NOT_FOUND', { message: `Category not found: ${unknown}` });
}

function updateEvent(ctx: Seatsio, workspace: Workspace, { key, ask }: { key: string; ask: v.InferOutput<typeof updateBody> }): void {
  const { row, plan, categories } = loadEvent(ctx, workspace, key);
  const newKey = ask.eventKey ?? row.key;
  if (newKey !== row.key) checkKeyIsFree(ctx, workspace, newKey);
  checkCategories({ known: ask.categories === undefined ? categories : plan.categories, ask });
  const kept = <T>(asked: T | undefined, before: string | null, write: (value: T) => string | null) => (asked === undefined ? before : write(asked));
  transact(ctx, (tell) => {
    ctx.sql.run(
      `UPDATE seatsio_events SET key = ?, name = ?, date = ?, table_booking_config = ?, object_categories = ?, categories = ?, is_in_the_past = ?, updated_at = ?
       WHERE id = ?`,
      newKey, ask.name === undefined ? row.name : ask.name, ask.date === undefined ? row.date : ask.date,
      ask.tableBookingConfig ? JSON.stringify(ask.tableBookingConfig) : row.table_booking_config, kept(ask.objectCategories, row.object_categories, textOrNull),
      kept(ask.categories, row.categories, textOrNull), ask.isInThePast === undefined ? row.is_in_the_past : Number(ask.isInThePast), ctx.now(), row.id,
    );
    if (ask.tableBookingConfig || ask.objectCategories !== undefined || ask.categories !== undefined || ask.isInThePast !== undefined) tell(row.id, null);
  });
}

export const eventRoutes: Route[] = [
  /** {chartKey, eventKey?, name?, date?, tableBookingConfig?, objectCategories?, categories?, channels?, forSaleConfig?} -> Event */
  keyRoute('POST', '/events', (ctx, call, workspace) => {
    const { chartKey, ...ask } = readJson(call, createBody);
    return describeEvent(ctx, transact(ctx, () => createEvent(ctx, workspace, { chartKey, ask })));
  }),
  /** {chartKey, events:[the same without chartKey]} -> {events}; all or none */
  keyRoute('POST', '/events/actions/create-multiple', (ctx, call, workspace) => {
    const { chartKey, events } = readJson(call, createMultipleBody);
    const rows = transact(ctx, () => events.map((ask) => createEvent(ctx, workspace, { chartKey, ask })));
    return { events: rows.map((row) => describeEvent(ctx, row)) };
  }),
  /** -> page of Event, newest first */
  keyRoute('GET', '/events', (ctx, call, workspace) => {
    const page = readPage<EventRow>(ctx.sql, call.query, { select: 'SELECT * FROM seatsio_events', where: 'workspace_id = ?', values: [workspace.id] });
    return { ...page, items: page.items.map((row) => describeEvent(ctx, row)) };
  }),
  keyRoute('GET', '/events/:event', (ctx, call, workspace) => describeEvent(ctx, findEvent(ctx, workspace, call.params.event!))),
  /** Only what is named changes; the chart cannot. */
  keyRoute('POST', '/events/:event', (ctx, call, workspace) => {
    const ask = readJson(call, updateBody);
    if (ask.eventKey === null) throw badRequest('#/eventKey: expected type: String, found: Null');
    updateEvent(ctx, workspace, { key: call.params.event!, ask });
    return undefined;
  }),
  keyRoute('DELETE', '/events/:event', (ctx, call, workspace) => {
    const { id } = findEvent(ctx, workspace, call.params.event!);
    transact(ctx, () => ctx.sql.run('DELETE FROM seatsio_events WHERE id = ?', id));
    return undefined;
  }),
];
