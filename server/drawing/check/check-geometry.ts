/**
 * Checks the positions of a drawing's seats: whether they overlap, or lie outside their section.
 */
import { isInside } from '#server/drawing/geometry/hull.ts';
import { count, quote, SEATS } from './findings.ts';
import type { Point } from '#server/drawing/model/data.ts';
import type { Mark, Report } from './findings.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

export interface PlacedSeat extends Point {
  label: string;
  row: number;
  /** The seat's position in the row. */
  index: number;
}

/** A row or the chairs of a table, with the usual distance between neighbours. */
interface PlacedRow {
  where: string;
  pitch: number;
  raw: object;
}

/** All seats of one floor; coordinates are absolute. */
export interface Placed {
  rows: PlacedRow[];
  seats: PlacedSeat[];
}

/** Two seats that are nearer than this share of their rows' usual distance cover each other. */
const COVERED = 0.7;
const SAME_SPOT = 0.5;
/**
 * Seats in one spot, or overlapping rows, beyond this number are not compared: no hall has so
 * many, and the search would take minutes.
 */
const MOST_IN_CELL = 100;
const MOST_PAIRS = 1000;

interface Pair {
  a: number;
  b: number;
  labels: Set<string>;
  seats: PlacedSeat[];
  same: boolean;
}

export function pitchOf(seats: readonly Point[]): number {
  const steps = seats
    .slice(1)
    .map((seat, index) =>
      Math.hypot(seat.x - entryAt(seats, index).x, seat.y - entryAt(seats, index).y),
    )
    .filter((step) => step > SAME_SPOT)
    .toSorted((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)] ?? Infinity;
}

/**
 * Reports seats on one spot as an error and seats that cover each other as a warning, once per
 * pair of rows.
 */
export function checkOverlaps({ rows, seats }: Placed, report: Report): void {
  const pitches = rows
    .map(({ pitch }) => pitch)
    .filter((pitch) => pitch < Infinity)
    .toSorted((a, b) => a - b);
  const usual = pitches[Math.floor(pitches.length / 2)] ?? 20;
  // A row's usual distance counts up to a limit only, because the grid below must stay fine.
  const sizes = rows.map(({ pitch }) =>
    pitch === Infinity ? usual : Math.min(pitch, usual * 1.5),
  );
  const reach = Math.max(1, COVERED * 1.5 * usual);
  const grid = new Map<number, PlacedSeat[]>();
  const keyOf = (x: number, y: number) => Math.floor(x / reach) * 1_000_003 + Math.floor(y / reach);
  const pairs = new Map<string, Pair>();
  for (const seat of seats) {
    if (pairs.size >= MOST_PAIRS) break;
    for (let dx = -1; dx <= 1; dx += 1) {
      for (let dy = -1; dy <= 1; dy += 1) {
        for (const other of grid.get(keyOf(seat.x + dx * reach, seat.y + dy * reach)) ?? []) {
          const distance = Math.hypot(seat.x - other.x, seat.y - other.y);
          const near = COVERED * Math.min(entryAt(sizes, seat.row), entryAt(sizes, other.row));
          if (distance >= near) continue;
          const same = distance < SAME_SPOT;
          const id = `${other.row} ${seat.row} ${same}`;
          const known = pairs.get(id);
          if (known) {
            known.labels.add(seat.label);
            known.seats.push(seat);
          } else
            pairs.set(id, {
              a: other.row,
              b: seat.row,
              labels: new Set([seat.label]),
              seats: [seat],
              same,
            });
        }
      }
    }
    const key = keyOf(seat.x, seat.y);
    const there = grid.get(key);
    if (there && there.length < MOST_IN_CELL) there.push(seat);
    else if (!there) grid.set(key, [seat]);
  }
  for (const { a, b, labels: named, seats: covered, same } of pairs.values()) {
    const marks: Mark[] = [{ raw: entryAt(rows, b).raw, seats: covered.map(({ index }) => index) }];
    const labels = [...named];
    const others = a === b ? 'della stessa fila' : `(${entryAt(rows, a).where})`;
    const who = labels.length === 1 ? `il posto ${quote(labels)}` : `i posti ${quote(labels)}`;
    const verb =
      labels.length === 1
        ? ['sta nello stesso punto di altri', 'si sovrappone ad altri']
        : ['stanno nello stesso punto di altri', 'si sovrappongono ad altri'];
    if (same) report.error(entryAt(rows, b).where, `${who} ${verb[0]} ${others}`, marks);
    else report.warn(entryAt(rows, b).where, `${who} ${verb[1]} ${others}`, marks);
  }
}

/** Checks the seats of one row against their section's outline. */
export function checkOutline(
  where: string,
  { raw, seats, outline }: { raw: object; seats: readonly PlacedSeat[]; outline: readonly Point[] },
  report: Report,
): void {
  const outside = seats.filter((seat) => !isInside(outline, seat));
  const marks = [{ raw, seats: outside.map(({ index }) => index) }];
  if (outside.length === seats.length && seats.length > 1)
    report.warn(where, 'tutta la fila sta fuori dal contorno del settore', marks);
  else if (outside.length > 0)
    report.warn(
      where,
      `${count(outside.length, SEATS)} fuori dal contorno del settore: ${quote(outside.map(({ label }) => label))}`,
      marks,
    );
}
