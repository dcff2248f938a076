/**
 * Damage to a printed code by time, printers and hands: worn strokes, missing lines, scratches,
 * stickers. Lengths in modules.
 */
import { between, type Chance } from './picture-light.ts';

/** A card lying flat, before a camera looks at it. */
export interface Sheet {
  /** Row by row: 0 is paper, 1 ink, 2 what lies over both. */
  cells: Uint8Array;
  /** Cells in a row. */
  width: number;
  /** Cells in a module's side. */
  grain: number;
  /** Modules of the code's side. */
  size: number;
  /** Modules before the code's upper left corner. */
  left: number;
  top: number;
}

/**
 * Sets every cell for which `isMeant` is true; `u`, `v`: modules from the code's upper left corner.
 */
export function paint(
  { cells, width, grain, left, top }: Sheet,
  value: 0 | 1 | 2,
  isMeant: (u: number, v: number) => boolean,
): void {
  for (let at = 0; at < cells.length; at += 1) {
    const u = ((at % width) + 0.5) / grain - left;
    const v = (Math.floor(at / width) + 0.5) / grain - top;
    if (isMeant(u, v)) cells[at] = value;
  }
}

/** Ink shrinks at all its edges by `by` modules, or spreads where that is negative. */
export function erode({ cells, width, grain }: Sheet, by: number): void {
  const reach = Math.round(Math.abs(by) * grain);
  const wins = by > 0 ? 0 : 1;
  for (const step of [1, width]) {
    const before = cells.slice();
    for (let at = 0; at < cells.length; at += 1)
      for (let far = -reach; far <= reach; far += 1)
        if (before[at + far * step] === wins) cells[at] = wins;
  }
}

/** A thermal printer's dead dots: lines along the paper on which nothing is printed. */
export function dropLines(sheet: Sheet, chance: Chance, count: number): void {
  for (let n = 0; n < count; n += 1) {
    const at = between(chance, 0, sheet.size);
    const thickness = between(chance, 0.1, 0.35);
    paint(sheet, 0, (u) => Math.abs(u - at) < thickness / 2);
  }
}

/**
 * Rubbed off: `part` of the ink is missing, in grains all over the code, each about a third of a
 * module.
 */
export function rub(sheet: Sheet, chance: Chance, part: number): void {
  const gaps = new Set<number>();
  const grains = 3 * (sheet.size + 1);
  for (let n = 0; n < part * grains * grains; n += 1)
    gaps.add(Math.floor(chance() * grains * grains));
  paint(
    sheet,
    0,
    (u, v) => u >= 0 && v >= 0 && gaps.has(Math.floor(v * 3) * grains + Math.floor(u * 3)),
  );
}

/** A straight stroke of a pen, a knife or a fold through `u`, `v`. */
export function scratch(
  sheet: Sheet,
  value: 0 | 1,
  {
    u,
    v,
    angle,
    long,
    thick,
  }: { u: number; v: number; angle: number; long: number; thick: number },
): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  paint(sheet, value, (x, y) => {
    const [dx, dy] = [x - u, y - v];
    return Math.abs(dx * c + dy * s) < long / 2 && Math.abs(dy * c - dx * s) < thick / 2;
  });
}

/** The middles of the three finder patterns. */
export function findersOf({ size }: Sheet): readonly (readonly [number, number])[] {
  return [
    [3.5, 3.5],
    [size - 3.5, 3.5],
    [3.5, size - 3.5],
  ];
}
