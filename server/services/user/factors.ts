/**
 * The second factor: which ones a person has, when one is required, and codes from an
 * authenticator app or on paper.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from '#db/engine/dialect.ts';
import {
  countRecoveryCodes,
  deletePasskeys,
  passkeysOf,
  replaceRecoveryCodes,
  takeRecoveryCode,
} from '#db/user/factors.ts';
import { transact } from '#db/engine/transact.ts';
import { changeUser, findUser, takeTotpStep, usersWithApp } from '#db/user/users.ts';
import { codeAddress, newCodeSecret, stepOfCode } from '#server/adapters/one-time-codes.ts';
import { canHavePasskeys } from '#server/adapters/passkeys.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { factorGraceMs, needsFactor } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { canUnseal, isSealedWith, seal, unseal } from '#server/services/kit/sealing.ts';
import { lookOf } from '#server/services/site/look.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { happened } from '#server/services/kit/happened.ts';
import { isAsked, noteAsked } from './challenges.ts';
import { hashToken } from './secrets.ts';
import type { User } from './sessions.ts';

export async function hasFactor(db: Db, user: User): Promise<boolean> {
  return user.totp_secret !== null || (await passkeysOf(db, user.id)).length > 0;
}

/** From this time (ms) a person without a second factor sees only their account; null: never. */
async function factorDueAt(ctx: Ctx, user: User): Promise<number | null> {
  if (!needsFactor(user.role)) return null;
  const required = ctx.settings.secondFactor === 'required' || (await lookOf(ctx)).requires_factor;
  if (!required) return null;
  return (user.first_login_at ?? user.created_at) + factorGraceMs;
}

/** @throws Refusal factor_required */
export async function requireFactor(ctx: Ctx, user: User): Promise<void> {
  const due = await factorDueAt(ctx, user);
  if (due === null || ctx.now() < due || (await hasFactor(ctx.db, user))) return;
  throw new Refusal('factor_required');
}

export async function readFactors(ctx: Ctx, user: User) {
  return {
    totp: user.totp_secret !== null,
    passkeys: await passkeysOf(ctx.db, user.id),
    recovery_left: await countRecoveryCodes(ctx.db, user.id),
    due_at: await factorDueAt(ctx, user),
    passkeys_possible: canHavePasskeys(ctx.publicUrl),
  };
}

/** Makes a secret for an app; addTotp() stores it after its first code. */
export async function beginTotp(ctx: Ctx, user: User) {
  const secret = newCodeSecret();
  await noteAsked(ctx, { challenge: secret, purpose: 'add_totp', user_id: user.id });
  const { name } = await organiserOf(ctx);
  return { secret, address: codeAddress({ secret, account: user.email, issuer: name }) };
}

/**
 * Stores an app's secret. Returns recovery codes if it is the person's first factor, otherwise
 * null.
 * @throws Refusal code_wrong
 */
export async function addTotp(
  ctx: Ctx,
  user: User,
  { secret, code }: { secret: string; code: string },
) {
  // isAsked() accepts only a secret that beginTotp() made for this person.
  const step = /^[A-Z2-7]{32}$/.test(secret)
    ? stepOfCode(bare(code), { secret, now: ctx.now() })
    : null;
  if (step === null) throw new Refusal('code_wrong');
  if (!(await isAsked(ctx, { challenge: secret, purpose: 'add_totp', user_id: user.id })))
    throw new Refusal('code_wrong');
  return transact(ctx.db, async (trx) => {
    await changeUser(trx, user.id, { totp_secret: seal(secret, ctx.secretsKey), totp_step: step });
    await noteFactor(ctx, trx, { user, action: 'factor_added', kind: 'totp' });
    return { recovery_codes: await firstRecoveryCodes(ctx, trx, user) };
  });
}

export async function removeTotp(ctx: Ctx, user: User): Promise<void> {
  if (user.totp_secret === null) return;
  await transact(ctx.db, async (trx) => {
    await changeUser(trx, user.id, { totp_secret: null, totp_step: null });
    await noteFactor(ctx, trx, { user, action: 'factor_removed', kind: 'totp' });
    await dropUselessCodes(trx, user.id);
  });
}

