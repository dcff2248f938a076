/** The bodies of status changes: one request on several events, or several requests. */
import * as v from 'valibot';
import { badRequest } from '#server/standins/seatsio/errors.ts';
import type { ChangeAsk } from './change.ts';
import type { SeasonAction } from './season-status.ts';

const MAX_EXTRA_DATA = 20_000;

/** Extra data nested too deeply to print is refused as bad input. */
function isWritable(value: Record<string, unknown>): boolean {
  try {
    return JSON.stringify(value).length <= MAX_EXTRA_DATA;
  } catch {
    return false;
  }
}

export const extraData = v.pipe(
  v.record(v.string(), v.unknown()),
  v.check(isWritable, `an object of at most ${MAX_EXTRA_DATA} characters expected`),
);
const objectId = v.pipe(v.string(), v.nonEmpty());
const quantity = v.pipe(v.number(), v.integer(), v.minValue(1));
const describedObject = v.object({
  objectId,
  quantity: v.nullish(quantity),
  ticketType: v.nullish(v.string()),
  extraData: v.nullish(extraData),
});
const oneObject = v.union([
  v.pipe(
    objectId,
    v.transform((id): v.InferOutput<typeof describedObject> => ({ objectId: id })),
  ),
  describedObject,
]);
export const someObjects = v.pipe(
  v.array(oneObject),
  v.minLength(1, 'expected minimum item count: 1, found: 0'),
);
const statuses = v.nullish(v.array(v.string()));
const entries = {
  status: v.nullish(v.pipe(v.string(), v.nonEmpty(), v.maxLength(200))),
  objects: someObjects,
  holdToken: v.nullish(v.string()),
  orderId: v.nullish(v.string()),
  keepExtraData: v.nullish(v.boolean()),
  ignoreChannels: v.nullish(v.boolean()),
  channelKeys: v.nullish(v.array(v.string())),
  allowedPreviousStatuses: statuses,
  rejectedPreviousStatuses: statuses,
  resaleListingId: v.nullish(v.string()),
};
const CHANGES = ['CHANGE_STATUS_TO', 'RELEASE'] as const;
const SEASON_ACTIONS = ['OVERRIDE_SEASON_STATUS', 'USE_SEASON_STATUS'] as const;
export const groupBody = v.object({
  events: v.pipe(v.array(v.string()), v.minLength(1, 'expected minimum item count: 1, found: 0')),
  type: v.nullish(v.picklist(CHANGES), 'CHANGE_STATUS_TO'),
  ...entries,
});
export const batchBody = v.object({
  statusChanges: v.pipe(
    v.array(
      v.object({
        event: v.string(),
        type: v.nullish(v.picklist([...CHANGES, ...SEASON_ACTIONS]), 'CHANGE_STATUS_TO'),
        season: v.nullish(v.string()),
        ...entries,
      }),
    ),
    v.minLength(1, 'expected minimum item count: 1, found: 0'),
  ),
});
type Body = Omit<v.InferOutput<typeof groupBody>, 'events' | 'type'>;
export type BatchItem = v.InferOutput<typeof batchBody>['statusChanges'][number];

export function isSeasonAction(type: BatchItem['type']): type is SeasonAction {
  return (SEASON_ACTIONS as readonly string[]).includes(type);
}

/** @throws ApiError 400 GENERAL_ERROR without a new status */
export function askOf(body: Body & { type: (typeof CHANGES)[number] }): ChangeAsk {
  const status = body.type === 'RELEASE' ? 'free' : body.status;
  if (status === null || status === undefined)
    throw badRequest('#: required key [status] not found');
  return {
    status,
    objects: body.objects.map((one) => ({
      objectId: one.objectId,
      quantity: one.quantity ?? undefined,
      ticketType: one.ticketType ?? undefined,
      extraData: one.extraData,
    })),
    holdToken: body.holdToken ?? undefined,
    orderId: body.orderId ?? undefined,
    keepExtraData: body.keepExtraData ?? false,
    ignoreChannels: body.ignoreChannels ?? false,
    channelKeys: body.channelKeys ?? undefined,
    allowedPreviousStatuses: body.allowedPreviousStatuses ?? undefined,
    rejectedPreviousStatuses: body.rejectedPreviousStatuses ?? undefined,
    resaleListingId: body.resaleListingId ?? undefined,
  };
}
