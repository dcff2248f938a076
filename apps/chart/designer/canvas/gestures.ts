/**
 * Distinguishes mouse, pen, fingers and wheel on the canvas: one finger draws, two move the view,
 * a long press opens the menu.
 */
import type { Camera } from './scene/camera.ts';
import type { Hand, Spot } from './desk.ts';

interface GestureWants {
  surface: HTMLElement;
  camera: Camera;
  signal: AbortSignal;
  hand: () => Hand;
  /** Whether a drag moves the view: with the hand tool, or while Space is held. */
  pans: () => boolean;
  moved: (settled: boolean) => void;
  menu: (spot: Spot) => void;
  cursor: (name: string) => void;
}

interface Finger {
  x: number;
  y: number;
}

const slack = { mouse: 4, pen: 6, touch: 10 };
const longPress = 550;
const doubleTime = 350;
const wheelRest = 140;

type Pointing = Pick<
  PointerEvent,
  'clientX' | 'clientY' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'
> & { pointerType?: string };

export function spotOf(surface: HTMLElement, camera: Camera, event: Pointing): Spot {
  const box = surface.getBoundingClientRect();
  const [sx, sy] = [event.clientX - box.left, event.clientY - box.top];
  return {
    ...camera.toWorld(sx, sy),
    sx,
    sy,
    shift: event.shiftKey,
    alt: event.altKey,
    ctrl: event.ctrlKey || event.metaKey,
    touch: event.pointerType === 'touch',
  };
}

/** The state of one press, from down to up. */
interface Press {
  id: number;
  from: Spot;
  at: Spot;
  moved: boolean;
  pans: boolean;
  type: string;
}

class Pointers {
  readonly #wants: GestureWants;
  readonly #fingers = new Map<number, Finger>();
  #press: Press | null = null;
  #hold: ReturnType<typeof setTimeout> | undefined;
  #last = { time: 0, x: 0, y: 0, clicks: 0 };

