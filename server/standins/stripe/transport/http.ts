/** One request, from its bytes to its answer: key, version, limits, idempotency, one transaction, and every refusal in Stripe's shape. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isBusy, type WriteQueue } from '#server/standins/write-queue.ts';
import { answerOf, answerOfError, send, type Answer } from './answers.ts';
import { readParameters } from './body.ts';
import {
  ACCOUNT_VERSION,
  seconds,
  type Call,
  type Desk,
  type Reply,
} from '#server/standins/stripe/call.ts';
import { errorAnswer, notBuilt, refuse, StripeError } from './errors.ts';
import {
  breakAfter,
  breakBefore,
  breakDown,
  breakInstead,
  isCarriedOut,
  isOnlyLate,
  type StruckCall,
} from '#server/standins/stripe/faults/fault-actions.ts';
import type { FaultBook } from '#server/standins/stripe/faults/faults.ts';
import { canonical, emptyForm, type Form } from './forms.ts';
import { checkKey, findReplay, inFlight, remember, type Replay } from './idempotency.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { checkHolder, type Keys } from './keys.ts';
import { answerWithPage, answerWithReceipt } from '#server/standins/stripe/checkout/page.ts';
import { findRoute, methodsOf, type Route } from '#server/standins/stripe/routes.ts';
import type { Steering } from '#server/standins/stripe/faults/steering.ts';
import { isKnownVersion } from './versions.ts';

export interface Front extends Desk {
  keys: Keys;
  faults: FaultBook;
  /** All writes go through it, many in one commit. */
  write: WriteQueue;
  /** Does what is due by the clock. */
  settle: () => void;
  /** Called when something may have been written. */
  changed: () => void;
  /** What answers `/_standin/…`; null where nobody may steer. */
  steering: Steering | null;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  method: string;
  path: string;
  query: string;
  busyKeys: Set<string>;
}

