/**
 * The Teatro dell'Opera: the horseshoe of an Italian opera house, with four tiers of boxes and a
 * gallery above; about 900 places.
 */
import { distanceOf, drawBand, drawHorseshoe, spotAt } from './curve.ts';
import {
  drawChart,
  drawRectangle,
  drawRow,
  drawSection,
  drawStalls,
  drawSubChart,
  drawText,
  outlineOf,
  uuidOf,
  markWheelchairs,
  markAisles,
} from './parts.ts';
import type { Point } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { FileDrawing, Row, Section, Shape, Text } from './parts.ts';
import type { Spot } from './curve.ts';
import { entryAt } from '#server/drawing/model/entry.ts';
import { onCircle } from '#server/drawing/geometry/vector.ts';

const KEY = 'teatro-dell-opera';
const WIDTH = 1300;
const HEIGHT = 1270;
const MIDDLE = WIDTH / 2;
const CENTRE: Point = { x: MIDDLE, y: 580 };
const STAGE_FRONT = 190;
/** The first row of the platea, and the distance between rows. */
const FIRST_ROW = 296;
const ROW_PITCH = 33;
/** The sides bend a little towards the stage, as in a horseshoe. */
const HORSESHOE = drawHorseshoe(CENTRE, { side: 190, lean: 8 });
const END = HORSESHOE.length;

const POLTRONISSIME = 1;
const POLTRONE = 2;
const CENTRAL = 3;
const LATERAL = 4;
const PROSCENIUM = 5;
const LOGGIONE = 6;

const BOXES = 25;
const DEPTH = 54;
/**
 * The tiers of boxes lie above each other; on the plan a higher one is drawn further out. The
 * upper two have wider boxes with a fifth chair.
 */
const ORDERS = [
  { name: 'Palchi I ordine', short: 'I ordine', radius: 320, front: 2, entrance: 'Scala A' },
  { name: 'Palchi II ordine', short: 'II ordine', radius: 386, front: 2, entrance: 'Scala A' },
  { name: 'Palchi III ordine', short: 'III ordine', radius: 452, front: 3, entrance: 'Scala B' },
  { name: 'Palchi IV ordine', short: 'IV ordine', radius: 518, front: 3, entrance: 'Scala B' },
] as const;

/** Curved rows around a point far behind the stage, with the central aisle of the platea. */
function drawPlatea(): Section {
  const eye: Point = { x: MIDDLE, y: -700 };
  const rows = drawStalls(KEY, {
    halves: [7, 8, 8, 9, 9, 9, 10, 10, 10, 10, 10, 10, 9, 9, 8, 7],
    eye,
    first: FIRST_ROW - eye.y,
    depth: ROW_PITCH,
    pitch: 23,
    aisle: 40,
  });
  for (const seat of rows.slice(0, 8).flatMap((row) => row.seats)) seat.categoryKey = POLTRONISSIME;
  // Places at the back of the platea, on the level of its doors.
  for (const row of rows.slice(-2)) markWheelchairs(row.seats);
  return drawSection(KEY, 'Platea', {
    categoryKey: POLTRONE,
    entrance: 'Ingresso platea',
    points: outlineOf(
      rows.flatMap((row) => row.seats),
      21,
    ),
    rows,
    labelSize: 40,
  });
}

/** The point `along` the parapet and `back` from it, both measured from the middle of the box. */
function insideBox({ x, y, degrees }: Spot, along: number, back: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return {
    x: x + along * Math.cos(angle) + back * Math.sin(angle),
    y: y - along * Math.sin(angle) + back * Math.cos(angle),
  };
}

/** Chairs at the parapet first, then those behind them; the box number stands between. */
function chairs(
  at: Spot,
  { front, back, pitch, depth }: { front: number; back: number; pitch: number; depth: number },
): Point[] {
  const line = (count: number, deep: number) =>
    Array.from({ length: count }, (_, place) =>
      insideBox(at, (place - (count - 1) / 2) * pitch, deep),
    );
  return [...line(front, -depth), ...line(back, depth)];
}

/** `fromEnd`: the number of boxes between this box and the stage. */
function categoryAt(fromEnd: number): number {
  if (fromEnd < 2) return PROSCENIUM;
  return fromEnd < 7 ? LATERAL : CENTRAL;
}

function drawOrder(order: (typeof ORDERS)[number], index: number): Section {
  const { name, radius, front, entrance } = order;
  const length = distanceOf(HORSESHOE, radius, END);
  const rows: Row[] = [];
  const shapes: Shape[] = [];
  for (let slot = 0; slot < BOXES; slot += 1) {
    const fromEnd = Math.min(slot, BOXES - 1 - slot);
    const at = spotAt(HORSESHOE, radius, ((slot + 0.5) / BOXES) * length);
    // The door of the platea is below the royal box.
    const isMiddle = fromEnd === (BOXES - 1) / 2;
    if (isMiddle && index === 0) continue;
    const isRoyal = isMiddle && index === 1;
    const label = isRoyal ? 'Reale' : String(rows.length + 1);
    const seats = isRoyal
      ? { front: 3, back: 3, pitch: 20.5, depth: 16.5 }
      : { front, back: 2, pitch: 22, depth: 14 };
    const row = drawRow(KEY, `${name} ${label}`, {
      label,
      at: chairs(at, seats),
      displayObjectType: 'Palco',
    });
    const category = categoryAt(fromEnd);
    row.seats.forEach((seat, place) => {
      if (category !== CENTRAL) seat.categoryKey = category;
      // Side boxes show half of the stage at best, because the parapet is in the way.
      if (category === PROSCENIUM || (category === LATERAL && place >= front))
        seat.restrictedView = true;
    });
    rows.push(row);
    shapes.push(
      drawRectangle(
        KEY,
        { x: at.x, y: at.y },
        { width: length / BOXES - 5, height: DEPTH, rotationAngle: -at.degrees, cornerRadius: 8 },
      ),
    );
  }
  return drawSection(KEY, name, {
    categoryKey: CENTRAL,
    entrance,
    points: drawBand(HORSESHOE, [radius - DEPTH / 2 - 2, radius + DEPTH / 2 + 2], {
      from: 0,
      to: END,
    }),
    rows,
    shapes,
    labelSize: 22,
  });
}

