/**
 * Answers requests for the event page, its JSON and the home page from memory, before Koa,
 * compressed and with an ETag; Koa answers all others.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import * as v from 'valibot';
import { getEvent } from '#server/contract/events.ts';
import type { Ctx } from '#server/services/context.ts';
import { eventPage } from '#server/services/event/events.ts';
import { measureRequest } from '#server/services/kit/measures.ts';
import { whilePersonWaits } from '#server/services/kit/patience.ts';
import { goodUntil, markOf, writesOf, type PageSubject } from '#server/services/site/pages.ts';
import { withNamedStyles } from './inline-styles.ts';
import { logRequest, newRequestId } from './log.ts';
import { eventIdOf, isName, makePage, type PageSource } from './pages.ts';
import { digestOf, hasAlready } from './tagged.ts';

interface FrontOptions {
  ctx: Ctx;
  source: PageSource;
  /** Headers of every answer, by name. */ headers: Readonly<Record<string, string>>;
  koa: RequestListener;
}

interface Kept {
  /** Changes when the page's data change, see markOf(). */
  mark: string;
  /** The database's write count, read before `mark`; null if writes are not counted. */
  writes: number | null;
  /** When it was made, and when it must be made again, by the context's clock. */
  since: number;
  until: number;
  /** The data from which the page was made. */
  facts: string;
  etag: string;
  /** The bytes and headers for each encoding, without the headers of a single request. */
  forms: Record<Encoding, { body: Buffer; headers: string[] }>;
}

type Encoding = 'br' | 'gzip' | 'identity';

/** The route's name in the metrics: the event's JSON, or all pages. */
const eventRoute = '/api/event/:eventId';
type Route = typeof eventRoute | 'pages';

interface Wanted {
  key: string;
  subject: PageSubject;
  type: string;
  route: Route;
  /** `facts`: equal for equal pages. */
  write: () => Promise<{ facts: string; draw: () => string } | null>;
}

/** The most answers in memory; an event has two, its page and its JSON. */
const mostKept = 500;

/**
 * Weak ETags and `no-cache` let a browser ask every time and get 304 while nothing has changed.
 * Koa answers if there is nothing to give (a draft, a failure). No rate limit counts these
 * answers, because they cost nothing.
 */
export function serveFront({ ctx, source, headers, koa }: FrontOptions): RequestListener {
  const answers = keepAnswers(ctx, headers);
  const addresses = new Map<string, Wanted>();

  /** Parses an address only once while its answer is in memory. */
  function knownWanted(url: string): Wanted | null {
    const known = addresses.get(url);
    if (known !== undefined) return known;
    const wanted = wantedOf(ctx, source, url);
    if (wanted !== null && answers.has(wanted) && addresses.size < mostKept)
      addresses.set(url, wanted);
    return wanted;
  }

  async function replyLater(
    req: IncomingMessage,
    res: ServerResponse,
    { wanted, start }: { wanted: Wanted; start: number },
  ): Promise<void> {
    // After an error Koa answers.
    const entry = await answers.find(wanted).catch(() => null);
    if (entry === null) koa(req, res);
    else reply(ctx, req, res, { route: wanted.route, entry, start });
  }

  return (req, res) => {
    const start = performance.now();
    const { method, url = '' } = req;
    const wanted = method === 'GET' || method === 'HEAD' ? knownWanted(url) : null;
    if (wanted === null) return koa(req, res);
    const entry = answers.atOnce(wanted);
    if (entry === undefined) void replyLater(req, res, { wanted, start });
    else reply(ctx, req, res, { route: wanted.route, entry, start });
    return undefined;
  };
}

/** Keeps answers in memory and makes missing ones. `fixed`: the headers of all answers. */
function keepAnswers(ctx: Ctx, fixed: Readonly<Record<string, string>>) {
  const kept = new Map<string, Kept>();
  const makings = new Map<string, { mark: string; made: Promise<Kept | null> }>();
  const markNow = sharedMarks(ctx);

  async function make(
    { key, subject, type, write }: Wanted,
    { mark, writes, known }: { mark: string; writes: number | null; known: Kept | undefined },
  ): Promise<Kept | null> {
    const since = ctx.now();
    const until = await goodUntil(ctx, subject);
    const written = await write();
    if (written === null) return null;
    const { facts, draw } = written;
    const pressed = known?.facts === facts ? known : await press(draw(), { type, fixed });
    const entry = { ...pressed, facts, mark, writes, since, until };
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= mostKept) kept.delete(oldest);
    kept.set(key, entry);
    return entry;
  }

  /** A page dated after now was made before the clock was set back. */
  function isGood({ since, until }: Kept): boolean {
    const now = ctx.now();
    return since <= now && now < until;
  }

  return {
    has: ({ key }: Wanted) => kept.has(key),
    /** The answer in memory, if nothing was written since it was made and it has not expired. */
    atOnce({ key }: Wanted): Kept | undefined {
      const known = kept.get(key);
      return known !== undefined &&
        known.writes !== null &&
        isGood(known) &&
        known.writes === writesOf(ctx)
        ? known
        : undefined;
    },
    async find(wanted: Wanted): Promise<Kept | null> {
      const writes = writesOf(ctx);
      const mark = await markNow(wanted.subject);
      if (mark === null) return null;
      const known = kept.get(wanted.key);
      if (known !== undefined && known.mark === mark && isGood(known)) {
        known.writes = writes;
        return known;
      }
      const going = makings.get(wanted.key);
      if (going?.mark === mark) return going.made;
      const made = make(wanted, { mark, writes, known }).finally(() => {
        if (makings.get(wanted.key)?.made === made) makings.delete(wanted.key);
      });
      makings.set(wanted.key, { mark, made });
      return made;
    },
  };
}

