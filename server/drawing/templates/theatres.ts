/** Draws rooms with one stage: a theatre with boxes, a black box, a cinema. */
import type { Point, SectionData } from '#server/drawing/model/data.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import {
  drawBlock,
  drawChart,
  drawPalco,
  drawRow,
  drawSection,
  drawStage,
  withWheelchairs,
  type NewId,
} from './parts.ts';
import { onCircle } from '#server/drawing/geometry/vector.ts';

/** How far the boxes reach towards the stage, in degrees from the middle of the hall. */
const HORSESHOE = 100;

/** The outline of the ground under a ring of boxes or rows. */
function bandAround(centre: Point, inner: number, outer: number): Point[] {
  const steps = Array.from(
    { length: 41 },
    (_, step) => -HORSESHOE - 4 + (step * (HORSESHOE + 4)) / 20,
  );
  return [
    ...steps.map((degrees) => onCircle(centre, outer, degrees)),
    ...steps.toReversed().map((degrees) => onCircle(centre, inner, degrees)),
  ];
}

function makeTier(
  newId: NewId,
  label: string,
  {
    centre,
    radius,
    boxes,
    categoryKey,
  }: { centre: Point; radius: number; boxes: number; categoryKey: number },
): SectionData {
  const tables = Array.from({ length: boxes }, (_, index) => {
    const degrees = -HORSESHOE + (2 * HORSESHOE * index) / (boxes - 1);
    return drawPalco(newId, `Palco ${index + 1}`, {
      center: onCircle(centre, radius, degrees),
      degrees,
      chairs: 4,
    });
  });
  return drawSection(newId, label, {
    categoryKey,
    tables,
    points: bandAround(centre, radius - 36, radius + 36),
    entrance: 'Scalone',
  });
}

export function makeItalianTheatre(newId: NewId): Raw {
  const middle = 700;
  const centre = { x: middle, y: 470 };
  const stalls = drawBlock(newId, {
    at: { x: middle, y: 270 },
    rows: 10,
    blocks: [8, 8],
    radius: 620,
  });
  const loggione = [...'AB'].map((label, index) =>
    drawRow(newId, label, {
      spots: Array.from({ length: 48 }, (_, place) =>
        onCircle(centre, 470 + index * 36, -HORSESHOE + (2 * HORSESHOE * (place + 0.5)) / 48),
      ),
    }),
  );
  return drawChart('Teatro all’italiana', ['Platea', 'Palchi', 'Loggione'], {
    width: 1400,
    height: 1040,
    focalPoint: { x: middle, y: 120 },
    sections: [
      drawSection(newId, 'Platea', {
        categoryKey: 1,
        rows: withWheelchairs(stalls, 9),
        entrance: 'Atrio',
      }),
      makeTier(newId, 'I ordine', { centre, radius: 330, boxes: 19, categoryKey: 2 }),
      makeTier(newId, 'II ordine', { centre, radius: 405, boxes: 23, categoryKey: 2 }),
      drawSection(newId, 'Loggione', {
        categoryKey: 3,
        rows: loggione,
        points: bandAround(centre, 446, 530),
        entrance: 'Scala del loggione',
      }),
    ],
    shapes: [drawStage(newId, { x: middle, y: 120 }, { width: 420, height: 160 })],
  });
}

export function makeBlackBox(newId: NewId): Raw {
  const rows = drawBlock(newId, { at: { x: 300, y: 330 }, rows: 8, blocks: [14] });
  return drawChart('Black box', ['Posto unico'], {
    width: 600,
    height: 660,
    focalPoint: { x: 300, y: 160 },
    sections: [
      drawSection(newId, 'Gradinata', {
        categoryKey: 1,
        rows: withWheelchairs(rows),
        entrance: 'Ingresso sala',
      }),
    ],
    shapes: [
      drawStage(newId, { x: 300, y: 160 }, { width: 320, height: 200, label: 'Spazio scenico' }),
    ],
  });
}

export function makeCinema(newId: NewId): Raw {
  const rows = drawBlock(newId, {
    at: { x: 420, y: 240 },
    rows: 10,
    blocks: [4, 14, 4],
    radius: 1400,
    depth: 44,
  });
  const painted = rows.map((row, index) => {
    const categoryKey = index < 3 ? 2 : 1;
    return { ...row, seats: row.seats.map((seat) => ({ ...seat, categoryKey })) };
  });
  return drawChart('Cinema', ['Intero', 'Prime file'], {
    width: 840,
    height: 740,
    focalPoint: { x: 420, y: 60 },
    rows: withWheelchairs(painted, 9),
    shapes: [drawStage(newId, { x: 420, y: 60 }, { width: 560, height: 20, label: 'Schermo' })],
  });
}
