/**
 * The visitor's view: scale and shift between the drawing and the screen, its limits and its
 * movements.
 */
import type { Camera } from '#apps/chart/paint/picture.ts';
import type { Box } from '#apps/chart/scene/outline.ts';

/** The heights that floor buttons and hint cover, which the whole view leaves free. */
export interface Covered {
  top: number;
  bottom: number;
}

const glide = 240;
const margin = 14;
/** A chart of a few seats is not enlarged beyond this seat radius. */
const largestSeat = 20;

export class View {
  width = 0;
  height = 0;
  camera: Camera = { k: 1, x: 0, y: 0 };
  #bounds: Box = { left: 0, top: 0, right: 1, bottom: 1 };
  #seatRadius = 1;
  #covered: Covered = { top: 0, bottom: 0 };
  #fit = 1;
  #frame = 0;
  readonly #moved: (settled: boolean) => void;

  constructor(moved: (settled: boolean) => void) {
    this.#moved = moved;
  }

  /**
   * Shows another drawing or floor as a whole; `seatRadius` of the smallest seat limits the zoom
   * (0: no seats).
   */
  frame(bounds: Box, seatRadius: number): void {
    this.#stop();
    this.#bounds = bounds;
    this.#seatRadius = seatRadius;
    if (this.width === 0) return;
    this.#fit = this.#wholeScale();
    this.camera = this.#home();
    this.#moved(true);
  }

  /** The scale of the whole view within the uncovered part. */
  #wholeScale(): number {
    const { left, top, right, bottom } = this.#bounds;
    const wide = (this.width - 2 * margin) / Math.max(1, right - left);
    const high = (this.#free - 2 * margin) / Math.max(1, bottom - top);
    return Math.max(
      1e-6,
      Math.min(wide, high, this.#seatRadius > 0 ? largestSeat / this.#seatRadius : Infinity),
    );
  }

  /** After a resize the middle of the view stays; a whole view stays whole. */
  resize(width: number, height: number, covered: Covered): void {
    if (
      width === this.width &&
      height === this.height &&
      covered.top === this.#covered.top &&
      covered.bottom === this.#covered.bottom
    )
      return;
    const whole = this.width === 0 || this.isWhole;
    const middle = this.toWorld(this.width / 2, this.height / 2);
    this.width = width;
    this.height = height;
    this.#covered = covered;
    this.#fit = this.#wholeScale();
    if (whole) this.camera = this.#home();
    else
      this.camera = this.#clamp({
        k: this.camera.k,
        x: width / 2 - middle.x * this.camera.k,
        y: height / 2 - middle.y * this.camera.k,
      });
    this.#moved(true);
  }

  get isWhole(): boolean {
    return this.camera.k <= this.#fit * 1.02;
  }

  get isClosest(): boolean {
    return this.camera.k >= this.#closest * 0.99;
  }

  get #closest(): number {
    return this.#seatRadius > 0 ? Math.max(this.#fit * 1.5, 30 / this.#seatRadius) : this.#fit * 6;
  }

  toWorld(x: number, y: number): { x: number; y: number } {
    return { x: (x - this.camera.x) / this.camera.k, y: (y - this.camera.y) / this.camera.k };
  }

  toScreen(x: number, y: number): { x: number; y: number } {
    return { x: x * this.camera.k + this.camera.x, y: y * this.camera.k + this.camera.y };
  }

  pan(dx: number, dy: number): void {
    this.#stop();
    this.camera = this.#clamp({ k: this.camera.k, x: this.camera.x + dx, y: this.camera.y + dy });
    this.#moved(false);
  }

  /** Scales around a point of the screen without animation, as under fingers. */
  zoom(factor: number, x: number, y: number): void {
    this.#stop();
    this.camera = this.#around(factor, x, y);
    this.#moved(false);
  }

  /** Ends a gesture, so that a sharp picture is painted. */
  settle(): void {
    this.#moved(true);
  }

  glideBy(factor: number, x = this.width / 2, y = this.height / 2): void {
    this.#glideTo(this.#around(factor, x, y));
  }

  glideHome(): void {
    this.#glideTo(this.#home());
  }

  /** Moves a point to the middle at a scale. */
  glideToPoint(x: number, y: number, k: number): void {
    this.#glideTo(this.#clamp({ k, x: this.width / 2 - x * k, y: this.height / 2 - y * k }));
  }

  /** Shows a box as large as it fits, but not larger than `most`. */
  glideToBox(box: Box, most = Infinity): void {
    const k = Math.min(most, this.scaleOf(box));
    this.glideToPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2, k);
  }

  scaleOf(box: Box): number {
    return Math.min(
      (this.width - 4 * margin) / Math.max(1, box.right - box.left),
      (this.height - 4 * margin) / Math.max(1, box.bottom - box.top),
    );
  }

  stop(): void {
    this.#stop();
  }

  /** The uncovered height. */
  get #free(): number {
    return this.height - this.#covered.top - this.#covered.bottom;
  }

  #home(): Camera {
    const { left, top, right, bottom } = this.#bounds;
    return this.#clamp({
      k: this.#fit,
      x: this.width / 2 - ((left + right) / 2) * this.#fit,
      y: this.#covered.top + this.#free / 2 - ((top + bottom) / 2) * this.#fit,
    });
  }

  #around(factor: number, x: number, y: number): Camera {
    const k = Math.min(this.#closest, Math.max(this.#fit, this.camera.k * factor));
    const ratio = k / this.camera.k;
    return this.#clamp({
      k,
      x: x - (x - this.camera.x) * ratio,
      y: y - (y - this.camera.y) * ratio,
    });
  }

  /**
   * Keeps the drawing in the view: centred where it is smaller, its edges at most in the middle
   * where it is larger.
   */
  #clamp({ k, x, y }: Camera): Camera {
    const scale = Math.min(this.#closest, Math.max(this.#fit, k));
    const { left, top, right, bottom } = this.#bounds;
    const hold = (
      shift: number,
      [from, to]: [number, number],
      [size, before, after]: [number, number, number],
    ) => {
      const space = size - before - after - (to - from) * scale;
      if (space >= -2 * margin) return before + space / 2 - from * scale;
      return Math.min(size / 2 - from * scale, Math.max(size / 2 - to * scale, shift));
    };
    return {
      k: scale,
      x: hold(x, [left, right], [this.width, 0, 0]),
      y: hold(y, [top, bottom], [this.height, this.#covered.top, this.#covered.bottom]),
    };
  }

  #glideTo(to: Camera): void {
    this.#stop();
    const from = this.camera;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.camera = to;
      this.#moved(true);
      return;
    }
    const began = performance.now();
    const step = (now: number) => {
      const share = Math.min(1, Math.max(0, (now - began) / glide));
      const eased = 1 - (1 - share) ** 3;
      // The scale changes exponentially, so that a zoom looks even.
      const k = from.k * (to.k / from.k) ** eased;
      const part = Math.abs(to.k - from.k) < 1e-9 ? eased : (k - from.k) / (to.k - from.k);
      this.camera =
        share === 1
          ? to
          : { k, x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      if (share < 1) this.#frame = requestAnimationFrame(step);
      this.#moved(share === 1);
    };
    this.#frame = requestAnimationFrame(step);
  }

  #stop(): void {
    cancelAnimationFrame(this.#frame);
  }
}
