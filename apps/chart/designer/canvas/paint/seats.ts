/**
 * Paints the seats of many rows and tables together, sorted by look, so that each look is one
 * path; and the names of rows.
 */
import type { SeatData } from '#server/drawing/model/data.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { minus } from '#server/drawing/geometry/vector.ts';
import { placePoint } from '#apps/chart/scene/scene.ts';
import { fontOf, write } from '#apps/chart/paint/pen.ts';
import { signOf } from '#apps/chart/paint/signs.ts';
import { isChosen, type Entry } from '#apps/chart/designer/canvas/scene/entry.ts';
import { paintFarSeats, type Dots } from './far-seats.ts';
import { inkOn, paletteAt } from './look.ts';
import { inDrawingUnits, inPagePixels, type Picture } from './picture.ts';

/** Below this radius in device pixels a circle and a square look the same. */
const farBelow = 2.4;
const signsFrom = 4;
const namesFrom = 7.5;
const rowNamesFrom = 4;

/** Seats that look alike; x and y alternate. */
interface Kin {
  color: string;
  radius: number;
  hollow: boolean;
  at: number[];
}

/** Reused between frames, by colour, radius and shape, so that a frame allocates no lists. */
const kinds = new Map<string, Map<number, Kin>>();
const chosen: Kin[] = [];
const marked: Kin[] = [];

function kinOf(color: string, radius: number, hollow: boolean): Kin {
  const key = hollow ? `${color} hollow` : color;
  let byRadius = kinds.get(key);
  if (!byRadius) kinds.set(key, (byRadius = new Map()));
  let kin = byRadius.get(radius);
  if (!kin) byRadius.set(radius, (kin = { color, radius, hollow, at: [] }));
  return kin;
}

/** Rounds radii that look the same to one. */
function roundRadius(radius: number): number {
  return Math.round(radius * 4) / 4 || radius;
}

function colorOf({ look, heat, stroke }: Picture, entry: Entry, at: number): string {
  const { id } = entry.item;
  const touched = stroke?.touched.get(id);
  if (stroke && (touched === 'whole' || touched?.has(at))) return stroke.color;
  if (heat) return heat(id, at) ?? look.palette[0];
  return paletteAt(look, entry.tint[at] ?? 0);
}

function sort(picture: Picture, entries: readonly Entry[]): void {
  const { part, look } = picture;
  const plain = picture.heat === null && picture.stroke === null;
  for (const entry of entries) {
    const { tint } = entry;
    const radius = roundRadius(entry.radius);
    const all = part === 'all' || entry.whole || entry.carried;
    let lastTint = -1;
    let kin: Kin | null = null;
    for (let at = 0; at < tint.length; at++) {
      if (!all && (entry.chosen?.[at] === 1) !== (part === 'lifted')) continue;
      if (!plain || tint[at] !== lastTint || !kin) {
        lastTint = tint[at] ?? 0;
        const color = plain ? paletteAt(look, lastTint) : colorOf(picture, entry, at);
        kin = kinOf(color, radius, plain && lastTint === 0);
      }
      const seat = placePoint(entry, at);
      kin.at.push(seat.x, seat.y);
    }
  }
}

/** Selected and marked seats, by their radius. */
function gather(
  entries: readonly Entry[],
  { part }: Picture,
  { into, wants }: { into: Kin[]; wants: (entry: Entry, at: number) => boolean },
): void {
  into.length = 0;
  for (const entry of entries) {
    const radius = roundRadius(entry.radius);
    let kin = into.find((one) => one.radius === radius);
    if (!kin) into.push((kin = { color: '', radius, hollow: false, at: [] }));
    for (let at = 0; at < entry.x.length; at++) {
      if (!wants(entry, at) || (part === 'rest' && isChosen(entry, at))) continue;
      const { x, y } = placePoint(entry, at);
      kin.at.push(x, y);
    }
  }
}

