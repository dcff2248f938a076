/**
 * Deletes data daily when their retention time is over: in small steps, in one process at a time,
 * with an entry in the registry.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { fromAbsolute } from '@internationalized/date';
import type { Trx } from '#db/engine/dialect.ts';
import { forgetHeadWords } from '#db/door/heads.ts';
import {
  dropOld,
  dropReminderLetters,
  forgetBuyer,
  forgetLooseLetters,
  forgetReadings,
  forgetTexts,
  ordersToForget,
} from '#db/person/forgetting.ts';
import { claimPeriod, putSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { confirmWithinMs } from '#server/domain/mail/reminder.ts';
import {
  retentionKinds,
  retentionRules,
  type Retention,
  type RetentionKind,
} from '#server/domain/person/retention.ts';
import { forgetOldQueueMails } from '#db/queue/queue-places.ts';
import { forgetOldHolds } from '#server/services/booking/holds.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { forgetOldGuesses } from '#server/services/user/guesses.ts';
import { forgetOldSessions } from '#server/services/user/sessions.ts';
import { repeatErasures, settleErasures } from './erase.ts';
import { writeMarks } from './marks.ts';
import { retentionOf } from '#server/services/site/retention.ts';

const dayMs = 24 * 3_600_000;
/** Rows per transaction; other writes run between two transactions. */
const stepSize = 50;
/** The most steps for one kind of data in one run; the next run does the rest. */
const mostSteps = 400;
const turnKey = 'retention_kept';

/** The schedule calls this more often than needed; it works once a day. */
export async function keepRetention(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const now = ctx.now();
  if (!(await claimPeriod(ctx.db, turnKey, { now, notSince: now - dayMs }))) return;
  await forgetOldHolds(ctx);
  await forgetOldQueueMails(ctx.db, ctx.now());
  await forgetOldSessions(ctx);
  await forgetOldGuesses(ctx);
  await dropReminderLetters(ctx.db, now - confirmWithinMs);
  const times = await retentionOf(ctx.db);
  const gone: Record<string, number> = {};
  let isCut = false;
  for (const kind of retentionKinds) {
    const { n, cut } = await keepKind(ctx, { kind, times, stopping });
    if (n > 0) gone[kind] = n;
    isCut ||= cut;
  }
  const erased = await settleErasures(ctx, stopping);
  if (erased > 0) gone['erased'] = erased;
  if ((gone['erasures'] ?? 0) + erased > 0) await writeMarks(ctx);
  if (Object.keys(gone).length > 0)
    await happened(ctx, ctx.db, {
      actor: 'system',
      action: 'retention_kept',
      subject: 'site',
      detail: gone,
    });
  if (isCut) await putSetting(ctx.db, turnKey, '0');
}

/** After a restore, erases people again once the orders that only Stripe has are written. */
export async function repeatErasuresWhenDue(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  if (((await repeatErasures(ctx, stopping)) ?? 0) > 0) await writeMarks(ctx);
}

interface Work {
  kind: RetentionKind;
  times: Retention;
  stopping: AbortSignal;
}

async function keepKind(ctx: Ctx, { kind, times, stopping }: Work) {
  const before = timeBefore(ctx, kind, times[kind]);
  if (kind === 'buyers') return forgetBuyers(ctx, before, stopping);
  let n = 0;
  for (let step = 0; step < mostSteps && !stopping.aborted; step += 1) {
    const removed = await transact(ctx.db, (trx) => removers[kind](trx, before, ctx.now()));
    n += removed;
    if (removed < stepSize) return { n, cut: false };
    await yieldToLoop();
  }
  return { n, cut: !stopping.aborted };
}

/** The time before which data are deleted; months are counted by the calendar in Rome. */
function timeBefore(ctx: Ctx, kind: RetentionKind, value: number): number {
  if (retentionRules[kind].unit === 'days') return ctx.now() - value * dayMs;
  return fromAbsolute(ctx.now(), 'Europe/Rome').subtract({ months: value }).toDate().getTime();
}

type Remove = (trx: Trx, before: number, at: number) => Promise<number>;

const limit = stepSize;
const removers: Record<Exclude<RetentionKind, 'buyers'>, Remove> = {
  letters: (trx, created_before) => forgetTexts(trx, { created_before, limit }),
  loose_letters: (trx, created_before, at) =>
    forgetLooseLetters(trx, { created_before, at, limit }),
  readings: async (trx, received_before) =>
    (await forgetReadings(trx, { received_before, limit })) +
    (await forgetHeadWords(trx, { received_before, limit })),
  devices: (trx, before) =>
    dropOld(trx, { table: 'known_devices', key: 'token_hash', time: 'created_at', before, limit }),
  notices: (trx, before) =>
    dropOld(trx, { table: 'webhook_events', key: 'id', time: 'received_at', before, limit }),
  erasures: (trx, before) =>
    dropOld(trx, { table: 'erasures', key: 'id', time: 'asked_at', before, limit }),
};

async function forgetBuyers(ctx: Ctx, over_before: number, stopping: AbortSignal) {
  let n = 0;
  let after = '';
  for (let step = 0; step < mostSteps && !stopping.aborted; step += 1) {
    const ids = await ordersToForget(ctx.db, { over_before, after, limit: stepSize });
    n += await transact(ctx.db, async (trx) => {
      let forgotten = 0;
      for (const id of ids) {
        if (!(await forgetBuyer(trx, id, ctx.now()))) continue;
        await happened(ctx, trx, { actor: 'system', action: 'buyer_forgotten', subject: id });
        forgotten += 1;
      }
      return forgotten;
    });
    ctx.fault('buyers_forgotten');
    if (ids.length < stepSize) return { n, cut: false };
    after = ids.at(-1) ?? after;
    await yieldToLoop();
  }
  return { n, cut: !stopping.aborted };
}
