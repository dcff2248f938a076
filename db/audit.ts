/** What happened, by whom: rows are only added, and a webhook event leaves its mark once. */
import type { Db, Trx } from './dialect.ts';
import type { AuditRow } from './rows.ts';
import { countRows } from './statements.ts';

export async function addAudit(db: Db, row: AuditRow): Promise<void> {
  await db<AuditRow>('audit').insert(row);
}

/** How often it happened to one subject. */
export async function countSince(
  db: Db,
  { since, ...what }: Pick<AuditRow, 'action' | 'subject'> & { since: number },
): Promise<number> {
  return countRows(db('audit').where(what).where('at', '>', since));
}

/** False: this event was seen before. */
export async function noteWebhook(
  trx: Trx,
  event: { id: string; type: string; received_at: number },
): Promise<boolean> {
  const known = await trx('webhook_events').where({ id: event.id }).first('id');
  if (known) return false;
  await trx('webhook_events').insert(event);
  return true;
}
