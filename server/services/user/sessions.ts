/** Sessions of the office's people: opened at login, found by cookie, listed, and ended. */
import {
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertUserSession,
  noteUserSession,
  purgeSessions,
  sessionsOfUser,
} from '#db/user/sessions.ts';
import { purgeChallenges } from '#db/user/factors.ts';
import { deleteLinksOf, purgeLinks } from '#db/user/one-time-links.ts';
import type { SessionRow, UserRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { changeUser, forgetDevicesOf, listUsers } from '#db/user/users.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Place } from '#server/domain/user/user.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { hashToken, newToken } from './secrets.ts';

/** How long a session lasts unused and in all (ASVS 7.3), and how often its use is stored. */
const idleMs = 8 * 3_600_000;
const absoluteMs = 7 * 24 * 3_600_000;
const touchMs = 60_000;
/** How long a browser counts as known. */
export const rememberedMs = 365 * 24 * 3_600_000;

export type User = UserRow;

/** The browser and network of a login. */
export interface Whence {
  device: string;
  place: Place;
}

export interface InSession {
  user: User;
  session: SessionRow;
}

/** Opens a session for a person who has proved their identity; returns the cookie's token. */
export async function openUserSession(ctx: Ctx, user: User, whence: Whence): Promise<string> {
  const token = newToken();
  const now = ctx.now();
  await transact(ctx.db, async (trx) => {
    await insertUserSession(trx, {
      ...whence,
      id: ctx.newId(),
      token_hash: hashToken(token),
      user_id: user.id,
      created_at: now,
      last_seen_at: now,
      verified_at: now,
    });
    await changeUser(trx, user.id, {
      last_seen_at: now,
      first_login_at: user.first_login_at ?? now,
    });
  });
  return token;
}

/** The session of this cookie and its person; null if there is none or it has ended. */
export async function userOfSession(
  ctx: Ctx,
  token: string,
  place: Place,
): Promise<InSession | null> {
  const found = await liveSession(ctx, hashToken(token));
  if (!found) return null;
  const { user, session } = found;
  const now = ctx.now();
  if (session.last_seen_at + touchMs < now) {
    await noteUserSession(ctx.db, session.token_hash, { last_seen_at: now, place });
    await changeUser(ctx.db, user.id, { last_seen_at: now });
  }
  return { user, session };
}

/** Null if the session has expired, or its person was suspended or removed. */
export async function liveSession(ctx: Ctx, token_hash: string): Promise<InSession | null> {
  const found = await findSession(ctx.db, token_hash);
  if (!found) return null;
  const { user, ...session } = found;
  const now = ctx.now();
  if (session.created_at + absoluteMs < now || session.last_seen_at + idleMs < now) return null;
  return user.suspended_at === null && user.removed_at === null ? { user, session } : null;
}

export async function logout(ctx: Ctx, token: string | undefined): Promise<void> {
  if (token !== undefined) await deleteSession(ctx.db, hashToken(token));
}

/** The person's sessions that have not expired; `current` marks the one that calls. */
export async function listSessions(ctx: Ctx, { user, session }: InSession) {
  const rows = await sessionsOfUser(ctx.db, user.id);
  const lives = ({ created_at, last_seen_at }: SessionRow) =>
    created_at + absoluteMs >= ctx.now() && last_seen_at + idleMs >= ctx.now();
  return {
    items: rows.filter(lives).map((row) => ({ ...row, current: row.id === session.id })),
  };
}

/** @throws Refusal session_unknown */
export async function endSession(ctx: Ctx, { user }: InSession, id: string): Promise<void> {
  if ((await deleteSessionsOf(ctx.db, user.id, { id })) === 0) throw new Refusal('session_unknown');
  await happened(ctx, ctx.db, {
    actor: `user:${user.id}`,
    action: 'sessions_ended',
    subject: user.id,
    detail: { sessions: 1 },
  });
}

/** Ends the person's sessions on all devices, this one too, and forgets known browsers. */
export async function endAllSessions(ctx: Ctx, { user }: InSession): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const sessions = await deleteSessionsOf(trx, user.id);
    await forgetDevicesOf(trx, user.id);
    await happened(ctx, trx, {
      actor: `user:${user.id}`,
      action: 'sessions_ended',
      subject: user.id,
      detail: { sessions },
    });
  });
}

/**
 * Ends all sessions of all people, and deletes their known browsers and links, so that stolen
 * ones do not work. Returns how many sessions ended.
 */
export async function endEverySession(ctx: Ctx, actor: Actor): Promise<number> {
  return transact(ctx.db, async (trx) => {
    let ended = 0;
    for (const { id } of await listUsers(trx)) {
      const sessions = await deleteSessionsOf(trx, id);
      await forgetDevicesOf(trx, id);
      await deleteLinksOf(trx, id);
      ended += sessions;
      if (sessions > 0)
        await happened(ctx, trx, {
          actor,
          action: 'sessions_ended',
          subject: id,
          detail: { sessions },
        });
    }
    return ended;
  });
}

export async function forgetOldSessions(ctx: Ctx): Promise<void> {
  await purgeSessions(ctx.db, {
    created_before: ctx.now() - absoluteMs,
    seen_before: ctx.now() - idleMs,
  });
  await purgeLinks(ctx.db, ctx.now());
  await purgeChallenges(ctx.db, ctx.now());
}
