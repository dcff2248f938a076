/** What happened, by whom: rows are only added, and a webhook event leaves its mark once. */
import type { Db, Trx } from './dialect.ts';
import type { AuditRow } from './rows.ts';

export async function addAudit(db: Db, row: AuditRow): Promise<void> {
  await db<AuditRow>('audit').insert(row);
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
