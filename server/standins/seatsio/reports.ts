/** Reports: the objects of an event, flat or grouped by one of their properties. */
import { loadEvent } from './catalog.ts';
import { NO_CHANNEL } from './change.ts';
import { ApiError } from './errors.ts';
import { describeObject } from './object-info.ts';
import { readStates } from './objects.ts';
import { keyRoute } from './router.ts';
import type { LoadedEvent } from './catalog.ts';
import type { Seatsio, Workspace } from './context.ts';
import type { ObjectInfo } from './object-info.ts';
import type { Route } from './router.ts';

interface Grouping {
  of: (info: ObjectInfo) => string;
  /** Groups that appear even when they are empty. */
  always?: (event: LoadedEvent) => string[];
}

const GROUPINGS: Record<string, Grouping> = {
  byStatus: { of: (info) => info.status },
  byObjectType: { of: (info) => info.objectType, always: () => ['seat', 'generalAdmission', 'table', 'booth'] },
  byCategoryKey: { of: (info) => info.categoryKey ?? 'NO_CATEGORY', always: (event) => [...event.categories.map(({ key }) => String(key)), 'NO_CATEGORY'] },
  byCategoryLabel: { of: (info) => info.categoryLabel ?? 'NO_CATEGORY', always: (event) => [...event.categories.map(({ label }) => label), 'NO_CATEGORY'] },
  byLabel: { of: (info) => info.label },
  byOrderId: { of: (info) => info.orderId ?? 'NO_ORDER_ID' },
  bySection: { of: (info) => info.section ?? 'NO_SECTION' },
  byZone: { of: (info) => info.zone ?? 'NO_ZONE', always: (event) => [...event.plan.zones.map(({ key }) => key), 'NO_ZONE'] },
  byAvailability: { of: (info) => (info.isAvailable ? 'available' : 'not_available') },
  byAvailabilityReason: { of: (info) => info.availabilityReason },
  byChannel: { of: (info) => info.channel ?? NO_CHANNEL, always: (event) => [...event.channels.map(({ key }) => key), NO_CHANNEL] },
};

function describeAll(ctx: Seatsio, event: LoadedEvent): ObjectInfo[] {
  const states = readStates(ctx, event.row.id);
  return event.plan.objects.map((object) => describeObject(event, object, states.get(object.label)));
}

/** With a filter the answer holds that one group only, empty or not. */
function group(ctx: Seatsio, workspace: Workspace, { key, type, filter }: { key: string; type: string; filter?: string }) {
  const grouping = Object.hasOwn(GROUPINGS, type) ? GROUPINGS[type]! : undefined;
  if (!grouping) throw new ApiError(404, 'REPORT_NOT_FOUND', { message: `Report not found: ${type}` });
  const event = loadEvent(ctx, workspace, key);
  const groups = new Map<string, ObjectInfo[]>((filter === undefined ? grouping.always?.(event) ?? [] : [filter]).map((name) => [name, []]));
  for (const info of describeAll(ctx, event)) {
    const name = grouping.of(info);
    if (filter !== undefined && name !== filter) continue;
    const members = groups.get(name) ?? [];
    members.push(info);
    groups.set(name, members);
  }
  return Object.fromEntries(groups);
}

export const reportRoutes: Route[] = [
  /** -> [EventObjectInfo], sorted by label */
  keyRoute('GET', '/reports/events/:event', (ctx, call, workspace) => describeAll(ctx, loadEvent(ctx, workspace, call.params.event!))),
  /** -> {group: [EventObjectInfo]} */
  keyRoute('GET', '/reports/events/:event/:type', (ctx, call, workspace) => group(ctx, workspace, { key: call.params.event!, type: call.params.type! })),
  keyRoute(
    'GET', '/reports/events/:event/:type/:filter',
    (ctx, call, workspace) => group(ctx, workspace, { key: call.params.event!, type: call.params.type!, filter: call.params.filter! }),
  ),
];
