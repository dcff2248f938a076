/**
 * Keeps the visitor's choice right when the server's state changes: seats lost, holds without an
 * answer, a changed drawing.
 */
import type { RenderingInfo } from '#server/standins/seatsio/wire.ts';
import type { Client } from './client.ts';
import type { Emit } from '#apps/chart/config.ts';
import type { HoldResult, HoldSession } from './hold.ts';
import { describeObject, nameOf, type ObjectSource } from '#apps/chart/places/objects.ts';
import type { Selection } from './selection.ts';
import type { Shell } from '#apps/chart/page/shell.ts';
import { words } from '#apps/chart/words.ts';

interface FollowWants {
  source: ObjectSource;
  selection: Selection;
  session: HoldSession;
  client: Client;
  shell: Shell;
  emit: Emit;
  signal: AbortSignal;
}

const reconcileAfter = 250;
const firstRetry = 500;
const lastRetry = 20_000;

export class Follower {
  readonly #wants: FollowWants;
  #reconcileTimer: ReturnType<typeof setTimeout> | undefined;
  /** Places whose hold was not answered: the server may hold them for this visitor. */
  readonly #doubtful = new Set<number>();

  constructor(wants: FollowWants) {
    this.#wants = wants;
    wants.signal.addEventListener('abort', () => clearTimeout(this.#reconcileTimer));
    addEventListener(
      'online',
      () => {
        if (this.#doubtful.size > 0) this.reconcileSoon();
      },
      { signal: wants.signal },
    );
  }

  /**
   * Repeats until the statuses are read, because the drawing would stay wrong without them; null
   * when the chart is gone.
   */
  async readChart(): Promise<RenderingInfo | null> {
    const { client, signal } = this.#wants;
    for (let pause = firstRetry; !signal.aborted; pause = Math.min(pause * 2, lastRetry)) {
      const info = await client.readChart().catch(() => null);
      if (info !== null) return signal.aborted ? null : info;
      await new Promise((resolve) => {
        setTimeout(resolve, pause);
      });
    }
    return null;
  }

  /** Applies a new status to a place that the visitor has chosen. */
  follow(i: number): void {
    if (this.#doubtful.has(i)) this.reconcileSoon();
    if (this.#wants.selection.total(i) === 0) return;
    const { session, emit, shell } = this.#wants;
    const { status, numHeld = 0 } = this.#wants.source.places.statusOf(i);
    const isArea = this.#wants.source.scene.counted[i] === 1;
    if (
      session.active &&
      (isArea ? numHeld >= this.#wants.selection.total(i) : status === 'reservedByToken')
    )
      return;
    if (isArea && !session.active) return;
    if (status === 'booked') {
      // Usually the page's own order has just booked the place: there is no warning, and the
      // page's list keeps it.
      this.#wants.selection.drop(i, true);
      emit('onSelectedObjectBooked', describeObject(this.#wants.source, i));
    } else if (session.active) {
      this.reconcileSoon();
    } else if (status !== 'free') {
      this.#wants.selection.drop(i);
      shell.say(words.lost, 'error');
      emit('onSelectedObjectUnavailable', describeObject(this.#wants.source, i));
    }
  }

  answered(i: number, result: HoldResult): void {
    if (result.ok) this.#doubtful.delete(i);
    else if (result.reason === 'offline') this.#doubtful.add(i);
    if (this.#doubtful.has(i)) this.reconcileSoon();
  }

  /**
   * Reads what the token holds, and repeats this until the server answers, because a message may
   * be older than our own hold.
   */
  reconcileSoon(after = reconcileAfter): void {
    clearTimeout(this.#reconcileTimer);
    const { session, shell, emit, signal } = this.#wants;
    if (!session.active || signal.aborted) return;
    this.#reconcileTimer = setTimeout(async () => {
      const { token } = session;
      const held = await session.readHeld().catch(() => undefined);
      if (signal.aborted || held === null || token !== session.token) return;
      if (held === undefined) return this.reconcileSoon(Math.min(after * 2, lastRetry));
      const lost = this.#wants.selection.reconcile(held);
      if (lost.length > 0) shell.say(words.lost, 'error');
      for (const i of lost)
        emit('onSelectedObjectUnavailable', describeObject(this.#wants.source, i));
      for (const i of this.#wants.selection.regain(held, this.#doubtful)) {
        this.#doubtful.delete(i);
        shell.say(words.held(nameOf(this.#wants.source.scene, i)));
      }
    }, after);
  }
}
