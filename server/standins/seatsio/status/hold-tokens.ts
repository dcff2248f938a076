/** Makes, reads and prolongs hold tokens, and releases their objects when they expire. */
import { heldLabels } from '#server/standins/seatsio/statements/objects.ts';
import {
  addToken,
  beginAhead,
  forgetSettled,
  setExpiry,
  setMostHeldBy,
  settleToken,
  tokenOf,
  tokensDue,
  type TokenRow,
} from '#server/standins/seatsio/statements/hold-tokens.ts';
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { holdMinutesOf, LIFE_MINUTES } from '#server/standins/seatsio/company/hold-period.ts';
import { familyOf, logChange } from './objects.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { trimOverrides } from './season-status.ts';
import { dependentsOf } from '#server/standins/seatsio/catalog/season-view.ts';
import { readStored, writeState } from './stored.ts';
import { countPlaces, endHold, HELD } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { Route } from '#server/standins/seatsio/router.ts';
import type { HoldTokenInfo } from '#server/standins/seatsio/wire.ts';

const MINUTE = 60_000;
/** Expired tokens stay stored, so that their holders read "expired" and not "unknown". */
const REMEMBERED = 24 * 60 * MINUTE;

export async function makeToken(
  ctx: Writing,
  workspace: Workspace,
  minutes: number,
): Promise<TokenRow> {
  checkMinutes(minutes);
  const now = ctx.now();
  const row: TokenRow = {
    token: randomBytes(16).toString('hex'),
    workspace_id: workspace.id,
    created_at: now,
    expires_at: now + minutes * MINUTE,
    settled: 0,
    most_held: null,
    admitted_to: null,
    network: null,
  };
  await addToken(ctx.sql, row);
  return row;
}

/** @throws ApiError HOLD_TOKEN_NOT_FOUND: 404 for a token in the path, 400 for one in a body */
async function findToken(
  ctx: Seatsio,
  workspace: Workspace,
  ask: { token: string; status: 400 | 404 },
): Promise<TokenRow> {
  const row = await tokenOf(ctx.sql, workspace.id, ask.token);
  if (!row)
    throw new ApiError(ask.status, 'HOLD_TOKEN_NOT_FOUND', {
      message: `Hold token not found: ${ask.token} was not found in workspace ${workspace.key}`,
    });
  return row;
}

/** @throws ApiError HOLD_TOKEN_NOT_FOUND, HOLD_TOKEN_EXPIRED */
export async function findLiveToken(
  ctx: Seatsio,
  workspace: Workspace,
  ask: { token: string; status: 400 | 404 },
): Promise<TokenRow> {
  const row = await findToken(ctx, workspace, ask);
  if (row.expires_at <= ctx.now())
    throw new ApiError(ask.status, 'HOLD_TOKEN_EXPIRED', {
      message: `Hold token ${ask.token} has expired`,
    });
  return row;
}

function checkMinutes(minutes: number): void {
  if (minutes > LIFE_MINUTES)
    throw badRequest(`#/expiresInMinutes: a hold token lives at most ${LIFE_MINUTES} minutes`);
}

export function describeToken(ctx: Seatsio, workspace: Workspace, row: TokenRow): HoldTokenInfo {
  return {
    holdToken: row.token,
    expiresAt: new Date(row.expires_at).toISOString(),
    expiresInSeconds: Math.max(0, Math.ceil((row.expires_at - ctx.now()) / 1000)),
    workspaceKey: workspace.key,
  };
}

export async function hasHoldsDue(ctx: Seatsio): Promise<boolean> {
  return (await tokensDue(ctx.sql, ctx.now())).length > 0;
}

/** After the clock was set back, holds last no longer than planned. */
export async function shortenHolds(ctx: Writing): Promise<void> {
  await beginAhead(ctx.sql, ctx.now());
  await expireHolds(ctx);
}

/**
 * Releases all objects of expired tokens. It runs before each read or write that depends on it,
 * and on a short timer, so that the streams report the release.
 */