function trace(context: CanvasRenderingContext2D, at: readonly number[], radius: number): void {
  context.beginPath();
  for (let n = 0; n < at.length; n += 2) {
    const [x, y] = [at[n] ?? 0, at[n + 1] ?? 0];
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
}

export function paintRowSeats(
  context: CanvasRenderingContext2D,
  picture: Picture,
  entries: readonly Entry[],
): void {
  if (entries.length === 0) return;
  for (const byRadius of kinds.values()) for (const kin of byRadius.values()) kin.at.length = 0;
  sort(picture, entries);
  gather(entries, picture, {
    into: chosen,
    wants: (entry, at) => entry.whole || entry.chosen?.[at] === 1,
  });
  gather(entries, picture, {
    into: marked,
    wants: (entry, at) => entry.markedWhole || entry.marked?.[at] === 1,
  });
  const { camera, ratio, look } = picture;
  const far: Dots[] = [];
  const alpha = context.globalAlpha;
  for (const byRadius of kinds.values())
    for (const kin of byRadius.values()) {
      if (kin.at.length === 0) continue;
      const { color, radius, hollow, at } = kin;
      if (radius * camera.k * ratio < farBelow) far.push({ at, color, radius, alpha });
      else paintNear(context, picture, { kin, hollow });
    }
  for (const [list, color] of [
    [chosen, look.accent],
    [marked, look.danger],
  ] as const)
    for (const { at, radius } of list) {
      if (at.length === 0) continue;
      if (radius * camera.k * ratio < farBelow)
        far.push({ at, color, radius: radius * 1.25, alpha });
      else ring(context, picture, { at, radius, color, outer: list === marked });
    }
  if (far.length > 0) paintFarSeats(context, camera, { ratio, groups: far });
  if (picture.labels) signSeats(context, picture, entries);
}

function paintNear(
  context: CanvasRenderingContext2D,
  { camera, look }: Picture,
  { kin: { at, color, radius }, hollow }: { kin: Kin; hollow: boolean },
): void {
  if (!hollow) {
    trace(context, at, radius);
    context.fillStyle = color;
    context.fill();
    return;
  }
  // A seat without a category is hollow, because it has no colour.
  const line = Math.max(1 / camera.k, radius * 0.16);
  trace(context, at, radius - line / 2);
  context.fillStyle = look.paper;
  context.fill();
  context.strokeStyle = color;
  context.lineWidth = line;
  context.stroke();
}

function ring(
  context: CanvasRenderingContext2D,
  { camera, look }: Picture,
  {
    at,
    radius,
    color,
    outer,
  }: { at: readonly number[]; radius: number; color: string; outer: boolean },
): void {
  const wide = Math.max(2 / camera.k, radius * 0.24);
  const far = radius + (outer ? wide * 1.1 : 0);
  trace(context, at, far);
  context.strokeStyle = look.paper;
  context.lineWidth = wide * 1.7;
  context.stroke();
  context.strokeStyle = color;
  context.lineWidth = wide;
  context.stroke();
}

function nameOfSeat({ displayLabel, label }: SeatData): string {
  return displayLabel ?? label ?? '?';
}

/** Paints numbers, or the sign of a special seat. */
function signSeats(
  context: CanvasRenderingContext2D,
  picture: Picture,
  entries: readonly Entry[],
): void {
  const { camera, part } = picture;
  inPagePixels(context, picture);
  for (const entry of entries) {
    const pixels = entry.radius * camera.k;
    if (pixels < signsFrom) continue;
    const seats = seatsOf(entry.item);
    const all = part === 'all' || entry.whole || entry.carried;
    for (const [at, data] of seats.entries()) {
      if (!all && (entry.chosen?.[at] === 1) !== (part === 'lifted')) continue;
      const { x, y } = camera.toScreen(placePoint(entry, at));
      if (x < -20 || y < -20 || x > camera.width + 20 || y > camera.height + 20) continue;
      const ink = entry.tint[at] === 0 ? picture.look.text : inkOn(colorOf(picture, entry, at));
      const flags = entry.flags[at] ?? 0;
      if (flags !== 0) signSeat(context, { x, y, pixels, flags, ink });
      else if (pixels >= namesFrom)
        nameSeat(context, { x, y, pixels, ink, text: nameOfSeat(data) });
    }
  }
  inDrawingUnits(context, picture);
}

const signs = [
  [1, 'wheelchair'],
  [2, 'users'],
  [4, 'eye-slash'],
] as const;

interface Sign {
  x: number;
  y: number;
  pixels: number;
  ink: string;
}

function signSeat(
  context: CanvasRenderingContext2D,
  { x, y, pixels, flags, ink }: Sign & { flags: number },
): void {
  const name = signs.find(([bit]) => (flags & bit) !== 0)?.[1];
  if (name === undefined) return;
  context.save();
  context.translate(x, y);
  context.scale(pixels, pixels);
  context.strokeStyle = ink;
  context.lineWidth = 0.15;
  context.lineCap = 'round';
  context.stroke(signOf(name));
  context.restore();
}

function nameSeat(
  context: CanvasRenderingContext2D,
  { x, y, pixels, ink, text }: Sign & { text: string },
): void {
  const size = pixels * (text.length > 2 ? 1.9 / text.length + 0.2 : 0.95);
  if (size < 6) return;
  context.font = fontOf(size);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = ink;
  context.fillText(text, x, y + size * 0.06);
}

/** Names beside both ends of a row; a hidden name is left out, as on the visitor's chart. */
export function paintRowNames(
  context: CanvasRenderingContext2D,
  { camera, look }: Picture,
  entries: readonly Entry[],
): void {
  for (const entry of entries) {
    const { item, x, radius } = entry;
    if (item.kind !== 'row' || x.length === 0 || radius * camera.k < rowNamesFrom) continue;
    if (item.data.rowLabelPosition === 'label-position-invisible') continue;
    const last = x.length - 1;
    const wayTo = (at: number, from: number) =>
      last === 0 ? { x: 1, y: 0 } : minus(placePoint(entry, at), placePoint(entry, from));
    const text = item.data.displayLabel ?? item.data.label ?? '?';
    const size = Math.min(15, radius * camera.k * 1.1);
    for (const [at, way] of [
      [0, wayTo(0, 1)],
      [last, wayTo(last, last - 1)],
    ] as const) {
      const end = placePoint(entry, at);
      const length = Math.hypot(way.x, way.y) || 1;
      const far = radius * 2 + (size * text.length * 0.25) / camera.k;
      const sign = last === 0 && at === 0 ? -1 : 1;
      write(context, camera, {
        text,
        at: { x: end.x + (sign * way.x * far) / length, y: end.y + (way.y * far) / length },
        size,
        color: item.data.label ? look.muted : look.danger,
        bold: true,
      });
      if (last === 0) break;
    }
  }
}
