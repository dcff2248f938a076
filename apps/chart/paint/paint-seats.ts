/** Paints the seats of one group, sorted by look, so that each look is one path. */
import { fill, fontOf, outline, traceSeats, write } from './pen.ts';
import { colourAt, onScreen, type Picture, toDrawing, toScreen } from './picture.ts';
import { CLOSED, FREE, HIDDEN, MINE, TAKEN } from '#apps/chart/places/places.ts';
import {
  ownerOf,
  placePoint,
  type SceneGroup,
  type SceneRow,
  SEAT,
} from '#apps/chart/scene/scene.ts';
import { flagSigns, signOf } from './signs.ts';
import { readableOn } from './theme.ts';

const signsFrom = 4;
const hiddenEyesFrom = 8;
const namesFrom = 9;
const eyeBit = 2;
/** The size of a seat's number by its length. */
const narrowed = [1, 1, 1, 0.78];
const printedNamesFrom = 4.5;

/** From this radius on the screen, in pixels, seats show their numbers. */
export function numbersFrom({ look }: Picture): number {
  return look.print ? printedNamesFrom : namesFrom;
}

/** The text size of a seat's number, in the unit of its radius. */
export function numberSize(text: string, radius: number): number {
  return radius * (narrowed[text.length] ?? 0.6);
}

/** Reused between frames, so that a frame allocates no lists. */
const free: number[][] = [];
const faint: number[] = [];
const taken: number[] = [];
const closed: number[] = [];
const mine: number[] = [];

export function paintSeats(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { group, rows }: { group: SceneGroup; rows: readonly SceneRow[] },
): void {
  const { scene, look, camera } = picture;
  const { theme } = look;
  const { radius } = group;
  const pixels = radius * camera.k;
  sort(picture, rows);
  free.forEach((seats, tint) => {
    if (seats.length === 0) return;
    const line = theme.forced ? 0.86 : 1;
    traceSeats(context, scene, { seats, radius: radius * line, pixels });
    if (theme.forced) outline(context, colourAt(look.palette, tint), 1.5 / camera.k);
    else fill(context, colourAt(look.palette, tint));
  });
  if (faint.length > 0) {
    context.globalAlpha = 0.35;
    traceSeats(context, scene, { seats: faint, radius, pixels });
    fill(context, theme.taken);
    context.globalAlpha = 1;
  }
  if (closed.length > 0) {
    traceSeats(context, scene, { seats: closed, radius: radius * 0.4, pixels: pixels * 0.4 });
    fill(context, theme.taken);
  }
  paintTaken(context, picture, radius);
  paintSpotlit(context, picture, { radius, group });
  paintMine(context, picture, radius);
  if (!picture.small && pixels >= (look.print ? printedNamesFrom : signsFrom)) {
    toScreen(context, picture);
    free.forEach((seats, tint) => signSeats(context, picture, { seats, tint, pixels }));
    toDrawing(context, picture);
  }
  paintOrphans(context, picture, { group, radius });
  paintHover(context, picture, { group, radius });
  paintPulse(context, picture, { group, radius });
}

function sort({ places, look, scene, spotlight }: Picture, rows: readonly SceneRow[]): void {
  while (free.length < look.palette.length) free.push([]);
  for (const list of free) list.length = 0;
  for (const list of [faint, taken, closed, mine]) list.length = 0;
  const { state } = places;
  for (const row of rows) {
    for (let i = row.first; i < row.first + row.count; i++) {
      const now = state[i];
      if (now === MINE) mine.push(i);
      else if (spotlight !== null && now !== HIDDEN)
        (spotlight.has(ownerOf(scene, i)) ? listFor(look, i) : faint).push(i);
      else if (now === FREE) (places.isDim(i) ? faint : listFor(look, i)).push(i);
      else if (look.own !== null && look.own[ownerOf(scene, i)] === 1 && now !== HIDDEN)
        listFor(look, ownerOf(scene, i)).push(i);
      else if (now === TAKEN) taken.push(i);
      else if (now === CLOSED) closed.push(i);
    }
  }
}

