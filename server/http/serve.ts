/**
 * Registers an endpoint with its steps in this order: origin, rate limit, authentication, path,
 * query and body, the handler, and the reply as the contract has it.
 */
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import * as v from 'valibot';
import {
  isProgramCaller,
  limitOf,
  longestParam,
  unpackedLength,
  type Answer,
  type EndpointShape,
  type FileAnswer,
  type Limit,
  type ProgramCaller,
  type Received,
  type StreamAnswer,
} from '#server/contract/endpoint.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import type { PhoneInCall } from '#server/services/door/state.ts';
import type { ProgramInCall } from '#server/services/program/tokens.ts';
import { whilePersonWaits } from '#server/services/kit/patience.ts';
import { runNoted } from '#server/services/kit/started-work.ts';
import { orderIdOfLink } from '#server/services/order/order-link.ts';
import { requireFresh } from '#server/services/user/confirmation.ts';
import { countReading } from '#server/services/user/unusual.ts';
import type { InSession } from '#server/services/user/sessions.ts';
import { objectWanted, sayFault } from './field-words.ts';
import type { Limits } from './limits.ts';
import { noteAbout } from './log.ts';
import { readJson } from './raw-body.ts';
import { markFile } from './refused-file.ts';
import { sendTagged } from './tagged.ts';
import { requireOwnOrigin, requirePhone, requireProgram, requireUser } from './session.ts';
import { sendStream } from './stream.ts';
import { readForm } from './upload.ts';

/** What every endpoint needs to be served. */
interface Serving {
  router: Router;
  ctx: Ctx;
  limits: Limits;
  /** True: a refusal that the contract does not name becomes a 500 (development, tests). */
  strictRefusals: boolean;
}

/** What routes are made with. */
export interface Routing extends Omit<Serving, 'strictRefusals'> {
  serve: <const E extends EndpointShape>(endpoint: E, handle: Handler<E>) => void;
  /** The token for /metrics; null: maySeeMetrics() decides without one. */ metricsToken:
    | string
    | null;
}

type Caller<E extends EndpointShape> = E['who'] extends 'public'
  ? { http: Context }
  : E['who'] extends 'phone'
    ? { http: Context; phone: PhoneInCall }
    : E['who'] extends ProgramCaller
      ? { http: Context; program: ProgramInCall }
      : { http: Context; actor: Actor } & InSession;
type Handler<E extends EndpointShape> = (ask: Received<E>, caller: Caller<E>) => Promise<Answer<E>>;

/**
 * Checks the origin, counts the limit, finds the caller, parses path, query and body, calls the
 * handler, and strips the reply to what the contract names.
 */
export function serve<const E extends EndpointShape>(
  { router, ctx: app, limits, strictRefusals }: Serving,
  endpoint: E,
  handle: Handler<E>,
): void {
  // A path that is registered without its last slash matches both spellings.
  router.register(endpoint.path.replace(/\/$/, ''), [endpoint.method], async (ctx: Context) => {
    // Comes before the rate limit, so that another site's page cannot use up our visitors' limit.
    if (endpoint.who !== 'phone' && endpoint.method !== 'GET') requireOwnOrigin(app, ctx);
    await limits.count(ctx, limitOf(endpoint));
    if (endpoint.file) markFile(ctx);
    const caller = { http: ctx, ...(await whoIs(app, ctx, endpoint)) } as Caller<E>;
    if ('program' in caller) await limits.countProgram(caller.program.id);
    noteCaller(ctx, caller);
    const { form } = endpoint;
    // An unread body would stay in memory until the answer.
    if (!form && !endpoint.body) ctx.req.resume();
    const sent = form ? await readForm(ctx) : null;
    const ask = {
      params: readParams(ctx, endpoint.longestParam ?? longestParam),
      query: endpoint.query ? parsePart(endpoint.query, { ...ctx.query }, 'query') : {},
      body: endpoint.body
        ? parsePart(endpoint.body, await readBody(ctx, endpoint), 'body')
        : undefined,
      form: form && sent && parsePart(form, sent.fields, 'form'),
      file: sent?.file,
    } as Received<E>;
    if (endpoint.who === 'public') await openByLink(app, ctx, ask.params);
    const work = () => noted(app, endpoint, { ask, caller }, () => handle(ask, caller));
    const isWaitedFor = endpoint.who === 'public' || endpoint.method === 'GET';
    const answer = await (isWaitedFor ? whilePersonWaits(work) : work()).catch((error: unknown) => {
      throw checkDeclared(app, endpoint, { error, strict: strictRefusals });
    });
    // Only exports that were not refused count.
    if (endpoint.who === 'export_orders')
      await countReading(app, (caller as InSession).user.id, 'export');
    noteOrder(ctx, endpoint, answer);
    ctx.set('Cache-Control', 'no-store');
    if (endpoint.file) return sendFile(ctx, answer as FileAnswer, endpoint.framed);
    if (endpoint.stream) return sendStream(ctx, answer as StreamAnswer);
    if (endpoint.gzipped) return sendGzipped(ctx, endpoint.gzipped, answer as Uint8Array);
    if (!endpoint.reply) {
      ctx.status = endpoint.accepted ? 202 : 204;
      // Without a body Koa would send the name of the status.
      if (endpoint.accepted) ctx.body = '';
      return undefined;
    }
    const reply = parseReply(endpoint.reply, answer);
    if (isProgramCaller(endpoint.who)) return sendTagged(ctx, reply);
    ctx.body = reply;
    return undefined;
  });
}

