/** Is the process alive, and can it work? For the machine that watches it. */
import type { House } from '#server/http/serve.ts';
import { canWork } from '#server/services/health.ts';

export function healthRoutes({ router, ctx: app }: House): void {
  router.get('/healthz', (http) => { http.body = { status: 'ok' }; });
  router.get('/readyz', async (http) => {
    const ready = await canWork(app);
    http.status = ready ? 200 : 503;
    http.body = { status: ready ? 'ready' : 'not_ready' };
    http.set('Cache-Control', 'no-store');
  });
}
