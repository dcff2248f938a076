/** Print jobs in SQL, in the order in which a till requested them. */
import type { Db } from '#db/engine/dialect.ts';
import type { PrintJobRow } from '#db/rows.ts';

export async function insertPrint(db: Db, job: PrintJobRow): Promise<void> {
  await db<PrintJobRow>('print_jobs').insert(job);
}

export interface PrintWithOrder extends PrintJobRow {
  number: string | null;
}

function withOrder(db: Db) {
  return db('print_jobs')
    .leftJoin('orders', 'orders.id', 'print_jobs.order_id')
    .select('print_jobs.*', 'orders.number');
}

export async function findPrint(db: Db, id: string): Promise<PrintWithOrder | undefined> {
  return withOrder(db).where('print_jobs.id', id).first();
}

/** Jobs that wait for the printer, the oldest first. */
export async function waitingPrints(db: Db, till_id: string): Promise<PrintWithOrder[]> {
  return withOrder(db)
    .where({ 'print_jobs.till_id': till_id, 'print_jobs.state': 'waiting' })
    .orderBy(['print_jobs.created_at', 'print_jobs.id'])
    .limit(100);
}

/** The last job that ended, printed or not. */
export async function lastPrint(db: Db, till_id: string): Promise<PrintWithOrder | undefined> {
  return withOrder(db)
    .where({ 'print_jobs.till_id': till_id })
    .whereNotNull('print_jobs.ended_at')
    .orderBy('print_jobs.ended_at', 'desc')
    .first();
}

/** Returns false if the job no longer waits. */
export async function notePrint(
  db: Db,
  id: string,
  changes: Partial<PrintJobRow>,
): Promise<boolean> {
  return (
    (await db<PrintJobRow>('print_jobs').where({ id, state: 'waiting' }).update(changes)) === 1
  );
}
