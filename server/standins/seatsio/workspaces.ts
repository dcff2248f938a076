/** Companies, workspaces and their keys: who is calling, and for which workspace. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { settingOf } from '#server/standins/store.ts';
import { AuthError, notFound } from './errors.ts';
import { openRoute } from './router.ts';
import type { Seatsio, Workspace } from './context.ts';
import type { Route } from './router.ts';

const COLUMNS = 'id, company_id, key, name, is_test, is_default, is_active';

function makeKey(): string {
  return randomBytes(20).toString('hex');
}

/** The user of a Basic authorization; undefined when there is none. */
export function basicUser(request: IncomingMessage): string | undefined {
  const found = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(request.headers.authorization ?? '');
  return found ? Buffer.from(found[1]!, 'base64').toString('utf8').split(':')[0] : undefined;
}

/**
 * A workspace's secret key is bound to it; a company's admin key stands for the default workspace, or for the one named by `X-Workspace-Key`.
 * @throws AuthError 401 unknown key, 403 another workspace's name beside a workspace key, or a workspace that is switched off
 */
export function findCaller(ctx: Seatsio, request: IncomingMessage): Workspace {
  const secret = basicUser(request);
  if (secret === undefined || secret === '') throw new AuthError(401);
  const header = request.headers['x-workspace-key'];
  const named = typeof header === 'string' ? header : undefined;
  const own = ctx.sql.one<Workspace>(
    `SELECT ${COLUMNS} FROM seatsio_workspaces WHERE id = (SELECT workspace_id FROM seatsio_secret_keys WHERE secret_key = ?)`, secret,
  );
  const workspace = own ?? findForAdmin(ctx, secret, named);
  if (own && named !== undefined && named !== own.key || workspace.is_active === 0) throw new AuthError(403);
  return workspace;
}

function findForAdmin(ctx: Seatsio, secret: string, named: string | undefined): Workspace {
  const company = ctx.sql.one<{ id: number }>('SELECT id FROM seatsio_companies WHERE secret_key = ?', secret);
  if (!company) throw new AuthError(401);
  const workspace = named === undefined
    ? ctx.sql.one<Workspace>(`SELECT ${COLUMNS} FROM seatsio_workspaces WHERE company_id = ? AND is_default = 1`, company.id)
    : ctx.sql.one<Workspace>(`SELECT ${COLUMNS} FROM seatsio_workspaces WHERE company_id = ? AND key = ?`, company.id, named);
  if (!workspace) throw notFound('Workspace', named ?? 'default');
  return workspace;
}

/** What a browser names; it needs no secret. */
export function publicWorkspace(ctx: Seatsio, key: string): Workspace {
  const workspace = ctx.sql.one<Workspace>(`SELECT ${COLUMNS} FROM seatsio_workspaces WHERE key = ? AND is_active = 1`, key);
  if (!workspace) throw notFound('Workspace', key);
  return workspace;
}

interface NewKeys { secretKey: string; workspaceKey: string }

function makeCompany(ctx: Seatsio, name: string, { secretKey, workspaceKey }: NewKeys) {
  const admin = { secretKey: makeKey(), designerKey: makeKey(), publicKey: randomUUID(), email: `${randomUUID()}@stand-in.invalid` };
  const company = ctx.sql.run(
    'INSERT INTO seatsio_companies (secret_key, designer_key, public_key, email, settings) VALUES (?, ?, ?, ?, ?)', admin.secretKey,
    admin.designerKey, admin.publicKey, admin.email, '{}',
  );
  const { lastInsertRowid } = ctx.sql.run(
    'INSERT INTO seatsio_workspaces (company_id, key, name, is_test, is_default, is_active) VALUES (?, ?, ?, 0, 1, 1)',
    Number(company.lastInsertRowid), workspaceKey, name,
  );
  ctx.sql.run('INSERT INTO seatsio_secret_keys (secret_key, workspace_id, created_at) VALUES (?, ?, ?)', secretKey, Number(lastInsertRowid), ctx.now());
  return { admin, workspaceId: Number(lastInsertRowid) };
}

/** Makes the first company at the first start; its keys stay in the file. */
export function openDefaultWorkspace(ctx: Seatsio): { workspace: Workspace; secretKey: string } {
  const secretKey = settingOf(ctx.store, 'seatsio_secret_key', makeKey);
  const workspaceKey = settingOf(ctx.store, 'seatsio_workspace_key', randomUUID);
  const find = () => ctx.sql.one<Workspace>(`SELECT ${COLUMNS} FROM seatsio_workspaces WHERE key = ?`, workspaceKey);
  if (!find()) ctx.store.transaction(() => makeCompany(ctx, 'Main workspace', { secretKey, workspaceKey })).immediate();
  return { workspace: find()!, secretKey };
}

/** @throws AuthError 401 when the caller does not name the system secret; with none set these calls do not exist at all */
function checkSystemSecret(ctx: Seatsio, request: IncomingMessage): void {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(hash(ctx.systemSecret!), hash(basicUser(request) ?? ''))) throw new AuthError(401);
}

/** POST /system/private/create-test-company, Basic user = system secret -> {admin, workspace}: a fresh company that sees nothing of the others. */
export const systemRoutes: Route[] = [
  openRoute('POST', '/system/private/create-test-company', (ctx, call) => {
    checkSystemSecret(ctx, call.request);
    const keys = { secretKey: makeKey(), workspaceKey: randomUUID() };
    const { admin, workspaceId } = ctx.store.transaction(() => makeCompany(ctx, 'Main workspace', keys)).immediate();
    return {
      admin: { ...admin, role: 'ADMIN', company: {}, isAdmin: true },
      workspace: {
        id: workspaceId, key: keys.workspaceKey, name: 'Main workspace', secretKey: keys.secretKey, secretKeys: [keys.secretKey], isTest: false,
        isDefault: true, isActive: true, settings: {},
      },
    };
  }),
];
