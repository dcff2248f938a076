/**
 * Reads a chart file in seats.io's drawing format, leniently: missing values get their usual
 * value, and nonsensical ones are refused.
 */
import { badRequest } from '#server/standins/seatsio/errors.ts';
import { priorityOf } from '#server/drawing/quality/rank.ts';
import { flagsOf } from '#server/drawing/model/flags.ts';
import { isRaw, rawOf, type Raw } from '#server/drawing/model/open.ts';

export interface Point {
  x: number;
  y: number;
}
export interface DrawingCategory {
  key: string;
  label: string;
  color: string;
  accessible: boolean;
}
export interface DrawingZone {
  key: string;
  label: string;
  focalPoint: Point | null;
}
export interface DrawingSeat extends Point {
  uuid: string;
  label: string;
  displayLabel: string;
  categoryKey: string | null;
  flags: number;
  entrance?: string;
  priority?: number;
  gapAfter: boolean;
}
export interface DrawingRow {
  uuid: string;
  label: string;
  displayLabel: string;
  displayObjectType?: string;
  hidesLabel?: true;
  priority?: number;
  seats: DrawingSeat[];
}
interface DrawingTable extends DrawingRow {
  center: Point;
  radius: number;
  /** The corners of a rectangular table, or the walls of a box. */
  corners?: Point[];
  bookAsAWhole: boolean;
  categoryKey: string | null;
}
interface DrawingArea {
  uuid: string;
  label: string;
  displayLabel: string;
  categoryKey: string | null;
  capacity: number;
  bookAsAWhole: boolean;
  variableOccupancy: boolean;
  minOccupancy: number;
  entrance?: string;
  priority?: number;
  shape:
    | { type: 'circle'; center: Point; radius1: number; radius2: number; rotationAngle: number }
    | { type: 'polygon'; points: Point[] };
}
interface DrawingBooth {
  uuid: string;
  label: string;
  displayLabel: string;
  categoryKey: string | null;
  center: Point;
  width: number;
  height: number;
  rotationAngle: number;
  entrance?: string;
  priority?: number;
}
export interface DrawingShape {
  type: 'rectangle' | 'ellipse' | 'polygon';
  smartType?: string;
  label?: string;
  points?: Point[];
  center?: Point;
  width?: number;
  height?: number;
  rotationAngle?: number;
  cornerRadius?: number;
  fillColor?: string;
}
interface DrawingText {
  text: string;
  center: Point;
  size: number;
  rotationAngle: number;
  color?: string;
}
export interface DrawingSection {
  uuid: string;
  label: string;
  displayLabel: string;
  points: Point[];
  categoryKey: string | null;
  zone?: string;
  entrance?: string;
  priority?: number;
  subChart: SubChart;
}
export interface SubChart {
  /** All coordinates are absolute: the top left corner of its section is already added. */
  width: number;
  height: number;
  focalPoint: Point | null;
  floor?: { name: string; displayName: string };
  rows: DrawingRow[];
  tables: DrawingTable[];
  areas: DrawingArea[];
  booths: DrawingBooth[];
  shapes: DrawingShape[];
  texts: DrawingText[];
  sections: DrawingSection[];
}
export interface Drawing {
  name: string;
  venueType: string;
  categories: DrawingCategory[];
  /** The categories with their keys as drawn: a number stays a number. */
  drawnCategories: (Omit<DrawingCategory, 'key'> & { key: string | number })[];
  zones: DrawingZone[];
  floors: SubChart[];
}

/** Coordinates beyond this are nonsense and could not be drawn. */
const MOST = 1e9;
/** Old drawings use the old names; the API answers with the new ones. */
const VENUE_TYPES: Record<string, string> = {
  ROWS_WITHOUT_SECTIONS: 'SIMPLE',
  ROWS_WITH_SECTIONS: 'WITH_SECTIONS_AND_FLOORS',
  ZONES: 'WITH_ZONES',
  MIXED: 'SIMPLE',
  TABLES: 'SIMPLE',
  BOOTHS: 'SIMPLE',
};

function listOf(value: unknown): Raw[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isRaw))
    throw badRequest('#: the drawing holds a list that is none');
  return value;
}

/** Unpaired surrogates are replaced, because the database would store another text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}

function numberOf(value: unknown, otherwise = 0): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= MOST ? number : otherwise;
}

function pointOf(value: unknown, origin: Point = { x: 0, y: 0 }): Point {
  const raw = rawOf(value);
  return { x: numberOf(raw.x) + origin.x, y: numberOf(raw.y) + origin.y };
}

function maybePointOf(value: unknown, origin?: Point): Point | null {
  return isRaw(value) ? pointOf(value, origin) : null;
}

function namesOf(raw: Raw): { uuid: string; label: string; displayLabel: string } {
  const label = textOf(raw.label) ?? '?';
  return { uuid: textOf(raw.uuid) ?? '', label, displayLabel: textOf(raw.displayLabel) ?? label };
}

/** Undefined where the drawing does not set it. */
function priorityIn({ x_priority: steps }: Raw): { priority?: number } {
  return steps === undefined ? {} : { priority: priorityOf(steps) };
}

