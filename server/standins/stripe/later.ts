/** What time alone will bring about: a durable list of tasks with the second in which each is due. */
import { prepared, type Store } from '#server/standins/store.ts';
import type { Desk } from './call.ts';

export type Task =
  | 'expire_session'
  | 'settle_charge'
  | 'finish_payment'
  | 'finish_refund'
  | 'fail_refund'
  | 'open_dispute'
  | 'decide_dispute'
  | 'overdue_dispute'
  | 'pay_out';

export interface Later {
  id: number;
  task: Task;
  subject: string;
}

export function prepareLater(store: Store): void {
  store.exec(`
    CREATE TABLE IF NOT EXISTS stripe_later (id INTEGER PRIMARY KEY AUTOINCREMENT, run_at INTEGER NOT NULL, task TEXT NOT NULL, subject TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS stripe_later_due ON stripe_later (run_at, id);
  `);
  // Files from before there was this list: what was open then has its end, too.
  const adopt = (task: Task, kind: string, rest: { at: string; where: string }): void => {
    store
      .prepare(`INSERT INTO stripe_later (run_at, task, subject) SELECT body ->> '$.${rest.at}', ?, id FROM stripe_objects
      WHERE kind = ? AND ${rest.where} AND id NOT IN (SELECT subject FROM stripe_later WHERE task = ?)`)
      .run(task, kind, task);
  };
  adopt('expire_session', 'checkout.session', {
    at: 'expires_at',
    where: "body ->> '$.status' = 'open'",
  });
  adopt('settle_charge', 'charge', {
    at: 'created',
    where: "body ->> '$.balance_transaction' IS NULL AND body ->> '$.status' = 'succeeded'",
  });
}

/** `at` in unix seconds; in the transaction of whoever asks. */
export function schedule(desk: Desk, at: number, what: { task: Task; subject: string }): void {
  prepared(desk.store, 'INSERT INTO stripe_later (run_at, task, subject) VALUES (?, ?, ?)').run(
    at,
    what.task,
    what.subject,
  );
}

export function nextDue(store: Store, until: number): Later | undefined {
  return prepared<[number], Later>(
    store,
    'SELECT id, task, subject FROM stripe_later WHERE run_at <= ? ORDER BY run_at, id LIMIT 1',
  ).get(until);
}

export function takeLater(store: Store, id: number): void {
  prepared(store, 'DELETE FROM stripe_later WHERE id = ?').run(id);
}
