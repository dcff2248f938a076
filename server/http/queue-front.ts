/**
 * Answers waiting visitors from memory, before Koa and without the database: each waiting room
 * has a new answer every second, and its draw once it is open.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as v from 'valibot';
import { readQueue, readQueueDraw } from '#server/contract/queue.ts';
import type { Ctx } from '#server/services/context.ts';
import { measureMany } from '#server/services/kit/measures.ts';
import { readDraw } from '#server/services/queue/draw.ts';
import { answerOf, roomsAtOnce, roomsNow, type Rooms } from '#server/services/queue/rooms.ts';
import { takesGzip } from './front.ts';
import { digestOf, hasAlready } from './tagged.ts';

interface Kept {
  body: Buffer;
  etag: string;
  headers: string[];
  /** The headers that a 304 must repeat (RFC 9110 §15.4.5). */
  again: string[];
}

/** While the database is away, visitors get the last answer for this long. */
const stillToldMs = 30_000;
/** Few draws are kept, because a draw with a hundred thousand entrants has five megabytes. */
const mostDraws = 3;
const address = /^\/api\/event\/([\w-]{1,200})\/queue(\/draw)?$/;

type Around = (next: RequestListener) => RequestListener;

/**
 * Neither logs nor limits requests, because three hundred thousand visitors ask every five seconds.
 * `atOnce` comes before all other handlers and answers what needs no waiting; `later` answers the
 * rest. Both pass other requests to the next handler.
 */
export function serveQueue(ctx: Ctx): { atOnce: Around; later: Around } {
  const polls = keepPolls(ctx);
  const draws = keepDraws(ctx);

  async function find(req: IncomingMessage): Promise<Kept | null> {
    const { url = '' } = req;
    const { 1: event_id, 2: isDraw } = address.exec(url) ?? [];
    if (event_id === undefined) return null;
    const rooms = await roomsNow(ctx).catch(() => roomsAtOnce(ctx, stillToldMs));
    if (rooms === null) return null;
    return isDraw === undefined ? polls(rooms, url) : draws(rooms, event_id, req);
  }

  async function answerLater(req: IncomingMessage, res: ServerResponse, next: RequestListener) {
    const kept = await find(req).catch(() => null);
    if (kept === null) next(req, res);
    else give(req, res, kept);
  }

  return {
    atOnce: (next) => (req, res) => {
      // A request without a socket waits for the one before it on its connection, see inTurn().
      const rooms = isAsked(req) && res.socket !== null ? roomsAtOnce(ctx) : null;
      const kept = rooms && polls(rooms, req.url ?? '');
      return kept ? give(req, res, kept) : next(req, res);
    },
    later: (next) => (req, res) => {
      if (!isAsked(req)) return next(req, res);
      void answerLater(req, res, next);
      return undefined;
    },
  };
}

function isAsked({ method, url = '' }: IncomingMessage): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && url.startsWith('/api/event/') && url.includes('/queue', 12);
}

/** Keeps the answers for all rooms; makes them again when the rooms have been read again. */
function keepPolls(ctx: Ctx): (rooms: Rooms, url: string) => Kept | null {
  let known: Rooms = new Map();
  let answers = new Map<string, Kept>();
  let given = 0;
  return (rooms, url) => {
    if (rooms !== known) {
      if (given > 0) measureMany(ctx, readQueue.path, given);
      given = 0;
      known = rooms;
      answers = new Map(
        [...rooms.values()]
          .filter(({ status }) => status !== 'draft')
          .map((room) => {
            const told = v.parse(readQueue.reply, answerOf(room, ctx.now()));
            const body = Buffer.from(JSON.stringify(told));
            return [`/api/event/${room.event_id}/queue`, keep(body, 'max-age=2')];
          }),
      );
    }
    const kept = answers.get(url) ?? null;
    if (kept !== null) given += 1;
    return kept;
  };
}

/** Compresses each draw once, because a draw never changes. */
function keepDraws(ctx: Ctx) {
  const draws = new Map<string, Promise<Kept>>();
  const press = async (event_id: string) => {
    const draw = v.parse(readQueueDraw.reply, await readDraw(ctx, event_id));
    const body = await promisify(gzip)(JSON.stringify(draw), { level: 1 });
    return keep(body, 'max-age=86400', { isPressed: true });
  };
  return async (rooms: Rooms, event_id: string, req: IncomingMessage): Promise<Kept | null> => {
    const room = rooms.get(event_id);
    const isOpen = room !== undefined && room.opened_at !== null && room.status !== 'draft';
    if (!isOpen || !takesGzip(req.headers['accept-encoding'])) return null;
    const known = draws.get(event_id);
    if (known !== undefined) return known;
    const [oldest] = draws.keys();
    if (oldest !== undefined && draws.size >= mostDraws) draws.delete(oldest);
    const made = press(event_id);
    draws.set(event_id, made);
    made.catch(() => draws.delete(event_id));
    return made;
  };
}

/** JSON needs only one of the security headers of pages. */
function keep(body: Buffer, age: string, { isPressed = false } = {}): Kept {
  const etag = `"${digestOf(body)}"`;
  const again = ['Cache-Control', `public, ${age}`, 'ETag', etag];
  if (isPressed) again.push('Vary', 'Accept-Encoding');
  const headers = [
    'Content-Type',
    'application/json; charset=utf-8',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Length',
    String(body.length),
    ...(isPressed ? ['Content-Encoding', 'gzip'] : []),
    ...again,
  ];
  return { body, etag, headers, again };
}

function give(req: IncomingMessage, res: ServerResponse, kept: Kept): void {
  if (hasAlready(req.headers['if-none-match'], kept.etag)) res.writeHead(304, kept.again).end();
  else res.writeHead(200, kept.headers).end(kept.body);
}
