/** The page "Come è stato estratto l'ordine" of an event: one file with its script inside. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '#server/domain/refusal.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { escapeHtml } from '#server/domain/text/plain-text.ts';
import type { Facts } from './sitemap.ts';
import { policyHash } from './policy-hash.ts';

export function serveDrawPage({ router, ctx: app }: Facts, dist: string): void {
  let built: Built | undefined;
  router.get('/event/:eventId/sorteggio', async (http) => {
    const { id, title } = await publishedEvent(app, http.params['eventId'] ?? '');
    built ??= await readBuilt(join(dist, 'verify', 'draw', 'index.html'));
    http.type = 'html';
    http.set('Cache-Control', 'public, max-age=300');
    http.set('Content-Security-Policy', built.policy);
    http.body = built.page.replace(
      'name="evento" content="" data-title=""',
      () => `name="evento" content="${escapeHtml(id)}" data-title="${escapeHtml(title)}"`,
    );
  });
}

interface Built {
  page: string;
  policy: string;
}

async function readBuilt(path: string): Promise<Built> {
  const page = await readFile(path, 'utf8').catch(() => {
    // The file is missing only during a build.
    throw new Refusal('try_again');
  });
  const policy = `default-src 'none'; script-src ${hashIn(page, 'script')}; style-src ${hashIn(page, 'style')}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { page, policy };
}

/** The hash of the page's own inline script or style. */
function hashIn(page: string, tag: 'script' | 'style'): string {
  return policyHash(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '');
}
