/**
 * Tells a service outside of this machine each minute that the house can work, so that it notices
 * when the machine, its network or the worker is dead (`HEARTBEAT_URL`).
 */
import { callHeartbeat } from '#server/adapters/heartbeat.ts';
import { claimPeriod } from '#db/settings.ts';
import type { Ctx } from '#server/services/context.ts';
import { canWork } from './health.ts';

const everyMs = 60_000;

/** The schedule calls this more often than needed; one process calls the service. */
export async function sendHeartbeat(ctx: Ctx): Promise<void> {
  const { heartbeatUrl } = ctx.settings;
  if (heartbeatUrl === null || !(await canWork(ctx))) return;
  const now = ctx.now();
  if (!(await claimPeriod(ctx.db, 'heartbeat', { now, notSince: now - everyMs }))) return;
  try {
    await callHeartbeat(heartbeatUrl);
  } catch (error) {
    ctx.log.warn({ err: error }, 'the watching service did not take the heartbeat');
  }
}
