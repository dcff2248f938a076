/** The workspaces of a company and their secret keys; all calls need the company's admin key. */
import {
  addSecretKey,
  addWorkspaceRow,
  pageOfWorkspaces,
  removeSecretKey,
  removeSecretKeys,
  removeWorkspace,
  secretKeysOf,
  setActive,
  setDefault,
  setName,
  type Workspace,
} from '#server/standins/seatsio/statements/workspaces.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { companyRoute, findWorkspace } from './callers.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { readJson } from '#server/standins/seatsio/router.ts';
import type { Company } from '#server/standins/seatsio/statements/companies.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Answer, Call, Route } from '#server/standins/seatsio/router.ts';

const name = v.pipe(
  v.string(),
  v.nonEmpty('expected minLength: 1, actual: 0'),
  v.maxLength(500, 'expected maxLength: 500'),
);
const createBody = v.object({ name, isTest: v.nullish(v.boolean(), false) });
const updateBody = v.object({ name });
const secretKeyBody = v.object({ secretKey: v.string() });

export function makeSecretKey(): string {
  return randomBytes(20).toString('hex');
}

async function giveSecretKey(ctx: Writing, workspaceId: number): Promise<string> {
  const key = makeSecretKey();
  await addSecretKey(ctx.sql, workspaceId, { key, now: ctx.now() });
  return key;
}

export async function addWorkspace(
  ctx: Writing,
  companyId: number,
  ask: { key: string; secretKey: string; name: string; isTest: boolean; isDefault: boolean },
): Promise<Workspace> {
  const workspace = await addWorkspaceRow(ctx.sql, {
    company_id: companyId,
    key: ask.key,
    name: ask.name,
    is_test: Number(ask.isTest),
    is_default: Number(ask.isDefault),
  });
  await addSecretKey(ctx.sql, workspace.id, { key: ask.secretKey, now: ctx.now() });
  return workspace;
}

/** `secretKey` is the oldest of `secretKeys`. */
export async function describeWorkspace(ctx: Seatsio, workspace: Workspace) {
  const secretKeys = await secretKeysOf(ctx.sql, workspace.id);
  return {
    id: workspace.id,
    key: workspace.key,
    name: workspace.name,
    secretKey: secretKeys[0],
    secretKeys,
    isTest: workspace.is_test === 1,
    isDefault: workspace.is_default === 1,
    isActive: workspace.is_active === 1,
    settings: {},
  };
}

/** [DOC] `?filter` matches a part of the name or of the key. */
async function listWorkspaces(
  ctx: Seatsio,
  query: URLSearchParams,
  { company, active }: { company: Company; active: (0 | 1)[] },
) {
  const page = await pageOfWorkspaces(ctx.sql, query, {
    companyId: company.id,
    active,
    filter: query.get('filter') ?? '',
  });
  return {
    ...page,
    items: await Array.fromAsync(page.items, (workspace) => describeWorkspace(ctx, workspace)),
  };
}

type WorkspacePath =
  | '/workspaces/:workspace'
  | `/workspaces/:workspace/actions/${string}`
  | '/workspaces/actions/set-default/:workspace';

function workspaceRoute(
  method: 'POST' | 'DELETE',
  path: WorkspacePath,
  handle: (ctx: Writing, workspace: Workspace, call: Call) => Answer | Promise<Answer>,
): Route {
  return companyRoute(method, path, async (ctx, call, company) =>
    handle(ctx, await findWorkspace(ctx, company.id, call.params.workspace), call),
  );
}

function refuse(code: string, message: string): never {
  throw new ApiError(400, code, { message });
}

/**
 * [DOC] An active workspace cannot be deleted. Ours: the default one stays active, because the
 * admin key opens it.
 */
export const workspaceRoutes: Route[] = [
  companyRoute('GET', '/workspaces', (ctx, call, company) =>
    listWorkspaces(ctx, call.query, { company, active: [0, 1] }),
  ),
  companyRoute('GET', '/workspaces/active', (ctx, call, company) =>
    listWorkspaces(ctx, call.query, { company, active: [1] }),
  ),
  companyRoute('GET', '/workspaces/inactive', (ctx, call, company) =>
    listWorkspaces(ctx, call.query, { company, active: [0] }),
  ),
  /** {name, isTest?} -> Workspace */
  companyRoute('POST', '/workspaces', async (ctx, call, company) => {
    const ask = {
      ...readJson(call, createBody),
      key: randomUUID(),
      secretKey: makeSecretKey(),
      isDefault: false,
    };
    return describeWorkspace(ctx, await addWorkspace(ctx, company.id, ask));
  }),
  workspaceRoute('POST', '/workspaces/actions/set-default/:workspace', async (ctx, workspace) => {
    if (workspace.is_active === 0)
      refuse('WORKSPACE_NOT_ACTIVE', `Workspace ${workspace.key} is not active`);
    await setDefault(ctx.sql, workspace);
    return undefined;
  }),
  companyRoute('GET', '/workspaces/:workspace', async (ctx, call, company) =>
    describeWorkspace(ctx, await findWorkspace(ctx, company.id, call.params.workspace)),
  ),
  /** {name} */
  workspaceRoute('POST', '/workspaces/:workspace', async (ctx, { id }, call) => {
    await setName(ctx.sql, id, readJson(call, updateBody).name);
    return undefined;
  }),
  workspaceRoute('DELETE', '/workspaces/:workspace', async (ctx, { id, is_active, key }) => {
    if (is_active === 1)
      refuse('WORKSPACE_IS_ACTIVE', `Workspace ${key} is active: deactivate it first`);
    await removeWorkspace(ctx.sql, id);
    return undefined;
  }),
  workspaceRoute('POST', '/workspaces/:workspace/actions/activate', async (ctx, { id }) => {
    await setActive(ctx.sql, id, 1);
    return undefined;
  }),
  workspaceRoute(
    'POST',
    '/workspaces/:workspace/actions/deactivate',
    async (ctx, { id, is_default, key }) => {
      if (is_default === 1)
        refuse(
          'WORKSPACE_IS_DEFAULT',
          `Workspace ${key} is the default one: make another the default first`,
        );
      await setActive(ctx.sql, id, 0);
      return undefined;
    },
  ),
  /** -> {secretKey}: the only valid one from now on */
  workspaceRoute(
    'POST',
    '/workspaces/:workspace/actions/regenerate-secret-key',
    async (ctx, { id }) => {
      await removeSecretKeys(ctx.sql, id);
      return { secretKey: await giveSecretKey(ctx, id) };
    },
  ),
  /** -> {secretKey}: valid together with the others */
  workspaceRoute('POST', '/workspaces/:workspace/actions/add-secret-key', async (ctx, { id }) => ({
    secretKey: await giveSecretKey(ctx, id),
  })),
  /** {secretKey}; the last one cannot be removed */
  workspaceRoute(
    'POST',
    '/workspaces/:workspace/actions/remove-secret-key',
    async (ctx, { id, key }, call) => {
      const { secretKey } = readJson(call, secretKeyBody);
      const keys = await secretKeysOf(ctx.sql, id);
      if (!keys.includes(secretKey))
        refuse('SECRET_KEY_NOT_FOUND', `Secret key not found in workspace ${key}`);
      if (keys.length === 1) refuse('LAST_SECRET_KEY', `Workspace ${key} has no other secret key`);
      await removeSecretKey(ctx.sql, secretKey);
      return undefined;
    },
  ),
];
