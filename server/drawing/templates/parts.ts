/** The parts of the typical rooms: rows, tables, sections around them, and the chart. */
import { emptyFloor } from '#server/drawing/model/empty.ts';
import type {
  Centred,
  AreaData,
  CategoryData,
  Point,
  RowData,
  SeatData,
  SectionData,
  ShapeData,
  TableData,
} from '#server/drawing/model/data.ts';
import { outlineWithRoom } from '#server/drawing/geometry/hull.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import { entryAt } from '#server/drawing/model/entry.ts';
import { onCircle } from '#server/drawing/geometry/vector.ts';

/** A seat is 55 cm wide and a row 90 cm deep; a unit of the drawing is 2.5 cm. */
const CM_PER_UNIT = 2.5;
export const PITCH = 22;
export const DEPTH = 36;
/** 1.20 m in units of the drawing. */
const AISLE = 48;
/** The room between a section's outline and its seats. */
const MARGIN = 18;

export type NewId = () => string;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function roundPoint({ x, y }: Point): Point {
  return { x: round(x), y: round(y) };
}

/** The positions along a row with its middle at 0, and the aisles between its blocks. */
function alongRow(blocks: readonly number[]): { at: number; gapAfter: boolean }[] {
  const seats = blocks.reduce((sum, count) => sum + count, 0);
  const width = (seats - blocks.length) * PITCH + (blocks.length - 1) * AISLE;
  let at = -width / 2;
  return blocks.flatMap((count, block) =>
    Array.from({ length: count }, (_, place) => {
      const isLast = place === count - 1;
      const gapAfter = isLast && block < blocks.length - 1;
      const spot = { at, gapAfter };
      at += gapAfter ? AISLE : PITCH;
      return spot;
    }),
  );
}

type Spot = Point & Partial<Pick<SeatData, 'x_gapAfter' | 'categoryKey'>>;

export function drawRow(
  newId: NewId,
  label: string,
  { spots, categoryKey, called }: { spots: readonly Spot[]; categoryKey?: number; called?: string },
): RowData {
  return {
    uuid: newId(),
    label,
    ...(called === undefined ? {} : { displayObjectType: called }),
    seats: spots.map(({ x, y, ...more }, index) => ({
      uuid: newId(),
      ...roundPoint({ x, y }),
      label: String(index + 1),
      ...(categoryKey === undefined ? {} : { categoryKey }),
      ...more,
    })),
  };
}

interface Block {
  /** The middle of the first row. */
  at: Point;
  rows: number;
  /** The numbers of seats between the aisles. */
  blocks: readonly number[];
  /**
   * The distance from the first row to the circle's centre before it; left out, rows are
   * straight.
   */
  radius?: number;
  depth?: number;
  /** The rotation around the middle of the first row. */
  degrees?: number;
  categoryKey?: number;
  /** The name of the first row, a letter or a number. */
  first?: string;
  called?: string;
}

function nameOfRow(first: string, index: number): string {
  if (/^\d+$/.test(first)) return String(Number(first) + index);
  return String.fromCharCode(first.charCodeAt(0) + index);
}

/** Draws rows behind each other, the first nearest to the stage. */
export function drawBlock(newId: NewId, block: Block): RowData[] {
  const { at, rows, blocks, radius, depth = DEPTH, degrees = 0, first = 'A' } = block;
  const angle = (degrees * Math.PI) / 180;
  const turned = (x: number, y: number): Point => ({
    x: at.x + x * Math.cos(angle) - y * Math.sin(angle),
    y: at.y + x * Math.sin(angle) + y * Math.cos(angle),
  });
  return Array.from({ length: rows }, (_, index) => {
    const spots = alongRow(blocks).map(({ at: along, gapAfter }): Spot => {
      const back = index * depth;
      const round = radius === undefined ? null : radius + back;
      const spot =
        round === null
          ? turned(along, back)
          : turned(
              round * Math.sin(along / round),
              round * Math.cos(along / round) - (radius ?? 0),
            );
      return { ...spot, ...(gapAfter ? { x_gapAfter: true } : {}) };
    });
    return drawRow(newId, nameOfRow(first, index), {
      spots,
      categoryKey: block.categoryKey,
      called: block.called,
    });
  });
}

/**
 * Makes the first and the last place of a row wheelchair places, and those beside them
 * companions' seats.
 */
export function withWheelchairs(rows: readonly RowData[], chosen = 0): RowData[] {
  return rows.map((row, index) => (index === chosen ? withWheelchairPlaces(row) : row));
}

function withWheelchairPlaces(row: RowData): RowData {
  const { seats } = row;
  const changed = new Map<number, Partial<SeatData>>([
    [0, { accessible: true }],
    [1, { companionSeat: true, x_companionOf: entryAt(seats, 0).uuid }],
    [seats.length - 1, { accessible: true }],
    [seats.length - 2, { companionSeat: true, x_companionOf: entryAt(seats, -1).uuid }],
  ]);
  return { ...row, seats: seats.map((seat, index) => ({ ...seat, ...changed.get(index) })) };
}