/** Makes the listener of the HTTP server; it never throws. */
export function answering(
  front: Front,
): (request: IncomingMessage, response: ServerResponse) => void {
  const busyKeys = new Set<string>();
  return (request, response) => {
    const requestId = newId('req');
    response.setHeader('Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-cache, no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const [path, query] = splitOnce(request.url ?? '/', '?');
    const exchange = {
      request,
      response,
      requestId,
      method: request.method ?? 'GET',
      path,
      query,
      busyKeys,
    };
    void converse(front, exchange).catch((error: unknown) => {
      console.error('stripe stand-in:', error);
      response.destroy();
    });
  };
}

async function converse(front: Front, exchange: Exchange): Promise<void> {
  const { request, response, requestId, method, path } = exchange;
  const fault = path.startsWith('/_standin/') ? undefined : front.faults.matchRequest(method, path);
  const struck: StruckCall | undefined = fault && {
    ...fault,
    book: front.faults,
    request,
    response,
    requestId,
  };
  if (struck && !isCarriedOut(struck)) return breakInstead(struck);
  const page = /^\/(c\/pay|receipts)\/([^/]+)$/.exec(path);
  if (page && (method === 'GET' || method === 'HEAD')) {
    if (struck && !isOnlyLate(struck)) return breakInstead(struck);
    if (struck && !(await breakBefore(struck))) return;
    await settle(front);
    const answerPage = page[1] === 'receipts' ? answerWithReceipt : answerWithPage;
    answerPage(
      {
        ...deskOf(front),
        form: emptyForm(),
        id: page[2]!,
        version: ACCOUNT_VERSION,
        requestId,
        idempotencyKey: null,
        keyed: false,
      },
      response,
    );
    return;
  }
  const answer = await answerTo(front, exchange, struck).catch((error: unknown) =>
    answerOfError(knownError(error), { id: requestId, at: seconds(front) }),
  );
  if (answer === null) return;
  if (struck) await breakAfter(struck, answer);
  else send(response, answer);
}

/** Null when the call was broken off before anything was done. */
async function answerTo(
  front: Front,
  exchange: Exchange,
  struck: StruckCall | undefined,
): Promise<Answer | null> {
  const { request, response, requestId, method, path, query } = exchange;
  if (front.steering && path.startsWith('/_standin/')) {
    checkHolder(front.keys, request, 'key');
    return answerOf(
      await front.steering(method, path, await readParameters(request, query, 'steering')),
    );
  }
  const found = findRoute(method === 'HEAD' ? 'GET' : method, path);
  if (!found) {
    const offered = methodsOf(path);
    if (method === 'OPTIONS' && offered.length > 0)
      return { status: 204, headers: { Allow: [...offered, 'OPTIONS'].join(', ') }, body: '' };
    throw new StripeError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}).`,
    });
  }
  const holder = checkHolder(
    front.keys,
    request,
    found !== 'not_built' && found.route.door === 'page' ? 'page' : 'key',
  );
  if (found === 'not_built') throw notBuilt(`${method} ${path}`);
  const version = oneHeader(request, 'stripe-version') ?? ACCOUNT_VERSION;
  if (!isKnownVersion(version))
    throw refuse(`Invalid Stripe API version: ${version.slice(0, 40)}`, {
      param: 'Stripe-Version',
    });
  response.setHeader('Stripe-Version', version);

  const { route } = found;
  const callOf = (form: Form, idempotencyKey: string | null): Call => ({
    ...deskOf(front),
    form,
    id: decodeId(found.id),
    version,
    requestId,
    idempotencyKey,
    keyed: holder !== 'page',
  });
  const key = method === 'POST' ? oneHeader(request, 'idempotency-key') : undefined;
  if (key === undefined || key === '') {
    const call = callOf(await readParameters(request, query, route.door), null);
    if (struck && !(await breakBefore(struck))) return null;
    return answerOf(
      await execute(front, method, () =>
        struck?.rule.action === 'saved_500' ? breakDown() : route.handle(call),
      ),
    );
  }
  checkKey(key);
  response.setHeader('Idempotency-Key', key);
  // A page knows no key of the shop's and must not meet one.
  const scoped = `${holder === 'page' ? 'page' : 'shop'} ${key}`;
  if (exchange.busyKeys.has(scoped)) throw inFlight(key);
  exchange.busyKeys.add(scoped);
  try {
    const call = callOf(await readParameters(request, query, route.door), key);
    if (struck && !(await breakBefore(struck))) return null;
    const handle = struck?.rule.action === 'saved_500' ? breakDown : route.handle;
    const reply = await execute(front, method, () => onceUnderKey(call, scoped, { path, handle }));
    response.setHeader('Original-Request', isReplay(reply) ? reply.requestId : requestId);
    if (isReplay(reply)) response.setHeader('Idempotent-Replayed', 'true');
    return answerOf(reply, { 'Stripe-Should-Retry': 'false' });
  } finally {
    exchange.busyKeys.delete(scoped);
  }
}

/** The first answer under the key, also a refusal by the state of things and a breakdown; its effects and its memory are one commit. */
function onceUnderKey(
  call: Call,
  scoped: string,
  what: { path: string; handle: Route['handle'] },
): Reply | Replay {
  const asked = { method: 'POST', path: what.path, params: canonical(call.form) };
  const replay = findReplay(call.store, scoped, { ...asked, now: call.now() });
  if (replay) return replay;
  const reply = attempt(call, what.handle);
  remember(call.store, scoped, { ...asked, reply, requestId: call.requestId, now: call.now() });
  return reply;
}

function attempt(call: Call, handle: Route['handle']): Reply {
  try {
    return call.store.transaction(() => handle(call))();
  } catch (error) {
    if (
      isBusy(error) ||
      !call.store.inTransaction ||
      (error instanceof StripeError && !error.executed)
    )
      throw error;
    const known = knownError(error);
    return {
      status: known.status,
      body: errorAnswer(known.body, { id: call.requestId, at: seconds(call) }),
    };
  }
}

/** All writes of one call are one; what is due by the clock is settled first, and stays settled if the call fails. */
async function execute<T>(front: Front, method: string, work: () => T): Promise<T> {
  try {
    if (method !== 'POST' && method !== 'DELETE') {
      await settle(front);
      return await freely(front, front.store.transaction(work).deferred);
    }
    return await front.write(() => {
      front.settle();
      return front.store.transaction(work)();
    });
  } finally {
    front.changed();
  }
}

async function settle(front: Front): Promise<void> {
  await freely(front, front.settle);
}

/** Outside the queue, because most of the time nothing is written; when another process holds the file, in it. */
async function freely<T>(front: Front, work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return front.write(work);
  }
}

function deskOf({ store, now, publicUrl }: Front): Desk {
  return { store, now, publicUrl };
}

function knownError(error: unknown): StripeError {
  if (error instanceof StripeError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return refuse('The request was cut off.');
  console.error('stripe stand-in:', error);
  return new StripeError(500, {
    type: 'api_error',
    message: 'An unexpected error occurred in the stand-in.',
  });
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
