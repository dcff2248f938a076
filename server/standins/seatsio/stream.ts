/** The line on which browsers hear of changes: server-sent events with a number each, so that a broken line catches up. */
import { loadRow } from './catalog.ts';
import { sent } from './router.ts';
import { wireStatus } from './wire-status.ts';
import { readState } from './objects.ts';
import type { ServerResponse } from 'node:http';
import type { EventRow } from './catalog.ts';
import type { Seatsio } from './context.ts';
import type { Channels } from './wire-status.ts';
import type { StatusMessage } from './wire.ts';

const KEEP_ALIVE_MS = 15_000;
/** A calm event is told at once; in a rush its changes are gathered, so that the cost does not grow with the speed of the sale. */
const BATCH_MS = 250;
/** A browser that does not read is let go; it comes back and catches up. */
const UNREAD_BYTES = 1024 * 1024;

interface Listener { response: ServerResponse; /** What it knows already from its start. */ since: number }
interface Audience { channels: Channels; listeners: Set<Listener> }
interface Line {
  /** Those who name the same channels hear the same text. */
  audiences: Map<string, Audience>;
  /** Told since the last message; null: everything. */
  waiting: { sequence: number; labels: Set<string> | null } | null;
  lastTold: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export interface Hub {
  publish: Seatsio['onChange'];
  listen: (ctx: Seatsio, event: EventRow, ask: { response: ServerResponse; since: number | null; channels: Channels }) => typeof sent;
  close: () => void;
}

function print(message: StatusMessage): string {
  return `${'sequence' in message ? `id: ${message.sequence}\n` : ''}data: ${JSON.stringify(message)}\n\n`;
}

interface News { sequence: number; labels: Iterable<string> | null; channels: Channels }

/** The present state of the objects named; null asks the page to read everything anew. */
function tellChanges(ctx: Seatsio, eventId: number, { sequence, labels, channels }: News): StatusMessage {
  const row = ctx.sql.one<EventRow>('SELECT * FROM seatsio_events WHERE id = ?', eventId);
  if (labels === null || !row) return { resync: true };
  const event = loadRow(ctx, row);
  return { sequence, changes: [...labels].flatMap((label) => {
    const object = event.plan.byLabel.get(label);
    return object ? [wireStatus(event, object, { state: readState(ctx, eventId, label), channels })] : [];
  }) };
}

/** The change stands already: whatever goes wrong in telling it, the pages read it by themselves. */
function newsFor(ctx: Seatsio, eventId: number, news: News): StatusMessage {
  try {
    return tellChanges(ctx, eventId, news);
  } catch (error) {
    console.error('seats.io stand-in:', error);
    return { resync: true };
  }
}

function catchUp(ctx: Seatsio, event: EventRow, { since, channels }: { since: number; channels: Channels }): StatusMessage | null {
  if (since === event.sequence) return null;
  const rows = ctx.sql.all<{ labels: string | null }>(
    'SELECT labels FROM seatsio_stream WHERE event_id = ? AND sequence > ? ORDER BY sequence', event.id, since,
  );
  if (rows.length !== event.sequence - since || rows.some(({ labels }) => labels === null)) return { resync: true };
  const labels = new Set(rows.flatMap((row) => JSON.parse(row.labels!) as string[]));
  return tellChanges(ctx, event.id, { sequence: event.sequence, labels, channels });
}

function write(response: ServerResponse, text: Buffer | string): void {
  response.write(text);
  if (response.writableLength > UNREAD_BYTES) response.destroy();
}

/** Printed once for each audience, however many listen. */
function tell(ctx: Seatsio, eventId: number, line: Line): void {
  const { waiting } = line;
  line.timer = undefined;
  if (!waiting) return;
  line.waiting = null;
  line.lastTold = performance.now();
  for (const { channels, listeners } of line.audiences.values()) {
    const text = Buffer.from(print(newsFor(ctx, eventId, { ...waiting, channels })));
    for (const { response, since } of listeners) if (since < waiting.sequence) write(response, text);
  }
}

export function openHub(ctx: () => Seatsio): Hub {
  const lines = new Map<number, Line>();
  const everyone = function* () {
    for (const { audiences } of lines.values()) for (const { listeners } of audiences.values()) yield* listeners;
  };
  const keepAlive = setInterval(() => { for (const { response } of everyone()) write(response, ': \n\n'); }, KEEP_ALIVE_MS).unref();
  return {
    publish(eventId, sequence, labels) {
      const line = lines.get(eventId);
      if (!line) return;
      const before = line.waiting;
      line.waiting = { sequence, labels: labels === null || before?.labels === null ? null : new Set([...before?.labels ?? [], ...labels]) };
      if (line.timer) return;
      const pause = line.lastTold + BATCH_MS - performance.now();
      if (pause <= 0) tell(ctx(), eventId, line);
      else line.timer = setTimeout(() => tell(ctx(), eventId, line), pause);
    },
    listen(context, event, { response, since, channels }) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
      const missed = since === null ? null : catchUp(context, event, { since, channels });
      response.write(`retry: 2000\n\n${missed ? print(missed) : ''}`);
      const line = lines.get(event.id) ?? { audiences: new Map(), waiting: null, lastTold: -Infinity, timer: undefined };
      lines.set(event.id, line);
      const key = JSON.stringify(channels ?? null);
      const audience = line.audiences.get(key) ?? { channels, listeners: new Set() };
      line.audiences.set(key, audience);
      const listener = { response, since: event.sequence };
      audience.listeners.add(listener);
      response.on('error', () => response.destroy());
      response.on('close', () => {
        audience.listeners.delete(listener);
        if (audience.listeners.size === 0 && line.audiences.get(key) === audience) line.audiences.delete(key);
        if (line.audiences.size > 0 || lines.get(event.id) !== line) return;
        clearTimeout(line.timer);
        lines.delete(event.id);
      });
      return sent;
    },
    close() {
      clearInterval(keepAlive);
      for (const line of lines.values()) clearTimeout(line.timer);
      for (const { response } of everyone()) response.end();
    },
  };
}
