/** Three layers: the drawing, its dragged part, and on top the handles, rulers and previews. */
import { make } from '#apps/chart/page/dom.ts';

/** More device pixels slow down a tablet without visible gain. */
const mostPixels = 9_000_000;
const finest = 3;
/** How far a dragged layer extends beyond the view, so that moving it needs no repaint. */
export const spare = 200;

class Sheet {
  readonly element: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  readonly #spare: number;

  constructor(options: { opaque?: boolean; spare?: number }) {
    this.element = make('canvas', { attributes: { 'aria-hidden': 'true' } });
    this.#spare = options.spare ?? 0;
    const context = this.element.getContext('2d', { alpha: options.opaque !== true });
    if (!context) throw new Error('This browser draws on no canvas');
    this.context = context;
    const { style } = this.element;
    style.left = `${-this.#spare}px`;
    style.top = `${-this.#spare}px`;
  }

  resize(width: number, height: number, ratio: number): void {
    const [wide, high] = [width + 2 * this.#spare, height + 2 * this.#spare];
    this.element.width = Math.max(1, Math.round(wide * ratio));
    this.element.height = Math.max(1, Math.round(high * ratio));
    this.element.style.width = `${wide}px`;
    this.element.style.height = `${high}px`;
  }

  clear(): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, this.element.width, this.element.height);
  }

  /** Moves the painted picture without repainting. */
  place(x: number, y: number, scale = 1): void {
    this.element.style.transform = `translate(${x}px,${y}px) scale(${scale})`;
  }
}

export class Surface {
  /** Device pixels per pixel of the page. */
  ratio = 1;
  readonly root: HTMLElement;
  readonly drawing = new Sheet({ opaque: true });
  readonly lifted = new Sheet({ spare });
  readonly top = new Sheet({});

  constructor(root: HTMLElement) {
    this.root = root;
    root.append(this.drawing.element, this.lifted.element, this.top.element);
  }

  resize(width: number, height: number): void {
    const ratio = Math.min(
      finest,
      devicePixelRatio || 1,
      Math.max(1, Math.sqrt(mostPixels / Math.max(1, width * height))),
    );
    this.ratio = ratio;
    for (const sheet of [this.drawing, this.lifted, this.top]) sheet.resize(width, height, ratio);
  }
}
