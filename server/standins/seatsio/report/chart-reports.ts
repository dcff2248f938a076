/** Reports on a chart: the objects of its drawing in groups, or their places counted. */
import { findChart, planOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { versionOf } from '#server/standins/seatsio/chart/chart-versions.ts';
import { badRequest } from '#server/standins/seatsio/errors.ts';
import {
  areaTypeOf,
  describeTable,
  FLAG_NAMES,
} from '#server/standins/seatsio/status/object-info.ts';
import { findDimension, groupItems, summarizeItems } from './report-grouping.ts';
import { sendPieces, writeGroups } from './report-sending.ts';
import { keyRoute } from '#server/standins/seatsio/router.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { DrawingCategory } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { Plan, PlanObject, TableBooking } from '#server/standins/seatsio/plan/plan.ts';
import type { Dimensions } from './report-grouping.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/**
 * Values of `bookWholeTables`: tables as drawn, all whole, or none; without it a table and its
 * seats are both listed.
 */
const TABLES: Record<string, TableBooking['mode'][]> = {
  chart: ['INHERIT'],
  true: ['ALL_BY_TABLE'],
  false: ['ALL_BY_SEAT'],
};
const BOTH: TableBooking['mode'][] = ['ALL_BY_TABLE', 'ALL_BY_SEAT'];

interface Item {
  object: PlanObject;
  category: DrawingCategory | undefined;
  quantity: number;
}

/**
 * @throws ApiError 404 CHART_NOT_FOUND, DRAFT_NOT_FOUND; 400 GENERAL_ERROR for other values of
 * `bookWholeTables` and `version`
 */
async function openChart(
  ctx: Seatsio,
  workspace: Workspace,
  call: Call<'chart'>,
): Promise<{ items: Item[]; dimensions: Dimensions<Item> }> {
  const tables = call.query.get('bookWholeTables');
  if (tables !== null && !Object.hasOwn(TABLES, tables))
    throw badRequest('#/bookWholeTables: chart, true or false expected');
  const version = call.query.get('version') ?? 'published';
  if (version !== 'published' && version !== 'draft')
    throw badRequest('#/version: published or draft expected');
  const chart = await findChart(ctx, workspace, call.params.chart);
  const plans = await Array.fromAsync(tables === null ? BOTH : (TABLES[tables] ?? []), (mode) =>
    planOf(ctx, { id: chart.id, version: versionOf(chart, version) }, { mode }),
  );
  return { items: itemsOf(plans), dimensions: chartDimensions(entryAt(plans, 0)) };
}

/** The objects of all plans by label; a table counts as one object here. */
function itemsOf(plans: Plan[]): Item[] {
  const byLabel = new Map(
    plans.flatMap(({ objects }) => objects).map((object) => [object.label, object]),
  );
  const categories = new Map(
    entryAt(plans, 0).categories.map((category) => [category.key, category]),
  );
  const items = [...byLabel.values()].map((object) => ({
    object,
    category: object.categoryKey === null ? undefined : categories.get(object.categoryKey),
    quantity: object.objectType === 'generalAdmission' ? object.capacity : 1,
  }));
  return plans.length === 1
    ? items
    : items.sort(({ object: a }, { object: b }) => (a.label < b.label ? -1 : 1));
}

function chartDimensions({ categories, zones }: Plan): Dimensions<Item> {
  return {
    byLabel: { of: ({ object }) => object.label, isUncounted: true },
    byObjectType: {
      of: ({ object }) => object.objectType,
      always: ['seat', 'generalAdmission', 'table', 'booth'],
    },
    byCategoryKey: {
      of: ({ category }) => category?.key ?? 'NO_CATEGORY',
      always: [...categories.map(({ key }) => key), 'NO_CATEGORY'],
    },
    byCategoryLabel: {
      of: ({ category }) => category?.label ?? 'NO_CATEGORY',
      always: [...categories.map(({ label }) => label), 'NO_CATEGORY'],
    },
    bySection: { of: ({ object }) => object.section ?? 'NO_SECTION', always: ['NO_SECTION'] },
    byZone: {
      of: ({ object }) => object.zone ?? 'NO_ZONE',
      always: [...zones.map(({ key }) => key), 'NO_ZONE'],
    },
  };
}

/** ChartObjectInfo: an object without its status on an event. */
function describeItem({ object, category }: Item) {
  return {
    label: object.label,
    labels: object.labels,
    ids: object.ids,
    displayedLabel: object.displayedLabel,
    objectType: object.objectType,
    categoryKey: category?.key,
    categoryLabel: category?.label,
    section: object.section,
    zone: object.zone,
    floor: object.floor,
    entrance: object.entrance,
    leftNeighbour: object.left,
    rightNeighbour: object.right,
    distanceToFocalPoint: object.distance,
    ...(object.objectType === 'seat'
      ? Object.fromEntries(FLAG_NAMES.map((name, bit) => [name, (object.flags & (2 ** bit)) !== 0]))
      : {}),
    ...(object.objectType === 'generalAdmission'
      ? {
          capacity: object.capacity,
          bookAsAWhole: object.bookAsAWhole,
          areaType: areaTypeOf(object),
        }
      : {}),
    ...(object.objectType === 'table' ? describeTable(object) : {}),
  };
}

/**
 * All take `?bookWholeTables=chart|true|false` and `?version=published|draft`.
 * @throws ApiError 404 REPORT_NOT_FOUND, and the errors above
 */
export const chartReportRoutes: Route[] = [
  /** -> {group: [ChartObjectInfo]} */
  keyRoute('GET', '/reports/charts/:chart/:type', async (ctx, call, workspace) => {
    const { items, dimensions } = await openChart(ctx, workspace, call);
    const groups = groupItems(items, findDimension(dimensions, call.params.type));
    return sendPieces(
      call.response,
      'application/json; charset=utf-8',
      writeGroups(groups, describeItem),
    );
  }),
  /** -> {group: {count, byCategoryKey: {…}, …}}; it counts places */
  keyRoute('GET', '/reports/charts/:chart/:type/summary', async (ctx, call, workspace) => {
    const { items, dimensions } = await openChart(ctx, workspace, call);
    return summarizeItems(items, dimensions, { type: call.params.type, deep: false });
  }),
];
