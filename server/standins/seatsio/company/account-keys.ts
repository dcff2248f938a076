/**
 * The admin keys of a company: each one opens all its workspaces. SDK 90.x has no calls for them,
 * but other versions do.
 */
import {
  addAdminKey,
  addedKeysOf,
  removeAddedKeys,
  removeAdminKey,
  setSecretKey,
  type Company,
} from '#server/standins/seatsio/statements/companies.ts';
import * as v from 'valibot';
import { companyRoute } from './callers.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { readJson } from '#server/standins/seatsio/router.ts';
import { makeSecretKey } from './workspaces.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Answer, Call, Route } from '#server/standins/seatsio/router.ts';

const removeBody = v.object({ secretKey: v.string() });

/** Oldest first: the company's original key, then the added ones. */
export async function adminKeysOf(
  ctx: Seatsio,
  company: Pick<Company, 'id' | 'secret_key'>,
): Promise<[string, ...string[]]> {
  return [company.secret_key, ...(await addedKeysOf(ctx.sql, company.id))];
}

async function remove(ctx: Writing, company: Company, key: string): Promise<undefined> {
  const keys = await adminKeysOf(ctx, company);
  if (!keys.includes(key))
    throw new ApiError(400, 'SECRET_KEY_NOT_FOUND', {
      message: 'Secret key not found in this account',
    });
  const first = keys.find((one) => one !== key);
  if (first === undefined)
    throw new ApiError(400, 'LAST_SECRET_KEY', { message: 'This account has no other secret key' });
  // The oldest remaining key is stored with the company, as its first key always is.
  for (const one of [key, first]) await removeAdminKey(ctx.sql, one);
  await setSecretKey(ctx.sql, company.id, first);
}

function accountKeyRoute(
  action: string,
  handle: (ctx: Writing, company: Company, call: Call) => Answer | Promise<Answer>,
): Route {
  return companyRoute('POST', `/accounts/me/secret-key/actions/${action}`, (ctx, call, company) =>
    handle(ctx, company, call),
  );
}

export const accountKeyRoutes: Route[] = [
  /** -> {secretKey}: the only valid one from now on */
  accountKeyRoute('regenerate', async (ctx, { id }) => {
    const secretKey = makeSecretKey();
    await removeAddedKeys(ctx.sql, id);
    await setSecretKey(ctx.sql, id, secretKey);
    return { secretKey };
  }),
  /** -> {secretKey}: valid together with the others */
  accountKeyRoute('add', async (ctx, { id }) => {
    const secretKey = makeSecretKey();
    await addAdminKey(ctx.sql, id, secretKey);
    return { secretKey };
  }),
  /** {secretKey}; @throws ApiError 400 SECRET_KEY_NOT_FOUND, LAST_SECRET_KEY */
  accountKeyRoute('remove', (ctx, company, call) =>
    remove(ctx, company, readJson(call, removeBody).secretKey),
  ),
];
