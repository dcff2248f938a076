/** The canvas on the page: paints when something changed, and while a gesture runs moves the last sharp picture when painting is slow. */
import { paint, type Picture } from './paint.ts';
import type { Camera } from './view.ts';

/** A frame that costs more than this would make a gesture stutter. */
const slowPaint = 7;
const sharpenAfter = 120;

export class Canvas {
  readonly element: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #kept = document.createElement('canvas');
  readonly #picture: () => Picture | null;
  #keptCamera: Camera | null = null;
  #cost = 0;
  #frame = 0;
  #sharpTimer: ReturnType<typeof setTimeout> | undefined;
  #moving = false;
  #width = 0;
  #height = 0;
  #ratio = 1;

  constructor(element: HTMLCanvasElement, picture: () => Picture | null) {
    this.element = element;
    this.#context = element.getContext('2d', { alpha: false });
    this.#picture = picture;
  }

  get ratio(): number {
    return this.#ratio;
  }

  resize(width: number, height: number): void {
    // More than two device pixels per pixel cost a phone four times the paint and show nothing.
    const ratio = Math.min(2, devicePixelRatio || 1);
    if (width === this.#width && height === this.#height && ratio === this.#ratio) return;
    this.#width = width;
    this.#height = height;
    this.#ratio = ratio;
    this.element.width = Math.max(1, Math.round(width * ratio));
    this.element.height = Math.max(1, Math.round(height * ratio));
    this.#keptCamera = null;
    this.#paintNow();
  }

  /** Something looks different: sharp at the next frame. */
  change(): void {
    this.#moving = false;
    this.#request();
  }

  /** The view moved; `settled` when it came to rest. */
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
      if (this.#moving && this.#cost > slowPaint && this.#keptCamera) this.#shift();
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
    if (this.#cost > slowPaint) this.#keep(picture.camera);
  }

  #keep(camera: Camera): void {
    const { width, height } = this.element;
    if (this.#kept.width !== width || this.#kept.height !== height) Object.assign(this.#kept, { width, height });
    this.#kept.getContext('2d', { alpha: false })?.drawImage(this.element, 0, 0);
    this.#keptCamera = { ...camera };
  }

  #shift(): void {
    const picture = this.#picture();
    const from = this.#keptCamera;
    if (!picture || !from || !this.#context) return;
    const { camera, look } = picture;
    const scale = camera.k / from.k;
    this.#context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    this.#context.fillStyle = look.theme.background;
    this.#context.fillRect(0, 0, this.#width, this.#height);
    this.#context.drawImage(this.#kept, camera.x - from.x * scale, camera.y - from.y * scale, this.#width * scale, this.#height * scale);
    clearTimeout(this.#sharpTimer);
    this.#sharpTimer = setTimeout(() => this.change(), sharpenAfter);
  }
}
