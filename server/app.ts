/** Koa's middleware in its order, and all routes. */
import type { Router } from '@koa/router';
import { constants } from 'node:zlib';
import Koa from 'koa';
import compress from 'koa-compress';
import { isDatabaseAway, isDatabaseBusy, isDiskFull, isPostgres } from '#db/engine/dialect.ts';
import type { Config } from './config.ts';
import type { BuiltContext } from './context.ts';
import { Refusal } from './domain/refusal.ts';
import { serveBookKey } from './http/book-page.ts';
import { serveDrawPage } from './http/draw-page.ts';
import { tellCaller } from './http/caller.ts';
import { serveCertificate } from './http/certificate.ts';
import { answerError, translateErrors } from './http/errors.ts';
import { secureHeaders, widenForPages, type Outside } from './http/headers.ts';
import { nameStylesOfPages } from './http/inline-styles.ts';
import { limitPages, makeLimits, type Limits } from './http/limits.ts';
import { logRequests } from './http/log.ts';
import { restInMaintenance } from './http/maintenance.ts';
import { measureRequests } from './http/measure.ts';
import { serveOpenApi } from './http/openapi-page.ts';
import { IndexedRouter } from './http/router.ts';
import { serve, type Routing } from './http/serve.ts';
import { standinDoor } from './http/standin-door.ts';
import { serveSitemap } from './http/sitemap.ts';
import { serveApps } from './http/static.ts';
import { admissionRoutes } from './routes/admissions.ts';
import { headRoutes } from './routes/heads.ts';
import { unsettledRoutes } from './routes/unsettled.ts';
import { bookRoutes } from './routes/books.ts';
import { chartRoutes } from './routes/charts.ts';
import { counterRoutes } from './routes/counter.ts';
import { documentRoutes } from './routes/documents.ts';
import { eventRoutes } from './routes/events.ts';
import { rehousingRoutes } from './routes/rehousings.ts';
import { showRoutes } from './routes/shows.ts';
import { backupRoutes } from './routes/backups.ts';
import { dayRoutes } from './routes/days.ts';
import { payoutRoutes } from './routes/payouts.ts';
import { breakRoutes } from './routes/breaks.ts';
import { guestRoutes } from './routes/guests.ts';
import { healthRoutes } from './routes/health.ts';
import { holderRoutes } from './routes/holders.ts';
import { holdRoutes } from './routes/holds.ts';
import { imageRoutes } from './routes/images.ts';
import { officeRoutes } from './routes/office.ts';
import { personalRoutes } from './routes/personal.ts';
import { paperRoutes } from './routes/papers.ts';
import { reportRoutes } from './routes/reports.ts';
import { mailRoutes } from './routes/mails.ts';
import { orderDeskRoutes } from './routes/order-desk.ts';
import { messageRoutes } from './routes/messages.ts';
import { announcementRoutes } from './routes/announcements.ts';
import { orderRoutes } from './routes/orders.ts';
import { phoneRoutes } from './routes/phones.ts';
import { priceCodeRoutes } from './routes/price-codes.ts';
import { priceRuleRoutes } from './routes/price-rules.ts';
import { priceRoutes } from './routes/prices.ts';
import { stripeChangeRoutes } from './routes/stripe-change.ts';
import { programRoutes } from './routes/programs.ts';
import { queueRoutes } from './routes/queue.ts';
import { refundRoutes } from './routes/refunds.ts';
import { jobRoutes } from './routes/jobs.ts';
import { registryRoutes } from './routes/registry.ts';
import { rehearsalRoutes } from './routes/rehearsals.ts';
import { reminderRoutes } from './routes/reminders.ts';
import { rumRoutes } from './routes/rum.ts';
import { seatRoutes } from './routes/seats.ts';
import { siteRoutes } from './routes/site.ts';
import { accountRoutes } from './routes/account.ts';
import { peopleRoutes } from './routes/people.ts';
import { userRoutes } from './routes/users.ts';
import { walletRoutes } from './routes/wallets.ts';
import { webhookRoutes } from './routes/webhooks.ts';

