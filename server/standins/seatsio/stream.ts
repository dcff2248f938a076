/** The line on which browsers hear of changes: server-sent events with a number each, so that a broken line catches up. */
import { loadRow } from './catalog.ts';
import { sent } from './router.ts';
import { wireStatus } from './wire-status.ts';
import { readState } from './objects.ts';
import type { ServerResponse } from 'node:http';
import type { EventRow } from './catalog.ts';
import type { Seatsio } from './context.ts';
import type { StatusMessage } from './wire.ts';

const KEEP_ALIVE_MS = 15_000;
/** A browser that does not read is let go; it comes back and catches up. */
const UNREAD_BYTES = 1024 * 1024;

export interface Hub {
  publish: Seatsio['onChange'];
  listen: (ctx: Seatsio, event: EventRow, ask: { response: ServerResponse; since: number | null }) => typeof sent;
  close: () => void;
}

function print(message: StatusMessage): string {
  return `${'sequence' in message ? `id: ${message.sequence}\n` : ''}data: ${JSON.stringify(message)}\n\n`;
}

/** The present state of the objects named; null asks the page to read everything anew. */
function tellChanges(ctx: Seatsio, eventId: number, { sequence, labels }: { sequence: number; labels: string[] | null }): StatusMessage {
  const row = ctx.sql.one<EventRow>('SELECT * FROM seatsio_events WHERE id = ?', eventId);
  if (labels === null || !row) return { resync: true };
  const event = loadRow(ctx, row);
  return { sequence, changes: labels.flatMap((label) => {
    const object = event.plan.byLabel.get(label);
    return object ? [wireStatus(event, object, readState(ctx, eventId, label))] : [];
  }) };
}

function catchUp(ctx: Seatsio, event: EventRow, since: number): StatusMessage | null {
  if (since === event.sequence) return null;
  const rows = ctx.sql.all<{ labels: string | null }>(
    'SELECT labels FROM seatsio_stream WHERE event_id = ? AND sequence > ? ORDER BY sequence', event.id, since,
  );
  if (rows.length !== event.sequence - since || rows.some(({ labels }) => labels === null)) return { resync: true };
  const labels = new Set(rows.flatMap((row) => JSON.parse(row.labels!) as string[]));
  return tellChanges(ctx, event.id, { sequence: event.sequence, labels: [...labels] });
}

export function openHub(ctx: () => Seatsio): Hub {
  const listeners = new Map<number, Set<ServerResponse>>();
  const write = (response: ServerResponse, text: string) => {
    response.write(text);
    if (response.writableLength > UNREAD_BYTES) response.destroy();
  };
  const keepAlive = setInterval(() => {
    for (const responses of listeners.values()) for (const response of responses) write(response, ': \n\n');
  }, KEEP_ALIVE_MS).unref();
  return {
    publish(eventId, sequence, labels) {
      const responses = listeners.get(eventId);
      if (!responses) return;
      const text = print(tellChanges(ctx(), eventId, { sequence, labels }));
      for (const response of responses) write(response, text);
    },
    listen(context, event, { response, since }) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
      const missed = since === null ? null : catchUp(context, event, since);
      response.write(`retry: 2000\n\n${missed ? print(missed) : ''}`);
      const responses = listeners.get(event.id) ?? new Set();
      listeners.set(event.id, responses.add(response));
      response.on('error', () => response.destroy());
      response.on('close', () => {
        responses.delete(response);
        if (responses.size === 0 && listeners.get(event.id) === responses) listeners.delete(event.id);
      });
      return sent;
    },
    close() {
      clearInterval(keepAlive);
      for (const responses of listeners.values()) for (const response of responses) response.end();
    },
  };
}
