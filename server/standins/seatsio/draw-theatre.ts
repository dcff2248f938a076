/** Draws the chart of the Teatro Goldoni, an Italian theatre with boxes, and writes charts/teatro-goldoni.json: `node server/standins/seatsio/draw-theatre.ts`. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

interface Point { x: number; y: number }
interface Seat extends Point {
  uuid: string; label: string; displayLabel: null; categoryKey: null; accessible: boolean; companionSeat: boolean; restrictedView: boolean;
  x_gapAfter?: true;
}

const WIDTH = 960;
const HEIGHT = 1216;
const MIDDLE = WIDTH / 2;
/** Where the straight sides of the horseshoe end and its half circle begins. */
const CENTRE: Point = { x: MIDDLE, y: 520 };
const STAGE_FRONT = 140;
const CATEGORIES = [
  { key: 1, label: 'Platea', color: '#4f8ef7', accessible: false },
  { key: 2, label: 'Palchi', color: '#e8a33d', accessible: false },
  { key: 3, label: 'Galleria', color: '#2fb5a0', accessible: false },
];

/** The same name always gets the same id, so that drawing twice changes nothing in the file. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`teatro-goldoni ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function onCircle(centre: Point, radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return { x: centre.x + radius * Math.sin(angle), y: centre.y + radius * Math.cos(angle) };
}

function drawSeat(name: string, label: string, at: Point): Seat {
  return {
    uuid: uuidOf(`${name} ${label}`), x: at.x, y: at.y, label, displayLabel: null, categoryKey: null, accessible: false, companionSeat: false,
    restrictedView: false,
  };
}

function drawRow(section: string, label: string, more: { seats: Seat[]; displayObjectType?: string }) {
  return {
    uuid: uuidOf(`${section} row ${label}`), label, displayLabel: null, displayObjectType: more.displayObjectType ?? null, curve: 0, chairSpacing: 0,
    rotationAngle: 0,
    smooth: false, points: [], rowLabelPosition: 'both', objectLabeling: null,
    seatLabeling: { algoName: 'SimpleNumbers', startAtIndex: 0, isInverted: false }, seats: more.seats,
  };
}
type Row = ReturnType<typeof drawRow>;

function drawBox(at: Point, size: { width: number; height: number; rotationAngle: number }) {
  return {
    uuid: uuidOf(`box ${round(at.x)} ${round(at.y)}`), type: 'rectangle', smartType: null, label: null, icon: null, fillColor: '#80808033',
    center: at, cornerRadius: 9, ...size,
  };
}

function drawSubChart(more: {
  rows?: Row[]; shapes?: object[]; sections?: object[]; areas?: object[]; focalPoint?: Point | null; width: number; height: number;
}) {
  return {
    width: more.width, height: more.height, snapOffset: { x: 0, y: 0 }, focalPoint: more.focalPoint ?? null, backgroundImage: null,
    rows: more.rows ?? [], tables: [], booths: [],
    generalAdmissionAreas: more.areas ?? [], sections: more.sections ?? [], shapes: more.shapes ?? [], texts: [], icons: [], imageObjects: [],
  };
}

/** In the format seats and shapes of a section are measured from its top left corner. */
function drawSection(
  label: string,
  more: { categoryKey: number; entrance: string; points: Point[]; rows: Row[]; boxes?: ReturnType<typeof drawBox>[]; labelSize: number },
) {
  const topLeft = { x: Math.min(...more.points.map((point) => point.x)), y: Math.min(...more.points.map((point) => point.y)) };
  const move = <P extends Point>(point: P): P => ({ ...point, x: point.x - topLeft.x, y: point.y - topLeft.y });
  return {
    uuid: uuidOf(`section ${label}`), label, displayLabel: null, points: more.points, topLeft, categoryKey: more.categoryKey, zone: null, entrance: more.entrance,
    viewFromYourSeatImage: null, labelSize: more.labelSize, labelRotationAngle: 0, cutoffAngle: 0,
    subChart: drawSubChart({
      width: Math.max(...more.points.map((point) => point.x)) - topLeft.x,
      height: Math.max(...more.points.map((point) => point.y)) - topLeft.y,
      rows: more.rows.map((row) => ({ ...row, seats: row.seats.map(move) })),
      shapes: (more.boxes ?? []).map((box) => ({ ...box, center: move(box.center) })),
    }),
  };
}

