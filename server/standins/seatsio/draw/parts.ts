/** The parts of seats.io's drawing format that our charts need, with the usual values. */
import { createHash } from 'node:crypto';
import type { Point } from '#server/standins/seatsio/plan/read-drawing.ts';
import { entryAt } from '#server/drawing/model/entry.ts';
import { hullOf } from '#server/drawing/geometry/hull.ts';
import { onCircle } from '#server/drawing/geometry/vector.ts';

interface Seat extends Point {
  uuid: string;
  label: string;
  categoryKey?: number;
  accessible?: true;
  companionSeat?: true;
  restrictedView?: true;
  x_gapAfter?: true;
}
export interface Row {
  uuid: string;
  label: string;
  displayObjectType?: string;
  rowLabelPosition?: string;
  seats: Seat[];
}
export interface Shape {
  uuid: string;
  type: 'rectangle' | 'polygon';
  smartType?: 'stage';
  label?: string;
  fillColor: string;
  center?: Point;
  points?: Point[];
  width?: number;
  height?: number;
  cornerRadius?: number;
  rotationAngle?: number;
}
export interface Text {
  uuid: string;
  text: string;
  center: Point;
  fontSize: number;
  rotationAngle: number;
  textColor?: string;
}
export interface Area {
  uuid: string;
  label: string;
  capacity: number;
  categoryKey: number;
  type: 'circle' | 'polygon';
  center: Point;
  points?: Point[];
  radius1?: number;
  radius2?: number;
  rotationAngle: number;
  bookAsAWhole: boolean;
  variableOccupancy: boolean;
  labelSize: number;
  labelShown: boolean;
  entrance?: string;
}
export interface Table {
  uuid: string;
  label: string;
  type: 'round';
  center: Point;
  radius: number;
  autoRadius: false;
  rotationAngle: number;
  openSpaces: number;
  bookAsAWhole: boolean;
  displayObjectType?: string;
  seats: Seat[];
}
export interface Booth {
  uuid: string;
  label: string;
  categoryKey: number;
  center: Point;
  width: number;
  height: number;
  rotationAngle: number;
  entrance?: string;
}
interface Category {
  key: number;
  label: string;
  color: string;
  accessible: boolean;
}
export interface Zone {
  key: string;
  label: string;
  focalPoint: Point;
}
export interface Section {
  uuid: string;
  label: string;
  points: Point[];
  topLeft: Point;
  categoryKey: number;
  zone?: string;
  entrance?: string;
  labelSize: number;
  labelRotationAngle: number;
  subChart: SubChart;
}
interface SubChart {
  width: number;
  height: number;
  snapOffset: Point;
  focalPoint: Point | null;
  rows: Row[];
  tables: Table[];
  booths: Booth[];
  generalAdmissionAreas: Area[];
  sections: Section[];
  shapes: Shape[];
  texts: Text[];
}
export interface FileDrawing {
  name: string;
  version: number;
  venueType: 'SIMPLE' | 'WITH_SECTIONS_AND_FLOORS' | 'WITH_ZONES';
  categories: { list: Category[]; maxCategoryKey: number };
  zones: { list: Zone[] };
  subChart: SubChart;
}

