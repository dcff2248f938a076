/** Makes and changes events and seasons: the accepted bodies, and the rows that store them. */
import {
  addEvent,
  hotByKey,
  setChart,
  updateOwn,
  updateShared,
  type EventRow,
} from '#server/standins/seatsio/statements/events.ts';
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { findChart, findEvent, loadRow, planOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { makeChannels, newChannel } from './channels.ts';
import { copyChart } from '#server/standins/seatsio/chart/chart-store.ts';
import { refuseInvalidChart } from '#server/standins/seatsio/chart/chart-validation.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { writeLog } from '#server/standins/seatsio/company/event-log.ts';
import { forSaleConfig } from './for-sale-routes.ts';
import { findDoubleBooking } from './season-check.ts';
import { dependentsOf } from '#server/standins/seatsio/catalog/season-view.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { TableBooking } from '#server/standins/seatsio/plan/plan.ts';

const MOST_EVENTS = 1000;
const MOST_NAMES = 500;
const categoryKey = v.union([v.string(), v.number()]);
const tableBookingConfig = v.pipe(
  v.object({
    mode: v.picklist(['INHERIT', 'ALL_BY_TABLE', 'ALL_BY_SEAT', 'CUSTOM']),
    tables: v.nullish(v.record(v.string(), v.picklist(['BY_TABLE', 'BY_SEAT']))),
  }),
  v.transform(({ mode, tables }): TableBooking => (tables ? { mode, tables } : { mode })),
);
const category = v.object({
  key: categoryKey,
  label: v.string(),
  color: v.string(),
  accessible: v.nullish(v.boolean(), false),
});
const isoDate = v.pipe(v.string(), v.isoDate());
export const eventKey = v.pipe(v.string(), v.nonEmpty(), v.maxLength(MOST_NAMES));
const name = v.pipe(v.string(), v.maxLength(MOST_NAMES));
/** [DOC] An empty list also stands for an empty record. */
const none = v.pipe(
  v.array(v.never()),
  v.transform((): Record<string, string | number> => ({})),
);

const described = {
  name: v.nullish(name),
  date: v.nullish(isoDate),
  tableBookingConfig: v.nullish(tableBookingConfig),
  objectCategories: v.nullish(v.union([none, v.record(v.string(), categoryKey)])),
  categories: v.nullish(v.array(category)),
};
export const newEvent = v.object({
  eventKey: v.nullish(eventKey),
  ...described,
  channels: v.nullish(v.array(newChannel)),
  forSaleConfig: v.nullish(forSaleConfig),
});
type NewEvent = v.InferOutput<typeof newEvent>;
export const eventCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_EVENTS));
export const eventKeys = v.pipe(v.array(eventKey), v.maxLength(MOST_EVENTS));
export const createBody = v.object({ chartKey: v.string(), ...newEvent.entries });
export const createMultipleBody = v.object({
  chartKey: v.string(),
  events: v.pipe(
    v.array(newEvent),
    v.minLength(1, 'expected minimum item count: 1, found: 0'),
    v.maxLength(MOST_EVENTS),
  ),
});
export const updateBody = v.object({
  eventKey: v.optional(eventKey),
  ...described,
  isInThePast: v.nullish(v.boolean()),
  forSalePropagated: v.nullish(v.boolean()),
});

/** An empty list or record is stored as null. */
function textOrNull(value: object | null | undefined): string | null {
  return value && Object.keys(value).length > 0 ? JSON.stringify(value) : null;
}

async function checkKeyIsFree(ctx: Seatsio, workspace: Workspace, key: string): Promise<void> {
  if (await hotByKey(ctx.sql, workspace.id, key))
    throw new ApiError(400, 'EVENT_KEY_ALREADY_EXISTS', {
      message: `An event with key ${key} already exists in workspace ${workspace.key}`,
    });
}

function checkCategories({
  known,
  ask,
}: {
  known: { key: string | number }[];
  ask: Pick<NewEvent, 'categories' | 'objectCategories'>;
}): void {
  const keys = new Set([...known, ...(ask.categories ?? [])].map(({ key }) => String(key)));
  const unknown = Object.values(ask.objectCategories ?? {}).find((key) => !keys.has(String(key)));
  if (unknown !== undefined)
    throw new ApiError(400, 'CATEGORY_NOT_FOUND', { message: `Category not found: ${unknown}` });
}

/** The season of a new event, if any; members of a season use its chart and tables. */
interface Standing {
  kind: EventRow['kind'];
  seasonId: number | null;
  forSalePropagated?: boolean;
}

/**
 * Must be called in a transaction.
 * @throws ApiError 400 EVENT_KEY_ALREADY_EXISTS, CATEGORY_NOT_FOUND, DRAWING_VALIDATION_FAILED
 */
export async function createEvent(
  ctx: Writing,
  workspace: Workspace,
  {
    chart,
    ask,
    standing = { kind: 'event', seasonId: null },
  }: { chart: ChartRow; ask: NewEvent; standing?: Standing },
): Promise<EventRow> {
  const key = ask.eventKey ?? randomUUID();
  await checkKeyIsFree(ctx, workspace, key);
  await refuseInvalidChart(ctx, workspace, chart);
  const tables: TableBooking = ask.tableBookingConfig ?? { mode: 'INHERIT' };
  checkCategories({
    known: (await planOf(ctx, { id: chart.id, version: chart.published_version }, tables))
      .categories,
    ask,
  });
  await addEvent(ctx.sql, {
    workspace_id: workspace.id,
    key,
    chart_id: chart.id,
    name: ask.name ?? null,
    date: ask.date ?? null,
    table_booking_config: JSON.stringify(tables),
    object_categories: textOrNull(ask.objectCategories),
    categories: textOrNull(ask.categories),
    channels: JSON.stringify(makeChannels(ask.channels ?? [])),
    for_sale_config: ask.forSaleConfig ? JSON.stringify(ask.forSaleConfig) : null,
    kind: standing.kind,
    season_id: standing.seasonId,
    for_sale_propagated: Number(standing.forSalePropagated ?? true),
    created_at: ctx.now(),
  });
  return findEvent(ctx, workspace, key);
}

