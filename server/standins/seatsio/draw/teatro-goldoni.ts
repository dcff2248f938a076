/** The Teatro Goldoni: a theatre with two tiers of boxes and two galleries; 639 places. */
import { distanceOf, drawBand, drawHorseshoe, spotAt } from './curve.ts';
import {
  drawChart,
  drawRectangle,
  drawRow,
  drawSection,
  drawStalls,
  drawSubChart,
  outlineOf,
  uuidOf,
  markWheelchairs,
  markAisles,
} from './parts.ts';
import type { Point } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { FileDrawing, Row, Section, Shape } from './parts.ts';
import { entryAt } from '#server/drawing/model/entry.ts';
import { onCircle } from '#server/drawing/geometry/vector.ts';

const KEY = 'teatro-goldoni';
const WIDTH = 960;
const HEIGHT = 1216;
const MIDDLE = WIDTH / 2;
/** Where the horseshoe's straight sides end and its half circle begins. */
const CENTRE: Point = { x: MIDDLE, y: 520 };
/** The first row of the platea, and the distance between rows. */
const FIRST_ROW = 232;
const ROW_PITCH = 33;
const HORSESHOE = drawHorseshoe(CENTRE, { side: 324, lean: 0 });

/** Sixteen curved rows with an aisle in the middle; they widen, then follow the horseshoe. */
function drawPlatea(): Section {
  const eye: Point = { x: MIDDLE, y: -760 };
  const rows = drawStalls(KEY, {
    halves: [7, 8, 8, 9, 9, 10, 10, 10, 10, 10, 10, 10, 9, 9, 8, 7],
    eye,
    first: FIRST_ROW - eye.y,
    depth: ROW_PITCH,
    pitch: 24,
    aisle: 38,
  });
  // Wheelchair places without a step in the way, each beside a seat for a companion.
  for (const end of [0, -1]) markWheelchairs(entryAt(rows, end).seats);
  return drawSection(KEY, 'Platea', {
    categoryKey: 1,
    entrance: 'Ingresso platea',
    points: outlineOf(
      rows.flatMap((row) => row.seats),
      22,
    ),
    rows,
    labelSize: 40,
  });
}

/** A tier of seventeen four-chair boxes; number 9, opposite the stage, is the royal box. */
function drawTier(label: string, { radius, pitch }: { radius: number; pitch: number }): Section {
  const boxes = 17;
  const length = distanceOf(HORSESHOE, radius, 3);
  const rows: Row[] = [];
  const shapes: Shape[] = [];
  for (let box = 0; box < boxes; box += 1) {
    const middle = ((box + 0.5) / boxes) * length;
    const at = [-1.5, -0.5, 0.5, 1.5].map((step) =>
      spotAt(HORSESHOE, radius, middle + step * pitch),
    );
    const row = drawRow(KEY, `${label} ${box + 1}`, {
      label: String(box + 1),
      at,
      displayObjectType: 'Palco',
    });
    // The boxes beside the stage show only a part of it.
    if (box < 2 || box >= boxes - 2) for (const seat of row.seats) seat.restrictedView = true;
    rows.push(row);
    const { degrees, ...center } = spotAt(HORSESHOE, radius, middle);
    shapes.push(
      drawRectangle(KEY, center, {
        width: length / boxes - 6,
        height: 38,
        rotationAngle: -degrees,
      }),
    );
  }
  return drawSection(KEY, label, {
    categoryKey: 2,
    entrance: 'Scala palchi',
    points: drawBand(HORSESHOE, [radius - 26, radius + 26], { from: 0, to: 3 }),
    rows,
    shapes,
    labelSize: 22,
  });
}

function band(inner: number, outer: number, degrees: number): Point[] {
  const arc = (radius: number) =>
    Array.from({ length: 25 }, (_, step) =>
      onCircle(CENTRE, radius, -degrees + (step / 24) * 2 * degrees),
    );
  return [...arc(outer), ...arc(inner).reverse()];
}

/** Four rows on the curve behind the boxes, cut by two stairs. */
function drawGalleria(): Section {
  const pitch = 23.5;
  const blocks = [
    [-54, -20],
    [-16.5, 16.5],
    [20, 54],
  ] as const;
  const radii = { A: 452, B: 479, C: 506, D: 533 };
  const rows = Object.entries(radii).map(([label, radius]) => {
    const step = (pitch / radius) * (180 / Math.PI);
    const parts = blocks.map(([from, to]) => {
      const count = Math.floor((to - from) / step) + 1;
      const first = (from + to) / 2 - ((count - 1) / 2) * step;
      return Array.from({ length: count }, (_, place) =>
        onCircle(CENTRE, radius, first + place * step),
      );
    });
    const row = drawRow(KEY, `Galleria ${label}`, { label, at: parts.flat() });
    markAisles(row.seats, parts);
    return row;
  });
  return drawSection(KEY, 'Galleria', {
    categoryKey: 3,
    entrance: 'Scala galleria',
    points: band(431, 554, 57),
    rows,
    labelSize: 32,
  });
}

export function drawTeatroGoldoni(): FileDrawing {
  return drawChart('Teatro Goldoni', {
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: [
      { key: 1, label: 'Platea', color: '#4f8ef7', accessible: false },
      { key: 2, label: 'Palchi', color: '#e8a33d', accessible: false },
      { key: 3, label: 'Galleria', color: '#2fb5a0', accessible: false },
    ],
    subChart: drawSubChart(WIDTH, HEIGHT, {
      // The focal point lies in the fifth row (RULES S4). If it were on the stage, the ends of a
      // row would come before the middle of the next row.
      focalPoint: { x: MIDDLE, y: FIRST_ROW + 4 * ROW_PITCH },
      sections: [
        drawPlatea(),
        drawTier('Palchi I ordine', { radius: 324, pitch: 22.5 }),
        drawTier('Palchi II ordine', { radius: 386, pitch: 24 }),
        drawGalleria(),
      ],
      generalAdmissionAreas: [
        {
          uuid: uuidOf(KEY, 'Loggione'),
          label: 'Loggione',
          capacity: 60,
          categoryKey: 3,
          type: 'polygon',
          center: { x: MIDDLE, y: CENTRE.y + 610 },
          points: band(580, 662, 25),
          rotationAngle: 0,
          bookAsAWhole: false,
          variableOccupancy: false,
          labelSize: 28,
          labelShown: true,
          entrance: 'Scala galleria',
        },
      ],
      shapes: [
        drawRectangle(
          KEY,
          { x: MIDDLE, y: 84 },
          {
            width: 600,
            height: 112,
            smartType: 'stage',
            label: 'Palcoscenico',
            fillColor: '#5b6270',
            cornerRadius: 18,
          },
        ),
      ],
    }),
  });
}
