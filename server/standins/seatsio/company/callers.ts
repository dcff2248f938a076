/**
 * Finds who is calling: a workspace by its secret key, a company by its admin key, a browser by
 * the public workspace key.
 */
import {
  companyWorkspace,
  defaultWorkspace,
  workspaceByKey,
  workspaceBySecret,
  type Workspace,
} from '#server/standins/seatsio/statements/workspaces.ts';
import { companyOwning, type Company } from '#server/standins/seatsio/statements/companies.ts';
import { AuthError, notFound } from '#server/standins/seatsio/errors.ts';
import { openRoute } from '#server/standins/seatsio/router.ts';
import type { IncomingMessage } from 'node:http';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Answer, Call, ContextOf, ParamOf, Route } from '#server/standins/seatsio/router.ts';

/** The user name of a Basic authorization; undefined without one. */
export function basicUser(request: IncomingMessage): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return encoded ? Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] : undefined;
}

/**
 * A secret key opens its own workspace. An admin key opens the company's default workspace, or
 * the one named in `X-Workspace-Key`.
 * @throws AuthError 401 unknown key; 403 a secret key with another workspace's name, or a
 * workspace that is switched off
 */
export async function findCaller(ctx: Seatsio, request: IncomingMessage): Promise<Workspace> {
  const secret = basicUser(request);
  if (secret === undefined || secret === '') throw new AuthError(401);
  const header = request.headers['x-workspace-key'];
  const named = typeof header === 'string' ? header : undefined;
  const own = await secretKeyOwner(ctx, secret);
  const workspace = own ?? (await findForAdmin(ctx, secret, named));
  if ((own && named !== undefined && named !== own.key) || workspace.is_active === 0)
    throw new AuthError(403);
  return workspace;
}

/** The workspace of a secret key; undefined for an admin key or an unknown one. */
export async function secretKeyOwner(ctx: Seatsio, secret: string): Promise<Workspace | undefined> {
  return workspaceBySecret(ctx.sql, secret);
}

async function findForAdmin(
  ctx: Seatsio,
  secret: string,
  named: string | undefined,
): Promise<Workspace> {
  const company = await companyOwning(ctx.sql, secret);
  if (!company) throw new AuthError(401);
  if (named !== undefined) return findWorkspace(ctx, company.id, named);
  const workspace = await defaultWorkspace(ctx.sql, company.id);
  if (!workspace) throw notFound('Workspace', 'default');
  return workspace;
}

/**
 * The company whose admin key was sent. [DOC] calls on workspaces, ticket buyers and usage need
 * that key.
 * @throws AuthError 401 unknown key, 403 a workspace's key
 */
async function findCompany(ctx: Seatsio, request: IncomingMessage): Promise<Company> {
  const secret = basicUser(request);
  if (secret === undefined || secret === '') throw new AuthError(401);
  const company = await companyOwning(ctx.sql, secret);
  if (!company) throw new AuthError((await secretKeyOwner(ctx, secret)) ? 403 : 401);
  return company;
}

export function companyRoute<M extends Route['method'], P extends string>(
  method: M,
  path: P,
  handle: (ctx: ContextOf<M>, call: Call<ParamOf<P>>, company: Company) => Answer | Promise<Answer>,
): Route {
  return openRoute(method, path, async (ctx, call) =>
    handle(ctx, call, await findCompany(ctx, call.request)),
  );
}

/** Finds a workspace by its public key, which is no secret. */
export async function publicWorkspace(ctx: Seatsio, key: string): Promise<Workspace> {
  const workspace = await workspaceByKey(ctx.sql, key);
  if (workspace?.is_active !== 1) throw notFound('Workspace', key);
  return workspace;
}

/** @throws ApiError WORKSPACE_NOT_FOUND, also for a workspace of another company */
export async function findWorkspace(
  ctx: Seatsio,
  companyId: number,
  key: string,
): Promise<Workspace> {
  const workspace = await companyWorkspace(ctx.sql, companyId, key);
  if (!workspace) throw notFound('Workspace', key);
  return workspace;
}
