/**
 * Rulers along the upper and left edge, in metres if the drawing's scale is set, else in units.
 */
import type { Camera } from '#apps/chart/designer/canvas/scene/camera.ts';
import { fontOf } from '#apps/chart/paint/pen.ts';
import type { Look } from './look.ts';

export const rulerSize = 20;
/** The least distance between figures. */
const leastGap = 64;

/** The first that is wide enough among 1, 2 and 5 times a power of ten. */
export function stepFor(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
}

function figure(value: number, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const text = value.toFixed(digits).replace('.', ',');
  return Number(value.toFixed(digits)) === 0 ? '0' : text;
}

interface Ruled {
  camera: Camera;
  look: Look;
  /** Centimetres per unit; undefined when the scale is not set. */
  cm: number | undefined;
  /** The selection's box, marked on both rulers. */
  marked: { left: number; top: number; right: number; bottom: number } | null;
}

export function paintRulers(context: CanvasRenderingContext2D, ruled: Ruled): void {
  const { camera, look, marked } = ruled;
  context.fillStyle = look.panel;
  context.fillRect(0, 0, camera.width, rulerSize);
  context.fillRect(0, 0, rulerSize, camera.height);
  if (marked && marked.left <= marked.right) {
    const [from, to] = [
      camera.toScreen({ x: marked.left, y: marked.top }),
      camera.toScreen({ x: marked.right, y: marked.bottom }),
    ];
    context.globalAlpha = 0.25;
    context.fillStyle = look.accent;
    context.fillRect(from.x, 0, to.x - from.x, rulerSize);
    context.fillRect(0, from.y, rulerSize, to.y - from.y);
    context.globalAlpha = 1;
  }
  context.font = fontOf(10);
  context.textBaseline = 'middle';
  context.strokeStyle = look.line;
  context.lineWidth = 1;
  paintRuler(context, ruled, false);
  paintRuler(context, ruled, true);
  paintCorner(context, ruled);
}

function paintRuler(context: CanvasRenderingContext2D, ruled: Ruled, isUpright: boolean): void {
  const { camera, look, cm } = ruled;
  const metres = cm === undefined ? 1 : cm / 100;
  const k = camera.k / metres;
  const step = stepFor(leastGap / k);
  const start = isUpright ? camera.y : camera.x;
  const length = isUpright ? camera.height : camera.width;
  context.beginPath();
  context.fillStyle = look.muted;
  context.textAlign = 'left';
  const first = Math.floor((rulerSize - start) / (k * step)) * step;
  for (let value = first; value * k + start < length; value += step) {
    for (let part = 0; part < 5; part++) {
      const at = Math.round((value + (part * step) / 5) * k + start) + 0.5;
      if (at < rulerSize) continue;
      const from = part === 0 ? 4 : 14;
      context.moveTo(isUpright ? from : at, isUpright ? at : from);
      context.lineTo(isUpright ? rulerSize : at, isUpright ? at : rulerSize);
    }
    const at = value * k + start;
    if (at < rulerSize - 4) continue;
    context.save();
    context.translate(isUpright ? 9 : at + 4, isUpright ? at + 4 : 9);
    if (isUpright) context.rotate(Math.PI / 2);
    context.fillText(figure(value, step), 0, 0);
    context.restore();
  }
  context.moveTo(isUpright ? rulerSize - 0.5 : rulerSize, isUpright ? rulerSize : rulerSize - 0.5);
  context.lineTo(isUpright ? rulerSize - 0.5 : length, isUpright ? length : rulerSize - 0.5);
  context.stroke();
}

function paintCorner(context: CanvasRenderingContext2D, { look, cm }: Ruled): void {
  context.fillStyle = look.panel;
  context.fillRect(0, 0, rulerSize, rulerSize);
  context.fillStyle = look.muted;
  context.textAlign = 'center';
  context.fillText(cm === undefined ? 'u' : 'm', rulerSize / 2, rulerSize / 2);
}