/** The smallest convex outline that keeps `margin` around every point (Andrew's monotone chain). */
function outlineOf(points: Point[], margin: number): Point[] {
  const around = points
    .flatMap((point) => Array.from({ length: 24 }, (_, step) => onCircle(point, margin, step * 15)))
    .map(({ x, y }) => ({ x: round(x), y: round(y) }))
    .sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered: Point[]) => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(around), ...half([...around].reverse())];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** Sixteen gently curved rows with an aisle in the middle; they widen, then follow the horseshoe inwards. */
function drawPlatea() {
  const pitch = 24;
  const aisle = 38;
  const eye: Point = { x: MIDDLE, y: -760 };
  const halves = [7, 8, 8, 9, 9, 10, 10, 10, 10, 10, 10, 10, 9, 9, 8, 7];
  const rows = halves.map((half, index) => {
    const label = 'ABCDEFGHIJKLMNOP'[index]!;
    const radius = 232 + index * 33 - eye.y;
    const seats = Array.from({ length: half * 2 }, (_, place) => {
      const fromAisle = place < half ? -(half - place - 0.5) * pitch - aisle / 2 : (place - half + 0.5) * pitch + aisle / 2;
      return drawSeat(`Platea ${label}`, String(place + 1), onCircle(eye, radius, (fromAisle / radius) * (180 / Math.PI)));
    });
    seats[half - 1]!.x_gapAfter = true;
    return drawRow('Platea', label, { seats });
  });
  // Wheelchair places where no step is in the way, each beside a seat for the person who comes along.
  for (const row of [rows[0]!, rows.at(-1)!]) {
    for (const [place, beside] of [[0, 1], [-1, -2]] as const) {
      row.seats.at(place)!.accessible = true;
      row.seats.at(beside)!.companionSeat = true;
    }
  }
  return drawSection('Platea', { categoryKey: 1, entrance: 'Ingresso platea', points: outlineOf(rows.flatMap((row) => row.seats), 22), rows, labelSize: 40 });
}

const SIDE_TOP = 196;

/** A point of the horseshoe that stands `distance` along it, from the stage's left around to its right, and the angle of the wall there. */
function onHorseshoe(radius: number, distance: number): Point & { rotationAngle: number } {
  const side = CENTRE.y - SIDE_TOP;
  const bend = Math.PI * radius;
  if (distance <= side) return { x: CENTRE.x - radius, y: SIDE_TOP + distance, rotationAngle: 90 };
  if (distance >= side + bend) return { x: CENTRE.x + radius, y: CENTRE.y - (distance - side - bend), rotationAngle: 90 };
  const degrees = -90 + ((distance - side) / bend) * 180;
  return { ...onCircle(CENTRE, radius, degrees), rotationAngle: -degrees };
}

/** One tier of seventeen boxes with four chairs each; number 9, opposite the stage, is the royal one. */
function drawTier(label: string, more: { radius: number; pitch: number; entrance: string }) {
  const boxes = 17;
  const length = 2 * (CENTRE.y - SIDE_TOP) + Math.PI * more.radius;
  const rows: Row[] = [];
  const walls: ReturnType<typeof drawBox>[] = [];
  for (let box = 0; box < boxes; box += 1) {
    const middle = ((box + 0.5) / boxes) * length;
    const seats = Array.from(
      { length: 4 }, (_, place) => drawSeat(`${label} ${box + 1}`, String(place + 1), onHorseshoe(more.radius, middle + (place - 1.5) * more.pitch)),
    );
    // From the boxes beside the stage a part of it cannot be seen.
    if (box < 2 || box >= boxes - 2) for (const seat of seats) seat.restrictedView = true;
    rows.push(drawRow(label, String(box + 1), { seats: seats.map(({ uuid, x, y, ...rest }) => ({ uuid, x, y, ...rest })), displayObjectType: 'Palco' }));
    const { rotationAngle, ...center } = onHorseshoe(more.radius, middle);
    walls.push(drawBox(center, { width: length / boxes - 6, height: 38, rotationAngle }));
  }
  const outline = (radius: number) => Array.from(
    { length: 41 }, (_, step) => onHorseshoe(radius, (step / 40) * (2 * (CENTRE.y - SIDE_TOP) + Math.PI * radius)),
  ).map(({ x, y }) => ({ x, y }));
  return drawSection(
    label,
    {
      categoryKey: 2, entrance: more.entrance, points: [...outline(more.radius + 26), ...outline(more.radius - 26).reverse()], rows, boxes: walls,
      labelSize: 22,
    },
  );
}

