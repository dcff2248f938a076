/** The site's own facts: endpoint to use case, one line each. */
import * as site from '#server/contract/site.ts';
import type { Routing } from '#server/http/serve.ts';
import { legalText, siteForAll, siteForOffice, writeSite } from '#server/services/site/site.ts';

export function siteRoutes({ serve, ctx }: Routing): void {
  serve(site.readSite, () => siteForAll(ctx));
  serve(site.readLegal, ({ params }) => legalText(ctx, params.legalName));
  serve(site.readSiteSettings, () => siteForOffice(ctx));
  serve(site.writeSiteSettings, ({ body }, { actor }) => writeSite(ctx, actor, body));
}
