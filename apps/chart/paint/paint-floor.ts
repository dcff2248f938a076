/**
 * Everything under and between the seats: the floor of sections, stage and shapes, tables,
 * booths, standing areas.
 */
import type { Point, WireShape } from '#server/standins/seatsio/wire.ts';
import { middleOf, pathOf } from '#apps/chart/scene/outline.ts';
import { fill, hatch, outline, widthOf, write } from './pen.ts';
import { colourOf, isMarked, type Picture, toDrawing, toScreen } from './picture.ts';
import { CLOSED, FREE, HIDDEN, MINE } from '#apps/chart/places/places.ts';
import {
  AREA,
  areaOf,
  BOOTH,
  boothOf,
  boxOfOther,
  ownerOf,
  placePoint,
  type Scene,
  type SceneGroup,
  type SceneRow,
  placesInOne,
} from '#apps/chart/scene/scene.ts';
import { readableOn } from './theme.ts';
import { translate, words } from '#apps/chart/words.ts';

export function paintFloor(
  context: CanvasRenderingContext2D,
  { look, camera }: Picture,
  group: SceneGroup,
): void {
  if (!group.outline) return;
  fill(context, look.theme.section, group.outline);
  context.globalAlpha = 0.7;
  outline(context, look.theme.line, 1 / camera.k, group.outline);
  context.globalAlpha = 1;
}

export function paintShape(
  context: CanvasRenderingContext2D,
  picture: Picture,
  shape: WireShape,
): void {
  const { look, camera } = picture;
  const isStage = shape.smartType === 'stage';
  context.save();
  const path = new Path2D();
  if (shape.points) path.addPath(pathOf(shape.points));
  else if (shape.center) {
    const [width, height] = [shape.width ?? 0, shape.height ?? 0];
    context.translate(shape.center.x, shape.center.y);
    context.rotate(((shape.rotationAngle ?? 0) * Math.PI) / 180);
    if (shape.type === 'ellipse') path.ellipse(0, 0, width / 2, height / 2, 0, 0, Math.PI * 2);
    else path.roundRect(-width / 2, -height / 2, width, height, shape.cornerRadius ?? 0);
  }
  // The drawing's colours were chosen for a light page, so a stage uses the page's scheme and
  // other shapes are faint.
  context.globalAlpha = isStage ? 1 : 0.5;
  fill(
    context,
    isStage || look.theme.forced ? look.theme.stage : (shape.fillColor ?? look.theme.stage),
    path,
  );
  context.globalAlpha = 1;
  if (isStage || look.theme.forced) outline(context, look.theme.line, 1 / camera.k, path);
  context.restore();
  if (!shape.label || picture.small) return;
  const at = shape.center ?? (shape.points && middleOf(shape.points));
  if (!at) return;
  toScreen(context, picture);
  const angle = shape.rotationAngle ?? 0;
  // Text is turned so that it is never upside down.
  const turn = angle > 90 && angle < 270 ? angle - 180 : angle;
  const size = Math.min(
    22,
    (shape.height ?? 400) * camera.k * 0.4,
    (((shape.width ?? 2000) * camera.k) / shape.label.length) * 1.3,
  );
  if (size >= 8)
    write(context, camera, {
      text: translate(shape.label),
      at,
      size,
      color: look.theme.muted,
      spacing: '0.08em',
      turn: turn % 360,
    });
  toDrawing(context, picture);
}

export function paintTable(
  context: CanvasRenderingContext2D,
  picture: Picture,
  row: SceneRow,
): void {
  const wire = row.wire;
  if (!wire.center || !(wire.radius || wire.corners)) return;
  const { look, camera, places, scene } = picture;
  const table = ownerOf(scene, row.first);
  const whole = row.count > 0 && table !== row.first;
  const state = places.state[table];
  if (whole && state === HIDDEN) return;
  const radius = wire.radius ?? 0;
  const path = wire.corners ? pathOf(wire.corners) : new Path2D();
  if (!wire.corners) path.arc(wire.center.x, wire.center.y, radius, 0, Math.PI * 2);
  const own = whole && look.own !== null && look.own[table] === 1;
  const wears = whole && (state === FREE || own) && !look.theme.forced;
  const bare = whole && state === MINE ? look.theme.chosen : look.theme.stage;
  const color = wears ? colourOf(look, table) : bare;
  context.globalAlpha = whole && places.isDim(table) ? 0.35 : 1;
  fill(context, color, path);
  if (whole && state !== FREE && state !== MINE && !own)
    hatch(context, path, { color: look.theme.taken, k: camera.k, ratio: picture.ratio });
  const marked = whole && (state === MINE || isMarked(picture, table));
  outline(context, marked ? look.theme.text : look.theme.line, (marked ? 3 : 1) / camera.k, path);
  context.globalAlpha = 1;
  if (picture.small) return;
  const text = whole && state === MINE ? `✓ ${row.name}` : row.name;
  toScreen(context, picture);
  if (radius * camera.k >= 10)
    write(context, camera, {
      text,
      at: wire.center,
      size: Math.min(16, radius * camera.k * 0.6, (radius * camera.k * 3) / text.length),
      color: look.theme.forced ? look.theme.text : readableOn(color),
      bold: true,
    });
  else if (!radius && wire.corners && BOX_NAME * camera.k >= 7)
    write(context, camera, {
      text,
      at: beforeBox(wire.center, wire.corners),
      size: Math.min(13, BOX_NAME * camera.k),
      color: look.theme.muted,
    });
  toDrawing(context, picture);
}

