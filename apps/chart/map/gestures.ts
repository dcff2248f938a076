/** Fingers, mouse, wheel and keys on the map: moves the view, and reports taps and hovering. */
import type { View } from './view.ts';

interface GestureWants {
  surface: HTMLElement;
  view: View;
  signal: AbortSignal;
  /** For the print mode, where nothing moves. */
  fixed: () => boolean;
  tap: (x: number, y: number, touch: boolean) => void;
  doubleTap: (x: number, y: number) => void;
  /** Called with null when the pointer left. */
  hover: (at: Spot | null) => void;
  /** When set, a drag draws a rectangle and does not move the map. */
  band: Band | null;
}

export interface Band {
  isWanted: (event: PointerEvent) => boolean;
  draw: (from: Spot, to: Spot) => void;
  /** Called with null when it was cancelled. */
  end: (from: Spot, to: Spot | null) => void;
}

export interface Spot {
  x: number;
  y: number;
}

interface Finger extends Spot {
  startX: number;
  startY: number;
  began: number;
}

const slack = { mouse: 5, touch: 12 };
const longPress = 700;
const doubleTime = 320;
const wheelRest = 140;

export function watchGestures(wants: GestureWants): void {
  const { surface, signal } = wants;
  const on: Listen = (name, hear, passive = true) =>
    surface.addEventListener(name, hear, { signal, passive });
  watchPointers(wants, on);
  watchWheel(wants, on);
  watchKeys(wants, on);
}

type Listen = <K extends keyof HTMLElementEventMap>(
  name: K,
  hear: (event: HTMLElementEventMap[K]) => void,
  passive?: boolean,
) => void;

function spotOn(surface: HTMLElement, event: PointerEvent | WheelEvent): Spot {
  const box = surface.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

/** One finger moves the view; two move and scale it. */
function drag(view: View, fingers: ReadonlyMap<number, Finger>, finger: Finger, at: Spot): void {
  const other = [...fingers.values()].find((one) => one !== finger);
  if (!other) {
    view.pan(at.x - finger.x, at.y - finger.y);
    return;
  }
  const before = Math.hypot(finger.x - other.x, finger.y - other.y);
  const after = Math.hypot(at.x - other.x, at.y - other.y);
  view.pan((at.x - finger.x) / 2, (at.y - finger.y) / 2);
  if (before > 0) view.zoom(after / before, (at.x + other.x) / 2, (at.y + other.y) / 2);
}

/** After a press elsewhere, for instance on a dialog, the next press is a first one again. */
function watchOutside({ surface, signal }: GestureWants, forget: () => void): void {
  addEventListener(
    'pointerdown',
    (event) => {
      if (!event.composedPath().includes(surface)) forget();
    },
    { signal, capture: true, passive: true },
  );
}

/** Distinguishes a double tap on one spot from a single one. */
function tellTaps(wants: GestureWants): (event: PointerEvent, spot: Spot) => void {
  const { tap, doubleTap } = wants;
  const none = { at: 0, x: 0, y: 0 };
  let last = none;
  watchOutside(wants, () => {
    last = none;
  });
  return ({ timeStamp: at, pointerType }, { x, y }) => {
    if (at - last.at < doubleTime && Math.hypot(x - last.x, y - last.y) < 24) {
      last = { at: 0, x, y };
      doubleTap(x, y);
      return;
    }
    last = { at, x, y };
    tap(x, y, pointerType !== 'mouse');
  };
}

function watchPointers(wants: GestureWants, on: Listen): void {
  const { surface, view, fixed, hover, band } = wants;
  const tell = tellTaps(wants);
  let drawn: Spot | null = null;
  const fingers = new Map<number, Finger>();
  let moved = false;

  on('pointerdown', (event) => {
    if (event.button > 0) return;
    const at = spotOn(surface, event);
    if (fingers.size === 0) {
      moved = false;
      drawn = band?.isWanted(event) === true && !fixed() ? at : null;
    } else if (drawn) {
      band?.end(drawn, null);
      drawn = null;
    }
    fingers.set(event.pointerId, { ...at, startX: at.x, startY: at.y, began: event.timeStamp });
    view.stop();
  });

  on('pointermove', (event) => {
    const at = spotOn(surface, event);
    const finger = fingers.get(event.pointerId);
    if (!finger) {
      if (event.pointerType === 'mouse') hover(at);
      return;
    }
    const limit = event.pointerType === 'mouse' ? slack.mouse : slack.touch;
    if (!moved && Math.hypot(at.x - finger.startX, at.y - finger.startY) > limit) {
      moved = true;
      surface.setPointerCapture(event.pointerId);
      hover(null);
    }
    if (fingers.size > 1 && !fixed()) moved = true;
    if (moved && drawn) band?.draw(drawn, at);
    else if (moved && !fixed()) drag(view, fingers, finger, at);
    finger.x = at.x;
    finger.y = at.y;
  });

  const lift = (event: PointerEvent, counts: boolean) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    fingers.delete(event.pointerId);
    if (moved) {
      if (drawn) band?.end(drawn, counts ? finger : null);
      else if (fingers.size === 0) view.settle();
      drawn = null;
      return;
    }
    if (!counts || fingers.size > 0 || event.timeStamp - finger.began > longPress) return;
    tell(event, finger);
  };
  on('pointerup', (event) => lift(event, true));
  on('pointercancel', (event) => lift(event, false));
  on('pointerleave', (event) => {
    if (event.pointerType === 'mouse') hover(null);
  });
}

function watchWheel({ surface, view, fixed, hover, signal }: GestureWants, on: Listen): void {
  let wheelTimer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(wheelTimer));
  on(
    'wheel',
    (event) => {
      if (fixed()) return;
      // In the whole view, zooming out further scrolls the page, so that the map does not trap
      // the wheel.
      if (event.deltaY > 0 && view.isWhole && !event.ctrlKey) return;
      event.preventDefault();
      const { x, y } = spotOn(surface, event);
      const lines = event.deltaMode === 1 ? 30 : 1;
      const turn = Math.max(-160, Math.min(160, event.deltaY * lines));
      view.zoom(Math.exp(-turn * (event.ctrlKey ? 0.01 : 0.0032)), x, y);
      hover(null);
      clearTimeout(wheelTimer);
      wheelTimer = setTimeout(() => view.settle(), wheelRest);
    },
    false,
  );
}

function watchKeys({ view, fixed }: GestureWants, on: Listen): void {
  on(
    'keydown',
    (event) => {
      if (fixed() || event.ctrlKey || event.metaKey || event.altKey) return;
      const far = 80;
      const acts: Record<string, () => void> = {
        ArrowLeft: () => view.pan(far, 0),
        ArrowRight: () => view.pan(-far, 0),
        ArrowUp: () => view.pan(0, far),
        ArrowDown: () => view.pan(0, -far),
        '+': () => view.glideBy(1.5),
        '=': () => view.glideBy(1.5),
        '-': () => view.glideBy(1 / 1.5),
        0: () => view.glideHome(),
        Home: () => view.glideHome(),
      };
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
      view.settle();
    },
    false,
  );
}
