/** When the phone speaks with the server: every few seconds while somebody looks, after each scan, when the signal is back; one cycle at a time, and scans go up beside it. */
import { CallError } from '#apps/shared/api.ts';
import { heartbeat } from '#server/contract/phones.ts';
import { wireVersion } from '#server/contract/version.ts';
import { noteClock } from './clock.ts';
import { handIn } from './hand-in.ts';
import { startOver } from '#apps/scanner/list/new-list.ts';
import { diskTrouble, type LineStatus } from './line-status.ts';
import { listen } from './live.ts';
import { refresh, type Phone } from '#apps/scanner/list/memory.ts';
import { pullAll, wipeOutdated } from './pull.ts';
import { changeDevice, countQueued, readMeta, type Device } from '#apps/scanner/list/store.ts';
import { forgetAll, forgetEvent } from '#apps/scanner/list/wipe.ts';

const pollMs = 5_000;
/** While news are pushed, asking is only for what a push may have lost. */
const livePollMs = 20_000;
const beatMs = 30_000;
const longestWaitMs = 60_000;
/** Fifty phones hear at one moment that the signal is back. */
const wakeSpreadMs = 1_500;

export interface Rhythm {
  start: () => void;
  stop: () => void;
  /** At once, whatever the waiting time after failures said: a person asks. */
  now: () => void;
  /** The system says that the signal is back: at once, but not all phones in one moment. */
  wake: () => void;
  /** After a scan: at once while the line is good; otherwise the next try is already set. */
  soon: () => void;
  /** One cycle, without a rhythm; throws its first error. */
  once: () => Promise<void>;
}

/** How long to wait before the next try: 5 s doubled per failure up to a minute, spread so that phones do not come in step. */
export function waitAfter(failures: number, chance: number): number {
  return failures === 0
    ? pollMs
    : Math.min(longestWaitMs, pollMs * 2 ** (failures - 1)) * (0.5 + chance);
}

export function makeRhythm(phone: Phone): Rhythm {
  const { ports, status, db } = phone;
  let isStarted = false;
  let cancelTimer = () => {};
  let failures = 0;
  /** The last failure was the line's or the server's, not this phone's own. */
  let isLineBad = false;
  let running = false;
  /** Asked for while a cycle was running: after it, or after it even if it fails. */
  let again: 'no' | 'if_good' | 'anyway' = 'no';
  let sending = false;
  /** A scan was made while others were on their way. */
  let sendAgain = false;
  let beatAt: number | null = null;
  const stopped = new AbortController();
  let listening = false;
  let streamFailures = 0;

  async function once(): Promise<void> {
    await wipeOutdated(phone);
    const device = await readMeta(db, 'device');
    if (!device || device.forgotten) return;
    await forgetOthers(phone, device);
    status.change({ syncing: true });
    try {
      if (device.revoked_at !== null) return await lastHandIn(phone, device);
      // Up and down do not wait for each other: an error of one must not stop the other.
      const outcomes = await Promise.allSettled(
        [pullAll(phone, device), handIn(phone, device), beatIfDue(device)].map((work) =>
          wipeIfRevoked(phone, device, work),
        ),
      );
      const errors = outcomes
        .filter((outcome) => outcome.status === 'rejected')
        .map(({ reason }): unknown => reason);
      const after = await readMeta(db, 'device');
      if (after && after.revoked_at !== null) {
        // What another call was still writing when the first one heard of it.
        await forgetAll(phone, after);
        return await lastHandIn(phone, after);
      }
      if (errors.some((error) => isRefusal(error, 'not_logged_in')))
        await changeDevice(db, device, { forgotten: true });
      // A full disk says nothing about a line that is dead too.
      if (errors.length > 0) throw errors.find((error) => !isOwnFault(error)) ?? errors[0];
      if (!status.read().no_network) status.change({ online: true, trouble: null });
    } finally {
      status.change({ syncing: false });
      await refresh(phone);
    }
  }

  async function run(): Promise<void> {
    if (running) {
      if (again === 'no') again = 'if_good';
      return;
    }
    running = true;
    cancelTimer();
    try {
      // Another tab that is at it does our work too: the queue is one.
      await ports.locks.request(`${ports.db_name}-sync`, { ifAvailable: true }, async (lock) => {
        if (lock) await once();
      });
      failures = 0;
    } catch (error) {
      failures += 1;
      isLineBad = !isOwnFault(error);
      status.change(standingAfter(error));
    }
    running = false;
    if (!isStarted) return;
    const isNext = again === 'anyway' || (again === 'if_good' && failures === 0);
    again = 'no';
    if (isNext) return void run();
    void keepListening();
    // A hidden page rests; it comes back by visibilitychange.
    if (ports.isVisible?.() ?? true)
      cancelTimer = ports.after(
        failures === 0 && status.read().live
          ? livePollMs * (0.75 + chanceOf(phone) / 2)
          : waitAfter(failures, chanceOf(phone)),
        () => void run(),
      );
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
        const device = await readMeta(db, 'device');
        if (device && !device.forgotten && device.revoked_at === null)
          await wipeIfRevoked(phone, device, handIn(phone, device));
      } while (sendAgain);
    } catch (error) {
      status.change(standingAfter(error));
    }
    sending = false;
  }

  async function keepListening(): Promise<void> {
    const device = phone.memory.device;
    if (
      listening ||
      failures > 0 ||
      !ports.fetchStream ||
      !device ||
      device.forgotten ||
      device.revoked_at !== null ||
      device.events.length === 0
    )
      return;
    listening = true;
    const began = ports.now();
    try {
      await listen(phone, device, stopped.signal);
    } catch {
      // Why is heard by the cycle that follows.
    }
    listening = false;
    if (!isStarted) return;
    streamFailures = ports.now() - began > longestWaitMs ? 0 : streamFailures + 1;
    // A role or an event has changed, or the line is gone: the cycle finds out and opens the next stream.
    ports.after(waitAfter(streamFailures, chanceOf(phone)) / 5, () => {
      if (isStarted) void run();
    });
  }

  async function beatIfDue(device: Device): Promise<void> {
    const began = ports.now();
    if (beatAt !== null && began - beatAt < beatMs && beatAt <= began) return;
    const clock = await readMeta(db, 'clock');
    const body = {
      queue_length: await countQueued(db),
      shelf_length: await db.queue.where('fate').equals('unreadable').count(),
      clock_offset_ms: clock?.offset_ms ?? null,
      battery: (await ports.battery?.()) ?? null,
      app_version: ports.appVersion,
      wire_version: wireVersion,
    };
    const reply = await phone.line.hold(15_000, (signal) =>
      ports.call(heartbeat, { body }, { token: device.device_token, signal }),
    );
    if (typeof reply?.server_time !== 'string' || !Array.isArray(reply.events))
      throw new CallError('unknown', 'unreadable', 'Unexpected answer');
    beatAt = ports.now();
    await noteClock(db, reply.server_time, { began, ended: beatAt });
    await takeIdentity(phone, device, reply);
  }

  return {
    once,
    start() {
      isStarted = true;
      void run();
    },
    stop() {
      isStarted = false;
      cancelTimer();
      stopped.abort();
      phone.line.cut();
    },
    now() {
      if (!isStarted) return;
      failures = 0;
      streamFailures = 0;
      beatAt = null;
      if (running) again = 'anyway';
      void run();
    },
    wake() {
      if (!isStarted) return;
      failures = 0;
      cancelTimer();
      cancelTimer = ports.after(chanceOf(phone) * wakeSpreadMs, () => void run());
    },
    soon() {
      if (!isStarted || (failures > 0 && isLineBad)) return;
      void sendNow();
      // A list that could not be written is not fetched anew with every scan.
      if (failures === 0 && !status.read().live) void run();
    },
  };
}

