/**
 * Finds a code's finder patterns when one of the three is torn, covered or dazzled, and draws the
 * missing one for the engine. Pure, no canvas.
 */
import { cut, lightAround, type Grey } from './grey.ts';

/** One finder pattern, three nested squares: its middle and the side of one module, in pixels. */
interface Finder {
  x: number;
  y: number;
  module: number;
  /** The number of picture lines that cross it. */
  lines: number;
}

/**
 * A finder is drawn this many modules out from its middle: half its side and most of its white
 * border. Beyond that the picture stays, in case the guess is slightly off.
 */
const reach = 4.2;
/** More candidates than this must be other print. */
const mostFinders = 6;
/** The most likely guesses come first; further ones are not worth the time. */
const mostGuesses = 24;

/**
 * One function for each guess where the missing finder is: it draws that finder and gives the
 * part of the picture around the code. The most likely guesses come first.
 */
export function mendFinders(picture: Grey): (() => Grey)[] {
  return pairsOf(findFinders(picture))
    .flatMap(([a, b]) =>
      guessThird(a, b).map((places) => ({ a, b, places, size: sizeOf(a, b, places) })),
    )
    .filter(({ size }) => size.side >= 12 && size.side <= 62)
    .slice(0, mostGuesses)
    .map(
      ({ a, b, places, size }) =>
        () =>
          drawFinders(picture, a, b, { places, ...size }),
    );
}

/** Pairs of finders of about the same size, which may belong to one code. */
function pairsOf(finders: readonly Finder[]): (readonly [Finder, Finder])[] {
  return finders
    .flatMap((a, i) => finders.slice(0, i).map((b) => [a, b] as const))
    .filter(([a, b]) => Math.max(a.module, b.module) < 1.6 * Math.min(a.module, b.module));
}

interface Point {
  x: number;
  y: number;
}

/**
 * Two finders on one side of the code leave two possible places for the third: both are drawn,
 * and the wrong one falls on paper. Two finders on a diagonal leave two places inside the code,
 * so only one is drawn at a time.
 */
function guessThird(a: Point, b: Point): readonly (readonly Point[])[] {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const [mx, my] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
  return [
    [
      { x: a.x - dy, y: a.y + dx },
      { x: a.x + dy, y: a.y - dx },
    ],
    [
      { x: b.x - dy, y: b.y + dx },
      { x: b.x + dy, y: b.y - dx },
    ],
    [{ x: mx - dy / 2, y: my + dx / 2 }],
    [{ x: mx + dy / 2, y: my - dx / 2 }],
  ];
}

/**
 * The direction of the code's sides, a module in pixels, and its side in modules from finder to
 * finder, which is between 12 and 62 for every code.
 */
function sizeOf(a: Finder, b: Finder, places: readonly Point[]) {
  const apart = Math.hypot(a.x - b.x, a.y - b.y);
  const [place = b] = places;
  const isAcross = Math.hypot(place.x - a.x, place.y - a.y) < 0.9 * apart;
  const angle = Math.atan2(b.y - a.y, b.x - a.x) + (isAcross ? Math.PI / 4 : 0);
  // A line through a rotated square is longer than its side, so the module is smaller.
  const turn = Math.abs(((angle % (Math.PI / 2)) + Math.PI / 2) % (Math.PI / 2));
  const module = ((a.module + b.module) / 2) * Math.cos(Math.min(turn, Math.PI / 2 - turn));
  return { angle, module, side: apart / (isAcross ? Math.SQRT2 : 1) / module };
}

function drawFinders(
  picture: Grey,
  a: Finder,
  b: Finder,
  { places, angle, module }: { places: readonly Point[]; angle: number; module: number },
): Grey {
  const ink = levelAt(picture, a);
  const paper = paperAround(picture, a, module, angle);
  const part = partAround(picture, [a, b, ...places], module * (reach + 4));
  for (const { x, y } of places)
    drawFinder(part.picture, { x: x - part.left, y: y - part.top }, { module, angle, ink, paper });
  return part.picture;
}

function drawFinder(
  { width, height, grey }: Grey,
  middle: Point,
  { module, angle, ink, paper }: { module: number; angle: number; ink: number; paper: number },
): void {
  const [c, s] = [Math.cos(angle) / module, Math.sin(angle) / module];
  const far = Math.ceil(reach * module * Math.SQRT2);
  for (
    let y = Math.max(0, Math.floor(middle.y) - far);
    y < Math.min(height, middle.y + far);
    y += 1
  ) {
    for (
      let x = Math.max(0, Math.floor(middle.x) - far);
      x < Math.min(width, middle.x + far);
      x += 1
    ) {
      const [dx, dy] = [x - middle.x, y - middle.y];
      const ring = Math.max(Math.abs(dx * c + dy * s), Math.abs(dy * c - dx * s));
      if (ring < reach)
        grey[y * width + x] = ring < 1.5 || (ring > 2.5 && ring < 3.5) ? ink : paper;
    }
  }
}

