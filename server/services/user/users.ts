/** Login of the office's people, and the browsers known from earlier logins. */
import { findUserByEmail, insertDevice, isDeviceOf } from '#db/user/users.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { hasFactor, takeCode, waysOf } from './factors.ts';
import { hashPassword, hashToken, isPassword, newToken } from './secrets.ts';
import { openUserSession, rememberedMs, type User, type Whence } from './sessions.ts';
import { noteWrongPassword } from './wrong-passwords.ts';

export interface LoggedIn {
  user: User;
  token: string;
}

/** A hash checked for an unknown address, so that this takes as long as a wrong password. */
let dummy: Promise<string> | null = null;

/** @throws Refusal login_failed, account_suspended, code_needed, code_wrong */
export async function login(
  ctx: Ctx,
  ask: { email: string; password: string; code?: string; whence: Whence },
): Promise<LoggedIn> {
  const user = await findUserByEmail(ctx.db, ask.email);
  dummy ??= hashPassword(newToken());
  const right = await isPassword(ask.password, user?.password_hash ?? (await dummy));
  if (!user || !right) {
    if (user) await noteWrongPassword(ctx, user);
    throw new Refusal('login_failed');
  }
  if (user.suspended_at !== null) throw new Refusal('account_suspended');
  await requireCode(ctx, user, ask.code);
  const token = await openUserSession(ctx, user, ask.whence);
  await happened(ctx, ctx.db, { actor: `user:${user.id}`, action: 'logged_in', subject: user.id });
  return { user, token };
}

/** Asks for the code only after the right password, so that others learn of no second factor. */
async function requireCode(ctx: Ctx, user: User, code: string | undefined): Promise<void> {
  if (!(await hasFactor(ctx.db, user))) return;
  if (code === undefined) throw new Refusal('code_needed', { ways: await waysOf(ctx, user) });
  if (await takeCode(ctx, user, code)) return;
  await happened(ctx, ctx.db, { actor: 'visitor', action: 'code_failed', subject: user.id });
  throw new Refusal('code_wrong');
}

/** Remembers for a year that the person used this browser; returns the browser's token. */
export async function rememberDevice(ctx: Ctx, user: User): Promise<string> {
  const token = newToken();
  await insertDevice(ctx.db, {
    token_hash: hashToken(token),
    user_id: user.id,
    created_at: ctx.now(),
  });
  return token;
}

/**
 * A name without rights for a browser in which this account was opened before; null for any other.
 */
export async function knownDevice(
  ctx: Ctx,
  { email, token }: { email: string; token: string | undefined },
): Promise<string | null> {
  if (token === undefined) return null;
  const token_hash = hashToken(token);
  const since = ctx.now() - rememberedMs;
  return (await isDeviceOf(ctx.db, { email, token_hash, since })) ? token_hash : null;
}
