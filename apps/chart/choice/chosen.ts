/** The bare list of what is chosen: how many places of each object, by ticket type; it asks nobody and tells one. */
import type { Scene } from '#apps/chart/scene/scene.ts';

export type Counts = ReadonlyMap<string, number>;

/** Places of an object, of one ticket type ('' for none). */
export interface Want { place: number; type: string; count: number }

const none: Counts = new Map();

export class Chosen {
  /** Labels in the order of choosing. */
  labels: string[] = [];
  readonly #scene: Scene;
  readonly #changed: (i: number) => void;
  readonly #counts = new Map<number, Map<string, number>>();

  constructor(scene: Scene, changed: (i: number) => void) {
    this.#scene = scene;
    this.#changed = changed;
  }

  /** Keeps the labels in the array that the page already holds. */
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

  get placeCount(): number {
    return this.all.reduce((count, i) => count + this.total(i), 0);
  }

  /** Everything, or one object's places, as what would have to be given back. */
  wantsOf(places: readonly number[] = this.all): Want[] {
    return places.flatMap((place) => [...this.counts(place)].map(([type, count]) => ({ place, type, count })));
  }

  add({ place, type, count }: Want): void {
    const counts = this.#counts.get(place) ?? new Map<string, number>();
    counts.set(type, (counts.get(type) ?? 0) + count);
    this.#counts.set(place, counts);
    this.#relabel(place);
  }

  /** At most `count`; returns how many there were. */
  remove({ place, type, count }: Want): number {
    const counts = this.#counts.get(place);
    const have = counts?.get(type) ?? 0;
    const removed = Math.min(have, count);
    if (!counts || removed === 0) return 0;
    if (removed === have) counts.delete(type);
    else counts.set(type, have - removed);
    if (counts.size === 0) this.#counts.delete(place);
    this.#relabel(place);
    return removed;
  }

  forget(place: number): void {
    this.#counts.delete(place);
    this.#relabel(place);
  }

  #relabel(i: number): void {
    const label = this.#scene.labels[i]!;
    const at = this.labels.indexOf(label);
    const is = this.#counts.has(i);
    if (is && at < 0) this.labels.push(label);
    if (!is && at >= 0) this.labels.splice(at, 1);
    this.#changed(i);
  }
}
