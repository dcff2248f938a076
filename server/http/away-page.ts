/** The page that stands in for any other while the database is away: it says so, and tries again by itself. */
import type { Context } from 'koa';
import { plainPage } from './plain-page.ts';

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
  return plainPage({
    title: 'Un momento di pazienza',
    againSeconds,
    paragraphs: [
      message,
      `La pagina riprova da sola ogni ${againSeconds} secondi. I biglietti già comprati valgono, e li trovi nella tua e-mail.`,
      '<a href="">Riprova adesso</a>',
    ],
  });
}
