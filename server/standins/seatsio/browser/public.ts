/**
 * The calls that chart.js makes in a browser with the public workspace key alone; they never show
 * other people's tokens or orders.
 */
import * as v from 'valibot';
import { findEvent, loadEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { changeObjects, checkToken } from '#server/standins/seatsio/status/change.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { holdMinutesOf } from '#server/standins/seatsio/company/hold-period.ts';
import {
  describeToken,
  findLiveToken,
  makeToken,
} from '#server/standins/seatsio/status/hold-tokens.ts';
import { tokenOf, type TokenRow } from '#server/standins/seatsio/statements/hold-tokens.ts';
import { sendRenderingInfo } from './rendering-info.ts';
import { openRoute, readJson } from '#server/standins/seatsio/router.ts';
import { readHolds } from '#server/standins/seatsio/status/stored.ts';
import { countVisitor, limitHeldAtOnce } from './visitor-limits.ts';
import { wireStatus } from './wire-status.ts';
import { publicWorkspace } from '#server/standins/seatsio/company/callers.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { ObjectAsk } from '#server/standins/seatsio/status/change.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';
import type { Hub } from './stream.ts';
import type { Channels } from './wire-status.ts';
import type { HeldObject, HoldAnswer } from '#server/standins/seatsio/wire.ts';

/** The most places of an event that one token may hold, unless the event has its own limit. */
export const MOST_HELD = 100;
export const BODY_LIMIT = 64 * 1024;
const MOST_EVENTS = 20;
const MOST_CHANNELS = 50;

export const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(500));
export const texts = v.pipe(v.array(text), v.maxLength(500));
export const channelList = v.nullish(
  v.pipe(v.array(text), v.minLength(1), v.maxLength(MOST_CHANNELS)),
);
const holdBody = v.object({
  holdToken: text,
  objects: v.pipe(
    v.array(
      v.object({
        objectId: text,
        quantity: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_HELD))),
        ticketType: v.nullish(text),
      }),
    ),
    v.minLength(1, 'expected minimum item count: 1, found: 0'),
    v.maxLength(MOST_HELD, `expected maximum item count: ${MOST_HELD}`),
  ),
  channels: channelList,
  events: v.nullish(v.pipe(v.array(text), v.maxLength(MOST_EVENTS))),
});

/** Reads `k1,k2`, where each key is encoded by itself; undefined when no channel is named. */
function channelsOf(call: Call): Channels {
  const asked = call.query.get('channels');
  if (asked === null || asked === '') return undefined;
  try {
    const keys = [...new Set(asked.split(',').map(decodeURIComponent))].filter(Boolean).sort();
    if (keys.length > 0 && keys.length <= MOST_CHANNELS) return keys;
  } catch {
    /* a malformed encoding is refused below */
  }
  throw badRequest(`#/channels: 1 to ${MOST_CHANNELS} channel keys expected`);
}

async function heldObjects(ctx: Seatsio, eventId: number, token: string): Promise<HeldObject[]> {
  return (await readHolds(ctx, eventId, token)).map(({ label, quantity, ticket_type }) => ({
    objectId: label,
    quantity,
    ticketType: ticket_type ?? undefined,
  }));
}

interface VisitorChange {
  action: 'hold' | 'release';
  holdToken: string;
  objects: ObjectAsk[];
  channels: Channels;
  call: Call;
}

/**
 * Holds or releases on one event for a visitor. Must be called in a transaction.
 * @throws ApiError 400 TOO_MANY_OBJECTS, 403 HOLD_TOKEN_NOT_ADMITTED, 429 RATE_LIMIT_EXCEEDED,
 * 429 TOO_MANY_HELD_AT_ONCE, and the errors of a status change
 */
export async function changeForVisitor(
  ctx: Writing,
  event: LoadedEvent,
  change: VisitorChange,
): Promise<HoldAnswer> {
  const { action, holdToken, objects, channels, call } = change;
  const ask = {
    holdToken,
    objects,
    channelKeys: channels && [...channels],
    status: action === 'hold' ? 'reservedByToken' : 'free',
  };
  const own = await tokenOf(ctx.sql, event.row.workspace_id, holdToken);
  if (action === 'hold' && event.row.only_admitted === 1 && own?.admitted_to !== event.row.id)
    throw new ApiError(403, 'HOLD_TOKEN_NOT_ADMITTED', {
      message: `${event.row.key} takes only hold tokens that its seller has let in`,
    });
  const changed = await changeObjects(ctx, event, {
    ask,
    origin: { type: action === 'hold' ? 'HELD_BY_USER' : 'HOLD_RELEASED_BY_USER', ip: call.ip },
  });
  const held = await heldObjects(ctx, event.row.id, holdToken);
  if (action === 'hold') {
    requireFew(event, own, countPlaces(held));
    if (own) await limitHeldAtOnce(ctx, call, { event, token: own });
    await countVisitor(ctx, call, { what: 'places', count: countPlaces(objects) });
  }
  return {
    statuses: [...changed].map(([object, state]) => wireStatus(event, object, { state, channels })),
    objects: held,
  };
}

