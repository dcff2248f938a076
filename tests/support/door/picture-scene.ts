/**
 * Draws a card with a code as a camera sees it: in perspective, before a lively background, with
 * fingers and cracks if wanted.
 */
import { between, type Chance, type GreyPicture } from './picture-light.ts';
import type { Sheet } from './picture-wear.ts';

type Point = readonly [number, number];

export interface Card {
  /** Modules without quiet zone; null: a card with other print on it. */
  rows: boolean[][] | null;
  /** Height of the upright code in pixels. */
  side: number;
  /** Middle of the code in the picture. */
  middle: Point;
  /** Radians in the picture's plane. */
  turn: number;
  /** Radians away from the camera, and in which direction. */
  tilt: number;
  tiltTowards: number;
  /**
   * Rolled like paper around a bottle: half the code's width, as an angle on the roll; 0 is flat.
   */
  roll: number;
  ink: number;
  paper: number;
  /** The damage to the print. */
  wear?: (sheet: Sheet) => void;
  /** The grey level of what covers the code. */
  cover?: number;
}

/** Modules of white around the code. */
const quiet = 4;
/** The card goes on with print above and below. */
const printAbove = 9;
const printBelow = 14;

/** The whole scene in a picture of this size. */
export function drawScene(
  card: Card,
  chance: Chance,
  { width, height }: { width: number; height: number },
): GreyPicture {
  const picture = { width, height, grey: new Float32Array(width * height) };
  drawBackground(picture, chance);
  drawCard(picture, card, chance);
  return picture;
}

/** Shelves, jackets, letters: edges and stripes of all sizes, none of them a code. */
function drawBackground({ width, height, grey }: GreyPicture, chance: Chance): void {
  const base = between(chance, 60, 170);
  const [slopeX, slopeY] = [between(chance, -60, 60) / width, between(chance, -60, 60) / height];
  const weave = {
    strength: between(chance, 0, 12),
    period: between(chance, 4, 30),
    angle: between(chance, 0, Math.PI),
  };
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      grey[at] =
        base +
        slopeX * x +
        slopeY * y +
        weave.strength *
          Math.sin(
            ((x * Math.cos(weave.angle) + y * Math.sin(weave.angle)) * 2 * Math.PI) / weave.period,
          );
    }
  }
  for (let n = 0; n < 60; n += 1) {
    const [left, top] = [
      Math.floor(between(chance, -50, width)),
      Math.floor(between(chance, -50, height)),
    ];
    const [w, h] = [
      Math.floor(between(chance, 4, n < 8 ? 420 : 70)),
      Math.floor(between(chance, 3, n < 8 ? 300 : 40)),
    ];
    const [value, strength] = [between(chance, 20, 230), between(chance, 0.2, 0.9)];
    for (let y = Math.max(0, top); y < Math.min(height, top + h); y += 1) {
      for (let x = Math.max(0, left); x < Math.min(width, left + w); x += 1)
        grey[y * width + x] = grey[y * width + x]! * (1 - strength) + value * strength;
    }
  }
}

