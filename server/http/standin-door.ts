/**
 * Passes a browser's calls to the stand-ins through our public origin. Their APIs for the secret
 * key stay closed, except the designer's calls with a token of ours.
 */
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Context, Next } from 'koa';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { noteCrowdAt, unpaidPlaces } from '#server/services/queue/crowd.ts';
import {
  designerCall,
  designerHeaders,
  noteAnswer,
  oweAnswer,
  userOfDesigner,
  type DesignerCall,
} from './designer-door.ts';
import { answerError } from './errors.ts';
import { customerOf, networkOf, type Limits } from './limits.ts';
import { readRawBody, type Wanted } from './raw-body.ts';

interface StandinAddress {
  hostname: string;
  port: number;
}
export interface StandinAddresses {
  seatsio: (StandinAddress & { secretKey: string }) | null;
  stripe: StandinAddress | null;
}

interface DoorOf {
  ctx: Ctx;
  /** The address of each stand-in; null: the real vendor, which browsers reach directly. */
  addresses: StandinAddresses;
}

/** The only calls that are passed on; no pattern allows a path to leave its folder. */
const open: Record<keyof StandinAddresses, RegExp> = {
  seatsio:
    /^(?:GET|HEAD) \/(?:chart\.js|(?:assets|designer)\/[\w-]+(?:\.[\w-]+)+|system\/public\/[\w-]+\/(?:rendering-info|hold-tokens\/[\w-]+|events\/[\w-]+\/stream))$|^POST \/system\/public\/[\w-]+\/(?:hold-tokens|events\/[\w-]+\/actions\/(?:hold|release|hold-best-available|find-best-available))$/,
  stripe:
    /^(?:GET|HEAD) \/(?:c\/pay|receipts)\/[\w-]+$|^GET \/v1\/payment_pages\/\w+$|^POST \/v1\/(?:payment_pages\/\w+\/confirm|payment_methods)$/,
};

/** The request headers that are passed on: no cookie, no key, nothing about the connection. */
const passedIn = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-none-match',
  'last-event-id',
  'user-agent',
];
const keptBack = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
  'trailer',
  'upgrade',
]);

const maxBodyBytes = 64 * 1024;
/**
 * The most open streams of live charts, in all and per address (visitors of one carrier share an
 * address). A chart without a stream polls.
 */
const mostStreams = { all: 4_000, address: 200 };

/**
 * Passes the answer on piece by piece, so that live events arrive one by one; an unreachable
 * stand-in becomes a 503.
 */
export function standinDoor({ ctx: app, addresses }: DoorOf, limits: Limits) {
  const streams = new OpenStreams();
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!/^\/standins(\/|$)/.test(ctx.path)) return next();
    const match = /^\/standins\/(seatsio|stripe)(\/.*)$/.exec(ctx.path);
    const [, vendor, path = ''] = (match ?? []) as [string?, (keyof StandinAddresses)?, string?];
    const address = vendor === undefined ? null : addresses[vendor];
    if (!vendor || !address) throw new Refusal('not_found');
    const call = vendor === 'seatsio' ? designerCall(ctx.method, path) : null;
    if (!call && !open[vendor].test(`${ctx.method} ${path}`)) throw new Refusal('not_found');
    // A robot must not make tokens, holds or card payments by the thousand.
    await limits.count(ctx, ctx.method === 'POST' ? 'hold' : 'read');
    if (ctx.method === 'POST' && path.endsWith('/hold-tokens'))
      await limits.count(ctx, 'hold_token');
    if (call && addresses.seatsio)
      return drawThrough(app, ctx, { address: addresses.seatsio, path, call });
    const isTurnedToPolling = ctx.path.endsWith('/stream') && !streams.add(ctx);
    const search = isTurnedToPolling ? `${ctx.search || '?'}&once=1` : ctx.search;
    const body = await bodyOf(ctx, { maxBytes: maxBodyBytes, sender: 'unknown' });
    const headers = await heldBefore(app, ctx, path);
    await pass(ctx, address, { path: path + search, body, headers });
    if (vendor === 'seatsio' && ctx.status === 429) await hearCrowd(app, ctx);
  };
}

interface Drawing {
  address: StandinAddress & { secretKey: string };
  path: string;
  call: DesignerCall;
}

