/**
 * The sitemap’s pages: home, published events and legal texts, each with the day of its last
 * change if we know it.
 */
import { listEvents } from '#db/event/events.ts';
import { legalNames, legalPaths } from '#server/domain/site/legal-names.ts';
import type { Ctx } from '#server/services/context.ts';
import { siteForAll } from './site.ts';

interface SitePage {
  path: string;
  changed_on: string | null;
}

/** The pages; drafts have none, and a past or cancelled event keeps its page. */
export async function sitePages(ctx: Ctx): Promise<SitePage[]> {
  const events = (await listEvents(ctx.db)).filter((event) => event.status !== 'draft');
  const { legal } = await siteForAll(ctx);
  return [
    { path: '/', changed_on: null },
    ...events.map((event) => ({
      path: `/event/${encodeURIComponent(event.id)}`,
      changed_on: new Date(Math.max(event.updated_at, event.created_at)).toISOString(),
    })),
    ...legalNames.map((name) => ({ path: legalPaths[name], changed_on: legal[name].updated_on })),
  ];
}
