/** The people of the office: the list, and changes that an admin makes to a person. */
import type { Trx } from '#db/engine/dialect.ts';
import { passkeysOf, usersWithPasskeys } from '#db/user/factors.ts';
import { deleteLinksOf, openInvites } from '#db/user/one-time-links.ts';
import { deleteSessionsOf } from '#db/user/sessions.ts';
import { transact } from '#db/engine/transact.ts';
import {
  changeUser,
  findUser,
  forgetDevicesOf,
  listUsers,
  lockAdmins,
  userNames,
} from '#db/user/users.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { resetMs, type Role } from '#server/domain/user/user.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { dropFactors } from './factors.ts';
import { addressFor, storeLink } from './one-time-links.ts';
import type { User } from './sessions.ts';

export async function listPeople(ctx: Ctx) {
  const [people, invites] = await Promise.all([listUsers(ctx.db), openInvites(ctx.db, ctx.now())]);
  const keys = await usersWithPasskeys(ctx.db);
  const names = await userNames(ctx.db, [
    ...new Set(invites.flatMap(({ made_by }) => made_by ?? [])),
  ]);
  return {
    items: people.map((user) => personOf(user, keys.has(user.id))),
    invites: invites.map((link) => ({
      ...link,
      role: requireValue(link.role, 'role'),
      made_by: names.get(link.made_by ?? '') ?? null,
    })),
    mail_leaves: ctx.mail.leaves,
  };
}

function personOf(user: User, hasPasskey: boolean) {
  return {
    ...user,
    suspended: user.suspended_at !== null,
    factor: user.totp_secret !== null || hasPasskey,
  };
}

interface Act {
  id: string;
  actor: Actor;
}

/**
 * Changes the role, beginning with the person's next call.
 * @throws Refusal person_not_found, last_admin
 */
export async function changeRole(ctx: Ctx, { id, actor, role }: Act & { role: Role }) {
  return changePerson(ctx, { id, actor }, async (trx, user) => {
    if (user.role === role) return null;
    await changeUser(trx, id, { role });
    return { action: 'role_changed', detail: { from: user.role, to: role } };
  });
}

/**
 * Ends the person's sessions and forbids their login.
 * @throws Refusal person_not_found, last_admin
 */
export async function suspend(ctx: Ctx, act: Act) {
  return changePerson(ctx, act, async (trx, user) => {
    if (user.suspended_at !== null) return null;
    await changeUser(trx, user.id, { suspended_at: ctx.now() });
    await shutOut(trx, user.id);
    return { action: 'person_suspended' };
  });
}

/** @throws Refusal person_not_found */
export async function restore(ctx: Ctx, act: Act) {
  return changePerson(ctx, act, async (trx, user) => {
    if (user.suspended_at === null) return null;
    await changeUser(trx, user.id, { suspended_at: null });
    return { action: 'person_restored' };
  });
}

/**
 * Removes a person; the name stays for the audit, and the address can be invited again.
 * @throws Refusal person_not_found, last_admin
 */
export async function remove(ctx: Ctx, act: Act): Promise<void> {
  await changePerson(ctx, act, async (trx, user) => {
    await changeUser(trx, user.id, {
      removed_at: ctx.now(),
      email: `${user.id}@removed.invalid`,
      password_hash: '',
    });
    await dropFactors(trx, user.id);
    await shutOut(trx, user.id);
    return { action: 'person_removed' };
  });
}

/**
 * Deletes the person's factors and ends their sessions, because a stranger may have the phone.
 * @throws Refusal person_not_found
 */
export async function resetFactors(ctx: Ctx, act: Act) {
  return changePerson(ctx, act, async (trx, user) => {
    await dropFactors(trx, user.id);
    await deleteSessionsOf(trx, user.id);
    return { action: 'factors_reset' };
  });
}

async function shutOut(trx: Trx, user_id: string): Promise<void> {
  await deleteSessionsOf(trx, user_id);
  await forgetDevicesOf(trx, user_id);
  await deleteLinksOf(trx, user_id);
}

type Done = { action: AuditAction; detail?: unknown } | null;

/** Changes a person; `change` returns null if nothing changes. An administrator must remain. */
async function changePerson(
  ctx: Ctx,
  { id, actor }: Act,
  change: (trx: Trx, user: User) => Promise<Done>,
) {
  return transact(ctx.db, async (trx) => {
    // The lock comes before the read, so that two changes run one after another.
    await lockAdmins(trx);
    const user = await findUser(trx, id);
    if (!user || user.removed_at !== null) throw new Refusal('person_not_found');
    const done = await change(trx, user);
    if ((await lockAdmins(trx)).length === 0) throw new Refusal('last_admin');
    if (done !== null) await happened(ctx, trx, { actor, subject: id, ...done });
    const now = requireValue(await findUser(trx, id), 'user');
    return personOf(now, (await passkeysOf(trx, id)).length > 0);
  });
}

/**
 * A link to a new password, which an administrator gives to a person who gets no mail.
 * @throws Refusal person_not_found
 */
export async function makeResetLink(ctx: Ctx, { id, by }: { id: string; by: User }) {
  const user = await findUser(ctx.db, id);
  if (!user || user.removed_at !== null) throw new Refusal('person_not_found');
  return transact(ctx.db, async (trx) => {
    const link = await storeLink(ctx, trx, {
      kind: 'reset',
      user_id: id,
      made_by: by.id,
      validMs: resetMs,
    });
    await happened(ctx, trx, { actor: `user:${by.id}`, action: 'reset_link_made', subject: id });
    return { url: await addressFor(ctx, trx, link), expires_at: link.expires_at };
  });
}
