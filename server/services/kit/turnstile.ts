/** Lets a fixed number of calls run together; others wait, and are refused if too many do. */
import { Refusal } from '#server/domain/refusal.ts';

export class Turnstile {
  readonly #width: number;
  readonly #longest: number;
  #inside = 0;
  #waiting: (() => void)[] = [];

  constructor(width: number, longest: number) {
    this.#width = width;
    this.#longest = longest;
  }

  /** @throws Refusal try_again if too many wait already, and whatever `work` throws */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) await this.#wait();
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#longest) throw new Refusal('try_again');
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