/**
 * Reads a page's mark once for all requests that came before the reading began, so that each of
 * them gets the state at its arrival or a newer one.
 */
function sharedMarks(ctx: Ctx): (subject: PageSubject) => Promise<string | null> {
  const marks = new Map<string, Promise<string | null>>();
  return (subject) => {
    const name = subject.kind === 'home' ? '/' : subject.id;
    let reading = marks.get(name);
    if (reading === undefined) {
      reading = new Promise((resolve, reject) => {
        setImmediate(() => {
          marks.delete(name);
          markOf(ctx, subject).then(resolve, reject);
        });
      });
      marks.set(name, reading);
    }
    return reading;
  };
}

function wantedOf(ctx: Ctx, source: PageSource, url: string): Wanted | null {
  const [path = ''] = url.split('?', 1);
  const json = url === path ? /^\/api\/event\/([\w-]{1,200})\/?$/.exec(path)?.[1] : undefined;
  if (json !== undefined)
    return {
      key: `json ${json}`,
      subject: { kind: 'event', id: json },
      type: 'application/json; charset=utf-8',
      route: eventRoute,
      async write() {
        const text = JSON.stringify(
          v.parse(getEvent.reply, await whilePersonWaits(() => eventPage(ctx, json))),
        );
        return { facts: text, draw: () => text };
      },
    };
  const id = eventIdOf(path);
  if (path !== '/' && (id === null || !isName(id))) return null;
  return {
    key: `html ${id ?? ''}`,
    subject: id === null ? { kind: 'home' } : { kind: 'event', id },
    type: 'text/html; charset=utf-8',
    route: 'pages',
    async write() {
      const page = await makePage(ctx, source, {
        path: id === null ? '/' : `/event/${encodeURIComponent(id)}`,
        known: true,
      });
      return page.status === 200 ? { facts: page.facts, draw: () => page.html } : null;
    },
  };
}

function reply(
  ctx: Ctx,
  req: IncomingMessage,
  res: ServerResponse,
  { route, entry: { etag, forms }, start }: { route: Route; entry: Kept; start: number },
): void {
  const id = newRequestId();
  const { 'if-none-match': marked, 'accept-encoding': accepted } = req.headers;
  const unchanged = hasAlready(marked, etag);
  const status = unchanged ? 304 : 200;
  const { method = 'GET', url = '' } = req;
  const [path = ''] = url.split('?', 1);
  logRequest(ctx.log, { reqId: id, method, path, status, start });
  measureRequest(ctx, { route, method, status, seconds: (performance.now() - start) / 1000 });
  if (unchanged) {
    // The ETag covers the other headers too, so a 304 leaves them out.
    res.writeHead(304, [...cacheHeaders(etag), 'X-Request-Id', id]).end();
    return;
  }
  const { body, headers } = forms[encodingOf(accepted)];
  res.writeHead(200, [...headers, 'X-Request-Id', id]).end(body);
}

function cacheHeaders(etag: string): string[] {
  return ['Cache-Control', 'no-cache', 'ETag', etag, 'Vary', 'Accept-Encoding'];
}

async function press(
  text: string,
  { type, fixed }: { type: string; fixed: Readonly<Record<string, string>> },
): Promise<Pick<Kept, 'etag' | 'forms'>> {
  const body = Buffer.from(text);
  const common = headersFor(type, text, fixed);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    promisify(gzip)(body, { level: 6 }),
  ]);
  const etag = `W/"${digestOf(`${common.join('\n')}${byTheHour(text)}`)}"`;
  const formOf = (bytes: Buffer, encoding: string | null) => ({
    body: bytes,
    headers: [
      ...common,
      ...cacheHeaders(etag),
      'Content-Length',
      String(bytes.length),
      ...(encoding === null ? [] : ['Content-Encoding', encoding]),
    ],
  });
  return {
    etag,
    forms: { br: formOf(br, 'br'), gzip: formOf(gzipped, 'gzip'), identity: formOf(body, null) },
  };
}

/** Cuts `now` to the hour for the ETag: pages that differ only in the minute look the same. */
function byTheHour(text: string): string {
  return text.replace(
    /"now":(\d+)/,
    (_, now: string) => `"hour":${Math.floor(Number(now) / 3_600_000)}`,
  );
}

/** A page also has the headers that Koa sets on other pages. */
function headersFor(type: string, text: string, fixed: Readonly<Record<string, string>>): string[] {
  const ofPage = {
    ...withNamedStyles(fixed, text),
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  };
  const headers = type.startsWith('text/html') ? ofPage : fixed;
  return Object.entries({ ...headers, 'Content-Type': type }).flat();
}

/** The best encoding that the browser accepts; `;q=0` means that it does not. */
function encodingOf(accepted = ''): Encoding {
  return compressions.find((name) => accepts[name].test(accepted)) ?? 'identity';
}

const compressions = ['br', 'gzip'] as const;
const accepts = { br: takes('br'), gzip: takes('gzip') };

export function takesGzip(accepted = ''): boolean {
  return accepts.gzip.test(accepted);
}

function takes(name: string): RegExp {
  const quality = String.raw`(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?`;
  return new RegExp(String.raw`(?:^|,)\s*${name}\s*${quality}(?:,|$)`, 'i');
}