/** Two rows on the curve behind the last tier of boxes, cut by three stairs. */
function drawLoggione(): Section {
  const radius = 576;
  const arc = (part: number) => 1 + (part * 164 + 16) / 196;
  const cuts = [0.02, 0.27, 0.5, 0.73, 0.98];
  const pitch = 22.5;
  const rows = ['A', 'B'].map((label, index) => {
    const offset = radius + index * 27;
    const parts = cuts.slice(1).map((to, part) => {
      const [start, end] = [
        distanceOf(HORSESHOE, offset, arc(entryAt(cuts, part))) + 16,
        distanceOf(HORSESHOE, offset, arc(to)) - 16,
      ];
      const count = Math.floor((end - start) / pitch) + 1;
      const first = (start + end - (count - 1) * pitch) / 2;
      return Array.from({ length: count }, (_, place) =>
        spotAt(HORSESHOE, offset, first + place * pitch),
      ).map(({ x, y }) => ({ x, y }));
    });
    const row = drawRow(KEY, `Loggione ${label}`, { label, at: parts.flat() });
    markAisles(row.seats, parts);
    return row;
  });
  return drawSection(KEY, 'Loggione', {
    categoryKey: LOGGIONE,
    entrance: 'Scala C',
    points: drawBand(HORSESHOE, [radius - 20, radius + 47], { from: arc(0), to: arc(1) }),
    rows,
    labelSize: 28,
  });
}

/** The names of the tiers at both ends, where there are no boxes. */
function nameOrders(): Text[] {
  return ORDERS.flatMap(({ short, radius }) =>
    [
      { distance: -44, turn: -82 },
      { distance: distanceOf(HORSESHOE, radius, END) + 44, turn: 82 },
    ].map(({ distance, turn }) => {
      const { x, y } = spotAt(HORSESHOE, radius, distance);
      return drawText(KEY, short, { at: { x, y }, size: 17, turn });
    }),
  );
}

export function drawTeatroDellOpera(): FileDrawing {
  return drawChart('Teatro dell’Opera', {
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: [
      { key: POLTRONISSIME, label: 'Poltronissime', color: '#c43d5c', accessible: false },
      { key: POLTRONE, label: 'Poltrone', color: '#e98a5b', accessible: false },
      { key: CENTRAL, label: 'Palchi centrali', color: '#d4a72c', accessible: false },
      { key: LATERAL, label: 'Palchi laterali', color: '#4fa36c', accessible: false },
      { key: PROSCENIUM, label: 'Palchi di proscenio', color: '#3d94bf', accessible: false },
      { key: LOGGIONE, label: 'Loggione', color: '#9273c9', accessible: false },
    ],
    subChart: drawSubChart(WIDTH, HEIGHT, {
      // The focal point lies in the fifth row (RULES S4).
      focalPoint: { x: MIDDLE, y: FIRST_ROW + 4 * ROW_PITCH },
      sections: [drawPlatea(), ...ORDERS.map(drawOrder), drawLoggione()],
      shapes: [
        {
          uuid: uuidOf(KEY, 'stage'),
          type: 'polygon',
          smartType: 'stage',
          label: 'Palcoscenico',
          fillColor: '#5b6270',
          center: { x: MIDDLE, y: 110 },
          points: [
            { x: MIDDLE - 240, y: 30 },
            { x: MIDDLE + 240, y: 30 },
            ...Array.from({ length: 13 }, (_, step) =>
              onCircle({ x: MIDDLE, y: -760 }, STAGE_FRONT + 760, 18 - step * 3),
            ),
          ],
        },
        {
          uuid: uuidOf(KEY, 'pit'),
          type: 'polygon',
          label: 'Golfo mistico',
          fillColor: '#80808033',
          center: { x: MIDDLE, y: STAGE_FRONT + 34 },
          points: [
            ...Array.from({ length: 13 }, (_, step) =>
              onCircle({ x: MIDDLE, y: -760 }, STAGE_FRONT + 766, -14 + step * (28 / 12)),
            ),
            ...Array.from({ length: 13 }, (_, step) =>
              onCircle({ x: MIDDLE, y: -760 }, STAGE_FRONT + 822, 12 - step * 2),
            ),
          ],
        },
      ],
      texts: [
        ...nameOrders(),
        drawText(KEY, 'Ingresso', { at: { x: MIDDLE, y: CENTRE.y + 320 }, size: 11 }),
      ],
    }),
  });
}
