/** A stadium of any size for benchmarks and trials: rings of equal sections around a field. */
import { drawBlock, ROW_PITCH, SEAT_PITCH } from './bowl.ts';
import { distanceOf, drawOval, markAt } from './curve.ts';
import { drawChart, drawRectangle, drawSubChart } from './parts.ts';
import type { FileDrawing, Section } from './parts.ts';

const KEY = 'stadio';
const RING_GAP = 40;
const PALETTE = ['#4f8ef7', '#e8a33d', '#2fb5a0', '#d9657d', '#9273c9', '#7fa83a'];
/** One section for each of four sides and four corners. */
const FEWEST = 8;

/**
 * Exactly `seats` places in exactly `sections` sections, whose sizes differ by at most one.
 * @throws RangeError when there are too few sections, or fewer seats than sections
 */
export function drawStadium({ seats, sections }: { seats: number; sections: number }): FileDrawing {
  if (
    !Number.isInteger(seats) ||
    !Number.isInteger(sections) ||
    sections < FEWEST ||
    seats < sections
  )
    throw new RangeError(
      `At least ${FEWEST} sections and as many seats as sections are needed, found: ${sections} sections, ${seats} seats`,
    );
  const rings = Math.max(1, Math.round(Math.sqrt(sections / 8)));
  const perRing = Math.ceil(sections / rings);
  // The sections of the first ring are about as wide as deep, which determines the size of the
  // field.
  const breadth = Math.max(90, Math.sqrt((seats / sections) * SEAT_PITCH * ROW_PITCH) + 50);
  const width = (perRing * breadth) / 4.2;
  const size = { width, height: 1.35 * width, radius: 0.3 * width };
  const middle = { x: 0, y: 0 };
  const oval = drawOval(middle, size);
  const drawn: Section[] = [];
  let offset = 40;
  for (let ring = 0; drawn.length < sections; ring += 1) {
    const here = Math.min(perRing, sections - drawn.length);
    const length = distanceOf(oval, offset + breadth / 2, oval.length);
    const markOf = (at: number) => markAt(oval, offset + breadth / 2, (at * length) / here);
    let depth = 0;
    for (let at = 0; at < here; at += 1) {
      const index = drawn.length;
      const section = drawBlock(KEY, `Settore ${(ring + 1) * 100 + at + 1}`, {
        seats:
          Math.floor(((index + 1) * seats) / sections) - Math.floor((index * seats) / sections),
        block: {
          curve: oval,
          from: markOf(at),
          to: markOf(at + 1),
          offset,
          categoryKey: (ring % PALETTE.length) + 1,
          entrance: `Varco ${at + 1}`,
        },
      });
      depth = Math.max(depth, section.subChart.rows.length * ROW_PITCH);
      drawn.push(section);
    }
    offset += depth + RING_GAP;
  }
  return place(drawn, { rings, field: size, middle });
}

/** Moves everything so that the drawing begins near the origin. */
function place(
  sections: Section[],
  {
    rings,
    field,
    middle,
  }: {
    rings: number;
    field: { width: number; height: number; radius: number };
    middle: { x: number; y: number };
  },
): FileDrawing {
  const points = sections.flatMap((section) => section.points);
  const low = { x: Infinity, y: Infinity };
  const high = { x: -Infinity, y: -Infinity };
  for (const { x, y } of points) {
    Object.assign(low, { x: Math.min(low.x, x), y: Math.min(low.y, y) });
    Object.assign(high, { x: Math.max(high.x, x), y: Math.max(high.y, y) });
  }
  const move = ({ x, y }: { x: number; y: number }) => ({ x: x - low.x + 40, y: y - low.y + 40 });
  return drawChart('Stadio', {
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: PALETTE.slice(0, rings).map((color, index) => ({
      key: index + 1,
      label: `Anello ${index + 1}`,
      color,
      accessible: false,
    })),
    subChart: drawSubChart(high.x - low.x + 80, high.y - low.y + 80, {
      focalPoint: move(middle),
      sections: sections.map((section) => ({
        ...section,
        points: section.points.map(move),
        topLeft: move(section.topLeft),
      })),
      shapes: [
        drawRectangle(KEY, move(middle), {
          width: field.width - 30,
          height: field.height - 30,
          smartType: 'stage',
          label: 'Campo',
          fillColor: '#3c7a4b',
          cornerRadius: field.radius,
        }),
      ],
    }),
  });
}
