/** Moves, turns, scales or mirrors one object with all its measures. */
import type { Doc, Item, Point } from '#server/drawing/model/data.ts';
import type { EditDraft } from '#server/drawing/model/edit.ts';
import { originOf } from '#server/drawing/model/selection.ts';
import {
  applied,
  isMirroring,
  stretchAlong,
  stretchOf,
  turnedAngle,
  type Matrix,
} from '#server/drawing/geometry/matrix.ts';
import { boundsOfPoints } from '#server/drawing/geometry/bounds.ts';
import {
  ORIGIN,
  angleOf,
  isPoint,
  minus,
  normalDegrees,
  plus,
  rounded,
  roundedPoint,
} from '#server/drawing/geometry/vector.ts';
import { childrenOf } from './targets.ts';
import type { Raw } from '#server/drawing/model/open.ts';

interface Frames {
  /** The origins of the coordinates before and after. */
  from: Point;
  to: Point;
}

function isMove([a, b, c, d]: Matrix): boolean {
  return a === 1 && b === 0 && c === 0 && d === 1;
}

/** Widths and heights scale along the object's own axes; all else scales by the mean factor. */
function measured(item: Item, matrix: Matrix): Raw {
  const data = item.data as Raw;
  const turned = typeof data.rotationAngle === 'number' ? data.rotationAngle : 0;
  const factors: Record<string, number> = {};
  for (const key of ['radius', 'fontSize', 'iconSize', 'cornerRadius', 'chairSpacing', 'labelSize'])
    factors[key] = stretchOf(matrix);
  for (const key of ['width', 'radius1']) factors[key] = stretchAlong(matrix, turned);
  for (const key of ['height', 'radius2']) factors[key] = stretchAlong(matrix, turned + 90);
  const sizes: Raw = {};
  for (const [key, factor] of Object.entries(factors))
    if (typeof data[key] === 'number' && Math.abs(factor - 1) > 1e-9)
      sizes[key] = rounded(data[key] * factor);
  if (typeof data.curve === 'number')
    sizes.curve = rounded(data.curve * stretchOf(matrix) * (isMirroring(matrix) ? -1 : 1));
  if (Array.isArray(data.x_sides) && isMirroring(matrix)) {
    const [top, right, bottom, left] = data.x_sides as number[];
    sizes.x_sides = [top, left, bottom, right];
  }
  return sizes;
}

/**
 * Mirrored text stays readable, objects with a front turn, and a row's angle is its direction.
 */
function turned(item: Item, matrix: Matrix): Raw {
  const { rotationAngle } = item.data as Raw;
  if (typeof rotationAngle !== 'number') return {};
  if (item.kind === 'row') {
    const radians = (rotationAngle * Math.PI) / 180;
    const to = { x: Math.cos(radians), y: Math.sin(radians) };
    const degrees = angleOf(minus(applied(matrix, to), applied(matrix, ORIGIN)));
    return { rotationAngle: rounded(normalDegrees(degrees)) };
  }
  const degrees = normalDegrees(turnedAngle(matrix, rotationAngle));
  const isWord = item.kind === 'text' || item.kind === 'icon' || item.kind === 'image';
  const isUpsideDown = Math.abs(degrees) > 90;
  const flipped = isWord && isMirroring(matrix) && isUpsideDown;
  return { rotationAngle: rounded(flipped ? normalDegrees(degrees + 180) : degrees) };
}

/**
 * Transforms an object; `frames` may change the origin of its coordinates. A section's own
 * outline is absolute.
 */
export function transformed<T extends Item>(item: T, matrix: Matrix, frames: Frames): T {
  const { from, to } = item.kind === 'section' ? { from: ORIGIN, to: ORIGIN } : frames;
  const moved = <P extends Point>(point: P): P => ({
    ...point,
    ...roundedPoint(minus(applied(matrix, plus(point, from)), to)),
  });
  const data = item.data as Raw & { center?: Point; points?: Point[]; seats?: Point[] };
  const next: Raw = {
    ...data,
    ...(isMove(matrix) ? {} : { ...measured(item, matrix), ...turned(item, matrix) }),
  };
  if (isPoint(data.center)) next.center = moved(data.center);
  else if (item.kind !== 'row' && isPoint({ x: data.x, y: data.y }))
    Object.assign(next, moved({ x: data.x as number, y: data.y as number }));
  if (Array.isArray(data.points)) next.points = data.points.map(moved);
  if (Array.isArray(data.seats)) next.seats = data.seats.map(moved);
  if (item.kind === 'section') next.topLeft = moved(item.data.topLeft ?? ORIGIN);
  return { ...item, data: next } as T;
}

/** A turned or scaled section gets a new corner, from which its contents are measured. */
function putSection(draft: EditDraft, doc: Doc, item: Item<'section'>, matrix: Matrix): void {
  const next = transformed(item, matrix, { from: ORIGIN, to: ORIGIN });
  const bounds = boundsOfPoints(next.data.points ?? []);
  if (isMove(matrix) || !bounds) {
    draft.put(next);
    return;
  }
  const topLeft = { x: bounds.left, y: bounds.top };
  const [width, height] = [
    rounded(bounds.right - bounds.left),
    rounded(bounds.bottom - bounds.top),
  ];
  const subChart = { ...next.data.subChart, width, height };
  draft.put({ ...next, data: { ...next.data, topLeft, subChart } });
  const frames = { from: item.data.topLeft ?? ORIGIN, to: topLeft };
  for (const child of childrenOf(doc, item.id)) draft.put(transformed(child, matrix, frames));
}

export function putTransformed(draft: EditDraft, doc: Doc, item: Item, matrix: Matrix): void {
  if (item.kind === 'section') putSection(draft, doc, item, matrix);
  else {
    const origin = originOf(doc, item);
    draft.put(transformed(item, matrix, { from: origin, to: origin }));
  }
}