export async function expireHolds(ctx: Writing): Promise<void> {
  if (!(await hasHoldsDue(ctx))) return;

  for (const { token } of await tokensDue(ctx.sql, ctx.now())) {
    for (const { event_id, label } of await heldLabels(ctx.sql, token))
      await letGo(ctx, token, { eventId: event_id, label });
    await settleToken(ctx.sql, token);
  }
  await forgetSettled(ctx.sql, ctx.now() - REMEMBERED);
}

async function letGo(
  ctx: Writing,
  token: string,
  { eventId, label }: { eventId: number; label: string },
): Promise<void> {
  const before = await readStored(ctx, eventId, label);
  const state = withoutToken(before, token);
  await writeState(ctx, eventId, { label, before, state });
  const quantity =
    before.places.length === 0
      ? 1
      : countPlaces(before.places, () => true) - countPlaces(state.places, () => true);
  await logChange(ctx, eventId, {
    origin: { type: 'HOLD_EXPIRED', ip: null },
    change: {
      label,
      status: before.places.length === 0 ? state.status : 'free',
      quantity,
      order_id: before.order_id,
      hold_token: token,
      extra_data: null,
    },
  });
  const family = await familyOf(ctx, eventId);
  if (family && family.self.kind !== 'event') await trimOverrides(ctx, eventId, { label, state });
  for (const id of family ? dependentsOf(family) : [eventId]) ctx.tell(id, [label]);
}

function withoutToken(state: ObjectState, token: string): ObjectState {
  if (state.places.length === 0)
    return {
      ...state,
      ...endHold(state),
      hold_token: null,
      order_id: null,
      ticket_type: null,
      extra_data: null,
      held_from: null,
    };
  return {
    ...state,
    status: 'free',
    places: state.places.filter((place) => place.status !== HELD || place.hold_token !== token),
  };
}

const minutes = v.pipe(v.number(), v.integer(), v.minValue(0));
const newBody = v.object({ expiresInMinutes: v.nullish(minutes) });
const limitBody = v.object({
  places: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
});
const prolongBody = v.object({ expiresInMinutes: minutes });

export const holdTokenRoutes: Route[] = [
  /** {expiresInMinutes?: 0…120, default: the company's hold period} -> HoldTokenInfo */
  keyRoute('POST', '/hold-tokens', async (ctx, call, workspace) => {
    const { expiresInMinutes } = readJson(call, newBody);
    return describeToken(
      ctx,
      workspace,
      await makeToken(ctx, workspace, expiresInMinutes ?? (await holdMinutesOf(ctx, workspace))),
    );
  }),
  /** -> HoldTokenInfo; an expired token has expiresInSeconds 0 for a day, then it is deleted. */
  keyRoute('GET', '/hold-tokens/:token', async (ctx, call, workspace) =>
    describeToken(
      ctx,
      workspace,
      await findToken(ctx, workspace, { token: call.params.token, status: 404 }),
    ),
  ),
  /**
   * {expiresInMinutes} from now; 0 ends the token immediately -> HoldTokenInfo. A token lives at
   * most two hours.
   */
  keyRoute('POST', '/hold-tokens/:token', async (ctx, call, workspace) => {
    const { expiresInMinutes } = readJson(call, prolongBody);
    const row = await findLiveToken(ctx, workspace, { token: call.params.token, status: 404 });
    const expires_at = ctx.now() + expiresInMinutes * MINUTE;
    if (expires_at > row.created_at + LIFE_MINUTES * MINUTE)
      throw badRequest(`#/expiresInMinutes: a hold token lives at most ${LIFE_MINUTES} minutes`);
    await setExpiry(ctx.sql, row.token, expires_at);
    await expireHolds(ctx);
    return describeToken(ctx, workspace, { ...row, expires_at });
  }),
  /** {places: 1…100} -> 204. Ours: a seller's token may hold more than a visitor's. */
  keyRoute('POST', '/hold-tokens/:token/actions/limit-holds', async (ctx, call, workspace) => {
    const { places } = readJson(call, limitBody);
    const row = await findLiveToken(ctx, workspace, { token: call.params.token, status: 404 });
    await setMostHeldBy(ctx.sql, row.token, places);
    return undefined;
  }),
];
