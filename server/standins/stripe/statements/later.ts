/** The stored list of tasks, each with the second in which it is due. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

export type Task =
  | 'expire_session'
  | 'settle_charge'
  | 'finish_refund'
  | 'fail_refund'
  | 'open_dispute'
  | 'decide_dispute'
  | 'overdue_dispute'
  | 'pay_out'
  | 'pay_out_balance'
  | 'reconcile_payout';

export interface Later {
  id: number;
  task: Task;
  subject: string;
}

/** `at` is in unix seconds. */
export async function schedule(
  writer: Writer,
  at: number,
  what: { task: Task; subject: string },
): Promise<void> {
  await writer.run(
    'INSERT INTO stripe_later (run_at, task, subject) VALUES (?, ?, ?)',
    at,
    what.task,
    what.subject,
  );
}

/** Schedules a task unless the same one is already scheduled for that second. */
export async function scheduleOnce(
  writer: Writer,
  at: number,
  what: { task: Task; subject: string },
): Promise<void> {
  const sql = 'SELECT id FROM stripe_later WHERE run_at = ? AND task = ? AND subject = ?';
  if (!(await writer.get(sql, at, what.task, what.subject))) await schedule(writer, at, what);
}

export function nextDue(reader: Reader, until: number): Promise<Later | undefined> {
  return reader.get<Later>(
    'SELECT id, task, subject FROM stripe_later WHERE run_at <= ? ORDER BY run_at, id LIMIT 1',
    until,
  );
}

export async function takeLater(writer: Writer, id: number): Promise<void> {
  await writer.run('DELETE FROM stripe_later WHERE id = ?', id);
}

/** Schedules what another version left without a task: open sessions, unsettled charges. */
export async function adoptWaiting(writer: Writer): Promise<void> {
  await adopt(writer, 'expire_session', {
    kind: 'checkout.session',
    at: 'expires_at',
    where: "body ->> '$.status' = 'open'",
  });
  await adopt(writer, 'settle_charge', {
    kind: 'charge',
    at: 'created',
    where: "body ->> '$.balance_transaction' IS NULL AND body ->> '$.status' = 'succeeded'",
  });
}

async function adopt(
  writer: Writer,
  task: Task,
  wanting: { kind: string; at: string; where: string },
): Promise<void> {
  const { kind, at, where } = wanting;
  await writer.run(
    `INSERT INTO stripe_later (run_at, task, subject) SELECT body ->> '$.${at}', ?, id FROM stripe_objects
    WHERE kind = ? AND ${where} AND id NOT IN (SELECT subject FROM stripe_later WHERE task = ?)`,
    task,
    kind,
    task,
  );
}
