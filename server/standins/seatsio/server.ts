/**
 * The seats.io stand-in: one HTTP server, on a loopback port unless told otherwise, that speaks
 * the vendor's API to its SDK and wire.ts to our chart.js.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openToPages } from './cross-origin.ts';
import { ApiError, badRequest, describeError } from './errors.ts';
import { expireHolds, hasHoldsDue } from './status/hold-tokens.ts';
import { openSeatsio } from './open.ts';
import { allRoutes } from './routes.ts';
import { findRoute, sendAnswer, sendError, sent } from './router.ts';
import { addOwnCharts } from './chart/seeds.ts';
import { serveChartFile } from './static.ts';
import { openHub, type Hub } from './browser/stream.ts';
import { findCaller } from './company/callers.ts';
import { openDefaultWorkspace } from './company/companies.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { change, read } from './context.ts';
import { readUnpacked } from '#server/standins/kit/body.ts';
import { refuseNoise } from '#server/standins/kit/noise.ts';
import { openRouter } from '#server/standins/kit/router.ts';
import type { Seatsio, State, Writing } from './context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Call, Route } from './router.ts';
import type { Store } from '#server/standins/kit/store.ts';

interface SeatsioOptions {
  store: Store;
  /** Epoch milliseconds. */
  now: () => number;
  /** 0: any free one. */
  port: number;
  /** The address that is listened on; only this machine if left out. */
  host?: string;
  /** Folder of the built chart.js. */
  chartFolder: string;
  /** Mounts the two provisioning calls. */
  systemSecret?: string;
}

/** The keys of the first workspace and of its company. */
export interface RunningSeatsio {
  url: string;
  port: number;
  secretKey: string;
  adminKey: string;
  workspaceKey: string;
  close: () => Promise<void>;
}

/** How late a stream may tell that a hold is over when no call comes. */
const SWEEP_MS = 500;
const NOBODY: Workspace = {
  id: 0,
  company_id: 0,
  key: '',
  name: '',
  is_test: 0,
  is_default: 0,
  is_active: 0,
};

interface Door {
  state: State;
  find: ReturnType<typeof openRouter<Route>>;
}

async function answer(
  { state, find }: Door,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { pathname, searchParams } = readUrl(request.url ?? '/');
  if (openToPages(request, response, pathname)) return;
  if (await answerFile(state.chartFolder, { request, response, pathname })) return;
  const { route, params } = findRoute(find, request.method ?? '', pathname);
  const findWho = async (ctx: Seatsio) =>
    route.who === 'key' ? await findCaller(ctx, request) : NOBODY;
  // The body of an unknown caller is not read.
  if (route.who === 'key') await read(state, findWho);
  const call: Call = {
    request,
    response,
    params,
    query: searchParams,
    ip: request.socket.remoteAddress ?? '',
    body: (await readUnpacked(request, route.limit)).toString('utf8'),
  };
  // A slow body may arrive after its workspace was switched off or deleted, so the caller is
  // checked again.
  const result =
    route.method === 'GET'
      ? await readFresh(state, async (ctx) => route.handle(ctx, call, await findWho(ctx)))
      : await changeFresh(state, async (ctx) => route.handle(ctx, call, await findWho(ctx)));
  if (result !== sent) sendAnswer(response, result);
}

/** The built chart.js and what lies beside it, and the designer's files in their own folder. */
async function answerFile(
  folder: string,
  {
    request,
    response,
    pathname,
  }: { request: IncomingMessage; response: ServerResponse; pathname: string },
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const [, inside, name] = /^\/(designer\/)?([^/]*\.[^/]*)$/.exec(pathname) ?? [];
  if (name === undefined) return false;
  const home = inside ? join(folder, 'designer') : folder;
  return serveChartFile(home, { request, response, name });
}

async function sweepHolds(state: State): Promise<void> {
  if (await read(state, hasHoldsDue)) await change(state, expireHolds);
}

async function readFresh<T>(state: State, work: (ctx: Seatsio) => Promise<T>): Promise<T> {
  await sweepHolds(state);
  return read(state, work);
}

/** Expired holds stay released even when the change is refused. */
async function changeFresh<T>(state: State, work: (ctx: Writing) => Promise<T>): Promise<T> {
  const [, result] = await Promise.all([change(state, expireHolds), change(state, work)]);
  return result;
}

function readUrl(url: string): URL {
  const parsed = URL.parse(url.replace(/^\/+/, '/'), 'http://stand-in');
  if (!parsed) throw badRequest('The address cannot be read');
  return parsed;
}

function openServer(door: Door): Server {
  const server = createServer((request, response) => {
    answer(door, { request, response }).catch((error: unknown) => {
      // The body of a call that was refused early is read and thrown away, or the caller would
      // see a broken connection.
      request.resume();
      sendError(response, error);
    });
  });
  server.on(
    'clientError',
    refuseNoise((status, message) =>
      describeError(new ApiError(status, 'GENERAL_ERROR', { message })),
    ),
  );
  return server;
}

/** While the database is away, the same error is printed once. */
function openComplaints(): (error: unknown) => void {
  let last = '';
  return (error) => {
    const text = String(error);
    if (text !== last) console.error('seats.io stand-in:', error);
    last = text;
  };
}

function startSweep(state: State, complain: (error: unknown) => void): NodeJS.Timeout {
  return setInterval(() => {
    // The store is busy for a moment: the next round, or the next call, does it.
    sweepHolds(state).catch(complain);
  }, SWEEP_MS).unref();
}

/** How late a stream may hear what another process has changed. */
const OTHERS_MS = 200;

/** One look at a time, so that a slow database is not asked again before it has answered. */
function followOthers(
  state: State,
  { hub, complain }: { hub: Hub; complain: (error: unknown) => void },
): { stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    await read(state, hub.hearOthers).catch(complain);
    if (timer !== undefined) timer = setTimeout(look, OTHERS_MS).unref();
  };
  if (state.store.isShared) timer = setTimeout(look, OTHERS_MS).unref();
  return {
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/**
 * Makes tables, keys and charts where they are missing, and releases holds that ran out while it
 * was off.
 */
export async function startSeatsio(options: SeatsioOptions): Promise<RunningSeatsio> {
  const { store, now, chartFolder, systemSecret, host = '127.0.0.1' } = options;
  const hub = openHub(() => state);
  const state = await openSeatsio({
    store,
    now,
    chartFolder,
    systemSecret,
    onChange: hub.publish,
  });
  const { workspace, secretKey, adminKey } = await change(state, openDefaultWorkspace);
  await addOwnCharts(state, workspace);
  await change(state, expireHolds);
  const door = { state, find: openRouter(allRoutes(hub, systemSecret !== undefined)) };
  const server = openServer(door);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  const complain = openComplaints();
  const sweep = startSweep(state, complain);
  const others = followOthers(state, { hub, complain });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    secretKey,
    adminKey,
    workspaceKey: workspace.key,
    async close() {
      clearInterval(sweep);
      others.stop();
      hub.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}
