/**
 * The public part of the books: the house's public key with the daily heads, as a page and as
 * JSON, and the page that verifies a book offline.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sayDay } from '#server/domain/book/heads.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { publicBookKey } from '#server/services/book/office.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { escapeHtml } from '#server/domain/text/plain-text.ts';
import type { Facts } from './sitemap.ts';
import { plainPage } from './plain-page.ts';

/** More than a year of days, so that a person who looks once a month misses none. */
const shownDays = 400;
const keptSeconds = 300;

export function serveBookKey({ router, ctx: app }: Facts, dist: string): void {
  router.get('/.well-known/botteghino-libro.json', async (http) => {
    const { key, fingerprint, days } = await publicBookKey(app, shownDays);
    http.set('Cache-Control', `public, max-age=${keptSeconds}`);
    http.body = {
      key,
      fingerprint,
      days: days.map(({ day, before, root, seal, seal_hash, head, signature }) => ({
        day,
        before,
        root,
        seal,
        seal_hash,
        head,
        signature,
      })),
    };
  });
  router.get('/chiave-del-libro', async (http) => {
    http.type = 'html';
    http.set('Cache-Control', `public, max-age=${keptSeconds}`);
    http.body = await drawPage(app);
  });
  router.get('/verifica.html', async (http) => {
    const page = await readFile(join(dist, 'verify', 'index.html'), 'utf8').catch(() => {
      // The file is missing only during a build.
      throw new Refusal('try_again');
    });
    const { fingerprint } = await publicBookKey(app, 1);
    http.attachment('verifica.html');
    http.type = 'html';
    http.set('Cache-Control', 'no-store');
    http.body = page.replace(
      'name="impronta" content=""',
      `name="impronta" content="${fingerprint}"`,
    );
  });
}

async function drawPage(app: Facts['ctx']): Promise<string> {
  const { fingerprint, days } = await publicBookKey(app, shownDays);
  const lines = days.map(({ day, head }) => `${sayDay(day)}: <code>${head}</code>`);
  return plainPage({
    title: 'Chiave del libro',
    site: (await organiserOf(app)).name,
    paragraphs: [
      'Ogni data ha un libro firmato: chi lo riceve lo controlla da solo con la pagina di verifica, anche senza rete.',
      `Impronta della chiave con cui qui si firma: <code>${escapeHtml(fingerprint)}</code>`,
      '<a href="/verifica.html" download>Scarica la pagina di verifica</a>',
      lines.length === 0
        ? 'La prima impronta del giorno esce domani.'
        : `Impronte del giorno, dalla più recente. Conservale: un libro riscritto dopo non le contiene più.<br>${lines.join('<br>')}`,
    ],
  });
}
