/** Fingers, mouse, wheel and keys on the map: moves the view and tells taps and hovering. */
import type { View } from './view.ts';

interface GestureWants {
  surface: HTMLElement;
  view: View;
  signal: AbortSignal;
  /** print mode: nothing moves. */
  fixed: () => boolean;
  tap: (x: number, y: number, touch: boolean) => void;
  doubleTap: (x: number, y: number) => void;
  /** Null when the pointer left. */
  hover: (at: { x: number; y: number } | null) => void;
}

interface Finger {
  x: number;
  y: number;
  startX: number;
  startY: number;
  began: number;
}

const slack = { mouse: 5, touch: 12 };
const longPress = 700;
const doubleTime = 320;
const wheelRest = 140;

export function watchGestures({
  surface,
  view,
  signal,
  fixed,
  tap,
  doubleTap,
  hover,
}: GestureWants): void {
  const fingers = new Map<number, Finger>();
  let moved = false;
  let lastTap = { at: 0, x: 0, y: 0 };
  let wheelTimer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(wheelTimer));

  const spot = (event: PointerEvent | WheelEvent) => {
    const box = surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    hear: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ) => surface.addEventListener(name, hear, { signal, passive });

  // A press on something else in between, as on a question, makes the next one a first one again.
  addEventListener(
    'pointerdown',
    (event) => {
      if (!event.composedPath().includes(surface)) lastTap = { at: 0, x: 0, y: 0 };
    },
    { signal, capture: true, passive: true },
  );

  on('pointerdown', (event) => {
    if (event.button > 0) return;
    const at = spot(event);
    if (fingers.size === 0) moved = false;
    fingers.set(event.pointerId, { ...at, startX: at.x, startY: at.y, began: event.timeStamp });
    view.stop();
  });

  on('pointermove', (event) => {
    const at = spot(event);
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
    if ((moved || fingers.size > 1) && !fixed()) drag(finger, at);
    finger.x = at.x;
    finger.y = at.y;
  });

  const drag = (finger: Finger, at: { x: number; y: number }) => {
    const others = [...fingers.values()].filter((other) => other !== finger);
    const [other] = others;
    if (!other) {
      view.pan(at.x - finger.x, at.y - finger.y);
      return;
    }
    moved = true;
    const before = Math.hypot(finger.x - other.x, finger.y - other.y);
    const after = Math.hypot(at.x - other.x, at.y - other.y);
    view.pan((at.x - finger.x) / 2, (at.y - finger.y) / 2);
    if (before > 0) view.zoom(after / before, (at.x + other.x) / 2, (at.y + other.y) / 2);
  };

  const lift = (event: PointerEvent, counts: boolean) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    fingers.delete(event.pointerId);
    if (moved) {
      if (fingers.size === 0) view.settle();
      return;
    }
    if (!counts || fingers.size > 0 || event.timeStamp - finger.began > longPress) return;
    const { x, y } = finger;
    if (
      event.timeStamp - lastTap.at < doubleTime &&
      Math.hypot(x - lastTap.x, y - lastTap.y) < 24
    ) {
      lastTap = { at: 0, x, y };
      doubleTap(x, y);
      return;
    }
    lastTap = { at: event.timeStamp, x, y };
    tap(x, y, event.pointerType !== 'mouse');
  };
  on('pointerup', (event) => lift(event, true));
  on('pointercancel', (event) => lift(event, false));
  on('pointerleave', (event) => {
    if (event.pointerType === 'mouse') hover(null);
  });

  on(
    'wheel',
    (event) => {
      if (fixed()) return;
      // At the whole view a turn outwards belongs to the page, so that nobody is caught on the map.
      if (event.deltaY > 0 && view.isWhole && !event.ctrlKey) return;
      event.preventDefault();
      const { x, y } = spot(event);
      const lines = event.deltaMode === 1 ? 30 : 1;
      const turn = Math.max(-160, Math.min(160, event.deltaY * lines));
      view.zoom(Math.exp(-turn * (event.ctrlKey ? 0.01 : 0.0032)), x, y);
      hover(null);
      clearTimeout(wheelTimer);
      wheelTimer = setTimeout(() => view.settle(), wheelRest);
    },
    false,
  );

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