export async function createOnChart(
  ctx: Writing,
  workspace: Workspace,
  { chartKey, asks }: { chartKey: string; asks: NewEvent[] },
): Promise<EventRow[]> {
  const chart = await findChart(ctx, workspace, chartKey);
  return Array.fromAsync(asks, (ask) => createEvent(ctx, workspace, { chart, ask }));
}

/** Makes the pages of all members that depend on this season or event read everything anew. */
export function tellDependents(ctx: Writing, event: LoadedEvent): void {
  for (const id of event.family ? dependentsOf(event.family) : [event.row.id]) ctx.tell(id, null);
}

type Update = v.InferOutput<typeof updateBody>;

/**
 * Refuses to bring back a past event whose places the season has sold in the meantime.
 * @throws ApiError 400 ILLEGAL_STATUS_CHANGE when a place would be sold twice
 */
async function refuseReturn(ctx: Seatsio, row: EventRow): Promise<void> {
  const twice = row.kind === 'event' ? await findDoubleBooking(ctx, await loadRow(ctx, row)) : null;
  if (twice !== null)
    throw new ApiError(400, 'ILLEGAL_STATUS_CHANGE', {
      message: `${row.key} cannot be to come again: ${twice} was sold to its season meanwhile`,
    });
}

/**
 * Changes only the named fields; a top-level season passes tables and categories on to its
 * members. Must be called in a transaction.
 * @throws ApiError 404 EVENT_NOT_FOUND; 400 EVENT_KEY_ALREADY_EXISTS, CATEGORY_NOT_FOUND,
 * ILLEGAL_STATUS_CHANGE
 */
export async function updateEvent(
  ctx: Writing,
  workspace: Workspace,
  { row, ask }: { row: EventRow; ask: Update },
): Promise<void> {
  const event = await loadRow(ctx, row);
  const newKey = ask.eventKey ?? row.key;
  if (newKey !== row.key) await checkKeyIsFree(ctx, workspace, newKey);
  // Otherwise the season could sell a table whole while one of its events sells the chairs.
  if (ask.tableBookingConfig && row.season_id !== null)
    throw badRequest('#/tableBookingConfig: only the whole season says how its tables are sold');
  if (typeof ask.forSalePropagated === 'boolean' && row.kind !== 'season')
    throw badRequest('#/forSalePropagated: only a season has events to propagate to');
  if (ask.categories !== undefined || ask.objectCategories !== undefined)
    checkCategories({
      known: ask.categories === undefined ? event.categories : event.plan.categories,
      // The remaining assignments must stay valid when the event's own categories are removed.
      ask: {
        categories: ask.categories,
        objectCategories:
          ask.objectCategories === undefined ? event.objectCategories : ask.objectCategories,
      },
    });
  await updateOwn(ctx.sql, row.id, {
    key: newKey,
    name: ask.name === undefined ? row.name : ask.name,
    date: ask.date === undefined ? row.date : ask.date,
    is_in_the_past: Number(ask.isInThePast ?? row.is_in_the_past === 1),
    for_sale_propagated: Number(ask.forSalePropagated ?? row.for_sale_propagated === 1),
    updated_at: ctx.now(),
  });
  if (ask.isInThePast === false && row.is_in_the_past === 1) await refuseReturn(ctx, row);
  const shared = {
    tables: ask.tableBookingConfig,
    objectCategories: ask.objectCategories,
    categories: ask.categories,
  };
  if (Object.values(shared).every((value) => value === undefined)) {
    if (typeof ask.isInThePast === 'boolean' || typeof ask.forSalePropagated === 'boolean')
      tellDependents(ctx, event);
    return;
  }
  const kept = (asked: object | null | undefined, before: string | null) =>
    asked === undefined ? before : textOrNull(asked);
  await updateShared(ctx.sql, row.id, {
    table_booking_config: shared.tables ? JSON.stringify(shared.tables) : row.table_booking_config,
    object_categories: kept(shared.objectCategories, row.object_categories),
    categories: kept(shared.categories, row.categories),
  });
  if (shared.tables)
    await writeLog(ctx, workspace.id, { type: 'event.table.booking.config.updated', key: newKey });
  if (shared.categories !== undefined || shared.objectCategories !== undefined)
    await writeLog(ctx, workspace.id, { type: 'event.categories.updated', key: newKey });
  tellDependents(ctx, event);
}

/** Must be called in a transaction. */
export async function moveToChartCopy(
  ctx: Writing,
  workspace: Workspace,
  { row }: { row: EventRow },
): Promise<void> {
  const event = await loadRow(ctx, row);
  const copy = await copyChart(ctx, {
    chart: event.chart,
    version: event.chart.published_version,
    to: workspace,
    suffix: ' (copy)',
  });
  await setChart(ctx.sql, row.id, { chartId: copy.id, now: ctx.now() });
  tellDependents(ctx, event);
}