/** The same name always gets the same id, so that a new drawing changes nothing in the file. */
export function uuidOf(chart: string, name: string): string {
  const hex = createHash('sha256').update(`${chart} ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A row's seats get the row's id with other last digits, because 50,000 hashes would be slow. */
export function drawRow(
  chart: string,
  name: string,
  more: { label: string; at: Point[]; displayObjectType?: string; first?: number },
): Row {
  const uuid = uuidOf(chart, `row ${name}`);
  return {
    uuid,
    label: more.label,
    displayObjectType: more.displayObjectType,
    seats: more.at.map(({ x, y }, index) => ({
      uuid: `${uuid.slice(0, -6)}${(index + 1).toString(16).padStart(6, '0')}`,
      x,
      y,
      label: String((more.first ?? 1) + index),
    })),
  };
}

const BOTH_ENDS = [
  [0, 1],
  [-1, -2],
] as const;

/** Marks pairs of a wheelchair place and the seat beside it, in a row or around a table. */
export function markWheelchairs(
  seats: Seat[],
  pairs: readonly (readonly [place: number, beside: number])[] = BOTH_ENDS,
): void {
  for (const [place, beside] of pairs) {
    entryAt(seats, place).accessible = true;
    entryAt(seats, beside).companionSeat = true;
  }
}

/** Marks an aisle after each part of a row except the last part. */
export function markAisles(seats: Seat[], parts: readonly (readonly Point[])[]): void {
  let last = -1;
  for (const part of parts.slice(0, -1)) {
    last += part.length;
    entryAt(seats, last).x_gapAfter = true;
  }
}

interface Stalls {
  /** How many seats rows A, B, C … have on each side of the aisle, from the stage backwards. */
  halves: readonly number[];
  /** The centre of all curves, far behind the stage. */
  eye: Point;
  /** Distances: from the eye to the first row, between rows, between seats, across the aisle. */
  first: number;
  depth: number;
  pitch: number;
  aisle: number;
}

/** The rows of a platea: gently curved, with an aisle in the middle. */
export function drawStalls(
  chart: string,
  { halves, eye, first, depth, pitch, aisle }: Stalls,
): Row[] {
  return halves.map((half, index) => {
    const label = String.fromCodePoint(65 + index);
    const radius = first + index * depth;
    const row = drawRow(chart, `Platea ${label}`, {
      label,
      at: Array.from({ length: half * 2 }, (_, place) => {
        const fromAisle =
          place < half
            ? -(half - place - 0.5) * pitch - aisle / 2
            : (place - half + 0.5) * pitch + aisle / 2;
        return onCircle(eye, radius, (fromAisle / radius) * (180 / Math.PI));
      }),
    });
    entryAt(row.seats, half - 1).x_gapAfter = true;
    return row;
  });
}

export function drawSubChart(width: number, height: number, more: Partial<SubChart>): SubChart {
  return {
    width,
    height,
    snapOffset: { x: 0, y: 0 },
    focalPoint: null,
    rows: [],
    tables: [],
    booths: [],
    generalAdmissionAreas: [],
    sections: [],
    shapes: [],
    texts: [],
    ...more,
  };
}

export function drawChart(
  name: string,
  more: {
    categories: Category[];
    zones?: Zone[];
    venueType: FileDrawing['venueType'];
    subChart: SubChart;
  },
): FileDrawing {
  return {
    name,
    version: 1,
    venueType: more.venueType,
    categories: {
      list: more.categories,
      maxCategoryKey: Math.max(...more.categories.map(({ key }) => key)),
    },
    zones: { list: more.zones ?? [] },
    subChart: more.subChart,
  };
}

interface InSection {
  categoryKey: number;
  points: Point[];
  rows: Row[];
  shapes?: Shape[];
  texts?: Text[];
  labelSize: number;
  zone?: string;
  entrance?: string;
}

/** The format measures the seats and shapes of a section from its top left corner. */
export function drawSection(
  chart: string,
  label: string,
  { rows, shapes = [], texts = [], points, ...more }: InSection,
): Section {
  const topLeft = {
    x: Math.min(...points.map((point) => point.x)),
    y: Math.min(...points.map((point) => point.y)),
  };
  const move = <P extends Point>(point: P): P => ({
    ...point,
    x: point.x - topLeft.x,
    y: point.y - topLeft.y,
  });
  return {
    uuid: uuidOf(chart, `section ${label}`),
    label,
    points,
    topLeft,
    labelRotationAngle: 0,
    ...more,
    subChart: drawSubChart(
      Math.max(...points.map(({ x }) => x)) - topLeft.x,
      Math.max(...points.map(({ y }) => y)) - topLeft.y,
      {
        rows: rows.map((row) => ({ ...row, seats: row.seats.map(move) })),
        shapes: shapes.map((shape) => ({
          ...shape,
          ...(shape.center && { center: move(shape.center) }),
          ...(shape.points && { points: shape.points.map(move) }),
        })),
        texts: texts.map((text) => ({ ...text, center: move(text.center) })),
      },
    ),
  };
}

export function drawRectangle(
  chart: string,
  center: Point,
  more: { width: number; height: number } & Partial<Shape>,
): Shape {
  return {
    uuid: uuidOf(chart, `box ${Math.round(center.x * 10) / 10} ${Math.round(center.y * 10) / 10}`),
    type: 'rectangle',
    fillColor: '#80808033',
    center,
    cornerRadius: 9,
    rotationAngle: 0,
    ...more,
  };
}

export function drawText(
  chart: string,
  text: string,
  more: { at: Point; size: number; turn?: number },
): Text {
  return {
    uuid: uuidOf(chart, `text ${text} ${Math.round(more.at.x)} ${Math.round(more.at.y)}`),
    text,
    center: more.at,
    fontSize: more.size,
    rotationAngle: more.turn ?? 0,
  };
}

/** The smallest convex outline that keeps `margin` around every point. */
export function outlineOf(points: Point[], margin: number): Point[] {
  const around = points
    .flatMap((point) => Array.from({ length: 24 }, (_, step) => onCircle(point, margin, step * 15)))
    .map(({ x, y }) => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 }));
  return hullOf(around);
}
