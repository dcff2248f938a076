/**
 * The page that stands in for any other while the database is away: it says so, and tries again
 * by itself.
 */
import type { Context } from 'koa';
import { plainPage } from './plain-page.ts';
import { policyHash } from './policy-hash.ts';

const againSeconds = 5;

/**
 * It asks before it reloads, because without any answer the browser would show its own page,
 * which never tries again.
 */
const script = `setInterval(()=>fetch(location.href,{method:'HEAD'}).then(({status})=>{if(status<500)location.reload()},()=>{}),${againSeconds}000)`;
/** For script-src. */
export const awayScriptHash = policyHash(script);

/** Whether a person opens a page, and not a program that reads JSON or a file. */
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
    script,
    paragraphs: [
      message,
      'La pagina riprova da sola ogni pochi secondi.',
      'I biglietti già comprati valgono. Se hai appena pagato non pagare di nuovo: i biglietti arrivano per e-mail.',
      '<a href="">Riprova adesso</a>',
    ],
  });
}
