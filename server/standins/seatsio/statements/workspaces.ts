/** The rows of workspaces and their secret keys. */
import { readPage } from './paging.ts';
import type { Reader, Writer } from '#server/standins/kit/store.ts';
import { requireRow } from '#server/standins/kit/row.ts';

export interface Workspace {
  id: number;
  company_id: number;
  key: string;
  name: string;
  is_test: number;
  is_default: number;
  is_active: number;
}

const SELECT =
  'SELECT id, company_id, key, name, is_test, is_default, is_active FROM seatsio_workspaces';

export function workspaceBySecret(sql: Reader, secret: string) {
  return sql.get<Workspace>(
    `${SELECT} WHERE id = (SELECT workspace_id FROM seatsio_secret_keys WHERE secret_key = ?)`,
    secret,
  );
}

export function workspaceByKey(sql: Reader, key: string) {
  return sql.get<Workspace>(`${SELECT} WHERE key = ?`, key);
}

export function companyWorkspace(sql: Reader, companyId: number, key: string) {
  return sql.get<Workspace>(`${SELECT} WHERE company_id = ? AND key = ?`, companyId, key);
}

export function defaultWorkspace(sql: Reader, companyId: number) {
  return sql.get<Workspace>(`${SELECT} WHERE company_id = ? AND is_default = 1`, companyId);
}

export async function countWorkspaces(sql: Reader, companyId: number): Promise<number> {
  const row = await sql.get<{ count: number }>(
    'SELECT COUNT(*) AS count FROM seatsio_workspaces WHERE company_id = ?',
    companyId,
  );
  return row?.count ?? 0;
}

/** `filter` is part of the name or of the key. */
export function pageOfWorkspaces(
  sql: Reader,
  query: URLSearchParams,
  { companyId, active, filter }: { companyId: number; active: readonly (0 | 1)[]; filter: string },
) {
  return readPage<Workspace>(sql, query, {
    select: SELECT,
    where: `company_id = ? AND is_active IN (${active.join(', ')}) AND (instr(fold(name), fold(?)) > 0 OR instr(key, fold(?)) > 0)`,
    values: [companyId, filter, filter],
  });
}

export async function addWorkspaceRow(
  sql: Writer,
  row: Pick<Workspace, 'company_id' | 'key' | 'name' | 'is_test' | 'is_default'>,
): Promise<Workspace> {
  await sql.run(
    'INSERT INTO seatsio_workspaces (company_id, key, name, is_test, is_default, is_active) VALUES (?, ?, ?, ?, ?, 1)',
    row.company_id,
    row.key,
    row.name,
    row.is_test,
    row.is_default,
  );
  return requireRow(await workspaceByKey(sql, row.key), `workspace ${row.key}`);
}

export function setDefault(sql: Writer, { id, company_id }: Workspace) {
  return sql.run(
    'UPDATE seatsio_workspaces SET is_default = CASE WHEN id = ? THEN 1 ELSE 0 END WHERE company_id = ?',
    id,
    company_id,
  );
}

export function setName(sql: Writer, id: number, name: string) {
  return sql.run('UPDATE seatsio_workspaces SET name = ? WHERE id = ?', name, id);
}

export function setActive(sql: Writer, id: number, active: 0 | 1) {
  return sql.run('UPDATE seatsio_workspaces SET is_active = ? WHERE id = ?', active, id);
}

/** Events are deleted first, because they refer to their chart without a cascade. */
export async function removeWorkspace(sql: Writer, id: number): Promise<void> {
  await sql.run('DELETE FROM seatsio_events WHERE workspace_id = ?', id);
  await sql.run('DELETE FROM seatsio_workspaces WHERE id = ?', id);
}

/** Oldest first. */
export async function secretKeysOf(sql: Reader, workspaceId: number): Promise<string[]> {
  const rows = await sql.all<{ secret_key: string }>(
    'SELECT secret_key FROM seatsio_secret_keys WHERE workspace_id = ? ORDER BY created_at',
    workspaceId,
  );
  return rows.map(({ secret_key }) => secret_key);
}

/** The time is made unique, so that two keys of the same millisecond keep their order. */
export async function addSecretKey(
  sql: Writer,
  workspaceId: number,
  { key, now }: { key: string; now: number },
): Promise<void> {
  const row = await sql.get<{ last: number | null }>(
    'SELECT MAX(created_at) AS last FROM seatsio_secret_keys WHERE workspace_id = ?',
    workspaceId,
  );
  await sql.run(
    'INSERT INTO seatsio_secret_keys (secret_key, workspace_id, created_at) VALUES (?, ?, ?)',
    key,
    workspaceId,
    Math.max(now, (row?.last ?? 0) + 1),
  );
}

export function removeSecretKey(sql: Writer, key: string) {
  return sql.run('DELETE FROM seatsio_secret_keys WHERE secret_key = ?', key);
}

export function removeSecretKeys(sql: Writer, workspaceId: number) {
  return sql.run('DELETE FROM seatsio_secret_keys WHERE workspace_id = ?', workspaceId);
}
