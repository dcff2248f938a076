/** The API's calls on the objects of events: read them, change their status, their extra data, and read what happened to them. */
import * as v from 'valibot';
import { changeObjects, checkToken } from './change.ts';
import { loadEvent } from './catalog.ts';
import { transact } from './context.ts';
import { ApiError, badRequest } from './errors.ts';
import { describeObject } from './object-info.ts';
import { readState, writeState } from './objects.ts';
import { readPage } from './paging.ts';
import { keyRoute, readJson } from './router.ts';
import type { LoadedEvent } from './catalog.ts';
import type { ChangeAsk } from './change.ts';
import type { Seatsio, Tell, Workspace } from './context.ts';
import type { Origin } from './objects.ts';
import type { PlanObject } from './plan.ts';
import type { Call, Route } from './router.ts';

const MAX_EXTRA_DATA = 20_000;

/** JSON nested deeper than the stack can write is bad input, not our fault. */
function isWritable(value: Record<string, unknown>): boolean {
  try {
    return JSON.stringify(value).length <= MAX_EXTRA_DATA;
  } catch {
    return false;
  }
}

const extraData = v.pipe(v.record(v.string(), v.unknown()), v.check(isWritable, `an object of at most ${MAX_EXTRA_DATA} characters expected`));
const objectId = v.pipe(v.string(), v.nonEmpty());
const describedObject = v.object({
  objectId, quantity: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1))), ticketType: v.nullish(v.string()), extraData: v.nullish(extraData),
});
const oneObject = v.union([v.pipe(objectId, v.transform((id): v.InferOutput<typeof describedObject> => ({ objectId: id }))), describedObject]);
const statuses = v.nullish(v.array(v.string()));
const changeEntries = {
  type: v.nullish(v.picklist(['CHANGE_STATUS_TO', 'RELEASE']), 'CHANGE_STATUS_TO'),
  status: v.nullish(v.pipe(v.string(), v.nonEmpty(), v.maxLength(200))),
  objects: v.pipe(v.array(oneObject), v.minLength(1, 'expected minimum item count: 1, found: 0')),
  holdToken: v.nullish(v.string()), orderId: v.nullish(v.string()), keepExtraData: v.nullish(v.boolean()), ignoreChannels: v.nullish(v.boolean()),
  channelKeys: v.nullish(v.array(v.string())),
  allowedPreviousStatuses: statuses, rejectedPreviousStatuses: statuses, resaleListingId: v.nullish(v.string()),
};
const groupBody = v.object({ events: v.pipe(v.array(v.string()), v.minLength(1, 'expected minimum item count: 1, found: 0')), ...changeEntries });
const batchBody = v.object({ statusChanges: v.pipe(
  v.array(v.object({ event: v.string(), ...changeEntries })), v.minLength(1, 'expected minimum item count: 1, found: 0'),
) });

function askOf(body: Omit<v.InferOutput<typeof groupBody>, 'events'>): ChangeAsk {
  const status = body.type === 'RELEASE' ? 'free' : body.status;
  if (status === null || status === undefined) throw badRequest('#/status: required key [status] not found');
  return {
    status, objects: body.objects.map((one) => ({
      objectId: one.objectId, quantity: one.quantity ?? undefined, ticketType: one.ticketType ?? undefined, extraData: one.extraData,
    })),
    holdToken: body.holdToken ?? undefined, orderId: body.orderId ?? undefined, keepExtraData: body.keepExtraData ?? false,
    ignoreChannels: body.ignoreChannels ?? false, channelKeys: body.channelKeys ?? undefined,
    allowedPreviousStatuses: body.allowedPreviousStatuses ?? undefined, rejectedPreviousStatuses: body.rejectedPreviousStatuses ?? undefined,
    resaleListingId: body.resaleListingId ?? undefined,
  };
}

function describeAll(ctx: Seatsio, event: LoadedEvent, objects: PlanObject[]) {
  return Object.fromEntries(objects.map((object) => [object.label, describeObject(event, object, readState(ctx, event.row.id, object.label))]));
}

/** One request on one or more events; answers with the objects of the first. */
function change(ctx: Seatsio, workspace: Workspace, { events, ask, origin, tell }: { events: string[]; ask: ChangeAsk; origin: Origin; tell: Tell }) {
  checkToken(ctx, workspace, ask);
  const changed = events.map((key) => {
    const event = loadEvent(ctx, workspace, key);
    return { event, objects: changeObjects(ctx, event, { ask, origin, tell }) };
  });
  return { objects: describeAll(ctx, changed[0]!.event, changed[0]!.objects) };
}

function originOf(call: Call): Origin {
  return { type: 'API_CALL', ip: call.ip };
}

/** @throws ApiError 404 OBJECT_NOT_FOUND naming those that the chart does not have */
function findObjects(event: LoadedEvent, labels: string[]): PlanObject[] {
  const unknown = labels.filter((label) => !event.plan.byLabel.has(label));
  if (unknown.length > 0) throw new ApiError(
    404, 'OBJECT_NOT_FOUND',
    { message: `Objects not found: ${unknown.slice(0, 20).join(', ')} on event ${event.row.key}`, data: { objects: unknown } },
  );
  return labels.map((label) => event.plan.byLabel.get(label)!);
}

