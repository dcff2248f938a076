/**
 * The Sala delle Feste: round tables, some of them sold whole, a standing floor before the stage,
 * booths along the wall and a bar; about 300 places.
 */
import {
  drawChart,
  drawRectangle,
  drawRow,
  drawSubChart,
  drawText,
  uuidOf,
  markWheelchairs,
} from './parts.ts';
import type { Point } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { Area, Booth, FileDrawing, Row, Shape, Table } from './parts.ts';
import { onCircle } from '#server/drawing/geometry/vector.ts';

const KEY = 'sala-delle-feste';
const WIDTH = 1000;
const HEIGHT = 1130;
const MIDDLE = WIDTH / 2;

const TABLES = 1;
const HONOUR = 2;
const BOOTHS = 3;
const BAR = 4;
const STANDING = 5;

/** Chair 1 stands nearest to the stage; numbers run clockwise. */
function drawTable(
  label: string,
  more: { at: Point; chairs: number; categoryKey: number; whole: boolean },
): Table {
  const radius = more.chairs > 8 ? 37 : 29;
  const { seats, uuid } = drawRow(KEY, `Tavolo ${label}`, {
    label,
    at: Array.from({ length: more.chairs }, (_, chair) =>
      onCircle(more.at, radius + 19, 180 - (chair * 360) / more.chairs),
    ),
  });
  return {
    uuid,
    label,
    type: 'round',
    center: more.at,
    radius,
    autoRadius: false,
    rotationAngle: 0,
    openSpaces: 0,
    bookAsAWhole: more.whole,
    displayObjectType: 'Tavolo',
    seats: seats.map((seat) => ({ ...seat, categoryKey: more.categoryKey })),
  };
}

/**
 * Four tables of ten beside the standing floor are sold whole; sixteen tables of eight in arcs
 * behind it are sold by the chair.
 */
function drawTables(): Table[] {
  const beside = [165, 318].flatMap((y) => [135, WIDTH - 135].map((x) => ({ x, y })));
  const eye: Point = { x: MIDDLE, y: -900 };
  const bows = [
    { radius: 1420, count: 6 },
    { radius: 1558, count: 6 },
    { radius: 1696, count: 4 },
  ];
  const behind = bows.flatMap(({ radius, count }) =>
    Array.from({ length: count }, (_, place) =>
      onCircle(eye, radius, ((place - (count - 1) / 2) * 146 * 180) / (Math.PI * radius)),
    ),
  );
  const tables = [
    ...beside.map((at, index) =>
      drawTable(`O${index + 1}`, { at, chairs: 10, categoryKey: HONOUR, whole: true }),
    ),
    ...behind.map((at, index) =>
      drawTable(`T${index + 1}`, { at, chairs: 8, categoryKey: TABLES, whole: false }),
    ),
  ];
  // The two tables beside the doors have room for a wheelchair and its companion.
  for (const table of tables.filter(({ label }) => label === 'T7' || label === 'T12'))
    markWheelchairs(table.seats, [[4, 3]]);
  return tables;
}

/** Three booths at each side wall, behind the tables. */
function drawBooths(): Booth[] {
  return [70, WIDTH - 70].flatMap((x, wall) =>
    Array.from({ length: 3 }, (_, index) => ({
      uuid: uuidOf(KEY, `Séparé ${wall} ${index}`),
      label: `S${wall * 3 + index + 1}`,
      categoryKey: BOOTHS,
      center: { x, y: 792 + index * 78 },
      width: 96,
      height: 64,
      rotationAngle: 0,
      entrance: 'Ingresso sala',
    })),
  );
}

/** Twelve stools along the bar. */
function drawStools(): Row {
  const row = drawRow(KEY, 'Bar', {
    label: 'Bar',
    at: Array.from({ length: 12 }, (_, place) => ({ x: MIDDLE + (place - 5.5) * 37, y: 974 })),
  });
  return {
    ...row,
    displayObjectType: 'Bancone',
    seats: row.seats.map((seat) => ({ ...seat, categoryKey: BAR })),
  };
}

/** The standing floor from the stage to the first arc of tables. */
function drawFloor(): Area {
  return {
    uuid: uuidOf(KEY, 'Pista'),
    label: 'Pista',
    capacity: 110,
    categoryKey: STANDING,
    type: 'polygon',
    center: { x: MIDDLE, y: 270 },
    points: [
      { x: MIDDLE - 250, y: 150 },
      { x: MIDDLE + 250, y: 150 },
      { x: MIDDLE + 262, y: 162 },
      ...Array.from({ length: 17 }, (_, step) =>
        onCircle({ x: MIDDLE, y: -900 }, 1300, 11.6 - step * 1.45),
      ),
      { x: MIDDLE - 262, y: 162 },
    ],
    rotationAngle: 0,
    bookAsAWhole: false,
    variableOccupancy: false,
    labelSize: 30,
    labelShown: true,
    entrance: 'Ingresso sala',
  };
}

function drawStage(): Shape {
  return drawRectangle(
    KEY,
    { x: MIDDLE, y: 76 },
    {
      width: 520,
      height: 96,
      smartType: 'stage',
      label: 'Palco',
      fillColor: '#5b6270',
      cornerRadius: 14,
    },
  );
}

function drawCounter(): Shape {
  return drawRectangle(
    KEY,
    { x: MIDDLE, y: 1024 },
    { width: 460, height: 56, label: 'Bancone', fillColor: '#80808055', cornerRadius: 10 },
  );
}

export function drawSalaDelleFeste(): FileDrawing {
  return drawChart('Sala delle Feste', {
    venueType: 'SIMPLE',
    categories: [
      { key: TABLES, label: 'Posto al tavolo', color: '#4f8ef7', accessible: false },
      { key: HONOUR, label: 'Tavolo d’onore', color: '#d9a02b', accessible: false },
      { key: BOOTHS, label: 'Séparé', color: '#a36bc9', accessible: false },
      { key: BAR, label: 'Bancone', color: '#e0705c', accessible: false },
      { key: STANDING, label: 'In piedi', color: '#2fb5a0', accessible: false },
    ],
    subChart: drawSubChart(WIDTH, HEIGHT, {
      focalPoint: { x: MIDDLE, y: 110 },
      tables: drawTables(),
      booths: drawBooths(),
      rows: [drawStools()],
      generalAdmissionAreas: [drawFloor()],
      shapes: [drawStage(), drawCounter()],
      texts: [
        drawText(KEY, 'Ingresso', { at: { x: 110, y: 1070 }, size: 20 }),
        drawText(KEY, 'Guardaroba', { at: { x: WIDTH - 120, y: 1070 }, size: 20 }),
      ],
    }),
  });
}