/** Runs the handler; the office sees it meanwhile if the endpoint may take long. */
function noted<A>(
  app: Ctx,
  { work }: EndpointShape,
  { ask, caller }: { ask: { params: Record<string, string> }; caller: object },
  run: () => Promise<A>,
): Promise<A> {
  if (work === undefined || !('user' in caller)) return run();
  const { user } = caller as InSession;
  return runNoted(app, { work, actor: `user:${user.id}`, event_id: ask.params['eventId'] }, run);
}

/** Adds the caller to the request's log line. */
function noteCaller(ctx: Context, caller: object): void {
  if ('phone' in caller)
    noteAbout(ctx, { device_id: (caller as { phone: PhoneInCall }).phone.phone.id });
  if ('user' in caller) noteAbout(ctx, { user_id: (caller as InSession).user.id });
}

/** A visitor's `order_id` is the secret of the buyer's link, and the log has the record's id. */
function noteOrder(ctx: Context, { who }: EndpointShape, answer: unknown): void {
  const told = answer as { order_id?: unknown; record_id?: unknown } | undefined;
  const id = who === 'public' ? told?.record_id : told?.order_id;
  if (typeof id === 'string') noteAbout(ctx, { order_id: id });
}

/**
 * Sends a file with its name in ASCII and in UTF-8 (RFC 6266). Files get their own policy,
 * because that of pages breaks the PDF viewers of some browsers.
 */
function sendFile(ctx: Context, { name, type, content }: FileAnswer, framed = false): void {
  ctx.attachment(name, {
    type: framed ? 'inline' : 'attachment',
    fallback: name.normalize('NFKD').replace(/[^\x20-\x7e]/g, ''),
  });
  if (framed) {
    ctx.set('Content-Security-Policy', "frame-ancestors 'self'");
    ctx.set('X-Frame-Options', 'SAMEORIGIN');
  }
  ctx.set('Content-Type', type);
  ctx.body =
    content instanceof Uint8Array
      ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
      : Readable.from(content, { objectMode: false, highWaterMark: 65_536 });
}

/** Sends a gzip file as it is; unpacks it for a client that does not accept gzip. */
async function sendGzipped(ctx: Context, type: string, content: Uint8Array): Promise<void> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  ctx.set('Content-Type', type);
  ctx.vary('Accept-Encoding');
  // Browsers report progress in unpacked bytes, so a progress bar needs the unpacked length; it
  // is at the end of a gzip file (RFC 1952 §2.3.1).
  ctx.set(unpackedLength, String(bytes.readUInt32LE(bytes.length - 4)));
  const takesGzip = ctx.acceptsEncodings('gzip') !== false;
  if (takesGzip) ctx.set('Content-Encoding', 'gzip');
  ctx.body = takesGzip ? bytes : await promisify(gunzip)(bytes);
}

async function whoIs(app: Ctx, ctx: Context, endpoint: EndpointShape): Promise<object> {
  if (endpoint.who === 'phone')
    return { phone: await requirePhone(app, ctx, endpoint.evenRevoked === true) };
  if (endpoint.who === 'public') return {};
  if (isProgramCaller(endpoint.who))
    return { program: await requireProgram(app, ctx, endpoint.who) };
  const found = await requireUser(app, ctx, endpoint.who);
  if (endpoint.sensitive) await requireFresh(app, found);
  return { ...found, actor: `user:${found.user.id}` };
}

// oxlint-disable-next-line no-control-regex -- finds control characters
const unprintable = /[\u0000-\u001f\u007f]/;

/** A long or unprintable parameter names nothing, and must not reach the database. */
function readParams(ctx: Context, longest: number): Record<string, string> {
  const params = Reflect.get(ctx, 'params') as Record<string, string>;
  const isBad = (value: string) =>
    [...value].length > longest || unprintable.test(value) || !value.isWellFormed();
  if (Object.values(params).some(isBad)) throw new Refusal('not_found');
  return params;
}

/**
 * A visitor names an order by the secret of its link, and only by that; the handler gets the id.
 * @throws Refusal order_not_found, link_replaced
 */
