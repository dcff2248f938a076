/** Charts and events as they are stored, loaded with everything that a call needs of them. */
import {
  requireEvent,
  eventByKey,
  hotByKey,
  revisionsIn,
  type EventRow,
  type Hot,
} from '#server/standins/seatsio/statements/events.ts';
import {
  requireChart,
  chartByKey,
  type ChartRow,
} from '#server/standins/seatsio/statements/charts.ts';
import { drawingOf } from '#server/standins/seatsio/statements/drawings.ts';
import { flattenDrawing } from '#server/standins/seatsio/plan/plan.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { notFound } from '#server/standins/seatsio/errors.ts';
import { Cache } from '#server/standins/seatsio/context.ts';
import { readAreaPlaces, readChannels, readForSale } from './for-sale.ts';
import { eventsOf, readFamily, seasonsOf } from './season-view.ts';
import { countPlaces, HELD } from './status-rule.ts';
import { wireChart } from '#server/standins/seatsio/plan/wire-chart.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Channel, ForSaleConfig, NotForSale } from './for-sale.ts';
import type { Plan, PlanObject, TableBooking } from '#server/standins/seatsio/plan/plan.ts';
import type { Family } from './season-view.ts';
import type { ObjectState, Sellable } from './status-rule.ts';
import type { WireCategory, WireChart } from '#server/standins/seatsio/wire.ts';

export interface Category {
  key: string | number;
  label: string;
  color: string;
  accessible: boolean;
}

/** The part of an event that changes only with its row or with its chart. */
interface Prepared {
  row: EventRow;
  plan: Plan;
  /** The chart's categories and the event's own. */
  categories: Category[];
  channels: Channel[];
  forSaleConfig: ForSaleConfig | null;
  objectCategories: Record<string, string | number> | null;
  categoryOf: (object: PlanObject) => Category | null;
  channelOf: (label: string) => string | undefined;
  /** Keys by id of the seasons that contain the event. */
  seasonKeys: ReadonlyMap<number, string>;
  /** How many places of an area each channel has. */
  areaPlacesOf: (label: string) => readonly { key: string; count: number }[];
  sellable: (object: PlanObject) => Sellable;
}

/** An event with its chart, ready to answer questions about any object. */
export interface LoadedEvent extends Prepared {
  chart: ChartRow;
  /** Null unless the event belongs to a season. */
  family: Family | null;
}

export async function findChart(
  ctx: Seatsio,
  workspace: Workspace,
  key: string,
): Promise<ChartRow> {
  const chart = await chartByKey(ctx.sql, workspace.id, key);
  if (!chart) throw notFound('Chart', key, workspace.key);
  return chart;
}

export function drawingText(ctx: Seatsio, chartId: number, version: number): Promise<string> {
  return drawingOf(ctx.sql, chartId, version);
}

const plans = new Cache<Plan>(60);

/** Computed once per version and way of selling tables. */
export async function planOf(
  ctx: Seatsio,
  chart: { id: number; version: number },
  tables: TableBooking,
): Promise<Plan> {
  return plans.get(ctx, JSON.stringify([chart.id, chart.version, tables]), async () =>
    flattenDrawing(
      readDrawing(JSON.parse(await drawingText(ctx, chart.id, chart.version))),
      tables,
    ),
  );
}

export async function findEvent(
  ctx: Seatsio,
  workspace: Workspace,
  key: string,
): Promise<EventRow> {
  const event = await eventByKey(ctx.sql, workspace.id, key);
  if (!event) throw notFound('Event', key, workspace.key);
  return event;
}

export async function loadEvent(
  ctx: Seatsio,
  workspace: Workspace,
  key: string,
): Promise<LoadedEvent> {
  const hot = await hotByKey(ctx.sql, workspace.id, key);
  if (!hot) throw notFound('Event', key, workspace.key);
  return load(ctx, hot);
}

export async function loadRow(ctx: Seatsio, row: EventRow): Promise<LoadedEvent> {
  return load(ctx, row);
}

const prepared = new Cache<Prepared>(100);

/** Read once per revision, because an event's configuration may list many thousand labels. */
async function load(ctx: Seatsio, hot: Hot): Promise<LoadedEvent> {
  const chart = await requireChart(ctx.sql, hot.chart_id);
  const family = await readFamily(ctx, hot);
  const key = `${hot.id}.${hot.revision}.${chart.id}.${chart.published_version}${family ? await revisionsOf(ctx, family) : ''}`;
  const event = await prepared.get(ctx, key, () => prepare(ctx, { id: hot.id, chart, family }));
  return { ...event, row: { ...event.row, sequence: hot.sequence }, chart, family };
}

async function revisionsOf(ctx: Seatsio, family: Family): Promise<string> {
  const rows = await revisionsIn(ctx.sql, family.top);
  return rows.map(({ id, revision }) => `/${id}.${revision}`).join('');
}

