/**
 * The canvas by keyboard: the view, and a crosshair with which every drawing tool works without a
 * mouse.
 */
import type { Point } from '#server/drawing/model/data.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import type { Camera } from './scene/camera.ts';
import type { Hand, Spot } from './desk.ts';
import type { CanvasSettings } from './settings.ts';

interface KeyWants {
  root: HTMLElement;
  studio: Studio;
  camera: Camera;
  settings: () => CanvasSettings;
  hand: () => Hand;
  zoomBy: (factor: number) => void;
  fit: () => void;
  menu: (spot: Spot) => void;
  cancel: () => boolean;
  moved: () => void;
  signal: AbortSignal;
}

/** With these tools the arrow keys move the selection, which is done outside this class. */
const pointing = new Set(['select', 'lasso', 'hand']);
const arrows: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const quiet = 350;

export class Keys {
  /** Null while the keyboard crosshair is off. */
  cross: Point | null = null;
  /** True while Space is held: the pointer moves the view. */
  isPanning = false;
  readonly #wants: KeyWants;
  #told: ReturnType<typeof setTimeout> | undefined;

  constructor(wants: KeyWants) {
    this.#wants = wants;
    const { root, signal } = wants;
    root.addEventListener('keydown', (event) => this.#down(event), { signal });
    root.addEventListener(
      'keyup',
      (event) => {
        if (event.key === ' ') this.isPanning = false;
      },
      { signal },
    );
    root.addEventListener(
      'pointermove',
      () => {
        this.cross = null;
      },
      { signal },
    );
    signal.addEventListener('abort', () => clearTimeout(this.#told));
  }

  #down(event: KeyboardEvent): void {
    if (event.target !== this.#wants.root || !this.#use(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #use(event: KeyboardEvent): boolean {
    const { zoomBy, fit, camera, studio, menu } = this.#wants;
    const { key } = event;
    if ((key === 'F10' && event.shiftKey) || key === 'ContextMenu') {
      menu(this.#spot(event, this.cross ?? camera.middle));
      return true;
    }
    if (event.ctrlKey || event.metaKey) return false;
    const arrow = arrows[key];
    if (key === '+' || key === '=') zoomBy(1.4);
    else if (key === '-') zoomBy(1 / 1.4);
    else if (key === '0') fit();
    else if (key === ' ') this.isPanning = true;
    else if (key === 'Escape') return this.#escape();
    else if (pointing.has(studio.state.tool)) return false;
    else if (arrow) this.#go(event, arrow);
    else if (key === 'Enter') this.#press(event);
    else return this.#wants.hand().key?.(key) ?? false;
    return true;
  }

  /** Ends the unfinished act, or the tool if there is none. */
  #escape(): boolean {
    const { cancel, studio } = this.#wants;
    if (cancel()) return true;
    if (studio.state.tool === 'select') return false;
    this.cross = null;
    studio.set({ tool: 'select' });
    return true;
  }

  #spot(event: Pick<KeyboardEvent, 'shiftKey' | 'altKey'> | null, at: Point): Spot {
    const { x: sx, y: sy } = this.#wants.camera.toScreen(at);
    return { ...at, sx, sy, shift: false, alt: event?.altKey ?? false, ctrl: false, touch: false };
  }

  /** Moves by a step of the grid; with Shift by ten. */
  #go(event: KeyboardEvent, way: Point): void {
    const { camera, settings, hand, moved, studio } = this.#wants;
    const { gridStep } = settings();
    const step = gridStep * (event.shiftKey ? 10 : 1);
    const from = this.cross ?? {
      x: Math.round(camera.middle.x / gridStep) * gridStep,
      y: Math.round(camera.middle.y / gridStep) * gridStep,
    };
    const at = { x: from.x + way.x * step, y: from.y + way.y * step };
    this.cross = at;
    const { x, y } = camera.toScreen(at);
    if (x < 40 || y < 40 || x > camera.width - 20 || y > camera.height - 20) camera.look(at);
    hand().hover?.(this.#spot(event, at));
    moved();
    clearTimeout(this.#told);
    this.#told = setTimeout(() => studio.say(`${Math.round(at.x)}, ${Math.round(at.y)}`), quiet);
  }

  #press(event: KeyboardEvent): void {
    const { camera, hand, moved } = this.#wants;
    const isFirst = this.cross === null;
    this.cross ??= camera.middle;
    if (isFirst) return moved();
    const spot = this.#spot(event, this.cross);
    hand().down(spot);
    hand().up(spot, { moved: false, clicks: 1 });
    moved();
  }
}