/** The user is checked before any byte of the drawing is read. */
async function drawThrough(
  app: Ctx,
  ctx: Context,
  { address, path, call }: Drawing,
): Promise<void> {
  const user = await userOfDesigner(app, ctx, call.chart_key);
  const body = await bodyOf(ctx, { maxBytes: call.maxBodyBytes, sender: 'known' });
  await oweAnswer(app, call);
  await pass(ctx, address, {
    path: path + ctx.search,
    body,
    headers: designerHeaders(ctx, { secretKey: address.secretKey, user }),
  });
  // The first would make a browser show a login box, the second let other sites use a token.
  for (const name of ['WWW-Authenticate', 'Access-Control-Allow-Origin']) ctx.remove(name);
  if (call.deed === null || ctx.status !== 200) return;
  const answer = await buffer(ctx.body as IncomingMessage);
  await noteAnswer(app, { call, user, answer });
  ctx.body = answer;
}

async function bodyOf(ctx: Context, wanted: Wanted): Promise<Buffer | null> {
  if (ctx.method === 'POST') return readRawBody(ctx, wanted);
  // An unread body would stay in memory as long as a live stream.
  ctx.req.resume();
  return null;
}

/** What the visitor's network has booked and not paid counts as held, see limitHeldAtOnce(). */
async function heldBefore(app: Ctx, ctx: Context, path: string): Promise<Record<string, string>> {
  const [, seatsio_event_key] = /\/events\/([\w-]+)\/actions\/hold/.exec(path) ?? [];
  if (seatsio_event_key === undefined) return {};
  const network = customerOf(ctx.ip);
  return { 'x-unpaid-places': String(await unpaidPlaces(app, { seatsio_event_key, network })) };
}

/** Tells the office if the seat map refuses a network that holds too much of an event. */
async function hearCrowd(app: Ctx, ctx: Context): Promise<void> {
  const answer = await buffer(ctx.body as IncomingMessage);
  ctx.body = answer;
  const { errors } = JSON.parse(answer.toString()) as {
    errors?: { code: string; data?: { event: string } }[];
  };
  const [error] = errors ?? [];
  if (error?.code === 'TOO_MANY_HELD_AT_ONCE' && error.data)
    await noteCrowdAt(app, error.data.event);
}

class OpenStreams {
  #all = 0;
  readonly #byNetwork = new Map<string, number>();

  /** False if the limit is reached. */
  add(ctx: Context): boolean {
    const network = networkOf(ctx.ip);
    const own = this.#byNetwork.get(network) ?? 0;
    if (this.#all >= mostStreams.all || own >= mostStreams.address) return false;
    this.#change(network, 1);
    ctx.res.once('close', () => this.#change(network, -1));
    return true;
  }

  #change(network: string, by: 1 | -1): void {
    const own = (this.#byNetwork.get(network) ?? 0) + by;
    this.#all += by;
    if (own === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, own);
  }
}

interface Passed {
  path: string;
  body: Buffer | null;
  /** Headers in addition to `passedIn`. */
  headers?: Record<string, string>;
}

async function pass(
  ctx: Context,
  { hostname, port }: StandinAddress,
  { path, body, headers: more = {} }: Passed,
): Promise<void> {
  const headers = Object.fromEntries(
    passedIn.flatMap((name) => (ctx.get(name) === '' ? [] : [[name, ctx.get(name)]])),
  );
  const answer = await new Promise<IncomingMessage | null>((resolve) => {
    const upstream = request({
      hostname,
      port,
      // A kept-alive connection may be closing at the other end, so a body needs a new one.
      ...(body ? { agent: false } : {}),
      method: ctx.method,
      path,
      headers: {
        ...headers,
        ...more,
        ...(body ? { 'content-length': body.length } : {}),
        'x-forwarded-for': ctx.ip,
      },
    });
    upstream.once('response', resolve);
    upstream.once('error', () => resolve(null));
    ctx.res.once('close', () => upstream.destroy());
    upstream.end(body);
  });
  if (answer === null) return answerError(ctx, new Refusal('provider_silent'));
  ctx.status = answer.statusCode ?? 502;
  // A stand-in's page has its own policy.
  ctx.remove('Content-Security-Policy');
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !keptBack.has(name)) ctx.set(name, value);
  if (answer.headers['content-type']?.startsWith('text/event-stream')) ctx.req.socket.setTimeout(0);
  ctx.body = answer;
}
