/** Marks on the top layer: where the eyes of the hall go, and the crosshair of whoever points by keys. */
import type { Point } from '#server/standins/seatsio/drawing/model/data.ts';
import type { Look } from './paint/look.ts';

/** In pixels of the page. */
export function paintFocus(context: CanvasRenderingContext2D, look: Look, { x, y }: Point): void {
  context.strokeStyle = look.danger;
  context.lineWidth = 1.5;
  context.beginPath();
  for (const radius of [4, 9]) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  for (const [dx, dy] of [
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ] as const) {
    context.moveTo(x + dx * 6, y + dy * 6);
    context.lineTo(x + dx * 14, y + dy * 14);
  }
  context.stroke();
}

export function paintCross(context: CanvasRenderingContext2D, look: Look, { x, y }: Point): void {
  context.strokeStyle = look.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x - 14, y);
  context.lineTo(x + 14, y);
  context.moveTo(x, y - 14);
  context.lineTo(x, y + 14);
  context.stroke();
}
