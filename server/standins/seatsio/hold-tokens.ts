/** Hold tokens: made, read, prolonged, and what happens to their objects when their time is over. */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { transact } from './context.ts';
import { ApiError, badRequest } from './errors.ts';
import { logChange, readHeldLabels, readState, writeState } from './objects.ts';
import { keyRoute, readJson } from './router.ts';
import { countPlaces, HELD } from './status-rule.ts';
import type { Seatsio, Workspace } from './context.ts';
import type { ObjectState } from './status-rule.ts';
import type { Route } from './router.ts';
import type { HoldTokenInfo } from './wire.ts';

export const HOLD_MINUTES = 15;
/** [DOC] from the making of the token, however often it is prolonged. */
const LIFE_MINUTES = 120;
const MINUTE = 60_000;
/** A token that is over is remembered for a while, so that its holder hears "expired" and not "unknown". */
const REMEMBERED = 24 * 60 * MINUTE;

export interface TokenRow { token: string; workspace_id: number; created_at: number; expires_at: number; settled: number }

export function makeToken(ctx: Seatsio, workspace: Workspace, minutes: number): TokenRow {
  checkMinutes(minutes);
  const now = ctx.now();
  const row: TokenRow = { token: randomBytes(16).toString('hex'), workspace_id: workspace.id, created_at: now, expires_at: now + minutes * MINUTE, settled: 0 };
  ctx.sql.run(
    'INSERT INTO seatsio_hold_tokens (token, workspace_id, created_at, expires_at, settled) VALUES (?, ?, ?, ?, 0)', row.token, row.workspace_id,
    row.created_at, row.expires_at,
  );
  return row;
}

/** @throws ApiError HOLD_TOKEN_NOT_FOUND: 404 where the path names it, 400 where a body does */
function findToken(ctx: Seatsio, workspace: Workspace, ask: { token: string; status: 400 | 404 }): TokenRow {
  const row = ctx.sql.one<TokenRow>('SELECT * FROM seatsio_hold_tokens WHERE token = ? AND workspace_id = ?', ask.token, workspace.id);
  if (!row) throw new ApiError(
    ask.status, 'HOLD_TOKEN_NOT_FOUND', { message: `Hold token not found: ${ask.token} was not found in workspace ${workspace.key}` },
  );
  return row;
}

/** @throws ApiError HOLD_TOKEN_NOT_FOUND, HOLD_TOKEN_EXPIRED */
export function findLiveToken(ctx: Seatsio, workspace: Workspace, ask: { token: string; status: 400 | 404 }): TokenRow {
  const row = findToken(ctx, workspace, ask);
  if (row.expires_at <= ctx.now()) throw new ApiError(ask.status, 'HOLD_TOKEN_EXPIRED', { message: `Hold token ${ask.token} has expired` });
  return row;
}

function checkMinutes(minutes: number): void {
  if (minutes > LIFE_MINUTES) throw badRequest(`#/expiresInMinutes: a hold token lives at most ${LIFE_MINUTES} minutes`);
}

export function describeToken(ctx: Seatsio, workspace: Workspace, row: TokenRow): HoldTokenInfo {
  return {
    holdToken: row.token, expiresAt: new Date(row.expires_at).toISOString(), expiresInSeconds: Math.max(
      0, Math.ceil((row.expires_at - ctx.now()) / 1000),
    ), workspaceKey: workspace.key,
  };
}

/** Lets go of everything whose token is over: called before each read or write that depends on it, and by a small timer so that the streams hear of it. */
export function expireHolds(ctx: Seatsio): void {
  const due = () => ctx.sql.all<TokenRow>('SELECT * FROM seatsio_hold_tokens WHERE settled = 0 AND expires_at <= ?', ctx.now());
  if (due().length === 0) return;
  transact(ctx, (tell) => {
    for (const { token } of due()) {
      for (const { event_id, label } of readHeldLabels(ctx, token)) {
        const state = readState(ctx, event_id, label);
        const kept = letGo(state, token);
        writeState(ctx, event_id, { label, state: kept });
        const quantity = state.places.length === 0 ? 1 : countPlaces(state.places, () => true) - countPlaces(kept.places, () => true);
        logChange(
          ctx, event_id,
          {
            change: { label, status: 'free', quantity, order_id: state.order_id, hold_token: token, extra_data: null },
            origin: { type: 'HOLD_EXPIRED', ip: null },
          },
        );
        tell(event_id, [label]);
      }
      ctx.sql.run('UPDATE seatsio_hold_tokens SET settled = 1 WHERE token = ?', token);
    }
    ctx.sql.run('DELETE FROM seatsio_hold_tokens WHERE settled = 1 AND expires_at <= ?', ctx.now() - REMEMBERED);
  });
}

function letGo(state: ObjectState, token: string): ObjectState {
  if (state.places.length === 0) return {
    ...state, status: 'free', hold_token: null, order_id: null, ticket_type: null, extra_data: null, resale_listing_id: null,
  };
  return { ...state, status: 'free', places: state.places.filter((place) => place.status !== HELD || place.hold_token !== token) };
}

const minutesBody = v.object({ expiresInMinutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), HOLD_MINUTES) });

export const holdTokenRoutes: Route[] = [
  /** {expiresInMinutes?: 0…120, default 15} -> HoldTokenInfo */
  keyRoute(
    'POST', '/hold-tokens',
    (ctx, call, workspace) => describeToken(ctx, workspace, makeToken(ctx, workspace, readJson(call, minutesBody).expiresInMinutes)),
  ),
  /** -> HoldTokenInfo; a token that is over has expiresInSeconds 0 until it is forgotten a day later. */
  keyRoute(
    'GET', '/hold-tokens/:token',
    (ctx, call, workspace) => describeToken(ctx, workspace, findToken(ctx, workspace, { token: call.params.token!, status: 404 })),
  ),
  /** {expiresInMinutes} from now, 0 ends it at once -> HoldTokenInfo. At most two hours after its making. */
  keyRoute('POST', '/hold-tokens/:token', (ctx, call, workspace) => {
    const { expiresInMinutes } = readJson(call, minutesBody);
    const row = findLiveToken(ctx, workspace, { token: call.params.token!, status: 404 });
    const expires_at = ctx.now() + expiresInMinutes * MINUTE;
    if (expires_at > row.created_at + LIFE_MINUTES * MINUTE) throw badRequest(`#/expiresInMinutes: a hold token lives at most ${LIFE_MINUTES} minutes`);
    ctx.sql.run('UPDATE seatsio_hold_tokens SET expires_at = ? WHERE token = ?', expires_at, row.token);
    expireHolds(ctx);
    return describeToken(ctx, workspace, { ...row, expires_at });
  }),
];
