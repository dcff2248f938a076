/**
 * Joins marks into rows: each mark is linked to the neighbours that continue its line, then lines
 * are continued across aisles.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { distance } from '#server/drawing/geometry/vector.ts';
import { Near, medianOf } from './near.ts';
import { entryAt, entryOf } from '#server/drawing/model/entry.ts';

export interface Linkable extends Point {
  readonly label: string;
  readonly group: string;
  /** A row never leads from one section to another. */
  readonly section: string;
}

/** The preferred direction of rows if both would fit. */
export type Direction = 'any' | 'horizontal' | 'vertical';

interface Link<T> {
  a: T;
  b: T;
  cost: number;
}

/** The most usual distances between two neighbours, and across an aisle. */
const REACH = 1.75;
const AISLE = 4.5;
/** The sharpest bend of a row from one seat to the next, in degrees. */
const BEND = 42;

export function usualPitch(seats: readonly Point[]): number {
  const [first] = seats;
  if (!first || seats.length < 2) return 24;
  const xs = seats.map(({ x }) => x);
  const ys = seats.map(({ y }) => y);
  const span = (values: number[]) =>
    values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  const usual = Math.max(span(xs), span(ys)) / Math.sqrt(seats.length) || 1;
  // The first guess may be far too small, and is then enlarged.
  let pitch = usual;
  for (let round = 0; round < 4; round += 1) {
    const near = new Near(seats, pitch * 2);
    const steps = seats.flatMap((seat) => {
      const others = near.around(seat).filter((other) => other !== seat);
      const nearest = others.map((other) => distance(seat, other)).filter((step) => step > 1e-6);
      return nearest.length === 0 ? [] : [nearest.reduce((a, b) => Math.min(a, b))];
    });
    if (steps.length * 2 < seats.length) pitch *= 3;
    else return medianOf(steps);
  }
  return pitch;
}

/** The difference of two seat numbers: 1 for consecutive ones, 2 on a side of odd numbers. */
function follows(a: string, b: string): number | null {
  const step = Math.abs(Number(a) - Number(b));
  if (a === '' || b === '' || !Number.isFinite(step)) return null;
  return step;
}

function costOf(a: Linkable, b: Linkable, pitch: number, direction: Direction): number {
  const [dx, dy] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  const across = (direction === 'vertical' ? dx : dy) / Math.hypot(dx, dy);
  let cost = (Math.hypot(dx, dy) / pitch) * (1 + across * (direction === 'any' ? 0.08 : 1.2));
  if (a.group !== b.group) cost += 0.6;
  const step = follows(a.label, b.label);
  if (step === 1) cost -= 0.5;
  else if (step === 2) cost -= 0.3;
  else if (step !== null) cost += 0.8;
  return cost;
}

function bendAt(before: Point, at: Point, after: Point): number {
  const into = Math.atan2(at.y - before.y, at.x - before.x);
  const out = Math.atan2(after.y - at.y, after.x - at.x);
  const turn = Math.abs(out - into) * (180 / Math.PI);
  return Math.min(turn, 360 - turn);
}

/**
 * A growing set of lines; no seat has more than two neighbours, and no line closes or folds back.
 */
class Lines<T extends Linkable> {
  readonly links = new Map<T, T[]>();
  readonly #root = new Map<T, T>();

  constructor(seats: readonly T[]) {
    for (const seat of seats) {
      this.links.set(seat, []);
      this.#root.set(seat, seat);
    }
  }

  rootOf(seat: T): T {
    let root = seat;
    for (;;) {
      const next = entryOf(this.#root, root);
      if (next === root) return root;
      const above = entryOf(this.#root, next);
      this.#root.set(root, above);
      root = above;
    }
  }

  tryLink(a: T, b: T, bend: number): boolean {
    const [ofA, ofB] = [entryOf(this.links, a), entryOf(this.links, b)];
    if (ofA.length > 1 || ofB.length > 1) return false;
    const [rootA, rootB] = [this.rootOf(a), this.rootOf(b)];
    if (rootA === rootB) return false;
    if (ofA[0] && bendAt(ofA[0], a, b) > bend) return false;
    if (ofB[0] && bendAt(a, b, ofB[0]) > bend) return false;
    ofA.push(b);
    ofB.push(a);
    this.#root.set(rootA, rootB);
    return true;
  }

  /** All lines, each from one end to the other. */
  chains(): T[][] {
    const seen = new Set<T>();
    const chains: T[][] = [];
    for (const [seat, links] of this.links) {
      if (seen.has(seat) || links.length > 1) continue;
      const chain: T[] = [];
      for (
        let at: T | undefined = seat;
        at;
        at = entryOf(this.links, at).find((next) => !seen.has(next))
      ) {
        seen.add(at);
        chain.push(at);
      }
      chains.push(chain);
    }
    return chains;
  }
}

/** True if the line and the numbers of one end lead to the other. */
function linksAcross<T extends Linkable>(lines: Lines<T>, a: T, b: T): boolean {
  const [beforeA] = entryOf(lines.links, a);
  const [beforeB] = entryOf(lines.links, b);
  if (!beforeA || !beforeB) return false;
  const step = follows(a.label, b.label);
  if (step !== null && step > 2) return false;
  return bendAt(beforeA, a, b) < 20 && bendAt(a, b, beforeB) < 20;
}

export interface Chain<T> {
  readonly seats: readonly T[];
  /** Positions that are followed by an aisle. */
  readonly gaps: ReadonlySet<number>;
}

export function findChains<T extends Linkable>(
  seats: readonly T[],
  { pitch, direction }: { pitch: number; direction: Direction },
): Chain<T>[] {
  const order = new Map(seats.map((seat, index) => [seat, index]));
  const near = new Near(seats, pitch * AISLE);
  const close: Link<T>[] = [];
  const far: Link<T>[] = [];
  for (const a of seats)
    for (const b of near.around(a)) {
      const apart = distance(a, b);
      if (entryOf(order, b) <= entryOf(order, a) || a.section !== b.section) continue;
      if (apart > pitch * AISLE || apart < 1e-6) continue;
      const link = { a, b, cost: costOf(a, b, pitch, direction) };
      (apart <= pitch * REACH ? close : far).push(link);
    }
  const lines = new Lines(seats);
  for (const { a, b } of close.toSorted((one, other) => one.cost - other.cost))
    lines.tryLink(a, b, BEND);
  for (const { a, b } of far.toSorted((one, other) => one.cost - other.cost))
    if (linksAcross(lines, a, b)) lines.tryLink(a, b, 20);
  return lines.chains().map((chain) => {
    const steps = chain.slice(1).map((seat, at) => distance(entryAt(chain, at), seat));
    const usual = medianOf(steps);
    const gaps = steps.flatMap((step, at) => (step > usual * 1.6 ? [at] : []));
    return { seats: chain, gaps: new Set(gaps) };
  });
}
