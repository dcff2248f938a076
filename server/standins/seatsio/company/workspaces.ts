/** The workspaces of a company and their secret keys. All calls are made with the company's admin key. */
import { randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { companyRoute, findWorkspace, WORKSPACE_COLUMNS } from './callers.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { readPage } from '#server/standins/seatsio/paging.ts';
import { readJson } from '#server/standins/seatsio/router.ts';
import type { Company } from './callers.ts';
import type { Seatsio, Workspace, Writing } from '#server/standins/seatsio/context.ts';
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

/** Oldest first. */
export async function secretKeysOf(ctx: Seatsio, workspaceId: number): Promise<string[]> {
  return (
    await ctx.sql.all<{ secret_key: string }>(
      'SELECT secret_key FROM seatsio_secret_keys WHERE workspace_id = ? ORDER BY created_at',
      workspaceId,
    )
  ).map(({ secret_key }) => secret_key);
}

/** Two keys of one millisecond keep their order. */
async function addSecretKey(ctx: Writing, workspaceId: number, secretKey: string): Promise<string> {
  await ctx.sql.run(
    `INSERT INTO seatsio_secret_keys (secret_key, workspace_id, created_at)
     VALUES (?, ?, MAX(?, (SELECT COALESCE(MAX(created_at), 0) + 1 FROM seatsio_secret_keys WHERE workspace_id = ?)))`,
    secretKey,
    workspaceId,
    ctx.now(),
    workspaceId,
  );
  return secretKey;
}

export async function addWorkspace(
  ctx: Writing,
  companyId: number,
  ask: { key: string; secretKey: string; name: string; isTest: boolean; isDefault: boolean },
): Promise<Workspace> {
  const workspace = (await ctx.sql.get<Workspace>(
    `INSERT INTO seatsio_workspaces (company_id, key, name, is_test, is_default, is_active) VALUES (?, ?, ?, ?, ?, 1) RETURNING ${WORKSPACE_COLUMNS}`,
    companyId,
    ask.key,
    ask.name,
    Number(ask.isTest),
    Number(ask.isDefault),
  ))!;
  await addSecretKey(ctx, workspace.id, ask.secretKey);
  return workspace;
}

/** `secretKey` is the oldest of `secretKeys`. */
export async function describeWorkspace(ctx: Seatsio, workspace: Workspace) {
  const secretKeys = await secretKeysOf(ctx, workspace.id);
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

/** [DOC] `?filter` is part of the name or of the key. */
async function listWorkspaces(
  ctx: Seatsio,
  query: URLSearchParams,
  { company, active }: { company: Company; active: string },
) {
  const filter = query.get('filter') ?? '';
  const page = await readPage<Workspace>(ctx.sql, query, {
    select: `SELECT ${WORKSPACE_COLUMNS} FROM seatsio_workspaces`,
    where: `company_id = ? AND is_active IN (${active}) AND (instr(fold(name), fold(?)) > 0 OR instr(key, fold(?)) > 0)`,
    values: [company.id, filter, filter],
  });
  return {
    ...page,
    items: await Array.fromAsync(page.items, (workspace) => describeWorkspace(ctx, workspace)),
  };
}

function workspaceRoute(
  method: 'POST' | 'DELETE',
  path: string,
  handle: (ctx: Writing, workspace: Workspace, call: Call) => Answer | Promise<Answer>,
): Route {
  return companyRoute(method, path, async (ctx, call, company) =>
    handle(ctx, await findWorkspace(ctx, company.id, call.params.workspace!), call),
  );
}

function refuse(code: string, message: string): never {
  throw new ApiError(400, code, { message });
}

/** [DOC] an active one cannot be deleted; that the default stays active is ours, or the admin key would open nothing. */
export const workspaceRoutes: Route[] = [
  companyRoute('GET', '/workspaces', (ctx, call, company) =>
    listWorkspaces(ctx, call.query, { company, active: '0, 1' }),
  ),
  companyRoute('GET', '/workspaces/active', (ctx, call, company) =>
    listWorkspaces(ctx, call.query, { company, active: '1' }),
  ),
  companyRoute('GET', '/workspaces/inactive', (ctx, call, company) =>
    listWorkspaces(ctx, call.query, { company, active: '0' }),
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
  workspaceRoute(
    'POST',
    '/workspaces/actions/set-default/:workspace',
    async (ctx, { id, company_id, is_active, key }) => {
      if (is_active === 0) refuse('WORKSPACE_NOT_ACTIVE', `Workspace ${key} is not active`);
      await ctx.sql.run(
        'UPDATE seatsio_workspaces SET is_default = (id = ?) WHERE company_id = ?',
        id,
        company_id,
      );
      return undefined;
    },
  ),
  companyRoute('GET', '/workspaces/:workspace', async (ctx, call, company) =>
    describeWorkspace(ctx, await findWorkspace(ctx, company.id, call.params.workspace!)),
  ),
  /** {name} */
  workspaceRoute('POST', '/workspaces/:workspace', async (ctx, { id }, call) => {
    await ctx.sql.run(
      'UPDATE seatsio_workspaces SET name = ? WHERE id = ?',
      readJson(call, updateBody).name,
      id,
    );
    return undefined;
  }),
  workspaceRoute('DELETE', '/workspaces/:workspace', async (ctx, { id, is_active, key }) => {
    if (is_active === 1)
      refuse('WORKSPACE_IS_ACTIVE', `Workspace ${key} is active: deactivate it first`);
    // Events name their chart without a cascade, so they leave first.
    await ctx.sql.run('DELETE FROM seatsio_events WHERE workspace_id = ?', id);
    await ctx.sql.run('DELETE FROM seatsio_workspaces WHERE id = ?', id);
    return undefined;
  }),
  workspaceRoute('POST', '/workspaces/:workspace/actions/activate', async (ctx, { id }) => {
    await ctx.sql.run('UPDATE seatsio_workspaces SET is_active = 1 WHERE id = ?', id);
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
      await ctx.sql.run('UPDATE seatsio_workspaces SET is_active = 0 WHERE id = ?', id);
      return undefined;
    },
  ),
  /** -> {secretKey}: from now on the only one */
  workspaceRoute(
    'POST',
    '/workspaces/:workspace/actions/regenerate-secret-key',
    async (ctx, { id }) => {
      await ctx.sql.run('DELETE FROM seatsio_secret_keys WHERE workspace_id = ?', id);
      return { secretKey: await addSecretKey(ctx, id, makeSecretKey()) };
    },
  ),
  /** -> {secretKey}: valid beside the others */
  workspaceRoute('POST', '/workspaces/:workspace/actions/add-secret-key', async (ctx, { id }) => ({
    secretKey: await addSecretKey(ctx, id, makeSecretKey()),
  })),
  /** {secretKey}; the last one stays */
  workspaceRoute(
    'POST',
    '/workspaces/:workspace/actions/remove-secret-key',
    async (ctx, { id, key }, call) => {
      const { secretKey } = readJson(call, secretKeyBody);
      const keys = await secretKeysOf(ctx, id);
      if (!keys.includes(secretKey))
        refuse('SECRET_KEY_NOT_FOUND', `Secret key not found in workspace ${key}`);
      if (keys.length === 1) refuse('LAST_SECRET_KEY', `Workspace ${key} has no other secret key`);
      await ctx.sql.run('DELETE FROM seatsio_secret_keys WHERE secret_key = ?', secretKey);
      return undefined;
    },
  ),
];
