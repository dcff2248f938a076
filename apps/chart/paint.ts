/** One picture of the chart: blocks from afar, seats with their signs near by; a state never shows by colour alone. */
import type { Point, WireShape } from '#server/standins/seatsio/wire.ts';
import { CLOSED, FREE, HIDDEN, MINE, type Places, TAKEN } from './places.ts';
import { ACCESSIBLE, AREA, BOOTH, COMPANION, pathOf, type Scene, type SceneGroup, type SceneRow } from './scene.ts';
import { readableOn, type Theme } from './theme.ts';
import type { Camera } from './view.ts';
import { words } from './words.ts';

/** What decides about colours and words of a scene; made anew when settings change. */
export interface Look {
  theme: Theme;
  /** Fill of each place: an index into `palette`. */
  tint: Uint16Array;
  palette: string[];
  names: string[];
  /** Free places and `da 18,00 €` of a group, for the far view. */
  summaryOf: (group: SceneGroup) => { free: number; tint: number; price: string };
}

export interface Picture {
  scene: Scene;
  places: Places;
  look: Look;
  camera: Camera;
  width: number;
  height: number;
  ratio: number;
  /** The minimap: no words, blocks whenever there are sections. */
  small?: boolean;
  hover?: number;
}

/** Below this radius on the screen a section is shown as one block. */
const blockBelow = 2.2;
const signsFrom = 4;
const rowNamesFrom = 6;
const seatNamesFrom = 9;
const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

export function paint(context: CanvasRenderingContext2D, picture: Picture): void {
  const { scene, camera, width, height, ratio, look } = picture;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = look.theme.background;
  context.fillRect(0, 0, width, height);
  toDrawing(context, picture);
  const seen = {
    left: -camera.x / camera.k, top: -camera.y / camera.k, right: (width - camera.x) / camera.k, bottom: (height - camera.y) / camera.k,
  };
  const visible = scene.groups.filter(({ box }) => box.right > seen.left && box.left < seen.right && box.bottom > seen.top && box.top < seen.bottom);
  const near = visible.filter((group) => !isBlock(group, picture));
  for (const group of near) paintFloor(context, picture, group);
  for (const shape of scene.chart.shapes) paintShape(context, picture, shape);
  const seats = new Seats(look.palette.length);
  for (const group of visible) {
    if (isBlock(group, picture)) paintBlock(context, picture, group);
    for (const i of group.others) paintOther(context, picture, i);
    if (isBlock(group, picture)) continue;
    for (const row of group.rows) {
      if (row.box.right < seen.left - group.radius || row.box.left > seen.right + group.radius || row.box.bottom < seen.top - group.radius || row.box.top > seen.bottom + group.radius) continue;
      paintTable(context, picture, row);
      seats.sort(picture, row);
    }
    seats.paint(context, picture, group);
  }
  if (picture.small) return;
  toScreen(context, picture);
  for (const group of visible) {
    if (isBlock(group, picture)) nameBlock(context, picture, group);
    else nameRows(context, picture, group);
  }
  for (const text of scene.chart.texts) write(context, picture, { text: text.text, at: text.center, size: text.size * camera.k, color: look.theme.muted, turn: text.rotationAngle });
}

function isBlock(group: SceneGroup, picture: Picture): boolean {
  return group.outline !== null && group.rows.length > 0 && group.radius * picture.camera.k < (picture.small ? 1.2 : blockBelow);
}

function toDrawing(context: CanvasRenderingContext2D, { camera, ratio }: Picture): void {
  context.setTransform(ratio * camera.k, 0, 0, ratio * camera.k, ratio * camera.x, ratio * camera.y);
}

function toScreen(context: CanvasRenderingContext2D, { ratio }: Picture): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

function paintFloor(context: CanvasRenderingContext2D, { look, camera }: Picture, group: SceneGroup): void {
  if (!group.outline) return;
  context.fillStyle = look.theme.section;
  context.fill(group.outline);
  context.strokeStyle = look.theme.line;
  context.lineWidth = 1 / camera.k;
  context.globalAlpha = 0.7;
  context.stroke(group.outline);
  context.globalAlpha = 1;
}

