/**
 * The waiting tasks, for the office: what each is for and what went wrong. A task may be run now,
 * or given up if nothing depends on it.
 */
import type { Trx } from '#db/engine/dialect.ts';
import { nameSubjects } from '#db/audit/audit.ts';
import { noteMail } from '#db/mail/mails.ts';
import { dropTask, findTask, hurryTask, listTasks } from '#db/outbox.ts';
import { notePrint, waitingPrints } from '#db/counter/prints.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Task } from '#db/tasks.ts';
import { transact } from '#db/engine/transact.ts';
import { spellTrouble } from '#server/domain/mail/kinds.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { readPage } from '#server/services/kit/page.ts';
import { happened } from '#server/services/kit/happened.ts';

/**
 * What to store when a task is given up, so that nothing waits for it. A task that is not listed
 * here cannot be given up (RULES I5).
 */
const givenUp: Partial<Record<Task, (ctx: Ctx, trx: Trx, subject: string) => Promise<void>>> = {
  async send_mail(_, trx, subject) {
    await noteMail(trx, subject, { state: 'dropped', last_error: spellTrouble('abandoned') });
  },
  async print(ctx, trx, till_id) {
    for (const { id } of await waitingPrints(trx, till_id))
      await notePrint(trx, id, { state: 'given_up', ended_at: ctx.now() });
  },
  tell_buyers: async () => {},
};

/** The tasks, the next due one first. */
export async function jobList(
  ctx: Ctx,
  { limit = 20, cursor, failing }: { limit?: number; cursor?: string; failing?: 'true' },
) {
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => listTasks(ctx.db, { failing: failing === 'true' }, page),
    (row) => row.run_at,
  );
  const ids = rows.map(idOf);
  const known = new Map((await nameSubjects(ctx.db, ids)).map((subject) => [subject.id, subject]));
  const now = ctx.now();
  return {
    items: rows.map((row) => ({
      job_id: row.id,
      task: row.task,
      subject: row.subject,
      about: aboutOf(row, known.get(idOf(row))),
      next_at: row.run_at,
      under_way: row.locked_until !== null && row.locked_until > now,
      tries: row.attempts,
      error: row.last_error,
      optional: givenUp[row.task] !== undefined,
    })),
    next_cursor,
  };
}

/** The subject without the version that may follow a #. */
function idOf({ subject }: OutboxRow): string {
  return subject.replace(/#.*/s, '');
}

function aboutOf(
  row: OutboxRow,
  known: Awaited<ReturnType<typeof nameSubjects>>[number] | undefined,
) {
  if (row.task === 'send_mail') return { kind: 'mail' as const, id: row.subject, name: '' };
  if (known?.kind !== 'order' && known?.kind !== 'event') return null;
  return { kind: known.kind, id: known.id, name: known.name };
}

/** @throws Refusal job_not_found, job_under_way */
export async function hurryJob(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const job = await jobOf(trx, id);
    if (!(await hurryTask(trx, { id, now: ctx.now() }))) throw new Refusal('job_under_way');
    await happened(ctx, trx, { actor, action: 'job_hurried', ...happening(job) });
  });
}

/** @throws Refusal job_not_found, job_not_optional, job_under_way */
export async function abandonJob(
  ctx: Ctx,
  id: string,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const job = await jobOf(trx, id);
    const giveUp = givenUp[job.task];
    if (giveUp === undefined) throw new Refusal('job_not_optional', { task: job.task });
    if (!(await dropTask(trx, { id, now: ctx.now() }))) throw new Refusal('job_under_way');
    await giveUp(ctx, trx, job.subject);
    await happened(ctx, trx, { actor, action: 'job_abandoned', ...happening(job, { reason }) });
  });
}

async function jobOf(trx: Trx, id: string): Promise<OutboxRow> {
  const job = await findTask(trx, id);
  if (!job) throw new Refusal('job_not_found');
  return job;
}

function happening(job: OutboxRow, more: object = {}) {
  return { subject: idOf(job), detail: { task: job.task, ...more } };
}
