/** The site's own facts: each route connects an endpoint to its use case. */
import * as site from '#server/contract/site.ts';
import * as look from '#server/contract/look.ts';
import type { Routing } from '#server/http/serve.ts';
import { takePicture } from '#server/services/event/images.ts';
import { writeLook } from '#server/services/office/change-look.ts';
import { houseForOffice } from '#server/services/site/house.ts';
import { endMaintenance } from '#server/services/site/maintenance.ts';
import { lookOf } from '#server/services/site/look.ts';
import { previewOfLook, previewTicketPdf } from '#server/services/office/look-preview.ts';
import { legalText, siteForAll, siteForOffice, writeSite } from '#server/services/site/site.ts';

export function siteRoutes({ serve, ctx }: Routing): void {
  serve(site.readSite, () => siteForAll(ctx));
  serve(site.readLegal, ({ params }) => legalText(ctx, params.legalName));
  serve(site.readSiteSettings, () => siteForOffice(ctx));
  serve(site.readHouse, () => houseForOffice(ctx));
  serve(site.endMaintenance, async ({ body }, { actor }) => {
    await endMaintenance(ctx, body.since, actor);
    return houseForOffice(ctx);
  });
  serve(look.readLook, async () => ({
    ...(await lookOf(ctx)),
    mail_address: ctx.mail.from,
    factor_required: ctx.settings.secondFactor === 'required',
  }));
  serve(look.writeLook, ({ body }, { actor }) => writeLook(ctx, actor, body));
  serve(look.sendLogo, ({ file }, { actor }) => takePicture(ctx, { file, shape: 'logo', actor }));
  serve(look.previewPdf, ({ query }) => previewTicketPdf(ctx, query));
  serve(look.previewLook, ({ body }) => previewOfLook(ctx, body));
  serve(site.writeSiteSettings, ({ body }, { actor }) => writeSite(ctx, actor, body));
}
