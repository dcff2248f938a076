/** The page that is shown while the database is away, and that tries again by itself. */
import type { Context } from 'koa';
import { plainPage } from './plain-page.ts';
import { policyHash } from './policy-hash.ts';

const againSeconds = 5;

/**
 * The script asks the server before it reloads: if the server did not answer, a reload would show
 * the browser's own error page, which never tries again.
 */
const script = `setInterval(()=>fetch(location.href,{method:'HEAD'}).then(({status})=>{if(status<500)location.reload()},()=>{}),${againSeconds}000)`;
/** Allows the script in `script-src`. */
export const awayScriptHash = policyHash(script);

/** True if a person opens a page; false for a program that reads JSON or a file. */
export function isVisited(ctx: Context): boolean {
  return (
    ctx.method === 'GET' &&
    !/^\/(?:api|standins|healthz|readyz|metrics)(?:\/|$)/.test(ctx.path) &&
    ctx.get('accept').includes('text/html')
  );
}

/** `message`: one of our own sentences, because it is not escaped. */
export function awayPage(message: string): string {
  return plainPage({
    title: 'Un momento di pazienza',
    script,
    paragraphs: [
      message,
      'La pagina riprova da sola ogni pochi secondi.',
      'I biglietti già comprati valgono. Se hai appena pagato non pagare di nuovo: i biglietti arrivano per e-mail.',
      '<a href="">Riprova adesso</a>',
    ],
  });
}
