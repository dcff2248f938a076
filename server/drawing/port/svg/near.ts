/** Finds near points with a grid, so that fifty thousand points need not be compared in pairs. */
import type { Point } from '#server/drawing/model/data.ts';

/** More marks in one spot than this are not compared. */
const MOST_IN_CELL = 60;

export class Near<T extends Point> {
  readonly #size: number;
  readonly #cells = new Map<string, T[]>();

  constructor(points: Iterable<T>, size: number) {
    this.#size = Math.max(size, 1e-6);
    for (const point of points) this.add(point);
  }

  add(point: T): void {
    const key = this.#keyOf(Math.floor(point.x / this.#size), Math.floor(point.y / this.#size));
    const cell = this.#cells.get(key);
    if (!cell) this.#cells.set(key, [point]);
    else if (cell.length < MOST_IN_CELL) cell.push(point);
  }

  #keyOf(x: number, y: number): string {
    return `${x} ${y}`;
  }

  /** The points within one cell's size of a point, and some more. */
  around({ x, y }: Point): T[] {
    const [column, line] = [Math.floor(x / this.#size), Math.floor(y / this.#size)];
    const found: T[] = [];
    for (let dx = -1; dx <= 1; dx += 1)
      for (let dy = -1; dy <= 1; dy += 1)
        found.push(...(this.#cells.get(this.#keyOf(column + dx, line + dy)) ?? []));
    return found;
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
