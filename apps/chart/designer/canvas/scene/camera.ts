/**
 * The canvas's view: scale and shift between drawing and screen. Unlike a visitor's view it may
 * leave the drawing, because there is room to draw beside it.
 */
import type { Point } from '#server/drawing/model/data.ts';
import type { Box } from '#apps/chart/scene/outline.ts';

const least = 0.004;
const most = 40;
const margin = 36;
/** A drawing of a few seats is not enlarged beyond this scale. */
const mostFit = 3;

export class Camera {
  k = 1;
  x = 0;
  y = 0;
  width = 0;
  height = 0;

  toWorld(x: number, y: number): Point {
    return { x: (x - this.x) / this.k, y: (y - this.y) / this.k };
  }

  toScreen({ x, y }: Point): Point {
    return { x: x * this.k + this.x, y: y * this.k + this.y };
  }

  /** The visible part of the drawing. */
  get view(): Box {
    const [from, to] = [this.toWorld(0, 0), this.toWorld(this.width, this.height)];
    return { left: from.x, top: from.y, right: to.x, bottom: to.y };
  }

  get middle(): Point {
    return this.toWorld(this.width / 2, this.height / 2);
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
  }

  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    const k = Math.min(most, Math.max(least, this.k * factor));
    this.x = x - ((x - this.x) * k) / this.k;
    this.y = y - ((y - this.y) * k) / this.k;
    this.k = k;
  }

  look(at: Point, k = this.k): void {
    this.k = Math.min(most, Math.max(least, k));
    this.x = this.width / 2 - at.x * this.k;
    this.y = this.height / 2 - at.y * this.k;
  }

  /** The scale at which a whole box is visible. */
  scaleOf({ left, top, right, bottom }: Box): number {
    const [wide, high] = [Math.max(1, right - left), Math.max(1, bottom - top)];
    return Math.min((this.width - 2 * margin) / wide, (this.height - 2 * margin) / high);
  }

  /** For an empty drawing, whose box is empty, a sheet of usual size is shown. */
  fit(box: Box, limit = mostFit): void {
    if (box.left > box.right) return this.look({ x: 500, y: 400 }, 0.8);
    const at = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    this.look(at, Math.min(limit, this.scaleOf(box)));
  }

  resize(width: number, height: number): void {
    const at = this.middle;
    this.width = width;
    this.height = height;
    this.look(at);
  }
}