export function drawTable(
  newId: NewId,
  label: string,
  { center, chairs, categoryKey }: { center: Point; chairs: number; categoryKey?: number },
): Centred<TableData> {
  const radius = 30;
  return {
    uuid: newId(),
    label,
    type: 'round',
    center: roundPoint(center),
    radius,
    autoRadius: false,
    rotationAngle: 0,
    openSpaces: 0,
    bookAsAWhole: false,
    seats: Array.from({ length: chairs }, (_, index) => ({
      uuid: newId(),
      ...roundPoint(onCircle(center, radius + 16, 180 - (index * 360) / chairs)),
      label: String(index + 1),
      ...(categoryKey === undefined ? {} : { categoryKey }),
    })),
  };
}

/** Draws a box: chairs in a cell, two at the parapet first. Its back wall lies at `degrees`. */
export function drawPalco(
  newId: NewId,
  label: string,
  { center, degrees, chairs }: { center: Point; degrees: number; chairs: number },
): Centred<TableData> {
  const [width, height] = [50, 54];
  const angle = (degrees * Math.PI) / 180;
  return {
    uuid: newId(),
    label,
    type: 'rectangular',
    x_kind: 'palco',
    center: roundPoint(center),
    width,
    height,
    rotationAngle: round(-degrees),
    openSpaces: 0,
    bookAsAWhole: false,
    displayObjectType: 'Palco',
    seats: Array.from({ length: chairs }, (_, index) => {
      const [across, back] = [((index % 2) - 0.5) * PITCH, (Math.floor(index / 2) - 0.5) * PITCH];
      return {
        uuid: newId(),
        ...roundPoint({
          x: center.x + across * Math.cos(angle) + back * Math.sin(angle),
          y: center.y - across * Math.sin(angle) + back * Math.cos(angle),
        }),
        label: String(index + 1),
      };
    }),
  };
}

interface InSection {
  categoryKey: number;
  rows?: readonly RowData[];
  tables?: readonly Centred<TableData>[];
  /** The outline; left out, it is drawn around the seats. */
  points?: readonly Point[];
  entrance?: string;
}

/** Draws a section from absolute coordinates, which are then measured from its corner. */
export function drawSection(newId: NewId, label: string, inside: InSection): SectionData {
  const { categoryKey, rows = [], tables = [], entrance } = inside;
  const seats = [...rows, ...tables].flatMap((holder) => holder.seats);
  const points = (inside.points ?? outlineWithRoom(seats, MARGIN)).map(roundPoint);
  const topLeft = {
    x: Math.min(...points.map(({ x }) => x)),
    y: Math.min(...points.map(({ y }) => y)),
  };
  const move = <P extends Point>(point: P): P => ({
    ...point,
    ...roundPoint({ x: point.x - topLeft.x, y: point.y - topLeft.y }),
  });
  const moved = <H extends { seats: SeatData[] }>(holder: H): H => ({
    ...holder,
    seats: holder.seats.map(move),
  });
  return {
    uuid: newId(),
    label,
    points,
    topLeft,
    categoryKey,
    ...(entrance === undefined ? {} : { entrance }),
    labelSize: 24,
    labelRotationAngle: 0,
    subChart: drawFloor({
      width: Math.max(...points.map(({ x }) => x)) - topLeft.x,
      height: Math.max(...points.map(({ y }) => y)) - topLeft.y,
      rows: rows.map(moved),
      tables: tables.map((table) => ({ ...moved(table), center: move(table.center) })),
    }),
  };
}

export function drawStage(
  newId: NewId,
  center: Point,
  {
    width,
    height,
    label = 'Palco',
    isStage = true,
  }: {
    width: number;
    height: number;
    label?: string;
    isStage?: boolean;
  },
): ShapeData {
  return {
    uuid: newId(),
    type: 'rectangle',
    ...(isStage ? { smartType: 'stage' } : {}),
    label,
    center,
    width,
    height,
    cornerRadius: 6,
    rotationAngle: 0,
    fillColor: isStage ? '#5b6270' : '#80808040',
  };
}

/** Draws standing places in a rectangle. */
export function drawStanding(
  newId: NewId,
  label: string,
  more: { center: Point; width: number; height: number; capacity: number; categoryKey: number },
): AreaData {
  const { center, width, height, capacity, categoryKey } = more;
  const corner = (x: number, y: number): Point => ({
    x: center.x + (x * width) / 2,
    y: center.y + (y * height) / 2,
  });
  return {
    uuid: newId(),
    label,
    categoryKey,
    capacity,
    type: 'polygon',
    center,
    points: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)],
    rotationAngle: 0,
    bookAsAWhole: false,
    variableOccupancy: false,
    labelSize: 24,
    labelShown: true,
  };
}

function drawFloor(more: Raw): Raw {
  return { ...emptyFloor({ width: 0, height: 0 }), ...more };
}

/**
 * Colours of the categories in their order; people with any colour blindness can distinguish
 * them.
 */
const COLORS = ['#d9a02b', '#3f8fc4', '#a8527f', '#2f9e77'];

/** Makes a chart whose categories are numbered from 1 in this order. */
export function drawChart(name: string, categories: readonly string[], floor: Raw): Raw {
  const list: CategoryData[] = categories.map((label, index) => ({
    key: index + 1,
    label,
    color: entryAt(COLORS, index),
    accessible: false,
  }));
  const hasSections = Array.isArray(floor.sections) && floor.sections.length > 0;
  return {
    name,
    version: 1,
    venueType: hasSections ? 'WITH_SECTIONS_AND_FLOORS' : 'SIMPLE',
    x_cmPerUnit: CM_PER_UNIT,
    categories: { list, maxCategoryKey: list.length },
    zones: { list: [] },
    subChart: drawFloor(floor),
  };
}
