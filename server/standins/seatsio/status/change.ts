/**
 * Changes the status of objects, for the API and for browsers: all objects of a call on all its
 * events, or none.
 */
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { findLiveToken } from './hold-tokens.ts';
import { logChange } from './objects.ts';
import {
  opensChannel,
  opensPlace,
  partitionsWithin,
} from '#server/standins/seatsio/catalog/reach.ts';
import {
  combine,
  dependentsOf,
  NOTHING_FOREIGN,
  readForeign,
} from '#server/standins/seatsio/catalog/season-view.ts';
import { trimOverrides } from './season-status.ts';
import { readStored, readStoredWhole, writeState } from './stored.ts';
import { isByPlaces } from '#server/standins/seatsio/catalog/catalog.ts';
import { changeStatus, countPlaces } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Origin } from './objects.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { Reach } from '#server/standins/seatsio/catalog/reach.ts';
import type { Foreign } from '#server/standins/seatsio/catalog/season-view.ts';
import type { AreaLimits, ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

export interface ObjectAsk {
  objectId: string;
  quantity?: number;
  ticketType?: string;
  extraData?: object | null;
}

export interface ChangeAsk extends Reach {
  /** `free` is a release. */
  status: string;
  objects: ObjectAsk[];
  holdToken?: string;
  orderId?: string;
  keepExtraData?: boolean;
  allowedPreviousStatuses?: string[];
  rejectedPreviousStatuses?: string[];
  resaleListingId?: string;
}

/**
 * Returns the new state of each object, once even if it is named twice. Must be called in a
 * transaction, which a throw rolls back.
 * @throws ApiError 400 OBJECT_NOT_FOUND, NOT_FOR_SALE, ILLEGAL_STATUS_CHANGE,
 * HOLD_TOKEN_NOT_FOUND, HOLD_TOKEN_EXPIRED
 */
export async function changeObjects(
  ctx: Writing,
  event: LoadedEvent,
  { ask, origin }: { ask: ChangeAsk; origin: Origin },
): Promise<Map<PlanObject, ObjectState>> {
  const objects = namedObjects(event, ask.objects);
  const states = new Map<PlanObject, ObjectState>();
  for (const [index, object] of objects.entries())
    states.set(
      object,
      await changeOne(ctx, event, { object, one: entryAt(ask.objects, index), ask, origin }),
    );
  const labels = objects.map(({ label }) => label);
  for (const id of event.family ? dependentsOf(event.family) : [event.row.id]) ctx.tell(id, labels);
  return states;
}

/** @throws ApiError 400 OBJECT_NOT_FOUND */
export function namedObjects(event: LoadedEvent, named: { objectId: string }[]): PlanObject[] {
  const objects = named.map(({ objectId }) => event.plan.byLabel.get(objectId));
  const unknown = named.filter((_, index) => !objects[index]).map(({ objectId }) => objectId);
  if (unknown.length > 0)
    throw new ApiError(400, 'OBJECT_NOT_FOUND', {
      message: `Objects not found: ${unknown.slice(0, 20).join(', ')} on event ${event.row.key}`,
    });
  return objects as PlanObject[];
}

/**
 * Must be called once per request, before the first object.
 * @throws ApiError 400 HOLD_TOKEN_NOT_FOUND, HOLD_TOKEN_EXPIRED
 */
export async function checkToken(
  ctx: Seatsio,
  workspace: Workspace,
  ask: ChangeAsk,
): Promise<void> {
  if (ask.holdToken !== undefined)
    await findLiveToken(ctx, workspace, { token: ask.holdToken, status: 400 });
  else if (ask.status === 'reservedByToken')
    throw new ApiError(400, 'HOLD_TOKEN_NOT_FOUND', { message: 'A hold needs a hold token' });
}

/** The event's own state of an object, and what other members of its season took. */
async function readBoth(
  ctx: Seatsio,
  event: LoadedEvent,
  object: PlanObject,
): Promise<{ own: ObjectState; foreign: Foreign }> {
  const read = isByPlaces(object) ? readStored : readStoredWhole;
  const own = await read(ctx, event.row.id, object.label);
  return {
    own,
    foreign: event.family
      ? await readForeign(ctx, event.family, {
          label: object.label,
          read: (id) => read(ctx, id, object.label),
        })
      : NOTHING_FOREIGN,
  };
}

async function changeOne(
  ctx: Writing,
  event: LoadedEvent,
  {
    object,
    one,
    ask,
    origin,
  }: { object: PlanObject; one: ObjectAsk; ask: ChangeAsk; origin: Origin },
): Promise<ObjectState> {
  const { label } = object;
  const refuse = (code: string, because: string, sentence?: string) =>
    new ApiError(400, code, {
      message: sentence ?? `${label} cannot become ${ask.status}: ${because}`,
    });
  const quantity = one.quantity ?? 1;
  const odd = quantityRefusal(object, one.quantity, ask);
  if (odd) throw refuse('GENERAL_ERROR', odd);
  const { own, foreign } = await readBoth(ctx, event, object);
  const closed = seasonRefusal(event, own, foreign) ?? channelRefusal(event, own, { object, ask });
  if (closed) throw refuse('ILLEGAL_STATUS_CHANGE', closed);
  const next = changeStatus(event.sellable(object), own, {
    status: ask.status,
    quantity,
    holdToken: ask.holdToken ?? null,
    orderId: ask.orderId ?? null,
    ticketType: one.ticketType ?? null,
    extraData: one.extraData ? JSON.stringify(one.extraData) : null,
    keepExtraData: ask.keepExtraData ?? false,
    allowedPreviousStatuses: ask.allowedPreviousStatuses ?? null,
    rejectedPreviousStatuses: ask.rejectedPreviousStatuses ?? null,
    resaleListingId: ask.resaleListingId ?? null,
    limits: isByPlaces(object) ? limitsOf(event, object, { own, foreign, reach: ask }) : undefined,
  });
  if ('refused' in next) throw refuse(next.refused, next.because, next.sentence);
  await writeState(ctx, event.row.id, { label, before: own, state: next });
  const status = isByPlaces(object) ? ask.status : next.status;
  // Releasing an object that was already free changes nothing.
  if (!isByPlaces(object) && status === own.status) return combine(next, foreign);
  if (event.family && event.row.kind !== 'event' && ask.status === 'free')
    await trimOverrides(ctx, event.row.id, { label, state: next });
  await logChange(ctx, event.row.id, {
    origin,
    change: {
      label,
      status,
      quantity,
      order_id: ask.orderId ?? null,
      hold_token: ask.holdToken ?? null,
      extra_data: next.extra_data,
    },
  });
  return combine(next, foreign);
}

function limitsOf(
  event: LoadedEvent,
  object: PlanObject,
  { own, foreign, reach }: { own: ObjectState; foreign: Foreign; reach: Reach },
): AreaLimits {
  return {
    elsewhere: countPlaces(foreign.places, () => true),
    partitions: partitionsWithin(event, object, { state: combine(own, foreign), reach }),
    opens: (channel) => opensPlace(event, object, { reach, channel }),
  };
}

/**
 * Only places of an area can be taken by number. An area that is sold as one to parties of
 * varying size accepts the sizes that fit.
 */
function quantityRefusal(
  object: PlanObject,
  said: number | undefined,
  ask: ChangeAsk,
): string | null {
  const quantity = said ?? 1;
  if (isByPlaces(object)) return null;
  if (quantity > 1 && !object.bookAsAWhole)
    return `it is one ${object.objectType}, not ${quantity}`;
  if (object.objectType !== 'generalAdmission' || ask.status === 'free') return null;
  if (quantity > object.capacity)
    return `it has ${object.capacity} places, ${quantity} were asked for`;
  // Without a number all of it is taken.
  return object.variableOccupancy && said !== undefined && said < object.minOccupancy
    ? `it is taken by at least ${object.minOccupancy}`
    : null;
}

/** An event cannot sell what its season has sold, and the reverse. */
function seasonRefusal(event: LoadedEvent, own: ObjectState, foreign: Foreign): string | null {
  if (!foreign.whole || own.status !== 'free') return null;
  return `it is ${foreign.whole.status} ${event.row.kind === 'event' ? 'for a season of this event; its season status can be overridden' : 'elsewhere in this season'}`;
}

/** A seat on resale by its owner is open to all buyers, whatever its channel. */
function channelRefusal(
  event: LoadedEvent,
  own: ObjectState,
  { object, ask }: { object: PlanObject; ask: ChangeAsk },
): string | null {
  if (isByPlaces(object) || own.status === 'resale') return null;
  const channel = event.channelOf(object.label) ?? null;
  if (opensChannel(ask, channel)) return null;
  return channel === null
    ? 'it belongs to no channel'
    : 'it belongs to a channel whose key was not given';
}
