/**
 * Draws the Arena: a sports hall set up for a concert, with standing and numbered places on its
 * floor and three rings around it; about 20,000 places. It is drawn when needed, because its file
 * would be large.
 */
import { drawOval } from './curve.ts';
import { depthOf, drawBlock, ROW_PITCH, SEAT_PITCH } from './bowl.ts';
import {
  drawChart,
  drawRectangle,
  drawRow,
  drawSection,
  drawSubChart,
  drawText,
  uuidOf,
  markWheelchairs,
} from './parts.ts';
import type { Point } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { Area, FileDrawing, Section, Shape, Zone } from './parts.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

const KEY = 'arena';
const MIDDLE = 2050;
const FLOOR = { width: 1020, height: 1600, radius: 230, top: 1000 };
const CENTRE: Point = { x: MIDDLE, y: FLOOR.top + FLOOR.height / 2 };
const OVAL = drawOval(CENTRE, FLOOR);
const STAGE_FRONT = FLOOR.top + 150;

const PIT = 1;
const STANDING = 2;
const NUMBERED = 3;
const TIER = 4;
const FIRST = 5;
const SECOND = 6;
const REDUCED = 7;

/**
 * The sides in walking order, each with its stretch of the oval. The gap is behind the stage,
 * where nothing is sold because the stage cannot be seen.
 */
const SIDES = [
  { from: 7.5, to: 8, name: 'Ovest', zone: 'ovest', byStage: true },
  { from: 0, to: 1, name: 'Ovest', zone: 'ovest', byStage: false },
  { from: 1, to: 2, name: 'Sud', zone: 'sud', byStage: false },
  { from: 2, to: 3, name: 'Sud', zone: 'sud', byStage: false },
  { from: 3, to: 4, name: 'Sud', zone: 'sud', byStage: false },
  { from: 4, to: 5, name: 'Est', zone: 'est', byStage: false },
  { from: 5, to: 5.5, name: 'Est', zone: 'est', byStage: true },
] as const;

/** `blocks`: how many blocks each side has; higher rings have more. */
const RINGS = [
  { name: 'Tribuna', number: 100, rows: 18, categoryKey: TIER, blocks: [1, 4, 2, 1, 2, 4, 1] },
  {
    name: 'Primo anello',
    number: 200,
    rows: 18,
    categoryKey: FIRST,
    blocks: [2, 4, 3, 1, 3, 4, 2],
  },
  {
    name: 'Secondo anello',
    number: 300,
    rows: 14,
    categoryKey: SECOND,
    blocks: [2, 4, 4, 1, 4, 4, 2],
  },
] as const;

const ZONES: Zone[] = [
  { key: 'parterre', label: 'Parterre', focalPoint: { x: MIDDLE, y: STAGE_FRONT } },
  { key: 'ovest', label: 'Ovest', focalPoint: { x: MIDDLE, y: STAGE_FRONT } },
  { key: 'sud', label: 'Sud', focalPoint: { x: MIDDLE, y: STAGE_FRONT } },
  { key: 'est', label: 'Est', focalPoint: { x: MIDDLE, y: STAGE_FRONT } },
];
const GATES: Record<string, string> = { ovest: 'Varco A', sud: 'Varco B', est: 'Varco C' };

function drawRing(ring: (typeof RINGS)[number], offset: number): Section[] {
  const blocks = SIDES.flatMap((side, at) => {
    const count = entryAt(ring.blocks, at);
    const size = (side.to - side.from) / count;
    return Array.from({ length: count }, (_, block) => ({
      ...side,
      block,
      from: side.from + block * size,
      to: side.from + (block + 1) * size,
    }));
  });
  return blocks.map(({ name, zone, byStage, block, from, to }, index) => {
    const section = drawBlock(KEY, `${ring.name} ${name} ${ring.number + index + 1}`, {
      rows: ring.rows,
      block: {
        curve: OVAL,
        from,
        to,
        offset,
        zone,
        entrance: GATES[zone],
        categoryKey: byStage ? REDUCED : ring.categoryKey,
      },
    });
    if (byStage)
      for (const row of section.subChart.rows)
        for (const seat of row.seats) seat.restrictedView = true;
    // The last row of the first ring is level with the corridor.
    if (ring.number === 100 && !byStage && block === 0) {
      markWheelchairs(entryAt(section.subChart.rows, -1).seats);
    }
    return section;
  });
}

function drawBowl(): Section[] {
  let offset = 46;
  return RINGS.flatMap((ring) => {
    const sections = drawRing(ring, offset);
    offset += depthOf(ring.rows) + 26;
    return sections;
  });
}

