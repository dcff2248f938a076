/** The outline of an object other than a row, for hits and painting, in floor coordinates. */
import type { Item, Point } from '#server/drawing/model/data.ts';
import { distanceToEdge, emptyBox, isInside, widen, type Box } from '#apps/chart/scene/outline.ts';

export type Figure =
  | { type: 'polygon'; points: Point[] }
  | { type: 'line'; points: Point[] }
  | { type: 'ellipse'; center: Point; wide: number; high: number; angle: number }
  | { type: 'box'; center: Point; wide: number; high: number; angle: number; corner: number };

const usualBooth = 40;
const usualIcon = 24;
const usualText = 16;
/** The width of a letter relative to its height, exact enough for hits. */
const letter = 0.56;

function shift(point: Point | null | undefined, by: Point): Point {
  return { x: (point?.x ?? 0) + by.x, y: (point?.y ?? 0) + by.y };
}

function turn(at: Point, center: Point, degrees: number): Point {
  if (degrees === 0) return at;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [x, y] = [at.x - center.x, at.y - center.y];
  return { x: center.x + x * cos - y * sin, y: center.y + x * sin + y * cos };
}

interface Sized {
  width?: number;
  height?: number;
  radius1?: number;
  radius2?: number;
}
function sizeOf({ width, height, radius1, radius2 }: Sized): { wide: number; high: number } {
  return { wide: width ?? 2 * (radius1 ?? 0), high: height ?? 2 * (radius2 ?? radius1 ?? 0) };
}

export function linesOf(text: string): string[] {
  return text.split('\n');
}

function boxOfText(item: Item<'text'>, center: Point, angle: number): Figure {
  const lines = linesOf(item.data.text ?? item.data.label ?? '');
  const size = item.data.fontSize ?? usualText;
  const wide = Math.max(1, ...lines.map(({ length }) => length)) * size * letter;
  return { type: 'box', center, wide, high: lines.length * size * 1.2, angle, corner: 0 };
}

/** Null for a row, whose outline is its seats. */
export function figureOf(item: Item, origin: Point): Figure | null {
  if (item.kind === 'row') return null;
  const { kind, data } = item;
  if (kind === 'section') return { type: 'polygon', points: data.points ?? [] };
  const center = shift(data.center ?? (data as Partial<Point> as Point), origin);
  const angle = data.rotationAngle ?? 0;
  switch (kind) {
    case 'table': {
      if (data.type !== 'rectangular' && data.x_kind !== 'palco') {
        const wide = 2 * (data.radius ?? Math.min(data.width ?? 40, data.height ?? 40) / 2);
        return { type: 'ellipse', center, wide, high: wide, angle };
      }
      const both = 2 * (data.radius ?? 20);
      const [wide, high] = [data.width ?? both, data.height ?? both];
      return { type: 'box', center, wide, high, angle, corner: data.x_kind ? 0 : 3 };
    }
    case 'booth': {
      const [wide, high] = [data.width ?? usualBooth, data.height ?? usualBooth];
      return { type: 'box', center, wide, high, angle, corner: Math.min(wide, high) * 0.15 };
    }
    case 'icon': {
      const wide = data.iconSize ?? usualIcon;
      return { type: 'box', center, wide, high: wide, angle, corner: 0 };
    }
    case 'image':
      return { type: 'box', center, ...sizeOf(data), angle, corner: 0 };
    case 'text':
      return boxOfText(item, center, angle);
    case 'area':
    case 'shape':
      return figureOfPlane(item, { center, angle, origin });
  }
}

function figureOfPlane(
  { kind, data }: Item<'area'> | Item<'shape'>,
  { center, angle, origin }: { center: Point; angle: number; origin: Point },
): Figure {
  const points = data.points?.map((point) => shift(point, origin));
  if (points && data.type === 'line') return { type: 'line', points };
  const isRound = data.type === 'circle' || data.type === 'ellipse';
  if (points && points.length > 1 && (data.type === 'polygon' || !isRound))
    return { type: 'polygon', points };
  const size = sizeOf(data as Sized);
  if (isRound || (kind === 'area' && data.radius1 !== undefined))
    return { type: 'ellipse', center, ...size, angle };
  const corner = kind === 'shape' ? (data.cornerRadius ?? 0) : 0;
  return { type: 'box', center, ...size, angle, corner };
}

/** The corners of a box, or enough points of an ellipse. */
export function pointsOf(figure: Figure): Point[] {
  if (figure.type === 'polygon' || figure.type === 'line') return figure.points;
  const { center, wide, high, angle } = figure;
  const count = figure.type === 'box' ? 4 : 24;
  return Array.from({ length: count }, (_, n) => {
    const way = ((n + 0.5) / count) * 2 * Math.PI;
    const far = figure.type === 'box' ? Math.SQRT2 : 1;
    const at = {
      x: center.x + (wide / 2) * far * Math.cos(way),
      y: center.y + (high / 2) * far * Math.sin(way),
    };
    return turn(at, center, angle);
  });
}

export function boxOfPoints(points: readonly Point[], by = 0): Box {
  const box = emptyBox();
  for (const { x, y } of points) widen(box, x, y, by);
  return box;
}

/** Whether a point is on the figure, or at most `reach` beside its edge. */
export function isOn(figure: Figure, x: number, y: number, reach: number): boolean {
  if (figure.type === 'line') return distanceToLine(figure.points, { x, y }) <= reach;
  if (figure.type === 'polygon')
    return isInside(figure.points, x, y) || distanceToEdge(figure.points, { x, y }) <= reach;
  const { center, wide, high, angle } = figure;
  const at = turn({ x, y }, center, -angle);
  const [dx, dy] = [Math.abs(at.x - center.x), Math.abs(at.y - center.y)];
  if (figure.type === 'box') return dx <= wide / 2 + reach && dy <= high / 2 + reach;
  return (dx / (wide / 2 + reach || 1)) ** 2 + (dy / (high / 2 + reach || 1)) ** 2 <= 1;
}

/** Unlike an outline, a line is not closed. */
function distanceToLine(points: readonly Point[], at: Point): number {
  let nearest = Infinity;
  for (const [n, point] of points.slice(1).entries())
    nearest = Math.min(nearest, distanceToEdge([points[n] ?? point, point], at));
  return nearest;
}

export function traceFigure(figure: Figure): Path2D {
  const path = new Path2D();
  if (figure.type === 'polygon' || figure.type === 'line') {
    figure.points.forEach(({ x, y }, at) => (at === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
    if (figure.type === 'polygon') path.closePath();
    return path;
  }
  const { center, wide, high, angle } = figure;
  const radians = (angle * Math.PI) / 180;
  if (figure.type === 'ellipse') {
    path.ellipse(center.x, center.y, wide / 2, high / 2, radians, 0, 2 * Math.PI);
    return path;
  }
  const box = new Path2D();
  box.roundRect(-wide / 2, -high / 2, wide, high, figure.corner);
  path.addPath(box, new DOMMatrix().translate(center.x, center.y).rotate(angle));
  return path;
}
