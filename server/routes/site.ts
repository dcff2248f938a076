/** The site's own facts: endpoint to use case, one line each. */
import { readLegal, readSite, readSiteSettings, writeSiteSettings } from '#server/contract/site.ts';
import { serve, type House } from '#server/http/serve.ts';
import { legalText, siteForAll, siteForOffice, writeSite } from '#server/services/site/site.ts';

export function siteRoutes(house: House): void {
  serve(house, readSite, () => siteForAll(house.ctx));
  serve(house, readLegal, ({ params }) => legalText(house.ctx, params.legalName));
  serve(house, readSiteSettings, () => siteForOffice(house.ctx));
  serve(house, writeSiteSettings, ({ body }, { user }) =>
    writeSite(house.ctx, `user:${user.id}`, body),
  );
}
