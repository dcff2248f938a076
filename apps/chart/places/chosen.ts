/** The list of chosen objects alone: the number of places of each, by ticket type. */
import { placeLabel, type Scene } from '#apps/chart/scene/scene.ts';

export type Counts = ReadonlyMap<string, number>;

/** A number of places of an object with one ticket type ('' for none). */
export interface Want {
  place: number;
  type: string;
  count: number;
}

const none: Counts = new Map();

export class Chosen {
  /** Labels in the order of choosing. */
  labels: string[] = [];
  /** The number of all chosen places. */
  placeCount = 0;
  readonly #scene: Scene;
  readonly #changed: (i: number) => void;
  readonly #counts = new Map<number, Map<string, number>>();

  constructor(scene: Scene, changed: (i: number) => void) {
    this.#scene = scene;
    this.#changed = changed;
  }

  /** Fills the array that the page already holds. */
  mirror(labels: string[]): void {
    labels.splice(0, labels.length, ...this.labels);
    this.labels = labels;
  }

  counts(i: number): Counts {
    return this.#counts.get(i) ?? none;
  }

  total(i: number): number {
    let all = 0;
    for (const count of this.counts(i).values()) all += count;
    return all;
  }

  get all(): number[] {
    return [...this.#counts.keys()];
  }

  /** Everything chosen, or what is chosen of some objects, in the form for giving it back. */
  wantsOf(places: readonly number[] = this.all): Want[] {
    return places.flatMap((place) =>
      [...this.counts(place)].map(([type, count]) => ({ place, type, count })),
    );
  }

  add({ place, type, count }: Want): void {
    let counts = this.#counts.get(place);
    if (!counts) {
      counts = new Map();
      this.#counts.set(place, counts);
      this.labels.push(placeLabel(this.#scene, place));
    }
    counts.set(type, (counts.get(type) ?? 0) + count);
    this.placeCount += count;
    this.#changed(place);
  }

  /** Removes at most `count` places; returns how many were removed. */
  remove({ place, type, count }: Want): number {
    const counts = this.#counts.get(place);
    const have = counts?.get(type) ?? 0;
    const removed = Math.min(have, count);
    if (!counts || removed === 0) return 0;
    if (removed === have) counts.delete(type);
    else counts.set(type, have - removed);
    this.placeCount -= removed;
    if (counts.size === 0) this.#unlist(place);
    this.#changed(place);
    return removed;
  }

  forget(place: number): void {
    this.placeCount -= this.total(place);
    this.#unlist(place);
    this.#changed(place);
  }

  #unlist(place: number): void {
    if (!this.#counts.delete(place)) return;
    this.labels.splice(this.labels.indexOf(placeLabel(this.#scene, place)), 1);
  }
}