function paintShape(context: CanvasRenderingContext2D, picture: Picture, shape: WireShape): void {
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
  // The file's own colours were chosen for a light page; a stage follows the scheme, the rest stays faint.
  context.globalAlpha = isStage ? 1 : 0.5;
  fill(context, isStage || look.theme.forced ? look.theme.stage : shape.fillColor ?? look.theme.stage, path);
  context.globalAlpha = 1;
  if (isStage || look.theme.forced) {
    context.strokeStyle = look.theme.line;
    context.lineWidth = 1 / camera.k;
    context.stroke(path);
  }
  context.restore();
  if (!shape.label || picture.small || !shape.center) return;
  toScreen(context, picture);
  const size = Math.min(22, (shape.height ?? 400) * camera.k * 0.4, ((shape.width ?? 2000) * camera.k) / shape.label.length * 1.3);
  if (size >= 8) write(context, picture, { text: shape.label, at: shape.center, size, color: look.theme.muted, spacing: '0.08em' });
  toDrawing(context, picture);
}

function paintTable(context: CanvasRenderingContext2D, picture: Picture, row: SceneRow): void {
  const wire = picture.scene.chart.rows[row.wire]!;
  if (!wire.center || !wire.radius) return;
  const { look, camera, places, scene } = picture;
  const table = scene.owner[row.first]!;
  const whole = row.count > 0 && table !== row.first;
  context.beginPath();
  context.arc(wire.center.x, wire.center.y, wire.radius, 0, Math.PI * 2);
  context.fillStyle = whole && places.state[table] === FREE ? look.palette[look.tint[table]!]! : whole && places.state[table] === MINE ? look.theme.selected : look.theme.stage;
  context.fill();
  context.strokeStyle = look.theme.line;
  context.lineWidth = 1 / camera.k;
  context.stroke();
  if (picture.small || wire.radius * camera.k < 10) return;
  const on = context.fillStyle;
  toScreen(context, picture);
  write(context, picture, { text: row.name, at: wire.center, size: Math.min(16, wire.radius * camera.k * 0.6), color: readableOn(String(on)), bold: true });
  toDrawing(context, picture);
}

function paintBlock(context: CanvasRenderingContext2D, { look, camera }: Picture, group: SceneGroup): void {
  const { free, tint } = look.summaryOf(group);
  context.fillStyle = free > 0 ? look.palette[tint]! : look.theme.stage;
  context.globalAlpha = free > 0 ? 0.85 : 1;
  context.fill(group.outline!);
  context.globalAlpha = 1;
  context.strokeStyle = free > 0 ? look.theme.background : look.theme.taken;
  context.lineWidth = 1.5 / camera.k;
  context.stroke(group.outline!);
}

function nameBlock(context: CanvasRenderingContext2D, picture: Picture, group: SceneGroup): void {
  const { look, camera } = picture;
  const { free, tint, price } = look.summaryOf(group);
  const color = free > 0 ? readableOn(look.palette[tint]!) : look.theme.muted;
  const room = group.room.width * camera.k - 6;
  // Too long for its block: its last word, most often a number, is better than nothing.
  const name = [group.name, group.name.split(' ').at(-1)!].find((one) => widthOf(context, one, 10) <= room);
  const high = group.room.height * camera.k;
  if (name === undefined || high < 11) return;
  const size = Math.min(17, (room / widthOf(context, name, 10)) * 8.5 + 1.5, high);
  const second = free > 0 ? price : words.soldOut;
  const tall = high > size * 2.4 && second !== '' && widthOf(context, second, size * 0.85) <= room;
  write(context, picture, { text: name, at: group.middle, size, color, bold: true, shift: tall ? size * -0.65 : 0 });
  if (tall) write(context, picture, { text: second, at: group.middle, size: size * 0.85, color, shift: size * 0.65 });
}

function widthOf(context: CanvasRenderingContext2D, text: string, size: number): number {
  context.font = `700 ${size}px ${fontFamily}`;
  context.letterSpacing = '0px';
  return context.measureText(text).width;
}

