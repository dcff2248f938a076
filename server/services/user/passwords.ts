/** Passwords: which are accepted, changing one's own, and replacing a forgotten one. */
import { deleteLinksOf, linkOfToken, deleteLink } from '#db/user/one-time-links.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { deleteSessionsOf } from '#db/user/sessions.ts';
import { transact } from '#db/engine/transact.ts';
import { changeUser, findUser, forgetDevicesOf } from '#db/user/users.ts';
import { isGuessable } from '#server/adapters/password-strength.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isPasswordWeak } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';
import { happened } from '#server/services/kit/happened.ts';
import { hashPassword, hashToken, isPassword } from './secrets.ts';
import type { InSession, User } from './sessions.ts';

/** @throws Refusal password_weak */
export async function requireStrong(
  password: string,
  { email, name }: Pick<User, 'email' | 'name'>,
): Promise<void> {
  const known = [email, ...name.split(' ')];
  if (isPasswordWeak(password, email) || (await isGuessable(password, known)))
    throw new Refusal('password_weak');
}

/**
 * Changes the password and ends all other sessions, because others may know the old password.
 * @throws Refusal password_wrong, password_weak
 */
export async function changePassword(
  ctx: Ctx,
  { user, session }: InSession,
  ask: { old: string; password: string },
): Promise<void> {
  if (!(await isPassword(ask.old, user.password_hash))) throw new Refusal('password_wrong');
  await requireStrong(ask.password, user);
  const password_hash = await hashPassword(ask.password);
  await transact(ctx.db, async (trx) => {
    await setPassword(ctx, trx, { user, password_hash, action: 'password_changed' });
    await deleteSessionsOf(trx, user.id, { but: session.id });
  });
}

async function setPassword(
  ctx: Ctx,
  trx: Trx,
  { user, password_hash, action }: { user: User; password_hash: string; action: AuditAction },
): Promise<void> {
  await changeUser(trx, user.id, { password_hash });
  await deleteLinksOf(trx, user.id);
  await forgetDevicesOf(trx, user.id);
  await happened(ctx, trx, { actor: `user:${user.id}`, action, subject: user.id });
}

/**
 * Always only queues the mail, so that neither the answer nor its time tells whether the address
 * belongs to a person.
 */
export async function forgotPassword(ctx: Ctx, email: string): Promise<void> {
  await transact(ctx.db, (trx) =>
    storeMail(ctx, trx, {
      order_id: null,
      kind: 'password_reset',
      key: ctx.newId(),
      to_address: email,
    }),
  );
}

/**
 * Sets a new password. Opens no session, because the login must ask for the second factor.
 * @throws Refusal link_invalid, password_weak
 */
export async function resetPassword(
  ctx: Ctx,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const ask = { kind: 'reset', token_hash: hashToken(token) } as const;
  const link = await linkOfToken(ctx.db, { ...ask, now: ctx.now() });
  const user = link?.user_id ? await findUser(ctx.db, link.user_id) : undefined;
  if (!link || !user || user.removed_at !== null) throw new Refusal('link_invalid');
  await requireStrong(password, user);
  const password_hash = await hashPassword(password);
  await transact(ctx.db, async (trx) => {
    if (!(await deleteLink(trx, link.id))) throw new Refusal('link_invalid');
    await setPassword(ctx, trx, { user, password_hash, action: 'password_reset' });
    await deleteSessionsOf(trx, user.id);
  });
}
