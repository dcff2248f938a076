/** While there is maintenance the public site answers with a kind page, and what sells is refused; the office, the door, payments that are under way and pages of orders go on. */
import type { Context, Next } from 'koa';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { maintenanceSince } from '#server/services/site/maintenance.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { isPage } from './static.ts';

const sells = /^\/api\/(?:events?|reminders)(?:\/|$)|^\/api\/orders\/find$/;
/** Whoever has tickets needs them at the door. */
const goesOn =
  /^\/(?:api|admin|scanner|standins|orders|healthz|readyz|metrics|certificato)(?:\/|$)/;
const retryAfterSeconds = '300';

export function restInMaintenance(app: Ctx) {
  return async (ctx: Context, next: Next): Promise<void> => {
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

function pageOf(name: string): string {
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Torniamo tra poco · ${escapeText(name)}</title>
<style>
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; font: 1.125rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; padding: 2rem 1.25rem; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.2; }
p { margin: 0 0 1rem; }
</style>
</head>
<body>
<main>
<p>${escapeText(name)}</p>
<h1>Torniamo tra poco</h1>
<p>Stiamo facendo manutenzione: per qualche minuto non si possono comprare biglietti.</p>
<p>I biglietti già comprati valgono: li trovi nella tua e-mail, e la pagina del tuo ordine resta aperta.</p>
<p><a href="">Riprova</a></p>
</main>
</body>
</html>
`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
