/**
 * Health checks for monitors and the office: whether the process is alive, whether it can work,
 * and what it found.
 */
import * as health from '#server/contract/health.ts';
import { maySeeMetrics } from '#server/http/measure.ts';
import type { Routing } from '#server/http/serve.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findings } from '#server/services/office/findings.ts';
import { canWork, healthReport, isLeaving } from '#server/services/office/health.ts';
import { checkInvariants, invariantReport } from '#server/services/reconcile/invariants.ts';
import { writeMetrics } from '#server/services/office/metrics.ts';

export function healthRoutes({ serve, router, ctx, metricsToken }: Routing): void {
  router.get('/healthz', async (http) => {
    http.body = { status: 'ok', version: ctx.version };
    // The findings are only for callers who may read /metrics, such as a monitor with the token.
    if (!('detail' in http.query)) return;
    if (!maySeeMetrics(http, { publicUrl: ctx.publicUrl, token: metricsToken }))
      throw new Refusal('not_found');
    const found = await findings(ctx);
    const isRed = found.some(({ state }) => state === 'red');
    http.status = isRed ? 503 : 200;
    http.body = {
      status: found.find(({ state }) => state === 'red')?.state ?? found[0]?.state ?? 'ok',
      findings: found,
    };
    http.set('Cache-Control', 'no-store');
  });
  router.get('/readyz', async (http) => {
    // A proxy needs to know only whether this process is stopping: any other fault affects all
    // processes, and a page that reports it is better than none.
    const ready = 'proxy' in http.query ? !isLeaving(ctx) : await canWork(ctx);
    http.status = ready ? 200 : 503;
    http.body = { status: ready ? 'ready' : 'not_ready' };
    http.set('Cache-Control', 'no-store');
  });
  router.get('/metrics', async (http) => {
    // Other callers get the answer for an unknown address.
    if (!maySeeMetrics(http, { publicUrl: ctx.publicUrl, token: metricsToken }))
      throw new Refusal('not_found');
    const { type, text } = await writeMetrics(ctx);
    http.set({ 'Content-Type': type, 'Cache-Control': 'no-store' });
    http.body = text;
  });
  serve(health.readHealth, () => healthReport(ctx));
  serve(health.readInvariants, () => invariantReport(ctx));
  serve(health.checkInvariants, async () => {
    await checkInvariants(ctx);
    return invariantReport(ctx);
  });
}
