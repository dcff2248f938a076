/** Marks on the top layer: the focal point of the hall, and the keyboard crosshair. */
import type { Point } from '#server/drawing/model/data.ts';
import { SEAT_RADIUS } from '#server/drawing/geometry/bounds.ts';
import type { Look } from './paint/look.ts';
import type { Camera } from './scene/camera.ts';

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

/** Marks a removed place: a broken ring of a seat's size with a stroke through it. */
export function paintGone(
  context: CanvasRenderingContext2D,
  { camera, look }: { camera: Camera; look: Look },
  places: readonly Point[],
): void {
  const radius = Math.max(2, SEAT_RADIUS * camera.k);
  context.strokeStyle = look.danger;
  context.lineWidth = 1.5;
  context.setLineDash(radius > 5 ? [3, 2] : []);
  context.beginPath();
  for (const { x, y } of inSight(camera, places, radius)) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.moveTo(x - radius * 0.7, y + radius * 0.7);
    context.lineTo(x + radius * 0.7, y - radius * 0.7);
  }
  context.stroke();
  context.setLineDash([]);
}

/** Where the places that the camera sees are on the screen. */
function* inSight(camera: Camera, places: readonly Point[], radius: number): Generator<Point> {
  for (const place of places) {
    const { x, y } = camera.toScreen(place);
    if (x < -radius || y < -radius || x > camera.width + radius || y > camera.height + radius)
      continue;
    yield { x, y };
  }
}

/** Marks places that somebody has: a dot with an edge, which is seen on every category. */
export function paintSold(
  context: CanvasRenderingContext2D,
  { camera, look }: { camera: Camera; look: Look },
  places: readonly Point[],
): void {
  const radius = Math.max(1.2, SEAT_RADIUS * camera.k * 0.4);
  context.fillStyle = look.text;
  context.strokeStyle = look.paper;
  context.lineWidth = Math.min(1.5, radius / 2);
  context.beginPath();
  for (const { x, y } of inSight(camera, places, radius)) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.fill();
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
