/** Charts and events as they are stored, loaded with all that a call needs to know about them. */
import { flattenDrawing } from './plan.ts';
import { readDrawing } from './drawing.ts';
import { notFound } from './errors.ts';
import { readChannels, readForSale } from './for-sale.ts';
import { countPlaces, HELD } from './status-rule.ts';
import { wireChart } from './wire-chart.ts';
import type { Seatsio, Workspace } from './context.ts';
import type { Channel, ForSaleConfig } from './for-sale.ts';
import type { Plan, PlanObject, TableBooking } from './plan.ts';
import type { ObjectState, Sellable } from './status-rule.ts';
import type { WireCategory, WireChart } from './wire.ts';

export interface ChartRow {
  id: number; workspace_id: number; key: string; name: string; tags: string; archived: number; published_version: number;
  draft_version: number | null;
}

export interface EventRow {
  id: number; workspace_id: number; key: string; chart_id: number; name: string | null; date: string | null; table_booking_config: string;
  object_categories: string | null;
  categories: string | null; channels: string; for_sale_config: string | null; is_in_the_past: number; created_at: number; updated_at: number | null;
  sequence: number;
}

export interface Category { key: string | number; label: string; color: string; accessible: boolean }

/** An event with its chart, ready to answer questions about any object. */
export interface LoadedEvent {
  row: EventRow;
  chart: ChartRow;
  plan: Plan;
  /** The chart's and the event's own. */
  categories: Category[];
  channels: Channel[];
  forSaleConfig: ForSaleConfig | null;
  objectCategories: Record<string, string | number> | null;
  categoryOf: (object: PlanObject) => Category | null;
  channelOf: (label: string) => string | undefined;
  sellable: (object: PlanObject) => Sellable;
}

export function findChart(ctx: Seatsio, workspace: Workspace, key: string): ChartRow {
  const chart = ctx.sql.one<ChartRow>('SELECT * FROM seatsio_charts WHERE workspace_id = ? AND key = ?', workspace.id, key);
  if (!chart) throw notFound('Chart', key, workspace.key);
  return chart;
}

export function drawingText(ctx: Seatsio, chartId: number, version: number): string {
  return ctx.sql.one<{ drawing: string }>('SELECT drawing FROM seatsio_drawings WHERE chart_id = ? AND version = ?', chartId, version)!.drawing;
}

/** Flattened once per version and way of booking tables. */
export function planOf(ctx: Seatsio, chart: { id: number; version: number }, tables: TableBooking): Plan {
  return ctx.plans.get(
    JSON.stringify([chart.id, chart.version, tables]),
    () => flattenDrawing(readDrawing(JSON.parse(drawingText(ctx, chart.id, chart.version))), tables),
  );
}

export function findEvent(ctx: Seatsio, workspace: Workspace, key: string): EventRow {
  const event = ctx.sql.one<EventRow>('SELECT * FROM seatsio_events WHERE workspace_id = ? AND key = ?', workspace.id, key);
  if (!event) throw notFound('Event', key, workspace.key);
  return event;
}

export function loadEvent(ctx: Seatsio, workspace: Workspace, key: string): LoadedEvent {
  return loadRow(ctx, findEvent(ctx, workspace, key));
}

export function loadRow(ctx: Seatsio, row: EventRow): LoadedEvent {
  const chart = ctx.sql.one<ChartRow>('SELECT * FROM seatsio_charts WHERE id = ?', row.chart_id)!;
  const plan = planOf(ctx, { id: chart.id, version: chart.published_version }, JSON.parse(row.table_booking_config) as TableBooking);
  const categories = [...plan.categories, ...(row.categories === null ? [] : JSON.parse(row.categories) as Category[])];
  const byKey = new Map(categories.map((category) => [String(category.key), category]));
  const objectCategories = row.object_categories === null ? null : JSON.parse(row.object_categories) as Record<string, string | number>;
  const channels = JSON.parse(row.channels) as Channel[];
  const channelByLabel = readChannels(channels);
  const forSaleConfig = row.for_sale_config === null ? null : JSON.parse(row.for_sale_config) as ForSaleConfig;
  const notForSale = readForSale(forSaleConfig);
  const categoryOf = (object: PlanObject) => {
    const own = objectCategories && Object.hasOwn(objectCategories, object.label) ? String(objectCategories[object.label]) : object.categoryKey;
    return own === null ? null : byKey.get(own) ?? null;
  };
  return {
    row, chart, plan, categories, channels, forSaleConfig, objectCategories, categoryOf,
    channelOf: (label) => channelByLabel.get(label),
    sellable(object) {
      const category = categoryOf(object);
      return {
        byPlaces: isByPlaces(object), capacity: object.capacity,
        notForSale: notForSale(object, category ? [String(category.key), category.label] : []),
      };
    },
  };
}

export function isByPlaces(object: PlanObject): boolean {
  return object.objectType === 'generalAdmission' && !object.bookAsAWhole;
}

export interface PlaceCount { booked: number; held: number; notForSale: number; free: number }

/** Booked, held, not for sale and free places add up to the capacity. */
export function countObject(object: PlanObject, state: ObjectState, sellable: Sellable): PlaceCount {
  const { capacity } = object;
  const whole = (status: boolean) => (status ? capacity : 0);
  const held = sellable.byPlaces ? countPlaces(state.places, (place) => place.status === HELD) : whole(state.status === HELD);
  const booked = sellable.byPlaces ? countPlaces(state.places, (place) => place.status !== HELD) : whole(state.status !== HELD && state.status !== 'free');
  const notForSale = Math.min(capacity - held - booked, sellable.byPlaces ? sellable.notForSale : whole(sellable.notForSale > 0));
  return { booked, held, notForSale, free: capacity - held - booked - notForSale };
}

/** The event's own categories are part of what is cached, the statuses are not. */
export function wireChartOf(ctx: Seatsio, event: LoadedEvent): WireChart {
  const { chart, row } = event;
  return ctx.wireCharts.get(JSON.stringify([
    chart.id, chart.published_version, row.table_booking_config, row.categories, row.object_categories,
  ]), () => wireChart(event.plan, {
    key: chart.key, version: chart.published_version,
    categories: event.categories.map((category): WireCategory => ({
      key: String(category.key), label: category.label, color: category.color, accessible: category.accessible,
    })),
    categoryOf: (object) => {
      const category = event.categoryOf(object);
      return category === null ? null : String(category.key);
    },
  }));
}
