/** The seats.io stand-in: one HTTP server on a loopback port that speaks the vendor's API to its SDK and wire.ts to our chart.js. */
import { createServer } from 'node:http';
import { addOwnCharts, chartRoutes, chartUploadRoute } from './charts.ts';
import { channelRoutes } from './channels.ts';
import { Kept } from './context.ts';
import { openTables } from './database.ts';
import { badRequest } from './errors.ts';
import { eventRoutes } from './events.ts';
import { forSaleRoutes } from './for-sale-routes.ts';
import { expireHolds, holdTokenRoutes } from './hold-tokens.ts';
import { objectRoutes } from './object-routes.ts';
import { publicRoutes } from './public.ts';
import { reportRoutes } from './reports.ts';
import { matchRoute, readBody, sendAnswer, sendError, sent } from './router.ts';
import { serveChartFile } from './static.ts';
import { openHub } from './stream.ts';
import { findCaller, openDefaultWorkspace, systemRoutes } from './workspaces.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Seatsio, Workspace } from './context.ts';
import type { Route } from './router.ts';
import type { Store } from '#server/standins/store.ts';

export interface SeatsioOptions {
  store: Store;
  /** Epoch milliseconds. */
  now: () => number;
  /** 0: any free one. */
  port: number;
  /** Folder of the built chart.js. */
  chartFolder: string;
  /** Switches on the two provisioning calls; without it they do not exist. */
  systemSecret?: string;
}

/** The keys of the workspace that is there from the first start. */
export interface RunningSeatsio { url: string; port: number; secretKey: string; workspaceKey: string; close: () => Promise<void> }

/** How late a stream may hear that a hold is over when nobody calls. */
const SWEEP_MS = 500;
const NOBODY: Workspace = { id: 0, company_id: 0, key: '', name: '', is_test: 0, is_default: 0, is_active: 0 };

async function answer(ctx: Seatsio, routes: Route[], { request, response }: { request: IncomingMessage; response: ServerResponse }): Promise<void> {
  const { pathname, searchParams } = readUrl(request.url ?? '/');
  const [name, ...rest] = pathname.split('/').filter(Boolean);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && rest.length === 0 && name?.includes('.') && await serveChartFile(ctx.chartFolder, { request, response, name })) return;
  const { route, params } = matchRoute(routes, request.method ?? '', pathname);
  // Who is not known may not make us read.
  const workspace = route.who === 'key' ? findCaller(ctx, request) : NOBODY;
  const body = await readBody(request, route.limit);
  expireHolds(ctx);
  const result = route.handle(ctx, { request, response, params, query: searchParams, ip: request.socket.remoteAddress ?? '', body }, workspace);
  if (result !== sent) sendAnswer(response, result);
}

function readUrl(url: string): URL {
  const parsed = URL.parse(url.replace(/^\/+/, '/'), 'http://stand-in');
  if (!parsed) throw badRequest('The address cannot be read');
  return parsed;
}

/** Tables are made, keys and charts too where they are missing; holds that ran out while it was off are let go. */
export async function startSeatsio(options: SeatsioOptions): Promise<RunningSeatsio> {
  const { store, now, chartFolder, systemSecret } = options;
  const hub = openHub(() => ctx);
  const ctx: Seatsio = {
    store, sql: openTables(store), now, chartFolder, systemSecret, plans: new Kept(60), wireCharts: new Kept(60), forSaleEdits: new Map(), onChange: hub.publish,
  };
  const { workspace, secretKey } = openDefaultWorkspace(ctx);
  addOwnCharts(ctx, workspace, new URL('charts/', import.meta.url));
  expireHolds(ctx);
  const routes = [
    ...(systemSecret === undefined ? [] : [...systemRoutes, chartUploadRoute]), ...publicRoutes(hub), ...chartRoutes, ...forSaleRoutes,
    ...objectRoutes, ...eventRoutes, ...channelRoutes, ...holdTokenRoutes, ...reportRoutes,
  ];
  const server = createServer((request, response) => {
    answer(ctx, routes, { request, response }).catch((error: unknown) => {
      // What was refused before its body came is read away, or the caller would see a broken line.
      request.resume();
      sendError(response, error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const sweep = setInterval(() => {
    try {
      expireHolds(ctx);
    } catch (error) {
      // Busy for a moment: the next round, or the next call, does it.
      console.error('seats.io stand-in:', error);
    }
  }, SWEEP_MS).unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`, port, secretKey, workspaceKey: workspace.key,
    async close() {
      clearInterval(sweep);
      hub.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}