function readSeat(raw: Raw, origin: Point): DrawingSeat {
  return {
    ...namesOf(raw),
    ...pointOf(raw, origin),
    categoryKey: textOf(raw.categoryKey) ?? null,
    flags: flagsOf(raw),
    entrance: textOf(raw.entrance),
    ...priorityIn(raw),
    gapAfter: raw.x_gapAfter === true,
  };
}

/**
 * Undefined for `row` and `table`, which the vendor's designer writes if no word was chosen; the
 * vendor's API does not show them.
 */
function ownWord(value: unknown): string | undefined {
  const word = textOf(value);
  return word === 'row' || word === 'table' ? undefined : word;
}

function readRow(raw: Raw, origin: Point): DrawingRow {
  return {
    ...namesOf(raw),
    displayObjectType: ownWord(raw.displayObjectType),
    hidesLabel: raw.rowLabelPosition === 'label-position-invisible' || undefined,
    ...priorityIn(raw),
    seats: listOf(raw.seats).map((seat) => readSeat(seat, origin)),
  };
}

function readTable(raw: Raw, origin: Point): DrawingTable {
  const row = readRow(raw, origin);
  const center = pointOf(raw.center, origin);
  const [width, height] = [numberOf(raw.width), numberOf(raw.height)];
  const isRectangular = raw.type === 'rectangular' && width > 0 && height > 0;
  const degrees = numberOf(raw.rotationAngle);
  return {
    ...row,
    center,
    corners: isRectangular ? cornersOf(center, { width, height, degrees }) : undefined,
    radius: numberOf(raw.radius, Math.min(width, height) / 2),
    bookAsAWhole: raw.bookAsAWhole === true,
    categoryKey: textOf(raw.categoryKey) ?? row.seats[0]?.categoryKey ?? null,
  };
}

/** The corners of a rotated rectangle. */
export function cornersOf(
  center: Point,
  { width, height, degrees }: { width: number; height: number; degrees: number },
): Point[] {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([a = 0, b = 0]) => {
    const [x, y] = [(a * width) / 2, (b * height) / 2];
    return { x: center.x + x * cos - y * sin, y: center.y + x * sin + y * cos };
  });
}

function areaPoints(raw: Raw, origin: Point): Point[] | null {
  if (
    Array.isArray(raw.points) &&
    raw.points.length > 2 &&
    (raw.type === 'polygon' || typeof raw.radius1 !== 'number')
  ) {
    return listOf(raw.points).map((point) => pointOf(point, origin));
  }
  if (
    typeof raw.width !== 'number' ||
    typeof raw.height !== 'number' ||
    typeof raw.radius1 === 'number'
  )
    return null;
  return cornersOf(pointOf(raw.center, origin), {
    width: numberOf(raw.width),
    height: numberOf(raw.height),
    degrees: numberOf(raw.rotationAngle),
  });
}

function readArea(raw: Raw, origin: Point): DrawingArea {
  const points = areaPoints(raw, origin);
  const shape: DrawingArea['shape'] = points
    ? { type: 'polygon', points }
    : {
        type: 'circle',
        center: pointOf(raw.center, origin),
        radius1: numberOf(raw.radius1),
        radius2: numberOf(raw.radius2),
        rotationAngle: numberOf(raw.rotationAngle),
      };
  return {
    ...namesOf(raw),
    categoryKey: textOf(raw.categoryKey) ?? null,
    capacity: Math.max(0, Math.trunc(numberOf(raw.capacity))),
    bookAsAWhole: raw.bookAsAWhole === true,
    variableOccupancy: raw.variableOccupancy === true,
    minOccupancy: numberOf(raw.minOccupancy, 1),
    entrance: textOf(raw.entrance),
    ...priorityIn(raw),
    shape,
  };
}

function readBooth(raw: Raw, origin: Point): DrawingBooth {
  return {
    ...namesOf(raw),
    categoryKey: textOf(raw.categoryKey) ?? null,
    center: pointOf(raw.center, origin),
    width: numberOf(raw.width, 40),
    height: numberOf(raw.height, 40),
    rotationAngle: numberOf(raw.rotationAngle),
    entrance: textOf(raw.entrance),
    ...priorityIn(raw),
  };
}

function shapeTypeOf(raw: Raw, points: Point[] | undefined): DrawingShape['type'] {
  if (raw.type === 'rectangle') return 'rectangle';
  return points ? 'polygon' : 'ellipse';
}

