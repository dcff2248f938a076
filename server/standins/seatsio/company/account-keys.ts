/** The admin keys of a company: each opens all of its workspaces. The SDK of 90.x has no calls for them, other versions of it do. */
import * as v from 'valibot';
import { companyRoute } from './callers.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { readJson } from '#server/standins/seatsio/router.ts';
import { makeSecretKey } from './workspaces.ts';
import type { Company } from './callers.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Answer, Call, Route } from '#server/standins/seatsio/router.ts';

const removeBody = v.object({ secretKey: v.string() });

/** Oldest first: the company's own, then those that were added. */
export async function adminKeysOf(
  ctx: Seatsio,
  company: Pick<Company, 'id' | 'secret_key'>,
): Promise<[string, ...string[]]> {
  const added = await ctx.sql.all<{ secret_key: string }>(
    'SELECT secret_key FROM seatsio_admin_keys WHERE company_id = ? ORDER BY id',
    company.id,
  );
  return [company.secret_key, ...added.map(({ secret_key }) => secret_key)];
}

async function setOwn(ctx: Writing, companyId: number, key: string): Promise<void> {
  await ctx.sql.run('UPDATE seatsio_companies SET secret_key = ? WHERE id = ?', key, companyId);
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
  // The oldest of those that stay moves up, unless it is there already.
  await ctx.sql.run('DELETE FROM seatsio_admin_keys WHERE secret_key IN (?, ?)', key, first);
  await setOwn(ctx, company.id, first);
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
  /** -> {secretKey}: from now on the only one */
  accountKeyRoute('regenerate', async (ctx, { id }) => {
    const secretKey = makeSecretKey();
    await ctx.sql.run('DELETE FROM seatsio_admin_keys WHERE company_id = ?', id);
    await setOwn(ctx, id, secretKey);
    return { secretKey };
  }),
  /** -> {secretKey}: valid beside the others */
  accountKeyRoute('add', async (ctx, { id }) => {
    const secretKey = makeSecretKey();
    await ctx.sql.run(
      'INSERT INTO seatsio_admin_keys (secret_key, company_id) VALUES (?, ?)',
      secretKey,
      id,
    );
    return { secretKey };
  }),
  /** {secretKey}; @throws ApiError 400 SECRET_KEY_NOT_FOUND, LAST_SECRET_KEY */
  accountKeyRoute('remove', (ctx, company, call) =>
    remove(ctx, company, readJson(call, removeBody).secretKey),
  ),
];
