/**
 * The API's call for the best available objects. Choosing and changing them share a transaction,
 * so no other call can come between.
 */
import * as v from 'valibot';
import { findBestAvailable } from './best-available.ts';
import { loadEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { changeObjects, checkToken } from '#server/standins/seatsio/status/change.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { describeObject } from '#server/standins/seatsio/status/object-info.ts';
import { extraData } from '#server/standins/seatsio/status/change-body.ts';
import { readStates } from '#server/standins/seatsio/status/objects.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import type { BestChoice } from './best-available.ts';
import type { ObjectAsk } from '#server/standins/seatsio/status/change.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

const MOST_OBJECTS = 10_000;
const count = v.pipe(v.number(), v.integer(), v.maxValue(MOST_OBJECTS));
const texts = v.nullish(v.array(v.string()));

const body = v.object({
  status: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
  holdToken: v.nullish(v.string()),
  orderId: v.nullish(v.string()),
  keepExtraData: v.nullish(v.boolean()),
  ignoreChannels: v.nullish(v.boolean()),
  channelKeys: texts,
  bestAvailable: v.object({
    number: v.pipe(count, v.minValue(1)),
    categories: texts,
    zone: v.nullish(v.string()),
    sections: texts,
    extraData: v.nullish(v.array(v.nullable(extraData))),
    ticketTypes: texts,
    tryToPreventOrphanSeats: v.nullish(v.boolean()),
    accessibleSeats: v.nullish(v.pipe(count, v.minValue(0))),
  }),
});

type Ask = v.InferOutput<typeof body>;

function readAsk(call: Call): Ask {
  const ask = readJson(call, body);
  const { number, accessibleSeats, extraData: data, ticketTypes } = ask.bestAvailable;
  if (ask.status === 'free') throw badRequest('#/status: free objects cannot become free');
  if (accessibleSeats && accessibleSeats > number)
    throw badRequest(
      `#/bestAvailable/accessibleSeats: ${accessibleSeats} is more than number ${number}`,
    );
  for (const [name, list] of Object.entries({ extraData: data, ticketTypes })) {
    if (list && list.length > number)
      throw badRequest(
        `#/bestAvailable/${name}: expected maximum item count: ${number}, found: ${list.length}`,
      );
  }
  return ask;
}

/** The SDK encodes the event key twice, in this call only. */
function eventKeyOf(call: Call<'event'>): string {
  const key = call.params.event;
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/**
 * The first ticket type and the first extra data belong to the first object, and so on. Each
 * place of an area has its own ticket type, but all its places share one extra data.
 */
function giveOut(
  choice: BestChoice,
  { ticketTypes, extraData: data }: Ask['bestAvailable'],
): ObjectAsk[] {
  return choice.objects.flatMap(({ label, quantity }, index) => {
    const types = Array.from({ length: quantity }, (_, place) => ticketTypes?.[index + place]);
    return [...Map.groupBy(types, (type) => type)].map(([ticketType, places]) => ({
      objectId: label,
      quantity: places.length,
      ticketType,
      extraData: data?.[index],
    }));
  });
}

async function changeBest(ctx: Writing, workspace: Workspace, call: Call<'event'>) {
  const { bestAvailable, ...rest } = readAsk(call);
  const known = {
    holdToken: rest.holdToken ?? undefined,
    orderId: rest.orderId ?? undefined,
    keepExtraData: rest.keepExtraData ?? false,
    ignoreChannels: rest.ignoreChannels ?? false,
    channelKeys: rest.channelKeys ?? undefined,
  };

  const event = await loadEvent(ctx, workspace, eventKeyOf(call));
  const choice = findBestAvailable(event, await readStates(ctx, event.row.id), {
    number: bestAvailable.number,
    categories: bestAvailable.categories ?? undefined,
    zone: bestAvailable.zone ?? undefined,
    sections: bestAvailable.sections ?? undefined,
    tryToPreventOrphanSeats: bestAvailable.tryToPreventOrphanSeats ?? undefined,
    accessibleSeats: bestAvailable.accessibleSeats ?? undefined,
    channelKeys: known.channelKeys,
    ignoreChannels: known.ignoreChannels,
  });
  if (!choice)
    throw new ApiError(400, 'BEST_AVAILABLE_OBJECTS_NOT_FOUND', {
      message: 'Best available objects not found',
    });
  const ask = { status: rest.status, objects: giveOut(choice, bestAvailable), ...known };
  await checkToken(ctx, workspace, ask);
  const changed = await changeObjects(ctx, event, {
    ask,
    origin: { type: 'API_CALL', ip: call.ip },
  });
  return {
    objects: choice.objects.map(({ label }) => label),
    nextToEachOther: choice.nextToEachOther,
    objectDetails: Object.fromEntries(
      [...changed].map(([object, state]) => [object.label, describeObject(event, object, state)]),
    ),
  };
}

export const bestAvailableRoutes: Route[] = [
  /**
   * {status, holdToken?, orderId?, keepExtraData?, ignoreChannels?, channelKeys?,
   * bestAvailable: {number, categories?, zone?, sections?, extraData?: [object],
   * ticketTypes?: [text], tryToPreventOrphanSeats?, accessibleSeats?}}
   * -> {objects: [label], objectDetails: {label: EventObjectInfo}, nextToEachOther?}
   * @throws ApiError 400 BEST_AVAILABLE_OBJECTS_NOT_FOUND beside those of every status change
   */
  keyRoute('POST', '/events/:event/actions/change-object-status', (ctx, call, workspace) =>
    changeBest(ctx, workspace, call),
  ),
];
