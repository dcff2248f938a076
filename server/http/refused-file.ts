/** The page for a browser when a file is refused: the refusal's sentence, a link to the order. */
import type { Context } from 'koa';
import type { ErrorReply } from '#server/contract/errors.ts';
import { escapeHtml } from '#server/domain/text/plain-text.ts';
import { plainPage } from './plain-page.ts';

/** serve() sets this for endpoints that answer with a file. */
const mark = 'answersFile';

export function markFile(ctx: Context): void {
  ctx.state[mark] = true;
}

/** A program gets JSON; a person who followed a link gets a page. */
export function wantsPage(ctx: Context): boolean {
  return ctx.state[mark] === true && ctx.accepts('json', 'html') === 'html';
}

export function refusedPage(path: string, { message }: Pick<ErrorReply, 'message'>): string {
  const order = /^\/api\/orders\/([\w-]+)\//.exec(path)?.[1];
  const back =
    order === undefined
      ? '<a href="/">Torna alla pagina iniziale</a>'
      : `<a href="/orders/${order}">Torna alla pagina dell’ordine</a>`;
  return plainPage({
    title: 'Il documento non c’è ancora',
    paragraphs: [escapeHtml(message), back],
  });
}
