/** What chart.js in a browser may ask, by the public workspace key alone: never other people's tokens or orders. */
import * as v from 'valibot';
import { findEvent, loadEvent, wireChartOf } from './catalog.ts';
import { changeObjects, checkToken } from './change.ts';
import { transact } from './context.ts';
import { ApiError, badRequest } from './errors.ts';
import { describeToken, findLiveToken, HOLD_MINUTES, makeToken } from './hold-tokens.ts';
import { readHolds, readState, readStates } from './objects.ts';
import { openRoute, readJson } from './router.ts';
import { FREE } from './status-rule.ts';
import { isPlainlyFree, wireStatus } from './wire-status.ts';
import { publicWorkspace } from './workspaces.ts';
import type { Seatsio } from './context.ts';
import type { Call, Route } from './router.ts';
import type { Hub } from './stream.ts';
import type { HeldObject, HoldAnswer, HoldRequest, RenderingInfo } from './wire.ts';

/** Places that one token may hold on an event. */
const MOST_HELD = 100;
const BODY_LIMIT = 64 * 1024;

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(500));
const holdBody = v.object({
  holdToken: text,
  objects: v.pipe(
    v.array(v.object({
      objectId: text, quantity: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_HELD))), ticketType: v.nullish(text),
    })),
    v.minLength(1, 'expected minimum item count: 1, found: 0'), v.maxLength(MOST_HELD, `expected maximum item count: ${MOST_HELD}`),
  ),
});

function renderingInfo(ctx: Seatsio, call: Call): RenderingInfo {
  const key = call.query.get('event_key');
  if (!key) throw badRequest('#/event_key: required');
  const event = loadEvent(ctx, publicWorkspace(ctx, call.params.workspace!), key);
  const states = readStates(ctx, event.row.id);
  return {
    event: { key: event.row.key, name: event.row.name ?? undefined, isInThePast: event.row.is_in_the_past === 1 },
    chart: wireChartOf(ctx, event),
    statuses: event.plan.objects.map((object) => wireStatus(event, object, states.get(object.label) ?? FREE)).filter((status) => !isPlainlyFree(status)),
    sequence: event.row.sequence, holdPeriodInMinutes: HOLD_MINUTES,
  };
}

function heldObjects(ctx: Seatsio, eventId: number, token: string): HeldObject[] {
  return readHolds(ctx, eventId, token).map(({ label, quantity, ticket_type }) => ({ objectId: label, quantity, ticketType: ticket_type ?? undefined }));
}

/** @throws ApiError 400 TOO_MANY_OBJECTS beside those of a status change */
function changeForVisitor(ctx: Seatsio, call: Call, action: 'hold' | 'release'): HoldAnswer {
  const workspace = publicWorkspace(ctx, call.params.workspace!);
  const body: HoldRequest = withoutNulls(readJson(call, holdBody));
  return transact(ctx, (tell) => {
    const event = loadEvent(ctx, workspace, call.params.event!);
    const ask = { ...body, status: action === 'hold' ? 'reservedByToken' : 'free' };
    checkToken(ctx, workspace, ask);
    const objects = changeObjects(ctx, event, { ask, tell, origin: { type: action === 'hold' ? 'HELD_BY_USER' : 'HOLD_RELEASED_BY_USER', ip: call.ip } });
    const held = heldObjects(ctx, event.row.id, body.holdToken);
    if (action === 'hold' && held.reduce((sum, { quantity }) => sum + quantity, 0) > MOST_HELD) throw new ApiError(
      400, 'TOO_MANY_OBJECTS', { message: `A hold token holds at most ${MOST_HELD} places` },
    );
    return { statuses: [...new Set(objects)].map((object) => wireStatus(event, object, readState(ctx, event.row.id, object.label))), objects: held };
  });
}

function withoutNulls({ holdToken, objects }: v.InferOutput<typeof holdBody>): HoldRequest {
  return {
    holdToken,
    objects: objects.map(({ objectId, quantity, ticketType }) => ({ objectId, quantity: quantity ?? undefined, ticketType: ticketType ?? undefined })),
  };
}

/** A browser that reconnects by itself names the last number it heard in a header. */
function sinceOf(call: Call): number | null {
  const asked = call.request.headers['last-event-id'] ?? call.query.get('since');
  if (asked === null || asked === '') return null;
  const since = Number(asked);
  if (!Number.isSafeInteger(since) || since < 0) throw badRequest('#/since: a whole number expected');
  return since;
}

export function publicRoutes(hub: Hub): Route[] {
  const root = '/system/public/:workspace';
  return [
    openRoute('GET', `${root}/rendering-info`, renderingInfo),
    openRoute('POST', `${root}/hold-tokens`, (ctx, call) => {
      const workspace = publicWorkspace(ctx, call.params.workspace!);
      return describeToken(ctx, workspace, makeToken(ctx, workspace, HOLD_MINUTES));
    }, BODY_LIMIT),
    /** 404 once the token is over. */
    openRoute('GET', `${root}/hold-tokens/:token`, (ctx, call) => {
      const workspace = publicWorkspace(ctx, call.params.workspace!);
      const row = findLiveToken(ctx, workspace, { token: call.params.token!, status: 404 });
      const key = call.query.get('event_key');
      return { ...describeToken(ctx, workspace, row), ...(key === null ? {} : { objects: heldObjects(ctx, findEvent(ctx, workspace, key).id, row.token) }) };
    }),
    openRoute('POST', `${root}/events/:event/actions/hold`, (ctx, call) => changeForVisitor(ctx, call, 'hold'), BODY_LIMIT),
    openRoute('POST', `${root}/events/:event/actions/release`, (ctx, call) => changeForVisitor(ctx, call, 'release'), BODY_LIMIT),
    openRoute('GET', `${root}/events/:event/stream`, (ctx, call) => {
      const event = findEvent(ctx, publicWorkspace(ctx, call.params.workspace!), call.params.event!);
      return hub.listen(ctx, event, { response: call.response, since: sinceOf(call) });
    }),
  ];
}
