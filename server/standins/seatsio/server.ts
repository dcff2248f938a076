/**
 * The seats.io stand-in: an HTTP server, by default on a loopback port, that speaks the vendor's
 * API to its SDK and wire.ts to our chart.js.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openToPages } from './cross-origin.ts';
import { ApiError, badRequest, describeError } from './errors.ts';
import { expireHolds, hasHoldsDue, shortenHolds } from './status/hold-tokens.ts';
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
  /** 0 for any free port. */
  port: number;
  /** The address to listen on; this machine only if left out. */
  host?: string;
  /** The folder of the built chart.js. */
  chartFolder: string;
  /** The secret of the two provisioning calls; without it they do not exist. */
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

/** How often expired holds are released while there are no calls. */
const SWEEP_MS = 500;
/** The clock counts as set back when it goes back by more between two sweeps. */
const STEP_MS = 60_000;
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
  // Unknown callers are refused before their body is read.
  if (route.who === 'key') await read(state, findWho);
  const call: Call = {
    request,
    response,
    params,
    query: searchParams,
    ip: request.socket.remoteAddress ?? '',
    body: (await readUnpacked(request, route.limit)).toString('utf8'),
  };
  // The caller is checked again, because its workspace may have been switched off or deleted
  // while the body arrived slowly.
  const result =
    route.method === 'GET'
      ? await readFresh(state, async (ctx) => route.handle(ctx, call, await findWho(ctx)))
      : await changeFresh(state, async (ctx) => route.handle(ctx, call, await findWho(ctx)));
  if (result !== sent) sendAnswer(response, result);
}

/** Serves the built chart.js with the files beside it, and the designer's files in its folder. */
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

/** Expired holds stay released even if the change is refused. */
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
      // Reads and drops the rest of the body, because the caller would otherwise see a broken
      // connection.
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

/** Prints an error that repeats only once, for example while the database is down. */
function openComplaints(): (error: unknown) => void {
  let last = '';
  return (error) => {
    const text = String(error);
    if (text !== last) console.error('seats.io stand-in:', error);
    last = text;
  };
}

function startSweep(state: State, complain: (error: unknown) => void): NodeJS.Timeout {
  let latest = state.now();
  const sweep = async () => {
    const now = state.now();
    if (now < latest - STEP_MS) await change(state, shortenHolds);
    else await sweepHolds(state);
    latest = now;
  };
  // After an error the next round or the next call releases the holds.
  return setInterval(() => void sweep().catch(complain), SWEEP_MS).unref();
}

/** How often changes of other processes are looked for. */
const OTHERS_MS = 200;

/** Each look waits for the last one to end, so that a slow database does not get more work. */
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

/** Makes missing tables, keys and charts, and releases holds that expired meanwhile. */
export async function startSeatsio(options: SeatsioOptions): Promise<RunningSeatsio> {
  const { store, now, chartFolder, systemSecret, host = '127.0.0.1' } = options;
  const hub = openHub(() => state);
  const state: State = { store, now, chartFolder, systemSecret, onChange: hub.publish };
  const { workspace, secretKey, adminKey } = await change(state, openDefaultWorkspace);
  await addOwnCharts(state, workspace);
  await change(state, shortenHolds);
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
