/** The rows of companies and their admin keys. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';
import { requireRow } from '#server/standins/kit/row.ts';

export interface Company {
  id: number;
  secret_key: string;
  designer_key: string;
  public_key: string;
  email: string;
  /** A JSON object. */
  settings: string;
}

export function companyById(sql: Reader, id: number) {
  return sql.get<Company>('SELECT * FROM seatsio_companies WHERE id = ?', id);
}

/** Finds a company by its original admin key or an added one. */
export function companyOwning(sql: Reader, secret: string) {
  return sql.get<Company>(
    'SELECT * FROM seatsio_companies WHERE secret_key = ? OR id = (SELECT company_id FROM seatsio_admin_keys WHERE secret_key = ?)',
    secret,
    secret,
  );
}

export async function requireCompany(sql: Reader, id: number): Promise<Company> {
  return requireRow(await companyById(sql, id), `company ${id}`);
}

export async function addCompany(sql: Writer, row: Omit<Company, 'id'>): Promise<Company> {
  const company = await sql.get<Company>(
    'INSERT INTO seatsio_companies (secret_key, designer_key, public_key, email, settings) VALUES (?, ?, ?, ?, ?) RETURNING *',
    row.secret_key,
    row.designer_key,
    row.public_key,
    row.email,
    row.settings,
  );
  return requireRow(company, 'the new company');
}

export function setSecretKey(sql: Writer, id: number, key: string) {
  return sql.run('UPDATE seatsio_companies SET secret_key = ? WHERE id = ?', key, id);
}

export function setDesignerKey(sql: Writer, id: number, key: string) {
  return sql.run('UPDATE seatsio_companies SET designer_key = ? WHERE id = ?', key, id);
}

export function setSettings(sql: Writer, id: number, settings: object) {
  const text = JSON.stringify(settings);
  return sql.run('UPDATE seatsio_companies SET settings = ? WHERE id = ?', text, id);
}

/** The keys that were added to the company's original one, oldest first. */
export async function addedKeysOf(sql: Reader, companyId: number): Promise<string[]> {
  const rows = await sql.all<{ secret_key: string }>(
    'SELECT secret_key FROM seatsio_admin_keys WHERE company_id = ? ORDER BY id',
    companyId,
  );
  return rows.map(({ secret_key }) => secret_key);
}

export function addAdminKey(sql: Writer, companyId: number, key: string) {
  return sql.run(
    'INSERT INTO seatsio_admin_keys (secret_key, company_id) VALUES (?, ?)',
    key,
    companyId,
  );
}

export function removeAdminKey(sql: Writer, key: string) {
  return sql.run('DELETE FROM seatsio_admin_keys WHERE secret_key = ?', key);
}

export function removeAddedKeys(sql: Writer, companyId: number) {
  return sql.run('DELETE FROM seatsio_admin_keys WHERE company_id = ?', companyId);
}
