/** The jobs that run at fixed intervals. */
import type { Ctx } from '#server/services/context.ts';
import { keepBackups } from '#server/services/backup/keep.ts';
import { recoverWhenDue } from '#server/services/backup/recover.ts';
import { compareWhenDue } from '#server/services/reconcile/comparison.ts';
import { keepRetention, repeatErasuresWhenDue } from '#server/services/person/keeping.ts';
import { checkInvariantsHourly } from '#server/services/reconcile/invariants.ts';
import { readPayoutsHourly } from '#server/services/reconcile/payouts.ts';
import { keepBooks } from '#server/services/book/keep.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { watchHealth } from '#server/services/office/alerts.ts';
import { sendHeartbeat } from '#server/services/office/heartbeat.ts';
import { watchChartsWhenDue } from '#server/services/office/lost-charts.ts';
import { forgetUnusedImages } from '#server/services/event/images.ts';
import { beat } from '#server/services/kit/processes.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { paceQueues } from '#server/services/queue/pace.ts';
import {
  deliveryLeaseMs,
  forgetOldDeliveries,
  tellPrograms,
} from '#server/services/program/deliver.ts';
import { watchForPrograms } from '#server/services/program/watch.ts';
import { watchClock } from '#server/services/kit/clock.ts';
import { endClaimsAhead } from '#server/services/kit/lease.ts';
import { queueDueOrders } from '#server/services/payment/due-orders.ts';
import { remindWhenDue } from '#server/services/payment/day-before.ts';
import { queuePlacesToLetGo } from '#server/services/payment/let-go.ts';
import { reconcile } from '#server/services/payment/settle.ts';

export interface Periodic {
  name: string;
  everyMs: number;
  run: (ctx: Ctx, stopping: AbortSignal) => Promise<void>;
}

/** If a process dies, its lease ends, and another runs the task. A live one renews its lease. */
export const leaseMs = 60_000;

/** Ends what a dead process has claimed by a clock that was ahead. */
export async function endDeadClaims(ctx: Ctx): Promise<void> {
  await endClaimsAhead(ctx, { outbox: leaseMs, program_deliveries: deliveryLeaseMs });
}

export const schedule: readonly Periodic[] = [
  // Cheap: two clocks are read.
  { name: 'watch_clock', everyMs: 1_000, run: watchClock },
  { name: 'dead_claims', everyMs: 15_000, run: endDeadClaims },
  // Cheap: one read of a small index.
  { name: 'due_orders', everyMs: 1_000, run: queueDueOrders },
  // Cheap: few events start soon.
  { name: 'let_go', everyMs: 5_000, run: queuePlacesToLetGo },
  { name: 'remind_free', everyMs: 60_000, run: remindWhenDue },
  { name: 'reconcile', everyMs: 30_000, run: reconcile },
  // The database has the time of their last run: one process runs them, a restart skips none.
  { name: 'invariants', everyMs: 60_000, run: checkInvariantsHourly },
  { name: 'beat', everyMs: 15_000, run: beat },
  { name: 'alerts', everyMs: 15_000, run: watchHealth },
  { name: 'heartbeat', everyMs: 5_000, run: sendHeartbeat },
  { name: 'charts', everyMs: 15_000, run: watchChartsWhenDue },
  { name: 'seal_registry', everyMs: 10_000, run: sealRegistry },
  { name: 'keep_figures', everyMs: 2_000, run: keepFigures },
  { name: 'keep_books', everyMs: 5_000, run: keepBooks },
  { name: 'backup', everyMs: 5_000, run: keepBackups },
  { name: 'recover_orders', everyMs: 60_000, run: recoverWhenDue },
  // May run often: one read of a small index.
  { name: 'tell_programs', everyMs: 250, run: tellPrograms },
  { name: 'watch_for_programs', everyMs: 30_000, run: watchForPrograms },
  { name: 'forget_deliveries', everyMs: 3_600_000, run: forgetOldDeliveries },
  { name: 'pace_queues', everyMs: 1_000, run: paceQueues },
  { name: 'comparison', everyMs: 5_000, run: compareWhenDue },
  { name: 'payouts', everyMs: 60_000, run: readPayoutsHourly },
  { name: 'retention', everyMs: 3_600_000, run: keepRetention },
  { name: 'repeat_erasures', everyMs: 60_000, run: repeatErasuresWhenDue },
  { name: 'forget_unused_images', everyMs: 3_600_000, run: forgetUnusedImages },
];
