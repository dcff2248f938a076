/** Authenticates a request: a user's session cookie, a phone's token, and the page's origin. */
import type { Context } from 'koa';
import type { ProgramCaller } from '#server/contract/endpoint.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { may, rolesWith, type Right } from '#server/domain/user/rights.ts';
import { deviceName, type Place } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { phoneOfToken, tokenHash } from '#server/services/door/known-phones.ts';
import type { PhoneInCall } from '#server/services/door/state.ts';
import { programOfToken, readBearer, type ProgramInCall } from '#server/services/program/tokens.ts';
import { requireFactor } from '#server/services/user/factors.ts';
import {
  rememberedMs,
  userOfSession,
  type InSession,
  type Whence,
} from '#server/services/user/sessions.ts';
import { isOwnNetwork } from './caller.ts';
import { isLoopback } from './limits.ts';

const maxAgeMs = 7 * 24 * 3_600_000;

/**
 * `__Host-` binds the cookie to this host and to https; on plain http (localhost) browsers refuse
 * such a cookie.
 */
export function cookieName({ publicUrl }: Pick<Ctx, 'publicUrl'>, name: 'sid' | 'device'): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

export function sessionToken(app: Ctx, ctx: Context): string | undefined {
  return ctx.cookies.get(cookieName(app, 'sid'));
}

/**
 * The device's cookie, set at a browser's first login, so that wrong passwords from elsewhere do
 * not lock this browser out.
 */
export function deviceCookie(app: Ctx, ctx: Context): string | undefined {
  return ctx.cookies.get(cookieName(app, 'device'));
}

export function setSession(app: Ctx, ctx: Context, token: string | null): void {
  setCookie(app, ctx, { name: 'sid', token, maxAge: token === null ? 0 : maxAgeMs });
}

export function setDevice(app: Ctx, ctx: Context, token: string): void {
  setCookie(app, ctx, { name: 'device', token, maxAge: rememberedMs });
}

function setCookie(
  app: Ctx,
  ctx: Context,
  { name, token, maxAge }: { name: 'sid' | 'device'; token: string | null; maxAge: number },
): void {
  const secure = app.publicUrl.startsWith('https:');
  // Behind a proxy that ends TLS Koa sees plain HTTP, so the public address decides.
  ctx.cookies.secure = secure;
  ctx.cookies.set(cookieName(app, name), token, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    overwrite: true,
    maxAge,
  });
}

/** The device and network of a request; only the network's class is stored. */
export function whenceOf(ctx: Context): Whence {
  return { device: deviceName(ctx.get('user-agent')), place: placeOf(ctx) };
}

function placeOf(ctx: Context): Place {
  if (isLoopback(ctx.ip)) return 'here';
  return isOwnNetwork(ctx.ip) ? 'network' : 'internet';
}

/** @throws Refusal not_logged_in, factor_required, or not_allowed with the roles that may */
export async function requireUser(app: Ctx, ctx: Context, right: Right): Promise<InSession> {
  const token = sessionToken(app, ctx);
  const found = token === undefined ? null : await userOfSession(app, token, placeOf(ctx));
  if (!found) throw new Refusal('not_logged_in');
  if (!may(found.user.role, right)) throw new Refusal('not_allowed', { roles: rolesWith(right) });
  if (right !== 'own_account') await requireFactor(app, found.user);
  return found;
}

/** Reads `Authorization: Bearer <device token>`. @throws Refusal not_logged_in, phone_revoked */
export async function requirePhone(
  app: Ctx,
  ctx: Context,
  evenRevoked: boolean,
): Promise<PhoneInCall> {
  const token = deviceToken(ctx.get('authorization'));
  const phone = token === null ? null : await phoneOfToken(app, tokenHash(token), evenRevoked);
  if (!phone) throw new Refusal('not_logged_in');
  return phone;
}

/** Reads `Authorization: Bearer <token>`. @throws Refusal token_refused, scope_missing */
export async function requireProgram(
  app: Ctx,
  ctx: Context,
  who: ProgramCaller,
): Promise<ProgramInCall> {
  ctx.set('WWW-Authenticate', 'Bearer');
  const program = await programOfToken(app, readBearer(ctx.get('authorization')));
  ctx.remove('WWW-Authenticate');
  const scope = who.slice('program:'.length);
  if (!program.scopes.some((one) => one === scope)) throw new Refusal('scope_missing', { scope });
  return program;
}

export function deviceToken(header: string | undefined): string | null {
  return /^Bearer ([\w-]{20,100})$/.exec(header ?? '')?.[1] ?? null;
}

/** Refuses another site's page, with whose requests the browser sends our cookie (ASVS 3.5.1). */
export function requireOwnOrigin(app: Ctx, ctx: Context): void {
  const site = ctx.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin' && site !== 'none') throw new Refusal('wrong_origin');
  const origin = ctx.get('origin');
  // Compares only the hosts: behind a proxy that ends TLS, this connection's scheme says nothing.
  if (origin !== '' && origin !== new URL(app.publicUrl).origin && hostOf(origin) !== ctx.host)
    throw new Refusal('wrong_origin');
}

function hostOf(origin: string): string | null {
  return URL.parse(origin)?.host ?? null;
}
