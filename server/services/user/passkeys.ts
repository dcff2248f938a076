/** Passkeys of the office's people: adding, removing, and logging in or confirming with one. */
import { isUniqueViolation } from '#db/engine/dialect.ts';
import {
  deletePasskeys,
  findPasskey,
  insertPasskey,
  namePasskey,
  noteProof,
  passkeysOf,
} from '#db/user/factors.ts';
import { transact } from '#db/engine/transact.ts';
import { findUser, lockUser } from '#db/user/users.ts';
import {
  askForPasskey,
  askForProof,
  canHavePasskeys,
  readNewPasskey,
  readProof,
} from '#server/adapters/passkeys.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { happened } from '#server/services/kit/happened.ts';
import { isAsked, noteAsked } from './challenges.ts';
import { dropUselessCodes, firstRecoveryCodes, noteFactor } from './factors.ts';
import { openUserSession, type User, type Whence } from './sessions.ts';
import type { LoggedIn } from './users.ts';

type Response = Record<string, unknown>;

/** The options for the browser's request. @throws Refusal passkey_refused */
export async function beginPasskey(ctx: Ctx, user: User) {
  if (!canHavePasskeys(ctx.publicUrl)) throw new Refusal('passkey_refused');
  const known = (await passkeysOf(ctx.db, user.id)).map(({ id }) => id);
  const { name } = await organiserOf(ctx);
  const options = await askForPasskey(ctx.publicUrl, { user, known, house: name });
  await noteAsked(ctx, { challenge: options.challenge, purpose: 'add_passkey', user_id: user.id });
  return { options };
}

/**
 * Stores a passkey. Returns recovery codes if it is the person's first factor, otherwise null.
 * @throws Refusal passkey_refused
 */
export async function addPasskey(
  ctx: Ctx,
  user: User,
  { name, response }: { name: string; response: Response },
) {
  const made = await readNewPasskey(ctx.publicUrl, response, (challenge) =>
    isAsked(ctx, { challenge, purpose: 'add_passkey', user_id: user.id }),
  );
  if (made === null) throw new Refusal('passkey_refused');
  return transact(ctx.db, async (trx) => {
    // Two first factors in parallel would each make recovery codes.
    await lockUser(trx, user.id);
    await insertPasskey(trx, {
      ...made,
      user_id: user.id,
      name,
      created_at: ctx.now(),
      last_used_at: null,
    });
    await noteFactor(ctx, trx, { user, action: 'factor_added', kind: 'passkey' });
    return { recovery_codes: await firstRecoveryCodes(ctx, trx, user) };
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Refusal('passkey_refused') : error;
  });
}

/** Renames only the person's own passkey. @throws Refusal passkey_unknown */
export async function renamePasskey(
  ctx: Ctx,
  user: User,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (!(await namePasskey(ctx.db, { user_id: user.id, id, name })))
    throw new Refusal('passkey_unknown');
}

/** @throws Refusal passkey_unknown */
export async function removePasskey(ctx: Ctx, user: User, id: string): Promise<void> {
  await transact(ctx.db, async (trx) => {
    if ((await deletePasskeys(trx, { user_id: user.id, id })) === 0)
      throw new Refusal('passkey_unknown');
    await noteFactor(ctx, trx, { user, action: 'factor_removed', kind: 'passkey' });
    await dropUselessCodes(trx, user.id);
  });
}

/**
 * A challenge for anybody, because we do not know yet who logs in; the browser offers its
 * passkeys of this site.
 */
export async function beginLogin(ctx: Ctx) {
  const options = await askForProof(ctx.publicUrl);
  await noteAsked(ctx, { challenge: options.challenge, purpose: 'login', user_id: null });
  return { options };
}

/**
 * Logs in; a passkey opened by finger, face or PIN counts as both password and second factor.
 * @throws Refusal passkey_refused, account_suspended
 */
export async function loginByPasskey(
  ctx: Ctx,
  { response, whence }: { response: Response; whence: Whence },
): Promise<LoggedIn> {
  const user_id = await proofOf(ctx, { response, purpose: 'login', asked: null });
  const user = user_id === null ? undefined : await findUser(ctx.db, user_id);
  if (!user || user.removed_at !== null) throw new Refusal('passkey_refused');
  if (user.suspended_at !== null) throw new Refusal('account_suspended');
  const token = await openUserSession(ctx, user, whence);
  await happened(ctx, ctx.db, { actor: `user:${user.id}`, action: 'logged_in', subject: user.id });
  return { user, token };
}

/** A challenge for the person who is logged in. */
export async function beginConfirmation(ctx: Ctx, user: User) {
  const known = (await passkeysOf(ctx.db, user.id)).map(({ id }) => id);
  const options = await askForProof(ctx.publicUrl, known);
  await noteAsked(ctx, { challenge: options.challenge, purpose: 'confirm', user_id: user.id });
  return { options };
}

export async function isProof(ctx: Ctx, user: User, response: Response): Promise<boolean> {
  return (await proofOf(ctx, { response, purpose: 'confirm', asked: user.id })) === user.id;
}

/** The id of the person whose passkey signed the challenge; null if the proof is not valid. */
async function proofOf(
  ctx: Ctx,
  {
    response,
    purpose,
    asked,
  }: { response: Response; purpose: 'login' | 'confirm'; asked: string | null },
): Promise<string | null> {
  const id = response['id'];
  const passkey = typeof id === 'string' ? await findPasskey(ctx.db, id) : undefined;
  if (!passkey) return null;
  const counter = await readProof(ctx.publicUrl, {
    response,
    passkey,
    isAsked: (challenge) => isAsked(ctx, { challenge, purpose, user_id: asked }),
  });
  if (counter === null) return null;
  await noteProof(ctx.db, passkey.id, { counter, last_used_at: ctx.now() });
  return passkey.user_id;
}
