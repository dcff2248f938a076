/** Stands before Koa for the call that phones make most: what changed at the door comes from memory, the end of it written for the moment. Everything else goes through. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Ctx } from '#server/services/context.ts';
import { pageAtOnce, pageOf, pageText, type DoorPage } from '#server/services/door/list.ts';
import {
  hearAgain,
  phoneAtOnce,
  phoneOfToken,
  tokenHash,
} from '#server/services/door/known-phones.ts';
import {
  doorMemory,
  isOver,
  type DoorState,
  type PhoneInCall,
} from '#server/services/door/state.ts';
import { tallyOf } from '#server/services/office/metrics.ts';
import { writesOf } from '#server/services/site/pages.ts';
import { deviceToken } from './session.ts';

export interface DoorOptions {
  ctx: Ctx;
  next: RequestListener;
}

interface Found {
  caller: PhoneInCall;
  page: DoorPage;
  state: DoorState;
  /** The answer of this millisecond. */ last: { at: number; body: string } | null;
}

/** Phones that ask at one time, each with its cursor. */
const mostKept = 2_000;
const mostSpelled = 32_768;
/** Of the headers for safety those that mean something to a program: the others are for pages. */
const fixed = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Content-Encoding',
  'gzip',
  'Cache-Control',
  'no-store',
  'Vary',
  'Accept-Encoding',
  'X-Content-Type-Options',
  'nosniff',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/** Whoever is refused, or gets a long list, is Koa's. Not counted against anybody's rate, as it costs us next to nothing. */
export function serveDoor({ ctx, next }: DoorOptions): RequestListener {
  const tally = tallyOf(ctx, '/api/scanner/events/:eventId/changes', 'GET', 200);
  const boot = randomBytes(6).toString('base64url');
  let answers = 0;
  /** By address and token: good while nothing at all was written. */
  let known = new Map<string, Found>();
  let knownAt: number | null = null;

  function find(url: string, authorization: string): Found | undefined {
    const wanted = wantedOf(url);
    const token = wanted && deviceToken(authorization);
    const caller = token ? phoneAtOnce(ctx, tokenHash(token)) : undefined;
    const state =
      wanted && caller?.events.has(wanted.event_id)
        ? doorMemory(ctx).events.atOnce(wanted.event_id)
        : undefined;
    const page =
      state &&
      !isOver(state, ctx.now()) &&
      pageAtOnce(ctx, state, {
        names: caller!.phone.role === 'supervisor',
        since: wanted!.since,
        limit: undefined,
      });
    // A long one is not spelled out here.
    return page && page.pressed.bytes.length <= mostSpelled
      ? { caller: caller!, page, state, last: null }
      : undefined;
  }

  /** Undefined also for a cursor that is no good: Koa says it. */
  function findAgain(url: string, authorization: string): Found | undefined {
    const writes = writesOf(ctx);
    if (writes === null || writes !== knownAt) {
      known = new Map();
      knownAt = writes;
    }
    const key = `${url} ${authorization}`;
    const before = known.get(key);
    if (before) {
      hearAgain(ctx, before.caller);
      return before;
    }
    try {
      const found = find(url, authorization);
      // A part of a list is good for a while only: it is asked for anew.
      if (
        found &&
        writes !== null &&
        found.page.to === found.state.event.feed_seq &&
        known.size < mostKept
      )
        known.set(key, found);
      return found;
    } catch {
      return undefined;
    }
  }

  /** Something was written, or nobody counts it: phone and event are read, together with those of everybody who asks at this moment. */
  async function findAnew(url: string, authorization: string): Promise<Found | undefined> {
    const wanted = wantedOf(url);
    const token = wanted && deviceToken(authorization);
    if (!wanted || !token) return undefined;
    const [caller, state] = await Promise.all([
      phoneOfToken(ctx, tokenHash(token), false),
      doorMemory(ctx).events.read(wanted.event_id),
    ]);
    if (!caller?.events.has(wanted.event_id) || !state || isOver(state, ctx.now()))
      return undefined;
    const page = await pageOf(ctx, state, {
      names: caller.phone.role === 'supervisor',
      since: wanted.since,
      limit: undefined,
    });
    return page.pressed.bytes.length <= mostSpelled
      ? { caller, page, state, last: null }
      : undefined;
  }

  function reply(res: ServerResponse, found: Found): void {
    const now = ctx.now();
    const { body } =
      found.last?.at === now
        ? found.last
        : (found.last = { at: now, body: pageText(now, found.page, found.state) });
    answers += 1;
    tally.n += 1;
    // As text, byte for byte: Node sends it in one piece with the headers.
    res
      .writeHead(200, [
        ...fixed,
        'Content-Length',
        String(body.length),
        'X-Request-Id',
        `${boot}${answers.toString(36)}`,
      ])
      .end(body, 'latin1');
  }

  async function replyLater(
    req: IncomingMessage,
    res: ServerResponse,
    authorization: string,
  ): Promise<void> {
    // Whatever goes wrong, Koa says it better.
    const found = await findAnew(req.url!, authorization).catch(() => undefined);
    if (found) reply(res, found);
    else next(req, res);
  }

  return (req, res) => {
    const { authorization, 'accept-encoding': accepted } = req.headers;
    const isOurs =
      req.method === 'GET' &&
      authorization !== undefined &&
      takesGzip(accepted) &&
      req.url!.startsWith('/api/scanner/events/');
    if (!isOurs) return next(req, res);
    const found = findAgain(req.url!, authorization);
    if (found) return reply(res, found);
    void replyLater(req, res, authorization);
    return undefined;
  };
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return (
    typeof accepted === 'string' && accepted.includes('gzip') && !/gzip\s*;\s*q=0/.test(accepted)
  );
}

/** The usual spelling only: a cursor, in this wire, no pages. */
function wantedOf(url: string): { event_id: string; since: string } | null {
  const found =
    /^\/api\/scanner\/events\/([\w-]{1,100})\/changes\?(?:wire=2&since=([\w.-]{1,100})|since=([\w.-]{1,100})&wire=2)$/.exec(
      url,
    );
  return found && { event_id: found[1]!, since: (found[2] ?? found[3])! };
}