/** @throws ApiError 400 TOO_MANY_OBJECTS if a visitor's token may not hold so many places */
export function requireFew(event: LoadedEvent, own: TokenRow | undefined, places: number): void {
  const most = own?.most_held ?? event.row.most_held ?? MOST_HELD;
  if (places > most)
    throw new ApiError(400, 'TOO_MANY_OBJECTS', {
      message: `A hold token holds at most ${most} places`,
    });
}

function countPlaces(objects: readonly { quantity?: number }[]): number {
  return objects.reduce((sum, { quantity = 1 }) => sum + quantity, 0);
}

/**
 * Holds or releases on the event of the path and on the further events of its group: all or none.
 * Answers for the first event.
 */
async function holdOrRelease(
  ctx: Writing,
  call: Call<'workspace' | 'event'>,
  action: 'hold' | 'release',
): Promise<HoldAnswer> {
  const workspace = await publicWorkspace(ctx, call.params.workspace);
  const { holdToken, channels, ...body } = readJson(call, holdBody);
  const objects = body.objects.map(({ objectId, quantity, ticketType }) => ({
    objectId,
    quantity: quantity ?? undefined,
    ticketType: ticketType ?? undefined,
  }));

  await checkToken(ctx, workspace, {
    holdToken,
    objects,
    status: action === 'hold' ? 'reservedByToken' : 'free',
  });
  const changeOn = async (key: string) =>
    changeForVisitor(ctx, await loadEvent(ctx, workspace, key), {
      action,
      holdToken,
      objects,
      channels: channels ?? undefined,
      call,
    });
  const answer = await changeOn(call.params.event);
  const further = new Set(body.events);
  further.delete(call.params.event);
  for (const key of further) await changeOn(key);
  return answer;
}

/** A browser that reconnects sends the last number that it received in a header. */
function sinceOf(call: Call): number | null {
  const asked = call.request.headers['last-event-id'] ?? call.query.get('since');
  if (asked === null || asked === '') return null;
  const since = Number(asked);
  if (!Number.isSafeInteger(since) || since < 0)
    throw badRequest('#/since: a whole number expected');
  return since;
}

async function readToken(ctx: Seatsio, call: Call<'token'>, workspace: Workspace) {
  const row = await findLiveToken(ctx, workspace, { token: call.params.token, status: 404 });
  const key = call.query.get('event_key');
  return {
    ...describeToken(ctx, workspace, row),
    ...(key === null
      ? {}
      : { objects: await heldObjects(ctx, (await findEvent(ctx, workspace, key)).id, row.token) }),
  };
}

const root = '/system/public/:workspace';

export function publicRoutes(hub: Hub): Route[] {
  return [
    openRoute('GET', `${root}/rendering-info`, async (ctx, call) => {
      const key = call.query.get('event_key');
      if (!key) throw badRequest('#/event_key: required');
      return sendRenderingInfo(ctx, call, {
        workspace: await publicWorkspace(ctx, call.params.workspace),
        key,
        channels: channelsOf(call),
      });
    }),
    openRoute(
      'POST',
      `${root}/hold-tokens`,
      async (ctx, call) => {
        const workspace = await publicWorkspace(ctx, call.params.workspace);
        await countVisitor(ctx, call, { what: 'tokens', count: 1 });
        return describeToken(
          ctx,
          workspace,
          await makeToken(ctx, workspace, await holdMinutesOf(ctx, workspace)),
        );
      },
      BODY_LIMIT,
    ),
    /** Answers 404 once the token has expired. */
    openRoute('GET', `${root}/hold-tokens/:token`, async (ctx, call) =>
      readToken(ctx, call, await publicWorkspace(ctx, call.params.workspace)),
    ),
    openRoute(
      'POST',
      `${root}/events/:event/actions/hold`,
      (ctx, call) => holdOrRelease(ctx, call, 'hold'),
      BODY_LIMIT,
    ),
    openRoute(
      'POST',
      `${root}/events/:event/actions/release`,
      (ctx, call) => holdOrRelease(ctx, call, 'release'),
      BODY_LIMIT,
    ),
    openRoute('GET', `${root}/events/:event/stream`, async (ctx, call) => {
      const event = await findEvent(
        ctx,
        await publicWorkspace(ctx, call.params.workspace),
        call.params.event,
      );
      return hub.listen(ctx, event, {
        response: call.response,
        since: sinceOf(call),
        once: call.query.get('once') === '1',
        channels: channelsOf(call),
      });
    }),
  ];
}