/** The height of a box's name, in tenths of a unit. */
const BOX_NAME = 100;

/** A box is full of chairs, so its name is outside its parapet, its first side. */
function beforeBox(center: Point, [one = center, other = one]: readonly Point[]): Point {
  const [x, y] = [(one.x + other.x) / 2 - center.x, (one.y + other.y) / 2 - center.y];
  const share = 1 + BOX_NAME / 1.4 / Math.hypot(x, y);
  return { x: center.x + x * share, y: center.y + y * share };
}

/** Paints areas and booths; whole tables are drawn with their chairs. */
export function paintOther(context: CanvasRenderingContext2D, picture: Picture, i: number): void {
  const { scene, places, look, camera, spotlight } = picture;
  const state = places.state[i];
  if (state === HIDDEN || (scene.kind[i] !== AREA && scene.kind[i] !== BOOTH)) return;
  const { theme } = look;
  // An area has places in several states, so the page's one colour does not apply to it.
  const own = scene.kind[i] === BOOTH && state !== FREE && look.own !== null && look.own[i] === 1;
  const open = state === FREE || state === MINE || own;
  const back = places.isDim(i) || (spotlight !== null && !spotlight.has(i)) ? 0.4 : 1;
  const path = shapeOf(scene, i);
  const unchosen = state === FREE || own ? colourOf(look, i) : theme.taken;
  const color = state === MINE ? theme.chosen : unchosen;
  if (open) {
    const usual = state === FREE ? 0.22 : 0.3;
    context.globalAlpha = (own ? 0.7 : usual) * back * (theme.forced ? 0 : 1);
    fill(context, color, path);
  } else {
    context.globalAlpha = 0.5;
    hatch(context, path, { color: theme.taken, k: camera.k, ratio: picture.ratio });
  }
  context.globalAlpha = back;
  const marked = isMarked(picture, i) || state === MINE || picture.pulsing.has(i);
  outline(
    context,
    isMarked(picture, i) ? theme.text : color,
    (marked ? 3 + 3 * (picture.pulsing.has(i) ? 1 - picture.beat : 0) : 1.5) / camera.k,
    path,
  );
  context.globalAlpha = 1;
  if (picture.small) return;
  toScreen(context, picture);
  nameOther(context, picture, i);
  toDrawing(context, picture);
}

function nameOther(context: CanvasRenderingContext2D, picture: Picture, i: number): void {
  const { scene, look, camera } = picture;
  const at = placePoint(scene, i);
  const { theme } = look;
  if (scene.kind[i] === BOOTH) {
    const { width, height } = boothOf(scene, i);
    const chosen = picture.places.state[i] === MINE ? '✓ ' : '';
    const text = `${chosen}${look.names[i] ?? ''}`;
    const size = Math.min(
      16,
      Math.min(width, height) * camera.k * 0.5,
      (width * camera.k * 1.5) / text.length,
    );
    if (size >= 7) write(context, camera, { text, at, size, color: theme.text, bold: true });
    return;
  }
  const { left, right, top, bottom } = boxOfOther(scene, i);
  const wide = (right - left) * camera.k * 0.94;
  const high = (bottom - top) * camera.k;
  const note = areaNote(picture, i);
  const name = look.names[i] ?? '';
  const size = Math.min(
    Math.max(10, Math.min(16, camera.k * 260)),
    wide / widthOf(context, name, 1),
    high * 0.8,
  );
  const small = Math.min(size * 0.85, wide / widthOf(context, note, 1));
  const both = small >= 8 && high > (size + small) * 1.5;
  if (size >= 7)
    write(context, camera, {
      text: name,
      at,
      size,
      color: theme.text,
      bold: true,
      shift: both ? -size * 0.6 : 0,
    });
  if (both)
    write(context, camera, { text: note, at, size: small, color: theme.muted, shift: size * 0.7 });
}

function shapeOf(scene: Scene, i: number): Path2D {
  const area = scene.kind[i] === AREA ? areaOf(scene, i) : undefined;
  if (area?.shape.type === 'polygon') return pathOf(area.shape.points);
  const path = new Path2D();
  if (area?.shape.type === 'circle') {
    const { center, radius1, radius2, rotationAngle } = area.shape;
    path.ellipse(
      center.x,
      center.y,
      radius1,
      radius2,
      (rotationAngle * Math.PI) / 180,
      0,
      Math.PI * 2,
    );
    return path;
  }
  const booth = boothOf(scene, i);
  const box = new Path2D();
  box.roundRect(
    -booth.width / 2,
    -booth.height / 2,
    booth.width,
    booth.height,
    Math.min(booth.width, booth.height) * 0.15,
  );
  path.addPath(
    box,
    new DOMMatrix().translate(booth.center.x, booth.center.y).rotate(booth.rotationAngle),
  );
  return path;
}

function areaNote({ places, scene }: Picture, i: number): string {
  const chosen = places.chosen(i);
  if (chosen > 0) return `✓ ${words.chosen(chosen)}`;
  if (places.state[i] === CLOSED) return words.keyClosed;
  return places.freePlaces(i) === 0
    ? words.soldOut
    : words.free(placesInOne(scene, i) * places.freePlaces(i));
}
