/** The whole floor in a corner, with a frame around the view; a press on it moves the view. */
import { make } from '#apps/chart/page/dom.ts';
import { Camera } from './scene/camera.ts';
import { paintEntries } from './paint/paint.ts';
import { inPagePixels, type Picture } from './paint/picture.ts';
import type { Scene } from './scene/scene.ts';

const width = 168;
const height = 116;
const margin = 8;
const rest = 250;

interface MinimapWants {
  scene: Scene;
  camera: Camera;
  picture: () => Picture;
  go: () => void;
}

export class Minimap {
  readonly element = make('canvas', {
    className: 'bsd-canvas-minimap',
    hidden: true,
    attributes: { 'aria-hidden': 'true' },
  });
  readonly #wants: MinimapWants;
  readonly #camera = new Camera();
  readonly #kept = document.createElement('canvas');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStale = true;

  constructor(wants: MinimapWants) {
    this.#wants = wants;
    this.element.style.width = `${width}px`;
    this.element.style.height = `${height}px`;
    const go = (event: PointerEvent) => {
      event.stopPropagation();
      const box = this.element.getBoundingClientRect();
      const at = this.#camera.toWorld(event.clientX - box.left, event.clientY - box.top);
      wants.camera.look(at);
      wants.go();
    };
    this.element.addEventListener('pointerdown', (event) => {
      this.element.setPointerCapture(event.pointerId);
      go(event);
    });
    this.element.addEventListener('pointermove', (event) => {
      if (event.buttons > 0) go(event);
    });
  }

  /** Called when the drawing has changed; repaints once the changes have stopped. */
  change(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isStale = true;
      this.show(!this.element.hidden);
    }, rest);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Shows itself only while part of the floor is out of view. */
  show(wanted: boolean): void {
    const { left, top, right, bottom } = this.#wants.scene.box;
    const { view } = this.#wants.camera;
    const isWhole =
      left > right ||
      (left >= view.left && right <= view.right && top >= view.top && bottom <= view.bottom);
    this.element.hidden = !wanted || isWhole;
    if (this.element.hidden) return;
    const picture = this.#wants.picture();
    if (this.#isStale) this.#paint(picture);
    this.#frame(picture);
  }

  #paint(picture: Picture): void {
    const { ratio } = picture;
    const { left, top, right, bottom } = this.#wants.scene.box;
    const camera = Object.assign(this.#camera, { width, height });
    const k = Math.min(
      (width - 2 * margin) / Math.max(1, right - left),
      (height - 2 * margin) / Math.max(1, bottom - top),
    );
    camera.look({ x: (left + right) / 2, y: (top + bottom) / 2 });
    camera.k = k;
    camera.x = width / 2 - ((left + right) / 2) * k;
    camera.y = height / 2 - ((top + bottom) / 2) * k;
    for (const canvas of [this.element, this.#kept])
      Object.assign(canvas, {
        width: Math.round(width * ratio),
        height: Math.round(height * ratio),
      });
    const context = this.#kept.getContext('2d');
    if (!context) return;
    const small = { ...picture, camera, part: 'all' as const, labels: false, section: null };
    inPagePixels(context, picture);
    context.fillStyle = picture.look.paper;
    context.fillRect(0, 0, width, height);
    paintEntries(context, small, this.#wants.scene.entries);
    this.#isStale = false;
  }

  #frame(picture: Picture): void {
    const context = this.element.getContext('2d');
    if (!context) return;
    const { view } = this.#wants.camera;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#kept, 0, 0);
    inPagePixels(context, picture);
    const from = this.#camera.toScreen({ x: view.left, y: view.top });
    const to = this.#camera.toScreen({ x: view.right, y: view.bottom });
    context.strokeStyle = picture.look.accent;
    context.lineWidth = 2;
    context.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
  }
}
