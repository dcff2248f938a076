/** Sensitive acts ask again for the second factor, or for the password if there is none. */
import { noteUserSession } from '#db/user/sessions.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { confirmedMs } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { hasFactor, takeCode, waysOf } from './factors.ts';
import { isProof } from './passkeys.ts';
import { isPassword } from './secrets.ts';
import type { InSession } from './sessions.ts';

/**
 * Refuses unless the person has just confirmed; `detail.ways`: how they can.
 * @throws Refusal confirm_again
 */
export async function requireFresh(ctx: Ctx, { user, session }: InSession): Promise<void> {
  if (session.verified_at + confirmedMs >= ctx.now()) return;
  throw new Refusal('confirm_again', { ways: await waysOf(ctx, user) });
}

/** @throws Refusal confirm_wrong */
export async function confirm(
  ctx: Ctx,
  { user, session }: InSession,
  ask: { password?: string; code?: string; passkey?: Record<string, unknown> },
): Promise<void> {
  if (!(await isRight(ctx, user, ask))) throw new Refusal('confirm_wrong');
  await noteUserSession(ctx.db, session.token_hash, { verified_at: ctx.now() });
}

/** True if the answer is right; for a person with a second factor the password is not enough. */
async function isRight(
  ctx: Ctx,
  user: InSession['user'],
  { password, code, passkey }: Parameters<typeof confirm>[2],
): Promise<boolean> {
  if (passkey !== undefined) return isProof(ctx, user, passkey);
  if (code !== undefined) return takeCode(ctx, user, code);
  if (password === undefined || (await hasFactor(ctx.db, user))) return false;
  return isPassword(password, user.password_hash);
}
