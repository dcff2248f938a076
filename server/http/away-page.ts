/** The page that stands in for any other while the database is away: it says so, and tries again by itself. */
import type { Context } from 'koa';

const againSeconds = 5;

/** Somebody looks at a page: neither a program that reads JSON nor a file. */
export function isVisited(ctx: Context): boolean {
  return (
    ctx.method === 'GET' &&
    !/^\/(?:api|standins|healthz|readyz|metrics)(?:\/|$)/.test(ctx.path) &&
    ctx.get('accept').includes('text/html')
  );
}

/** `message` is a sentence of ours. */
export function awayPage(message: string): string {
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${againSeconds}">
<title>Un momento di pazienza</title>
</head>
<body>
<main style="max-width: 34rem; margin: 15vh auto; padding: 0 1.25rem; font: 1.125rem/1.6 system-ui, sans-serif">
<h1 style="line-height: 1.2">Un momento di pazienza</h1>
<p>${message}</p>
<p>La pagina riprova da sola ogni ${againSeconds} secondi. I biglietti già comprati valgono, e li trovi nella tua e-mail.</p>
<p><a href="">Riprova adesso</a></p>
</main>
</body>
</html>
`;
}