function writeExtraData(ctx: Seatsio, workspace: Workspace, { key, data }: { key: string; data: Map<string, object> }): undefined {
  const event = loadEvent(ctx, workspace, key);
  findObjects(event, [...data.keys()]);
  transact(ctx, () => {
    for (const [label, extra] of data) writeState(
      ctx, event.row.id, { label, state: { ...readState(ctx, event.row.id, label), extra_data: JSON.stringify(extra) } },
    );
  });
  return undefined;
}

interface StatusChangeRow {
  id: number; event_id: number; label: string; status: string; quantity: number; order_id: string | null; hold_token: string | null;
  extra_data: string | null; origin_type: string; origin_ip: string | null; at: number;
}

const SORTS: Record<string, string> = { date: 'at', objectLabel: 'label', status: 'status' };
/** The filter stands twice in each, so that both are given the same values. */
const FILTERS: Record<string, string> = {
  CONTAINS: "instr(lower(label), lower(?)) > 0 AND ? <> ''", BEGINS_WITH: 'substr(lower(label), 1, length(?)) = lower(?)',
};

/** `?filter&filterType=CONTAINS|BEGINS_WITH&sort=date|objectLabel|status[:asc|:desc]` -> page of StatusChange; newest first unless sorted. */
function listStatusChanges(ctx: Seatsio, workspace: Workspace, { call, label }: { call: Call; label?: string }) {
  const event = loadEvent(ctx, workspace, call.params.event!);
  const [field = 'date', direction = 'asc'] = (call.query.get('sort') || 'date:desc').split(':');
  if (!Object.hasOwn(SORTS, field) || direction !== 'asc' && direction !== 'desc') throw badRequest(`#/sort: unknown order ${field}:${direction}`);
  const filterType = call.query.get('filterType') || 'CONTAINS';
  if (!Object.hasOwn(FILTERS, filterType)) throw badRequest(`#/filterType: ${filterType} is not a valid enum value`);
  const filter = call.query.get('filter') ?? '';
  const page = readPage<StatusChangeRow>(ctx.sql, call.query, {
    select: 'SELECT * FROM seatsio_status_changes', sort: field === 'date' ? 'id' : SORTS[field]!, direction,
    where: `event_id = ?${label === undefined ? '' : ' AND label = ?'}${filter === '' ? '' : ` AND ${FILTERS[filterType]}`}`,
    values: [event.row.id, ...(label === undefined ? [] : [label]), ...(filter === '' ? [] : [filter, filter])],
  });
  return {
    ...page,
    items: page.items.map((row) => {
      const object = event.plan.byLabel.get(row.label);
      return {
        id: row.id, eventId: row.event_id, status: row.status, quantity: row.quantity, objectLabel: row.label,
        displayedLabel: object?.displayedLabel ?? row.label, date: new Date(row.at).toISOString(),
        orderId: row.order_id ?? undefined, holdToken: row.hold_token ?? undefined,
        extraData: row.extra_data === null ? undefined : JSON.parse(row.extra_data) as object,
        origin: { type: row.origin_type, ip: row.origin_ip ?? undefined }, isPresentOnChart: object !== undefined,
      };
    }),
  };
}

export const objectRoutes: Route[] = [
  /** {events, objects, type, status?, …} -> {objects: {label: EventObjectInfo}}; all objects on all events, or none */
  keyRoute('POST', '/events/groups/actions/change-object-status', (ctx, call, workspace) => {
    const { events, ...body } = readJson(call, groupBody);
    return transact(ctx, (tell) => change(ctx, workspace, { events: [...new Set(events)], ask: askOf(body), origin: originOf(call), tell }));
  }),
  /** {statusChanges: [{event, …}]} -> {results: [{objects}]}; one transaction */
  keyRoute('POST', '/events/actions/change-object-status', (ctx, call, workspace) => {
    const { statusChanges } = readJson(call, batchBody);
    return transact(
      ctx,
      (tell) => ({ results: statusChanges.map(({ event, ...body }) => change(
        ctx, workspace, { events: [event], ask: askOf(body), origin: originOf(call), tell },
      )) }),
    );
  }),
  /** `?label=A-1&label=A-2` -> {label: EventObjectInfo}, only those asked for */
  keyRoute('GET', '/events/:event/objects', (ctx, call, workspace) => {
    const event = loadEvent(ctx, workspace, call.params.event!);
    return describeAll(ctx, event, findObjects(event, call.query.getAll('label')));
  }),
  keyRoute('GET', '/events/:event/status-changes', (ctx, call, workspace) => listStatusChanges(ctx, workspace, { call })),
  keyRoute(
    'GET', '/events/:event/objects/:label/status-changes',
    (ctx, call, workspace) => listStatusChanges(ctx, workspace, { call, label: call.params.label! }),
  ),
  keyRoute('POST', '/events/:event/objects/:label/actions/update-extra-data', (ctx, call, workspace) => {
    const body = readJson(call, v.object({ extraData }));
    return writeExtraData(ctx, workspace, { key: call.params.event!, data: new Map([[call.params.label!, body.extraData]]) });
  }),
  /** {extraData: {label: {}}} */
  keyRoute('POST', '/events/:event/actions/update-extra-data', (ctx, call, workspace) => {
    const body = readJson(call, v.object({ extraData: v.record(v.string(), extraData) }));
    return writeExtraData(ctx, workspace, { key: call.params.event!, data: new Map(Object.entries(body.extraData)) });
  }),
];
