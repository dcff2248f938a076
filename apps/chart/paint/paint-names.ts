/**
 * Names for orientation: a row's letter beside its seats or at the edge of the view, a section's
 * name beside the section or at the top of the view.
 */
import { isOutside, overlaps, type Box } from '#apps/chart/scene/outline.ts';
import { placePoint, type SceneGroup, type SceneRow } from '#apps/chart/scene/scene.ts';
import { marksOf } from '#apps/chart/scene/spacing.ts';
import { words } from '#apps/chart/words.ts';
import { type Lost, nameSections } from './paint-sections.ts';
import { outline, widthOf, write } from './pen.ts';
import { onScreen, type Picture } from './picture.ts';
import type { Point } from '#server/standins/seatsio/wire.ts';

const rowNamesFrom = 6;
/** The distance from the edge of the view to the middle of a pinned name. */
const edge = 13;
const plateHeight = 20;
const plateText = 13;
/** The top of names below the floor buttons. */
const belowFloors = 62;

/** A text on its own background, at a point of the screen. */
interface Plate {
  text: string;
  x: number;
  y: number;
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
  { open, cramped, seen }: { open: readonly SceneGroup[]; cramped: SceneGroup[]; seen: Box },
): void {
  const lost = nameSections(context, picture, { open, cramped, seen });
  const plates = lost.map((one, at) => headOf(context, picture, { ...one, at }));
  for (const group of open)
    if (group.radius * picture.camera.k >= rowNamesFrom)
      plates.push(...nameRows(context, picture, { group, seen }));
  const drawn: Plate[] = [];
  for (const plate of plates) {
    if (drawn.some(({ x, y }) => Math.hypot(x - plate.x, y - plate.y) < plateHeight)) continue;
    drawn.push(plate);
    drawPlate(context, picture, plate);
  }
}

/**
 * A section's name at its given height, or at the top of the view, one line lower for each name
 * before it.
 */
function headOf(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { text, x, y, at }: Lost & { at: number },
): Plate {
  const top = picture.scene.floors.length > 1 ? belowFloors : 6;
  const line = top + plateHeight / 2 + at * (plateHeight + 2);
  return { ...putPlate(context, picture, { text, at: { x, y: y ?? line } }), clear: true };
}

/**
 * Writes each row's name where it covers no seat; a row whose name is out of view gets it at the
 * edge of the view.
 */
function nameRows(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { group, seen }: { group: SceneGroup; seen: Box },
): Plate[] {
  const { scene, camera, look } = picture;
  const size = Math.min(15, group.radius * camera.k * 1.15);
  const plates: Plate[] = [];
  for (const row of group.rows) {
    if (!overlaps(row.box, seen, group.radius * 4)) continue;
    const { displayObjectType, hidesLabel } = row.wire;
    // A whole word is written along its row.
    const text = displayObjectType ? words.row(row.name, displayObjectType) : row.name;
    const turn = displayObjectType ? turnOf(picture, row) : 0;
    const marks = marksOf(scene, group, row).filter(({ x, y }) => !isOutside(seen, x, y, 0));
    for (const at of marks)
      write(context, camera, { text, at, size, turn, color: look.theme.muted });
    if (marks.length > 0 || hidesLabel || row.table || look.print) continue;
    plates.push(...cutsOf(picture, row).map((at) => putPlate(context, picture, { text, at })));
  }
  return plates;
}

/** The angle of a row's line, turned so that words are not upside down. */
function turnOf({ scene }: Picture, { first, count }: SceneRow): number {
  const [from, to] = [placePoint(scene, first), placePoint(scene, first + count - 1)];
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return Math.abs(angle) > 90 ? angle - Math.sign(angle) * 180 : angle;
}

/** The points of the screen where a row leaves the view: none, one or two. */
function cutsOf({ scene, camera, width, height }: Picture, row: SceneRow): Point[] {
  const isIn = ({ x, y }: Point) =>
    x >= edge && x <= width - edge && y >= edge && y <= height - edge;
  const seats = Array.from({ length: row.count }, (_, n) =>
    onScreen(camera, placePoint(scene, row.first + n)),
  );
  const from = seats.findIndex(isIn);
  if (from < 0) return [];
  const to = seats.findLastIndex(isIn);
  const cut = (inside: Point | undefined, outside: Point | undefined) =>
    inside && outside ? [crossing(inside, outside, { width, height })] : [];
  return [...cut(seats[from], seats[from - 1]), ...cut(seats[to], seats[to + 1])];
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

/** Moves the text inwards as far as its width requires. */
function putPlate(
  context: CanvasRenderingContext2D,
  { width }: Picture,
  { text, at }: { text: string; at: Point },
): Plate {
  const half = widthOf(context, text, plateText) / 2 + 6;
  return { text, x: Math.min(Math.max(at.x, half + 2), width - half - 2), y: at.y };
}

function drawPlate(
  context: CanvasRenderingContext2D,
  { look: { theme } }: Picture,
  { text, x, y, clear = false }: Plate,
): void {
  const width = Math.max(plateHeight, widthOf(context, text, plateText) + 12);
  context.beginPath();
  context.roundRect(x - width / 2, y - plateHeight / 2, width, plateHeight, 6);
  context.fillStyle = theme.raised;
  context.globalAlpha = clear ? clearGround : 1;
  context.fill();
  context.globalAlpha = 1;
  outline(context, theme.line, 1);
  const here = { k: 1, x: 0, y: 0 };
  write(context, here, { text, at: { x, y }, size: plateText, color: theme.text, bold: true });
}