function nameRows(context: CanvasRenderingContext2D, picture: Picture, group: SceneGroup): void {
  const radius = group.radius * picture.camera.k;
  if (radius < rowNamesFrom) return;
  for (const row of group.rows) {
    for (const at of row.marks) write(context, picture, { text: row.name, at, size: Math.min(15, radius * 1.15), color: picture.look.theme.muted });
  }
}

/** Areas, booths; whole tables are drawn with their chairs. */
function paintOther(context: CanvasRenderingContext2D, picture: Picture, i: number): void {
  const { scene, places, look, camera } = picture;
  const state = places.state[i];
  const at = scene.parent[i]!;
  if (state === HIDDEN || (scene.kind[i] !== AREA && scene.kind[i] !== BOOTH)) return;
  context.save();
  const path = new Path2D();
  const area = scene.kind[i] === AREA ? scene.chart.areas[at] : undefined;
  if (area?.shape.type === 'polygon') path.addPath(pathOf(area.shape.points));
  else if (area?.shape.type === 'circle') {
    const { center, radius1, radius2, rotationAngle } = area.shape;
    path.ellipse(center.x, center.y, radius1, radius2, (rotationAngle * Math.PI) / 180, 0, Math.PI * 2);
  } else {
    const booth = scene.chart.booths[at]!;
    context.translate(booth.center.x, booth.center.y);
    context.rotate((booth.rotationAngle * Math.PI) / 180);
    path.roundRect(-booth.width / 2, -booth.height / 2, booth.width, booth.height, Math.min(booth.width, booth.height) * 0.15);
  }
  const color = state === MINE ? look.theme.selected : state === FREE ? look.palette[look.tint[i]!]! : look.theme.taken;
  context.globalAlpha = (state === FREE ? 0.22 : state === MINE ? 0.3 : 0.1) * (places.isDim(i) ? 0.4 : 1) * (look.theme.forced ? 0 : 1);
  fill(context, color, path);
  context.globalAlpha = places.isDim(i) ? 0.4 : 1;
  context.strokeStyle = color;
  context.lineWidth = (i === picture.hover || state === MINE ? 3 : 1.5) / camera.k;
  if (state !== FREE && state !== MINE) context.setLineDash([5 / camera.k, 4 / camera.k]);
  context.stroke(path);
  context.restore();
  if (picture.small) return;
  toScreen(context, picture);
  const middle = { x: scene.x[i]!, y: scene.y[i]! };
  const size = Math.max(10, Math.min(16, camera.k * 260));
  write(context, picture, { text: look.names[i]!, at: middle, size, color: look.theme.text, bold: true, shift: -size * 0.6 });
  write(context, picture, { text: areaNote(picture, i), at: middle, size: size * 0.85, color: look.theme.muted, shift: size * 0.7 });
  toDrawing(context, picture);
}

function areaNote({ places }: Picture, i: number): string {
  const chosen = places.chosen(i);
  if (chosen > 0) return `✓ ${words.chosen(chosen)}`;
  if (places.state[i] === CLOSED) return words.keyClosed;
  return places.freePlaces(i) === 0 ? words.soldOut : words.free(places.freePlaces(i));
}

/** The seats of one group sorted by how they look, so that each look is one path. */
class Seats {
  readonly #free: number[][];
  readonly #faint: number[] = [];
  readonly #taken: number[] = [];
  readonly #closed: number[] = [];
  readonly #mine: number[] = [];

  constructor(colors: number) {
    this.#free = Array.from({ length: colors }, () => []);
  }

