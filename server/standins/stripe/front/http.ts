/**
 * The HTTP listener: checks key and version, reads the parameters, runs the handler in one
 * transaction, and answers every error in Stripe's form.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StoreBusyError, type Writer } from '#server/standins/kit/store.ts';
import {
  seconds,
  VERSION,
  within,
  type Call,
  type OpenDesk,
  type ReadCall,
} from '#server/standins/stripe/call.ts';
import {
  checkoutPage,
  receiptPage,
  sendPage,
  type HtmlPage,
} from '#server/standins/stripe/checkout/page.ts';
import { settle, settleDue } from '#server/standins/stripe/clock.ts';
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
import { newId } from '#server/standins/stripe/ids.ts';
import { findRoute, type Route } from '#server/standins/stripe/routes.ts';
import { attempt, isDatabaseError } from '#server/standins/stripe/statements/savepoint.ts';
import {
  answerOf,
  answerOfError,
  send,
  type Answer,
  type Reply,
} from '#server/standins/stripe/transport/answers.ts';
import { readParameters } from '#server/standins/stripe/transport/body.ts';
import { errorAnswer, refuse, StripeError } from '#server/standins/stripe/transport/errors.ts';
import { canonical, emptyForm, type Form } from '#server/standins/stripe/transport/forms.ts';
import { checkKey } from '#server/standins/stripe/transport/keys.ts';
import { checkLength, findReplay, inFlight, remember, type Replay } from './idempotency.ts';
import type { Steering } from './steering.ts';

export interface Front extends OpenDesk {
  secretKey: string;
  faults: FaultBook;
  /** Called after every call that may have written. */
  changed: () => void;
  /** Answers `/_standin/…`; null if the stand-in was started without steering. */
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

/** Makes the listener of the HTTP server; the listener never throws. */
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
  const [, kind, id] = /^\/(c\/pay|receipts)\/([^/]+)$/.exec(path) ?? [];
  if (id !== undefined && (method === 'GET' || method === 'HEAD')) {
    if (struck && !isOnlyLate(struck)) return breakInstead(struck);
    if (struck && !(await breakBefore(struck))) return;
    const make = kind === 'receipts' ? receiptPage : checkoutPage;
    return sendPage(response, await pageOf(front, make, { id, requestId }));
  }
  const answer = await answerTo(front, exchange, struck).catch((error: unknown) =>
    answerOfError(knownError(error), { id: requestId, at: seconds(front) }),
  );
  if (answer === null) return;
  if (struck) await breakAfter(struck, answer);
  else send(response, answer);
}

async function pageOf(
  front: Front,
  make: (call: ReadCall) => Promise<HtmlPage>,
  asked: { id: string; requestId: string },
): Promise<HtmlPage> {
  await settle(front);
  return front.store.read((reader) =>
    make({
      ...within(front, reader),
      ...asked,
      form: emptyForm(),
      idempotencyKey: null,
    }),
  );
}

/** Null if a fault ended the call before anything was done. */
async function answerTo(
  front: Front,
  exchange: Exchange,
  struck: StruckCall | undefined,
): Promise<Answer | null> {
  const { request, response, method, path, query } = exchange;
  if (front.steering && path.startsWith('/_standin/')) {
    checkKey(front.secretKey, request);
    return answerOf(
      await front.steering(method, path, await readParameters(request, query, 'steering')),
    );
  }
  const found = routeOf(method === 'HEAD' ? 'GET' : method, path);
  if ('allowed' in found) return withoutRoute(exchange, found.allowed);
  if (found.route.door === 'key') checkKey(front.secretKey, request);
  checkVersion(request);
  response.setHeader('Stripe-Version', VERSION);
  const key = (method === 'POST' && oneHeader(request, 'idempotency-key')) || null;
  const call: Ask = {
    ...within(front, front.store),
    id: found.id,
    requestId: exchange.requestId,
    idempotencyKey: key,
  };
  const broken = struck?.rule.action === 'saved_500';
  const route = broken ? { ...found.route, handle: breakDown } : found.route;
  const form = async (): Promise<Form | null> => {
    const read = await readParameters(request, query, route.door);
    return struck && !(await breakBefore(struck)) ? null : read;
  };
  try {
    if (key !== null) return await answerUnderKey(front, exchange, { call, key, route, form });
    const read = await form();
    return read && answerOf(await carryOut(front, route, { ...call, form: read }));
  } finally {
    front.changed();
  }
}

