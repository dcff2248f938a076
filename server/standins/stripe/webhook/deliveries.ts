/**
 * Sends events to their endpoints until these answer 2xx: at least once, in no fixed order, from
 * a stored queue.
 */
import type { OpenDesk } from '#server/standins/stripe/call.ts';
import type { FaultBook } from '#server/standins/stripe/faults/faults.ts';
import {
  listDeliveries,
  makeDue,
  sendAgain,
  type DeliveryRow,
} from '#server/standins/stripe/statements/deliveries.ts';
import { quiet, wake, type DeliveryLoop } from './delivery-loop.ts';
import { letAllHeldGo, type Courier, type DeliveryOptions } from './delivery-tries.ts';

export interface Deliverer {
  /** Looks at the queue soon; called after every commit. */
  wake: () => void;
  /** Resolves when every delivery that was due has been tried. */
  settle: () => Promise<void>;
  list: () => Promise<DeliveryRow[]>;
  /** Tries all undelivered deliveries immediately, also those without further tries. */
  retry: () => Promise<void>;
  /** Sends all events again. */
  replayAll: () => Promise<void>;
  pause: () => void;
  resume: () => Promise<void>;
  /** Waits for the running tries and then stops. */
  close: () => Promise<void>;
}

export function startDeliverer(
  desk: OpenDesk & { faults: FaultBook },
  options: DeliveryOptions,
): Deliverer {
  const { store, faults } = desk;
  const stop = new AbortController();
  const courier: Courier = {
    desk,
    options,
    signal: stop.signal,
    pause() {
      loop.isPaused = true;
    },
    restingUntil: new Map(),
    held: new Map(),
  };
  const loop: DeliveryLoop = {
    courier,
    tries: new Set(),
    isPaused: false,
    again: false,
    nudge() {},
    pumping: null,
    timer: undefined,
  };
  const settle = async () => {
    courier.restingUntil.clear();
    wake(loop);
    await quiet(loop);
  };
  faults.onRelease(() => {
    void letAllHeldGo(courier).then(() => wake(loop));
  });
  return {
    wake: () => wake(loop),
    settle,
    list: () => listDeliveries(store),
    async retry() {
      await store.write((writer) => makeDue(writer));
      await settle();
    },
    async replayAll() {
      await store.write((writer) => sendAgain(writer));
      await settle();
    },
    pause() {
      courier.pause();
      loop.nudge();
    },
    async resume() {
      loop.isPaused = false;
      await settle();
    },
    async close() {
      stop.abort();
      clearTimeout(loop.timer);
      await quiet(loop);
    },
  };
}