const allRoutes = [
  healthRoutes,
  jobRoutes,
  backupRoutes,
  breakRoutes,
  dayRoutes,
  payoutRoutes,
  eventRoutes,
  rehousingRoutes,
  guestRoutes,
  showRoutes,
  holdRoutes,
  imageRoutes,
  seatRoutes,
  chartRoutes,
  counterRoutes,
  officeRoutes,
  personalRoutes,
  paperRoutes,
  reportRoutes,
  bookRoutes,
  orderRoutes,
  orderDeskRoutes,
  holderRoutes,
  mailRoutes,
  messageRoutes,
  announcementRoutes,
  documentRoutes,
  priceRoutes,
  priceCodeRoutes,
  priceRuleRoutes,
  stripeChangeRoutes,
  programRoutes,
  admissionRoutes,
  headRoutes,
  unsettledRoutes,
  phoneRoutes,
  queueRoutes,
  refundRoutes,
  registryRoutes,
  rehearsalRoutes,
  reminderRoutes,
  rumRoutes,
  siteRoutes,
  userRoutes,
  accountRoutes,
  peopleRoutes,
  walletRoutes,
  webhookRoutes,
];

/** The facts on which the security headers depend. */
export function outsideOf({ ctx, addresses, certificate }: BuiltContext): Outside {
  return {
    publicUrl: ctx.publicUrl,
    ownCertificate: certificate !== null,
    realSeatsio: addresses.seatsio === null,
    monitoring: ctx.settings.monitoring,
  };
}

function makeRouter(
  { metricsToken, strictRefusals, publicUrl, dist }: Config,
  { ctx, certificate }: BuiltContext,
  limits: Limits,
): Router {
  const router = new IndexedRouter();
  const routing: Routing = {
    router,
    ctx,
    limits,
    metricsToken,
    serve: (endpoint, handle) => serve({ router, ctx, limits, strictRefusals }, endpoint, handle),
  };
  for (const addRoutes of allRoutes) addRoutes(routing);
  serveSitemap(routing);
  serveBookKey(routing, dist);
  serveDrawPage(routing, dist);
  if (certificate) serveCertificate(router, certificate);
  serveOpenApi(router, publicUrl);
  return router;
}

/** Sends plain bytes to a client that accepts neither them nor our compressions (RFC 9110). */
async function plainForTheRest(http: Koa.Context, next: Koa.Next): Promise<void> {
  if (http.acceptsEncodings(['br', 'gzip', 'deflate', 'zstd', 'identity']) === false)
    http['compress'] = false;
  await next();
}

/** The methods of pages and files. */
const reading = ['HEAD', 'GET'];

/** `pages` serves the apps: built ones, or Vite in development. Tests pass their own `limits`. */
export function createApp(
  config: Config,
  built: BuiltContext,
  {
    pages = serveApps(config.dist, built.ctx),
    limits = makeLimits(isPostgres(built.ctx.db) ? built.ctx : null),
  }: { pages?: Koa.Middleware; limits?: Limits } = {},
): Koa {
  const { ctx } = built;
  const app = new Koa();
  app.silent = true;
  // A closed tab or a malformed request is not our fault. Logs only the code, because the error
  // may contain the raw request with its cookies.
  app.on('error', (error: NodeJS.ErrnoException) => {
    ctx.log.info({ code: error.code }, 'connection broken off');
  });
  const router = makeRouter(config, built, limits);

  app.use(logRequests(ctx.log));
  app.use(tellCaller(config.proxies, ctx));
  app.use(measureRequests(ctx));
  app.use(secureHeaders(outsideOf(built)));
  app.use(widenForPages);
  // For the pages that translateErrors() and the maintenance send; other pages get their hashes
  // earlier, before they are compressed.
  app.use(nameStylesOfPages);
  app.use(translateErrors({ log: ctx.log, isDatabaseBusy, isDiskFull, isDatabaseAway }));
  app.use(restInMaintenance(ctx));
  app.use(limitPages(limits));
  app.use(plainForTheRest);
  // Built files are compressed already, and a buffer would delay live streams.
  app.use(
    compress({
      threshold: 2_048,
      filter: (type) => /json|javascript|html|css|svg/.test(type),
      br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
      gzip: { level: 5 },
    }),
  );
  app.use(nameStylesOfPages);
  app.use(standinDoor(built, limits));
  app.use(router.routes());
  app.use(async (http, next) => {
    const isApi = /^\/api(\/|$)/.test(http.path);
    if (!isApi && reading.includes(http.method)) return next();
    const methods = isApi
      ? router.match(http.path, http.method).path.flatMap((layer) => layer.methods)
      : reading;
    if (methods.length > 0) http.set('Allow', [...new Set(methods)].join(', '));
    answerError(http, new Refusal(methods.length > 0 ? 'method_not_allowed' : 'not_found'));
  });
  app.use(pages);
  app.use((http) => answerError(http, new Refusal('not_found')));
  return app;
}
