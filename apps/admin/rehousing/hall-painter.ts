/** Paints the places of a hall on a canvas, and finds the one under the pointer. */
import type { Floor, NewPlace } from './plan.ts';

/** Turns metres into pixels: multiply by `scale`, then add `x` and `y`. */
export interface Sight {
  scale: number;
  x: number;
  y: number;
}

export type Look = 'free' | 'sold' | 'blocked' | 'found' | 'chosen';

interface Painted {
  hall: Floor;
  lookOf: (place: NewPlace) => Look;
  colors: Record<Look, string>;
  letter: string;
  sight: Sight;
}

const seatRadius = 0.23;
const otherRadius = 0.8;
const radiusOf = ({ kind }: NewPlace) => (kind === 'seat' ? seatRadius : otherRadius);

/** Shows the whole hall with its stage and a margin. */
export function wholeSight({ places, stage }: Floor, width: number, height: number): Sight {
  const all = stage === null ? places : [...places, stage];
  const xs = all.map(({ x }) => x);
  const ys = all.map(({ y }) => y);
  const [left, top] = [Math.min(...xs) - 1.5, Math.min(...ys) - 1.5];
  const [wide, high] = [Math.max(...xs) + 1.5 - left, Math.max(...ys) + 1.5 - top];
  const scale = Math.min(width / wide, height / high);
  return {
    scale,
    x: (width - wide * scale) / 2 - left * scale,
    y: (height - high * scale) / 2 - top * scale,
  };
}

/** Zooms around a point of the canvas. */
export function zoomed({ scale, x, y }: Sight, factor: number, at: { x: number; y: number }) {
  const next = Math.min(400, Math.max(2, scale * factor));
  const ratio = next / scale;
  return { scale: next, x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio };
}

export function paintHall(to: CanvasRenderingContext2D, painted: Painted): void {
  const { hall, lookOf, colors, letter, sight } = painted;
  const { width, height } = to.canvas;
  const ratio = devicePixelRatio;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.clearRect(0, 0, width, height);
  to.textAlign = 'center';
  to.textBaseline = 'middle';
  for (const place of hall.places) {
    const look = lookOf(place);
    const radius = Math.max(1.5, radiusOf(place) * sight.scale);
    const [x, y] = [place.x * sight.scale + sight.x, place.y * sight.scale + sight.y];
    to.globalAlpha = place.sold ? 1 : 0.3;
    to.fillStyle = colors[look];
    to.beginPath();
    if (place.kind === 'seat') to.arc(x, y, radius, 0, 2 * Math.PI);
    else to.roundRect(x - radius, y - radius, 2 * radius, 2 * radius, 4);
    to.fill();
    if (radius < 7) continue;
    to.fillStyle = look === 'free' ? colors.chosen : letter;
    to.font = `${Math.min(14, radius)}px system-ui`;
    to.fillText(place.places > 1 ? String(place.places) : place.seat, x, y);
  }
  to.globalAlpha = 1;
  if (hall.stage !== null) paintStage(to, hall.stage, painted);
}

function paintStage(
  to: CanvasRenderingContext2D,
  stage: { x: number; y: number },
  { sight, colors }: Painted,
): void {
  to.fillStyle = colors.chosen;
  to.font = `600 ${Math.max(11, Math.min(20, sight.scale))}px system-ui`;
  to.fillText('PALCOSCENICO', stage.x * sight.scale + sight.x, stage.y * sight.scale + sight.y);
}

/** The nearest place, no farther than a finger reaches. */
export function placeAt(hall: Floor, sight: Sight, at: { x: number; y: number }) {
  let best: NewPlace | null = null;
  let nearest = Infinity;
  for (const place of hall.places) {
    const far = Math.hypot(
      place.x * sight.scale + sight.x - at.x,
      place.y * sight.scale + sight.y - at.y,
    );
    const reach = Math.max(8, radiusOf(place) * sight.scale * 1.15);
    if (far > reach || far >= nearest) continue;
    [best, nearest] = [place, far];
  }
  return best;
}