async function prepare(
  ctx: Seatsio,
  { id, chart, family }: { id: number; chart: ChartRow; family: Family | null },
): Promise<Prepared> {
  const row = await requireEvent(ctx.sql, id);
  const plan = await planOf(
    ctx,
    { id: chart.id, version: chart.published_version },
    JSON.parse(row.table_booking_config) as TableBooking,
  );
  const categories = [
    ...plan.categories,
    ...(row.categories === null ? [] : (JSON.parse(row.categories) as Category[])),
  ];
  const byKey = new Map(categories.map((category) => [String(category.key), category]));
  const objectCategories =
    row.object_categories === null
      ? null
      : (JSON.parse(row.object_categories) as Record<string, string | number>);
  const channels = JSON.parse(row.channels) as Channel[];
  const channelByLabel = readChannels(channels);
  const areaPlaces = readAreaPlaces(channels);
  const forSaleConfig = configOf(row);
  const notForSale = [forSaleConfig, ...(family ? await inheritedConfigs(ctx, family) : [])]
    .filter((config) => config !== null)
    .map(readForSale);
  const categoryOf = (object: PlanObject) => {
    const own =
      objectCategories && Object.hasOwn(objectCategories, object.label)
        ? String(objectCategories[object.label])
        : object.categoryKey;
    return own === null ? null : (byKey.get(own) ?? null);
  };
  return {
    row,
    plan,
    categories,
    channels,
    forSaleConfig,
    objectCategories,
    categoryOf,
    seasonKeys: await readSeasonKeys(ctx, family),
    channelOf: (label) => channelByLabel.get(label),
    areaPlacesOf: (label) => areaPlaces.get(label) ?? [],
    sellable: (object) => ({
      byPlaces: isByPlaces(object),
      capacity: object.capacity,
      notForSale: countNotForSale(notForSale, object, categoryOf(object)),
    }),
  };
}

async function readSeasonKeys(
  ctx: Seatsio,
  family: Family | null,
): Promise<ReadonlyMap<number, string>> {
  const keys = new Map<number, string>();
  if (family?.self.kind !== 'event') return keys;
  for (const id of seasonsOf(family, family.self.id))
    keys.set(id, (await requireEvent(ctx.sql, id)).key);
  return keys;
}

function countNotForSale(
  configs: NotForSale[],
  object: PlanObject,
  category: Category | null,
): number {
  if (configs.length === 0) return 0;
  const names = category ? [String(category.key), category.label] : [];
  return Math.max(...configs.map((notForSale) => notForSale(object, names)));
}

function configOf({ for_sale_config }: Pick<EventRow, 'for_sale_config'>): ForSaleConfig | null {
  return for_sale_config === null ? null : (JSON.parse(for_sale_config) as ForSaleConfig);
}

/**
 * What a season or partial season does not sell, its events do not sell either, and the reverse.
 * Nothing is inherited if the top-level season does not propagate its configuration.
 */
async function inheritedConfigs(ctx: Seatsio, family: Family): Promise<(ForSaleConfig | null)[]> {
  const { self, top } = family;
  if ((await requireEvent(ctx.sql, top)).for_sale_propagated === 0) return [];
  const evenings =
    self.kind === 'event' ? [self] : eventsOf(family, self.id).filter(({ past }) => !past);
  const concerned = new Set([top, ...evenings.flatMap(({ id }) => [id, ...seasonsOf(family, id)])]);
  concerned.delete(self.id);
  return Array.fromAsync(concerned, async (id) => configOf(await requireEvent(ctx.sql, id)));
}

export function isByPlaces(object: PlanObject): boolean {
  return object.objectType === 'generalAdmission' && !object.bookAsAWhole;
}

interface PlaceCount {
  booked: number;
  held: number;
  notForSale: number;
  free: number;
}

/** Booked, held, not for sale and free places add up to the capacity. */
export function countObject(
  object: PlanObject,
  state: ObjectState,
  sellable: Sellable,
): PlaceCount {
  const { capacity } = object;
  const whole = (status: boolean) => (status ? capacity : 0);
  const held = sellable.byPlaces
    ? countPlaces(state.places, (place) => place.status === HELD)
    : whole(state.status === HELD);
  const booked = sellable.byPlaces
    ? countPlaces(state.places, (place) => place.status !== HELD)
    : whole(state.status !== HELD && state.status !== 'free');
  const notForSale = Math.min(
    capacity - held - booked,
    sellable.byPlaces ? sellable.notForSale : whole(sellable.notForSale > 0),
  );
  return { booked, held, notForSale, free: capacity - held - booked - notForSale };
}

/** An area is free until it is full; then it has the status of its last places. */
export function statusOf(object: PlanObject, state: ObjectState): string {
  if (!isByPlaces(object)) return state.status;
  if (countPlaces(state.places, () => true) < Math.max(1, object.capacity)) return 'free';
  return state.status === 'free' ? (state.places.at(-1) ?? state).status : state.status;
}

const wireCharts = new Cache<WireChart>(60);

/** Cached together with the event's own categories; it contains no statuses. */
export async function wireChartOf(ctx: Seatsio, event: LoadedEvent): Promise<WireChart> {
  const { chart, row } = event;
  return wireCharts.get(
    ctx,
    JSON.stringify([
      chart.id,
      chart.published_version,
      row.table_booking_config,
      row.categories,
      row.object_categories,
    ]),
    () =>
      wireChart(event.plan, {
        key: chart.key,
        version: chart.published_version,
        categories: event.categories.map((category): WireCategory => ({
          key: String(category.key),
          label: category.label,
          color: category.color,
          accessible: category.accessible,
        })),
        categoryOf: (object) => {
          const category = event.categoryOf(object);
          return category === null ? null : String(category.key);
        },
      }),
  );
}
