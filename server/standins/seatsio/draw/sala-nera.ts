/** The Sala Nera: a black box with the audience on three sides of the floor; 120 places. */
import {
  drawChart,
  drawRectangle,
  drawRow,
  drawSection,
  drawSubChart,
  drawText,
  outlineOf,
  markWheelchairs,
} from './parts.ts';
import type { Point } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { FileDrawing, Row, Section } from './parts.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

const KEY = 'sala-nera';
const WIDTH = 640;
const HEIGHT = 660;
const MIDDLE = WIDTH / 2;
const PITCH = 24;
const ROW_PITCH = 34;
/** The floor on which the actors play. */
const FLOOR = { left: MIDDLE - 148, right: MIDDLE + 148, top: 60, bottom: 300 };

function draw(
  label: string,
  more: { categoryKey: number; entrance: string; rows: Row[] },
): Section {
  return drawSection(KEY, label, {
    ...more,
    points: outlineOf(
      more.rows.flatMap((row) => row.seats),
      33,
    ),
    labelSize: 24,
  });
}

/** Six rows of twelve before the floor; the two wheelchair places are on floor level. */
function drawFront(): Section {
  const rows = [...'ABCDEF'].map((label, index) =>
    drawRow(KEY, `Fronte ${label}`, {
      label,
      at: Array.from({ length: 12 }, (_place, place) => ({
        x: MIDDLE + (place - 5.5) * PITCH,
        y: FLOOR.bottom + 52 + index * ROW_PITCH,
      })),
    }),
  );
  markWheelchairs(entryAt(rows, 0).seats);
  return draw('Fronte', { categoryKey: 1, entrance: 'Ingresso sala', rows });
}

/** Three rows of eight along the floor; seat 1 is the one nearest to the door. */
function drawSide(label: string, { away, entrance }: { away: -1 | 1; entrance: string }): Section {
  const edge = away < 0 ? FLOOR.left : FLOOR.right;
  const rows = [...'ABC'].map((name, index) =>
    drawRow(KEY, `${label} ${index}`, {
      label: name,
      at: Array.from({ length: 8 }, (_place, place): Point => ({
        x: edge + away * (46 + index * ROW_PITCH),
        y: FLOOR.bottom - 18 - place * PITCH,
      })),
    }),
  );
  // The wings hide what happens near the back wall.
  for (const row of rows.slice(1)) entryAt(row.seats, -1).restrictedView = true;
  return draw(label, { categoryKey: 2, entrance, rows });
}

export function drawSalaNera(): FileDrawing {
  const { left, right, top, bottom } = FLOOR;
  return drawChart('Sala Nera', {
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: [
      { key: 1, label: 'Frontale', color: '#d9a02b', accessible: false },
      { key: 2, label: 'Laterale', color: '#3f8fc4', accessible: false },
    ],
    subChart: drawSubChart(WIDTH, HEIGHT, {
      focalPoint: { x: MIDDLE, y: (top + bottom) / 2 },
      sections: [
        drawFront(),
        drawSide('Lato sinistro', { away: -1, entrance: 'Ingresso sala' }),
        drawSide('Lato destro', { away: 1, entrance: 'Ingresso sala' }),
      ],
      shapes: [
        drawRectangle(
          KEY,
          { x: MIDDLE, y: (top + bottom) / 2 },
          {
            width: right - left,
            height: bottom - top,
            smartType: 'stage',
            label: 'Spazio scenico',
            fillColor: '#5b6270',
            cornerRadius: 6,
          },
        ),
        drawRectangle(
          KEY,
          { x: MIDDLE, y: 590 },
          { width: 160, height: 44, label: 'Regia', fillColor: '#80808040', cornerRadius: 6 },
        ),
      ],
      texts: [
        drawText(KEY, 'Ingresso', { at: { x: 110, y: 590 }, size: 18 }),
        drawText(KEY, 'Ingresso', { at: { x: WIDTH - 110, y: 590 }, size: 18 }),
      ],
    }),
  });
}
