/**
 * Names for orientation: a row's letter beside its seats or at the edge of the view, a section's
 * name beside the section or at the top of the view.
 */
import { isOutside, type Box } from '#apps/chart/scene/outline.ts';
import { placePoint, type SceneGroup, type SceneRow } from '#apps/chart/scene/scene.ts';
import { marksOf } from '#apps/chart/scene/spacing.ts';
import { words } from '#apps/chart/words.ts';
import { isOnOwnGround, obstaclesNear, type Shown } from './free-spots.ts';
import { type Lost, nameSections } from './paint-sections.ts';
import { outline, widthOf, write } from './pen.ts';
import { onScreen, type Picture } from './picture.ts';
import type { Point } from '#server/standins/seatsio/wire.ts';

const rowNamesFrom = 6;
/** The distance from the edge of the view to the middle of a pinned name. */
const edge = 13;
const plateHeight = 20;
/** Text, width beside it and height of a plate; the first that covers nothing is used. */
const plateSizes = [
  { size: 13, beside: 12, height: plateHeight },
  { size: 11, beside: 5, height: 14 },
  { size: 9.5, beside: 3, height: 12 },
] as const;
/** How far along its row a name is moved from the edge of the view, and in what steps. */
const farthest = 72;
const slide = 4;
/** The distance between the heights at which a section's name is tried. */
const headStep = 9;
/** The top of names below the floor buttons. */
const belowFloors = 62;

/** A text on its own background, at a point of the screen. */
interface Plate {
  text: string;
  x: number;
  y: number;
  size: number;
  width: number;
  height: number;
  /** A translucent background, because seats may lie under it. */
  clear?: boolean;
}

/** The opacity with which both the text and the seats under it are legible. */
const clearGround = 0.55;

/**
 * Names the sections that show their seats, and blocks too small for their name; `seen` is the
 * view in units of the drawing.
 */
export function nameOpen(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { shown, cramped, seen }: { shown: Shown; cramped: SceneGroup[]; seen: Box },
): void {
  const open = shown.map(({ group }) => group);
  const lost = nameSections(context, picture, { open, cramped, seen });
  const plates = lost.flatMap((one, at) => headOf(context, picture, { ...one, at, shown }) ?? []);
  for (const { group, rows } of shown)
    if (group.radius * picture.camera.k >= rowNamesFrom)
      plates.push(...nameRows(context, picture, { group, rows, seen, shown }));
  const drawn: Plate[] = [];
  for (const plate of plates) {
    if (drawn.some(({ x, y }) => Math.hypot(x - plate.x, y - plate.y) < plateHeight)) continue;
    drawn.push(plate);
    drawPlate(context, picture, plate);
  }
}

/**
 * The plate of a section's name: at one of its spots, or else near the top of the view where it
 * covers nothing; each further name starts one line lower. Undefined if there is no room.
 */
function headOf(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { text, group, spots, across, at, shown }: Lost & { at: number; shown: Shown },
): Plate | undefined {
  const top = picture.scene.floors.length > 1 ? belowFloors : 6;
  const first = top + plateHeight / 2 + at * (plateHeight + 2);
  const lines = Math.max(1, Math.ceil((picture.height / 2 - first) / headStep));
  const heights = Array.from({ length: lines }, (_, line) => first + line * headStep);
  const isGood = (plate: Plate) => isOnOwnGround(picture, plate, group);
  for (const line of spots ? [spots] : heights.map((y) => across.map((x) => ({ x, y })))) {
    const found = findPlate(context, picture, { text, group, spots: line, shown, isGood });
    if (found) return { ...found, clear: true };
  }
  return undefined;
}

/**
 * Writes each row's name where it covers no seat; a row whose name is out of view gets it at the
 * edge of the view.
 */
function nameRows(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { group, rows, seen, shown }: Shown[number] & { seen: Box; shown: Shown },
): Plate[] {
  const { scene, camera, look } = picture;
  const plates: Plate[] = [];
  for (const row of rows) {
    const marks = marksOf(scene, group, row).filter(({ x, y }) => !isOutside(seen, x, y, 0));
    for (const { text, turn, size, ...at } of marks)
      write(context, camera, {
        text,
        at,
        size: Math.min(15, group.radius * camera.k * size),
        turn,
        color: look.theme.muted,
      });
    if (marks.length > 0 || row.wire.hidesLabel || row.table || look.print) continue;
    const { displayObjectType } = row.wire;
    const text = displayObjectType ? words.row(row.name, displayObjectType) : row.name;
    plates.push(
      ...cutsOf(picture, row).flatMap(
        (spots) => findPlate(context, picture, { text, group, spots, shown }) ?? [],
      ),
    );
  }
  return plates;
}