/** What the office has changed about this phone. */
async function takeIdentity(
  phone: Phone,
  device: Device,
  {
    name,
    gate,
    role,
    supervisor_pin,
    events,
  }: Pick<Device, 'name' | 'gate' | 'role' | 'supervisor_pin' | 'events'>,
): Promise<void> {
  const told = { name, gate, role, supervisor_pin, events };
  if (
    JSON.stringify(told) ===
    JSON.stringify({
      name: device.name,
      gate: device.gate,
      role: device.role,
      supervisor_pin: device.supervisor_pin,
      events: device.events,
    })
  )
    return;
  if (!(await changeDevice(phone.db, device, told))) return;
  if (device.supervisor_pin?.hash !== supervisor_pin?.hash) await phone.db.meta.delete('pin_wrong');
  for (const { id } of device.events) {
    if (role === device.role || !events.some((event) => event.id === id)) continue;
    if (role === 'steward') await forgetEvent(phone, id, 'narrowed');
    else await startOver(phone, id);
  }
  await forgetOthers(phone, { events });
}

/** Lists of events that are not this phone's any more: also those that it was about to forget when it died. */
async function forgetOthers(phone: Phone, { events }: Pick<Device, 'events'>): Promise<void> {
  const others = await phone.db.events
    .filter(({ event_id }) => !events.some(({ id }) => id === event_id))
    .primaryKeys();
  for (const event_id of others) await forgetEvent(phone, event_id, 'not_ours');
}

/** Whichever call hears of it first: the tickets go before anything else is waited for. */
async function wipeIfRevoked(phone: Phone, told: Device, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (isRefusal(error, 'phone_revoked')) await forgetAll(phone, told);
    throw error;
  }
}

/** The tickets are gone already; the scans may go up once more, and then the token is of no use to anybody. */
async function lastHandIn(phone: Phone, device: Device): Promise<void> {
  if (device.device_token === '') return;
  try {
    await handIn(phone, device);
  } catch (error) {
    // Refused for good: the rows stay on the phone, where the office can still read them.
    if (!isRefusal(error, 'phone_revoked') && !isRefusal(error, 'not_logged_in')) throw error;
  }
  await forgetAll(phone, device);
  await changeDevice(phone.db, device, { device_token: '' });
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof CallError && error.status === 401 && error.code === code;
}

/** Neither the server's word nor the line's silence, which a call that was cut off ends with: this phone could not write or read. */
function isOwnFault(error: unknown): boolean {
  return (
    !(error instanceof CallError) && !(error instanceof DOMException && error.name === 'AbortError')
  );
}

/** Only the server's own sentences are fit for the door; a silent line is not an error there. */
function standingAfter(error: unknown): Partial<LineStatus> {
  if (isOwnFault(error)) return { trouble: diskTrouble };
  return {
    online: false,
    trouble: error instanceof CallError && typeof error.status === 'number' ? error.message : null,
  };
}

/** 0 to 1. */
function chanceOf({ ports }: Phone): number {
  return ports.random(1)[0]! / 255;
}
