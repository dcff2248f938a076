/** Answers phones that ask for changes, from memory and before Koa, if nothing has changed. */
import type { RequestListener } from 'node:http';
import * as v from 'valibot';
import { pullChanges } from '#server/contract/door/admissions.ts';
import { wires, type Wire } from '#server/domain/door/wire.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { phoneAtOnce, tokenHash } from '#server/services/door/known-phones.ts';
import { knowsNames, noChanges, stillAt, type Addressee } from '#server/services/door/list.ts';
import type { DoorState } from '#server/services/door/state.ts';
import { measureRequest } from '#server/services/kit/measures.ts';
import { logRequest, newRequestId } from './log.ts';
import { deviceToken } from './session.ts';

/** The address exactly as the scanner writes it. */
const address = new RegExp(
  `^/api/scanner/events/([\\w-]{1,100})/changes\\?wire=(${wires.join('|')})&since=([\\w.-]{1,100})$`,
);
const prefix = '/api/scanner/events/';
/** Koa answers longer ones, because it compresses them. */
const mostBytes = 2_048;

/** The most requests that are remembered: one per phone and cursor. */
const mostKept = 2_000;

/** The text of an answer before and after its time. */
type Spelled = [before: string, after: string];

/** Of the security headers of pages, JSON needs only one. */
const fixed = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Cache-Control',
  'no-store',
  'Vary',
  'Accept-Encoding',
  'X-Content-Type-Options',
  'nosniff',
];

/** No rate limit counts these answers, because counting would cost more than answering. */
export function serveDoor(ctx: Ctx, next: RequestListener): RequestListener {
  const spell = keepSpelled();
  const read = keepRead();

  function find(url: string, authorization: string) {
    const asked = read(url, authorization);
    const caller = asked && phoneAtOnce(ctx, asked.token_hash);
    const state = caller && stillAt(ctx, caller, asked);
    const spelled = state && spell(state, { names: knowsNames(caller), wire: asked.wire });
    return spelled && { spelled, device_id: caller.phone.id };
  }

  return (req, res) => {
    const { method, url = '', headers } = req;
    const { authorization } = headers;
    const isAsked = method === 'GET' && url.startsWith(prefix);
    const start = performance.now();
    const found = isAsked && authorization !== undefined ? find(url, authorization) : null;
    if (!found) return next(req, res);
    const reqId = newRequestId();
    const [path = ''] = url.split('?', 1);
    const about = { device_id: found.device_id };
    logRequest(ctx.log, { reqId, method: 'GET', path, status: 200, start, about });
    const seconds = (performance.now() - start) / 1000;
    measureRequest(ctx, { route: pullChanges.path, method: 'GET', status: 200, seconds });
    const body = found.spelled.join(isoOf(ctx.now()));
    const length = String(Buffer.byteLength(body));
    res.writeHead(200, [...fixed, 'Content-Length', length, 'X-Request-Id', reqId]).end(body);
    return undefined;
  };
}

/**
 * Remembers parsed requests: phones repeat them, and parsing one and hashing its token takes a
 * tenth of the time of an answer.
 */
function keepRead() {
  const kept = new Map<string, ReturnType<typeof readAsk>>();
  return (url: string, authorization: string) => {
    const key = `${url} ${authorization}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= mostKept) kept.clear();
    const asked = readAsk(url, authorization);
    kept.set(key, asked);
    return asked;
  };
}

function readAsk(url: string, authorization: string) {
  const { 1: event_id, 2: number, 3: since } = address.exec(url) ?? [];
  const token = deviceToken(authorization);
  if (event_id === undefined || since === undefined || token === null) return null;
  return { event_id, since, wire: Number(number) as Wire, token_hash: tokenHash(token) };
}

/** The text of the answer for a state of the door; null if it is too long to keep. */
function keepSpelled() {
  const kept = new WeakMap<DoorState, Map<string, Kept>>();
  return (state: DoorState, to: Addressee): Spelled | null => {
    const texts = kept.get(state) ?? new Map<string, Kept>();
    kept.set(state, texts);
    const kind = `${to.names} ${to.wire}`;
    const known = texts.get(kind) ?? spellOut(state, to);
    texts.set(kind, known);
    return known.spelled;
  };
}

interface Kept {
  spelled: Spelled | null;
}

function spellOut(state: DoorState, to: Addressee): Kept {
  const answer = { ...noChanges(state, to), server_time: '' };
  const text = JSON.stringify(v.parse(pullChanges.reply, answer));
  if (Buffer.byteLength(text) > mostBytes - 100) return { spelled: null };
  const [before = '', after = ''] = text.split(/(?<="server_time":")(?=")/);
  return { spelled: [before, after] };
}
