/**
 * When the phone calls the server: every few seconds while the page is visible, after each scan,
 * and when the signal is back. One cycle runs at a time; scans are also sent between cycles.
 */
import { CallError } from '#apps/shared/api.ts';
import { refresh, type Phone } from '#apps/scanner/list/memory.ts';
import { changeDevice, readMeta, type Device } from '#apps/scanner/kit/store.ts';
import { forgetAll, forgetOthers } from '#apps/scanner/list/wipe.ts';
import { isTorn, timeTrip } from '#apps/scanner/kit/clock.ts';
import { handIn } from './hand-in.ts';
import { Heartbeat } from './heartbeat.ts';
import { ownTrouble, type LineStatus } from '#apps/scanner/kit/line-status.ts';
import { storeFault } from '#apps/scanner/kit/store-fault.ts';
import { listen } from './live.ts';
import { pullAll, wipeOutdated } from './pull.ts';

const pollMs = 5_000;
/** While the push stream is open, polling only fetches what the stream may have missed. */
const livePollMs = 20_000;
const longestWaitMs = 60_000;
/** Calls are spread over this time: fifty phones get the signal back at the same moment. */
const wakeSpreadMs = 1_500;

/**
 * The wait before the next try: 5 s, doubled per failure up to a minute, and varied at random so
 * that phones do not call together.
 */
export function waitAfter(failures: number, chance: number): number {
  return failures === 0
    ? pollMs
    : Math.min(longestWaitMs, pollMs * 2 ** (failures - 1)) * (0.5 + chance);
}

export class Rhythm {
  private readonly phone: Phone;
  private readonly heartbeat: Heartbeat;
  private readonly stopped = new AbortController();
  private isStarted = false;
  private cancelTimer = () => {};
  private failures = 0;
  /** Whether the connection or the server caused the last failure, and not this phone. */
  private isLineBad = false;
  private isRunning = false;
  /** Whether another cycle follows the running one: `anyway` even if this one fails. */
  private again: 'no' | 'if_good' | 'anyway' = 'no';
  private isSending = false;
  /** A scan was made while others were being sent. */
  private sendAgain = false;
  private isListening = false;
  private streamFailures = 0;

  constructor(phone: Phone) {
    this.phone = phone;
    this.heartbeat = new Heartbeat(phone);
  }

  readonly start = (): void => {
    this.isStarted = true;
    void this.run();
  };

  stop(): void {
    this.isStarted = false;
    this.cancelTimer();
    this.stopped.abort();
    this.phone.line.cut();
  }

  /** Runs a cycle now because a person asks, even during the wait after failures. */
  readonly now = (): void => {
    if (!this.isStarted) return;
    this.failures = 0;
    this.streamFailures = 0;
    this.heartbeat.makeDue();
    if (this.isRunning) this.again = 'anyway';
    void this.run();
  };

  /** Called when the system reports a signal: runs a cycle at a random moment soon. */
  readonly wake = (): void => {
    if (!this.isStarted) return;
    this.failures = 0;
    this.cancelTimer();
    this.runAfter(chanceOf(this.phone) * wakeSpreadMs);
  };

  /** Called after a scan: sends now if the connection is good; otherwise a try is scheduled. */
  readonly soon = (): void => {
    if (!this.isStarted || (this.failures > 0 && this.isLineBad)) return;
    void this.sendNow();
    // After a failure to write a list it is not fetched again with every scan.
    if (this.failures === 0 && !this.phone.status.read().live) void this.run();
  };

  /** Runs one cycle, without scheduling the next; throws its first error. */
  async once(): Promise<void> {
    const { phone } = this;
    const { db, status } = phone;
    await wipeOutdated(phone);
    const device = await readMeta(db, 'device');
    if (!device || device.forgotten) return;
    await forgetOthers(phone, device);
    status.change({ syncing: true });
    const trip = timeTrip(phone.ports);
    try {
      if (device.revoked_at !== null) return await lastHandIn(phone, device);
      // Sending and fetching run side by side, so that an error of one does not stop the other.
      const outcomes = await Promise.allSettled(
        [pullAll(phone, device), handIn(phone, device), this.heartbeat.beatIfDue(device)].map(
          (work) => wipeIfRevoked(phone, device, work),
        ),
      );
      const errors = outcomes
        .filter((outcome) => outcome.status === 'rejected')
        .map(({ reason }): unknown => reason);
      const after = await readMeta(db, 'device');
      if (after && after.revoked_at !== null) {
        // Deletes again, because another call may have written tickets after the first deletion.
        await forgetAll(phone, after);
        return await lastHandIn(phone, after);
      }
      if (errors.some((error) => isRefusal(error, 'not_logged_in')))
        await changeDevice(db, device, { forgotten: true });
      // A connection error is reported before this phone's own fault, such as a full disk.
      if (errors.length > 0) throw errors.find((error) => !isOwnFault(error)) ?? errors[0];
      if (isTorn(trip())) {
        // The clock was set, so the time is unknown until the next heartbeat.
        this.heartbeat.makeDue();
        await this.heartbeat.beatIfDue(device);
      }
      if (!status.read().no_network) status.change({ online: true, trouble: null });
    } finally {
      status.change({ syncing: false });
      await refresh(phone);
    }
  }

