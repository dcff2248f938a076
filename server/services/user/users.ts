/** The office's users: the first admin's invitation, login, logout, and the user of a session cookie. */
import { isGuessable } from '#server/adapters/password-strength.ts';
import { isUniqueViolation } from '#db/dialect.ts';
import { transact } from '#db/transact.ts';
import {
  deleteSession,
  insertDevice,
  isDeviceOf,
  purgeDevices,
  findSession,
  findUserByEmail,
  hasAdmin,
  insertSession,
  insertUser,
  purgeSessions,
  replaceInvite,
  takeInvite,
  touchSession,
} from '#db/users.ts';
import type { UserRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isPasswordWeak } from '#server/domain/user.ts';
import { note } from './audit.ts';
import { noteWrongPassword } from './wrong-passwords.ts';
import type { Ctx } from '#server/services/context.ts';
import { hashPassword, hashToken, isPassword, newToken } from './secrets.ts';

/** Idle and absolute limits of a session (ASVS 7.3), and how often a use is written down. */
const idleMs = 8 * 3_600_000;
const absoluteMs = 7 * 24 * 3_600_000;
const touchMs = 60_000;
const inviteMs = 24 * 3_600_000;
export const rememberedMs = 365 * 24 * 3_600_000;

/** The way in for the first admin, or null when there is one. Each start makes a new link and the older ones are worthless. */
export async function inviteFirstAdmin(ctx: Ctx): Promise<string | null> {
  if (await hasAdmin(ctx.db)) return null;
  const token = newToken();
  await transact(ctx.db, (trx) =>
    replaceInvite(trx, {
      token_hash: hashToken(token),
      role: 'admin',
      created_at: ctx.now(),
      expires_at: ctx.now() + inviteMs,
    }),
  );
  return `${ctx.publicUrl}/admin/invito#${token}`;
}

/** A person as the rest of the server knows them. */
export type User = UserRow;

interface LoggedIn {
  user: UserRow;
  token: string;
}

export async function acceptInvite(
  ctx: Ctx,
  ask: { token: string; email: string; name: string; password: string },
): Promise<LoggedIn> {
  const { email, name, password } = ask;
  if (isPasswordWeak(password, email) || isGuessable(password, [email, ...name.split(' ')]))
    throw new Refusal('password_weak');
  const user: UserRow = {
    id: ctx.newId(),
    email: ask.email,
    name: ask.name,
    role: 'admin',
    password_hash: await hashPassword(ask.password),
    created_at: ctx.now(),
  };
  await transact(ctx.db, async (trx) => {
    const invite = await takeInvite(trx, hashToken(ask.token), ctx.now());
    if (!invite) throw new Refusal('invite_invalid');
    await insertUser(trx, { ...user, role: invite.role });
    await note(ctx, trx, { actor: `user:${user.id}`, action: 'invite_accepted', subject: user.id });
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Refusal('email_taken') : error;
  });
  return { user, token: await openSession(ctx, user) };
}

/** An unknown address costs the same time as a wrong password. */
let dummy: Promise<string> | null = null;

export async function login(ctx: Ctx, ask: { email: string; password: string }): Promise<LoggedIn> {
  const user = await findUserByEmail(ctx.db, ask.email);
  dummy ??= hashPassword(newToken());
  const right = await isPassword(ask.password, user?.password_hash ?? (await dummy));
  if (!user || !right) {
    if (user) await noteWrongPassword(ctx, user);
    throw new Refusal('login_failed');
  }
  const token = await openSession(ctx, user);
  await note(ctx, ctx.db, { actor: `user:${user.id}`, action: 'logged_in', subject: user.id });
  return { user, token };
}

/** On whose machine somebody has logged in before; a year later it is like any other. */
export async function rememberDevice(ctx: Ctx, user: UserRow): Promise<string> {
  const token = newToken();
  await insertDevice(ctx.db, {
    token_hash: hashToken(token),
    user_id: user.id,
    created_at: ctx.now(),
  });
  return token;
}

/** Null: this account has never been opened on that machine. Else a name for it that guards nothing. */
export async function knownDevice(
  ctx: Ctx,
  { email, token }: { email: string; token: string | undefined },
): Promise<string | null> {
  if (token === undefined) return null;
  const token_hash = hashToken(token);
  const since = ctx.now() - rememberedMs;
  return (await isDeviceOf(ctx.db, { email, token_hash, since })) ? token_hash : null;
}

async function openSession(ctx: Ctx, user: UserRow): Promise<string> {
  const token = newToken();
  await insertSession(ctx.db, {
    token_hash: hashToken(token),
    user_id: user.id,
    created_at: ctx.now(),
    last_seen_at: ctx.now(),
  });
  return token;
}

export async function logout(ctx: Ctx, token: string | undefined): Promise<void> {
  if (token !== undefined) await deleteSession(ctx.db, hashToken(token));
}

/** Who is this cookie? Null: nobody, or not any more. */
export async function userOfSession(ctx: Ctx, token: string): Promise<UserRow | null> {
  const session = await findSession(ctx.db, hashToken(token));
  if (!session) return null;
  if (session.created_at + absoluteMs < ctx.now() || session.last_seen_at + idleMs < ctx.now())
    return null;
  if (session.last_seen_at + touchMs < ctx.now())
    await touchSession(ctx.db, session.token_hash, ctx.now());
  return session.user;
}

export async function forgetOldSessions(ctx: Ctx): Promise<void> {
  await purgeSessions(ctx.db, {
    created_before: ctx.now() - absoluteMs,
    seen_before: ctx.now() - idleMs,
  });
  await purgeDevices(ctx.db, ctx.now() - rememberedMs);
}