function readShape(raw: Raw, origin: Point): DrawingShape {
  const points =
    Array.isArray(raw.points) && raw.points.length > 2
      ? listOf(raw.points).map((point) => pointOf(point, origin))
      : undefined;
  const size = (value: unknown) => (typeof value === 'number' ? numberOf(value) : undefined);
  return {
    type: shapeTypeOf(raw, points),
    smartType: textOf(raw.smartType),
    label: textOf(raw.label),
    points,
    center: maybePointOf(raw.center, origin) ?? undefined,
    width:
      size(raw.width) ?? size(raw.radius1 === undefined ? undefined : 2 * numberOf(raw.radius1)),
    height:
      size(raw.height) ?? size(raw.radius2 === undefined ? undefined : 2 * numberOf(raw.radius2)),
    rotationAngle: size(raw.rotationAngle),
    cornerRadius: size(raw.cornerRadius),
    fillColor: textOf(raw.fillColor),
  };
}

function readText(raw: Raw, origin: Point): DrawingText {
  return {
    text: textOf(raw.text) ?? textOf(raw.label) ?? '',
    center: maybePointOf(raw.center, origin) ?? pointOf(raw, origin),
    size: numberOf(raw.fontSize ?? raw.size, 16),
    rotationAngle: numberOf(raw.rotationAngle),
    color: textOf(raw.textColor ?? raw.color),
  };
}

function readSection(raw: Raw, origin: Point): DrawingSection {
  return {
    ...namesOf(raw),
    points: listOf(raw.points).map((point) => pointOf(point, origin)),
    categoryKey: textOf(raw.categoryKey) ?? null,
    zone: textOf(raw.zone),
    entrance: textOf(raw.entrance),
    ...priorityIn(raw),
    subChart: readSubChart(rawOf(raw.subChart), pointOf(raw.topLeft, origin), []),
  };
}

/** A limit for lists that are short in any real venue; lists of seats have none of their own. */
function fewOf(value: unknown, { most, what }: { most: number; what: string }): Raw[] {
  const list = listOf(value);
  if (list.length > most) throw badRequest(`#: the drawing has more than ${most} ${what}`);
  return list;
}

/** Sections do not nest, so `sections` is empty for a section's own drawing. */
function readSubChart(raw: Raw, origin: Point, sections: Raw[]): SubChart {
  const name = textOf(raw.floorName);
  return {
    width: numberOf(raw.width),
    height: numberOf(raw.height),
    focalPoint: maybePointOf(raw.focalPoint, origin),
    floor:
      name === undefined ? undefined : { name, displayName: textOf(raw.floorDisplayName) ?? name },
    rows: listOf(raw.rows).map((row) => readRow(row, origin)),
    tables: listOf(raw.tables).map((table) => readTable(table, origin)),
    areas: listOf(raw.generalAdmissionAreas).map((area) => readArea(area, origin)),
    booths: listOf(raw.booths).map((booth) => readBooth(booth, origin)),
    shapes: listOf(raw.shapes).map((shape) => readShape(shape, origin)),
    texts: listOf(raw.texts).map((text) => readText(text, origin)),
    sections: sections.map((section) => readSection(section, origin)),
  };
}

/** No real drawing is deeper, and writing one as text only fails at a far greater depth. */
const MOST_DEPTH = 200;

/**
 * Parses a drawing's JSON, whose root must be an object.
 * @throws ApiError 400 GENERAL_ERROR when it is not JSON, not an object, or nested too deeply
 */
export function parseDrawing(text: string): Raw {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('The body is no JSON');
  }
  if (!isRaw(value)) throw badRequest('#: a drawing expected');
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  if (deepest > MOST_DEPTH)
    throw badRequest(`#: the drawing is nested more than ${MOST_DEPTH} times`);
  return value;
}

/** @throws ApiError 400 GENERAL_ERROR when it is not a drawing */
export function readDrawing(value: unknown): Drawing {
  if (!isRaw(value) || (!isRaw(value.subChart) && !Array.isArray(value.subChartFloors)))
    throw badRequest('#: a drawing with subChart or subChartFloors expected');
  const venueType = textOf(value.venueType) ?? 'SIMPLE';
  const drawnCategories = fewOf(rawOf(value.categories).list, {
    most: 1000,
    what: 'categories',
  }).map((raw) => ({
    key: typeof raw.key === 'number' ? raw.key : (textOf(raw.key) ?? ''),
    label: textOf(raw.label) ?? '',
    color: textOf(raw.color) ?? '#888888',
    accessible: raw.accessible === true,
  }));
  return {
    name: textOf(value.name) ?? 'Untitled chart',
    venueType:
      (Object.hasOwn(VENUE_TYPES, venueType) ? VENUE_TYPES[venueType] : undefined) ?? venueType,
    drawnCategories,
    categories: drawnCategories.map((category) => ({ ...category, key: String(category.key) })),
    zones: fewOf(rawOf(value.zones).list, { most: 1000, what: 'zones' }).map((raw) => ({
      key: textOf(raw.key) ?? '',
      label: textOf(raw.label) ?? '',
      focalPoint: maybePointOf(raw.focalPoint),
    })),
    floors: (isRaw(value.subChart)
      ? [value.subChart]
      : fewOf(value.subChartFloors, { most: 100, what: 'floors' })
    ).map((raw) => readSubChart(raw, { x: 0, y: 0 }, listOf(raw.sections))),
  };
}