async function openByLink(app: Ctx, ctx: Context, params: Record<string, string>): Promise<void> {
  if (params['orderId'] === undefined) return;
  params['orderId'] = await orderIdOfLink(app, params['orderId']);
  noteAbout(ctx, { order_id: params['orderId'] });
}

/**
 * The limits in bytes for a form with two long texts, a queue of 500 scans, an arena's drawing,
 * and all scans of a phone's event; callers who have not proved who they are get the usual one.
 */
const bodyLimits: Partial<Record<Limit, number>> = {
  form: 400_000,
  sync: 1_000_000,
  drawing: 30_000_000,
  import: 12_000_000,
};
const usualLimit = 64_000;

async function readBody(ctx: Context, endpoint: EndpointShape): Promise<unknown> {
  if (!ctx.is('json')) throw new Refusal(ctx.request.length ? 'wrong_content_type' : 'bad_request');
  if ((ctx.get('content-encoding') || 'identity') !== 'identity')
    throw new Refusal('wrong_content_type');
  if (endpoint.who === 'public') return readJson(ctx, { maxBytes: usualLimit, sender: 'unknown' });
  const maxBytes = bodyLimits[limitOf(endpoint)] ?? usualLimit;
  return readJson(ctx, { maxBytes, sender: 'known' });
}

/** Names every fault of a usual body, and the first of a huge one, which may have 100,000. */
export function parsePart(schema: v.GenericSchema, value: unknown, part: string): unknown {
  const first = v.safeParse(schema, value, { abortEarly: true });
  const read = first.success || !hasFewValues(value) ? first : v.safeParse(schema, value);
  if (!read.success)
    refuseFields(
      part,
      read.issues.map((issue) => [v.getDotPath(issue) ?? part, sayFault(issue)]),
    );
  const list = mistakenList(value, read.output);
  if (list !== null) refuseFields(part, [[list || part, objectWanted]]);
  return read.output;
}

/**
 * The answer with only what the contract names. A stored word that only a newer version knows
 * passes, or one row of it would break every list.
 */
function parseReply(schema: v.GenericSchema, answer: unknown): unknown {
  const { success, issues, output } = v.safeParse(schema, answer);
  if (!success && !issues.every(isUnknownWord)) throw new v.ValiError(issues);
  return output;
}

function isUnknownWord({ type, input }: v.BaseIssue<unknown>): boolean {
  return type === 'picklist' && typeof input === 'string';
}

function hasFewValues(value: unknown, room = { left: 2_000 }): boolean {
  room.left -= 1;
  if (room.left < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((part) => hasFewValues(part, room));
}

/** Reports the first fault of each field. */
function refuseFields(part: string, faults: [field: string, words: string][]): never {
  const told = [...new Map(faults.toReversed())].toReversed().slice(0, 20);
  throw new Refusal('bad_request', {
    part,
    fields: told.map(([field]) => field),
    faults: Object.fromEntries(told),
  });
}

/**
 * The field where a list was sent instead of an object: Valibot accepts a list if no field is
 * required. Null if there is none.
 */
function mistakenList(sent: unknown, read: unknown, at = ''): string | null {
  // An unchanged object means that the contract leaves its content open.
  if (sent === read || typeof sent !== 'object' || typeof read !== 'object') return null;
  if (sent === null || read === null) return null;
  if (Array.isArray(sent) && !Array.isArray(read)) return at;
  for (const [key, value] of Object.entries(read)) {
    const below = (sent as Record<string, unknown>)[key];
    const found = mistakenList(below, value, at === '' ? key : `${at}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

/** The refusals that every endpoint may give without naming them in its contract. */
const everywhere = new Set([
  'bad_request',
  'broken_json',
  'wrong_content_type',
  'body_too_large',
  'body_too_slow',
  'not_found',
  'too_many_requests',
  'not_logged_in',
  'not_allowed',
  'factor_required',
  'wrong_origin',
  'try_again',
  'no_room',
  'database_away',
  'maintenance',
  'seller_missing',
  'unexpected',
  'provider_silent',
  'phone_revoked',
  'token_refused',
  'scope_missing',
]);

/**
 * A refusal that the contract does not name is our mistake: an error in development and tests,
 * elsewhere a line in the log.
 */
function checkDeclared(
  app: Ctx,
  endpoint: EndpointShape,
  { error, strict }: { error: unknown; strict: boolean },
): unknown {
  if (!(error instanceof Refusal)) return error;
  const { code } = error;
  if (everywhere.has(code) || endpoint.refusals?.includes(code)) return error;
  if (strict)
    return new Error(
      `${endpoint.method} ${endpoint.path} refuses ${code}, which its contract does not name`,
      { cause: error },
    );
  app.log.error({ endpoint: endpoint.path, code }, 'refusal not declared in the contract');
  return error;
}