function levelAt({ width, grey }: Grey, { x, y }: Point): number {
  return grey[Math.round(y) * width + Math.round(x)] ?? 0;
}

/** The grey level of the ring between the finder's squares. */
function paperAround(picture: Grey, { x, y }: Point, module: number, angle: number): number {
  const [c, s] = [Math.cos(angle) * 2 * module, Math.sin(angle) * 2 * module];
  return Math.max(
    levelAt(picture, { x: x + c, y: y + s }),
    levelAt(picture, { x: x - c, y: y - s }),
    levelAt(picture, { x: x - s, y: y + c }),
    levelAt(picture, { x: x + s, y: y - c }),
  );
}

/** The rectangle around all of them, with a margin. */
function partAround(picture: Grey, points: readonly Point[], margin: number) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return cut(picture, {
    left: Math.min(...xs) - margin,
    top: Math.min(...ys) - margin,
    right: Math.max(...xs) + margin,
    bottom: Math.max(...ys) + margin,
  });
}

/** The finders crossed by the most lines come first. */
function findFinders(picture: Grey): Finder[] {
  const { width, height } = picture;
  const dark = darkOf(picture);
  const found: Finder[] = [];
  for (let y = 1; y < height; y += 2) {
    for (const x of squaresIn(dark, y * width, width)) {
      const down = measure(dark, y * width + x, width, [y, height - 1 - y]);
      if (!down) continue;
      const middle = y + down.shift;
      const across = measure(dark, Math.round(middle) * width + x, 1, [x, width - 1 - x]);
      if (!across) continue;
      if (Math.max(across.module, down.module) > 1.8 * Math.min(across.module, down.module))
        continue;
      note(found, x + across.shift, middle, (across.module + down.module) / 2);
    }
  }
  return found
    .filter(({ lines }) => lines > 1)
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, mostFinders);
}

function note(found: Finder[], x: number, y: number, module: number): void {
  const same = found.find((other) => Math.hypot(other.x - x, other.y - y) < 2 * module);
  if (!same) {
    found.push({ x, y, module, lines: 1 });
    return;
  }
  const weight = 1 / (same.lines + 1);
  same.x += (x - same.x) * weight;
  same.y += (y - same.y) * weight;
  same.module += (module - same.module) * weight;
  same.lines += 1;
}

/**
 * The middles of the spots in this line that look like a cut through a finder: dark and light in
 * the widths 1 : 1 : 3 : 1 : 1.
 */
function squaresIn(dark: Uint8Array, start: number, width: number): number[] {
  const middles: number[] = [];
  let [a, b, c, d] = [0, 0, 0, 0];
  let began = 0;
  for (let x = 1; x <= width; x += 1) {
    const value = dark[start + began];
    if (x < width && dark[start + x] === value) continue;
    const e = x - began;
    if (value === 1 && isSquare(a, b, c, d, e)) middles.push(began - d - Math.ceil(c / 2));
    a = b;
    b = c;
    c = d;
    d = e;
    began = x;
  }
  return middles;
}

function isSquare(a: number, b: number, c: number, d: number, e: number): boolean {
  const module = (a + b + c + d + e) / 7;
  if (module < 1 || Math.abs(c - 3 * module) > 1.2 * module) return false;
  return Math.min(a, b, d, e) > 0.4 * module && Math.max(a, b, d, e) < 1.8 * module;
}

/**
 * Measures from a pixel inside the inner square to both sides; null when there is no finder.
 * `shift` is the distance from the pixel to the middle.
 */
function measure(
  dark: Uint8Array,
  at: number,
  step: number,
  [before, after]: readonly [number, number],
): { module: number; shift: number } | null {
  if (dark[at] !== 1) return null;
  const [back, b, a] = runsFrom(dark, at, -step, before);
  const [on, d, e] = runsFrom(dark, at, step, after);
  const inner = back + 1 + on;
  if (!isSquare(a, b, inner, d, e)) return null;
  return { module: (a + b + inner + d + e) / 7, shift: (on - back) / 2 };
}

/** How many pixels after this one are dark, then light, then dark again. */
function runsFrom(
  dark: Uint8Array,
  start: number,
  step: number,
  room: number,
): [number, number, number] {
  let at = start + step;
  let left = room;
  const run = (value: 0 | 1): number => {
    const began = left;
    while (left > 0 && dark[at] === value) {
      at += step;
      left -= 1;
    }
    return began - left;
  };
  return [run(1), run(0), run(1)];
}

/** Marks with 1 each pixel that is clearly darker than its surroundings. */
function darkOf(picture: Grey): Uint8Array {
  const { grey } = picture;
  const around = lightAround(picture, Math.max(8, picture.width >> 5));
  const dark = new Uint8Array(grey.length);
  for (let i = 0; i < grey.length; i += 1)
    dark[i] = (grey[i] ?? 0) * 17 < (around[i] ?? 0) * 16 ? 1 : 0;
  return dark;
}
