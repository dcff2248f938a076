/** Changes of status, from the API and from browsers: all objects of a call on all its events, or none. */
import { ApiError } from './errors.ts';
import { findLiveToken } from './hold-tokens.ts';
import { logChange, readState, writeState } from './objects.ts';
import { isByPlaces } from './catalog.ts';
import { changeStatus } from './status-rule.ts';
import type { LoadedEvent } from './catalog.ts';
import type { Seatsio, Tell, Workspace } from './context.ts';
import type { Origin } from './objects.ts';
import type { PlanObject } from './plan.ts';

export interface ObjectAsk { objectId: string; quantity?: number; ticketType?: string; extraData?: object | null }

export interface ChangeAsk {
  /** `free` releases. */
  status: string;
  objects: ObjectAsk[];
  holdToken?: string;
  orderId?: string;
  keepExtraData?: boolean;
  ignoreChannels?: boolean;
  channelKeys?: string[];
  allowedPreviousStatuses?: string[];
  rejectedPreviousStatuses?: string[];
  resaleListingId?: string;
}

export const NO_CHANNEL = 'NO_CHANNEL';

/**
 * Runs inside a transaction of the caller; a throw undoes everything.
 * @throws ApiError 400 OBJECT_NOT_FOUND, NOT_FOR_SALE, ILLEGAL_STATUS_CHANGE, HOLD_TOKEN_NOT_FOUND, HOLD_TOKEN_EXPIRED
 */
export function changeObjects(ctx: Seatsio, event: LoadedEvent, { ask, origin, tell }: { ask: ChangeAsk; origin: Origin; tell: Tell }): PlanObject[] {
  const objects = ask.objects.map(({ objectId }) => event.plan.byLabel.get(objectId));
  const unknown = ask.objects.filter((_, index) => !objects[index]).map(({ objectId }) => objectId);
  if (unknown.length > 0) {
    throw new ApiError(
      400, 'OBJECT_NOT_FOUND',
      { message: `Objects not found: ${unknown.slice(0, 20).join(', ')} on event ${event.row.key}`, data: { objects: unknown } },
    );
  }
  for (const [index, object] of objects.entries()) {
    changeOne(ctx, event, { object: object!, one: ask.objects[index]!, ask, origin });
  }
  tell(event.row.id, ask.objects.map(({ objectId }) => objectId));
  return objects as PlanObject[];
}

/** @throws ApiError as changeObjects; call once per request, before its first object */
export function checkToken(ctx: Seatsio, workspace: Workspace, ask: ChangeAsk): void {
  if (ask.holdToken !== undefined) findLiveToken(ctx, workspace, { token: ask.holdToken, status: 400 });
  else if (ask.status === 'reservedByToken') throw new ApiError(400, 'HOLD_TOKEN_NOT_FOUND', { message: 'A hold needs a hold token' });
}

function changeOne(
  ctx: Seatsio, event: LoadedEvent, { object, one, ask, origin }: { object: PlanObject; one: ObjectAsk; ask: ChangeAsk; origin: Origin },
): void {
  const { label } = object;
  const refuse = (code: string, because: string) => new ApiError(
    400, code, { message: `${label} cannot become ${ask.status}: ${because}`, data: { object: label, event: event.row.key } },
  );
  const quantity = one.quantity ?? 1;
  if (quantity > 1 && !isByPlaces(object) && !object.bookAsAWhole) throw refuse('GENERAL_ERROR', `it is one ${object.objectType}, not ${quantity}`);
  const closed = channelRefusal(event, label, ask);
  if (closed) throw refuse('ILLEGAL_STATUS_CHANGE', closed);
  const state = readState(ctx, event.row.id, label);
  const extra_data = one.extraData ? JSON.stringify(one.extraData) : null;
  const next = changeStatus(event.sellable(object), state, {
    status: ask.status, quantity, holdToken: ask.holdToken ?? null, orderId: ask.orderId ?? null, ticketType: one.ticketType ?? null,
    extraData: extra_data, keepExtraData: ask.keepExtraData ?? false,
    allowedPreviousStatuses: ask.allowedPreviousStatuses ?? null, rejectedPreviousStatuses: ask.rejectedPreviousStatuses ?? null,
    resaleListingId: ask.resaleListingId ?? null,
  });
  if ('refused' in next) throw refuse(next.refused, next.because);
  writeState(ctx, event.row.id, { label, state: next });
  logChange(
    ctx, event.row.id,
    { change: { label, status: ask.status, quantity, order_id: ask.orderId ?? null, hold_token: ask.holdToken ?? null, extra_data: next.extra_data }, origin },
  );
}

/** An object of a channel is reached with that channel's key, any other without keys or with `NO_CHANNEL`. */
function channelRefusal(event: LoadedEvent, label: string, ask: ChangeAsk): string | null {
  if (ask.ignoreChannels) return null;
  const channel = event.channelOf(label);
  if (channel === undefined) return ask.channelKeys && !ask.channelKeys.includes(NO_CHANNEL) ? 'it belongs to no channel' : null;
  return ask.channelKeys?.includes(channel) ? null : 'it belongs to a channel whose key was not given';
}
