/** When the phone speaks with the server: every few seconds while somebody looks, after each scan, when the signal is back; one cycle at a time, and scans go up beside it. */
import { call, CallError } from '#apps/shared/api.ts';
import { heartbeat } from '#server/contract/phones.ts';
import { wireVersion } from '#server/contract/version.ts';
import { noteClock } from './clock.ts';
import { handIn } from './hand-in.ts';
import { cutLine, withLine } from './line.ts';
import { pullAll, wipeOutdated } from './pull.ts';
import { changeStatus } from './status.ts';
import { changeDevice, db, readMeta, wipeEvent, wipeTickets, type Device } from './store.ts';

const pollMs = 5_000;
const beatMs = 30_000;
const longestWaitMs = 60_000;
const lockName = 'botteghino-scanner-sync';

let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
let running = false;
/** Asked for while a cycle was running: after it, or after it even if it fails. */
let again: 'no' | 'if_good' | 'anyway' = 'no';
let lastBeat = 0;
let sending = false;
/** A scan was made while others were on their way. */
let sendAgain = false;

/** Starts the rhythm; call it once. */
export function startSync(): void {
  addEventListener('online', () => syncNow());
  addEventListener('offline', () => {
    changeStatus({ online: false });
    cutLine();
  });
  addEventListener('focus', () => syncNow());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') syncNow();
  });
  syncNow();
}

/** At once, whatever the waiting time after failures said: the signal is back, or a person asks. */
export function syncNow(): void {
  failures = 0;
  if (running) again = 'anyway';
  void run();
}

/** After a scan: at once while the line is good, whatever a slow pull is at; otherwise the next try is already set. */
export function syncSoon(): void {
  if (failures > 0) return;
  void sendNow();
  void run();
}

/** Only up. What a refusal means for the phone beyond the wipe is for the next cycle, which hears it too. */
async function sendNow(): Promise<void> {
  if (sending) {
    sendAgain = true;
    return;
  }
  sending = true;
  try {
    do {
      sendAgain = false;
      const device = await readMeta('device');
      if (device && !device.forgotten && device.revoked_at === null) await wipeIfRevoked(handIn(device));
    } while (sendAgain);
  } catch (error) {
    changeStatus({ online: false, trouble: troubleOf(error) });
  }
  sending = false;
}

/** How long to wait before the next try: 5 s doubled per failure up to a minute, spread so that phones do not come in step. */
export function waitAfter(failures: number, chance: number): number {
  return failures === 0 ? pollMs : Math.min(longestWaitMs, pollMs * 2 ** (failures - 1)) * (0.5 + chance);
}

async function run(): Promise<void> {
  if (running) {
    if (again === 'no') again = 'if_good';
    return;
  }
  running = true;
  clearTimeout(timer);
  try {
    // Another tab that is at it does our work too: the queue is one.
    await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
      if (lock) await cycle();
    });
    failures = 0;
  } catch (error) {
    failures += 1;
    changeStatus({ online: false, trouble: troubleOf(error) });
  }
  running = false;
  changeStatus({ syncing: false });
  const isNext = again === 'anyway' || (again === 'if_good' && failures === 0);
  again = 'no';
  if (isNext) return void run();
  // A hidden page rests; it comes back by visibilitychange.
  if (document.visibilityState === 'visible') timer = setTimeout(() => void run(), waitAfter(failures, Math.random()));
}

async function cycle(): Promise<void> {
  await wipeOutdated(Date.now());
  const device = await readMeta('device');
  if (!device || device.forgotten) return;
  changeStatus({ syncing: true });
  if (device.revoked_at !== null) return lastHandIn(device);
  // Up and down do not wait for each other: an error of one must not stop the other.
  const outcomes = await Promise.allSettled([pullAll(device), handIn(device), beatIfDue(device)].map(wipeIfRevoked));
  const errors = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }): unknown => reason);
  const after = await readMeta('device');
  if (after && after.revoked_at !== null) {
    // What another call was still writing when the first one heard of it.
    await wipeTickets(Date.now());
    return lastHandIn(after);
  }
  if (errors.some((error) => isRefusal(error, 'not_logged_in'))) await changeDevice({ forgotten: true });
  if (errors.length > 0) throw errors[0];
  changeStatus({ online: true, trouble: null });
}

/** Whichever call hears of it first: the tickets go before anything else is waited for. */
async function wipeIfRevoked(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (isRefusal(error, 'phone_revoked')) await wipeTickets(Date.now());
    throw error;
  }
}

/** The tickets are gone already; the scans may go up once more, and then the token is of no use to anybody. */
async function lastHandIn(device: Device): Promise<void> {
  if (device.device_token === '') return;
  try {
    await handIn(device);
  } catch (error) {
    // Refused for good: the rows stay on the phone, where the office can still read them.
    if (!isRefusal(error, 'phone_revoked') && !isRefusal(error, 'not_logged_in')) throw error;
  }
  await wipeTickets(Date.now());
  await changeDevice({ device_token: '' });
}

async function beatIfDue(device: Device): Promise<void> {
  if (Date.now() - lastBeat < beatMs && lastBeat <= Date.now()) return;
  const began = Date.now();
  const clock = await readMeta('clock');
  const queue_length = await db.queue.where('[fate+seq]').between(['queued', -1], ['queued', Infinity]).count();
  const body = { queue_length, clock_offset_ms: clock?.offset_ms ?? null, battery: await batteryLevel(), app_version: appVersion, wire_version: wireVersion };
  const reply = await withLine(15_000, (signal) => call(heartbeat, { body }, { token: device.device_token, signal }));
  if (typeof reply?.server_time !== 'string' || !Array.isArray(reply.events)) throw new CallError('unknown', 'unreadable', 'Unexpected answer');
  lastBeat = Date.now();
  await noteClock(reply.server_time, { began, ended: lastBeat });
  const { name, gate, events } = reply;
  if (JSON.stringify([name, gate, events]) === JSON.stringify([device.name, device.gate, device.events])) return;
  await changeDevice({ name, gate, events });
  for (const { id } of device.events) if (!events.some((event) => event.id === id)) await wipeEvent(id, false);
}

/** The hash in the name of this very script, so that the office sees which phones are behind. */
export const appVersion = /-([\w-]{6,})\.js$/.exec(import.meta.url)?.[1] ?? 'dev';

async function batteryLevel(): Promise<number | null> {
  const source = navigator as Navigator & { getBattery?: () => Promise<{ level: number }> };
  return source.getBattery ? (await source.getBattery().catch(() => null))?.level ?? null : null;
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof CallError && error.status === 401 && error.code === code;
}

/** Only the server's own sentences are fit for the door; a silent line is not an error there. */
function troubleOf(error: unknown): string | null {
  return error instanceof CallError && typeof error.status === 'number' ? error.message : null;
}