/** Where a row leaves the view: none, one or two lists of spots along it, the outermost first. */
function cutsOf({ scene, camera, width, height }: Picture, row: SceneRow): Point[][] {
  const isIn = ({ x, y }: Point) =>
    x >= edge && x <= width - edge && y >= edge && y <= height - edge;
  const seats = Array.from({ length: row.count }, (_, n) =>
    onScreen(camera, placePoint(scene, row.first + n)),
  );
  const from = seats.findIndex(isIn);
  if (from < 0) return [];
  const to = seats.findLastIndex(isIn);
  const cut = (inside: readonly Point[], outside: Point | undefined) =>
    outside && inside[0]
      ? [spotsAlong([crossing(inside[0], outside, { width, height }), ...inside])]
      : [];
  const within = seats.slice(from, to + 1);
  return [...cut(within, seats[from - 1]), ...cut(within.toReversed(), seats[to + 1])];
}

/** Points on a line, equally far apart, as far as a name may be moved. */
function spotsAlong(line: readonly Point[]): Point[] {
  const spots: Point[] = [];
  let before = 0;
  for (const [n, from] of line.entries()) {
    const to = line[n + 1];
    if (to === undefined || before > farthest) break;
    const long = Math.hypot(to.x - from.x, to.y - from.y);
    for (let way = spots.length * slide; way < before + long && way <= farthest; way += slide) {
      const share = (way - before) / long;
      spots.push({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
    }
    before += long;
  }
  return spots;
}

function crossing(inside: Point, outside: Point, size: { width: number; height: number }): Point {
  const share = (from: number, to: number, most: number) => {
    const limit = Math.min(Math.max(to, edge), most - edge);
    return to === limit ? 1 : (limit - from) / (to - from);
  };
  const part = Math.min(
    share(inside.x, outside.x, size.width),
    share(inside.y, outside.y, size.height),
  );
  return {
    x: inside.x + (outside.x - inside.x) * part,
    y: inside.y + (outside.y - inside.y) * part,
  };
}

interface Wanted {
  text: string;
  group: SceneGroup;
  spots: readonly Point[];
  shown: Shown;
  isGood?: (plate: Plate) => boolean;
}

/** The first spot with room, the larger plates first; texts are moved inwards into the view. */
function findPlate(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { text, group, spots, shown, isGood = () => true }: Wanted,
): Plate | undefined {
  const plates = plateSizes.map(({ size, beside, height }) => ({
    text,
    size,
    height,
    width: Math.max(height - 2, widthOf(context, text, size) + beside),
  }));
  const reach = (plates[0]?.width ?? 0) + plateHeight;
  const obstacles = obstaclesNear(picture, shown, { spots, reach, own: group });
  for (const { x: wanted, y } of spots)
    for (const plate of plates) {
      const half = plate.width / 2;
      const x = Math.min(Math.max(wanted, half + 2), picture.width - half - 2);
      if (isCovered(obstacles, x, y, plate)) continue;
      const placed = { ...plate, x, y };
      if (isGood(placed)) return placed;
    }
  return undefined;
}

/** No box is made for the plate, because most of the thousands in a frame have no room. */
function isCovered(
  obstacles: readonly Box[],
  x: number,
  y: number,
  { width, height }: { width: number; height: number },
): boolean {
  const [half, up] = [width / 2, height / 2];
  for (const { left, right, top, bottom } of obstacles)
    if (left < x + half && right > x - half && top < y + up && bottom > y - up) return true;
  return false;
}

function drawPlate(
  context: CanvasRenderingContext2D,
  { look: { theme } }: Picture,
  { text, x, y, size, width, height, clear = false }: Plate,
): void {
  context.beginPath();
  context.roundRect(x - width / 2, y - height / 2, width, height, height * 0.3);
  context.fillStyle = theme.raised;
  context.globalAlpha = clear ? clearGround : 1;
  context.fill();
  context.globalAlpha = 1;
  outline(context, theme.line, 1);
  const here = { k: 1, x: 0, y: 0 };
  write(context, here, { text, at: { x, y }, size, color: theme.text, bold: true });
}
