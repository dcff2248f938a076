/**
 * The texts on objects: names of sections, areas, tables and booths, and free texts. Coordinates
 * are pixels of the page.
 */
import { lineRoomAt, middleOf } from '#apps/chart/scene/outline.ts';
import { widthOf, write } from '#apps/chart/paint/pen.ts';
import type { Point } from '#server/drawing/model/data.ts';
import { linesOf } from '#apps/chart/designer/canvas/scene/figure.ts';
import type { Entry } from '#apps/chart/designer/canvas/scene/entry.ts';
import { inkOn } from './look.ts';
import type { Picture } from './picture.ts';

/** From this seat radius a section's name is written at its edge, so that seats stay visible. */
const nearFrom = 3;

/** The point where a section's name has most room; searched once per outline. */
const middles = new WeakMap<object, Point>();

export function paintWords(
  context: CanvasRenderingContext2D,
  picture: Picture,
  entry: Entry,
): void {
  const { item } = entry;
  if (item.kind === 'text') return paintText(context, picture, entry);
  if (!picture.labels) return;
  if (item.kind === 'section') paintSection(context, picture, entry);
  else if (item.kind !== 'icon' && item.kind !== 'image') paintName(context, picture, entry);
}

function nameOf({ item: { data, kind } }: Entry): string {
  const name = data.displayLabel ?? data.label ?? '';
  if (kind === 'shape') return name;
  return name === '' ? '?' : name;
}

/** Turns the angle so that words are never upside down. */
function upright(angle: number): number {
  const turned = ((angle % 360) + 360) % 360;
  return turned > 90 && turned < 270 ? turned - 180 : turned;
}

function paintName(
  context: CanvasRenderingContext2D,
  { camera, look, heat }: Picture,
  entry: Entry,
): void {
  const { item, figure, ownTint } = entry;
  const text = nameOf(entry);
  if (text === '' || !figure || figure.type === 'line') return;
  const { left, right, top, bottom } = entry.box;
  const isPolygon = figure.type === 'polygon';
  const wide = (isPolygon ? right - left : figure.wide) * camera.k;
  const high = (isPolygon ? bottom - top : figure.high) * camera.k;
  const size = Math.min(18, high * 0.4, (wide * 0.86) / widthOf(context, text, 1));
  if (size < 7) return;
  const at = isPolygon ? { x: (left + right) / 2, y: (top + bottom) / 2 } : figure.center;
  const onColor = item.kind === 'booth' && ownTint > 0 && !heat;
  const color = onColor ? inkOn(look.palette[ownTint] ?? look.paper) : look.text;
  // A box has its chairs in the middle, so its number is written below.
  const isBox = item.kind === 'table' && item.data.x_kind === 'palco';
  if (isBox) return write(context, camera, { text, at, size, color, shift: high / 2 + size * 0.7 });
  const turn = isPolygon ? 0 : upright(figure.angle);
  write(context, camera, { text, at, size, color, bold: true, turn });
}

function paintText(
  context: CanvasRenderingContext2D,
  { camera, look }: Picture,
  entry: Entry,
): void {
  const { item, figure } = entry;
  if (item.kind !== 'text' || figure?.type !== 'box') return;
  const size = (item.data.fontSize ?? 16) * camera.k;
  const lines = linesOf(item.data.text ?? item.data.label ?? '');
  lines.forEach((text, at) => {
    const turn = figure.angle;
    const down = (at - (lines.length - 1) / 2) * size * 1.2;
    const radians = (turn * Math.PI) / 180;
    const place = {
      x: figure.center.x - (down * Math.sin(radians)) / camera.k,
      y: figure.center.y + (down * Math.cos(radians)) / camera.k,
    };
    write(context, camera, {
      text,
      at: place,
      size,
      color: item.data.textColor ?? look.text,
      turn,
    });
  });
}

function paintSection(context: CanvasRenderingContext2D, picture: Picture, entry: Entry): void {
  const { camera, look } = picture;
  const { item } = entry;
  if (item.kind !== 'section') return;
  const points = item.data.points ?? [];
  if (points.length < 3) return;
  const text = nameOf(entry);
  let at = middles.get(points);
  if (!at) middles.set(points, (at = middleOf(points)));
  const isNear = entry.radius * camera.k >= nearFrom;
  const room = lineRoomAt(points, at, 14 / camera.k) * camera.k - 6;
  const size = Math.min(isNear ? 13 : 17, room / widthOf(context, text, 1));
  if (size < 8) return;
  const place = isNear ? { x: (entry.box.left + entry.box.right) / 2, y: entry.box.top } : at;
  if (!isNear) plate(context, picture, { text, at, size });
  write(context, camera, {
    text,
    at: place,
    size,
    color: isNear ? look.muted : look.text,
    bold: true,
    shift: isNear ? -size : 0,
  });
}

/** A background under a name, so that seats do not show through it. */
function plate(
  context: CanvasRenderingContext2D,
  { camera, look }: Picture,
  { text, at, size }: { text: string; at: Point; size: number },
): void {
  const [wide, high] = [widthOf(context, text, size) + size * 0.8, size * 1.5];
  const { x, y } = camera.toScreen(at);
  const { globalAlpha } = context;
  context.globalAlpha = globalAlpha * 0.82;
  context.fillStyle = look.paper;
  context.beginPath();
  context.roundRect(x - wide / 2, y - high / 2, wide, high, high / 3);
  context.fill();
  context.globalAlpha = globalAlpha;
}
