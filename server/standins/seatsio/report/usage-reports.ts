/**
 * The reports on billable use. Nothing is billed here: used objects are counted, but renderings
 * and plans are zero.
 */
import { companyHasChart } from '#server/standins/seatsio/statements/charts.ts';
import { companyEvent, type EventRow } from '#server/standins/seatsio/statements/events.ts';
import { companyRoute } from '#server/standins/seatsio/company/callers.ts';
import { ApiError, badRequest, notFound } from '#server/standins/seatsio/errors.ts';
import { companyUses, usesOf } from './usage.ts';
import type { Company } from '#server/standins/seatsio/statements/companies.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';
import type { Use, UsedEvent } from './usage.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** The month in the path, `2026-11`; `2026-9` is also accepted. */
function readMonth(text: string): { name: string; month: { year: number; month: number } } {
  const found = /^(\d{4})-(\d{1,2})$/.exec(text);
  const [year, month] = [Number(found?.[1]), Number(found?.[2])];
  if (!found || month < 1 || month > 12)
    throw badRequest(`#/month: a month like 2026-11 expected, found: ${text}`);
  return { name: `${found[1]}-${String(month).padStart(2, '0')}`, month: { year, month } };
}

function countIn(uses: Use[], month: string): number {
  return uses.reduce((sum, use) => (use.month === month ? sum + use.count : sum), 0);
}

function chartOf({ chart: { name, key } }: UsedEvent): { name: string; key: string } {
  return { name, key };
}

async function summarise(ctx: Seatsio, company: Company) {
  const uses = (await companyUses(ctx, company.id)).flatMap((used) => used.uses);
  const months = [...new Set(uses.map(({ month }) => month))].sort();
  return {
    usageCutoffDate: new Date(ctx.now()).toISOString(),
    usage: months.map((month) => ({
      month: readMonth(month).month,
      numUsedObjects: countIn(uses, month),
    })),
  };
}

async function detail(ctx: Seatsio, company: Company, month: string) {
  const used = (await companyUses(ctx, company.id)).filter(({ uses }) => countIn(uses, month) > 0);
  const byWorkspace = Map.groupBy(used, ({ event }) => event.workspace_id);
  return [...byWorkspace].map(([workspace, inWorkspace]) => ({
    workspace,
    usageByChart: [...Map.groupBy(inWorkspace, ({ chart }) => chart.id).values()].map(
      (onChart) => ({
        chart: chartOf(entryAt(onChart, 0)),
        usageByEvent: onChart.map(({ event, uses }) => ({
          event: { deleted: false, id: event.id, key: event.key },
          numUsedObjects: countIn(uses, month),
        })),
      }),
    ),
  }));
}

function detailEvent({ uses }: UsedEvent, month: string) {
  const labels = [
    ...new Set(uses.filter((use) => use.month === month).map(({ label }) => label)),
  ].sort();
  return labels.map((object) => {
    const own = uses.filter((use) => use.label === object && use.month === month);
    return {
      object,
      numUsedObjects: countIn(own, month),
      usageByReason: Object.fromEntries(own.map(({ reason, count }) => [reason, count])),
    };
  });
}

/** Finds an event by the id in the path. */
async function findOwnEvent(ctx: Seatsio, company: Company, id: string): Promise<EventRow> {
  const event = /^\d{1,15}$/.test(id)
    ? await companyEvent(ctx.sql, company.id, Number(id))
    : undefined;
  if (!event)
    throw new ApiError(404, 'EVENT_NOT_FOUND', {
      message: `Event not found: no event has the id ${id}`,
    });
  return event;
}

export const usageReportRoutes: Route[] = [
  /**
   * -> {usageCutoffDate ISO, usage: [{month: {year, month}, numUsedObjects}]}, oldest first,
   * without months of no use
   */
  companyRoute('GET', '/reports/usage', (ctx, _call, company) => summarise(ctx, company)),
  /**
   * -> [{workspace: id, usageByChart: [{chart: {name, key}, usageByEvent: [{event: {deleted, id,
   * key}, numUsedObjects}]}]}]
   */
  companyRoute('GET', '/reports/usage/month/:month', (ctx, call, company) =>
    detail(ctx, company, readMonth(call.params.month).name),
  ),
  /** -> [{object, numUsedObjects, usageByReason: {SELECTED?, STATUS_CHANGED?}}] */
  companyRoute('GET', '/reports/usage/month/:month/event/:event', async (ctx, call, company) =>
    detailEvent(
      await usesOf(ctx, await findOwnEvent(ctx, company, call.params.event)),
      readMonth(call.params.month).name,
    ),
  ),
  /** -> {companyId, usage: {}}: renderings are not counted */
  companyRoute('GET', '/reports/usage/rendering', (_ctx, _call, company) => ({
    companyId: company.id,
    usage: {},
  })),
  companyRoute('GET', '/reports/usage/rendering/month/:month', (_ctx, call, company) => ({
    companyId: company.id,
    month: readMonth(call.params.month).month,
    usage: {},
  })),
  /** -> [] */
  companyRoute(
    'GET',
    '/reports/usage/rendering/month/:month/chart/:chart',
    async (ctx, call, company) => {
      readMonth(call.params.month);
      if (!(await companyHasChart(ctx.sql, company.id, call.params.chart)))
        throw notFound('Chart', call.params.chart);
      return [];
    },
  ),
  /** -> {planName, …}: the only plan, without limit or price. The vendor's shape is unknown. */
  companyRoute('GET', '/reports/subscription', (_ctx, _call, company) => ({
    companyId: company.id,
    planName: 'self-hosted',
    currency: 'EUR',
    price: 0,
    maxNumUsedObjects: null,
  })),
];
