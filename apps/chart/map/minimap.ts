/**
 * The whole floor in a corner while the view is zoomed in, with a frame around the view; a press
 * on it moves the view.
 */
import { floorAt } from '#apps/chart/scene/scene.ts';
import { make } from '#apps/chart/page/dom.ts';
import { paint } from '#apps/chart/paint/paint.ts';
import type { Picture } from '#apps/chart/paint/picture.ts';
import type { View } from './view.ts';
import { words } from '#apps/chart/words.ts';

const longest = 116;
const still: ReadonlySet<number> = new Set();

export class Minimap {
  readonly element: HTMLCanvasElement;
  readonly #overview = document.createElement('canvas');
  readonly #view: View;
  readonly #picture: () => Picture | null;
  #stale = true;
  #floor = -1;
  #ratio = 0;
  #scale = 1;
  #left = 0;
  #top = 0;

  constructor(view: View, picture: () => Picture | null, signal: AbortSignal) {
    this.#view = view;
    this.#picture = picture;
    this.element = make('canvas', {
      className: 'bsc-minimap',
      hidden: true,
      title: words.minimap,
      attributes: { 'aria-hidden': 'true' },
    });
    const go = (event: PointerEvent) => {
      const box = this.element.getBoundingClientRect();
      const { camera, width, height } = view;
      const at = {
        x: (event.clientX - box.left) / this.#scale + this.#left,
        y: (event.clientY - box.top) / this.#scale + this.#top,
      };
      view.pan(width / 2 - at.x * camera.k - camera.x, height / 2 - at.y * camera.k - camera.y);
    };
    this.element.addEventListener(
      'pointerdown',
      (event) => {
        this.element.setPointerCapture(event.pointerId);
        go(event);
      },
      { signal },
    );
    this.element.addEventListener(
      'pointermove',
      (event) => {
        if (event.buttons > 0) go(event);
      },
      { signal },
    );
    this.element.addEventListener('pointerup', () => view.settle(), { signal });
  }

  /** Marks the minimap as outdated; it is painted again when it is next shown. */
  change(): void {
    this.#stale = true;
    this.show(!this.element.hidden);
  }

  show(visible: boolean): void {
    this.element.hidden = !visible;
    const picture = visible ? this.#picture() : null;
    if (!picture) return;
    if (this.#stale || picture.floor !== this.#floor || picture.ratio !== this.#ratio)
      this.#paintOverview(picture);
    const context = this.element.getContext('2d');
    if (!context) return;
    const { camera, width, height } = this.#view;
    const { ratio, look } = picture;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#overview, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const box = {
      x: (-camera.x / camera.k - this.#left) * this.#scale,
      y: (-camera.y / camera.k - this.#top) * this.#scale,
      width: (width / camera.k) * this.#scale,
      height: (height / camera.k) * this.#scale,
    };
    context.fillStyle = look.theme.text;
    context.globalAlpha = 0.12;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    context.strokeStyle = look.theme.text;
    context.lineWidth = 1.5;
    context.strokeRect(box.x, box.y, box.width, box.height);
  }

  #paintOverview(picture: Picture): void {
    const { left, top, right, bottom } = floorAt(picture.scene, picture.floor).bounds;
    const air = Math.max(right - left, bottom - top) * 0.03;
    const [wide, high] = [right - left + 2 * air, bottom - top + 2 * air];
    this.#scale = longest / Math.max(wide, high);
    this.#left = left - air;
    this.#top = top - air;
    const [width, height] = [wide * this.#scale, high * this.#scale];
    const { ratio } = picture;
    for (const canvas of [this.element, this.#overview]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.element.style.width = `${width}px`;
    this.element.style.height = `${height}px`;
    const context = this.#overview.getContext('2d', { alpha: false });
    if (!context) return;
    const camera = { k: this.#scale, x: -this.#left * this.#scale, y: -this.#top * this.#scale };
    paint(context, { ...picture, camera, width, height, small: true, hover: -1, pulsing: still });
    this.#stale = false;
    this.#floor = picture.floor;
    this.#ratio = ratio;
  }
}
