/** The visitor's choice: map, list and page choose and give back only through this class. */
import { placeLabel } from '#apps/chart/scene/scene.ts';
import type { HeldObject, WireStatus } from '#server/standins/seatsio/wire.ts';
import type { Want } from '#apps/chart/places/chosen.ts';
import type { PlaceState } from '#apps/chart/places/event-group.ts';
import type { HoldFailure } from './hold.ts';
import { SelectionState } from './selection-state.ts';
import { words } from '#apps/chart/words.ts';

export class Selection extends SelectionState {
  /** Shows the place as chosen immediately and then holds it; false when it was not available. */
  select(i: number, type = ''): Promise<boolean> {
    return this.take([{ place: i, type, count: 1 }]);
  }

  /**
   * Chooses several in one call. Unavailable ones are left out, or with `together` nothing is
   * chosen. True when all were available.
   */
  async take(asked: readonly Want[], { together = false } = {}): Promise<boolean> {
    const { session, signal, say } = this.wants;
    if (!session.active && session.wanted && asked.some((want) => this.canTake(want))) {
      const open = await session.reopen();
      if (signal.aborted) return false;
      if (!open) {
        say(words.sessionFailed, 'error');
        return false;
      }
    }
    const begun: (Want & { act: number })[] = [];
    let refused: number | null = null;
    for (const want of asked) {
      const fits = this.canTake(want);
      const left = this.leftFor(want);
      if (fits && left >= want.count) {
        this.chosen.add(want);
        begun.push({ ...want, act: this.begin(want.place) });
        continue;
      }
      if (fits) refused ??= left;
      if (!together) continue;
      for (const want of begun) this.chosen.remove(want);
      begun.length = 0;
      break;
    }
    if (refused !== null) this.refuseLimit(refused);
    if (begun.length === 0) return false;
    for (const want of begun) this.tell('onObjectSelected', want);
    this.validate();
    const all = begun.length === asked.length;
    const held = begun.filter(({ place }) => this.isHeld(place));
    if (held.length === 0) say(this.sentence(begun, words.selected));
    return (await this.#hold(held, together)) && all;
  }

  async #hold(wants: (Want & { act: number })[], together: boolean): Promise<boolean> {
    const [first] = wants;
    if (first === undefined) return true;
    const { session, signal, say } = this.wants;
    const known = this.wants.places.statusOf(first.place);
    for (const { place } of wants) this.wait(place, 1);
    const result = await session.hold(wants.map((want) => this.asHeld(want)));
    if (signal.aborted) return false;
    for (const { place } of wants) {
      this.wait(place, -1);
      this.wants.answered(place, result);
    }
    if (result.ok) {
      this.put(result.statuses);
      say(this.sentence(wants, words.held));
      this.tellCall('onHoldSucceeded', wants);
      return true;
    }
    // If one of them was taken, each is requested separately.
    if (result.reason === 'taken' && wants.length > 1 && !together)
      return (await Promise.all(wants.map((want) => this.#hold([want], false)))).every(Boolean);
    // For several places the answer does not say which one was taken.
    if (result.reason === 'taken' && wants.length === 1) this.#markTaken(first.place, known);
    const undone = wants.filter(
      (want) =>
        this.wants.scene.counted[want.place] === 1 || this.acts.get(want.place) === want.act,
    );
    for (const want of undone) this.#undo(want);
    if (undone.length > 0) this.#sayWhy(result, wants.length > 1 ? null : first);
    this.tellCall('onHoldFailed', wants);
    return false;
  }

  #undo({ place, type, count }: Want): void {
    if (this.chosen.remove({ place, type, count }) > 0)
      this.tell('onObjectDeselected', { place, type });
    this.validate();
  }

  /**
   * A refused seat must not look free until the stream brings its status. If the stream already
   * has, the status is no longer `known`.
   */
  #markTaken(place: number, known: PlaceState): void {
    const { scene, places } = this.wants;
    if (scene.counted[place] === 0 && places.statusOf(place) === known)
      this.put([{ ...known, label: placeLabel(scene, place), status: 'reservedByToken' }]);
  }

  /** `only` is null when several places were requested. */
  #sayWhy({ reason }: HoldFailure, only: Want | null): void {
    const { scene, say } = this.wants;
    const takenOne = only && scene.counted[only.place] === 1 ? words.takenArea : words.taken;
    const taken = only === null ? words.lost : takenOne;
    // An expired session has its own dialog.
    if (reason === 'expired') return;
    const { noneLeft: limit, crowded, offline } = words;
    say({ taken, limit, crowded, offline }[reason], 'error');
  }

  /**
   * Gives back all places of an object, or those of one ticket type; false when the server was
   * not reached.
   */
  deselect(i: number, only?: string): Promise<boolean> {
    return this.giveBack(
      this.chosen.wantsOf([i]).filter(({ type }) => only === undefined || type === only),
    );
  }

