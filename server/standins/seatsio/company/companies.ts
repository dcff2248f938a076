/** Makes companies: the first one, and new ones for callers with the system secret. */
import {
  secretKeysOf,
  workspaceByKey,
  type Workspace,
} from '#server/standins/seatsio/statements/workspaces.ts';
import {
  addCompany,
  requireCompany,
  type Company,
} from '#server/standins/seatsio/statements/companies.ts';
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { settingOf } from '#server/standins/kit/settings.ts';
import { describeAccount } from './accounts.ts';
import { basicUser, findWorkspace } from './callers.ts';
import { AuthError } from '#server/standins/seatsio/errors.ts';
import { openRoute } from '#server/standins/seatsio/router.ts';
import { addWorkspace, describeWorkspace, makeSecretKey } from './workspaces.ts';
import type { IncomingMessage } from 'node:http';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

const FIRST_NAME = 'Main workspace';

async function makeCompany(
  ctx: Writing,
  first: { key: string; secretKey: string },
): Promise<{ company: Company; workspace: Workspace }> {
  const company = await addCompany(ctx.sql, {
    secret_key: makeSecretKey(),
    designer_key: makeSecretKey(),
    public_key: randomUUID(),
    email: `${randomBytes(16).toString('hex')}@stand-in.invalid`,
    settings: '{}',
  });
  return {
    company,
    workspace: await addWorkspace(ctx, company.id, {
      ...first,
      name: FIRST_NAME,
      isTest: false,
      isDefault: true,
    }),
  };
}

/** Makes the first company at the first start; later starts return its current keys. */
export async function openDefaultWorkspace(ctx: Writing): Promise<{
  workspace: Workspace;
  secretKey: string;
  adminKey: string;
}> {
  const firstSecretKey = await settingOf(ctx.sql, 'seatsio_secret_key', makeSecretKey);
  const key = await settingOf(ctx.sql, 'seatsio_workspace_key', randomUUID);
  const workspace =
    (await workspaceByKey(ctx.sql, key)) ??
    (await makeCompany(ctx, { key, secretKey: firstSecretKey })).workspace;
  const { secret_key: adminKey } = await requireCompany(ctx.sql, workspace.company_id);
  return {
    workspace,
    secretKey: (await secretKeysOf(ctx.sql, workspace.id))[0] ?? firstSecretKey,
    adminKey,
  };
}

/**
 * Without a system secret these calls do not exist.
 * @throws AuthError 401 when the caller does not send the system secret
 */
function checkSystemSecret({ systemSecret }: Seatsio, request: IncomingMessage): void {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const isKnown =
    systemSecret !== undefined &&
    timingSafeEqual(hash(systemSecret), hash(basicUser(request) ?? ''));
  if (!isKnown) throw new AuthError(401);
}

/**
 * POST /system/private/create-test-company, Basic user = system secret -> {admin: Account,
 * workspace: Workspace}: a new company that sees nothing of the others.
 */
export const systemRoutes: Route[] = [
  openRoute('POST', '/system/private/create-test-company', async (ctx, call) => {
    checkSystemSecret(ctx, call.request);
    const { company, workspace } = await makeCompany(ctx, {
      key: randomUUID(),
      secretKey: makeSecretKey(),
    });
    return {
      admin: { ...(await describeAccount(ctx, company)), isAdmin: true },
      workspace: await describeWorkspace(ctx, await findWorkspace(ctx, company.id, workspace.key)),
    };
  }),
];