/** A call without its parameters and its transaction. */
type Ask = Omit<ReadCall, 'form'>;

function withoutRoute({ method, path }: Exchange, allowed: string[]): Answer {
  if (method === 'OPTIONS' && allowed.length > 0)
    return { status: 204, headers: { Allow: [...allowed, 'OPTIONS'].join(', ') }, body: '' };
  throw new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  });
}

/** Requests without a version get ours. */
function checkVersion(request: IncomingMessage): void {
  const version = oneHeader(request, 'stripe-version') ?? VERSION;
  if (version !== VERSION)
    throw refuse(`Invalid Stripe API version: ${version.slice(0, 40)}`, {
      param: 'Stripe-Version',
    });
}

async function answerUnderKey(
  front: Front,
  exchange: Exchange,
  what: { call: Ask; key: string; route: Route; form: () => Promise<Form | null> },
): Promise<Answer | null> {
  const { response, busyKeys, path } = exchange;
  const { call, key, route } = what;
  checkLength(key);
  response.setHeader('Idempotency-Key', key);
  // Keys of the page and of the shop are separate, because the page must not see the shop's
  // answers.
  const scoped = `${route.door === 'key' ? 'shop' : 'page'} ${key}`;
  if (busyKeys.has(scoped)) throw inFlight(key);
  busyKeys.add(scoped);
  try {
    const form = await what.form();
    if (form === null) return null;
    const reply = await writing(front, (store) =>
      onceUnderKey({ ...call, form, store }, scoped, { path, handle: route.handle }),
    );
    response.setHeader('Original-Request', isReplay(reply) ? reply.requestId : call.requestId);
    if (isReplay(reply)) response.setHeader('Idempotent-Replayed', 'true');
    return answerOf(reply, { 'Stripe-Should-Retry': 'false' });
  } finally {
    busyKeys.delete(scoped);
  }
}

/** Stores the first answer under the key, even a refusal or a 500, together with its effects. */
async function onceUnderKey(
  call: Call,
  scoped: string,
  what: { path: string; handle: (call: Call) => Promise<Reply> },
): Promise<Reply | Replay> {
  const asked = { method: 'POST', path: what.path, params: canonical(call.form) };
  const replay = await findReplay(call.store, scoped, { ...asked, now: call.now() });
  if (replay) return replay;
  const reply = await replyOf(call, what.handle);
  await remember(call.store, scoped, {
    ...asked,
    reply,
    requestId: call.requestId,
    now: call.now(),
  });
  return reply;
}

/** A refusal that was stored under the key is a reply, too. */
async function replyOf(call: Call, handle: (call: Call) => Promise<Reply>): Promise<Reply> {
  try {
    return await attempt(call.store, async () => handle(call));
  } catch (error) {
    if (isDatabaseError(error) || (error instanceof StripeError && !error.executed)) throw error;
    const known = knownError(error);
    return {
      status: known.status,
      body: errorAnswer(known.body, { id: call.requestId, at: seconds(call) }),
    };
  }
}

async function carryOut(front: Front, route: Route, call: ReadCall): Promise<Reply> {
  if (route.method !== 'GET') return writing(front, (store) => route.handle({ ...call, store }));
  await settle(front);
  return front.store.read((store) => route.handle({ ...call, store }));
}

/** One transaction for all writes of a call; due tasks run first and stay even if it fails. */
async function writing<T>(front: Front, work: (writer: Writer) => Promise<T>): Promise<T> {
  const outcome = await front.store.write(async (writer) => {
    await settleDue(within(front, writer));
    try {
      return { value: await attempt(writer, async () => work(writer)) };
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      return { error };
    }
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

function knownError(error: unknown): StripeError {
  if (error instanceof StripeError) return error;
  if (error instanceof StoreBusyError)
    return new StripeError(409, {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message: 'The object is being worked on by another process; try again.',
    });
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

function routeOf(method: string, path: string): ReturnType<typeof findRoute> {
  try {
    return findRoute(method, path);
  } catch {
    throw refuse('The address holds an invalid percent-encoding.');
  }
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
