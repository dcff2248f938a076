/** The categories of a chart's drawing: listed, added, changed, removed. */
import * as v from 'valibot';
import { findChart, planOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { editDrawing } from './chart-versions.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import type { Category } from '#server/standins/seatsio/catalog/catalog.ts';
import type { ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

const MOST = 1000;
const text = v.pipe(v.string(), v.maxLength(500, 'expected maxLength: 500'));
const category = v.object({
  key: v.union([v.number(), v.pipe(text, v.nonEmpty('expected minLength: 1, actual: 0'))]),
  label: text,
  color: text,
  accessible: v.nullish(v.boolean(), false),
});
const isUnique = (list: { key: string | number }[]) =>
  new Set(list.map(({ key }) => String(key))).size === list.length;
export const categoryList = v.pipe(
  v.array(category),
  v.maxLength(MOST, `expected maximum item count: ${MOST}`),
  v.check((list) => isUnique(list), 'array items are not unique'),
);
const changeBody = v.object({
  label: v.nullish(text),
  color: v.nullish(text),
  accessible: v.nullish(v.boolean()),
});

interface RawDrawing {
  categories?: { list?: Category[] } | null;
}

function listIn(drawing: unknown): Category[] {
  const list = (drawing as RawDrawing).categories?.list;
  return Array.isArray(list) ? list : [];
}

/** The categories with their keys as drawn: a number stays a number. */
async function rawCategories(ctx: Seatsio, chart: ChartRow, version: number): Promise<Category[]> {
  return (await planOf(ctx, { id: chart.id, version }, { mode: 'INHERIT' })).drawing
    .drawnCategories;
}

/** The drawing's `categories`: the list and its highest numeric key. */
export function drawnCategories(list: Category[]) {
  return {
    list,
    maxCategoryKey: list.reduce(
      (most, { key }) => (Number.isSafeInteger(Number(key)) ? Math.max(most, Number(key)) : most),
      0,
    ),
  };
}

export function setCategories(drawing: Record<string, unknown>, list: Category[]): void {
  drawing['categories'] = { ...(drawing['categories'] as object | null), ...drawnCategories(list) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Removes a category from its objects; the recursion ends, as a drawing's depth is limited. */
function forget(value: unknown, key: string): void {
  if (Array.isArray(value)) value.forEach((item) => forget(item, key));
  else if (isRecord(value)) {
    if (
      value['categoryKey'] !== null &&
      value['categoryKey'] !== undefined &&
      String(value['categoryKey']) === key
    ) {
      value['categoryKey'] = null;
      if ('categoryLabel' in value) value['categoryLabel'] = null;
    }
    for (const child of Object.values(value)) if (typeof child === 'object') forget(child, key);
  }
}

function find(list: Category[], key: string): Category {
  const found = list.find((one) => String(one.key) === key);
  if (!found)
    throw new ApiError(404, 'CATEGORY_NOT_FOUND', {
      message: 'category not found',
    });
  return found;
}

export const chartCategoryRoutes: Route[] = [
  /** -> {categories: [{key, label, color, accessible}]}, from the draft if there is one */
  keyRoute('GET', '/charts/:chart/categories', async (ctx, call, workspace) => {
    const chart = await findChart(ctx, workspace, call.params.chart);
    return {
      categories: await rawCategories(ctx, chart, chart.draft_version ?? chart.published_version),
    };
  }),
  /** {key, label, color, accessible?} */
  keyRoute('POST', '/charts/:chart/categories', async (ctx, call, workspace) => {
    const added = readJson(call, category);
    return editDrawing(ctx, workspace, {
      key: call.params.chart,
      change(drawing) {
        const list = listIn(drawing);
        if (list.some(({ key }) => String(key) === String(added.key)))
          throw new ApiError(400, 'CATEGORY_KEY_ALREADY_EXISTS', {
            message: `A category with key ${added.key} already exists`,
          });
        setCategories(drawing, [...list, added]);
      },
    });
  }),
  /** {label?, color?, accessible?}: changes only the named fields */
  keyRoute('POST', '/charts/:chart/categories/:category', async (ctx, call, workspace) => {
    const ask = readJson(call, changeBody);
    return editDrawing(ctx, workspace, {
      key: call.params.chart,
      change(drawing) {
        const list = listIn(drawing);
        const before = find(list, call.params.category);
        const after = {
          ...before,
          label: ask.label ?? before.label,
          color: ask.color ?? before.color,
          accessible: ask.accessible ?? before.accessible,
        };
        setCategories(
          drawing,
          list.map((one) => (one === before ? after : one)),
        );
      },
    });
  }),
  keyRoute('DELETE', '/charts/:chart/categories/:category', (ctx, call, workspace) =>
    editDrawing(ctx, workspace, {
      key: call.params.chart,
      change(drawing) {
        const list = listIn(drawing);
        const removed = find(list, call.params.category);
        for (const part of ['subChart', 'subChartFloors'])
          forget(drawing[part], String(removed.key));
        setCategories(
          drawing,
          list.filter((one) => one !== removed),
        );
      },
    }),
  ),
];