/** Nine samples a pixel: a small code keeps the greys that a lens would give it. */
function drawCard({ width, height, grey }: GreyPicture, card: Card, chance: Chance): void {
  const size = card.rows?.length ?? 25;
  const sheet = printSheet(card.rows, size, chance);
  card.wear?.({
    cells: sheet,
    width: (size + 2 * quiet) * grain,
    grain,
    size,
    left: quiet,
    top: quiet + printAbove,
  });
  const greys = [card.paper, card.ink, card.cover ?? card.ink];
  const look = lookThrough(card, size);
  const spot: Spot = { u: 0, v: 0 };
  const [rowLength, rowCount] = [
    (size + 2 * quiet) * grain,
    (size + 2 * quiet + printAbove + printBelow) * grain,
  ];
  const reach = (card.side / size) * (size / 2 + quiet + printBelow) * 1.6;
  const [left, right] = [
    Math.max(0, Math.floor(card.middle[0] - reach)),
    Math.min(width, Math.ceil(card.middle[0] + reach)),
  ];
  const [top, bottom] = [
    Math.max(0, Math.floor(card.middle[1] - reach)),
    Math.min(height, Math.ceil(card.middle[1] + reach)),
  ];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const behind = grey[y * width + x]!;
      // Most pixels lie far from the card, so that one look is enough for them.
      const isAhead = look(x + 0.5, y + 0.5, spot);
      if (
        card.roll === 0 &&
        (!isAhead ||
          Math.abs(spot.u - size / 2) > size / 2 + quiet + 2 ||
          spot.v < -quiet - printAbove - 2 ||
          spot.v > size + quiet + printBelow + 2)
      )
        continue;
      let sum = 0;
      for (let sub = 0; sub < 9; sub += 1) {
        const isSeen = look(x + ((sub % 3) + 0.5) / 3, y + (Math.floor(sub / 3) + 0.5) / 3, spot);
        const column = Math.floor((spot.u + quiet) * grain);
        const row = Math.floor((spot.v + quiet + printAbove) * grain);
        const isBeside = !isSeen || column < 0 || row < 0 || column >= rowLength || row >= rowCount;
        sum += isBeside ? behind : greys[sheet[row * rowLength + column]!]!;
      }
      grey[y * width + x] = sum / 9;
    }
  }
}

/** Cells along a module's side: fine enough for letters, and no cell crosses a module's edge. */
const grain = 8;

/** The flat card: 1 where ink is, 0 where paper is. */
function printSheet(rows: boolean[][] | null, size: number, chance: Chance): Uint8Array {
  const print = makePrint(size, chance);
  const [width, height] = [
    (size + 2 * quiet) * grain,
    (size + 2 * quiet + printAbove + printBelow) * grain,
  ];
  const sheet = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = [x / grain - quiet, y / grain - quiet - printAbove];
      const isCode = u >= 0 && u < size && v >= 0 && v < size;
      if (
        isCode
          ? rows
            ? rows[Math.floor(v)]![Math.floor(u)]!
            : isPattern(u, v)
          : isWord(u, v, print)
      )
        sheet[y * width + x] = 1;
    }
  }
  return sheet;
}

/** Where there is no code: blocks that might be one from afar. */
function isPattern(u: number, v: number): boolean {
  return Math.floor(v / 2) % 2 === 0 && Math.floor(u * 1.3) % 7 < 5;
}

function isWord(u: number, v: number, print: readonly Word[]): boolean {
  return print.some(
    (word) =>
      v >= word.top &&
      v < word.top + word.height &&
      u >= word.left &&
      u < word.left + word.width &&
      Math.floor((u - word.left) / 0.35) % 3 < 2,
  );
}

