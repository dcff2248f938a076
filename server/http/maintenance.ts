/**
 * During maintenance the public site shows a page that says so, and calls that sell are refused.
 * The office, the door, payments under way and order pages stay open. A process that a newer
 * version has shut out answers nothing.
 */
import type { Context, Next } from 'koa';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { overtaken } from '#server/services/kit/processes.ts';
import { maintenanceSince } from '#server/services/site/maintenance.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { plainPage } from './plain-page.ts';
import { isPage } from './static.ts';

const sells = /^\/api\/(?:events?|reminders)(?:\/|$)|^\/api\/orders\/find$/;
/** Includes the order pages, because guests need their tickets at the door. */
const goesOn =
  /^\/(?:api|admin|scanner|standins|orders|healthz|readyz|metrics|certificato)(?:\/|$)/;
/** A monitor learns from these that the process ends. */
const watched = /^\/(?:healthz|readyz|metrics)$/;
const retryAfterSeconds = '300';

export function restInMaintenance(app: Ctx) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (overtaken(app).aborted && !watched.test(ctx.path)) throw new Refusal('try_again');
    const isApi = sells.test(ctx.path);
    const isPublicPage = !goesOn.test(ctx.path) && isPage(ctx.path);
    if ((!isApi && !isPublicPage) || (await maintenanceSince(app)) === null) return next();
    ctx.set('Retry-After', retryAfterSeconds);
    if (isApi) throw new Refusal('maintenance');
    ctx.status = 503;
    ctx.type = 'html';
    ctx.set('Cache-Control', 'no-store');
    ctx.body = pageOf((await organiserOf(app)).name);
  };
}

function pageOf(site: string): string {
  return plainPage({
    site,
    title: 'Torniamo tra poco',
    paragraphs: [
      'Stiamo facendo manutenzione: per qualche minuto non si possono comprare biglietti.',
      'I biglietti già comprati valgono: li trovi nella tua e-mail, e la pagina del tuo ordine resta aperta.',
      '<a href="">Riprova</a>',
    ],
  });
}
