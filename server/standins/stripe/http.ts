/** One request, from its bytes to its answer: limits, key, idempotency, one transaction, and every refusal in Stripe's shape. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ACCOUNT_VERSION, type Call, type Desk, type Reply } from './call.ts';
import { notBuilt, refuse, StripeError } from './errors.ts';
import { canonical, readForm, readJson, type Form } from './forms.ts';
import { checkKey, findReplay, inFlight, remember, type Replay } from './idempotency.ts';
import { newId } from './ids.ts';
import { answerWithPage } from './page.ts';
import { findRoute } from './routes.ts';
import { expireDueSessions } from './sessions.ts';

const VERSION = /^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/;
const MAX_BODY = 1024 * 1024;
/** What arrives without a key needs no room. */
const MAX_PAGE_BODY = 32 * 1024;

export interface Front extends Desk {
  secretKey: string;
  /** Called when something may have been written. */
  changed: () => void;
}

/** Makes the listener of the HTTP server; it never throws. */
export function answering(front: Front): (request: IncomingMessage, response: ServerResponse) => void {
  const busyKeys = new Set<string>();
  return (request, response) => {
    const requestId = newId('req');
    const asked = oneHeader(request, 'stripe-version') ?? ACCOUNT_VERSION;
    const version = VERSION.test(asked) ? asked : null;
    response.setHeader('Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    void answer(front, { request, response, requestId, version, busyKeys }).catch((error: unknown) => {
      const known = error instanceof StripeError ? error : unforeseen(error);
      if (known.status === 413) response.setHeader('Connection', 'close');
      if (known.status === 501) response.setHeader('Stripe-Should-Retry', 'false');
      if (known.status === 503) response.setHeader('Stripe-Should-Retry', 'true');
      writeJson(response, { status: known.status, body: { error: known.body } });
    });
  };
}

interface Exchange { request: IncomingMessage; response: ServerResponse; requestId: string; version: string | null; busyKeys: Set<string> }

async function answer(front: Front, exchange: Exchange): Promise<void> {
  const { request, response, requestId } = exchange;
  const method = request.method ?? 'GET';
  const [path = '/', query = ''] = splitOnce(request.url ?? '/', '?');
  const page = /^\/c\/pay\/([^/]+)$/.exec(path);
  if (page && (method === 'GET' || method === 'HEAD')) {
    expireDueSessions(front);
    answerWithPage({ ...front, form: new Map(), id: page[1]!, version: ACCOUNT_VERSION, requestId, idempotencyKey: null, keyed: false }, response);
    return;
  }
  const found = findRoute(method, path);
  if (!found) throw new StripeError(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });
  const keyed = isKeyed(front, request, found !== 'not_built' && found.route.door === 'page');
  if (found === 'not_built') throw notBuilt(`${method} ${path}`);
  const { version } = exchange;
  if (version === null) throw refuse('Invalid Stripe API version: a date is expected, with the name of the release behind it.', { param: 'Stripe-Version' });
  response.setHeader('Stripe-Version', version);

  const key = method === 'POST' ? oneHeader(request, 'idempotency-key') : undefined;
  if (key === undefined) {
    const form = readAll(request, await readBody(request, keyed), query);
    writeJson(response, execute(front, { ...front, form, id: decodeId(found.id), version, requestId, idempotencyKey: null, keyed }, found.route.handle));
    return;
  }
  checkKey(key);
  response.setHeader('Idempotency-Key', key);
  // A page knows no key of the shop's and must not meet one.
  const scoped = `${keyed ? 'shop' : 'page'} ${key}`;
  if (exchange.busyKeys.has(scoped)) throw inFlight(key);
  exchange.busyKeys.add(scoped);
  try {
    const form = readAll(request, await readBody(request, keyed), query);
    const call: Call = { ...front, form, id: decodeId(found.id), version, requestId, idempotencyKey: key, keyed };
    const asked = { method, path, params: canonical(form) };
    const reply = execute(front, call, () => {
      const replay = findReplay(call.store, scoped, { ...asked, now: call.now() });
      if (replay) return replay;
      const made = found.route.handle(call);
      remember(call.store, scoped, { ...asked, reply: made, requestId, now: call.now() });
      return made;
    });
    if (isReplay(reply)) {
      response.setHeader('Idempotent-Replayed', 'true');
      response.setHeader('Original-Request', reply.requestId);
    }
    writeJson(response, reply);
  } finally {
    exchange.busyKeys.delete(scoped);
  }
}

/** All writes of one call in one transaction; what is due by the clock is settled first, and stays settled if the call fails. */
function execute(front: Front, call: Call, handle: (call: Call) => Reply): Reply {
  expireDueSessions(front);
  try {
    return front.store.transaction(() => handle(call)).immediate();
  } finally {
    front.changed();
  }
}

/** True with the secret key, false for a page; throws 401 otherwise. */
function isKeyed(front: Front, request: IncomingMessage, pageDoor: boolean): boolean {
  const header = request.headers.authorization;
  const shown = /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1] ?? basicUser(header);
  if (shown === undefined || shown.startsWith('pk_test_')) {
    if (pageDoor) return false;
    throw new StripeError(401, { type: 'invalid_request_error', message: 'You did not provide an API key; send it as Authorization: Bearer sk_test_….' });
  }
  if (shown.startsWith('sk_live_') || shown.startsWith('rk_live_')) {
    throw new StripeError(401, { type: 'invalid_request_error', code: 'api_key_live', message: 'This is a test stand-in; it takes no live keys. Revoke this key if it was sent here by mistake.' });
  }
  if (!equalTexts(shown, front.secretKey)) {
    throw new StripeError(401, { type: 'invalid_request_error', message: `Invalid API key provided: ${shown.slice(0, 8)}****${shown.slice(-4)}` });
  }
  return true;
}

function basicUser(header: string | undefined): string | undefined {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').split(':')[0];
}

async function readBody(request: IncomingMessage, keyed: boolean): Promise<string> {
  const limit = keyed ? MAX_BODY : MAX_PAGE_BODY;
  const tooLarge = new StripeError(413, { type: 'invalid_request_error', message: `The request body may have at most ${limit} bytes.` });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readAll(request: IncomingMessage, body: string, query: string): Form {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (body !== '' && !['', 'application/x-www-form-urlencoded', 'application/json'].includes(type)) {
    throw refuse(`Invalid Content-Type ${type.slice(0, 100)}: send application/x-www-form-urlencoded.`);
  }
  const form = type === 'application/json' ? readJson(body) : readForm(body);
  for (const [key, value] of readForm(query)) {
    if (!form.has(key)) form.set(key, value);
  }
  return form;
}

function writeJson(response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify(reply.body, null, 2);
  response.writeHead(reply.status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function unforeseen(error: unknown): StripeError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY')) {
    return new StripeError(409, { type: 'invalid_request_error', code: 'lock_timeout', message: 'The object is being worked on by another request; try again.' });
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return refuse('The request was cut off.');
  console.error('stripe stand-in:', error);
  return new StripeError(500, { type: 'api_error', message: 'An unexpected error occurred in the stand-in.' });
}

function isReplay(reply: Reply): reply is Replay {
  return 'requestId' in reply;
}

function oneHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse('The address holds an invalid percent-encoding.');
  }
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function equalTexts(left: string, right: string): boolean {
  return timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());
}