  /** Gives back several, or all, in one call. */
  async giveBack(asked: readonly Want[] = this.chosen.wantsOf()): Promise<boolean> {
    const { say, signal } = this.wants;
    const gone: (Want & { act: number })[] = [];
    for (const want of asked) {
      const count = this.chosen.remove(want);
      if (count > 0) gone.push({ ...want, count, act: this.begin(want.place) });
    }
    if (gone.length === 0) return true;
    for (const want of firstOfEach(gone)) this.tell('onObjectDeselected', want);
    this.validate();
    say(this.sentence(gone, words.released));
    const held = gone.filter(({ place }) => this.isHeld(place));
    if (held.length === 0) return true;
    const done = await this.#release(held);
    return done || signal.aborted;
  }

  async #release(wants: (Want & { act: number })[]): Promise<boolean> {
    const { session, signal, say } = this.wants;
    for (const { place } of wants) this.wait(place, 1);
    const result = await session.release(wants.map((want) => this.asHeld(want)));
    if (signal.aborted) return false;
    for (const { place } of wants) this.wait(place, -1);
    if (result.ok) {
      this.put(result.statuses);
      this.tellCall('onReleaseHoldSucceeded', wants);
      return true;
    }
    const objects = new Set(wants.map(({ place }) => place));
    if (result.reason === 'taken' && objects.size > 1) {
      return (
        await Promise.all(
          [...objects].map((place) => this.#release(wants.filter((want) => want.place === place))),
        )
      ).every(Boolean);
    }
    // After a refusal the place was no longer ours; after no answer it may still be held.
    if (result.reason === 'offline') {
      const back = wants.filter(({ place, act }) => this.acts.get(place) === act);
      for (const want of back) this.chosen.add(want);
      for (const want of firstOfEach(back)) this.tell('onObjectSelected', want);
      this.validate();
      say(words.releaseFailed, 'error');
    }
    this.tellCall('onReleaseHoldFailed', wants);
    return result.reason !== 'offline';
  }

  /** Adds what the server already holds for us, without calling it. */
  adopt(held: HeldObject[]): void {
    for (const { objectId, quantity, ticketType } of held) {
      const place = this.wants.scene.byLabel.get(objectId);
      if (place === undefined) continue;
      const type = this.knownType(place, ticketType);
      this.chosen.add({ place, type, count: quantity });
      this.tell('onObjectSelected', { place, type });
    }
    if (held.length > 0) this.validate();
  }

  /** Adds what was found and held in one call. */
  adoptHeld(held: HeldObject[], statuses: WireStatus[]): void {
    const { scene, say } = this.wants;
    this.put(statuses);
    this.adopt(held);
    const wants = held.flatMap(({ objectId, ticketType = '', quantity }): Want[] => {
      const place = scene.byLabel.get(objectId);
      return place === undefined ? [] : [{ place, type: ticketType, count: quantity }];
    });
    say(this.sentence(wants, words.held));
    this.tellCall('onHoldSucceeded', wants);
  }

  /**
   * Adds what the server holds of the doubtful places beyond the present choice, and returns
   * those places.
   */
  regain(held: HeldObject[], doubtful: ReadonlySet<number>): number[] {
    const { scene, places } = this.wants;
    const more = held.flatMap((object): HeldObject[] => {
      const i = scene.byLabel.get(object.objectId) ?? -1;
      if (!doubtful.has(i) || places.isPending(i)) return [];
      const quantity =
        object.quantity - (this.counts(i).get(this.knownType(i, object.ticketType)) ?? 0);
      return quantity > 0 ? [{ ...object, quantity }] : [];
    });
    this.adopt(more);
    return more.flatMap(({ objectId }) => scene.byLabel.get(objectId) ?? []);
  }

  /** Removes a place without calling the server; `quietly`: the page's own list keeps it. */
  drop(i: number, quietly = false): void {
    const [type] = this.counts(i).keys();
    if (type === undefined) return;
    this.begin(i);
    this.chosen.forget(i);
    if (!quietly) this.tell('onObjectDeselected', { place: i, type });
    this.validate();
  }

  dropAll(): void {
    for (const i of this.all) this.drop(i);
  }

  /** Compares the choice with what the server holds for us, and returns the lost places. */
  reconcile(held: HeldObject[]): number[] {
    const { scene, places } = this.wants;
    const lost: number[] = [];
    for (const i of this.all) {
      if (places.isPending(i) || !this.isHeld(i)) continue;
      const there = held
        .filter(({ objectId }) => objectId === scene.labels[i])
        .reduce((count, { quantity }) => count + quantity, 0);
      if (there >= this.total(i)) continue;
      lost.push(i);
      if (there === 0) this.drop(i);
      else
        for (const type of this.counts(i).keys())
          this.chosen.remove({ place: i, type, count: this.total(i) - there });
    }
    return lost;
  }

  /** Marks places as chosen whatever their status, without holding: for a read-only chart. */
  mark(wants: readonly Want[]): void {
    for (const want of wants) {
      if (this.total(want.place) > 0) continue;
      this.chosen.add(want);
      this.tell('onObjectSelected', want);
    }
  }

  /** Gives back what the settings no longer offer. */
  async giveBackWithdrawn(): Promise<void> {
    const { places } = this.wants;
    await this.giveBack(this.chosen.wantsOf(this.all.filter((i) => !places.mayStay(i))));
  }
}

function firstOfEach(wants: readonly Want[]): Want[] {
  const seen = new Set<number>();
  return wants.filter(({ place }) => seen.size < seen.add(place).size);
}
