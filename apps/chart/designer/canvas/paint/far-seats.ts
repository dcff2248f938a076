/**
 * Paints seats that are too small to be circles pixel by pixel, because 50,000 small paths would
 * cost ten times as much.
 */
import type { Camera } from '#apps/chart/designer/canvas/scene/camera.ts';
import { bytesOf } from './look.ts';

interface Buffer {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  image: ImageData;
  pixels: Uint8ClampedArray;
}
/**
 * Buffers that are reused, because making one costs more than painting; one each for drawing,
 * dragged part and minimap.
 */
const kept: Buffer[] = [];
const most = 3;

function openBuffer(width: number, height: number): Buffer | null {
  const known = kept.find(({ canvas }) => canvas.width === width && canvas.height === height);
  if (known) {
    known.pixels.fill(0);
    return known;
  }
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (!context) return null;
  const image = context.createImageData(width, height);
  const buffer = { canvas, context, image, pixels: image.data };
  kept.unshift(buffer);
  kept.length = Math.min(kept.length, most);
  return buffer;
}

export interface Dots {
  /** Coordinates of the drawing: x and y alternate. */
  at: readonly number[];
  color: string;
  radius: number;
  alpha: number;
}

/** Paints each seat as a soft-edged square, so that rows do not shimmer in motion. */
export function paintFarSeats(
  context: CanvasRenderingContext2D,
  camera: Camera,
  { ratio, groups }: { ratio: number; groups: readonly Dots[] },
): void {
  const { width, height } = context.canvas;
  const buffer = openBuffer(width, height);
  if (!buffer) return;
  for (const group of groups) writeDots(buffer.pixels, { width, height, ratio }, camera, group);
  buffer.context.putImageData(buffer.image, 0, 0);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(buffer.canvas, 0, 0);
  context.restore();
}

function writeDots(
  pixels: Uint8ClampedArray,
  { width, height, ratio }: { width: number; height: number; ratio: number },
  camera: Camera,
  { at, color, radius, alpha }: Dots,
): void {
  const [red, green, blue] = bytesOf(color);
  const k = camera.k * ratio;
  const [left, top] = [camera.x * ratio, camera.y * ratio];
  const half = Math.max(0.5, radius * k * 0.88);
  const full = alpha * 255;
  for (let n = 0; n < at.length; n += 2) {
    const x = (at[n] ?? 0) * k + left;
    const y = (at[n + 1] ?? 0) * k + top;
    const [x0, x1, y0, y1] = [x - half, x + half, y - half, y + half];
    if (x0 < 0 || y0 < 0 || x1 >= width || y1 >= height) continue;
    const [lastX, lastY] = [Math.floor(x1), Math.floor(y1)];
    for (let py = Math.floor(y0); py <= lastY; py++) {
      const high = Math.min(py + 1, y1) - Math.max(py, y0);
      let spot = (py * width + Math.floor(x0)) * 4;
      for (let px = Math.floor(x0); px <= lastX; px++, spot += 4) {
        const share = high * (Math.min(px + 1, x1) - Math.max(px, x0)) * full;
        const before = pixels[spot + 3] ?? 0;
        if (share >= before) {
          pixels[spot] = red;
          pixels[spot + 1] = green;
          pixels[spot + 2] = blue;
        }
        pixels[spot + 3] = before + share;
      }
    }
  }
}