function listFor({ tint }: Picture['look'], i: number): number[] {
  return free[tint[i] ?? 0] ?? faint;
}

/** Taken seats are hollow, and hatched once there is room for it. */
function paintTaken(
  context: CanvasRenderingContext2D,
  { scene, look, camera, small }: Picture,
  radius: number,
): void {
  if (taken.length === 0) return;
  const pixels = radius * camera.k;
  traceSeats(context, scene, { seats: taken, radius: radius * 0.86, pixels });
  outline(context, look.theme.taken, Math.max(1, pixels * 0.1) / camera.k);
  if (small || pixels < signsFrom) return;
  // Three chords of the circle, from bottom left to top right.
  const [near, far, reach] = [radius * 0.1, radius * 0.78, radius * 0.6];
  context.beginPath();
  for (const i of taken) {
    const { x, y } = placePoint(scene, i);
    context.moveTo(x - reach, y + reach);
    context.lineTo(x + reach, y - reach);
    context.moveTo(x - far, y + near);
    context.lineTo(x - near, y - far);
    context.moveTo(x + near, y + far);
    context.lineTo(x + far, y - near);
  }
  context.stroke();
}

/** A ring around the places that the page highlights, whatever their state. */
function paintSpotlit(
  context: CanvasRenderingContext2D,
  { scene, look, camera, spotlight, places }: Picture,
  { radius, group }: { radius: number; group: SceneGroup },
): void {
  if (spotlight === null) return;
  const seats = [...spotlight].filter(
    (i) =>
      scene.kind[i] === SEAT && scene.section[i] === group.section && places.state[i] !== HIDDEN,
  );
  if (seats.length === 0) return;
  const pixels = radius * camera.k;
  traceSeats(context, scene, { seats, radius: radius * 1.3, pixels: Math.max(pixels, 3) });
  outline(context, look.theme.text, Math.max(1.5, pixels * 0.16) / camera.k);
}

/**
 * Chosen seats are larger, with a check mark inside two rings, so that they differ from every
 * category even if the page's colour for chosen seats is that of a category. The ring is broken
 * until the server has answered.
 */
function paintMine(
  context: CanvasRenderingContext2D,
  { scene, look, camera, places, small }: Picture,
  radius: number,
): void {
  if (mine.length === 0) return;
  const { theme } = look;
  const pixels = radius * camera.k;
  const round = Math.max(pixels, 3);
  traceSeats(context, scene, { seats: mine, radius: radius * (small ? 1.6 : 1.36), pixels: round });
  fill(context, small ? theme.text : theme.background);
  traceSeats(context, scene, { seats: mine, radius: radius * 1.04, pixels: round });
  fill(context, theme.chosen);
  if (small) return;
  const width = Math.max(1.4, pixels * 0.16) / camera.k;
  for (const i of mine) {
    context.beginPath();
    const { x, y } = placePoint(scene, i);
    context.arc(x, y, radius * 1.3, 0, Math.PI * 2);
    context.setLineDash(places.isPending(ownerOf(scene, i)) ? [radius * 0.5, radius * 0.4] : []);
    outline(context, theme.text, width);
  }
  context.setLineDash([]);
  context.beginPath();
  for (const i of mine) {
    const { x, y } = placePoint(scene, i);
    context.moveTo(x - radius * 0.46, y + radius * 0.04);
    context.lineTo(x - radius * 0.12, y + radius * 0.4);
    context.lineTo(x + radius * 0.5, y - radius * 0.38);
  }
  context.lineCap = 'round';
  context.lineJoin = 'round';
  outline(context, theme.onChosen, Math.max(1.2, pixels * 0.22) / camera.k);
  context.lineCap = 'butt';
}

function paintOrphans(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { group, radius }: { group: SceneGroup; radius: number },
): void {
  const { scene, look, camera, places } = picture;
  if (places.orphans.size === 0) return;
  const alone = [...places.orphans].filter((i) => scene.section[i] === group.section);
  if (alone.length === 0) return;
  const pixels = radius * camera.k;
  traceSeats(context, scene, { seats: alone, radius: radius * 1.1, pixels: Math.max(pixels, 3) });
  fill(context, look.theme.background);
  outline(context, look.theme.error, Math.max(1.5, pixels * 0.2) / camera.k);
  if (picture.small || pixels < 3) return;
  toScreen(context, picture);
  for (const i of alone)
    write(context, camera, {
      text: '!',
      at: placePoint(scene, i),
      size: pixels * 1.7,
      color: look.theme.error,
      bold: true,
    });
  toDrawing(context, picture);
}

