/** Makes objects that are not sold: texts, shapes, the stage, icons, pictures. */
import type { Doc, Point, ShapeData } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { isOutline, middleOf } from '#server/drawing/geometry/hull.ts';
import { isPoint, lengthOr, rounded, roundedPoint } from '#server/drawing/geometry/vector.ts';
import { make, type NewItem } from './insert.ts';
import type { At, NewId } from './targets.ts';

interface Placed {
  at: At;
  center: Point;
  rotation?: number;
}

function put(
  doc: Doc,
  { at, center, rotation = 0 }: Placed,
  { code, item, newId }: { code: string; item: NewItem; newId: NewId },
): Edit | null {
  if (!isPoint(center) || !Number.isFinite(rotation)) return null;
  const placed = { ...item.data, center: roundedPoint(center), rotationAngle: rounded(rotation) };
  const whole = { kind: item.kind, data: placed } as NewItem;
  return make(doc, { at, code }, { item: () => whole, newId });
}

export function makeText(
  doc: Doc,
  options: Placed & { text: string; fontSize?: number; textColor?: string },
  newId: NewId,
): Edit | null {
  const { text, textColor } = options;
  if (text.trim() === '') return null;
  const fontSize = rounded(lengthOr(options.fontSize, 20));
  const data = { text, fontSize, ...(textColor === undefined ? {} : { textColor }) };
  return put(doc, options, { code: 'make-text', item: { kind: 'text', data }, newId });
}

export function makeShape(
  doc: Doc,
  options: {
    at: At;
    type: 'rectangle' | 'ellipse' | 'polygon' | 'line';
    center?: Point;
    width?: number;
    height?: number;
    points?: readonly Point[];
    fillColor?: string;
    cornerRadius?: number;
    rotation?: number;
  },
  newId: NewId,
): Edit | null {
  const { type, points = [], fillColor = '#80808033', cornerRadius } = options;
  const isBent = type === 'polygon' || type === 'line';
  const isGood = type === 'line' ? points.length > 1 && points.every(isPoint) : isOutline(points);
  if (isBent && !isGood) return null;
  const [width, height] = [
    rounded(lengthOr(options.width, 120)),
    rounded(lengthOr(options.height, 60)),
  ];
  const sizes: Record<typeof type, Partial<ShapeData>> = {
    rectangle: { width, height, cornerRadius: rounded(cornerRadius ?? 8) },
    ellipse: { radius1: rounded(width / 2), radius2: rounded(height / 2) },
    polygon: { points: points.map(roundedPoint) },
    line: { points: points.map(roundedPoint) },
  };
  const data: ShapeData = { type, fillColor, ...sizes[type] };
  const center = isBent ? middleOf(points) : (options.center ?? { x: Number.NaN, y: 0 });
  const placed = { at: options.at, center, rotation: isBent ? 0 : options.rotation };
  return put(doc, placed, { code: 'make-shape', item: { kind: 'shape', data }, newId });
}

export function makeStage(
  doc: Doc,
  options: Placed & { width: number; height: number; label?: string },
  newId: NewId,
): Edit | null {
  const data: ShapeData = {
    type: 'rectangle',
    smartType: 'stage',
    label: options.label ?? 'Palcoscenico',
    fillColor: '#5b6270',
    width: rounded(lengthOr(options.width, 400)),
    height: rounded(lengthOr(options.height, 100)),
    cornerRadius: 14,
  };
  return put(doc, options, { code: 'make-stage', item: { kind: 'shape', data }, newId });
}

export function makeIcon(
  doc: Doc,
  options: Placed & { iconType: string; iconSize?: number; iconColor?: string },
  newId: NewId,
): Edit | null {
  const { iconType, iconColor } = options;
  const iconSize = rounded(lengthOr(options.iconSize, 24));
  const data = { iconType, iconSize, ...(iconColor === undefined ? {} : { iconColor }) };
  return put(doc, options, { code: 'make-icon', item: { kind: 'icon', data }, newId });
}

/** `href` is a data: address, because a drawing loads nothing from elsewhere. */
export function makeImage(
  doc: Doc,
  options: Placed & { width: number; height: number; href: string },
  newId: NewId,
): Edit | null {
  const { href } = options;
  if (!/^data:image\/(?:png|jpeg|webp);base64,/.test(href)) return null;
  const [width, height] = [
    rounded(lengthOr(options.width, 200)),
    rounded(lengthOr(options.height, 200)),
  ];
  const data = { href, width, height };
  return put(doc, options, { code: 'make-image', item: { kind: 'image', data }, newId });
}
