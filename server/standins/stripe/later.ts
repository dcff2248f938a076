/** What time alone will bring about: a durable list of tasks with the second in which each is due. */
import type { Store } from '#server/standins/store.ts';
import type { Desk } from './call.ts';

export type Task = 'settle_charge' | 'finish_payment' | 'finish_refund' | 'fail_refund' | 'open_dispute' | 'decide_dispute' | 'overdue_dispute' | 'pay_out';

export interface Later { id: number; task: Task; subject: string }

export function prepareLater(store: Store): void {
  store.exec(`
    CREATE TABLE IF NOT EXISTS stripe_later (id INTEGER PRIMARY KEY AUTOINCREMENT, run_at INTEGER NOT NULL, task TEXT NOT NULL, subject TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS stripe_later_due ON stripe_later (run_at, id);
  `);
}

/** `at` in unix seconds; in the transaction of whoever asks. */
export function schedule(desk: Desk, at: number, what: { task: Task; subject: string }): void {
  desk.store.prepare('INSERT INTO stripe_later (run_at, task, subject) VALUES (?, ?, ?)').run(at, what.task, what.subject);
}

export function nextDue(store: Store, until: number): Later | undefined {
  return store.prepare<[number], Later>('SELECT id, task, subject FROM stripe_later WHERE run_at <= ? ORDER BY run_at, id LIMIT 1').get(until);
}

/** False when another process has done it meanwhile. */
export function takeLater(store: Store, id: number): boolean {
  return store.prepare('DELETE FROM stripe_later WHERE id = ?').run(id).changes > 0;
}
