/** Places that pulse to attract attention; with reduced motion the ring does not move. */
const beatTime = 1200;

export class Pulse {
  readonly places = new Set<number>();
  /** The progress of the current beat, 0 … 1. */
  beat = 0;
  readonly #paint: () => void;
  #frame = 0;

  constructor(paint: () => void) {
    this.#paint = paint;
  }

  add(places: readonly number[]): void {
    for (const i of places) this.places.add(i);
    if (
      this.#frame === 0 &&
      this.places.size > 0 &&
      !matchMedia('(prefers-reduced-motion: reduce)').matches
    )
      this.#frame = requestAnimationFrame(this.#step);
  }

  remove(places: readonly number[]): void {
    for (const i of places) this.places.delete(i);
    if (this.places.size === 0) this.stop();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.beat = 0;
  }

  readonly #step = (now: number) => {
    this.beat = (now % beatTime) / beatTime;
    this.#frame = requestAnimationFrame(this.#step);
    this.#paint();
  };
}