  private async run(): Promise<void> {
    if (this.isRunning) {
      if (this.again === 'no') this.again = 'if_good';
      return;
    }
    const { ports, reopener } = this.phone;
    this.isRunning = true;
    this.cancelTimer();
    const since = reopener.times.read();
    try {
      // If another tab is sending, it sends our scans, too, because there is one queue.
      await ports.locks.request(`${ports.db_name}-sync`, { ifAvailable: true }, async (lock) => {
        if (lock) await this.once();
      });
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      this.isLineBad = !isOwnFault(error);
      // Tried again at once, but only after the first failure.
      if ((await this.isMended(error, since)) && this.failures === 1) this.again = 'anyway';
    }
    this.isRunning = false;
    if (!this.isStarted) return;
    const isNext = this.again === 'anyway' || (this.again === 'if_good' && this.failures === 0);
    this.again = 'no';
    if (isNext) return void this.run();
    void this.keepListening();
    // A hidden page makes no calls; the event visibilitychange starts them again.
    if (ports.isVisible?.() ?? true) this.runAfter(this.pauseMs());
  }

  private runAfter(ms: number): void {
    this.cancelTimer = this.phone.ports.after(ms, () => void this.run());
  }

  private pauseMs(): number {
    const chance = chanceOf(this.phone);
    return this.failures === 0 && this.phone.status.read().live
      ? livePollMs * (0.75 + chance / 2)
      : waitAfter(this.failures, chance);
  }

  /**
   * Sends scans only. After a refusal it only deletes tickets; the next cycle gets the refusal
   * too and does the rest.
   */
  private async sendNow(): Promise<void> {
    const { phone } = this;
    this.sendAgain = true;
    if (this.isSending) return;
    this.isSending = true;
    const since = phone.reopener.times.read();
    try {
      while (this.sendAgain) {
        this.sendAgain = false;
        const device = await readMeta(phone.db, 'device');
        if (device && !device.forgotten && device.revoked_at === null)
          await wipeIfRevoked(phone, device, handIn(phone, device));
      }
    } catch (error) {
      // What is left is sent by the next cycle.
      if (await this.isMended(error, since)) void this.run();
    }
    this.isSending = false;
  }

  /**
   * Opens a lost database again; where that fails, the app is loaded anew unless a person is in
   * the middle of something. False: the trouble stays, and the screen says which.
   */
  private async isMended(error: unknown, since: number): Promise<boolean> {
    const { reopener, ports, status } = this.phone;
    if (storeFault(error) === 'lost') {
      if (await reopener.reopen(since)) return true;
      if (ports.isBusy?.() !== true && this.isStarted) ports.restart?.(null);
    }
    status.change(statusAfter(error));
    return false;
  }

  private async keepListening(): Promise<void> {
    const { phone } = this;
    const { ports } = phone;
    const { device } = phone.memory;
    if (
      this.isListening ||
      this.failures > 0 ||
      !ports.fetchStream ||
      !device ||
      device.forgotten ||
      device.revoked_at !== null ||
      device.events.length === 0
    )
      return;
    this.isListening = true;
    const began = ports.now();
    try {
      await listen(phone, device, this.stopped.signal);
    } catch {
      // The next cycle meets the same error and reports it.
    }
    this.isListening = false;
    if (!this.isStarted) return;
    this.streamFailures = ports.now() - began > longestWaitMs ? 0 : this.streamFailures + 1;
    // The server ends the stream when a role or an event has changed; or the connection is gone.
    // The cycle finds out which and opens the next stream.
    ports.after(waitAfter(this.streamFailures, chanceOf(phone)) / 5, () => {
      if (this.isStarted) void this.run();
    });
  }
}

/** Deletes the tickets as soon as any call learns of the revocation, before anything else. */
async function wipeIfRevoked(phone: Phone, device: Device, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (isRefusal(error, 'phone_revoked')) await forgetAll(phone, device);
    throw error;
  }
}

/** Sends the scans of a revoked phone once more; after that its token is useless. */
async function lastHandIn(phone: Phone, device: Device): Promise<void> {
  if (device.device_token === '') return;
  try {
    await handIn(phone, device);
  } catch (error) {
    // The server refuses for good; the rows stay on the phone, readable for the office.
    if (!isRefusal(error, 'phone_revoked') && !isRefusal(error, 'not_logged_in')) throw error;
  }
  await forgetAll(phone, device);
  await changeDevice(phone.db, device, { device_token: '' });
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof CallError && error.status === 401 && error.code === code;
}

/**
 * Whether this phone itself could not write or read, so that the error is neither the server's
 * answer nor a dead connection.
 */
function isOwnFault(error: unknown): boolean {
  return (
    !(error instanceof CallError) && !(error instanceof DOMException && error.name === 'AbortError')
  );
}

/**
 * The connection's state after an error: only the server's own sentences are shown at the door,
 * and a dead connection has none.
 */
function statusAfter(error: unknown): Partial<LineStatus> {
  if (isOwnFault(error)) return { trouble: ownTrouble(error) };
  return {
    online: false,
    trouble: error instanceof CallError && typeof error.status === 'number' ? error.message : null,
  };
}

/** A random number from 0 to 1. */
function chanceOf({ ports }: Phone): number {
  const [byte = 0] = ports.random(1);
  return byte / 255;
}
