/**
 * The push stream brings other phones' scans immediately. It only saves time: whatever it misses
 * comes with the next poll.
 */
import { listenDoor, type DoorNews } from '#server/contract/door/admissions.ts';
import { takeDelta } from '#apps/scanner/list/log.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import { readChanges } from '#apps/scanner/list/page.ts';
import { inWire } from './in-wire.ts';
import { pullEvent } from './pull.ts';
import type { Device } from '#apps/scanner/kit/store.ts';

/** The server sends something every 15 s, so a silence this long means a dead connection. */
const silenceMs = 40_000;

/**
 * Resolves when the stream ends; throws when it fails to open or breaks. One tab listens for all.
 */
export async function listen(phone: Phone, device: Device, signalled: AbortSignal): Promise<void> {
  const { ports, line, status } = phone;
  const { fetchStream } = ports;
  if (!fetchStream) return;
  await ports.locks.request(`${ports.db_name}-live`, { signal: signalled }, () =>
    line.hold(null, async (signal) => {
      // Not AbortSignal.any, which older iPhones lack.
      const stop = new AbortController();
      const end = () => stop.abort();
      signal.addEventListener('abort', end);
      signalled.addEventListener('abort', end);
      let quiet = () => {};
      const restartTimer = () => {
        quiet();
        quiet = ports.after(silenceMs, end);
      };
      try {
        restartTimer();
        const { device_token: token } = device;
        const stream = await inWire((wire) =>
          fetchStream(listenDoor, { query: { wire }, token, signal: stop.signal }),
        );
        status.change({ live: true });
        for await (const news of readNews(stream, { heard: restartTimer, signal: stop.signal }))
          await hear(phone, device, news);
      } finally {
        quiet();
        signalled.removeEventListener('abort', end);
        end();
        status.change({ live: false });
      }
    }),
  );
}

/** Applies the changes if they start at the list's cursor; otherwise asks the server. */
async function hear(
  phone: Phone,
  device: Device,
  { event_id, from, to, page }: DoorNews,
): Promise<void> {
  if (!device.events.some(({ id }) => id === event_id)) return;
  const known = await phone.db.events.get(event_id);
  if (!known || known.generation === 0 || known.cursor === to) return;
  const isTaken =
    known.cursor === from &&
    page !== undefined &&
    (await phone.ports.locks.request(`${phone.ports.db_name}-list-${event_id}`, () =>
      takeDelta(phone, event_id, readChanges(page)),
    ));
  if (!isTaken) await pullEvent(phone, device, event_id);
}

/** Reads server-sent events, each up to a blank line; one that is not ours ends the stream. */
export async function* readNews(
  stream: ReadableStream<Uint8Array>,
  { heard, signal }: { heard: () => void; signal: AbortSignal },
): AsyncGenerator<DoorNews> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      rest += decoder.decode(value, { stream: true });
      const messages = rest.split(/\r?\n\r?\n/);
      rest = messages.pop() ?? '';
      for (const message of messages) {
        const data = message
          .split(/\r?\n/)
          .filter((text) => text.startsWith('data:'))
          .map((text) => text.slice(5))
          .join('\n');
        if (data !== '') yield readMessage(data);
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function readMessage(data: string): DoorNews {
  const news = JSON.parse(data) as Partial<DoorNews> | null;
  if (
    typeof news?.event_id !== 'string' ||
    typeof news.from !== 'string' ||
    typeof news.to !== 'string'
  )
    throw new TypeError('Not a message of the door');
  return news as DoorNews;
}