/** The ring's middle line and width, in radii of the seat. */
const askedRing = { size: 1.4, width: 0.32 };
/** The outer radius of the ring of the seat in question, in radii of the seat. */
export const askedReach = askedRing.size + askedRing.width / 2;

/** A ring around the object under the pointer, and a strong one around the seat in question. */
function paintHover(
  context: CanvasRenderingContext2D,
  { scene, look, camera, hover = -1, asked = -1 }: Picture,
  { group, radius }: { group: SceneGroup; radius: number },
): void {
  const ring = (i: number, size: number, width: number) => {
    if (i < 0 || scene.section[i] !== group.section || scene.kind[i] !== SEAT) return;
    traceSeats(context, scene, { seats: [i], radius: radius * size, pixels: 3 });
    outline(context, look.theme.text, Math.max(1.5, radius * camera.k * width) / camera.k);
  };
  if (hover !== asked) ring(hover, 1.25, 0.16);
  ring(asked, askedRing.size, askedRing.width);
}

/** A ring that grows and fades; with reduced motion it does not move. */
function paintPulse(
  context: CanvasRenderingContext2D,
  { scene, look, camera, pulsing, beat }: Picture,
  { group, radius }: { group: SceneGroup; radius: number },
): void {
  if (pulsing.size === 0) return;
  const seats = [...pulsing].filter(
    (i) => scene.kind[i] === SEAT && scene.section[i] === group.section,
  );
  if (seats.length === 0) return;
  const pixels = Math.max(radius * camera.k, 4);
  context.globalAlpha = 1 - beat * 0.85;
  traceSeats(context, scene, { seats, radius: (pixels * (1.15 + beat * 0.9)) / camera.k, pixels });
  outline(context, look.theme.text, Math.max(1.5, pixels * 0.2) / camera.k);
  context.globalAlpha = 1;
}

/**
 * Paints the page's own sign, a wheelchair, a companion, a struck-out eye, or the seat's number.
 */
function signSeats(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { seats, tint, pixels }: { seats: readonly number[]; tint: number; pixels: number },
): void {
  if (seats.length === 0) return;
  const { scene, look, camera } = picture;
  const color = look.theme.forced ? look.theme.text : readableOn(colourAt(look.palette, tint));
  const named = pixels >= numbersFrom(picture);
  let shape = '';
  context.fillStyle = color;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.letterSpacing = '0px';
  for (const i of seats) {
    const { x, y } = onScreen(camera, placePoint(scene, i));
    const sign = look.signs?.[i] ?? signOfFlags(scene.flags[i] ?? 0, pixels);
    if (sign !== null) {
      drawSign(context, signOf(sign), { x, y, pixels, color });
      continue;
    }
    if (!named) continue;
    const text = look.names[i] ?? '';
    const font = fontOf(Math.min(20, numberSize(text, pixels)));
    // Set only when it changes, because setting a font costs more than writing with it.
    if (font !== shape) context.font = shape = font;
    context.fillText(text, x, y + pixels * 0.06);
  }
}

function signOfFlags(flags: number, pixels: number): string | null {
  if (flags === 0) return null;
  const [bit, name] = flagSigns.find(([one]) => (flags & (1 << one)) > 0) ?? [];
  if (name === undefined) return null;
  return bit === eyeBit && pixels < hiddenEyesFrom ? null : name;
}

function drawSign(
  context: CanvasRenderingContext2D,
  sign: Path2D,
  { x, y, pixels, color }: { x: number; y: number; pixels: number; color: string },
): void {
  context.save();
  context.translate(x, y);
  context.scale(pixels, pixels);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  outline(context, color, 0.15, sign);
  context.restore();
}
