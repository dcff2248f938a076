/** The API's calls on the objects of events: reading, changing status, changing extra data. */
import * as v from 'valibot';
import {
  askOf,
  batchBody,
  extraData,
  groupBody,
  isSeasonAction,
  someObjects,
} from './change-body.ts';
import { changeObjects, checkToken, namedObjects } from './change.ts';
import { loadEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { describeObject } from './object-info.ts';
import { readStates } from './objects.ts';
import { FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { changeSeasonStatus } from './season-status.ts';
import { readStored, writeState } from './stored.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { BatchItem } from './change-body.ts';
import type { ChangeAsk } from './change.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Origin } from './objects.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';
import type { SeasonAction } from './season-status.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';
import { entryOf, entryAt } from '#server/drawing/model/entry.ts';

function describeAll(event: LoadedEvent, states: Iterable<readonly [PlanObject, ObjectState]>) {
  return Object.fromEntries(
    [...states].map(([object, state]) => [object.label, describeObject(event, object, state)]),
  );
}

async function describeRead(ctx: Seatsio, event: LoadedEvent, objects: PlanObject[]) {
  const labels = objects.map(({ label }) => label);
  const states = await readStates(ctx, event.row.id, { labels });
  return describeAll(
    event,
    objects.map((object) => [object, states.get(object.label) ?? FREE]),
  );
}

/** Changes one or more events; answers the objects of the first. */
async function change(
  ctx: Writing,
  workspace: Workspace,
  { events, ask, origin }: { events: string[]; ask: ChangeAsk; origin: Origin },
) {
  await checkToken(ctx, workspace, ask);
  const changed = await Array.fromAsync(events, async (key) => {
    const event = await loadEvent(ctx, workspace, key);
    return { event, states: await changeObjects(ctx, event, { ask, origin }) };
  });
  const first = entryAt(changed, 0);
  return { objects: describeAll(first.event, first.states) };
}

/** If a batch names an event several times, each answer shows the state after its own step. */
async function changeInBatch(
  ctx: Writing,
  workspace: Workspace,
  { item, origin }: { item: BatchItem; origin: Origin },
) {
  const { event: key, type, season, ...body } = item;
  if (!isSeasonAction(type))
    return change(ctx, workspace, { events: [key], ask: askOf({ ...body, type }), origin });
  return {
    objects: await changeSeason(ctx, workspace, {
      key,
      action: type,
      objects: body.objects,
      season,
    }),
  };
}

interface SeasonAsk {
  key: string;
  action: SeasonAction;
  objects: BatchItem['objects'];
  season: string | null | undefined;
}

async function changeSeason(
  ctx: Writing,
  workspace: Workspace,
  { key, action, objects, season }: SeasonAsk,
) {
  const event = await loadEvent(ctx, workspace, key);
  const named = namedObjects(event, objects);
  await changeSeasonStatus(ctx, event, {
    action,
    season: season ?? undefined,
    objects: named.map((object, index) => ({ object, quantity: objects[index]?.quantity ?? 1 })),
  });
  return describeRead(ctx, event, [...new Set(named)]);
}

function originOf(call: Call): Origin {
  return { type: 'API_CALL', ip: call.ip };
}

/** The objects are answered only with `?expand=objects`. */
function expanded<T extends object>(call: Call, answer: T): T | undefined {
  return call.query.getAll('expand').includes('objects') ? answer : undefined;
}

/** @throws ApiError 404 OBJECT_NOT_FOUND with the labels that the chart does not have */
function findObjects(event: LoadedEvent, labels: string[]): PlanObject[] {
  const unknown = labels.filter((label) => !event.plan.byLabel.has(label));
  if (unknown.length > 0)
    throw new ApiError(404, 'OBJECT_NOT_FOUND', {
      message: `Objects not found: ${unknown.slice(0, 20).join(', ')} on event ${event.row.key}`,
    });
  return labels.map((label) => entryOf(event.plan.byLabel, label));
}

async function writeExtraData(
  ctx: Writing,
  workspace: Workspace,
  { key, data }: { key: string; data: Map<string, object> },
): Promise<undefined> {
  const event = await loadEvent(ctx, workspace, key);
  findObjects(event, [...data.keys()]);
  for (const [label, extra] of data) {
    const before = await readStored(ctx, event.row.id, label);
    await writeState(ctx, event.row.id, {
      label,
      before,
      state: { ...before, extra_data: JSON.stringify(extra) },
    });
  }
  ctx.tell(event.row.id, [...data.keys()]);

  return undefined;
}

const seasonBody = v.object({ objects: someObjects, season: v.nullish(v.string()) });

function seasonRoute(path: `/events/:event/${string}`, action: SeasonAction): Route {
  return keyRoute('POST', path, async (ctx, call, workspace) => {
    const { objects, season } = readJson(call, seasonBody);
    await changeSeason(ctx, workspace, { key: call.params.event, action, objects, season });
    return undefined;
  });
}

export const objectRoutes: Route[] = [
  /**
   * {events, objects, type, status?, …} -> with `?expand=objects` {objects: {label:
   * EventObjectInfo}}; all objects on all events, or none
   */
  keyRoute('POST', '/events/groups/actions/change-object-status', async (ctx, call, workspace) => {
    const { events, ...body } = readJson(call, groupBody);
    return expanded(
      call,
      await change(ctx, workspace, {
        events: [...new Set(events)],
        ask: askOf(body),
        origin: originOf(call),
      }),
    );
  }),
  /**
   * {statusChanges: [{event, type, …}]} -> with `?expand=objects` {results: [{objects}]}; one
   * transaction
   */
  keyRoute('POST', '/events/actions/change-object-status', async (ctx, call, workspace) => {
    const { statusChanges } = readJson(call, batchBody);
    return expanded(call, {
      results: await Array.fromAsync(statusChanges, (item) =>
        changeInBatch(ctx, workspace, { item, origin: originOf(call) }),
      ),
    });
  }),
  /** {objects, season?}: frees a season's places on this event alone */
  seasonRoute('/events/:event/actions/override-season-status', 'OVERRIDE_SEASON_STATUS'),
  /** The same body: ends the override. */
  seasonRoute('/events/:event/actions/use-season-status', 'USE_SEASON_STATUS'),
  /** `?label=A-1&label=A-2` -> {label: EventObjectInfo} of these labels only */
  keyRoute('GET', '/events/:event/objects', async (ctx, call, workspace) => {
    const event = await loadEvent(ctx, workspace, call.params.event);
    return describeRead(ctx, event, findObjects(event, call.query.getAll('label')));
  }),
  keyRoute(
    'POST',
    '/events/:event/objects/:label/actions/update-extra-data',
    async (ctx, call, workspace) => {
      const body = readJson(call, v.object({ extraData }));
      return writeExtraData(ctx, workspace, {
        key: call.params.event,
        data: new Map([[call.params.label, body.extraData]]),
      });
    },
  ),
  /** {extraData: {label: {}}} */
  keyRoute('POST', '/events/:event/actions/update-extra-data', async (ctx, call, workspace) => {
    const body = readJson(call, v.object({ extraData: v.record(v.string(), extraData) }));
    return writeExtraData(ctx, workspace, {
      key: call.params.event,
      data: new Map(Object.entries(body.extraData)),
    });
  }),
];
