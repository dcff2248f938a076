/**
 * The best places for a visitor who prefers not to choose: found, and held for their token in the
 * same transaction.
 */
import * as v from 'valibot';
import { findBestAvailable } from '#server/standins/seatsio/best/best-available.ts';
import { isByPlaces, loadEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { checkToken } from '#server/standins/seatsio/status/change.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { readStates } from '#server/standins/seatsio/status/objects.ts';
import {
  BODY_LIMIT,
  changeForVisitor,
  channelList,
  MOST_HELD,
  requireFew,
  text,
  texts,
} from './public.ts';
import { tokenOf } from '#server/standins/seatsio/statements/hold-tokens.ts';
import { openRoute, readJson } from '#server/standins/seatsio/router.ts';
import { FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import { publicWorkspace } from '#server/standins/seatsio/company/callers.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';
import type {
  BestAvailableAnswer,
  BestAvailableRequest,
  HeldObject,
} from '#server/standins/seatsio/wire.ts';

const body = v.object({
  holdToken: v.nullish(text),
  number: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_HELD)),
  categories: v.nullish(texts),
  zone: v.nullish(text),
  sections: v.nullish(texts),
  accessibleSeats: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_HELD))),
  ticketTypes: v.nullish(texts),
  channels: channelList,
  except: v.nullish(texts),
  people: v.nullish(v.boolean()),
});

type Ask = v.InferOutput<typeof body>;

function readAsk(call: Call): Ask {
  const ask = readJson(
    call,
    body satisfies v.GenericSchema<
      unknown,
      { [K in keyof BestAvailableRequest]: BestAvailableRequest[K] | null }
    >,
  );
  if ((ask.accessibleSeats ?? 0) > ask.number)
    throw badRequest('#/accessibleSeats: not more than number');
  if (ask.ticketTypes && ask.ticketTypes.length !== ask.number)
    throw badRequest('#/ticketTypes: one for each place expected');
  return ask;
}

/** The places with their ticket types; places of an area are counted by type. */
async function findPlaces(
  ctx: Seatsio,
  event: LoadedEvent,
  ask: Ask,
): Promise<{ chosen: HeldObject[]; nextToEachOther?: boolean }> {
  const states = await readStates(ctx, event.row.id);
  // Seats that the browser has chosen but not held count as taken.
  for (const label of ask.except ?? []) {
    const object = event.plan.byLabel.get(label);
    if (object && !isByPlaces(object))
      states.set(label, { ...(states.get(label) ?? FREE), status: 'booked' });
  }
  const choice = findBestAvailable(event, states, {
    number: ask.number,
    categories: ask.categories ?? undefined,
    zone: ask.zone ?? undefined,
    sections: ask.sections ?? undefined,
    accessibleSeats: ask.accessibleSeats ?? undefined,
    channelKeys: ask.channels ?? undefined,
    tryToPreventOrphanSeats: true,
    people: ask.people ?? false,
  });
  if (!choice)
    throw new ApiError(400, 'BEST_AVAILABLE_OBJECTS_NOT_FOUND', {
      message: 'Best available objects not found',
    });
  const types = [...(ask.ticketTypes ?? [])];
  const chosen = choice.objects.flatMap(({ label, quantity }): HeldObject[] => {
    const counts = new Map<string | undefined, number>();
    for (let place = 0; place < quantity; place += 1) {
      const type = types.shift();
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    return [...counts].map(([ticketType, count]) => ({
      objectId: label,
      quantity: count,
      ticketType,
    }));
  });
  return { chosen, nextToEachOther: choice.nextToEachOther };
}

/** @throws ApiError 400 BEST_AVAILABLE_OBJECTS_NOT_FOUND, and the errors of a hold */
async function holdBest(
  ctx: Writing,
  call: Call<'workspace' | 'event'>,
): Promise<BestAvailableAnswer> {
  const workspace = await publicWorkspace(ctx, call.params.workspace);
  const ask = readAsk(call);
  const holdToken = ask.holdToken ?? undefined;

  await checkToken(ctx, workspace, { holdToken, objects: [], status: 'reservedByToken' });
  const event = await loadEvent(ctx, workspace, call.params.event);
  // The search costs more the more places it looks for.
  requireFew(event, await tokenOf(ctx.sql, workspace.id, holdToken!), ask.number);
  const found = await findPlaces(ctx, event, ask);
  const change = {
    action: 'hold',
    holdToken: holdToken!,
    objects: found.chosen,
    channels: ask.channels ?? undefined,
    call,
  } as const;
  return { ...(await changeForVisitor(ctx, event, change)), ...found };
}

export const publicBestAvailableRoutes: Route[] = [
  openRoute(
    'POST',
    '/system/public/:workspace/events/:event/actions/hold-best-available',
    holdBest,
    BODY_LIMIT,
  ),
  /** Answers what would be held now, for a page without a hold token. */
  openRoute(
    'POST',
    '/system/public/:workspace/events/:event/actions/find-best-available',
    async (ctx, call): Promise<BestAvailableAnswer> => {
      const event = await loadEvent(
        ctx,
        await publicWorkspace(ctx, call.params.workspace),
        call.params.event,
      );
      const ask = readAsk(call);
      requireFew(event, undefined, ask.number);
      return { statuses: [], objects: [], ...(await findPlaces(ctx, event, ask)) };
    },
    BODY_LIMIT,
  ),
];
