/**
 * The canvas on the page: paints when something has changed. If painting is slow during a
 * gesture, it moves the last sharp picture instead.
 */
import { paint } from '#apps/chart/paint/paint.ts';
import { openFonts } from '#apps/chart/paint/pen.ts';
import type { Camera, Picture } from '#apps/chart/paint/picture.ts';

/** If a frame takes more milliseconds, a gesture would stutter. */
const slowPaint = 7;
const sharpenAfter = 120;
/** More device pixels slow down a phone without visible gain. */
const mostPixels = 9_000_000;
const finest = 3;
/**
 * A moved picture is good enough while it covers this share of the view and is scaled by at most
 * this factor.
 */
const leastCover = 0.8;
const mostStretch = 1.9;

function openSurface(element: HTMLCanvasElement): CanvasRenderingContext2D | null {
  return element.getContext('2d', { alpha: false });
}

/** Prepares what the first picture needs: the surface and the fonts. */
export function warmUp(element: HTMLCanvasElement): void {
  const context = openSurface(element);
  if (context) openFonts(context);
}

export class Canvas {
  readonly element: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #kept = document.createElement('canvas');
  readonly #picture: () => Picture | null;
  #keptCamera: Camera | null = null;
  /** The camera of the sharp picture on the surface; null while it is not sharp. */
  #sharpCamera: Camera | null = null;
  #cost = 0;
  #frame = 0;
  #sharpTimer: ReturnType<typeof setTimeout> | undefined;
  #moving = false;
  #width = 0;
  #height = 0;
  #ratio = 1;

  constructor(element: HTMLCanvasElement, picture: () => Picture | null) {
    this.element = element;
    this.#context = openSurface(element);
    this.#picture = picture;
  }

  get ratio(): number {
    return this.#ratio;
  }

  /** True when the size has changed; then the surface was painted immediately. */
  resize(width: number, height: number): boolean {
    const ratio = Math.min(
      finest,
      devicePixelRatio || 1,
      Math.max(1, Math.sqrt(mostPixels / Math.max(1, width * height))),
    );
    if (width === this.#width && height === this.#height && ratio === this.#ratio) return false;
    this.#width = width;
    this.#height = height;
    this.#ratio = ratio;
    this.element.width = Math.max(1, Math.round(width * ratio));
    this.element.height = Math.max(1, Math.round(height * ratio));
    this.#keptCamera = null;
    this.#paintNow();
    return true;
  }

  /** Paints the next frame sharp, because the chart looks different now. */
  change(): void {
    this.#moving = false;
    this.#request();
  }

  /** Called when the view has moved; `settled` when it came to rest. */
  move(settled: boolean): void {
    this.#moving = !settled;
    this.#request();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#sharpTimer);
    this.#frame = -1;
  }

  #request(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#moving && this.#cost > slowPaint) this.#keep();
      if (this.#moving && this.#cost > slowPaint && this.#canShift()) this.#shift();
      else this.#paintNow();
    });
  }

  #paintNow(): void {
    const picture = this.#picture();
    if (!picture || !this.#context || this.#width === 0) return;
    clearTimeout(this.#sharpTimer);
    const began = performance.now();
    paint(this.#context, picture);
    this.#cost = performance.now() - began;
    this.#keptCamera = null;
    this.#sharpCamera = { ...picture.camera };
  }

  /** Copies the sharp picture at the start of a gesture. */
  #keep(): void {
    if (this.#keptCamera || !this.#sharpCamera) return;
    const { width, height } = this.element;
    if (this.#kept.width !== width || this.#kept.height !== height)
      Object.assign(this.#kept, { width, height });
    this.#kept.getContext('2d', { alpha: false })?.drawImage(this.element, 0, 0);
    this.#keptCamera = this.#sharpCamera;
  }

  /** Where the moved picture is now on the surface, and at which scale. */
  #shifted(camera: Camera): { x: number; y: number; scale: number } | null {
    const from = this.#keptCamera;
    if (!from) return null;
    const scale = camera.k / from.k;
    return { x: camera.x - from.x * scale, y: camera.y - from.y * scale, scale };
  }

  /**
   * False when the moved picture would show too much empty floor or blur: then the frame is
   * painted even if that is slow.
   */
  #canShift(): boolean {
    const picture = this.#picture();
    const to = picture && this.#shifted(picture.camera);
    if (!to || to.scale > mostStretch) return false;
    const wide = Math.min(this.#width, to.x + this.#width * to.scale) - Math.max(0, to.x);
    const high = Math.min(this.#height, to.y + this.#height * to.scale) - Math.max(0, to.y);
    return wide > 0 && high > 0 && wide * high >= leastCover * this.#width * this.#height;
  }

  #shift(): void {
    const picture = this.#picture();
    const to = picture && this.#shifted(picture.camera);
    if (!to || !this.#context) return;
    this.#sharpCamera = null;
    this.#context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    this.#context.fillStyle = picture.look.theme.background;
    this.#context.fillRect(0, 0, this.#width, this.#height);
    this.#context.drawImage(
      this.#kept,
      to.x,
      to.y,
      this.#width * to.scale,
      this.#height * to.scale,
    );
    clearTimeout(this.#sharpTimer);
    this.#sharpTimer = setTimeout(() => this.change(), sharpenAfter);
  }
}
