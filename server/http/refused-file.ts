/** The page that a browser shows where a file was asked for and refused: the sentence of the refusal, and the way back to the order. */
import type { Context } from 'koa';
import type { ErrorReply } from '#server/contract/errors.ts';

/** Set by serve() for endpoints that answer with a file. */
const mark = 'answersFile';

export function markFile(ctx: Context): void {
  ctx.state[mark] = true;
}

/** A program reads JSON; somebody who followed a link reads a page. */
export function wantsPage(ctx: Context): boolean {
  return ctx.state[mark] === true && ctx.accepts('json', 'html') === 'html';
}

export function refusedPage(path: string, { message }: Pick<ErrorReply, 'message'>): string {
  const order = /^\/api\/orders\/([\w-]+)\//.exec(path)?.[1];
  const back =
    order === undefined
      ? '<a href="/">Torna alla pagina iniziale</a>'
      : `<a href="/orders/${order}">Torna alla pagina dell’ordine</a>`;
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Il documento non c’è ancora</title>
</head>
<body>
<main>
<h1>Il documento non c’è ancora</h1>
<p>${escapeText(message)}</p>
<p>${back}</p>
</main>
</body>
</html>
`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
