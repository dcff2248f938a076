/** This phone as the app uses it: one core (core.ts) on the ports of the browser. */
import { call, callUnread, CallError, readBytes } from '#apps/shared/api.ts';
import { handInLater } from '#apps/scanner/sync/background-sync.ts';
import { openCore } from './core.ts';
import { noteSaved, restart } from './restart.ts';

/** The hash in this script's file name, by which the office sees outdated phones. */
const appVersion = /-([\w-]{6,})\.js$/.exec(import.meta.url)?.[1] ?? 'dev';

export const phone = openCore({
  db_name: 'botteghino-scanner',
  call,
  appVersion,
  callBytes: async (endpoint, ask, options) =>
    readBytes(await callUnread(endpoint, ask, options), options.onProgress),
  async fetchStream(endpoint, { query, ...options }) {
    const { headers, body } = await callUnread(endpoint, { query }, options);
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream'))
      throw new CallError('unknown', 'unreadable', 'Unexpected answer');
    return body;
  },
  async readPicture(address, { signal }) {
    const answer = await fetch(address, { signal });
    if (!answer.ok) throw new CallError(answer.status, 'unknown', 'No picture');
    return dataAddressOf(await answer.blob());
  },
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: (count) => crypto.getRandomValues(new Uint8Array(count)),
  locks: navigator.locks,
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  isOnline: () => navigator.onLine,
  isVisible: () => document.visibilityState === 'visible',
  restart,
  saved: noteSaved,
  isBusy: () => document.querySelector('dialog[open], [data-verdict]') !== null,
  async battery() {
    const source = navigator as Navigator & { getBattery?: () => Promise<{ level: number }> };
    return source.getBattery
      ? ((await source.getBattery().catch(() => null))?.level ?? null)
      : null;
  },
});

function dataAddressOf(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('Unreadable')));
    reader.readAsDataURL(picture);
  });
}

const askSystem = handInLater(phone.status);

/** Called after a scan. */
export function syncSoon(): void {
  phone.syncSoon();
  askSystem();
}

/** Starts the regular calls; call it once. */
export function startSync(): void {
  addEventListener('online', phone.wake);
  addEventListener('offline', phone.lost);
  addEventListener('focus', phone.syncNow);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') phone.syncNow();
  });
  phone.start();
}
