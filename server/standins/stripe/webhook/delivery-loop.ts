/** Finds due deliveries, tries several at the same time, and sleeps until the next one is due. */
import { nextRun, takeDue, type Delivery } from '#server/standins/stripe/statements/deliveries.ts';
import { tryOnce, type Courier } from './delivery-tries.ts';

export interface DeliveryLoop {
  courier: Courier;
  tries: Set<Promise<void>>;
  /** Its settings can change during a turn, so every step reads them again. */
  isPaused: boolean;
  /** True if `wake` was called since the last look. */
  again: boolean;
  /** Ends the wait for the running tries. */
  nudge: () => void;
  pumping: Promise<void> | null;
  timer: NodeJS.Timeout | undefined;
}

/** Looks soon; called after every commit. */
export function wake(loop: DeliveryLoop): void {
  loop.again = true;
  loop.nudge();
  if (isOff(loop) || loop.pumping) return;
  loop.pumping = pump(loop)
    .then(() => sleepUntilDue(loop))
    .catch((error: unknown) => {
      // The deliveries stay pending, so the next turn finds them.
      console.error('stripe stand-in:', error);
    })
    .then(() => {
      loop.pumping = null;
      // `wake` may have been called during the last look.
      if (loop.again) wake(loop);
    });
}

/** Resolves when no try is running; the end of a look may have started the next one. */
export async function quiet(loop: DeliveryLoop): Promise<void> {
  if (!loop.pumping) return;
  await loop.pumping;
  await quiet(loop);
}

function isOff({ courier, isPaused }: DeliveryLoop): boolean {
  return courier.signal.aborted || isPaused;
}

async function pump(loop: DeliveryLoop): Promise<void> {
  // The answer to the call is sent first, as with a distant server.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  loop.again = false;
  while (!isOff(loop)) {
    // Set before the look, so that a `wake` during the look is not missed.
    const nudged = new Promise<void>((resolve) => {
      loop.nudge = resolve;
    });
    const free = loop.courier.options.inFlight - loop.tries.size;
    if (free > 0) {
      const due = await takeSome(loop, free);
      for (const delivery of due) start(loop, delivery);
      if (due.length === 0 && loop.tries.size === 0) return;
    }
    await Promise.race([...loop.tries, nudged]);
  }
  await Promise.all(loop.tries);
}

async function takeSome({ courier }: DeliveryLoop, limit: number): Promise<Delivery[]> {
  const { desk, options, restingUntil } = courier;
  // Usually nothing is due, and then nothing is written.
  const next = await nextRun(desk.store);
  if (next === undefined || next > desk.now()) return [];
  const resting = [...restingUntil].filter(([, until]) => until > Date.now()).map(([id]) => id);
  return desk.store.write((writer) =>
    takeDue(writer, {
      now: desk.now(),
      limit,
      leaseMs: options.timeoutMs + 2000,
      except: resting,
    }),
  );
}

function start({ courier, tries }: DeliveryLoop, delivery: Delivery): void {
  const attempt = tryOnce(courier, delivery)
    .catch((error: unknown) => console.error('stripe stand-in:', error))
    .then(() => {
      tries.delete(attempt);
    });
  tries.add(attempt);
}

async function sleepUntilDue(loop: DeliveryLoop): Promise<void> {
  const { desk, restingUntil, signal } = loop.courier;
  clearTimeout(loop.timer);
  const next = signal.aborted ? undefined : await nextRun(desk.store);
  if (next === undefined || signal.aborted) return;
  const rest = Math.max(0, ...[...restingUntil.values()].map((until) => until - Date.now()));
  // Every sleep is short, because a test may move the stand-in's clock.
  loop.timer = setTimeout(() => wake(loop), Math.min(Math.max(next - desk.now(), rest, 10), 1000));
  loop.timer.unref();
}
