/** Every call of the seats.io stand-in; if two paths match, the first one answers. */
import { chartCategoryRoutes } from './chart/chart-categories.ts';
import { chartCopyRoutes } from './chart/chart-copies.ts';
import { chartVersionRoutes } from './chart/chart-versions.ts';
import { chartRoutes, chartUploadRoute } from './chart/charts.ts';
import { channelRoutes } from './event/channels.ts';
import { bestAvailableRoutes } from './best/best-available-routes.ts';
import { chartReportRoutes } from './report/chart-reports.ts';
import { eventReportRoutes } from './report/event-reports.ts';
import { eventRoutes } from './event/events.ts';
import { forSaleRoutes } from './event/for-sale-routes.ts';
import { holdTokenRoutes } from './status/hold-tokens.ts';
import { objectRoutes } from './status/object-routes.ts';
import { designerRoutes } from './chart/designer.ts';
import { publicRoutes } from './browser/public.ts';
import { publicBestAvailableRoutes } from './browser/public-best-available.ts';
import { importRoute } from './chart/import.ts';
import { renameRoute } from './chart/rename.ts';
import { templateRoutes } from './chart/templates.ts';
import { seasonRoutes } from './event/seasons.ts';
import { statusChangeRoutes } from './status/status-changes.ts';
import { accountKeyRoutes } from './company/account-keys.ts';
import { accountRoutes } from './company/accounts.ts';
import { systemRoutes } from './company/companies.ts';
import { eventLogRoutes } from './company/event-log.ts';
import { thumbnailRoutes } from './chart/thumbnails.ts';
import { ticketBuyerRoutes } from './company/ticket-buyers.ts';
import { usageReportRoutes } from './report/usage-reports.ts';
import { workspaceRoutes } from './company/workspaces.ts';
import type { Hub } from './browser/stream.ts';
import type { Route } from './router.ts';

/** `provisioning` adds the two calls that make companies and upload drawings. */
export function allRoutes(hub: Hub, provisioning: boolean): Route[] {
  return [
    ...(provisioning ? [...systemRoutes, chartUploadRoute] : []),
    ...publicRoutes(hub),
    ...publicBestAvailableRoutes,
    ...designerRoutes,
    importRoute,
    renameRoute,
    ...templateRoutes,
    ...chartRoutes,
    ...chartVersionRoutes,
    ...chartCategoryRoutes,
    ...chartCopyRoutes,
    ...thumbnailRoutes,
    ...workspaceRoutes,
    ...accountRoutes,
    ...accountKeyRoutes,
    ...ticketBuyerRoutes,
    ...eventLogRoutes,
    ...usageReportRoutes,
    ...forSaleRoutes,
    ...objectRoutes,
    ...statusChangeRoutes,
    ...seasonRoutes,
    ...bestAvailableRoutes,
    ...eventRoutes,
    ...channelRoutes,
    ...holdTokenRoutes,
    ...eventReportRoutes,
    ...chartReportRoutes,
  ];
}