  constructor(wants: GestureWants) {
    this.#wants = wants;
    wants.signal.addEventListener('abort', () => clearTimeout(this.#hold));
  }

  #spot(event: PointerEvent): Spot {
    return spotOf(this.#wants.surface, this.#wants.camera, event);
  }

  down(event: PointerEvent): void {
    if (event.button === 2) return;
    const { surface, hand, pans } = this.#wants;
    const spot = this.#spot(event);
    this.#fingers.set(event.pointerId, { x: spot.sx, y: spot.sy });
    surface.setPointerCapture(event.pointerId);
    if (this.#fingers.size > 1) return this.#pinch();
    const isPan = event.button === 1 || pans();
    if (event.button === 1) event.preventDefault();
    const { pointerType: type, pointerId: id } = event;
    this.#press = { id, from: spot, at: spot, moved: false, pans: isPan, type };
    if (isPan) return this.#wants.cursor('grabbing');
    if (type === 'touch') this.#hold = setTimeout(() => this.#askMenu(), longPress);
    hand().down(spot);
  }

  /** A second finger cancels the first one's gesture. */
  #pinch(): void {
    clearTimeout(this.#hold);
    if (this.#press && !this.#press.pans) this.#wants.hand().cancel();
    this.#press = null;
  }

  #askMenu(): void {
    const press = this.#press;
    if (!press || press.moved) return;
    this.#press = null;
    this.#wants.hand().cancel();
    this.#wants.menu(press.from);
  }

  move(event: PointerEvent): void {
    const { hand, cursor, camera, moved, pans } = this.#wants;
    const spot = this.#spot(event);
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) {
      cursor(pans() ? 'grab' : hand().cursor(spot));
      return hand().hover?.(spot);
    }
    const press = this.#press;
    if (this.#fingers.size > 1) this.#dragFingers(finger, spot);
    else if (press?.id === event.pointerId) {
      const limit = slack[press.type as keyof typeof slack] ?? slack.mouse;
      press.moved ||= Math.hypot(spot.sx - press.from.sx, spot.sy - press.from.sy) > limit;
      if (press.moved) clearTimeout(this.#hold);
      if (press.moved && press.pans) {
        camera.pan(spot.sx - press.at.sx, spot.sy - press.at.sy);
        moved(false);
      } else if (press.moved) hand().drag?.(spot);
      press.at = spot;
    }
    Object.assign(finger, { x: spot.sx, y: spot.sy });
  }

  #dragFingers(finger: Finger, { sx, sy }: Spot): void {
    const { camera, moved } = this.#wants;
    const other = [...this.#fingers.values()].find((one) => one !== finger);
    if (!other) return;
    const before = Math.hypot(finger.x - other.x, finger.y - other.y);
    const after = Math.hypot(sx - other.x, sy - other.y);
    camera.pan((sx - finger.x) / 2, (sy - finger.y) / 2);
    if (before > 0 && after > 0)
      camera.zoom(after / before, (sx + other.x) / 2, (sy + other.y) / 2);
    moved(false);
  }

  up(event: PointerEvent): void {
    clearTimeout(this.#hold);
    const wasPinch = this.#fingers.size > 1;
    if (!this.#fingers.delete(event.pointerId)) return;
    const press = this.#press;
    if (wasPinch || (press?.pans && press.moved)) this.#wants.moved(true);
    if (press?.id !== event.pointerId) return;
    this.#press = null;
    if (press.pans) return this.#wants.cursor('grab');
    const spot = this.#spot(event);
    const clicks = press.moved ? 0 : this.#count(spot, event.timeStamp);
    this.#wants.hand().up(spot, { moved: press.moved, clicks });
    this.#wants.cursor(this.#wants.hand().cursor(spot));
  }

  /** Counts presses on one spot in quick succession. */
  #count({ sx, sy }: Spot, time: number): number {
    const { time: before, x, y, clicks } = this.#last;
    const again = time - before < doubleTime && Math.hypot(sx - x, sy - y) < 10;
    this.#last = { time, x: sx, y: sy, clicks: again ? clicks + 1 : 1 };
    return this.#last.clicks;
  }

  drop(event: PointerEvent): void {
    clearTimeout(this.#hold);
    this.#fingers.delete(event.pointerId);
    if (this.#press?.id !== event.pointerId) return;
    this.#press = null;
    this.#wants.hand().cancel();
  }
}

export function watchHands(wants: GestureWants): void {
  const { surface, signal, menu } = wants;
  const pointers = new Pointers(wants);
  surface.addEventListener('pointerdown', (event) => pointers.down(event), { signal });
  surface.addEventListener('pointermove', (event) => pointers.move(event), { signal });
  surface.addEventListener('pointerup', (event) => pointers.up(event), { signal });
  surface.addEventListener('pointercancel', (event) => pointers.drop(event), { signal });
  surface.addEventListener(
    'contextmenu',
    (event) => {
      event.preventDefault();
      if (event.button === 2) menu(spotOf(surface, wants.camera, event));
    },
    { signal },
  );
  watchWheel(wants);
}

/** The wheel scales the view; with Shift, or moved sideways on a touchpad, it moves the view. */
function watchWheel(wants: GestureWants): void {
  const { surface, camera, signal, moved } = wants;
  let rest: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(rest));
  surface.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 30 : 1;
      const [dx, dy] = [event.deltaX * lines, event.deltaY * lines];
      const { sx, sy } = spotOf(surface, camera, event);
      if (event.shiftKey) camera.pan(-(dx || dy), 0);
      else if (!event.ctrlKey && Math.abs(dx) > Math.abs(dy)) camera.pan(-dx, -dy);
      else {
        const turn = Math.max(-160, Math.min(160, dy));
        camera.zoom(Math.exp(-turn * (event.ctrlKey ? 0.01 : 0.0032)), sx, sy);
      }
      moved(false);
      clearTimeout(rest);
      rest = setTimeout(() => moved(true), wheelRest);
    },
    { signal, passive: false },
  );
}