/** Six blocks of numbered chairs at the back of the floor. */
function drawNumbered(): Section[] {
  const seatsPerRow = 14;
  const rowCount = 12;
  const width = seatsPerRow * SEAT_PITCH;
  return [...'ABCDEF'].map((letter, index) => {
    const left = MIDDLE + ((index % 3) - 1.5) * (width + 24) + 12;
    const top = FLOOR.top + 850 + Math.floor(index / 3) * (rowCount * ROW_PITCH + 40);
    const rows = Array.from({ length: rowCount }, (_row, row) =>
      drawRow(KEY, `Parterre ${letter} ${row}`, {
        label: String(row + 1),
        at: Array.from({ length: seatsPerRow }, (_seat, seat) => ({
          x: left + (seat + 0.5) * SEAT_PITCH,
          y: top + (row + 0.5) * ROW_PITCH,
        })),
      }),
    );
    const [right, bottom] = [left + width, top + rowCount * ROW_PITCH];
    return drawSection(KEY, `Parterre ${letter}`, {
      categoryKey: NUMBERED,
      zone: 'parterre',
      entrance: 'Varco D',
      rows,
      labelSize: 60,
      points: [
        { x: left - 6, y: top - 2 },
        { x: right + 6, y: top - 2 },
        { x: right + 6, y: bottom + 2 },
        { x: left - 6, y: bottom + 2 },
      ],
    });
  });
}

function drawStanding(
  label: string,
  more: { capacity: number; categoryKey: number; top: number; bottom: number; half: number },
): Area {
  const { capacity, categoryKey, top, bottom, half } = more;
  return {
    uuid: uuidOf(KEY, label),
    label,
    capacity,
    categoryKey,
    type: 'polygon',
    center: { x: MIDDLE, y: (top + bottom) / 2 },
    points: [
      { x: MIDDLE - half, y: top },
      { x: MIDDLE + half, y: top },
      { x: MIDDLE + half, y: bottom },
      { x: MIDDLE - half, y: bottom },
    ],
    rotationAngle: 0,
    bookAsAWhole: false,
    variableOccupancy: false,
    labelSize: 60,
    labelShown: true,
    entrance: 'Varco D',
  };
}

/** The stage and, at the back of the floor, the sound desk. */
function drawShapes(): Shape[] {
  return [
    drawRectangle(
      KEY,
      { x: MIDDLE, y: FLOOR.top - 10 },
      {
        width: 760,
        height: 320,
        smartType: 'stage',
        label: 'Palco',
        fillColor: '#5b6270',
        cornerRadius: 24,
      },
    ),
    drawRectangle(
      KEY,
      { x: MIDDLE, y: FLOOR.top + FLOOR.height - 48 },
      { width: 200, height: 52, label: 'Mixer', fillColor: '#80808055', cornerRadius: 10 },
    ),
  ];
}

export function drawArena(): FileDrawing {
  return drawChart('Arena', {
    venueType: 'WITH_ZONES',
    zones: ZONES,
    categories: [
      { key: PIT, label: 'Pit', color: '#c43d5c', accessible: false },
      { key: STANDING, label: 'Parterre in piedi', color: '#e98a5b', accessible: false },
      { key: NUMBERED, label: 'Parterre numerato', color: '#d4a72c', accessible: false },
      { key: TIER, label: 'Tribuna', color: '#4fa36c', accessible: false },
      { key: FIRST, label: 'Primo anello', color: '#3d94bf', accessible: false },
      { key: SECOND, label: 'Secondo anello', color: '#9273c9', accessible: false },
      {
        key: REDUCED,
        label: 'Laterale con visibilità ridotta',
        color: '#8b95a5',
        accessible: false,
      },
    ],
    subChart: drawSubChart(2 * MIDDLE, 4200, {
      focalPoint: { x: MIDDLE, y: STAGE_FRONT },
      sections: [...drawNumbered(), ...drawBowl()],
      generalAdmissionAreas: [
        drawStanding('Pit', {
          capacity: 600,
          categoryKey: PIT,
          top: STAGE_FRONT + 24,
          bottom: STAGE_FRONT + 290,
          half: 440,
        }),
        drawStanding('In piedi', {
          capacity: 2400,
          categoryKey: STANDING,
          top: STAGE_FRONT + 314,
          bottom: FLOOR.top + 820,
          half: 440,
        }),
      ],
      shapes: drawShapes(),
      texts: [
        drawText(KEY, 'Varco A', { at: { x: 60, y: CENTRE.y }, size: 70, turn: -90 }),
        drawText(KEY, 'Varco C', { at: { x: 2 * MIDDLE - 60, y: CENTRE.y }, size: 70, turn: 90 }),
        drawText(KEY, 'Varco B', { at: { x: MIDDLE, y: 4120 }, size: 70 }),
      ],
    }),
  });
}