interface Word {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Lines of words that look like letters from afar. */
function makePrint(size: number, chance: Chance): Word[] {
  const words: Word[] = [];
  for (const [from, to] of [
    [-quiet - printAbove + 1.5, -quiet - 1],
    [size + quiet + 0.5, size + quiet + printBelow - 2],
  ] as const) {
    for (let top = from; top < to; top += 2.6) {
      for (let left = -quiet + 1.5; left < size; left += 1) {
        const width = between(chance, 1.5, 6);
        if (left + width < size + quiet - 1.5)
          words.push({ left, top, width, height: between(chance, 0.9, 1.4) });
        left += width;
      }
    }
  }
  return words;
}

/** A place in the modules' plane, whose origin is the code's upper left corner. */
interface Spot {
  u: number;
  v: number;
}

/**
 * Computes the spot that a pixel shows and writes it into `spot`; false: the card turns away from
 * the camera there.
 */
function lookThrough(
  { side, middle, turn, tilt, tiltTowards, roll }: Card,
  size: number,
): (x: number, y: number, spot: Spot) => boolean {
  const module = side / size;
  // The camera is four sides of the code away, because it is rarely nearer at a door.
  const distance = 4 * side;
  const [ct, st] = [Math.cos(turn), Math.sin(turn)];
  const [ca, sa] = [Math.cos(tiltTowards), Math.sin(tiltTowards)];
  const [cosTilt, tanTilt] = [Math.cos(tilt), Math.tan(tilt)];
  return (x, y, spot) => {
    const dx = x - middle[0];
    const dy = y - middle[1];
    const along = dx * ca + dy * sa;
    const across = dy * ca - dx * sa;
    // The ray through the pixel meets the tilted plane nearer or farther than its middle.
    const stretch = distance / (distance - along * tanTilt);
    if (stretch <= 0 || stretch > 20) return false;
    const far = (along * stretch) / cosTilt;
    const wide = across * stretch;
    const px = far * ca - wide * sa;
    const py = far * sa + wide * ca;
    const u = (px * ct + py * st) / module;
    const v = (py * ct - px * st) / module;
    spot.u = u + size / 2;
    spot.v = v + size / 2;
    if (roll === 0) return true;
    const radius = size / 2 / roll;
    if (Math.abs(u) >= radius) return false;
    // The roll's edges are farther away, so they lie nearer to the middle line.
    const depth = radius - Math.sqrt(radius * radius - u * u);
    spot.u = radius * Math.asin(u / radius) + size / 2;
    spot.v = v * (1 + (depth * module) / distance) + size / 2 + depth * 0.35;
    return true;
  };
}

/** A thumb over the lower right corner, where no finder pattern is; `part` of the code's side. */
export function coverWithFinger(
  { width, height, grey }: GreyPicture,
  { side, middle, turn }: Card,
  part: number,
  chance: Chance,
): void {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const skin = between(chance, 90, 180);
  const inwards = side * (0.5 - part * 0.35);
  const at: Point = [middle[0] + inwards * (c - s), middle[1] + inwards * (s + c)];
  const [long, wide] = [side * part * 1.6, side * part * 0.75];
  for (
    let y = Math.max(0, Math.floor(at[1] - long - wide));
    y < Math.min(height, at[1] + long + wide);
    y += 1
  ) {
    for (
      let x = Math.max(0, Math.floor(at[0] - long - wide));
      x < Math.min(width, at[0] + long + wide);
      x += 1
    ) {
      const [dx, dy] = [x - at[0], y - at[1]];
      const along = (dx + dy) * Math.SQRT1_2 * c + (dy - dx) * Math.SQRT1_2 * s;
      const across = (dy - dx) * Math.SQRT1_2 * c - (dx + dy) * Math.SQRT1_2 * s;
      const inside = ((along - long * 0.75) / long) ** 2 + (across / wide) ** 2;
      if (inside < 1) grey[y * width + x] = skin * (1 - 0.25 * inside);
    }
  }
}

/** A broken display: from one point of the code, lines run outwards, bright and dark. */
export function crack(
  { width, height, grey }: GreyPicture,
  { side, middle }: Card,
  chance: Chance,
): void {
  const start: Point = [
    middle[0] + between(chance, -0.35, 0.35) * side,
    middle[1] + between(chance, -0.35, 0.35) * side,
  ];
  const rays = 3 + Math.floor(chance() * 4);
  for (let n = 0; n < rays; n += 1) {
    let angle = between(chance, 0, 2 * Math.PI);
    let [x, y] = start;
    const value = chance() < 0.5 ? between(chance, 200, 250) : between(chance, 10, 70);
    const thickness = between(chance, 0.001, 0.007) * side;
    for (let way = 0; way < side * 0.6; way += 1) {
      if (chance() < 0.03) angle += between(chance, -0.5, 0.5);
      x += Math.cos(angle);
      y += Math.sin(angle);
      for (let py = Math.round(y - thickness); py <= y + thickness; py += 1) {
        for (let px = Math.round(x - thickness); px <= x + thickness; px += 1)
          if (px >= 0 && py >= 0 && px < width && py < height) grey[py * width + px] = value;
      }
    }
  }
}