export async function noteFactor(
  ctx: Ctx,
  db: Db,
  { user, action, kind }: { user: User; action: 'factor_added' | 'factor_removed'; kind: string },
): Promise<void> {
  await happened(ctx, db, { actor: `user:${user.id}`, action, subject: user.id, detail: { kind } });
}

const howManyCodes = 10;
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 120 random bits, so a plain hash is enough (ASVS 6.5.2). */
function newRecoveryCode(): string {
  const text = [...randomBytes(24)].map((byte) => letters[byte % 32]).join('');
  return text.replace(/(.{4})(?!$)/g, '$1-');
}

/** Makes recovery codes for a person's first factor; null if there are some already. */
export async function firstRecoveryCodes(ctx: Ctx, db: Db, user: User): Promise<string[] | null> {
  if ((await countRecoveryCodes(db, user.id)) > 0) return null;
  return writeRecoveryCodes(ctx, db, user);
}

async function writeRecoveryCodes(ctx: Ctx, db: Db, user: User): Promise<string[]> {
  const codes = Array.from({ length: howManyCodes }, newRecoveryCode);
  await replaceRecoveryCodes(
    db,
    user.id,
    codes.map((code) => hashToken(bare(code))),
  );
  await happened(ctx, db, {
    actor: `user:${user.id}`,
    action: 'recovery_codes_made',
    subject: user.id,
  });
  return codes;
}

/** @throws Refusal factor_missing */
export async function renewRecoveryCodes(ctx: Ctx, user: User) {
  if (!(await hasFactor(ctx.db, user))) throw new Refusal('factor_missing');
  return { recovery_codes: await transact(ctx.db, (trx) => writeRecoveryCodes(ctx, trx, user)) };
}

/** Deletes the recovery codes of a person who has no factor left. */
export async function dropUselessCodes(db: Db, user_id: string): Promise<void> {
  const user = await findUser(db, user_id);
  if (user && !(await hasFactor(db, user))) await replaceRecoveryCodes(db, user_id, []);
}

/** Deletes all factors of a person who lost the phone or left. */
export async function dropFactors(db: Db, user_id: string): Promise<void> {
  await changeUser(db, user_id, { totp_secret: null, totp_step: null });
  await deletePasskeys(db, { user_id });
  await replaceRecoveryCodes(db, user_id, []);
}

/** The code without spaces and dashes and in capitals, because people type it in many ways. */
function bare(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}

/** Accepts a code of the authenticator app or a recovery code from paper; each works once. */
export async function takeCode(ctx: Ctx, user: User, code: string): Promise<boolean> {
  const text = bare(code);
  if (/^\d{6}$/.test(text)) {
    if (user.totp_secret === null || !canUnseal(user.totp_secret)) return false;
    const step = stepOfCode(text, { secret: unseal(user.totp_secret), now: ctx.now() });
    return step !== null && takeTotpStep(ctx.db, user.id, step);
  }
  if (!(await takeRecoveryCode(ctx.db, { code_hash: hashToken(text), user_id: user.id })))
    return false;
  await happened(ctx, ctx.db, {
    actor: `user:${user.id}`,
    action: 'recovery_code_used',
    subject: user.id,
  });
  return true;
}

/** The second factors with which the person can log in or confirm. */
export async function waysOf(ctx: Ctx, user: User) {
  return {
    totp: user.totp_secret !== null,
    passkey: (await passkeysOf(ctx.db, user.id)).length > 0,
  };
}

/** Seals with the present key the app secrets that are not; runs at the start. */
export async function sealAppSecrets(ctx: Ctx): Promise<void> {
  if (ctx.secretsKey === null) return;
  for (const { id, totp_secret } of await usersWithApp(ctx.db))
    if (canUnseal(totp_secret) && !isSealedWith(totp_secret, ctx.secretsKey))
      await changeUser(ctx.db, id, { totp_secret: seal(unseal(totp_secret), ctx.secretsKey) });
}