  sort({ places, look }: Picture, row: SceneRow): void {
    const { state } = places;
    for (let i = row.first; i < row.first + row.count; i++) {
      const now = state[i];
      if (now === FREE) (places.isDim(i) ? this.#faint : this.#free[look.tint[i]!]!).push(i);
      else if (now === MINE) this.#mine.push(i);
      else if (now === TAKEN) this.#taken.push(i);
      else if (now === CLOSED) this.#closed.push(i);
    }
  }

  paint(context: CanvasRenderingContext2D, picture: Picture, group: SceneGroup): void {
    const { scene, look, camera, places } = picture;
    const { theme } = look;
    const { radius } = group;
    const pixels = radius * camera.k;
    this.#free.forEach((seats, tint) => {
      if (seats.length === 0) return;
      circles(context, scene, seats, radius);
      if (theme.forced) outline(context, look.palette[tint]!, 1.5 / camera.k);
      else fill(context, look.palette[tint]!);
    });
    context.globalAlpha = 0.35;
    circles(context, scene, this.#faint, radius);
    fill(context, theme.taken);
    context.globalAlpha = 1;
    circles(context, scene, this.#closed, radius * 0.4);
    fill(context, theme.taken);
    this.#paintTaken(context, picture, radius);
    this.#paintMine(context, picture, radius);
    if (!picture.small && pixels >= signsFrom) {
      toScreen(context, picture);
      for (const seats of this.#free) for (const i of seats) sign(context, picture, { i, pixels });
      toDrawing(context, picture);
    }
    const alone = [...places.orphans].filter((i) => scene.section[i] === group.section);
    this.#paintOrphans(context, picture, { alone, radius });
    const { hover = -1 } = picture;
    if (hover >= 0 && scene.section[hover] === group.section && scene.kind[hover] === 0) {
      circles(context, scene, [hover], radius * 1.25);
      outline(context, theme.text, Math.max(1.5, pixels * 0.16) / camera.k);
    }
    for (const list of [...this.#free, this.#faint, this.#taken, this.#closed, this.#mine]) list.length = 0;
  }

  /** Hollow, with a cross once there is room for one. */
  #paintTaken(context: CanvasRenderingContext2D, { scene, look, camera, small }: Picture, radius: number): void {
    if (this.#taken.length === 0) return;
    const pixels = radius * camera.k;
    circles(context, scene, this.#taken, radius * 0.86);
    outline(context, look.theme.taken, Math.max(1, pixels * 0.12) / camera.k);
    if (small || pixels < signsFrom) return;
    const arm = radius * 0.34;
    context.beginPath();
    for (const i of this.#taken) {
      const [x, y] = [scene.x[i]!, scene.y[i]!];
      context.moveTo(x - arm, y - arm);
      context.lineTo(x + arm, y + arm);
      context.moveTo(x + arm, y - arm);
      context.lineTo(x - arm, y + arm);
    }
    context.stroke();
  }

  /** Larger, in the colour of choice, with a check mark; a broken ring until the server has answered. */
  #paintMine(context: CanvasRenderingContext2D, { scene, look, camera, places, small }: Picture, radius: number): void {
    if (this.#mine.length === 0) return;
    const { theme } = look;
    const pixels = radius * camera.k;
    circles(context, scene, this.#mine, radius * 1.12);
    fill(context, theme.selected);
    if (small) return;
    for (const i of this.#mine) {
      const [x, y] = [scene.x[i]!, scene.y[i]!];
      const waits = places.pending[scene.owner[i]!]! > 0;
      context.beginPath();
      context.arc(x, y, radius * 1.3, 0, Math.PI * 2);
      context.setLineDash(waits ? [radius * 0.5, radius * 0.4] : []);
      // In the colour of text: the page's colour of choice may be that of a category.
      outline(context, theme.text, Math.max(1.2, pixels * 0.14) / camera.k);
      context.setLineDash([]);
    }
    context.beginPath();
    for (const i of this.#mine) {
      const [x, y] = [scene.x[i]!, scene.y[i]!];
      context.moveTo(x - radius * 0.48, y + radius * 0.04);
      context.lineTo(x - radius * 0.12, y + radius * 0.42);
      context.lineTo(x + radius * 0.52, y - radius * 0.4);
    }
    context.lineCap = 'round';
    context.lineJoin = 'round';
    outline(context, theme.onSelected, Math.max(1.2, pixels * 0.22) / camera.k);
    context.lineCap = 'butt';
  }

  #paintOrphans(context: CanvasRenderingContext2D, picture: Picture, { alone, radius }: { alone: number[]; radius: number }): void {
    if (alone.length === 0) return;
    const { scene, look, camera } = picture;
    const pixels = radius * camera.k;
    circles(context, scene, alone, radius * 1.1);
    fill(context, look.theme.background);
    outline(context, look.theme.error, Math.max(1.5, pixels * 0.2) / camera.k);
    if (picture.small || pixels < 3) return;
    toScreen(context, picture);
    for (const i of alone) write(context, picture, { text: '!', at: { x: scene.x[i]!, y: scene.y[i]! }, size: pixels * 1.7, color: look.theme.error, bold: true });
    toDrawing(context, picture);
  }
}

/** A wheelchair, a companion's two heads, or the seat's number. */
function sign(context: CanvasRenderingContext2D, picture: Picture, { i, pixels }: { i: number; pixels: number }): void {
  const { scene, look, camera } = picture;
  const flags = scene.flags[i]!;
  const color = look.theme.forced ? look.theme.text : readableOn(look.palette[look.tint[i]!]!);
  if ((flags & (ACCESSIBLE | COMPANION)) > 0) {
    context.save();
    context.translate(scene.x[i]! * camera.k + camera.x, scene.y[i]! * camera.k + camera.y);
    context.scale(pixels, pixels);
    context.strokeStyle = color;
    context.fillStyle = color;
    context.lineWidth = 0.15;
    context.lineCap = 'round';
    context.stroke((flags & ACCESSIBLE) > 0 ? wheelchair() : companion());
    context.restore();
  } else if (pixels >= seatNamesFrom) {
    const text = look.names[i]!;
    write(context, picture, { text, at: { x: scene.x[i]!, y: scene.y[i]! }, size: Math.min(20, pixels * (text.length > 2 ? 0.78 : 1)), color });
  }
}

let wheelchairPath: Path2D | undefined;
let companionPath: Path2D | undefined;

/** In a circle of radius 1: head, back, lap, leg and the wheel. */
function wheelchair(): Path2D {
  if (wheelchairPath) return wheelchairPath;
  const path = new Path2D();
  path.arc(-0.08, -0.58, 0.07, 0, Math.PI * 2);
  path.moveTo(-0.08, -0.36);
  path.lineTo(-0.05, 0.08);
  path.lineTo(0.32, 0.08);
  path.lineTo(0.5, 0.5);
  path.moveTo(-0.3, -0.06);
  path.arc(-0.06, 0.24, 0.4, Math.PI * 1.28, Math.PI * 0.2, true);
  wheelchairPath = path;
  return path;
}

/** Two people side by side. */
function companion(): Path2D {
  if (companionPath) return companionPath;
  const path = new Path2D();
  for (const x of [-0.28, 0.28]) {
    path.moveTo(x + 0.12, -0.28);
    path.arc(x, -0.28, 0.12, 0, Math.PI * 2);
    path.moveTo(x - 0.2, 0.4);
    path.arc(x, 0.32, 0.2, Math.PI, 0);
    path.lineTo(x + 0.2, 0.4);
  }
  companionPath = path;
  return path;
}

function circles(context: CanvasRenderingContext2D, scene: Scene, seats: number[], radius: number): void {
  context.beginPath();
  for (const i of seats) {
    context.moveTo(scene.x[i]! + radius, scene.y[i]!);
    context.arc(scene.x[i]!, scene.y[i]!, radius, 0, Math.PI * 2);
  }
}

function fill(context: CanvasRenderingContext2D, color: string, shape?: Path2D): void {
  context.fillStyle = color;
  if (shape) context.fill(shape);
  else context.fill();
}

function outline(context: CanvasRenderingContext2D, color: string, width: number): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

interface Writing { text: string; at: Point; size: number; color: string; bold?: boolean; turn?: number; shift?: number; spacing?: string }

/** Text in screen pixels around a point of the drawing. */
function write(context: CanvasRenderingContext2D, { camera }: Picture, what: Writing): void {
  if (what.size < 6) return;
  const x = what.at.x * camera.k + camera.x;
  const y = what.at.y * camera.k + camera.y + (what.shift ?? 0);
  context.font = `${what.bold ? 700 : 500} ${what.size.toFixed(1)}px ${fontFamily}`;
  context.letterSpacing = what.spacing ?? '0px';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = what.color;
  if (what.turn) {
    context.save();
    context.translate(x, y);
    context.rotate((what.turn * Math.PI) / 180);
    context.fillText(what.text, 0, 0);
    context.restore();
  } else {
    context.fillText(what.text, x, y + what.size * 0.06);
  }
}
