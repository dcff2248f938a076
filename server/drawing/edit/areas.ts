/** Makes areas without seats, and edits the corners and sizes of all objects that have them. */
import type { AreaData, Doc, Item, Key, Point } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { absolutePoints, toRelative } from '#server/drawing/geometry/absolute.ts';
import { isOutline, middleOf } from '#server/drawing/geometry/hull.ts';
import {
  isPoint,
  lengthOr,
  rounded,
  roundedPoint,
  whole,
} from '#server/drawing/geometry/vector.ts';
import { make } from './insert.ts';
import { Names, lastName, nextName } from './names.ts';
import { isLocked, patched, type At, type NewId } from './targets.ts';

interface Look {
  at: At;
  capacity?: number;
  label?: string;
  categoryKey?: Key | null;
}

const CAPACITY = 50;
const MOST_CAPACITY = 1_000_000;

function areaData(doc: Doc, at: At, { capacity = CAPACITY, label, categoryKey }: Look): AreaData {
  const last = lastName(doc, at, ({ kind }) => kind === 'area');
  const wanted = label || (last === null ? 'Area 1' : nextName(last));
  return {
    label: new Names(doc).claim({ kind: 'area', section: at.section }, wanted),
    capacity: whole(capacity, [1, MOST_CAPACITY]),
    ...(categoryKey === undefined || categoryKey === null ? {} : { categoryKey }),
    bookAsAWhole: false,
    labelSize: 24,
    labelShown: true,
  };
}

export function makeArea(
  doc: Doc,
  options: Look & { points: readonly Point[] },
  newId: NewId,
): Edit | null {
  const { points } = options;
  if (!isOutline(points)) return null;
  const item = (at: At) => {
    const data: AreaData = {
      ...areaData(doc, at, options),
      type: 'polygon',
      center: roundedPoint(middleOf(points)),
      points: points.map(roundedPoint),
      rotationAngle: 0,
    };
    return { kind: 'area', data } as const;
  };
  return make(doc, { at: options.at, code: 'make-area' }, { item, newId });
}

export function makeEllipse(
  doc: Doc,
  options: Look & { center: Point; radius1: number; radius2: number; rotation?: number },
  newId: NewId,
): Edit | null {
  const { center, rotation = 0 } = options;
  if (!isPoint(center) || !Number.isFinite(rotation)) return null;
  const item = (at: At) => {
    const data: AreaData = {
      ...areaData(doc, at, options),
      type: 'circle',
      center: roundedPoint(center),
      radius1: rounded(lengthOr(options.radius1, 40)),
      radius2: rounded(lengthOr(options.radius2, 40)),
      rotationAngle: rounded(rotation),
    };
    return { kind: 'area', data } as const;
  };
  return make(doc, { at: options.at, code: 'make-area' }, { item, newId });
}

/** Sets the corners of an area, shape or section, in the drawing's coordinates. */
function setPoints(doc: Doc, id: string, points: readonly Point[]): Edit | null {
  const item = doc.items.get(id);
  if (!item || isLocked(doc, item) || item.kind === 'row' || !isDrawable(item, points)) return null;
  const placed = points.map((point) =>
    roundedPoint(item.kind === 'section' ? point : toRelative(doc, item, point)),
  );
  const middle = item.kind !== 'section' && 'center' in item.data;
  const draft = new EditDraft(doc);
  const center = middle ? { center: roundedPoint(middleOf(placed)) } : {};
  // An outline that was drawn by hand follows nothing any more.
  draft.put(patched(item, { points: placed, x_followsSeats: undefined, ...center }));
  return draft.finish('set-points');
}

function isDrawable(item: Item, points: readonly Point[]): boolean {
  const isLine = item.kind === 'shape' && item.data.type === 'line';
  return isLine ? points.length > 1 && points.every(isPoint) : isOutline(points);
}

export function movePoint(doc: Doc, id: string, index: number, point: Point): Edit | null {
  const item = doc.items.get(id);
  const points = item ? absolutePoints(doc, item) : [];
  return index in points ? setPoints(doc, id, points.with(index, point)) : null;
}

/** Adds a corner after the one with this index. */
export function addPoint(doc: Doc, id: string, after: number, point: Point): Edit | null {
  const item = doc.items.get(id);
  const points = item ? absolutePoints(doc, item) : [];
  return after in points ? setPoints(doc, id, points.toSpliced(after + 1, 0, point)) : null;
}

export function removePoint(doc: Doc, id: string, index: number): Edit | null {
  const item = doc.items.get(id);
  const points = item ? absolutePoints(doc, item) : [];
  return index in points ? setPoints(doc, id, points.toSpliced(index, 1)) : null;
}

/** Sets width and height of an object that has a centre and no chairs around it. */
export function resizeItem(
  doc: Doc,
  id: string,
  { width, height }: { width?: number; height?: number },
): Edit | null {
  const item = doc.items.get(id);
  if (!item || isLocked(doc, item) || !('center' in item.data) || item.kind === 'table')
    return null;
  const isRound = 'radius1' in item.data;
  const patch: Record<string, number> = {};
  if (width !== undefined)
    patch[isRound ? 'radius1' : 'width'] = rounded(lengthOr(width, 40) / (isRound ? 2 : 1));
  if (height !== undefined)
    patch[isRound ? 'radius2' : 'height'] = rounded(lengthOr(height, 40) / (isRound ? 2 : 1));
  const draft = new EditDraft(doc);
  draft.put(patched(item, patch));
  return draft.finish('resize');
}
