/** Blocks of seats around an arena: rows parallel to a curve, between two stairs. */
import { distanceOf, drawBand, spotAt } from './curve.ts';
import { drawRow, drawSection } from './parts.ts';
import type { Curve, Mark } from './curve.ts';
import type { Point } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { Row, Section } from './parts.ts';

export const SEAT_PITCH = 20;
export const ROW_PITCH = 26;
/** The distance from the last seat of a row to the middle of the stairs. */
const STAIRS = 22;
const EDGE = 16;

interface Block {
  curve: Curve;
  from: Mark;
  to: Mark;
  /** The first row's offset from the curve; further rows lie outwards. */
  offset: number;
  categoryKey: number;
  zone?: string;
  entrance?: string;
}

function seatsOn({ curve, from, to }: Block, offset: number, most = Infinity): Point[] {
  const [start, end] = [
    distanceOf(curve, offset, from) + STAIRS,
    distanceOf(curve, offset, to) - STAIRS,
  ];
  const count = Math.min(most, Math.max(0, Math.floor((end - start) / SEAT_PITCH) + 1));
  const first = (start + end - (count - 1) * SEAT_PITCH) / 2;
  return Array.from({ length: count }, (_, place) => {
    const { x, y } = spotAt(curve, offset, first + place * SEAT_PITCH);
    return { x, y };
  });
}

/**
 * With `seats`: as many rows as these need, of which the last may be short; with `rows`: that
 * many full rows. Rows are numbered from the front.
 */
export function drawBlock(
  chart: string,
  label: string,
  { block, rows: wanted, seats = Infinity }: { block: Block; rows?: number; seats?: number },
): Section {
  const rows: Row[] = [];
  for (let left = seats; left > 0 && rows.length < (wanted ?? Infinity);) {
    const at = seatsOn(block, block.offset + rows.length * ROW_PITCH, left);
    if (at.length === 0) throw new Error(`${label} is too narrow for a seat`);
    left -= at.length;
    rows.push(
      drawRow(chart, `${label} ${rows.length + 1}`, { label: String(rows.length + 1), at }),
    );
  }
  const { curve, from, to, offset, ...about } = block;
  return drawSection(chart, label, {
    ...about,
    rows,
    labelSize: 60,
    points: drawBand(curve, [offset - EDGE, offset + (rows.length - 1) * ROW_PITCH + EDGE], {
      from,
      to,
      aside: STAIRS - EDGE,
    }),
  });
}

export function depthOf(rows: number): number {
  return (rows - 1) * ROW_PITCH + 2 * EDGE;
}
