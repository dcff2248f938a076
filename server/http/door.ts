/** Stands before Koa for the call that phones make most: what changed at the door comes from memory, the end of it written for each. Everything else goes through. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { Ctx } from '#server/services/context.ts';
import { pageAtOnce, pageBytes, type DoorPage, type PageAsk } from '#server/services/door-pages.ts';
import { phoneAtOnce, tokenHash } from '#server/services/door-phones.ts';
import { doorMemory, type DoorState } from '#server/services/door-state.ts';
import { tallyOf } from '#server/services/metrics.ts';
import { deviceToken } from './session.ts';

export interface DoorOptions { ctx: Ctx; /** Of every answer: names and values. */ headers: Readonly<Record<string, string>>; next: RequestListener }

interface Wanted { event_id: string; since: string }

/** Only what is there already and good: whoever must wait, or is refused, is Koa's. Not counted against anybody's rate, as it costs us nothing. */
export function serveDoor({ ctx, headers, next }: DoorOptions): RequestListener {
  const fixed = [...Object.entries(headers).flat(), 'Content-Type', 'application/json; charset=utf-8', 'Content-Encoding', 'gzip', 'Cache-Control', 'no-store', 'Vary', 'Accept-Encoding'];
  const tally = tallyOf(ctx, '/api/scanner/events/:eventId/changes', 'GET', 200);
  const boot = randomBytes(6).toString('base64url');
  let answers = 0;

  function find(req: IncomingMessage): { page: DoorPage; state: DoorState } | undefined {
    const wanted = wantedOf(req.url!);
    const token = wanted && /\bgzip\b/.test(req.headers['accept-encoding'] ?? '') ? deviceToken(req.headers.authorization) : null;
    const caller = token === null ? undefined : phoneAtOnce(ctx, tokenHash(token));
    if (!wanted || !caller?.events.has(wanted.event_id)) return undefined;
    const state = doorMemory(ctx).events.atOnce(wanted.event_id);
    const ask: PageAsk = { names: caller.phone.role === 'supervisor', since: wanted.since, limit: undefined };
    const page = state && pageAtOnce(ctx, state, ask);
    return page && { page, state };
  }

  function findSafely(req: IncomingMessage): { page: DoorPage; state: DoorState } | undefined {
    try {
      return find(req);
    } catch {
      // A cursor that is no good, or worse: Koa says it.
      return undefined;
    }
  }

  function reply(res: ServerResponse, { page, state }: { page: DoorPage; state: DoorState }): void {
    const [header, body, end] = pageBytes(ctx, page, state) as [Buffer, Buffer, Buffer];
    answers += 1;
    tally.n += 1;
    const bytes = Buffer.concat([header, body, end]);
    res.writeHead(200, [...fixed, 'Content-Length', String(bytes.length), 'X-Request-Id', `${boot}${answers.toString(36)}`]).end(bytes);
  }

  return (req, res) => {
    const found = req.method === 'GET' && req.url!.startsWith('/api/scanner/events/') ? findSafely(req) : undefined;
    if (found === undefined) next(req, res);
    else reply(res, found);
  };
}

/** The usual spelling only: a cursor, in this wire, no pages. */
function wantedOf(url: string): Wanted | null {
  const found = /^\/api\/scanner\/events\/([\w-]{1,100})\/changes\?(?:wire=2&since=([\w.-]{1,100})|since=([\w.-]{1,100})&wire=2)$/.exec(url);
  return found && { event_id: found[1]!, since: (found[2] ?? found[3])! };
}
