/** The gesture that a press starts, and the handles of the selection. */
import type { Point } from '#server/drawing/model/data.ts';
import type { Desk, Spot } from '#apps/chart/designer/canvas/desk.ts';

export interface Gesture {
  drag(spot: Spot): void;
  end(spot: Spot): void;
  cancel(): void;
  paint?(context: CanvasRenderingContext2D): void;
}

/** All handles of the selection, of which the first one under the pointer is used. */
export interface Handles {
  take(spot: Spot): Gesture | null;
  cursor(spot: Spot): string | null;
  paint(context: CanvasRenderingContext2D): void;
  /** False when no handle was hit. */
  double(spot: Spot): boolean;
}

/** Paints lines that show why something was snapped. */
export function paintLines(
  context: CanvasRenderingContext2D,
  { camera, look }: Desk,
  lines: readonly [Point, Point][],
): void {
  if (lines.length === 0) return;
  context.beginPath();
  for (const [from, to] of lines) {
    const [a, b] = [camera.toScreen(from), camera.toScreen(to)];
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
  }
  context.strokeStyle = look().danger;
  context.lineWidth = 1;
  context.stroke();
}