function band(inner: number, outer: number, degrees: number): Point[] {
  const arc = (radius: number) => Array.from({ length: 25 }, (_, step) => onCircle(CENTRE, radius, -degrees + (step / 24) * 2 * degrees));
  return [...arc(outer), ...arc(inner).reverse()];
}

/** Four rows on the curve behind the boxes, cut by two stairs. */
function drawGalleria() {
  const pitch = 23.5;
  const blocks = [[-54, -20], [-16.5, 16.5], [20, 54]] as const;
  const rows = [452, 479, 506, 533].map((radius, index) => {
    const label = 'ABCD'[index]!;
    const seats: Seat[] = [];
    for (const [from, to] of blocks) {
      const step = (pitch / radius) * (180 / Math.PI);
      const count = Math.floor((to - from) / step) + 1;
      const first = (from + to) / 2 - ((count - 1) / 2) * step;
      for (let place = 0; place < count; place += 1) seats.push(drawSeat(
        `Galleria ${label}`, String(seats.length + 1), onCircle(CENTRE, radius, first + place * step),
      ));
      if (to < 54) seats.at(-1)!.x_gapAfter = true;
    }
    return drawRow('Galleria', label, { seats });
  });
  return drawSection('Galleria', { categoryKey: 3, entrance: 'Scala galleria', points: band(431, 554, 57), rows, labelSize: 32 });
}

function drawLoggione() {
  return {
    uuid: uuidOf('Loggione'), label: 'Loggione', displayLabel: null, capacity: 60, categoryKey: 3, type: 'polygon', points: band(580, 662, 25),
    center: { x: MIDDLE, y: CENTRE.y + 610 },
    rotationAngle: 0, bookAsAWhole: false, variableOccupancy: false, minOccupancy: null, labelSize: 28, labelShown: true, entrance: 'Scala galleria',
  };
}

/** The whole drawing, in full precision. */
export function drawTheatre(): object {
  return {
    name: 'Teatro Goldoni', version: 1, venueType: 'WITH_SECTIONS_AND_FLOORS', categories: { list: CATEGORIES, maxCategoryKey: 3 }, zones: { list: [] },
    subChart: drawSubChart({
      width: WIDTH, height: HEIGHT, focalPoint: { x: MIDDLE, y: STAGE_FRONT },
      sections: [
        drawPlatea(),
        drawTier('Palchi I ordine', { radius: 324, pitch: 22.5, entrance: 'Scala palchi' }),
        drawTier('Palchi II ordine', { radius: 386, pitch: 24, entrance: 'Scala palchi' }),
        drawGalleria(),
      ],
      areas: [drawLoggione()],
      shapes: [{
        uuid: uuidOf('stage'), type: 'rectangle', smartType: 'stage', label: 'Palcoscenico', icon: null, fillColor: '#5b6270',
        center: { x: MIDDLE, y: 84 }, width: 600, height: 112, cornerRadius: 18, rotationAngle: 0,
      }],
    }),
  };
}

/** Small objects on one line, so that a change of one seat is one line in a diff. */
function print(value: unknown, indent = ''): string {
  if (typeof value === 'number') return String(round(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deep = Object.values(value).some((inner) => typeof inner === 'object' && inner !== null && Object.values(inner).some((leaf) => typeof leaf === 'object'));
  const many = Array.isArray(value) && value.length > 1 && typeof value[0] === 'object' && Object.keys(value[0] as object).length > 2;
  const [open, gap, close] = deep || many ? [`\n${indent} `, `,\n${indent} `, `\n${indent}`] : ['', ',', ''];
  const parts = Array.isArray(value)
    ? value.map((inner) => print(inner, `${indent} `))
    : Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${print(inner, `${indent} `)}`);
  return Array.isArray(value) ? `[${open}${parts.join(gap)}${close}]` : `{${open}${parts.join(gap)}${close}}`;
}

/** The drawing as the file holds it, to a tenth of a unit. */
export function printDrawing(drawing: object): string {
  return `${print(drawing)}\n`;
}

if (import.meta.main) writeFileSync(new URL('charts/teatro-goldoni.json', import.meta.url), printDrawing(drawTheatre()));
