/** The status changes of an event's objects, as a list with filter, order and pages. */
import {
  pageOfStatusChanges,
  type StatusChangeRow,
} from '#server/standins/seatsio/statements/status-changes.ts';
import { loadEvent, planOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { badRequest } from '#server/standins/seatsio/errors.ts';
import { keyRoute } from '#server/standins/seatsio/router.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

const SORTS = { date: 'id', objectLabel: 'label', status: 'status' } as const;
const FILTER_TYPES = ['CONTAINS', 'BEGINS_WITH'] as const;

/**
 * `?filter&filterType=CONTAINS|BEGINS_WITH&sort=date|objectLabel|status[:asc|:desc]` -> page of
 * StatusChange; newest first unless sorted.
 */
async function listStatusChanges(
  ctx: Seatsio,
  workspace: Workspace,
  { call, label }: { call: Call<'event'>; label?: string },
) {
  const event = await loadEvent(ctx, workspace, call.params.event);
  const [field = 'date', asked = 'asc'] = (call.query.get('sort') || 'date:desc').split(':');
  const direction = asked.toLowerCase();
  if (!isSortable(field) || (direction !== 'asc' && direction !== 'desc'))
    throw badRequest(`#/sort: unknown order ${field}:${direction}`);
  const type = call.query.get('filterType') || 'CONTAINS';
  const filterType = FILTER_TYPES.find((known) => known === type);
  if (!filterType) throw badRequest(`#/filterType: ${type} is not a valid enum value`);
  const page = await pageOfStatusChanges(ctx.sql, call.query, {
    eventId: event.row.id,
    label,
    filter: call.query.get('filter') ?? '',
    filterType,
    sort: SORTS[field],
    direction,
  });
  return {
    ...page,
    items: await Array.fromAsync(page.items, (row) => describeChange(ctx, event, row)),
  };
}

function isSortable(field: string): field is keyof typeof SORTS {
  return Object.hasOwn(SORTS, field);
}

async function describeChange(ctx: Seatsio, event: LoadedEvent, row: StatusChangeRow) {
  const object = event.plan.byLabel.get(row.label);
  return {
    id: row.id,
    eventId: row.event_id,
    status: row.status,
    quantity: row.quantity,
    objectLabel: row.label,
    displayedLabel: object?.displayedLabel ?? row.label,
    date: new Date(row.at).toISOString(),
    orderId: row.order_id ?? undefined,
    holdToken: row.hold_token ?? undefined,
    extraData: row.extra_data === null ? undefined : (JSON.parse(row.extra_data) as object),
    origin: { type: row.origin_type, ip: row.origin_ip ?? undefined },
    isPresentOnChart: object !== undefined,
    notPresentOnChartReason: object ? undefined : await whyGone(ctx, event, row.label),
  };
}

/** Why an object is gone: its table is now sold seat by seat or whole, or it is not drawn. */
async function whyGone(
  ctx: Seatsio,
  { chart }: LoadedEvent,
  label: string,
): Promise<string | undefined> {
  const isOn = async (mode: 'ALL_BY_TABLE' | 'ALL_BY_SEAT') =>
    (await planOf(ctx, { id: chart.id, version: chart.published_version }, { mode })).byLabel.has(
      label,
    );
  if (await isOn('ALL_BY_TABLE')) return 'SWITCHED_TO_BOOK_BY_SEAT';
  return (await isOn('ALL_BY_SEAT')) ? 'SWITCHED_TO_BOOK_BY_TABLE' : 'DELETED';
}

export const statusChangeRoutes: Route[] = [
  keyRoute('GET', '/events/:event/status-changes', (ctx, call, workspace) =>
    listStatusChanges(ctx, workspace, { call }),
  ),
  keyRoute('GET', '/events/:event/objects/:label/status-changes', (ctx, call, workspace) =>
    listStatusChanges(ctx, workspace, { call, label: call.params.label }),
  ),
];
