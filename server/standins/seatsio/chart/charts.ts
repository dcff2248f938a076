/** Makes, lists, reads, renames, tags and archives charts. */
import { eventsOnChart, hasEvents } from '#server/standins/seatsio/statements/events.ts';
import {
  pageOfCharts,
  setArchived,
  setTags,
  tagsOf,
  type ChartRow,
} from '#server/standins/seatsio/statements/charts.ts';
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { findChart, planOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { categoryList, drawnCategories, setCategories } from './chart-categories.ts';
import { addChart } from './chart-store.ts';
import { validateDrawing } from './chart-validation.ts';
import { emptyFloor } from '#server/drawing/model/empty.ts';
import { DRAWING_LIMIT, editDrawing } from './chart-versions.ts';
import { findCaller } from '#server/standins/seatsio/company/callers.ts';
import { badRequest } from '#server/standins/seatsio/errors.ts';
import { describeEvent } from '#server/standins/seatsio/catalog/describe-event.ts';
import { created, keyRoute, openRoute, readJson } from '#server/standins/seatsio/router.ts';
import { thumbnailUrl } from './thumbnails.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

const EXPANDABLE = ['events', 'validation', 'venueType', 'zones'] as const;
type Expand = (typeof EXPANDABLE)[number];
/** Few, because each chart needs its drawing or its events; the vendor shows 20 a page [DOC]. */
const MOST_EXPANDED = 20;
const MOST_EVENTS = 1000;
const MOST_TAG = 500;
const VENUES = [
  'SIMPLE',
  'WITH_SECTIONS_AND_FLOORS',
  'WITH_ZONES',
  'MIXED',
  'BOOTHS',
  'TABLES',
  'ROWS_WITHOUT_SECTIONS',
  'ROWS_WITH_SECTIONS',
  'ZONES',
] as const;

const name = v.nullish(
  v.pipe(
    v.string(),
    v.nonEmpty('expected minLength: 1, actual: 0'),
    v.maxLength(500, 'expected maxLength: 500'),
  ),
);
const createBody = v.object({
  name,
  venueType: v.nullish(v.picklist(VENUES), 'SIMPLE'),
  categories: v.nullish(categoryList, []),
});
const updateBody = v.object({ name, categories: v.nullish(categoryList) });

function emptyDrawing(ask: v.InferOutput<typeof createBody>): object {
  return {
    name: ask.name ?? 'Untitled chart',
    version: 1,
    venueType: ask.venueType,
    categories: drawnCategories(ask.categories),
    zones: { list: [] },
    subChart: { ...emptyFloor({ width: 600, height: 400 }), backgroundImage: null },
  };
}

interface Describing {
  workspace: Workspace;
  chart: ChartRow;
  expand?: ReadonlySet<Expand>;
  eventsLimit?: number;
}

/** The fields that are shown even without `expand`. */
const ALONE: ReadonlySet<Expand> = new Set(['validation', 'venueType', 'zones']);

/** Chart as the API shows it; name, venue type, zones and validation are the published ones. */
export async function describeChart(
  ctx: Seatsio,
  call: Call,
  { workspace, chart, expand = ALONE, eventsLimit = MOST_EVENTS }: Describing,
) {
  const url = (which: string, version: number) =>
    thumbnailUrl(call, { workspace, chart: chart.key, which, version });
  const { drawing } =
    expand.has('validation') || expand.has('venueType') || expand.has('zones')
      ? await planOf(ctx, { id: chart.id, version: chart.published_version }, { mode: 'INHERIT' })
      : { drawing: null };
  return {
    id: chart.id,
    key: chart.key,
    name: chart.name,
    status: await statusOf(ctx, chart),
    tags: JSON.parse(chart.tags) as string[],
    archived: chart.archived === 1,
    publishedVersionThumbnailUrl: url('published', chart.published_version),
    draftVersionThumbnailUrl:
      chart.draft_version === null ? undefined : url('draft', chart.draft_version),
    events: expand.has('events') ? await eventsOf(ctx, chart, eventsLimit) : undefined,
    validation:
      drawing && expand.has('validation')
        ? await validateDrawing(ctx, workspace, drawing)
        : undefined,
    venueType: drawing && expand.has('venueType') ? drawing.venueType : undefined,
    zones:
      drawing && expand.has('zones') && drawing.zones.length > 0
        ? drawing.zones.map(({ key, label }) => ({ key, label }))
        : undefined,
  };
}

async function statusOf(
  ctx: Seatsio,
  chart: ChartRow,
): Promise<'NOT_USED' | 'PUBLISHED' | 'PUBLISHED_WITH_DRAFT'> {
  if (chart.draft_version !== null) return 'PUBLISHED_WITH_DRAFT';
  return (await hasEvents(ctx.sql, chart.id)) ? 'PUBLISHED' : 'NOT_USED';
}

/** Newest first. */
async function eventsOf(ctx: Seatsio, chart: ChartRow, limit: number) {
  const rows = await eventsOnChart(ctx.sql, chart.id, limit);
  return Array.fromAsync(rows, (row) => describeEvent(ctx, row));
}

/** Reads `?expand`, which may be repeated or hold a list with commas. */
function readExpand(query: URLSearchParams): Set<Expand> {
  const asked = query
    .getAll('expand')
    .flatMap((text) => text.split(','))
    .filter(Boolean);
  return new Set(
    asked.map((text) => EXPANDABLE.find((known) => known === text) ?? unknownExpand(text)),
  );
}

function unknownExpand(text: string): never {
  throw badRequest(`#/expand: one of ${EXPANDABLE.join(', ')} expected, found: ${text}`);
}

function readEventsLimit(query: URLSearchParams): number | undefined {
  const text = query.get('eventsLimit');
  if (text === null || text === '') return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw badRequest(`#/eventsLimit: a whole number expected, found: ${text}`);
  return Math.min(MOST_EVENTS, Number(text));
}

/**
 * `?filter` is a part of the name, `?tag` a whole tag; with `?expand` and `?eventsLimit` -> page of
 * Chart.
 */
async function listCharts(
  ctx: Seatsio,
  call: Call,
  { workspace, archived }: { workspace: Workspace; archived: 0 | 1 },
) {
  const { query } = call;
  const expand = readExpand(query);
  const eventsLimit = readEventsLimit(query);
  const page = await pageOfCharts(ctx.sql, query, {
    workspaceId: workspace.id,
    archived,
    name: query.get('filter') ?? '',
    tag: query.get('tag') ?? '',
    most: expand.size > 0 ? MOST_EXPANDED : undefined,
  });
  return {
    ...page,
    items: await Array.fromAsync(page.items, (chart) =>
      describeChart(ctx, call, { workspace, chart, expand, eventsLimit }),
    ),
  };
}

async function changeTags(
  ctx: Writing,
  call: Call<'chart' | 'tag'>,
  {
    workspace,
    change,
  }: { workspace: Workspace; change: (tags: string[], tag: string) => string[] },
): Promise<undefined> {
  const tag = call.params.tag;
  if (tag.length > MOST_TAG)
    throw badRequest(`#/tag: expected maxLength: ${MOST_TAG}, actual: ${tag.length}`);

  const chart = await findChart(ctx, workspace, call.params.chart);
  await setTags(ctx.sql, chart.id, change(JSON.parse(chart.tags) as string[], tag));
}

async function archive(
  ctx: Writing,
  { call, workspace, archived }: { call: Call<'chart'>; workspace: Workspace; archived: 0 | 1 },
): Promise<undefined> {
  const chart = await findChart(ctx, workspace, call.params.chart);
  await setArchived(ctx.sql, chart.id, archived);
}

export const chartRoutes: Route[] = [
  /** {name?, venueType?, categories?} -> Chart */
  keyRoute('POST', '/charts', async (ctx, call, workspace) => {
    const text = JSON.stringify(emptyDrawing(readJson(call, createBody)));
    return describeChart(ctx, call, {
      workspace,
      chart: await addChart(ctx, workspace, { key: randomUUID(), text }),
    });
  }),
  keyRoute('GET', '/charts', (ctx, call, workspace) =>
    listCharts(ctx, call, { workspace, archived: 0 }),
  ),
  keyRoute('GET', '/charts/archive', (ctx, call, workspace) =>
    listCharts(ctx, call, { workspace, archived: 1 }),
  ),
  /** -> {tags}, also those of archived charts */
  keyRoute('GET', '/charts/tags', async (ctx, _call, workspace) => ({
    tags: await tagsOf(ctx.sql, workspace.id),
  })),
  /** `?expand=events` -> Chart */
  keyRoute('GET', '/charts/:chart', async (ctx, call, workspace) =>
    describeChart(ctx, call, {
      workspace,
      chart: await findChart(ctx, workspace, call.params.chart),
      expand: new Set([...ALONE, ...readExpand(call.query)]),
      eventsLimit: readEventsLimit(call.query),
    }),
  ),
  /** {name?, categories?}: goes into a draft when the chart has events */
  keyRoute('POST', '/charts/:chart', async (ctx, call, workspace) => {
    const ask = readJson(call, updateBody);
    return editDrawing(ctx, workspace, {
      key: call.params.chart,
      change(drawing) {
        if (typeof ask.name === 'string') drawing['name'] = ask.name;
        if (ask.categories) setCategories(drawing, ask.categories);
      },
    });
  }),
  keyRoute('POST', '/charts/:chart/actions/move-to-archive', (ctx, call, workspace) =>
    archive(ctx, { call, workspace, archived: 1 }),
  ),
  keyRoute('POST', '/charts/:chart/actions/move-out-of-archive', (ctx, call, workspace) =>
    archive(ctx, { call, workspace, archived: 0 }),
  ),
  keyRoute('POST', '/charts/:chart/tags/:tag', (ctx, call, workspace) =>
    changeTags(ctx, call, { workspace, change: (tags, tag) => [...new Set([...tags, tag])] }),
  ),
  /** Removing an absent tag is not an error. */
  keyRoute('DELETE', '/charts/:chart/tags/:tag', (ctx, call, workspace) =>
    changeTags(ctx, call, { workspace, change: (tags, tag) => tags.filter((one) => one !== tag) }),
  ),
];

/**
 * Exists only with a system secret. The user name of Basic auth is a secret key, and the body is a
 * drawing as JSON with any content type, up to 30 MB. Answers 201, which the vendor's clients
 * demand.
 */
export const chartUploadRoute: Route = openRoute(
  'POST',
  '/system/public/charts/:chart',
  async (ctx, call) => {
    await addChart(ctx, await findCaller(ctx, call.request), {
      key: call.params.chart,
      text: call.body,
    });
    return created;
  },
  DRAWING_LIMIT,
);
