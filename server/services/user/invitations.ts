/**
 * Invitations: the first admin's, made at the start, and those that an admin makes; people accept
 * them, and an admin can withdraw them.
 */
import { awaitTurn, isUniqueViolation } from '#db/engine/dialect.ts';
import {
  deleteLink,
  deleteOwnInvites,
  findLink,
  hasOwnInvite,
  linkOfToken,
} from '#db/user/one-time-links.ts';
import type { OneTimeLinkRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { findUserByEmail, hasAdmin, insertUser } from '#db/user/users.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { inviteMs, type Role } from '#server/domain/user/user.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened, oweMail } from '#server/services/kit/happened.ts';
import { runsBeside } from '#server/services/kit/processes.ts';
import { addressFor, storeLink } from './one-time-links.ts';
import { requireStrong } from './passwords.ts';
import { hashPassword, hashToken } from './secrets.ts';
import { openUserSession, type User, type Whence } from './sessions.ts';
import type { LoggedIn } from './users.ts';

const firstInviteMs = 24 * 3_600_000;
/** Of processes that start within this time, the first one prints a link. */
const togetherMs = 60_000;

/**
 * The link for the first admin; null if there is an admin, or if another process has just made
 * one. Each start makes a new link otherwise, and deletes the older ones.
 */
export async function inviteFirstAdmin(ctx: Ctx): Promise<string | null> {
  if (await hasAdmin(ctx.db)) return null;
  const startsBeside = await runsBeside(ctx);
  return transact(ctx.db, async (trx) => {
    await awaitTurn(trx);
    const since = ctx.now() - togetherMs;
    if (startsBeside && (await hasOwnInvite(trx, since))) return null;
    await deleteOwnInvites(trx, since);
    const link = await storeLink(ctx, trx, {
      kind: 'invite',
      role: 'admin',
      made_by: null,
      validMs: firstInviteMs,
    });
    return addressFor(ctx, trx, link);
  });
}

/** A link for a new administrator; the command line makes it when no admin can log in. */
export async function makeAdminLink(
  ctx: Ctx,
  actor: Actor,
): Promise<{ url: string; expires_at: number }> {
  return transact(ctx.db, async (trx) => {
    const link = await storeLink(ctx, trx, {
      kind: 'invite',
      role: 'admin',
      made_by: null,
      validMs: firstInviteMs,
    });
    await happened(ctx, trx, {
      actor,
      action: 'person_invited',
      subject: link.id,
      detail: { role: 'admin', by_mail: false },
    });
    return { url: await addressFor(ctx, trx, link), expires_at: link.expires_at };
  });
}

/**
 * Invites a person. With an address the link is mailed; without one, `url` is the link, which is
 * shown only now.
 * @throws Refusal email_taken
 */
export async function invite(
  ctx: Ctx,
  ask: { role: Role; email: string | null; by: User },
): Promise<{ invite: OneTimeLinkRow; url: string | null }> {
  if (ask.email !== null && (await findUserByEmail(ctx.db, ask.email)))
    throw new Refusal('email_taken');
  const made = await transact(ctx.db, async (trx) => {
    const link = await storeLink(ctx, trx, {
      kind: 'invite',
      role: ask.role,
      email: ask.email,
      made_by: ask.by.id,
      validMs: inviteMs,
    });
    await happened(ctx, trx, {
      actor: `user:${ask.by.id}`,
      action: 'person_invited',
      subject: link.id,
      detail: { role: ask.role, by_mail: ask.email !== null },
    });
    if (ask.email === null) return { invite: link, url: await addressFor(ctx, trx, link) };
    await oweMail(ctx, trx, {
      act: 'person_invited',
      order_id: null,
      kind: 'invitation',
      key: link.id,
      to_address: ask.email,
    });
    return { invite: link, url: null };
  });
  return made;
}

/** @throws Refusal invite_invalid */
export async function withdrawInvite(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  const link = await findLink(ctx.db, id);
  if (link?.kind !== 'invite' || link.made_by === null) throw new Refusal('invite_invalid');
  await transact(ctx.db, async (trx) => {
    if (!(await deleteLink(trx, id))) throw new Refusal('invite_invalid');
    await happened(ctx, trx, { actor, action: 'invite_withdrawn', subject: id });
  });
}

/** The role and address of an invitation. @throws Refusal invite_invalid */
export async function readInvite(ctx: Ctx, token: string) {
  const { role, email, expires_at } = await requireInvite(ctx, token);
  return { role: requireValue(role, 'role'), email, expires_at };
}

async function requireInvite(ctx: Ctx, token: string): Promise<OneTimeLinkRow> {
  const token_hash = hashToken(token);
  const link = await linkOfToken(ctx.db, { kind: 'invite', token_hash, now: ctx.now() });
  if (!link) throw new Refusal('invite_invalid');
  return link;
}

/**
 * Makes the person's account; an invitation that was mailed keeps its address.
 * @throws Refusal invite_invalid, password_weak, email_taken
 */
export async function acceptInvite(
  ctx: Ctx,
  ask: { token: string; email: string; name: string; password: string; whence: Whence },
): Promise<LoggedIn> {
  const link = await requireInvite(ctx, ask.token);
  await requireStrong(ask.password, ask);
  const user: User = {
    id: ctx.newId(),
    email: link.email ?? ask.email,
    name: ask.name,
    role: requireValue(link.role, 'role'),
    password_hash: await hashPassword(ask.password),
    created_at: ctx.now(),
    first_login_at: ctx.now(),
    last_seen_at: ctx.now(),
    suspended_at: null,
    removed_at: null,
    totp_secret: null,
    totp_step: null,
  };
  await transact(ctx.db, async (trx) => {
    if (!(await deleteLink(trx, link.id))) throw new Refusal('invite_invalid');
    // The first admin is made, so the links that other processes printed are deleted.
    if (!(await hasAdmin(trx))) await deleteOwnInvites(trx, Number.MAX_SAFE_INTEGER);
    await insertUser(trx, user);
    await happened(ctx, trx, {
      actor: `user:${user.id}`,
      action: 'invite_accepted',
      subject: user.id,
      detail: { role: user.role },
    });
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Refusal('email_taken') : error;
  });
  return { user, token: await openUserSession(ctx, user, ask.whence) };
}
