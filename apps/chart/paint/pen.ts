/**
 * The strokes that all painters share: circles for many seats as one path, fills, outlines,
 * hatching, words.
 */
import type { Point } from '#server/standins/seatsio/wire.ts';
import { placePoint, type Scene } from '#apps/chart/scene/scene.ts';
import type { Camera } from './picture.ts';

const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Below this radius on the screen a square looks like a circle, at a third of the cost. */
const squareBelow = 2.4;

export function fontOf(size: number, bold = false): string {
  return `${bold ? 700 : 500} ${size.toFixed(1)}px ${fontFamily}`;
}

/** One path for all these seats; `pixels` is their radius on the screen. */
export function traceSeats(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { seats, radius, pixels }: { seats: readonly number[]; radius: number; pixels: number },
): void {
  context.beginPath();
  if (pixels < squareBelow) {
    const half = radius * 0.9;
    for (const i of seats) {
      const { x, y } = placePoint(scene, i);
      context.rect(x - half, y - half, 2 * half, 2 * half);
    }
    return;
  }
  for (const i of seats) {
    const { x, y } = placePoint(scene, i);
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, Math.PI * 2);
  }
}

export function fill(context: CanvasRenderingContext2D, color: string, shape?: Path2D): void {
  context.fillStyle = color;
  if (shape) context.fill(shape);
  else context.fill();
}

export function outline(
  context: CanvasRenderingContext2D,
  color: string,
  width: number,
  shape?: Path2D,
): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  if (shape) context.stroke(shape);
  else context.stroke();
}

const hatchings = new Map<string, CanvasPattern | null>();

/**
 * Fills with thin diagonal lines, equally far apart on the screen at every scale, which mark
 * unavailable places.
 */
export function hatch(
  context: CanvasRenderingContext2D,
  shape: Path2D,
  { color, k, ratio }: { color: string; k: number; ratio: number },
): void {
  const key = `${color} ${ratio}`;
  if (!hatchings.has(key)) hatchings.set(key, makeHatching(context, color, ratio));
  const pattern = hatchings.get(key);
  if (!pattern) return;
  pattern.setTransform(new DOMMatrix().scale(1 / (k * ratio)));
  context.fillStyle = pattern;
  context.fill(shape);
}

function makeHatching(
  context: CanvasRenderingContext2D,
  color: string,
  ratio: number,
): CanvasPattern | null {
  const size = Math.max(4, Math.round(7 * ratio));
  const tile = document.createElement('canvas');
  Object.assign(tile, { width: size, height: size });
  const pen = tile.getContext('2d');
  if (!pen) return null;
  pen.strokeStyle = color;
  pen.lineWidth = ratio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  return context.createPattern(tile, 'repeat');
}

const widths = new Map<string, number>();

/** The width of bold text at a size; measured once per text. */
export function widthOf(context: CanvasRenderingContext2D, text: string, size: number): number {
  let width = widths.get(text);
  if (width === undefined) {
    context.font = fontOf(20, true);
    context.letterSpacing = '0px';
    width = context.measureText(text).width / 20;
    if (widths.size > 5000) widths.clear();
    widths.set(text, width);
  }
  return width * size;
}

/**
 * Loads the fonts while the drawing is being fetched, because the first text on a page would wait
 * for them as long as for a whole picture.
 */
export function openFonts(context: CanvasRenderingContext2D): void {
  for (const bold of [false, true]) {
    context.font = fontOf(20, bold);
    context.measureText('0');
  }
}

interface Writing {
  text: string;
  at: Point;
  size: number;
  color: string;
  bold?: boolean;
  turn?: number;
  shift?: number;
  spacing?: string;
}

/** Writes text in screen pixels around a point of the drawing. */
export function write(context: CanvasRenderingContext2D, camera: Camera, what: Writing): void {
  if (what.size < 6) return;
  const x = what.at.x * camera.k + camera.x;
  const y = what.at.y * camera.k + camera.y + (what.shift ?? 0);
  context.font = fontOf(what.size, what.bold);
  context.letterSpacing = what.spacing ?? '0px';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = what.color;
  if (!what.turn) {
    context.fillText(what.text, x, y + what.size * 0.06);
    return;
  }
  context.save();
  context.translate(x, y);
  context.rotate((what.turn * Math.PI) / 180);
  context.fillText(what.text, 0, 0);
  context.restore();
}
