/** Where a new object is placed, and which category it gets. */
import type { Doc, Key, Point } from '#server/drawing/model/data.ts';
import type { At } from '#server/drawing/edit/targets.ts';
import type { Desk } from '#apps/chart/designer/canvas/desk.ts';

/** The key in the drawing's own type: a number or a text. */
export function keyOf({ categories }: Doc, brush: string | null): Key | undefined {
  return categories.find(({ key }) => String(key) === brush)?.key;
}

export function placeOf({ studio }: Desk): { at: At; categoryKey: Key | undefined } {
  const { doc, floor, section, brush } = studio.state;
  return { at: { floor, section }, categoryKey: keyOf(doc, brush) };
}

export function boxOf(from: Point, to: Point): { center: Point; width: number; height: number } {
  return {
    center: { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 },
    width: Math.abs(to.x - from.x),
    height: Math.abs(to.y - from.y),
  };
}

/** A length as text, in metres where the drawing's scale is set. */
export function lengthIn({ root }: Doc, units: number): string {
  const cm = root.x_cmPerUnit;
  const format = (value: number, digits: number) =>
    value.toLocaleString('it-IT', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return cm === undefined ? `${format(units, 0)} u` : `${format((units * cm) / 100, 2)} m`;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
