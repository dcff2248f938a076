/**
 * Sends changes to browsers as numbered server-sent events, so that a browser catches up after a
 * broken connection.
 */
import { eventById, type EventRow } from '#server/standins/seatsio/statements/events.ts';
import { readStream, sequencesOf } from '#server/standins/seatsio/statements/stream.ts';
import { loadRow } from '#server/standins/seatsio/catalog/catalog.ts';
import { channelsOn } from '#server/standins/seatsio/catalog/reach.ts';
import { sent } from '#server/standins/seatsio/router.ts';
import { wireStatus } from './wire-status.ts';
import { readStates } from '#server/standins/seatsio/status/objects.ts';
import { FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { ServerResponse } from 'node:http';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { read } from '#server/standins/seatsio/context.ts';
import type { Seatsio, State } from '#server/standins/seatsio/context.ts';
import type { Channels } from './wire-status.ts';
import type { StatusMessage, WireStatus } from '#server/standins/seatsio/wire.ts';

const KEEP_ALIVE_MS = 15_000;
/** A listener beyond the limit receives the current changes and asks again after this time. */
const POLL_MS = 5_000;
/**
 * The first change after a pause is sent immediately; further ones are gathered for 250 ms (500
 * ms with five thousand listeners), so that the cost does not grow with the speed of the sale.
 */
const BATCH_MS = 250;
const BATCH_MS_PER_LISTENER = 0.05;
/** A browser with more unread bytes is disconnected; it reconnects and catches up. */
const UNREAD_BYTES = 1024 * 1024;
/**
 * The most objects in a message to one reconnecting browser and to all browsers. Beyond them
 * reading everything anew is cheaper, because that answer is serialised once for all.
 */
const MOST_MISSED = 300;
const MOST_TOLD = 2000;

interface Listener {
  response: ServerResponse;
  /** The number of the last change that its start included. */ since: number;
}
interface Audience {
  channels: Channels;
  listeners: Set<Listener>;
}
interface Line {
  /** Listeners with the same channels receive the same text. */
  audiences: Map<string, Audience>;
  /** The changes for the next message; null labels stand for all objects. */
  waiting: { sequence: number; labels: Set<string> | null } | null;
  lastTold: number;
  /** Every change up to this number is sent or in `waiting`, whichever process made it. */
  heard: number;
  /** Later changes, which wait until an earlier one of another process arrives. */
  own: Set<number>;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The last message in work, because messages are made one after the other, in order. */
  telling: Promise<void>;
}

export interface Hub {
  publish: State['onChange'];
  /** Reads and sends the changes that other processes made in the same database. */
  hearOthers: (ctx: Seatsio) => Promise<void>;
  listen: (
    ctx: Seatsio,
    event: EventRow,
    ask: {
      response: ServerResponse;
      since: number | null;
      channels: Channels;
      /** True: send the missed changes and end the stream. */ once: boolean;
    },
  ) => Promise<typeof sent>;
  close: () => void;
}

function print(message: StatusMessage): string {
  return `${'sequence' in message ? `id: ${message.sequence}\n` : ''}data: ${JSON.stringify(message)}\n\n`;
}

interface News {
  sequence: number;
  labels: ReadonlySet<string> | null;
}

/** The present states of these objects. */
async function tellChanges(
  ctx: Seatsio,
  event: LoadedEvent,
  {
    sequence,
    labels,
    channels,
  }: { sequence: number; labels: ReadonlySet<string>; channels: Channels },
): Promise<StatusMessage> {
  const states = await readStates(ctx, event.row.id, { labels: [...labels] });
  const changes = [...labels].flatMap((label): WireStatus[] => {
    const object = event.plan.byLabel.get(label);
    const state = states.get(label) ?? FREE;
    return object ? [wireStatus(event, object, { state, channels })] : [];
  });
  return { sequence, changes };
}

/** Null when the browser must read everything anew. */
async function loadForNews(
  ctx: Seatsio,
  eventId: number,
  { labels }: News,
): Promise<LoadedEvent | null> {
  const row = labels && (await eventById(ctx.sql, eventId));
  return row ? await loadRow(ctx, row) : null;
}

/** Serialises one text for all listeners with the same existing channels. */
async function printNews(
  ctx: Seatsio,
  eventId: number,
  { news, audiences }: { news: News; audiences: Iterable<Audience> },
): Promise<Map<Audience, Buffer>> {
  const { sequence, labels } = news;
  const event = await loadForNews(ctx, eventId, news);
  const texts = new Map<string, Buffer>();
  const byAudience = new Map<Audience, Buffer>();
  for (const audience of audiences) {
    const channels = event ? channelsOn(event, audience.channels) : undefined;
    const key = JSON.stringify(channels ?? null);
    const text =
      texts.get(key) ??
      Buffer.from(
        print(
          event && labels
            ? await tellChanges(ctx, event, { sequence, labels, channels })
            : { resync: true },
        ),
      );
    texts.set(key, text);
    byAudience.set(audience, text);
  }
  return byAudience;
}

/** The change is committed, so after an error the browsers must read everything anew. */
async function printSafely(
  state: State,
  eventId: number,
  { news, audiences }: { news: News; audiences: Audience[] },
): Promise<Map<Audience, Buffer>> {
  try {
    return await read(state, (ctx) => printNews(ctx, eventId, { news, audiences }));
  } catch (error) {
    console.error('seats.io stand-in:', error);
    const text = Buffer.from(print({ resync: true }));
    return new Map(audiences.map((audience) => [audience, text]));
  }
}

async function catchUp(
  ctx: Seatsio,
  event: EventRow,
  { since, channels }: { since: number; channels: Channels },
): Promise<StatusMessage | null> {
  if (since === event.sequence) return null;
  const rows = await readStream(ctx.sql, event.id, since);
  if (rows.length !== event.sequence - since) return { resync: true };
  const labels = new Set<string>();
  for (const row of rows) {
    if (row.labels === null) return { resync: true };
    for (const label of JSON.parse(row.labels) as string[]) labels.add(label);
    if (labels.size > MOST_MISSED) return { resync: true };
  }
  return tellChanges(ctx, await loadRow(ctx, event), {
    sequence: event.sequence,
    labels,
    channels,
  });
}

function write(response: ServerResponse, text: Buffer | string): void {
  response.write(text);
  if (response.writableLength > UNREAD_BYTES) response.destroy();
}

function inTurn(line: Line, make: () => Promise<void>): void {
  line.telling = line.telling.then(make);
}

/** Sends a new listener the messages that the others received while its start was being read. */
async function tellMissed(
  state: State,
  { id, sequence }: EventRow,
  { response, channels }: { response: ServerResponse; channels: Channels },
): Promise<void> {
  const missed = await read(state, async (ctx): Promise<StatusMessage | null> => {
    const now = await eventById(ctx.sql, id);
    return now ? catchUp(ctx, now, { since: sequence, channels }) : { resync: true };
  }).catch((): StatusMessage => ({ resync: true }));
  if (missed) write(response, print(missed));
}

async function tell(state: State, eventId: number, line: Line): Promise<void> {
  const { waiting } = line;
  line.timer = undefined;
  if (!waiting) return;
  line.waiting = null;
  line.lastTold = performance.now();
  const audiences = [...line.audiences.values()];
  // This number is low enough that a reconnecting browser misses no earlier change.
  const news = { ...waiting, sequence: Math.min(waiting.sequence, line.heard) };
  const texts = await printSafely(state, eventId, { news, audiences });
  for (const [{ listeners }, text] of texts) {
    for (const { response, since } of listeners)
      if (since < waiting.sequence) write(response, text);
  }
}

/** The stream of each event, by the event's id. */
type Lines = Map<number, Line>;

function* everyone(lines: Lines): Generator<Listener> {
  for (const { audiences } of lines.values())
    for (const { listeners } of audiences.values()) yield* listeners;
}

function batchMs({ audiences }: Line): number {
  let count = 0;
  for (const { listeners } of audiences.values()) count += listeners.size;
  return BATCH_MS + count * BATCH_MS_PER_LISTENER;
}

/** Adds a change to the next message. */
function gather(line: Line, sequence: number, labels: string[] | null): void {
  const before = line.waiting;
  const all =
    labels === null || before?.labels === null
      ? null
      : new Set([...(before?.labels ?? []), ...labels]);
  line.waiting = { sequence, labels: all && all.size <= MOST_TOLD ? all : null };
}

/** Adds a listener to its event until the browser disconnects. */
function join(
  lines: Lines,
  event: EventRow,
  ask: { response: ServerResponse; channels: Channels },
): Line {
  const { response, channels } = ask;
  const line: Line = lines.get(event.id) ?? {
    audiences: new Map(),
    waiting: null,
    lastTold: -Infinity,
    heard: event.sequence,
    own: new Set(),
    timer: undefined,
    telling: Promise.resolve(),
  };
  lines.set(event.id, line);
  const key = JSON.stringify(channels ?? null);
  const audience: Audience = line.audiences.get(key) ?? { channels, listeners: new Set() };
  line.audiences.set(key, audience);
  const listener = { response, since: event.sequence };
  audience.listeners.add(listener);
  response.on('error', () => response.destroy());
  response.on('close', () => {
    audience.listeners.delete(listener);
    if (audience.listeners.size === 0 && line.audiences.get(key) === audience)
      line.audiences.delete(key);
    if (line.audiences.size > 0 || lines.get(event.id) !== line) return;
    clearTimeout(line.timer);
    lines.delete(event.id);
  });
  return line;
}

function hearOwn(line: Line, sequence: number): void {
  line.own.add(sequence);
  while (line.own.delete(line.heard + 1)) line.heard += 1;
}

/** The changes that other processes made on an event since the last look. */
async function unheard(
  ctx: Seatsio,
  line: Line | undefined,
  { id, sequence }: { id: number; sequence: number },
): Promise<{ sequence: number; labels: string[] | null }[]> {
  if (line === undefined || line.heard >= sequence) return [];
  const { heard } = line;
  const rows = await readStream(ctx.sql, id, heard);
  const isWhole = rows.length >= sequence - heard;
  const news = rows.filter((row) => row.sequence > line.heard && !line.own.has(row.sequence));
  for (let one = line.heard + 1; one <= sequence; one += 1) hearOwn(line, one);
  if (!isWhole) return [{ sequence, labels: null }];
  return news.map((row) => ({
    sequence: row.sequence,
    labels: row.labels === null ? null : (JSON.parse(row.labels) as string[]),
  }));
}

export function openHub(state: () => State): Hub {
  const lines: Lines = new Map();
  const keepAlive = setInterval(() => {
    for (const { response } of everyone(lines)) write(response, ': \n\n');
  }, KEEP_ALIVE_MS).unref();
  const publish: Hub['publish'] = (eventId, sequence, labels) => {
    const line = lines.get(eventId);
    if (!line) return;
    gather(line, sequence, labels);
    if (line.timer) return;
    const pause = line.lastTold + batchMs(line) - performance.now();
    const tellNow = () => inTurn(line, () => tell(state(), eventId, line));
    if (pause <= 0) tellNow();
    else line.timer = setTimeout(tellNow, pause);
  };
  return {
    publish(eventId, sequence, labels) {
      const line = lines.get(eventId);
      if (line) hearOwn(line, sequence);
      publish(eventId, sequence, labels);
    },
    async hearOthers(ctx) {
      if (lines.size === 0) return;
      for (const { id, sequence } of await sequencesOf(ctx.sql, [...lines.keys()]))
        for (const { sequence: at, labels } of await unheard(ctx, lines.get(id), { id, sequence }))
          publish(id, at, labels);
    },
    async listen(context, event, { response, since, channels, once }) {
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
      const missed = since === null ? null : await catchUp(context, event, { since, channels });
      const start = `retry: 2000\n\n${missed ? print(missed) : ''}`;
      if (once) response.end(`${start}${print({ poll_ms: POLL_MS })}`);
      else {
        response.write(start);
        const line = join(lines, event, { response, channels });
        if (line.heard > event.sequence || line.own.size > 0)
          inTurn(line, () => tellMissed(state(), event, { response, channels }));
      }
      return sent;
    },
    close() {
      clearInterval(keepAlive);
      for (const line of lines.values()) clearTimeout(line.timer);
      for (const { response } of everyone(lines)) response.end();
    },
  };
}
