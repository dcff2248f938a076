/**
 * Registers an endpoint with its checks in order: origin, rate limit, authentication, path, query
 * and body, then the handler, then the reply by the contract.
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
import { orderIdOfLink } from '#server/services/order/order-link.ts';
import { requireFresh } from '#server/services/user/confirmation.ts';
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

/** The parts that endpoints are served with. */
interface Serving {
  router: Router;
  ctx: Ctx;
  limits: Limits;
  /** True: a refusal that the contract does not name becomes a 500 (development, tests). */
  strictRefusals: boolean;
}

/** The parts that routes are made with. */
export interface Routing extends Omit<Serving, 'strictRefusals'> {
  serve: <const E extends EndpointShape>(endpoint: E, handle: Handler<E>) => void;
  /** The token for /metrics; null: see maySeeMetrics(). */ metricsToken: string | null;
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
  // A path registered without its last slash matches both spellings.
  router.register(endpoint.path.replace(/\/$/, ''), [endpoint.method], async (ctx: Context) => {
    // Checked before the limit is counted, because another site's page must not use up our
    // visitors' limit.
    if (endpoint.who !== 'phone' && endpoint.method !== 'GET') requireOwnOrigin(app, ctx);
    await limits.count(ctx, limitOf(endpoint));
    if (endpoint.file) markFile(ctx);
    const caller = { http: ctx, ...(await whoIs(app, ctx, endpoint)) } as Caller<E>;
    if ('program' in caller) await limits.countProgram(ctx, caller.program.id);
    noteCaller(ctx, caller);
    const { form } = endpoint;
    const sent = form ? await readForm(ctx) : null;
    const ask = {
      params: await readParams(app, ctx, endpoint),
      query: endpoint.query ? parse(endpoint.query, { ...ctx.query }, 'query') : {},
      body: endpoint.body ? parse(endpoint.body, await readBody(ctx, endpoint), 'body') : undefined,
      form: form && sent && parse(form, sent.fields, 'form'),
      file: sent?.file,
    } as Received<E>;
    const answer = await handle(ask, caller).catch((error: unknown) => {
      throw checkDeclared(app, endpoint, { error, strict: strictRefusals });
    });
    noteOrder(ctx, endpoint, answer);
    ctx.set('Cache-Control', 'no-store');
    if (endpoint.file) return sendFile(ctx, answer as FileAnswer, endpoint.framed);
    if (endpoint.stream) return sendStream(ctx, answer as StreamAnswer);
    if (endpoint.gzipped) return sendGzipped(ctx, endpoint.gzipped, answer as Uint8Array);
    if (!endpoint.reply) {
      ctx.status = endpoint.accepted ? 202 : 204;
      // Without a body Koa would send the status's name.
      if (endpoint.accepted) ctx.body = '';
      return undefined;
    }
    const reply = v.parse(endpoint.reply, answer);
    if (isProgramCaller(endpoint.who)) return sendTagged(ctx, reply);
    ctx.body = reply;
    return undefined;
  });
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
 * Sends the file's name in ASCII and in UTF-8 (RFC 6266). Files have a policy of their own,
 * because the pages' one breaks some browsers' PDF viewers.
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

/** Sends the gzip file as it is; a client that does not accept gzip gets it unpacked. */
async function sendGzipped(ctx: Context, type: string, content: Uint8Array): Promise<void> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  ctx.set('Content-Type', type);
  ctx.vary('Accept-Encoding');
  // Browsers report how much they have unpacked, so a progress bar needs the whole unpacked
  // length, which is at the end of a gzip file (RFC 1952 §2.3.1).
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

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const unprintable = /[\u0000-\u001f\u007f]/;

/**
 * A long or unprintable parameter names nothing, and must not reach the database. A visitor names
 * an order by the secret of its link, and only by that; the handler gets the order's id.
 * @throws Refusal not_found, order_not_found, link_replaced
 */
async function readParams(
  app: Ctx,
  ctx: Context,
  { who, longestParam: longest = 200 }: EndpointShape,
): Promise<Record<string, string>> {
  const params = Reflect.get(ctx, 'params') as Record<string, string>;
  const isBad = (value: string) =>
    value.length > longest || unprintable.test(value) || !value.isWellFormed();
  if (Object.values(params).some(isBad)) throw new Refusal('not_found');
  if (who !== 'public' || params['orderId'] === undefined) return params;
  const orderId = await orderIdOfLink(app, params['orderId']);
  noteAbout(ctx, { order_id: orderId });
  return { ...params, orderId };
}

/**
 * The limits in bytes for a form with two long texts, a queue of 500 scans, an arena's drawing,
 * and all scans of a phone's event.
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
  return readJson(ctx.req, bodyLimits[limitOf(endpoint)] ?? usualLimit);
}

function parse(schema: v.GenericSchema, value: unknown, part: string): unknown {
  const read = v.safeParse(schema, value);
  if (!read.success)
    refuseFields(
      part,
      read.issues.map((issue) => [v.getDotPath(issue) ?? part, sayFault(issue)]),
    );
  const list = mistakenList(value, read.output);
  if (list !== null) refuseFields(part, [[list || part, objectWanted]]);
  return read.output;
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
 * The field where a list was sent instead of an object, which Valibot accepts if no field is
 * required; null: none.
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

/** The refusals that any endpoint may answer without naming them. */
const everywhere = new Set([
  'bad_request',
  'broken_json',
  'wrong_content_type',
  'body_too_large',
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
  'unexpected',
  'provider_silent',
  'phone_revoked',
  'token_refused',
  'scope_missing',
]);

/**
 * A refusal that the contract does not name is a mistake of ours: an error in development and
 * tests, a line in the log elsewhere.
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
